# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A prefix stays with its instruction: on a line of its own, before a semicolon, or as a byte.
. "$SOURCE_DIR/tests/cases/common.sh"
clean 10-prefix-on-own-line
disassembled 10-prefix-on-own-line-safe.o >list
for instruction in 'notrack jmp \*%rax' 'je,pn ' 'data16 jmp ' 'repz ret' 'addr32 call '; do
    grep -q "^$instruction" list || fail "no '$instruction' is left"
done
