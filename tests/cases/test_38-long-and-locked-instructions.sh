# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# No instruction grows over 15 bytes, and none takes a prefix that would change its meaning.
. "$SOURCE_DIR/tests/cases/common.sh"
clean 38-lock-and-rep-string
for object in plain safe; do
    objdump -d -w "38-lock-and-rep-string-$object.o" | sed -n '/\tlock\|\trep /p' | cut -f2- | tr -s ' ' | sed 's/<.*//' >"$object"
done
cmp plain safe || fail "$(diff plain safe)"
objdump -d -w 38-lock-and-rep-string-safe.o | awk -F '\t' 'NF > 2 { if (split($2, bytes, " ") > 15) exit 1 }' || fail "over 15 bytes"
