# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# each is left open at the end of input
        .text
        .cfi_startproc
f:      ret
        .pushsection .data
        .if 1
        .macro m
        nop
