# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# loop and jrcxz have no form but rel8: what a pad before them would cost them is a residual.
. "$SOURCE_DIR/tests/cases/common.sh"
with_residuals 02-rel8-pushed-out-of-range 'short branch out of reach'
