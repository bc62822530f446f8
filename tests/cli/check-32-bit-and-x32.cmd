# i386 is decoded as 32-bit code, where 48 is dec %eax; x32 as 64-bit code in a 32-bit file.
printf '.p2align 5\n.skip 28, 0x90\n.byte 0x48, 0x0f, 0x85\n.long 0\nret\n' >t.s
for target in --32 --x32 --64; do
    as $target -o t.o t.s
    "$JCCSAFE" check t.o
    echo "exit $?"
done
