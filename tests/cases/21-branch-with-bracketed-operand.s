# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# malformed branch operands: must be an error with a line number, not a crash / wrong code
        .text
f:      jne [f]
        jmp [0x10]
        jne *f
        jne 0x10(%rip)
        loop 0x102
