# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# NaCl-style bundling together with branch alignment
        .text
        .bundle_align_mode 5
        .bundle_lock
        testl %eax, %eax
        jne 1f
        .bundle_unlock
1:      ret
