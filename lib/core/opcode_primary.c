// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primary opcode map and the 0F map (SDM volume 2, tables ), and what the opcodes are to a padder.
#include "opcode.h"

// Immediates: the nibbles of struct jcc_opcode.imm.
#define NO    0x000
#define IB    0x111
#define IW    0x222
#define IZ    0x442 // word or doubleword
#define IV    0x842 // word, doubleword or quadword
#define FAR   0x664 // selector and offset
#define ENTER 0x333 // word and byte

#define X4(...)    __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__
#define X8(...)    X4(__VA_ARGS__), X4(__VA_ARGS__)
#define X16(...)   X8(__VA_ARGS__), X8(__VA_ARGS__)
#define FLAG(name) JCC_OP_##name
// Without ModRM; the same, but not in 64-bit code; a near branch.
#define N(imm, role)    ENTRY(imm, 0, 0, 0, 0xff, role)
#define OLD(imm, role)  ENTRY(imm, FLAG(NO64), 0, 0, 0xff, role)
#define NEAR(imm, role) ENTRY(imm, FLAG(NEAR), 0, 0, 0xff, role)
// With ModRM: in all forms; those /N that the masks hold; the same where /N is part of the opcode; as jcc_rules_have says.
#define M(imm, role)               ENTRY(imm, FLAG(MODRM), 0xff, 0xff, 0xff, role)
#define SOME(imm, role, mem, reg)  ENTRY(imm, FLAG(MODRM), mem, reg, 0xff, role)
#define GROUP(imm, role, mem, reg) ENTRY(imm, FLAG(MODRM) | FLAG(GROUP), mem, reg, 0xff, role)
#define RULES(imm, role)           ENTRY(imm, FLAG(MODRM) | FLAG(RULES), 0, 0, 0, role)
#define SELECT(role)               ENTRY(NO, FLAG(MODRM) | FLAG(PP), 0xff, 0xff, 0xff, role)
#define REGS(role, mask)           ENTRY(NO, FLAG(MODRM) | FLAG(MOD3), mask, mask, 0xff, role)
// With ModRM, by mandatory prefix: PP is struct jcc_opcode.prefixes. PN: without ModRM.
#define P(imm, role, pp) ENTRY(imm, FLAG(MODRM) | FLAG(PP), 0xff, 0xff, pp, role)
#define PN(role, pp)     ENTRY(NO, 0, 0, 0, pp, role)
#define NONE             ENTRY(NO, 0, 0, 0, 0, PLAIN)
#define PREFIX           ENTRY(NO, FLAG(PREFIX), 0, 0, 0, PLAIN)
#define ESCAPE           ENTRY(NO, FLAG(ESCAPE), 0, 0, 0, PLAIN)
#define MOFFS            ENTRY(NO, FLAG(MOFFS), 0, 0, 0xff, PLAIN)
// bound, les, lds: memory alone, not in 64-bit code, a vector prefix elsewhere.
#define OLDMEM ENTRY(NO, FLAG(MODRM) | FLAG(NO64) | FLAG(ESCAPE), 0xff, 0, 0xff, FIXED)

// Six opcodes of an arithmetic instruction: to register or memory, to a register, to the accumulator.
#define ALU(rmw, load) M(NO, rmw), M(NO, rmw), M(NO, load), M(NO, load), N(IB, load), N(IZ, load)

// clang-format off
#define ENTRY(imm, flags, mem, reg, pp, role) {imm, flags, mem, reg, pp, JCC_ROLE_##role}
// clang-format on
const struct jcc_opcode jcc_opcodes[2][256] = {
#include "opcode_rows.h"
};
#undef ENTRY

// The row in short. Of f6 and f7 it has those /N that have no immediate, of ff the near branches.
#define SLOW_FLAGS                 (JCC_OP_NO64 | JCC_OP_MOFFS | JCC_OP_PREFIX | JCC_OP_ESCAPE | JCC_OP_MOD3)
#define MEMBERS(flags, role, mask) ((mask) & ((flags)&JCC_OP_TEST_IMM ? 0xfcu : (role) == JCC_ROLE_GROUP5 ? 1u << 2 | 1u << 4 : 0xffu))
#define FORMS(flags, mem, reg, pp, role)                                                                                                   \
    ((flags)&SLOW_FLAGS        ? 0u                                                                                                        \
     : !((flags)&JCC_OP_MODRM) ? ((pp)&1 ? 0xffffu : 0u)                                                                                   \
                               : ((pp)&1 ? MEMBERS(flags, role, mem) : 0u) | ((pp)&0x10 ? MEMBERS(flags, role, reg) << 8 : 0u))
#define IMMEDIATE(imm, flags, shift) ((flags)&JCC_OP_TEST_IMM ? 0u : (uint32_t)(imm) >> (shift)&15)
#define KIND(role)                                                                                                                         \
    ((role) == JCC_ROLE_JCC      ? JCC_KIND_JCC                                                                                            \
     : (role) == JCC_ROLE_JMP    ? JCC_KIND_JMP                                                                                            \
     : (role) == JCC_ROLE_CALL   ? JCC_KIND_CALL                                                                                           \
     : (role) == JCC_ROLE_RET    ? JCC_KIND_RET                                                                                            \
     : (role) == JCC_ROLE_GROUP5 ? JCC_KIND_INDIRECT                                                                                       \
                                 : JCC_KIND_NONE)
#define QUICK(imm, flags, mem, reg, pp, role)                                                                                              \
    (FORMS(flags, mem, reg, pp, role) | IMMEDIATE(imm, flags, (flags)&JCC_OP_NEAR ? 8 : 4) << JCC_QUICK_IMM |                              \
     IMMEDIATE(imm, flags, 8) << (JCC_QUICK_IMM + 4) | (uint32_t)KIND(role) << JCC_QUICK_KIND |                                            \
     (uint32_t)(KIND(role) != JCC_KIND_NONE) << JCC_QUICK_UNIT | ((flags)&JCC_OP_MODRM ? 7u : 0u) << JCC_QUICK_MODRM)

#define ENTRY(imm, flags, mem, reg, pp, role) QUICK(imm, flags, mem, reg, pp, JCC_ROLE_##role)
const uint32_t jcc_quick[2][256] = {
#include "opcode_rows.h"
};
#undef ENTRY

#define FIXED JCC_ROLE_NO_PREFIX
// A group member that is nothing special needs no entry: all zero is JCC_ROLE_PLAIN.
const struct jcc_role jcc_roles[JCC_ROLE_COUNT] = {
    [JCC_ROLE_FIXED] = {.flags = FIXED},
    [JCC_ROLE_JCC] = {JCC_KIND_JCC, .flags = JCC_INSN_RELATIVE | FIXED},
    [JCC_ROLE_JMP] = {JCC_KIND_JMP, .flags = JCC_INSN_RELATIVE | JCC_INSN_ENDS_FLOW | FIXED},
    [JCC_ROLE_CALL] = {JCC_KIND_CALL, .flags = JCC_INSN_RELATIVE | FIXED},
    [JCC_ROLE_RET] = {JCC_KIND_RET, .flags = JCC_INSN_ENDS_FLOW | FIXED},
    [JCC_ROLE_SHORT] = {.flags = JCC_INSN_RELATIVE | JCC_INSN_SHORT_ONLY | FIXED},
    [JCC_ROLE_RELATIVE] = {.flags = JCC_INSN_RELATIVE | FIXED},
    [JCC_ROLE_END] = {.flags = JCC_INSN_ENDS_FLOW | FIXED},
    [JCC_ROLE_SHADOW] = {.flags = JCC_INSN_SHADOW | FIXED},
    [JCC_ROLE_TEST] = {.pairs = {JCC_PAIR_TEST, JCC_PAIR_TEST}},
    [JCC_ROLE_AND] = {.pairs = {JCC_PAIR_TEST, JCC_PAIR_TEST}},
    [JCC_ROLE_AND_RMW] = {.pairs = {JCC_PAIR_TEST, JCC_PAIR_TEST | JCC_ROLE_DOUBTFUL}},
    [JCC_ROLE_CMP] = {.pairs = {JCC_PAIR_CMP, JCC_PAIR_CMP}},
    [JCC_ROLE_ADD_RMW] = {.pairs = {JCC_PAIR_CMP, JCC_PAIR_CMP | JCC_ROLE_DOUBTFUL}},
    [JCC_ROLE_INC] = {.pairs = {JCC_PAIR_INC}},
    [JCC_ROLE_GROUP1 + 0] = {.pairs = {JCC_PAIR_CMP}},  // add
    [JCC_ROLE_GROUP1 + 4] = {.pairs = {JCC_PAIR_TEST}}, // and
    [JCC_ROLE_GROUP1 + 5] = {.pairs = {JCC_PAIR_CMP}},  // sub
    [JCC_ROLE_GROUP1 + 7] = {.pairs = {JCC_PAIR_CMP}},  // cmp
    [JCC_ROLE_GROUP3 + 0] = {.pairs = {JCC_PAIR_TEST}}, // test
    [JCC_ROLE_GROUP3 + 1] = {.pairs = {JCC_PAIR_TEST}}, // test, undocumented by Intel
    [JCC_ROLE_GROUP4 + 0] = {.pairs = {JCC_PAIR_INC}},
    [JCC_ROLE_GROUP4 + 1] = {.pairs = {JCC_PAIR_INC}},
    [JCC_ROLE_GROUP5 + 0] = {.pairs = {JCC_PAIR_INC}},
    [JCC_ROLE_GROUP5 + 1] = {.pairs = {JCC_PAIR_INC}},
    [JCC_ROLE_GROUP5 + 2] = {JCC_KIND_INDIRECT, .flags = FIXED},
    [JCC_ROLE_GROUP5 + 3] = {.flags = FIXED}, // far call
    [JCC_ROLE_GROUP5 + 4] = {JCC_KIND_INDIRECT, .flags = JCC_INSN_ENDS_FLOW | FIXED},
    [JCC_ROLE_GROUP5 + 5] = {.flags = JCC_INSN_ENDS_FLOW | FIXED}, // far jmp
    [JCC_ROLE_SREG + 0] = {.flags = FIXED},
    [JCC_ROLE_SREG + 2] = {.flags = JCC_INSN_SHADOW | FIXED}, // mov to ss
    [JCC_ROLE_SREG + 3] = {.flags = FIXED},
    [JCC_ROLE_SREG + 4] = {.flags = FIXED},
    [JCC_ROLE_SREG + 5] = {.flags = FIXED},
};

// E NE L GE LE G; and B AE BE A; and O NO S NS P NP (Intel's optimization manual, macro-fusion).
const uint16_t jcc_fusing[4] = {
    [JCC_PAIR_NONE] = 0,
    [JCC_PAIR_TEST] = 0xffff,
    [JCC_PAIR_CMP] = 0xf0fc,
    [JCC_PAIR_INC] = 0xf030,
};
