# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# both paths are relative to the source file's folder, not to the process's working directory
        .include "inc/defs.inc"
        .data
        .globl blob
blob:   .incbin "inc/blob.bin"
