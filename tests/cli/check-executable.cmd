# Addresses are virtual ones; what stands before any symbol is named by its section alone.
as -o t.o "$CASES/affected.s"
printf '.globl _start,h\n.skip 31,0x90\nret\n.p2align 5\n_start:\n.skip 30,0x90\nh: ret\n' | as -o start.o -
ld -Ttext=0x401000 -o t start.o t.o
"$JCCSAFE" check t | sed -n '1,3p;$p'
ld -shared -Bsymbolic -o t.so start.o t.o
"$JCCSAFE" check --summary t.so
strip t
"$JCCSAFE" check --align-branch=jcc t
