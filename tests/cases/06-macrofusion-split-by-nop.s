# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# fused pair preceded by prefix padding: a NOP must never land between cmp/test and jcc
        .text
        .globl g
g:      .rept 27
        nop
        .endr
        testq %rcx, %rcx
        je 1f
1:      .p2align 5
        .rept 25
        nop
        .endr
        cmpl $5, %eax
        jg 2f
2:      incl %eax
        .rept 22
        nop
        .endr
        subq %rdx, %rcx
        jae 3f
3:      ret
