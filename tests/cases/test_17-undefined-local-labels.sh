# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Branches to local labels that nobody defines: both lines are named, and no object is left.
. "$SOURCE_DIR/tests/cases/common.sh"
refused 17-undefined-temp-label 5 6
