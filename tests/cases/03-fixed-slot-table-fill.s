# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# 9-byte slots, body is exactly 9 bytes: any padding NOP overflows the slot
        .text
        .p2align 5
        .globl table
table:
        i = 0
        .rept 8
        pushq $0
        pushq $i
        jmp far_common
        i = i + 1
        .fill table + i*9 - ., 1, 0xcc
        .endr
        .skip 200
far_common: ret
        .size table, . - table
