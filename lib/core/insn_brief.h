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

// Bytes of ModRM, SIB and displacement by ModRM, with 32- and 64-bit addresses; a SIB without a base adds 4.
extern const uint8_t jcc_modrm_length[256];

// The full decoder's answer in short.
struct jcc_brief jcc_brief_slow(enum jcc_mode mode, const uint8_t *bytes, size_t length);

// Opcodes that the fast path leaves alone.
#define JCC_OP_SLOW (JCC_OP_PREFIX | JCC_OP_ESCAPE | JCC_OP_MOFFS | JCC_OP_MOD3)

// Prefix bytes that change nothing here but the mandatory prefix and the operand size. 67 and f0 are rare.
static inline bool jcc_brief_prefix(uint8_t byte)
{
    return byte == 0x66 || byte == 0xf2 || byte == 0xf3 || byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0x26 || byte == 0x64 ||
           byte == 0x65;
}

// Decode the instruction at BYTES, of which LENGTH may be read. MODE is 64 or 32 on the fast path, so inline this with a constant.
static inline struct jcc_brief jcc_brief_decode(enum jcc_mode mode, const uint8_t *bytes, size_t length)
{
    if (length < JCC_BRIEF_WINDOW || mode == JCC_MODE_16)
        return jcc_brief_slow(mode, bytes, length);
    bool is64 = mode == JCC_MODE_64;

    const uint8_t *p = bytes;
    bool operand = false;
    unsigned pp = JCC_PP_NONE;
    for (; jcc_brief_prefix(*p); p++) {
        if (p == bytes + 4)
            return jcc_brief_slow(mode, bytes, length);
        operand |= *p == 0x66;
        pp = *p == 0xf3 ? JCC_PP_F3 : *p == 0xf2 ? JCC_PP_F2 : pp == JCC_PP_NONE && *p == 0x66 ? JCC_PP_66 : pp;
    }
    unsigned rex = is64 && (*p & 0xf0) == 0x40 ? *p : 0;
    p += rex != 0;
    unsigned map = *p == 0x0f;
    p += map;
    const struct jcc_opcode *op = &jcc_opcodes[map][*p];
    uint8_t opcode = *p++;
    if (op->flags & (is64 ? JCC_OP_SLOW | JCC_OP_NO64 : JCC_OP_SLOW))
        return jcc_brief_slow(mode, bytes, length);

    unsigned has_modrm = op->flags & JCC_OP_MODRM ? 0xff : 0;
    unsigned modrm = *p & has_modrm, reg = modrm >> 3 & 7;
    bool memory = has_modrm && modrm < 0xc0, registers = modrm >= 0xc0;
    unsigned size = jcc_modrm_length[*p] & has_modrm;
    if (memory && (modrm & 0xc7) == 4 && (p[1] & 7) == 5)
        size += 4;
    // Whether it exists in this form: without ModRM, the masks of /N are not looked at.
    unsigned forms = (registers ? op->registers : op->memory) | (has_modrm ^ 0xff);
    if (!((op->prefixes >> (registers * 4 + pp) & forms >> reg) & 1))
        return jcc_brief_slow(mode, bytes, length);

    bool wide = (rex & 8) || (is64 && op->flags & JCC_OP_NEAR);
    unsigned immediate = op->imm >> (wide ? 8 : operand ? 0 : 4) & 15;
    if (op->flags & JCC_OP_TEST_IMM && reg > 1)
        immediate = 0;
    size += (unsigned)(p - bytes) + immediate;
    if (size > JCC_INSN_MAX)
        return jcc_brief_slow(mode, bytes, length);

    const struct jcc_role *role = &jcc_roles[op->role + (op->flags & JCC_OP_GROUP ? reg : 0)];
    bool rip_relative = is64 && (modrm & 0xc7) == 5 && has_modrm;
    struct jcc_brief brief = {.length = (uint8_t)size, .kind = role->kind, .condition = opcode & 15, .pair = role->pair};
    if (memory) {
        brief.pair = rip_relative ? JCC_PAIR_NONE : role->pair_memory;
        brief.doubtful = role->doubtful && !rip_relative;
    }
    return brief;
}

#endif
