# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# awk -v lines=N -f first_functions.awk FILE.s FILE.s: what a compiler wrote, up to the end of the function in which line N
# stands, and the constants behind the last function that those before it name. What else is named and left out is undefined,
# so it assembles as the names of another file. (The file is read twice: first for where the last function ends.)
NR == FNR {
    if (/^\t\.cfi_endproc/)
        last = FNR
    next
}
FNR <= last {
    if (!cut)
        print
    # A function ends at its size, or where the next section starts.
    if (FNR >= lines && /^\t\.size\t/)
        cut = 1
    next
}
/^\t\.section\t/ {
    keep = /\.rodata\.cst/
}
/^\t\.(data|bss|text)$/ {
    keep = 0
}
keep
