# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Jumps and calls through the GOT keep the bytes that linkers rewrite.
. "$SOURCE_DIR/tests/cases/common.sh"
clean 29-rip-got-relaxation
# LLVM up to 15 writes GOTPCREL where later ones write the kinds that may be relaxed.
for object in plain safe; do
    readelf -rW "29-rip-got-relaxation-$object.o" | awk '/GOTPCREL/ { print $3, $5, $6, $7 }' >"$object"
done
[ "$(wc -l <plain)" = 3 ] && cmp plain safe || fail "$(diff plain safe)"
