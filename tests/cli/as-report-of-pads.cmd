# needs: llvm
# One pad that is executed and one that is not, with what they are for.
cat >flat.s <<'S'
	.text
	.p2align 5
	.type f, @function
f:
	cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld
	cld; cld; cld; cld; cld; cld; cld; cld; cld; cld
	jmp f
	.type g, @function
g:
	cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld
	cld; cld; cld; cld; cld; cld; cld; cld; cld
	ret
S
"$JCCSAFE" as --align-branch-prefix-size=0 --report=text -o t.o flat.s 2>&1 | grep 'pad:'
"$JCCSAFE" as --align-branch-prefix-size=0 --report=json -o t.o flat.s >json || cat json
grep -c '"executed": true' json
sed -n '/"pads"/,$p' json | grep -E '"(line|function|unit)"'
"$JCCSAFE" as --report=json -o - flat.s
"$JCCSAFE" as --report=xml -o t.o flat.s
