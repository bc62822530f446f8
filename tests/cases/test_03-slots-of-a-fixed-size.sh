# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A table of slots of nine bytes, each filled up from its label: it stays as it is.
. "$SOURCE_DIR/tests/cases/common.sh"
with_residuals 03-fixed-slot-table-fill 'size fixed by the source'
[ "$(hex 03-fixed-slot-table-fill-safe.o .text)" = "$(hex 03-fixed-slot-table-fill-plain.o .text)" ] || fail "the table has changed"
