# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# No writable global state, but for what process.h is about. Tables are const: .data.rel.ro is written by the loader alone.
. "$SOURCE_DIR/tests/package/common.sh"
[ -z "${SANITIZE_FLAGS-}" ] || skip "sanitizers add state of their own"

# What may be: process.c is about LLVM's own global state; targets_once guards LLVM's registering of targets, which is the
# process's; text is a thread's own.
allowed='^(process[a-z_]*[.]c[.]o: .*|session[.]c[.]o: (targets_once|(jcc_llvm_version[.])?text)([.][0-9]+)?)$'

for room in $ROOMS; do
    objdump -t "$BUILD_DIR/libjccsafe-$room.a" | awk '
        /file format/ { sub(/:.*/, ""); object = $0 }
        / [ O] ([*]COM[*]|[.]t?(data|bss)[^\t]*)\t/ && !/[.]data[.]rel[.]ro/ { print object ": " $NF }' | grep -vE "$allowed" >state || true
    [ ! -s state ] || fail "writable state in lib/$room: $(cat state)"
done
