// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fast decoder: length, branch kind and pair of the instructions that make up nearly all code, straight from the
// opcode tables; the rest goes to jcc_insn_decode. It agrees with jcc_insn_decode on every input, and a test holds it to that.
// Private to lib/core.
#ifndef JCCSAFE_CORE_INSN_BRIEF_H
#define JCCSAFE_CORE_INSN_BRIEF_H

#include "opcode.h"
#include <stddef.h>

struct jcc_brief {
    uint8_t length; // 0: no instruction, or an incomplete one
    uint8_t kind;   // enum jcc_kind, as of a lone instruction
    uint8_t condition;
    uint8_t pair; // enum jcc_pair
    bool doubtful;
};

// How many bytes must be readable for the fast path.
#define JCC_BRIEF_WINDOW 16u

// Decode the instruction at BYTES, of which LENGTH may be read.
struct jcc_brief jcc_brief_decode(enum jcc_mode mode, const uint8_t *bytes, size_t length);

#endif
