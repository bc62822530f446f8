# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# assembler-location assignments from undefined or forward symbols
        .text
        . = later
        nop
later:  . = undefined_sym
        .org later - 4096
        . = a - b
