// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "insn_brief.h"

// clang-format off
#define MOD0 1, 1, 1, 1, 2, 5, 1, 1
#define MOD1 2, 2, 2, 2, 3, 2, 2, 2
#define MOD2 5, 5, 5, 5, 6, 5, 5, 5
#define MOD3 1, 1, 1, 1, 1, 1, 1, 1
const uint8_t jcc_modrm_length[256] = {
    MOD0, MOD0, MOD0, MOD0, MOD0, MOD0, MOD0, MOD0, MOD1, MOD1, MOD1, MOD1, MOD1, MOD1, MOD1, MOD1,
    MOD2, MOD2, MOD2, MOD2, MOD2, MOD2, MOD2, MOD2, MOD3, MOD3, MOD3, MOD3, MOD3, MOD3, MOD3, MOD3,
};
// clang-format on

struct jcc_brief jcc_brief_slow(enum jcc_mode mode, const uint8_t *bytes, size_t length)
{
    struct jcc_insn insn;
    if (jcc_insn_decode(mode, bytes, length, &insn) != JCC_OK)
        return (struct jcc_brief){0};
    return (struct jcc_brief){
        .length = insn.length,
        .kind = insn.kind,
        .condition = insn.condition,
        .pair = insn.pair,
        .doubtful = insn.flags & JCC_INSN_DOUBTFUL_PAIR,
    };
}
