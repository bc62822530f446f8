# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A section that holds pads is aligned to the boundary, whatever its name, and though the source aligns nothing.
. "$SOURCE_DIR/tests/cases/common.sh"
clean 14-section-alignment
readelf -SW 14-section-alignment-safe.o | awk '
    / AX / { code++; aligned += $NF >= 32 }
    END { exit code < 3 || aligned < 3 }' || fail "$(readelf -SW 14-section-alignment-safe.o)"
