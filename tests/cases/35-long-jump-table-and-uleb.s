# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# label differences that must be recomputed after padding: jump table, LSDA-style uleb128, .size
        .text
        .globl jt
jt:     cmpl $3, %edi
        ja 4f
        leaq 9f(%rip), %rax
        movslq (%rax,%rdi,4), %rcx
        addq %rax, %rcx
        jmp *%rcx
0:      testl %esi, %esi
        je 4f
        jmp 3f
1:      cmpl %esi, %edi
        jne 2f
2:      jmp 4f
3:      nop
4:      ret
        .size jt, .-jt
        .section .rodata
        .p2align 2
9:      .long 0b-9b, 1b-9b, 2b-9b, 3b-9b
        .section .gcc_except_table,"a",@progbits
        .uleb128 4b-0b
        .uleb128 3b-1b
        .byte 2b-1b
