# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# sti / mov %ss delay interrupts for ONE instruction: padding may not be put between sti and the jump/hlt
        .text
        .p2align 5
        .rept 29
        nop
        .endr
        sti
        jmp 1f
1:      .p2align 5
        .rept 28
        nop
        .endr
        movl %eax, %ss
        jmp 2f
2:      ret
