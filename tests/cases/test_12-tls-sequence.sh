# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Linkers match the sixteen bytes of the general-dynamic sequence: they stay together.
. "$SOURCE_DIR/tests/cases/common.sh"
clean 12-tls-gd-sequence
hex 12-tls-gd-sequence-safe.o .text | grep -q '66488d3d00000000666648e800000000c3' || fail "the sequence is torn"
