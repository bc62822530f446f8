# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# long instruction before a branch: prefix padding may not exceed 15 bytes or change meaning (lock/rep/xacquire/segment override/VEX)
        .text
        .p2align 5
        .rept 14
        nop
        .endr
        lock; cmpxchg16b %fs:0x11223344(%r8,%r9,4)
        rep movsb
        jne 1f
1:      .p2align 5
        .rept 18
        nop
        .endr
        vpaddd %zmm1, %zmm2, %zmm3
        movabsq $0x1122334455667788, %rax
        jmp 2f
2:      ret
