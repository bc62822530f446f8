# needs: llvm
# Two functions with an affected branch each, one of them in a loop.
cat >t.s <<'S'
	.text
	.p2align 5
	.type hot, @function
hot:
	cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld
	cld; cld; cld; cld; cld; cld; cld; cld; cld; cld
	dec %eax
	jnz hot
	ret
	.p2align 5
	.type cold, @function
cold:
	cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld
	cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld
	ret
S
try() {
    echo "$*:"
    "$JCCSAFE" as --report "$@" -o t.o t.s 2>&1 | sed -n 's/.*affected_plain=\([0-9]*\) affected=\([0-9]*\).*/\1 to \2/p; s/.*residual: //p'
}
try --scope=all
try --scope=loops
try --function=cold
try --function='h*' --function=nothing
try --function=none
cat >counts <<'S'
990 hot
# a comment
10 cold
S
try --profile=counts
try --profile=counts --profile-share=100
cat >perf <<'S'
prog  4242 1.234567:     250000 cycles:     55d4c8a9b146 cold+0x16 (/tmp/prog)
prog  4242 1.234568:     250000 cycles:     55d4c8a9b147 cold+0x17 (/tmp/prog)
prog  4242 1.234569:     250000 cycles:     ffffffff8a9b147a [unknown] ([kernel.kallsyms])
S
try --profile=perf --profile-share=50
cat >callgrind <<'S'
# callgrind format
version: 1
creator: callgrind-3.19.0
events: Ir
fn=(1) cold
16 30
cfn=(2) hot
calls=1 4
+1 5000
fn=(2)
4 2000
S
try --profile=callgrind --profile-share=90
"$JCCSAFE" as --profile=none -o t.o t.s
echo nothing >empty
"$JCCSAFE" as --profile=empty -o t.o t.s
"$JCCSAFE" as --scope=some -o t.o t.s
"$JCCSAFE" as --profile-share=0 -o t.o t.s
"$JCCSAFE" as --profile-share=50 -o t.o t.s
"$JCCSAFE" as --profile-use=weights -o t.o t.s
"$JCCSAFE" as --function= -o t.o t.s
"$JCCSAFE" as --scope=loops --function=hot -o t.o t.s
"$JCCSAFE" as --scope=all --profile=counts -o t.o t.s
# A profile is of a whole program, but who names a function means one of this file.
echo '1000 elsewhere' >others
"$JCCSAFE" as --profile=others -o t.o t.s
echo "$?"
"$JCCSAFE" as --function=hot --function='c*' --function='\cold' --function=nothing --function='x*' --function=.text -o t.o t.s
