# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# line 5 branches to a label nobody defines
        .text
f:      nop
        jmp .Lnowhere
        jne 100f
        ret
