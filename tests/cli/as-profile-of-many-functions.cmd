# needs: llvm
# A profile of a large program, and a section for each function: a second's work, if none of it is done for each pair of functions.
awk 'BEGIN { for (k = 1; k <= 400000; k++) print 400000 + k, "f" k }' >profile
awk 'BEGIN { for (k = 1; k <= 5000; k++) printf ".section .text.f%d,\"ax\",@progbits\n.globl f%d\n.type f%d, @function\nf%d:\ndec %%eax\njne f%d\nret\n", k, k, k, k, k }' >t.s
for use in scope weights; do
    timeout 200 "$JCCSAFE" as --profile=profile --profile-use=$use --profile-share=100 -o t.o t.s && echo $use
done
timeout 200 "$JCCSAFE" as --function='f1*' --function=f77 -o t.o t.s && echo function
