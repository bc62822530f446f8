# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A symbol defined twice: an error at each line that defines it again.
. "$SOURCE_DIR/tests/cases/common.sh"
refused 25-redefinition 5 6 8
