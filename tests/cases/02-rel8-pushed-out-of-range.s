# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# rel8-only branches whose displacement is just in range before padding
        .text
        .p2align 5
top:
        .rept 7
        movq 0x1122(%rax), %rcx     # 7 bytes
        testl %ecx, %ecx            # 2
        je out1                     # 2 (short)
        addl $1, %edx               # 3
        .endr
        .rept 25
        nop
        .endr
        loop top                    # rel8 only
        jrcxz top                   # rel8 only
out1:   ret
