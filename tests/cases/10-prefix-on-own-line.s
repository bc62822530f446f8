# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# a prefix written as its own statement (or as a byte) belongs to the next branch; padding must not separate them
        .text
        .p2align 5
        .rept 29
        nop
        .endr
        notrack jmp *%rax         # same line: accepted everywhere ("notrack" or "bnd" alone on a line, or "bnd jmp": GAS only)
        .p2align 5
        .rept 30
        nop
        .endr
        .byte 0x2e                # branch hint prefix by hand
        je 1f
1:      .p2align 5
        .rept 29
        nop
        .endr
        data16
        jmp 2f
2:      .p2align 5
        .rept 31
        nop
        .endr
        rep; ret
        .p2align 5
        .rept 26
        nop
        .endr
        addr32 call 2b            # 0x67 + call: what ld/lld write when they relax call *foo@GOTPCREL
