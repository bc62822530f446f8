# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# the 16-byte GD sequence must stay contiguous for linker relaxation
        .text
        .globl tls
tls:    .p2align 5
        .rept 12
        nop
        .endr
        .byte 0x66
        leaq v@tlsgd(%rip), %rdi
        .value 0x6666
        rex64
        call __tls_get_addr@PLT
        ret
        .section .tbss,"awT",@nobits
        .globl v
v:      .zero 4
