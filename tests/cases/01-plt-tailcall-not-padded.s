# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# tail call / conditional jump with a relocation specifier ("variant symbol") on a boundary
        .text
        .globl f
        .p2align 5
f:      .rept 30
        nop
        .endr
        jmp bar@PLT
        .p2align 5
        .rept 30
        nop
        .endr
        jne bar@PLT
        .p2align 5
        .rept 28
        nop
        .endr
        cmpl %eax, %ebx
        jne bar@PLT
        .p2align 5
        .rept 28
        nop
        .endr
        cmpq bar@GOTPCREL(%rip), %rax
        jne 1f
1:      .p2align 5
        .rept 30
        nop
        .endr
        jmp *bar@GOTPCREL(%rip)
