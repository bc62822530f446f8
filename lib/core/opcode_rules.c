// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forms of instructions that depend on more than opcode and mandatory prefix: on ModRM.reg, on the whole ModRM byte, on
// 64-bit mode. And the small lists of what takes LOCK and what has an immediate.
#include "opcode.h"
#include <stddef.h>

// Register operands of /N, all eight.
#define R(n) (UINT64_C(0xff) << (8 * (n)))
// The single ModRM byte M (c0 to ff).
#define B(m) (UINT64_C(1) << ((m)-0xc0))
#define ALL  UINT64_MAX
// Mandatory prefixes.
#define NP   1
#define P66  2
#define PF3  4
#define PF2  8
#define NP66 3
#define ANY  15

#define MAP(id) JCC_MAP_##id

static const struct jcc_rule rules[] = {
    // clang-format off
    // xabort, xbegin
    {MAP(PRIMARY), 0xc6, 0xc7, ANY, false, 0x00, B(0xf8)},
    // x87 (AMD APM volume 3, table A-15, with the aliases that every CPU decodes)
    {MAP(PRIMARY), 0xd9, 0xd9, ANY, false, 0xfd, R(0) | R(1) | B(0xd0) | R(3) | 0x33ull << 32 | 0x7full << 40 | R(6) | R(7)},
    {MAP(PRIMARY), 0xda, 0xda, ANY, false, 0xff, R(0) | R(1) | R(2) | R(3) | B(0xe9)},
    {MAP(PRIMARY), 0xdb, 0xdb, ANY, false, 0xaf, R(0) | R(1) | R(2) | R(3) | 0x1full << 32 | R(5) | R(6)},
    {MAP(PRIMARY), 0xdd, 0xdd, ANY, false, 0xdf, R(0) | R(1) | R(2) | R(3) | R(4) | R(5)},
    {MAP(PRIMARY), 0xde, 0xde, ANY, false, 0xff, R(0) | R(1) | R(2) | B(0xd9) | R(4) | R(5) | R(6) | R(7)},
    {MAP(PRIMARY), 0xdf, 0xdf, ANY, false, 0xff, R(0) | R(1) | R(2) | R(3) | B(0xe0) | R(5) | R(6)},

    // lkgs
    {MAP(0F), 0x00, 0x00, PF2, true, 0x40, R(6)},
    // Group 7 (SDM table A-6): descriptor tables, and by the ModRM byte VMX, SVM, SGX, SMAP, SNP, TDX, CET, UINTR, FRED ...
    {MAP(0F), 0x01, 0x01, NP, false, 0xdf, UINT64_C(0xfeffc1fffff38f3f)},
    {MAP(0F), 0x01, 0x01, NP, true, 0x00, B(0xf8) | B(0xc6) | B(0xc7)},
    {MAP(0F), 0x01, 0x01, P66, false, 0xdf, UINT64_C(0x32ff00ffff001000)},
    {MAP(0F), 0x01, 0x01, P66, true, 0x00, UINT64_C(0x010000000000e000)},
    {MAP(0F), 0x01, 0x01, PF3, false, 0xff, UINT64_C(0x36ff05ffff000000)},
    {MAP(0F), 0x01, 0x01, PF3, true, 0x00, UINT64_C(0xc100f00000000000) | B(0xc6) | B(0xca)},
    {MAP(0F), 0x01, 0x01, PF2, false, 0xdf, UINT64_C(0xb2ff03ffff000000)},
    {MAP(0F), 0x01, 0x01, PF2, true, 0x00, UINT64_C(0x4100000000000000) | B(0xc6) | B(0xca)},
    // Groups 12, 13, 14: shifts of vectors
    {MAP(0F), 0x71, 0x72, NP66, false, 0x00, R(2) | R(4) | R(6)},
    {MAP(0F), 0x73, 0x73, NP, false, 0x00, R(2) | R(6)},
    {MAP(0F), 0x73, 0x73, P66, false, 0x00, R(2) | R(3) | R(6) | R(7)},
    // vmread; extrq, insertq
    {MAP(0F), 0x78, 0x78, NP, false, 0xff, ALL},
    {MAP(0F), 0x78, 0x78, P66, false, 0x00, R(0)},
    {MAP(0F), 0x78, 0x78, PF2, false, 0x00, ALL},
    // VIA PadLock
    {MAP(0F), 0xa6, 0xa6, PF3, false, 0x00, B(0xc0) | B(0xc8) | B(0xd0)},
    {MAP(0F), 0xa7, 0xa7, NP66, false, 0x00, B(0xc0)},
    {MAP(0F), 0xa7, 0xa7, PF3, false, 0x00, B(0xc0) | B(0xc8) | B(0xd0) | B(0xd8) | B(0xe0) | B(0xe8)},
    // Group 15: fxsave and kin, fences, shadow stack, fsgsbase, waits
    {MAP(0F), 0xae, 0xae, NP, false, 0xff, R(5) | R(6) | R(7)},
    {MAP(0F), 0xae, 0xae, P66, false, 0xc0, R(6)},
    {MAP(0F), 0xae, 0xae, PF3, false, 0x50, R(4) | R(5) | R(6)},
    {MAP(0F), 0xae, 0xae, PF3, true, 0x00, R(0) | R(1) | R(2) | R(3)},
    {MAP(0F), 0xae, 0xae, PF2, false, 0x00, R(6)},
    // Group 9: cmpxchg8b and kin, VMX, random numbers
    {MAP(0F), 0xc7, 0xc7, NP, false, 0xfa, R(6) | R(7)},
    {MAP(0F), 0xc7, 0xc7, P66, false, 0x42, R(6) | R(7)},
    {MAP(0F), 0xc7, 0xc7, PF3, false, 0x42, R(7)},
    {MAP(0F), 0xc7, 0xc7, PF3, true, 0x00, R(6)},
    {MAP(0F), 0xc7, 0xc7, PF2, false, 0x02, 0},

    // movrs; urdmsr, uwrmsr
    {MAP(0F38), 0x8a, 0x8a, NP, true, 0xff, 0},
    {MAP(0F38), 0x8b, 0x8b, NP66, true, 0xff, 0},
    {MAP(0F38), 0xf8, 0xf8, PF3 | PF2, true, 0x00, ALL},
    // aesencwide and kin; hreset
    {MAP(0F38), 0xd8, 0xd8, PF3, false, 0x0f, 0},
    {MAP(0F3A), 0xf0, 0xf0, PF3, false, 0x00, B(0xc0)},

    // Groups 12, 13, 14, 15, 17
    {MAP(VEX1), 0x71, 0x72, P66, false, 0x00, R(2) | R(4) | R(6)},
    {MAP(VEX1), 0x73, 0x73, P66, false, 0x00, R(2) | R(3) | R(6) | R(7)},
    {MAP(VEX1), 0xae, 0xae, NP, false, 0x0c, 0},
    {MAP(VEX2), 0xf3, 0xf3, NP, false, 0x0e, R(1) | R(2) | R(3)},
    // AMX
    {MAP(VEX2), 0x48, 0x48, P66, true, 0x00, ALL},
    {MAP(VEX2), 0x49, 0x49, NP, true, 0x01, B(0xc0)},
    {MAP(VEX2), 0x49, 0x49, P66, true, 0x01, 0},
    {MAP(VEX2), 0x49, 0x49, PF2, true, 0x00, UINT64_C(0x0101010101010101)},
    {MAP(VEX2), 0x4a, 0x4a, P66 | PF2, true, 0xff, 0},
    {MAP(VEX2), 0x4b, 0x4b, P66 | PF3 | PF2, true, 0xff, 0},
    {MAP(VEX2), 0x5c, 0x5c, PF3 | PF2, true, 0x00, ALL},
    {MAP(VEX2), 0x5e, 0x5e, ANY, true, 0x00, ALL},
    {MAP(VEX2), 0x6c, 0x6c, NP66, true, 0x00, ALL},
    {MAP(VEX5), 0xfd, 0xfd, ANY, true, 0x00, ALL},
    // cmpccxadd
    {MAP(VEX2), 0xe0, 0xef, P66, true, 0xff, 0},
    // rdmsr and wrmsrns, urdmsr and uwrmsr with an immediate
    {MAP(VEX7), 0xf6, 0xf6, PF3 | PF2, true, 0x00, R(0)},
    {MAP(VEX7), 0xf8, 0xf8, PF3 | PF2, true, 0x00, R(0)},

    {MAP(EVEX1), 0x71, 0x71, P66, false, 0x54, R(2) | R(4) | R(6)},
    {MAP(EVEX1), 0x72, 0x72, P66, false, 0x57, R(0) | R(1) | R(2) | R(4) | R(6)},
    {MAP(EVEX1), 0x73, 0x73, P66, false, 0xcc, R(2) | R(3) | R(6) | R(7)},
    // Gather and scatter prefetches
    {MAP(EVEX2), 0xc6, 0xc7, P66, false, 0x66, 0},
    // APX: VEX instructions with more registers
    {MAP(EVEX1), 0x90, 0x90, NP66, true, 0xff, ALL},
    {MAP(EVEX1), 0x91, 0x91, NP66, true, 0xff, 0},
    {MAP(EVEX1), 0x92, 0x93, NP66 | PF2, true, 0x00, ALL},
    {MAP(EVEX2), 0x49, 0x49, NP66, true, 0x01, 0},
    {MAP(EVEX2), 0x4a, 0x4a, P66 | PF2, true, 0xff, 0},
    {MAP(EVEX2), 0x4a, 0x4a, P66 | PF3, true, 0x00, ALL}, // AMX: rows of a tile to a register
    {MAP(EVEX2), 0x4b, 0x4b, P66 | PF3 | PF2, true, 0xff, 0},
    {MAP(EVEX2), 0x6d, 0x6d, ANY, true, 0x00, ALL},
    {MAP(EVEX2), 0xe0, 0xef, P66, true, 0xff, 0},
    {MAP(EVEX2), 0xf2, 0xf2, NP66, true, 0xff, ALL},
    {MAP(EVEX2), 0xf3, 0xf3, NP66, true, 0x0e, R(1) | R(2) | R(3)},
    {MAP(EVEX2), 0xf5, 0xf5, ANY, true, 0xff, ALL},
    {MAP(EVEX2), 0xf6, 0xf6, PF2, true, 0xff, ALL},
    {MAP(EVEX2), 0xf7, 0xf7, ANY, true, 0xff, ALL},
    {MAP(EVEX3), 0x07, 0x07, ANY, true, 0x00, ALL},
    {MAP(EVEX3), 0x77, 0x77, PF3 | PF2, true, 0x00, ALL},
    {MAP(EVEX3), 0xf0, 0xf0, PF2, true, 0xff, ALL},
    // APX: legacy instructions with a new destination or without flags; push2, pop2
    {MAP(EVEX4), 0x8f, 0x8f, NP, true, 0x00, R(0)},
    {MAP(EVEX4), 0xc0, 0xc1, NP66, true, 0xbf, ALL & ~R(6)},
    {MAP(EVEX4), 0xd0, 0xd3, NP66, true, 0xbf, ALL & ~R(6)},
    {MAP(EVEX4), 0xf6, 0xf7, NP66, true, 0xff, ALL},
    {MAP(EVEX4), 0xfe, 0xfe, NP66, true, 0x03, R(0) | R(1)},
    {MAP(EVEX4), 0xff, 0xff, NP66, true, 0x03, R(0) | R(1) | R(6)},
    {MAP(EVEX7), 0xf6, 0xf6, PF3 | PF2, true, 0x00, R(0)},
    {MAP(EVEX7), 0xf8, 0xf8, PF3 | PF2, true, 0x00, R(0)},

    // AMD: TBM, LWP
    {MAP(XOP9), 0x01, 0x01, NP, false, 0xfe, ALL & ~R(0)},
    {MAP(XOP9), 0x02, 0x02, NP, false, 0x42, R(1) | R(6)},
    {MAP(XOP9), 0x12, 0x12, NP, false, 0x00, R(0) | R(1)},
    {MAP(XOPA), 0x12, 0x12, NP, false, 0x03, R(0) | R(1)},
    // clang-format on
};

bool jcc_rules_have(enum jcc_map_id map, uint8_t opcode, enum jcc_pp prefix, uint8_t modrm, bool is64)
{
    bool registers = modrm >= 0xc0;
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        const struct jcc_rule *rule = &rules[k];
        if (rule->map != map || opcode < rule->first || opcode > rule->last)
            continue;
        if (!(rule->prefixes >> prefix & 1) || (rule->only64 && !is64))
            continue;
        if (registers ? rule->registers >> (modrm & 63) & 1 : rule->memory >> (modrm >> 3 & 7) & 1)
            return true;
    }
    return false;
}

static const struct {
    uint8_t map, first, last, members; // bit N of members: /N; 0xff where ModRM.reg is an operand
} lockable[] = {
    {JCC_MAP_PRIMARY, 0x00, 0x01, 0xff}, // add
    {JCC_MAP_PRIMARY, 0x08, 0x09, 0xff}, // or
    {JCC_MAP_PRIMARY, 0x10, 0x11, 0xff}, // adc
    {JCC_MAP_PRIMARY, 0x18, 0x19, 0xff}, // sbb
    {JCC_MAP_PRIMARY, 0x20, 0x21, 0xff}, // and
    {JCC_MAP_PRIMARY, 0x28, 0x29, 0xff}, // sub
    {JCC_MAP_PRIMARY, 0x30, 0x31, 0xff}, // xor
    {JCC_MAP_PRIMARY, 0x80, 0x83, 0x7f}, // all of them but cmp
    {JCC_MAP_PRIMARY, 0x86, 0x87, 0xff}, // xchg
    {JCC_MAP_PRIMARY, 0xf6, 0xf7, 0x0c}, // not, neg
    {JCC_MAP_PRIMARY, 0xfe, 0xff, 0x03}, // inc, dec
    {JCC_MAP_0F, 0xab, 0xab, 0xff},      // bts
    {JCC_MAP_0F, 0xb0, 0xb1, 0xff},      // cmpxchg
    {JCC_MAP_0F, 0xb3, 0xb3, 0xff},      // btr
    {JCC_MAP_0F, 0xba, 0xba, 0xe0},      // bts, btr, btc
    {JCC_MAP_0F, 0xbb, 0xbb, 0xff},      // btc
    {JCC_MAP_0F, 0xc0, 0xc1, 0xff},      // xadd
    {JCC_MAP_0F, 0xc7, 0xc7, 0x02},      // cmpxchg8b, cmpxchg16b
};

bool jcc_lock_allowed(enum jcc_map_id map, uint8_t opcode, uint8_t modrm)
{
    if (modrm >= 0xc0)
        return false;
    for (size_t k = 0; k < sizeof lockable / sizeof *lockable; k++)
        if (lockable[k].map == map && opcode >= lockable[k].first && opcode <= lockable[k].last)
            return lockable[k].members >> (modrm >> 3 & 7) & 1;
    return false;
}

// Immediates in EVEX map 4, where only some opcodes have one, mostly as in the primary map. WORDS: of the operand size, 2
// or 4 bytes, else 1 byte.
static const struct {
    uint8_t first, last, members;
    bool words;
} evex4_immediates[] = {
    {0x24, 0x24, 0xff, false}, {0x2c, 0x2c, 0xff, false}, {0x69, 0x69, 0xff, true},  {0x6b, 0x6b, 0xff, false}, {0x80, 0x80, 0xff, false},
    {0x81, 0x81, 0xff, true},  {0x83, 0x83, 0xff, false}, {0xc0, 0xc1, 0xff, false}, {0xf6, 0xf6, 0x03, false}, {0xf7, 0xf7, 0x03, true},
};

static unsigned evex4_immediate(uint8_t opcode, uint8_t modrm, bool word)
{
    for (size_t k = 0; k < sizeof evex4_immediates / sizeof *evex4_immediates; k++)
        if (opcode >= evex4_immediates[k].first && opcode <= evex4_immediates[k].last &&
            evex4_immediates[k].members >> (modrm >> 3 & 7) & 1)
            return !evex4_immediates[k].words ? 1 : word ? 2 : 4;
    return 0;
}

unsigned jcc_map_immediate(enum jcc_map_id map, uint8_t opcode, uint8_t modrm, bool word)
{
    switch (map) {
    case JCC_MAP_0F3A:
    case JCC_MAP_VEX3:
    case JCC_MAP_EVEX3:
    case JCC_MAP_XOP8: return 1;
    case JCC_MAP_XOPA:
    case JCC_MAP_VEX7:
    case JCC_MAP_EVEX7: return 4;
    case JCC_MAP_VEX1: // shuffles and shifts, compares, inserts and extracts: as in the 0F map
    case JCC_MAP_EVEX1: return (opcode & 0xfc) == 0x70 || opcode == 0xc2 || (opcode >= 0xc4 && opcode <= 0xc6);
    case JCC_MAP_EVEX4: return evex4_immediate(opcode, modrm, word);
    default: return 0;
    }
}
