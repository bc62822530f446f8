# needs: llvm
# Each kind of profile, in all the ways that callgrind and perf write it: `hot` has nearly all, or `cold` has, if a column or a name is misread.
cat >t.s <<'S'
	.text
	.p2align 5
	.type hot, @function
hot:
	cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld
	cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld
	ret
	.p2align 5
	.type cold, @function
cold:
	cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld
	cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld
	ret
	.p2align 5
	.type n, @function
n:
	cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld
	cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld
	ret
S
try() {
    "$JCCSAFE" as --report=text --profile="$1" --profile-share="${2-90}" -o t.o t.s 2>&1 | sed -n 's/.*pad: .*(\(.*\)),.*/\1/p; s/^jccsafe: [a-z]*: no /no /p' | paste -sd' ' | sed "s/^/$1: /"
}
# Between "positions:" and "events:" and the lines that follow, line numbers are greater than the costs.
callgrind() {
    printf '# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 1\n\n%s\nevents: %s\nsummary: 999999\n\nob=(1) /tmp/p\nfl=(1) p.c\n' "$1" "$2"
}
(callgrind 'positions: line' Ir; printf 'fn=(2) cold\n90000 3\n+1 2\nfn=(3) hot\n7 200\n* 100\n') >lines
(callgrind 'positions: instr line' Ir; printf 'fn=(2) cold\n0x401126 90000 3\n+3 * 2\nfn=(3) hot\n0x401136 7 200\n+4 -2 100\n* +5\n') >instructions
(callgrind 'positions: instr' Ir; printf 'fn=(2) cold\n0x401126 3\n+3 2\nfn=(3) hot\n0x401136 200\n* 100\n') >addresses
(callgrind 'positions: instr line' 'Dr Ir Dw'; printf 'fn=(2) cold\n0x401126 90000 5000 3 5000\n+3 *\nfn=(3) hot\n0x401136 7 1 200 1\n') >events
(callgrind 'positions: line' Ir; printf 'fn=cold\n90000 3\nfn=hot\n7 200\nfn=(below main)\n8 1\n') >uncompressed
(callgrind 'positions: line' Ir; printf 'fn=(2) cold\n9 3\ncfn=(3) hot\ncalls=5 8\n9 90000\nfn=(3)\n7 200\njump=9 8\n7\njcnd=1/9 8\n7\n* 5\n') >calls
(callgrind 'positions: line' Ir; printf "fn=(2) cold\n9 3\nfn=(3) hot\n7 1\nfn=(4) hot'2\n7 200\n") >recursions
(callgrind 'positions: line' Ir; printf 'fn=(2) ???\n9 9000\nfn=(3) hot\n7 1\n') >nameless
for profile in lines instructions addresses events uncompressed calls recursions nameless; do
    try $profile
done
# A short address, an address of digits alone, and names that are patterns or none.
cat >samples <<'S'
prog 4242 1.234567:     250000 cycles:           401136 hot+0x16 (/tmp/prog)
prog 4242 1.234567:     250000 cycles:           401137 hot+0x17 (/tmp/prog)
(job) 4242 1.234567:     250000 cycles:           40113f hot+0x1f (/tmp/my prog)
prog 4242 1.234567:     250000 cycles:     123412341234 hot (/tmp/prog)
prog 4242 1.234567:     250000 cycles: ffffffff8a9b147a [unknown] ([kernel.kallsyms])
prog 4242 1.234567:     250000 cycles: ffffffff8a9b147a [unknown] ([kernel.kallsyms])
S
try samples 100
printf '1000000000000 hot\n50 cold\n' >counts
try counts
printf '900 ho?\n800 c*\n700 [c]old\n1 n\n' >patterns
try patterns 100
printf '1000 [unknown]\n' >unknown
try unknown
