# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# awk -v copies=N -f copies.awk FILE.s FILE.s: the file N times over, each time with every label that it defines under another
# name, so that the whole assembles. (The file is read twice: first for its labels.)
NR == FNR {
    if (match($0, /^[A-Za-z_.$][A-Za-z0-9_.$]*:/))
        defined[substr($0, 1, RLENGTH - 1)] = 1
    else if (match($0, /^\t\.set\t[^,]*,/))
        defined[substr($0, 7, RLENGTH - 7)] = 1
    next
}
{
    # A byte 1 behind each label is where the number of the copy goes.
    rest = $0
    text = ""
    if (rest !~ /^\t\.(string|ascii|ident)/) {
        while (match(rest, /[A-Za-z_.$][A-Za-z0-9_.$]*/)) {
            word = substr(rest, RSTART, RLENGTH)
            text = text substr(rest, 1, RSTART - 1) word
            if (word in defined)
                text = text "\001"
            rest = substr(rest, RSTART + RLENGTH)
        }
    }
    line[++count] = text rest
}
END {
    for (copy = 1; copy <= copies; copy++)
        for (k = 1; k <= count; k++) {
            out = line[k]
            gsub("\001", "." copy, out)
            print out
        }
}
