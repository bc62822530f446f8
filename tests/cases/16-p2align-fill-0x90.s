# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# compilers up to LLVM 18 print ".p2align 4, 0x90": newer assemblers take 0x90 literally (single-byte NOPs)
        .text
f:      jmp 1f
        .p2align 4, 0x90
1:      ret
        .p2align 4
        ret
