# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# branches hidden in data directives (LuaJIT's lj_vm.S is ALL .byte): the assembler cannot see or pad them
        .text
        .globl h
        .p2align 5
h:      .rept 31
        nop
        .endr
        .byte 0x74, 0x02          # je +2
        .byte 0x90, 0x90
        .p2align 5
        .rept 31
        nop
        .endr
        .byte 0x39, 0xc8, 0x0f, 0x84
        .long 1f - . - 4          # cmp+je rel32
1:      ret
