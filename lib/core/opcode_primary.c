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

// clang-format off
#define ENTRY(imm, flags, mem, reg, pp, role) {imm, flags, mem, reg, pp, JCC_ROLE_##role}
#define X4(...)                               __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__
#define X8(...)                               X4(__VA_ARGS__), X4(__VA_ARGS__)
#define X16(...)                              X8(__VA_ARGS__), X8(__VA_ARGS__)
// clang-format on
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

const struct jcc_opcode jcc_opcodes[2][256] = {
    // clang-format off
    {
        /* 00 add */ ALU(ADD_RMW, CMP), OLD(NO, FIXED), OLD(NO, FIXED),
        /* 08 or  */ ALU(PLAIN, PLAIN), OLD(NO, FIXED), ESCAPE,
        /* 10 adc */ ALU(PLAIN, PLAIN), OLD(NO, FIXED), OLD(NO, SHADOW),
        /* 18 sbb */ ALU(PLAIN, PLAIN), OLD(NO, FIXED), OLD(NO, FIXED),
        /* 20 and */ ALU(AND_RMW, AND), PREFIX, OLD(NO, PLAIN),
        /* 28 sub */ ALU(ADD_RMW, CMP), PREFIX, OLD(NO, PLAIN),
        /* 30 xor */ ALU(PLAIN, PLAIN), PREFIX, OLD(NO, PLAIN),
        /* 38 cmp */ ALU(CMP, CMP), PREFIX, OLD(NO, PLAIN),
        /* 40 inc, dec; REX in 64-bit code */ X16(OLD(NO, INC)),
        /* 50 push, pop */ X16(N(NO, PLAIN)),
        /* 60 */ OLD(NO, PLAIN), OLD(NO, PLAIN), OLDMEM, M(NO, PLAIN), X4(PREFIX),
        /* 68 */ N(IZ, PLAIN), M(IZ, PLAIN), N(IB, PLAIN), M(IB, PLAIN), X4(N(NO, FIXED)),
        /* 70 */ X16(NEAR(IB, JCC)),
        /* 80 */ GROUP(IB, GROUP1, 0xff, 0xff), GROUP(IZ, GROUP1, 0xff, 0xff),
                 ENTRY(IB, FLAG(MODRM) | FLAG(GROUP) | FLAG(NO64), 0xff, 0xff, 0xff, GROUP1), GROUP(IB, GROUP1, 0xff, 0xff),
                 M(NO, TEST), M(NO, TEST), M(NO, PLAIN), M(NO, PLAIN),
        /* 88 */ X4(M(NO, PLAIN)), SOME(NO, FIXED, 0x3f, 0x3f), SOME(NO, PLAIN, 0xff, 0), GROUP(NO, SREG, 0x3d, 0x3d),
                 ENTRY(NO, FLAG(MODRM) | FLAG(ESCAPE), 0x01, 0x01, 0xff, PLAIN),
        /* 90 */ X8(N(NO, PLAIN)),
        /* 98 */ N(NO, PLAIN), N(NO, PLAIN), OLD(FAR, FIXED), N(NO, FIXED), N(NO, FIXED), N(NO, FIXED), N(NO, PLAIN), N(NO, PLAIN),
        /* a0 */ X4(MOFFS), X4(N(NO, PLAIN)),
        /* a8 */ N(IB, TEST), N(IZ, TEST), X4(N(NO, PLAIN)), N(NO, PLAIN), N(NO, PLAIN),
        /* b0 */ X8(N(IB, PLAIN)),
        /* b8 */ X8(N(IV, PLAIN)),
        /* c0 */ M(IB, PLAIN), M(IB, PLAIN), NEAR(IW, RET), NEAR(NO, RET), OLDMEM, OLDMEM,
                 ENTRY(IB, FLAG(MODRM) | FLAG(RULES), 0x01, 0x01, 0xff, PLAIN),
                 ENTRY(IZ, FLAG(MODRM) | FLAG(RULES), 0x01, 0x01, 0xff, PLAIN),
        /* c8 */ N(ENTER, PLAIN), N(NO, PLAIN), N(IW, END), N(NO, END), N(NO, END), N(IB, FIXED), OLD(NO, FIXED), N(NO, END),
        /* d0 */ X4(M(NO, PLAIN)), OLD(IB, PLAIN), OLD(IB, PLAIN), OLD(NO, PLAIN), N(NO, PLAIN),
        /* d8 x87 */ M(NO, PLAIN), RULES(NO, PLAIN), RULES(NO, PLAIN), RULES(NO, PLAIN),
                 M(NO, PLAIN), RULES(NO, PLAIN), RULES(NO, PLAIN), RULES(NO, PLAIN),
        /* e0 */ X4(NEAR(IB, SHORT)), X4(N(IB, FIXED)),
        /* e8 */ NEAR(IZ, CALL), NEAR(IZ, JMP), OLD(FAR, END), NEAR(IB, JMP), X4(N(NO, FIXED)),
        /* f0 */ PREFIX, N(NO, FIXED), PREFIX, PREFIX, N(NO, END), N(NO, PLAIN),
                 ENTRY(IB, FLAG(MODRM) | FLAG(GROUP) | FLAG(TEST_IMM), 0xff, 0xff, 0xff, GROUP3),
                 ENTRY(IZ, FLAG(MODRM) | FLAG(GROUP) | FLAG(TEST_IMM), 0xff, 0xff, 0xff, GROUP3),
        /* f8 */ N(NO, PLAIN), N(NO, PLAIN), N(NO, FIXED), N(NO, SHADOW), N(NO, PLAIN), N(NO, PLAIN),
                 GROUP(NO, GROUP4, 0x03, 0x03), GROUP(NO, GROUP5, 0x7f, 0x57),
    },
    {
        /* 00 */ ENTRY(NO, FLAG(MODRM) | FLAG(RULES) | FLAG(PP), 0x3f, 0x3f, 0xff, FIXED), RULES(NO, FIXED),
                 M(NO, FIXED), M(NO, FIXED), NONE, N(NO, FIXED), N(NO, FIXED), N(NO, FIXED),
        /* 08 */ N(NO, FIXED), ENTRY(NO, FLAG(PP), 0, 0, 0xff, FIXED), NONE, N(NO, END), NONE, M(NO, FIXED), N(NO, PLAIN), ESCAPE,
        /* 10 */ P(NO, PLAIN, 0xff), P(NO, PLAIN, 0xff), P(NO, PLAIN, 0xdf), P(NO, PLAIN, 0x03),
                 P(NO, PLAIN, 0x33), P(NO, PLAIN, 0x33), P(NO, PLAIN, 0x57), P(NO, PLAIN, 0x03),
        /* 18 */ M(NO, FIXED), M(NO, FIXED), SELECT(FIXED),
                 SELECT(FIXED),
                 M(NO, FIXED), M(NO, FIXED), SELECT(FIXED), M(NO, FIXED),
        /* 20 */ REGS(FIXED, 0x1d), REGS(FIXED, 0xff),
                 REGS(FIXED, 0x1d), REGS(FIXED, 0xff),
                 X4(NONE),
        /* 28 */ P(NO, PLAIN, 0x33), P(NO, PLAIN, 0x33), P(NO, PLAIN, 0xff), P(NO, PLAIN, 0x0f),
                 P(NO, PLAIN, 0xff), P(NO, PLAIN, 0xff), P(NO, PLAIN, 0x33), P(NO, PLAIN, 0x33),
        /* 30 */ N(NO, FIXED), N(NO, FIXED), N(NO, FIXED), N(NO, FIXED), N(NO, FIXED), N(NO, FIXED), NONE, PN(FIXED, 0x01),
        /* 38 */ ESCAPE, NONE, ESCAPE, NONE, X4(NONE),
        /* 40 cmovcc */ X16(M(NO, PLAIN)),
        /* 50 */ P(NO, PLAIN, 0x30), P(NO, PLAIN, 0xff), P(NO, PLAIN, 0x55), P(NO, PLAIN, 0x55), X4(P(NO, PLAIN, 0x33)),
        /* 58 */ P(NO, PLAIN, 0xff), P(NO, PLAIN, 0xff), P(NO, PLAIN, 0xff), P(NO, PLAIN, 0x77), X4(P(NO, PLAIN, 0xff)),
        /* 60 */ X8(P(NO, PLAIN, 0x33)),
        /* 68 */ X4(P(NO, PLAIN, 0x33)), P(NO, PLAIN, 0x22), P(NO, PLAIN, 0x22), P(NO, PLAIN, 0x33), P(NO, PLAIN, 0x77),
        /* 70 */ P(IB, PLAIN, 0xff), RULES(IB, PLAIN), RULES(IB, PLAIN), RULES(IB, PLAIN),
                 P(NO, PLAIN, 0x33), P(NO, PLAIN, 0x33), P(NO, PLAIN, 0x33), PN(PLAIN, 0x01),
        /* 78 */ RULES(NO, FIXED), P(NO, FIXED, 0xb1), NONE, NONE,
                 P(NO, PLAIN, 0xaa), P(NO, PLAIN, 0xaa), P(NO, PLAIN, 0x77), P(NO, PLAIN, 0x77),
        /* 80 jcc */ X16(NEAR(IZ, JCC)),
        /* 90 setcc */ X16(M(NO, PLAIN)),
        /* a0 */ N(NO, FIXED), N(NO, FIXED), N(NO, FIXED), M(NO, PLAIN), M(IB, PLAIN), M(NO, PLAIN), RULES(NO, FIXED), RULES(NO, FIXED),
        /* a8 */ N(NO, FIXED), N(NO, FIXED), N(NO, FIXED), M(NO, PLAIN), M(IB, PLAIN), M(NO, PLAIN), RULES(NO, FIXED), M(NO, PLAIN),
        /* b0 */ M(NO, PLAIN), M(NO, PLAIN), SOME(NO, FIXED, 0xff, 0), M(NO, PLAIN), SOME(NO, FIXED, 0xff, 0), SOME(NO, FIXED, 0xff, 0), M(NO, PLAIN), M(NO, PLAIN),
        /* b8 */ P(NO, PLAIN, 0x44), M(NO, END), SOME(IB, PLAIN, 0xf0, 0xf0), M(NO, PLAIN),
                 SELECT(PLAIN), SELECT(PLAIN),
                 M(NO, PLAIN), M(NO, PLAIN),
        /* c0 */ M(NO, PLAIN), M(NO, PLAIN), P(IB, PLAIN, 0xff), P(NO, PLAIN, 0x01), P(IB, PLAIN, 0x33), P(IB, PLAIN, 0x30), P(IB, PLAIN, 0x33), RULES(NO, FIXED),
        /* c8 bswap */ X8(N(NO, PLAIN)),
        /* d0 */ P(NO, PLAIN, 0xaa), X4(P(NO, PLAIN, 0x33)), P(NO, PLAIN, 0x33), P(NO, PLAIN, 0xe2), P(NO, PLAIN, 0x30),
        /* d8 */ X8(P(NO, PLAIN, 0x33)),
        /* e0 */ X4(P(NO, PLAIN, 0x33)), P(NO, PLAIN, 0x33), P(NO, PLAIN, 0x33), P(NO, PLAIN, 0xee), P(NO, PLAIN, 0x03),
        /* e8 */ X8(P(NO, PLAIN, 0x33)),
        /* f0 */ P(NO, PLAIN, 0x08), X4(P(NO, PLAIN, 0x33)), P(NO, PLAIN, 0x33), P(NO, PLAIN, 0x33), P(NO, PLAIN, 0x30),
        /* f8 */ X4(P(NO, PLAIN, 0x33)), P(NO, PLAIN, 0x33), P(NO, PLAIN, 0x33), P(NO, PLAIN, 0x33), M(NO, END),
    },
    // clang-format on
};

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
    [JCC_ROLE_TEST] = {.pair = JCC_PAIR_TEST, .pair_memory = JCC_PAIR_TEST},
    [JCC_ROLE_AND] = {.pair = JCC_PAIR_TEST, .pair_memory = JCC_PAIR_TEST},
    [JCC_ROLE_AND_RMW] = {.pair = JCC_PAIR_TEST, .pair_memory = JCC_PAIR_TEST, .doubtful = true},
    [JCC_ROLE_CMP] = {.pair = JCC_PAIR_CMP, .pair_memory = JCC_PAIR_CMP},
    [JCC_ROLE_ADD_RMW] = {.pair = JCC_PAIR_CMP, .pair_memory = JCC_PAIR_CMP, .doubtful = true},
    [JCC_ROLE_INC] = {.pair = JCC_PAIR_INC},
    [JCC_ROLE_GROUP1 + 0] = {.pair = JCC_PAIR_CMP},  // add
    [JCC_ROLE_GROUP1 + 4] = {.pair = JCC_PAIR_TEST}, // and
    [JCC_ROLE_GROUP1 + 5] = {.pair = JCC_PAIR_CMP},  // sub
    [JCC_ROLE_GROUP1 + 7] = {.pair = JCC_PAIR_CMP},  // cmp
    [JCC_ROLE_GROUP3 + 0] = {.pair = JCC_PAIR_TEST}, // test
    [JCC_ROLE_GROUP3 + 1] = {.pair = JCC_PAIR_TEST}, // test, undocumented by Intel
    [JCC_ROLE_GROUP4 + 0] = {.pair = JCC_PAIR_INC},
    [JCC_ROLE_GROUP4 + 1] = {.pair = JCC_PAIR_INC},
    [JCC_ROLE_GROUP5 + 0] = {.pair = JCC_PAIR_INC},
    [JCC_ROLE_GROUP5 + 1] = {.pair = JCC_PAIR_INC},
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
