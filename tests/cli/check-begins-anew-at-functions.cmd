# needs: llvm
# The two bytes before the function look like the beginning of a movabs that has its branch for an operand.
cat >a.s <<'END'
        .skip 26, 0x90
        jmp *%rax
        .byte 0x48, 0xb8
        .type f, @function
f:      addl $1, %edx
        je f
        ret
        .size f, .-f
        .skip 22, 0x90
        .type table, @object
table:  .byte 0x48, 0xb8
        .size table, .-table
        addl $1, %edx
        je f
        ret
END
"$JCCSAFE" as --policy=off -o a.o a.s
"$JCCSAFE" check a.o
