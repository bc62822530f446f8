# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Where the source says 0x90, nobody executes the fill and it stays single bytes.
. "$SOURCE_DIR/tests/cases/common.sh"
clean 16-p2align-fill-0x90
hex 16-p2align-fill-0x90-safe.o .text | grep -q '^eb0e9090909090909090909090909090c3' || fail "$(hex 16-p2align-fill-0x90-safe.o .text)"
