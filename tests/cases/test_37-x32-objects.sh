# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# An x32 object is 64-bit code in a 32-bit container, and is decoded as such.
. "$SOURCE_DIR/tests/cases/common.sh"
clean 37-x32-object --x32
readelf -hW 37-x32-object-safe.o | grep -q 'Class: *ELF32' || fail "not ELFCLASS32"
must "$JCCSAFE" check 37-x32-object-safe.o
code=0
"$JCCSAFE" check 37-x32-object-plain.o >found || code=$?
[ $code = 1 ] && grep -q 'fused' found || fail "the plain object's pair is not found: exit $code, $(cat found)"
