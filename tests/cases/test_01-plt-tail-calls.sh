# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tail calls, conditional jumps and pairs to f@PLT, and jumps through the GOT are padded although they carry a relocation.
. "$SOURCE_DIR/tests/cases/common.sh"
clean 01-plt-tailcall-not-padded
