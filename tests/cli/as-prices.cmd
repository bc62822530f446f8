# needs: llvm
# Four bytes where they are not executed, or a no-operation of two.
cat >t.s <<'S'
	.text
	.p2align 5
	.type f, @function
f:	ret
	cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld
	jne 1f
	call elsewhere
1:	ret
S
try() {
    echo "$*:"
    "$JCCSAFE" as --report=text --align-branch-prefix-size=0 "$@" -o t.o t.s 2>&1 | sed -n 's/.*pad: //p'
}
try
try --prices=default
try --prices=size
try --prices=20,0
try --prices=21,0
echo '1000 f' >hot
try --profile=hot --profile-use=weights
try --profile=hot --profile-use=scope
