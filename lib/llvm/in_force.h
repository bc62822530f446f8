// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which branch alignment LLVM does by itself in this process. Its options cannot be read in C, and a host may have set them: so text is emitted, and
// looked at.
#ifndef JCC_LLVM_IN_FORCE_H
#define JCC_LLVM_IN_FORCE_H

#include <jccsafe/policy.h>
#include <jccsafe/status.h>
#include <stdint.h>

struct jcc_in_force {
    uint32_t boundary;     // 0: nothing is padded. The greatest power of two from 8 to 256 that LLVM's own is not above
    uint32_t kinds;        // set of enum jcc_kind in LLVM's meaning: INDIRECT is jmp alone, CALL takes in indirect calls
    uint32_t prefix_limit; // JCC_PREFIX_LIMIT_MAX + 1: more than that
};

// JCC_ERROR_NO_MEMORY, JCC_ERROR_LLVM. Reads what other threads must not change meanwhile.
enum jcc_status jcc_in_force_read(struct jcc_in_force *now);

#endif
