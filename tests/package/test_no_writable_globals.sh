# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# No writable global state, but for what process.h is about. Tables are const: .data.rel.ro is written by the loader alone.
. "$SOURCE_DIR/tests/package/common.sh"
[ -z "${SANITIZE_FLAGS-}" ] || skip "sanitizers add state of their own"
for room in $ROOMS; do
    objdump -t "$BUILD_DIR/libjccsafe-$room.a" | awk '
        /file format/ { sub(/:.*/, ""); object = $0 }
        / [ O] ([*]COM[*]|[.]t?(data|bss)[^\t]*)\t/ && !/[.]data[.]rel[.]ro/ { print object ": " $NF }' | grep -v '^process[a-z_]*[.]c[.]o: ' >state || true
    [ ! -s state ] || fail "writable state in lib/$room: $(cat state)"
done
