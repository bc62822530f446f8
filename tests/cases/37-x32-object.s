# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# assemble with --x32 / -target x86_64-linux-gnux32: ELFCLASS32 + EM_X86_64, must be decoded in 64-bit mode
        .text
        .globl f
        .p2align 5
f:      .rept 29
        nop
        .endr
        testq %rdi, %rdi
        jne f
        ret
