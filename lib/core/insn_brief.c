// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "insn_brief.h"

// Bytes of ModRM, SIB and displacement by ModRM, with 32- and 64-bit addresses; a SIB without a base adds 4.
// clang-format off
#define MOD0 1, 1, 1, 1, 2, 5, 1, 1
#define MOD1 2, 2, 2, 2, 3, 2, 2, 2
#define MOD2 5, 5, 5, 5, 6, 5, 5, 5
#define MOD3 1, 1, 1, 1, 1, 1, 1, 1
static const uint8_t modrm_length[256] = {
    MOD0, MOD0, MOD0, MOD0, MOD0, MOD0, MOD0, MOD0, MOD1, MOD1, MOD1, MOD1, MOD1, MOD1, MOD1, MOD1,
    MOD2, MOD2, MOD2, MOD2, MOD2, MOD2, MOD2, MOD2, MOD3, MOD3, MOD3, MOD3, MOD3, MOD3, MOD3, MOD3,
};
// clang-format on

static struct jcc_brief decode_in_full(enum jcc_mode mode, const uint8_t *bytes, size_t length)
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

// Opcodes that the fast path leaves alone.
#define SLOW_FLAGS (JCC_OP_PREFIX | JCC_OP_ESCAPE | JCC_OP_MOFFS | JCC_OP_MOD3)

// Prefix bytes that change nothing here but the mandatory prefix and the operand size. 67 and f0 are rare.
static bool plain_prefix(uint8_t byte)
{
    return byte == 0x66 || byte == 0xf2 || byte == 0xf3 || byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0x26 || byte == 0x64 ||
           byte == 0x65;
}

struct jcc_brief jcc_brief_decode(enum jcc_mode mode, const uint8_t *bytes, size_t length)
{
    if (length < JCC_BRIEF_WINDOW || mode == JCC_MODE_16)
        return decode_in_full(mode, bytes, length);
    bool is64 = mode == JCC_MODE_64;

    const uint8_t *p = bytes;
    bool operand = false;
    unsigned pp = JCC_PP_NONE;
    for (; plain_prefix(*p); p++) {
        if (p == bytes + 4)
            return decode_in_full(mode, bytes, length);
        operand |= *p == 0x66;
        pp = *p == 0xf3 ? JCC_PP_F3 : *p == 0xf2 ? JCC_PP_F2 : pp == JCC_PP_NONE && *p == 0x66 ? JCC_PP_66 : pp;
    }
    unsigned rex = is64 && (*p & 0xf0) == 0x40 ? *p : 0;
    p += rex != 0;
    unsigned map = *p == 0x0f;
    p += map;
    const struct jcc_opcode *op = &jcc_opcodes[map][*p];
    uint8_t opcode = *p++;
    if (op->flags & (is64 ? SLOW_FLAGS | JCC_OP_NO64 : SLOW_FLAGS))
        return decode_in_full(mode, bytes, length);

    unsigned has_modrm = op->flags & JCC_OP_MODRM ? 0xff : 0;
    unsigned modrm = *p & has_modrm, reg = modrm >> 3 & 7;
    bool memory = has_modrm && modrm < 0xc0, registers = modrm >= 0xc0;
    unsigned size = modrm_length[*p] & has_modrm;
    if (memory && (modrm & 0xc7) == 4 && (p[1] & 7) == 5)
        size += 4;
    // Whether it exists in this form: without ModRM, the masks of /N are not looked at.
    unsigned forms = (registers ? op->registers : op->memory) | (has_modrm ^ 0xff);
    if (!((op->prefixes >> (registers * 4 + pp) & forms >> reg) & 1))
        return decode_in_full(mode, bytes, length);

    bool wide = (rex & 8) || (is64 && op->flags & JCC_OP_NEAR);
    unsigned immediate = op->imm >> (wide ? 8 : operand ? 0 : 4) & 15;
    if (op->flags & JCC_OP_TEST_IMM && reg > 1)
        immediate = 0;
    size += (unsigned)(p - bytes) + immediate;
    if (size > JCC_INSN_MAX)
        return decode_in_full(mode, bytes, length);

    const struct jcc_role *role = &jcc_roles[op->role + (op->flags & JCC_OP_GROUP ? reg : 0)];
    unsigned pair = jcc_opcode_pair(op, modrm, is64);
    return (struct jcc_brief){
        .length = (uint8_t)size,
        .kind = role->kind,
        .condition = opcode & 15,
        .pair = pair & JCC_ROLE_PAIR,
        .doubtful = pair & JCC_ROLE_DOUBTFUL,
    };
}
