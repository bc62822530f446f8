# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# objdump -d, readelf --debug-dump=decodedline and --debug-dump=frames-interp of one image, in this order and one after
# another: the rows of its line table and of its unwind tables, with addresses told as the number of instructions before
# them that are no no-operations. So the rows of a program do not depend on its padding:
#
#   line NUMBER FILE LINE STMT
#   unwind NUMBER BEHIND RULES    BEHIND is 1 where no-operations that run stand between an instruction and its row: they
#                                 run by the rules from before it
function hex(digits,  i, value)
{
    value = 0
    for (i = 1; i <= length(digits); i++)
        value = value * 16 + index("0123456789abcdef", substr(digits, i, 1)) - 1
    return value
}

# The number of instructions below ADDRESS.
function before(address,  low, high, middle)
{
    low = 0
    high = count
    while (low < high) {
        middle = int((low + high) / 2)
        if (start[middle] < address)
            low = middle + 1
        else
            high = middle
    }
    return low
}

function flush_row()
{
    if (row != "")
        print row
    row = ""
}

FILENAME != last_file {
    part++
    last_file = FILENAME
}

part == 1 && /^ *[0-9a-f]+:\t/ {
    address = substr($1, 1, length($1) - 1)
    text = $0
    sub(/^[^\t]*\t/, "", text)
    is_nop = text ~ /^((data16|cs|ds|es|ss) )*(nop[wl]?( |$)|xchg +%ax,%ax)/
    if (!is_nop) {
        start[count] = hex(address)
        ends[count++] = text ~ /^((bnd|notrack|repz) )*(jmp|ret|hlt|ud2)/
    } else if (count && !ends[count - 1]) {
        # The first one that runs behind this instruction.
        if (!((count - 1) in pad))
            pad[count - 1] = hex(address)
    }
}

part == 2 && NF > 2 && $3 ~ /^(0x)?[0-9a-f]+$/ {
    sub(/^0x/, "", $3)
    print "line", before(hex($3)), $1, $2, ($NF == "x" ? "stmt" : "-")
}

part == 3 && / FDE / {
    flush_row()
    first = 1
}

part == 3 && /^ *LOC / {
    $1 = ""
    columns = $0
}

part == 3 && /^[0-9a-f]+ / && !/ (FDE|CIE|ZERO) / && length($1) == 16 {
    address = hex($1)
    number = before(address)
    behind = !first && number && (number - 1) in pad && pad[number - 1] < address
    $1 = ""
    # Of several rows for one instruction the last one holds.
    if (number != row_number)
        flush_row()
    row_number = number
    row = "unwind " number " " (behind + 0) columns " =" $0
    first = 0
}

END {
    flush_row()
}
