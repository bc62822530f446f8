printf 'nop\nret\n.section .text.b,"ax"\n.p2align 4\nret\n.section .text.c,"ax"\n.p2align 5\nret\n' | as -o t.o -
"$JCCSAFE" check t.o
