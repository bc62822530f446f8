// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The opcode tables: what each x86 opcode's instruction consists of, which forms of it exist, and what
// it is to a padder. Private to lib/core.
//
// Sources: Intel SDM volume 2, appendix A; the APX and AVX10.2 specifications; AMD APM volume 3, appendix A.
#ifndef JCCSAFE_CORE_OPCODE_H
#define JCCSAFE_CORE_OPCODE_H

#include <jccsafe/insn.h>
#include <stdbool.h>
#include <stdint.h>

// Opcode maps. PRIMARY and 0F have a struct jcc_opcode for each opcode, the others a struct jcc_map.
enum jcc_map_id {
    JCC_MAP_PRIMARY,
    JCC_MAP_0F,
    JCC_MAP_0F38,
    JCC_MAP_0F3A,
    JCC_MAP_VEX1,
    JCC_MAP_VEX2,
    JCC_MAP_VEX3,
    JCC_MAP_VEX5,
    JCC_MAP_VEX7,
    JCC_MAP_EVEX1,
    JCC_MAP_EVEX2,
    JCC_MAP_EVEX3,
    JCC_MAP_EVEX4,
    JCC_MAP_EVEX5,
    JCC_MAP_EVEX6,
    JCC_MAP_EVEX7,
    JCC_MAP_XOP8,
    JCC_MAP_XOP9,
    JCC_MAP_XOPA,
    JCC_MAP_3DNOW, // 0f 0f, the opcode being the last byte
    JCC_MAP_COUNT,
};

// Mandatory prefixes: bits of a nibble, in the order of VEX.pp.
enum jcc_pp {
    JCC_PP_NONE = 0,
    JCC_PP_66 = 1,
    JCC_PP_F3 = 2,
    JCC_PP_F2 = 3,
};

enum jcc_opcode_flag {
    JCC_OP_MODRM = 1 << 0,
    JCC_OP_GROUP = 1 << 1,    // ModRM.reg is part of the opcode, and added to role
    JCC_OP_NO64 = 1 << 2,     // not in 64-bit code
    JCC_OP_NEAR = 1 << 3,     // operand size is fixed at 64 in 64-bit code: 66 does not shorten the immediate (Intel)
    JCC_OP_MOFFS = 1 << 4,    // an absolute address of the address size follows
    JCC_OP_TEST_IMM = 1 << 5, // only /0 and /1 have the immediate (f6, f7)
    JCC_OP_PREFIX = 1 << 6,   // a legacy prefix
    JCC_OP_ESCAPE = 1 << 7,   // may lead to another map
    JCC_OP_RULES = 1 << 8,    // jcc_rules has more forms of it
    JCC_OP_PP = 1 << 9,       // f2 and f3 are part of the opcode: they select another instruction, or none
    JCC_OP_MOD3 = 1 << 10,    // ModRM.mod is ignored: the operands are registers (mov to and from cr and dr)
};

// What an opcode is to a padder: an index into jcc_roles. Groups take eight entries, one for each ModRM.reg.
enum jcc_role_id {
    JCC_ROLE_PLAIN,
    JCC_ROLE_FIXED, // takes no redundant prefix
    JCC_ROLE_JCC,
    JCC_ROLE_JMP,
    JCC_ROLE_CALL,
    JCC_ROLE_RET,
    JCC_ROLE_SHORT,    // loop, jrcxz and kin
    JCC_ROLE_RELATIVE, // xbegin
    JCC_ROLE_END,      // nothing falls through
    JCC_ROLE_SHADOW,
    JCC_ROLE_TEST,                         // test: memory operand or not
    JCC_ROLE_AND,                          // and to a register
    JCC_ROLE_AND_RMW,                      // and to a register or memory
    JCC_ROLE_CMP,                          // cmp; add and sub to a register
    JCC_ROLE_ADD_RMW,                      // add and sub to a register or memory
    JCC_ROLE_INC,                          // inc and dec of a register
    JCC_ROLE_GROUP1,                       // 80 to 83: arithmetic with an immediate
    JCC_ROLE_GROUP3 = JCC_ROLE_GROUP1 + 8, // f6, f7
    JCC_ROLE_GROUP4 = JCC_ROLE_GROUP3 + 8, // fe
    JCC_ROLE_GROUP5 = JCC_ROLE_GROUP4 + 8, // ff
    JCC_ROLE_SREG = JCC_ROLE_GROUP5 + 8,   // 8e
    JCC_ROLE_COUNT = JCC_ROLE_SREG + 8,
};

// Private flag beside enum jcc_insn_flag.
#define JCC_ROLE_NO_PREFIX (1u << 15)

struct jcc_role {
    uint8_t kind;
    uint8_t pairs[2]; // enum jcc_pair, maybe with JCC_ROLE_DOUBTFUL: of the form with register operands; with a memory operand
    uint16_t flags;   // enum jcc_insn_flag, JCC_ROLE_NO_PREFIX
};
extern const struct jcc_role jcc_roles[JCC_ROLE_COUNT];
#define JCC_ROLE_PAIR     3u // mask: enum jcc_pair
#define JCC_ROLE_DOUBTFUL 4u // added to it: the manuals disagree

struct jcc_opcode {
    uint16_t imm;      // bytes of immediate: a nibble each for operand size 16 (lowest), 32 and 64
    uint16_t flags;    // enum jcc_opcode_flag
    uint8_t memory;    // bit N: /N exists with a memory operand
    uint8_t registers; // bit N: /N exists with a register operand
    uint8_t prefixes;  // low nibble: bit P: exists with mandatory prefix P and a memory operand, or no ModRM; high nibble: with registers
    uint8_t role;      // enum jcc_role_id
};
// JCC_MAP_PRIMARY and JCC_MAP_0F.
extern const struct jcc_opcode jcc_opcodes[2][256];

// An element of struct jcc_role.pairs for an instruction of these two maps without LOCK and REX2; MODRM is any byte for
// one that has none. No branch: it is asked for every jump of a checked file.
static inline unsigned jcc_opcode_pair(const struct jcc_opcode *op, unsigned modrm, bool is64)
{
    unsigned has_modrm = op->flags & JCC_OP_MODRM, group = (op->flags & JCC_OP_GROUP) / JCC_OP_GROUP;
    unsigned memory = has_modrm & (modrm < 0xc0), rip_relative = memory & ((modrm & 0xc7) == 5) & is64;
    return jcc_roles[op->role + (modrm >> 3 & 7) * group].pairs[memory] & (rip_relative - 1u);
}

// Bit N: a first instruction of that class fuses with condition N.
extern const uint16_t jcc_fusing[4];

// The same in short: all that a scan of 64-bit code needs of an instruction that has no prefixes but REX, in one load. What is not so
// simple has no forms here.
extern const uint32_t jcc_quick[2][256];
// Bits 0 to 15: the forms: bit N for /N with a memory operand, 8 + N with a register operand; all are set without ModRM.
#define JCC_QUICK_IMM   16 // four bits: bytes of immediate; four above: with REX.W
#define JCC_QUICK_KIND  24 // three bits: enum jcc_kind
#define JCC_QUICK_UNIT  27 // it has a kind
#define JCC_QUICK_MODRM 28 // three bits, all set: it has a ModRM byte

// Any other map: prefixes of struct jcc_opcode for each opcode; each has a ModRM byte.
extern const uint8_t jcc_map_prefixes[JCC_MAP_COUNT][256];

// Forms that the tables above do not hold: opcodes FIRST to LAST of MAP exist with mandatory prefixes PREFIXES (a
// nibble) and memory operand /N for bit N of MEMORY, or with ModRM byte c0 + N for bit N of REGISTERS.
struct jcc_rule {
    uint8_t map;
    uint8_t first, last;
    uint8_t prefixes;
    bool only64;
    uint8_t memory;
    uint64_t registers;
};
// Whether a rule gives this form. MODRM is 0 for an opcode without one.
bool jcc_rules_have(enum jcc_map_id map, uint8_t opcode, enum jcc_pp prefix, uint8_t modrm, bool is64);

// Whether LOCK is allowed: a read-modify-write instruction with a memory operand (SDM volume 2, LOCK).
bool jcc_lock_allowed(enum jcc_map_id map, uint8_t opcode, uint8_t modrm);

// Bytes of immediate of an opcode of a map other than PRIMARY and 0F. WORD: the operand size is 16.
unsigned jcc_map_immediate(enum jcc_map_id map, uint8_t opcode, uint8_t modrm, bool word);

#endif
