# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
        .text
dup:    nop
        jne dup
dup:    ret
        .set dup, 5
        .equiv q, undef
q:      ret
