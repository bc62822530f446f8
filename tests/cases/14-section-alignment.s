# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# no .p2align anywhere: padding is meaningless unless sh_addralign is raised to 32 for every section that got padding
        .section .text.a,"ax",@progbits
a:      .rept 30
        nop
        .endr
        jne a
        ret
        .section .text.b,"ax",@progbits
b:      call a
        ret
        .section .init,"ax",@progbits
        .rept 31
        nop
        .endr
        jmp a
