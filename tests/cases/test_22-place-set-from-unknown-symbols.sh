# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Assignments to the place from symbols that are not known kill some LLVMs: an error at each line.
. "$SOURCE_DIR/tests/cases/common.sh"
refused 22-dot-assign-undefined 4 6 7 8
