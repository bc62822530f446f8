# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# GOTPCRELX forms for a loader: call/jmp/mov through the GOT, target more than 2 GiB away
        .text
        .globl entry
entry:  call *far_fn@GOTPCREL(%rip)
        movq far_var@GOTPCREL(%rip), %rax
        movl (%rax), %eax
        jmp *far_fn@GOTPCREL(%rip)
