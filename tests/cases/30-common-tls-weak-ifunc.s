# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# symbol kinds a minimal loader forgets
        .text
        .globl get
get:    movl cm(%rip), %eax
        movl %fs:tl@tpoff, %ecx
        movq tl@gottpoff(%rip), %rdx
        leaq wk(%rip), %rsi
        call wk@PLT
        call ifn@PLT
        ret
        .comm cm,4,4
        .weak wk
        .type ifn,@gnu_indirect_function
        .globl ifn
ifn:    leaq get(%rip), %rax
        ret
        .section .tbss,"awT",@nobits
tl:     .zero 4
