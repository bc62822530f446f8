# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Branch operands that are none in AT&T syntax: an error at each line.
. "$SOURCE_DIR/tests/cases/common.sh"
refused 21-branch-with-bracketed-operand 4 5 6 7 8
