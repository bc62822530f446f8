# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# chunk one switches dialect and does not switch back (append chunk two: "movl $1, %eax" / "ret")
        .intel_syntax noprefix
        .text
x:      mov eax, 1
        ret
