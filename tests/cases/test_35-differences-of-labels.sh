# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Jump tables, uleb128 and byte differences of labels are right for the padded layout.
. "$SOURCE_DIR/tests/cases/common.sh"
clean 35-long-jump-table-and-uleb
name=35-long-jump-table-and-uleb
must ld -e jt -o linked "$name-safe.o"
objdump -d --no-show-raw-insn linked | sed -n 's/^ *\([0-9a-f]*\):\t\(.*\)/\1 \2/p' | sed 's/ *$//' >list
# The table's entries count from its own address.
table=$(readelf -SW linked | awk '{ for (k = 1; k < NF; k++) if ($k == ".rodata") print $(k + 2) }')
objcopy -O binary -j .rodata linked rodata.bin
n=0
for entry in $(od -An -v -td4 rodata.bin); do
    address=$(printf '%x' $((0x$table + entry)))
    eval "label$n=\$((0x$table + entry))"
    eval "found$n=\$(sed -n \"s/^$address //p\" list)"
    n=$((n + 1))
done
case "$found0 | $found1 | $found2 | $found3" in
"test "*"%esi,%esi | cmp "*"%esi,%edi | jmp "*" | nop") ;;
*) fail "the table leads to $found0 | $found1 | $found2 | $found3" ;;
esac
end=$((0x$(awk '$2 == "ret" { print $1 }' list)))
objcopy -O binary -j .gcc_except_table linked table.bin
want="$((end - label0)) $((label3 - label1)) $((label2 - label1))"
got=$(od -An -v -tu1 table.bin | tr -s ' ' | sed 's/^ //; s/ $//')
[ "$got" = "$want" ] || fail "differences $got, not $want"
