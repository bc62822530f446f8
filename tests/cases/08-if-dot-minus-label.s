# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# size assertions written with .if need a value while parsing
        .text
blk:    movl $1, %eax
        jne blk
        addl $2, %eax
        .if . - blk > 64
        .error "block too large"
        .endif
        ret
