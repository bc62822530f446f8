# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# No no-operation lands between the two instructions of a pair.
. "$SOURCE_DIR/tests/cases/common.sh"
clean 06-macrofusion-split-by-nop
disassembled 06-macrofusion-split-by-nop-safe.o | awk '
    /^(je|jg|jae) / { pairs += before ~ /^(test|cmp|sub) / }
    { before = $0 }
    END { exit pairs != 3 }' || fail "a pair is torn"
