# needs: llvm
# Numbers of bytes are the planner's business; here it is the form, and that a branch made of data is a residual.
(echo .p2align 5; yes nop | head -n 31; echo ret) >t.s
"$JCCSAFE" as --prove --report -o t.o t.s 2>&1 | sed 's/ \(code_bytes\|pads\|pad_bytes\|prefix_bytes\|proved\|rounds\)\(_plain\)\{0,1\}=[0-9]*/ \1\2=N/g'
printf 'f:\n.p2align 5\n.skip 31,0x90\n.byte 0xeb, 0xfe, 0x90\njmp f\n' >data.s
"$JCCSAFE" as --report -o t.o data.s 2>&1 | grep residual
