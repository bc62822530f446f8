// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why two decoders may differ by intent: what the differential tests share. Code below is what stands behind the prefixes
// that code_behind_prefixes skips.
#ifndef JCCSAFE_TESTS_DECODER_EXPLAIN_H
#define JCCSAFE_TESTS_DECODER_EXPLAIN_H

#include <jccsafe/insn.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define CODE_SIZE 24u // bytes of a string that is looked at

// Bytes of legacy prefixes and REX in front of CODE.
static inline size_t prefixes_of(enum jcc_mode mode, const uint8_t *code, size_t length)
{
    size_t at = 0;
    while (at + 1 < length && at < JCC_INSN_MAX &&
           (memchr("\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3", code[at], 11) || (mode == JCC_MODE_64 && (code[at] & 0xf0) == 0x40)))
        at++;
    return at;
}

// Vector instructions of after 2022: AMX-FP16, -complex, -TF32, -transpose, -MOVRS, -FP8, -AVX512; AVX-IFMA, -NE-CONVERT, -VNNI-INT8,
// -VNNI-INT16; SHA512, SM3, SM4; CMPccXADD; AVX10.2; and the VEX instructions that APX gave an EVEX form.
static const struct {
    uint8_t lead; // c4 (c5 too) or 62
    uint8_t map, first, last;
} newer_vector[] = {
    {0xc4, 2, 0x48, 0x4b}, {0xc4, 2, 0x50, 0x51}, {0xc4, 2, 0x5c, 0x5e}, {0xc4, 2, 0x6c, 0x6c}, {0xc4, 2, 0x72, 0x72},
    {0xc4, 2, 0xb0, 0xb1}, {0xc4, 2, 0xb4, 0xb5}, {0xc4, 2, 0xcb, 0xcd}, {0xc4, 2, 0xd2, 0xd3}, {0xc4, 2, 0xda, 0xda},
    {0xc4, 2, 0xe0, 0xef}, {0xc4, 3, 0xde, 0xde}, {0x62, 1, 0x2e, 0x2f}, {0x62, 1, 0x90, 0x93}, {0x62, 2, 0x49, 0x4b},
    {0x62, 2, 0x50, 0x53}, {0x62, 2, 0x67, 0x67}, {0x62, 2, 0x6d, 0x6d}, {0x62, 2, 0x74, 0x74}, {0x62, 2, 0xd2, 0xd3},
    {0x62, 2, 0xda, 0xda}, {0x62, 2, 0xe0, 0xef}, {0x62, 2, 0xf2, 0xf7}, {0x62, 3, 0x07, 0x08}, {0x62, 3, 0x26, 0x26},
    {0x62, 3, 0x42, 0x42}, {0x62, 3, 0x52, 0x53}, {0x62, 3, 0x56, 0x56}, {0x62, 3, 0x66, 0x66}, {0x62, 3, 0x77, 0x77},
    {0x62, 3, 0xc2, 0xc2}, {0x62, 3, 0xf0, 0xf0}, {0x62, 5, 0x18, 0x1e}, {0x62, 5, 0x2e, 0x2f}, {0x62, 5, 0x51, 0x5f},
    {0x62, 5, 0x68, 0x6f}, {0x62, 5, 0x74, 0x74}, {0x62, 5, 0x7e, 0x7e}, {0x62, 6, 0x2c, 0x2c}, {0x62, 6, 0x42, 0x42},
    {0x62, 6, 0x4c, 0x4e}, {0x62, 6, 0x98, 0x9e}, {0x62, 6, 0xa8, 0xae}, {0x62, 6, 0xb8, 0xbe},
};

// Legacy instructions of after 2022: movrs, urdmsr and uwrmsr, raoint; wrmsrns, pbndkb, rdmsrlist, wrmsrlist, erets, eretu, lkgs.
static inline bool newer_legacy(const uint8_t *at)
{
    if (at[0] != 0x0f)
        return false;
    if (at[1] == 0x38)
        return at[2] == 0x8a || at[2] == 0x8b || at[2] == 0xf8 || at[2] == 0xfc;
    if (at[1] == 0x01)
        return at[2] == 0xc6 || at[2] == 0xc7 || at[2] == 0xca;
    return at[1] == 0x00 && (at[2] & 0x38) == 0x30;
}

static inline bool newer(const uint8_t *at)
{
    uint8_t lead = at[0] == 0xc5 ? 0xc4 : at[0];
    unsigned map = at[0] == 0xc5 ? 1 : at[1] & (at[0] == 0x62 ? 7 : 31);
    uint8_t opcode = at[0] == 0xc5 ? at[2] : at[0] == 0x62 ? at[4] : at[3];
    for (size_t k = 0; k < sizeof newer_vector / sizeof newer_vector[0]; k++)
        if (newer_vector[k].lead == lead && newer_vector[k].map == map && opcode >= newer_vector[k].first && opcode <= newer_vector[k].last)
            return true;
    return newer_legacy(at);
}

// REX2, the maps that APX brought, and the EVEX bits that address r16 to r31 or, in AVX10.2, 256-bit rounding.
static inline bool apx(enum jcc_mode mode, const uint8_t *at)
{
    if (mode != JCC_MODE_64)
        return false;
    switch (at[0]) {
    case 0xd5: return true;
    case 0xc4: return (at[1] & 31) == 5 || (at[1] & 31) == 7;
    case 0x62: return (at[1] & 7) == 4 || (at[1] & 7) == 7 || at[1] & 8 || !(at[2] & 4);
    default: return false;
    }
}

// Says whether the other decoder takes the CODE_SIZE bytes of CODE, to LENGTH bytes.
typedef bool (*decodes_fn)(enum jcc_mode mode, const uint8_t *code, unsigned length);

// Whether the other decoder takes CODE, which is INSN to us, to our length with other values in the fields of its vector prefix at AT,
// or with another register in ModRM: of the fields all values of W, L, z and b, and a few of the others.
static inline bool decodes_with_other_fields(enum jcc_mode mode, const uint8_t *code, size_t size, size_t at, const struct jcc_insn *insn,
                                             decodes_fn decodes)
{
    uint8_t changed[CODE_SIZE], original[CODE_SIZE] = {0};
    memcpy(original, code, size < sizeof original ? size : sizeof original);
    uint8_t *prefix = changed + at, lead = original[at], *fields = lead == 0xc5 ? prefix + 1 : prefix + 2;
    static const uint8_t vvvv[] = {0x78, 0x28, 0x50}; // 1111, and two that are no one's neighbour
    const unsigned draws = 3 * 2 * 2 * 2 * 4 * (lead == 0x62 ? 8 : 1);
    if (!(insn->flags & JCC_INSN_VECTOR))
        return false;
    for (unsigned k = 0; k < draws; k++) {
        memcpy(changed, original, sizeof changed);
        unsigned draw = k / 3, wide = draw & 1, low_registers = draw >> 1 & 1, length = draw >> 3 & 3, rest = draw >> 5;
        if (insn->modrm_offset)
            changed[insn->modrm_offset] ^= (uint8_t)((draw >> 2 & 1) << 3);
        if (low_registers)
            prefix[1] = lead == 0x62 ? (prefix[1] & 0x07) | 0xf0 : prefix[1] | (lead == 0xc5 ? 0x80 : 0xe0);
        fields[0] = (uint8_t)((fields[0] & 0x87) | vvvv[k % 3] | (low_registers && lead == 0x62 ? 4 : 0));
        if (lead != 0xc5)
            fields[0] = (uint8_t)((fields[0] & 0x7f) | wide << 7);
        if (lead == 0x62)
            prefix[3] = (uint8_t)((rest & 1) << 7 | length << 5 | (rest >> 1 & 1) << 4 | 8 | rest >> 2);
        else
            fields[0] = (uint8_t)((fields[0] & 0xfb) | (length & 1) << 2);
        if (decodes(mode, changed, insn->length))
            return true;
    }
    return false;
}

// Gathers, scatters and their prefetches, which have a vector of addresses, and tile loads: they need a SIB byte.
static inline bool needs_sib(const uint8_t *at)
{
    bool vex = at[0] == 0xc4 && (at[1] & 31) == 2, evex = at[0] == 0x62 && (at[1] & 7) == 2;
    uint8_t opcode = evex ? at[4] : at[3];
    bool gather = opcode >= 0x90 && opcode <= 0x93, scatter = opcode >= 0xa0 && opcode <= 0xa3, prefetch = opcode == 0xc6 || opcode == 0xc7;
    return (vex || evex) && (gather || opcode == 0x4a || opcode == 0x4b || (evex && (scatter || prefetch)));
}

static inline bool is_bound(const uint8_t *at)
{
    return at[0] == 0x0f && (at[1] == 0x1a || at[1] == 0x1b);
}

#endif
