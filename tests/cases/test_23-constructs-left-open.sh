# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the end of the source leaves open is named with the line that opened it.
. "$SOURCE_DIR/tests/cases/common.sh"
refused 23-unterminated-constructs 4 6 7 8
