// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// diff_zydis [FILE...]: the decoder beside Zydis, on every executable section of the FILEs (without any: of the libraries below)
// and on random byte strings in all three modes: the same strings are instructions, of the same length, parts and kind.
//
// Where the two differ by intent, the difference falls into a class below that says why, is checked as far as that can be,
// counted and printed. Any other difference fails the test. Exit status: 0 no such difference, 1 some, 77 nothing to compare with.
#define _GNU_SOURCE
#include "random_code.h"
#include "sections.h"
#include <inttypes.h>
#include <jccsafe/insn.h>
#include <Zydis/Zydis.h>

#define RANDOM_STRINGS 3000000u
#define STRING         24u
#define PRINTED_MAX    20 // unexplained differences in full

enum reason {
    SAME,
    APX,
    NEWER,
    VECTOR_FIELDS,
    REGISTERS,
    ADDRESS_16,
    NO_SIB,
    KNIGHTS_CORNER,
    DIFFERENT,
    REASONS,
};

static const struct {
    const char *name, *why;
} reasons[REASONS] = {
    [APX] = {"apx", "REX2, EVEX maps 4 and 7, VEX maps 5 and 7, the EVEX bits that address r16 to r31: Zydis 4.0 is older"},
    [NEWER] = {"newer", "instructions that Zydis 4.0 is too old for; the list is in this file"},
    [VECTOR_FIELDS] = {"fields", "a vector prefix whose W, L, vvvv, z, b or aaa this instruction reserves (#UD): its length is certain all "
                                 "the same, as Zydis decodes the string with other values there to that length"},
    [REGISTERS] = {"registers",
                   "a register number that the operand cannot have (cr1, cr9, dr8, bnd4, k8, tmm8), or equal registers where they "
                   "must differ (#UD)"},
    [ADDRESS_16] = {"address16", "16-bit addresses in instructions that exclude them (#UD): MPX, gathers, scatters"},
    [NO_SIB] = {"no-sib", "gathers, scatters and tile loads whose ModRM names no SIB byte (#UD)"},
    [KNIGHTS_CORNER] = {"knc", "Zydis knows the VEX instructions of Knights Corner, which run on no other CPU"},
    [DIFFERENT] = {"DIFFERENT", "not explained: this fails the test"},
};

static ZydisDecoder decoders[3];
static uint64_t counts[REASONS], strings, instructions;

struct sample {
    enum jcc_mode mode;
    const uint8_t *bytes;
    size_t length;
    bool ours, theirs; // it is an instruction to us, to Zydis
    struct jcc_insn insn;
    ZydisDecodedInstruction zydis;
    ZyanStatus status;
};

static bool zydis(enum jcc_mode mode, const uint8_t *bytes, size_t length, ZydisDecodedInstruction *insn, ZyanStatus *status)
{
    ZydisDecoderContext context;
    *status = ZydisDecoderDecodeInstruction(&decoders[mode], &context, bytes, length, insn);
    return ZYAN_SUCCESS(*status);
}

// The kind by GNU as's meanings, written down once more.
static enum jcc_kind kind_of(const ZydisDecodedInstruction *d)
{
    if (d->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY)
        return JCC_KIND_NONE;
    if (d->opcode_map == ZYDIS_OPCODE_MAP_0F)
        return d->opcode >= 0x80 && d->opcode <= 0x8f ? JCC_KIND_JCC : JCC_KIND_NONE;
    if (d->opcode_map != ZYDIS_OPCODE_MAP_DEFAULT)
        return JCC_KIND_NONE;
    if (d->opcode >= 0x70 && d->opcode <= 0x7f)
        return JCC_KIND_JCC;
    switch (d->opcode) {
    case 0xe9:
    case 0xeb: return JCC_KIND_JMP;
    case 0xe8: return JCC_KIND_CALL;
    case 0xc2:
    case 0xc3: return JCC_KIND_RET;
    case 0xff: return d->raw.modrm.reg == 2 || d->raw.modrm.reg == 4 ? JCC_KIND_INDIRECT : JCC_KIND_NONE;
    default: return JCC_KIND_NONE;
    }
}

// The first of a pair, by mnemonics and operands; the doubtful forms as well.
static enum jcc_pair pair_of(const ZydisDecodedInstruction *d)
{
    enum jcc_pair pair = JCC_PAIR_NONE;
    if (d->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY || d->attributes & ZYDIS_ATTRIB_HAS_LOCK)
        return JCC_PAIR_NONE;
    switch (d->mnemonic) {
    case ZYDIS_MNEMONIC_TEST:
    case ZYDIS_MNEMONIC_AND: pair = JCC_PAIR_TEST; break;
    case ZYDIS_MNEMONIC_CMP:
    case ZYDIS_MNEMONIC_ADD:
    case ZYDIS_MNEMONIC_SUB: pair = JCC_PAIR_CMP; break;
    case ZYDIS_MNEMONIC_INC:
    case ZYDIS_MNEMONIC_DEC: pair = JCC_PAIR_INC; break;
    default: return JCC_PAIR_NONE;
    }
    bool memory = d->attributes & ZYDIS_ATTRIB_HAS_MODRM && d->raw.modrm.mod != 3;
    bool rip = memory && d->machine_mode == ZYDIS_MACHINE_MODE_LONG_64 && d->raw.modrm.mod == 0 && d->raw.modrm.rm == 5;
    return memory && (rip || pair == JCC_PAIR_INC || d->raw.imm[0].size) ? JCC_PAIR_NONE : pair;
}

static const char *first_difference(const struct sample *s)
{
    const struct jcc_insn *a = &s->insn;
    const ZydisDecodedInstruction *b = &s->zydis;
    // 3DNow!'s opcode comes last, and counts as an immediate too with us.
    bool suffix = b->opcode_map == ZYDIS_OPCODE_MAP_0F0F;
    unsigned immediate = b->raw.imm[0].size / 8u + b->raw.imm[1].size / 8u;
    if (a->length != b->length)
        return "length";
    if (a->kind != kind_of(b))
        return "kind";
    if (a->pair != pair_of(b))
        return "pair";
    if (a->modrm_offset != (b->attributes & ZYDIS_ATTRIB_HAS_MODRM ? b->raw.modrm.offset : 0))
        return "ModRM";
    if (a->disp_size != b->raw.disp.size / 8 || (a->disp_size && a->disp_offset != b->raw.disp.offset))
        return "displacement";
    if (!suffix && (a->imm_size != immediate || (immediate && a->imm_offset != b->raw.imm[0].offset)))
        return "immediate";
    if (((a->flags & JCC_INSN_RELATIVE) != 0) != (immediate && b->raw.imm[0].is_relative))
        return "relative";
    if (((a->flags & JCC_INSN_VECTOR) != 0) != (b->encoding > ZYDIS_INSTRUCTION_ENCODING_3DNOW))
        return "vector";
    if (s->bytes[a->opcode_offset] != b->opcode)
        return "opcode";
    return NULL;
}

// Offset of the first byte that is no legacy prefix and no REX.
static size_t behind_prefixes(const struct sample *s)
{
    size_t at = 0;
    while (
        at + 1 < s->length && at < JCC_INSN_MAX &&
        (strchr("\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3", s->bytes[at]) || (s->mode == JCC_MODE_64 && (s->bytes[at] & 0xf0) == 0x40)))
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
static bool newer_legacy(const uint8_t *at)
{
    if (at[0] != 0x0f)
        return false;
    if (at[1] == 0x38)
        return at[2] == 0x8a || at[2] == 0x8b || at[2] == 0xf8 || at[2] == 0xfc;
    if (at[1] == 0x01)
        return at[2] == 0xc6 || at[2] == 0xc7 || at[2] == 0xca;
    return at[1] == 0x00 && (at[2] & 0x38) == 0x30;
}

static bool newer(const uint8_t *at)
{
    uint8_t lead = at[0] == 0xc5 ? 0xc4 : at[0];
    unsigned map = at[0] == 0xc5 ? 1 : at[1] & (at[0] == 0x62 ? 7 : 31);
    uint8_t opcode = at[0] == 0xc5 ? at[2] : at[0] == 0x62 ? at[4] : at[3];
    for (size_t k = 0; k < sizeof newer_vector / sizeof newer_vector[0]; k++)
        if (newer_vector[k].lead == lead && newer_vector[k].map == map && opcode >= newer_vector[k].first && opcode <= newer_vector[k].last)
            return true;
    return newer_legacy(at);
}

static bool apx(const struct sample *s, const uint8_t *at)
{
    if (s->mode != JCC_MODE_64)
        return false;
    switch (at[0]) {
    case 0xd5: return true;
    case 0xc4: return (at[1] & 31) == 5 || (at[1] & 31) == 7;
    case 0x62: return (at[1] & 7) == 4 || (at[1] & 7) == 7 || at[1] & 8 || !(at[2] & 4);
    default: return false;
    }
}

// Whether Zydis takes the string, to our length, with other values in the fields of its vector prefix at AT, or with another register
// in ModRM: of the fields all values of W, L, z and b, and a few of the others.
static bool decodes_with_other_fields(const struct sample *s, size_t at)
{
    uint8_t code[STRING] = {0}, original[STRING];
    memcpy(code, s->bytes, s->length < sizeof code ? s->length : sizeof code);
    memcpy(original, code, sizeof original);
    uint8_t *prefix = code + at, lead = prefix[0], *fields = lead == 0xc5 ? prefix + 1 : prefix + 2;
    static const uint8_t vvvv[] = {0x78, 0x28, 0x50}; // 1111, and two that are no one's neighbour
    const unsigned draws = 3 * 2 * 2 * 2 * 4 * (lead == 0x62 ? 8 : 1);
    for (unsigned k = 0; k < draws; k++) {
        memcpy(code, original, sizeof code);
        unsigned draw = k / 3, wide = draw & 1, low_registers = draw >> 1 & 1, length = draw >> 3 & 3, rest = draw >> 5;
        code[s->insn.modrm_offset] ^= (uint8_t)((draw >> 2 & 1) << 3);
        if (low_registers)
            prefix[1] |= lead == 0x62 ? 0xf0 : lead == 0xc5 ? 0x80 : 0xe0;
        fields[0] = (uint8_t)((fields[0] & 0x87) | vvvv[k % 3]);
        if (lead != 0xc5)
            fields[0] = (uint8_t)((fields[0] & 0x7f) | wide << 7);
        if (lead == 0x62)
            prefix[3] = (uint8_t)((rest & 1) << 7 | length << 5 | (rest >> 1 & 1) << 4 | 8 | rest >> 2);
        else
            fields[0] = (uint8_t)((fields[0] & 0xfb) | (length & 1) << 2);
        ZydisDecodedInstruction insn;
        ZyanStatus status;
        if (zydis(s->mode, code, sizeof code, &insn, &status) && insn.length == s->insn.length)
            return true;
    }
    return false;
}

// Instructions that need a SIB byte, by prefix, map and opcode; their ModRM names none.
static bool lacks_sib(const struct sample *s, const uint8_t *at)
{
    uint8_t opcode = s->bytes[s->insn.opcode_offset], modrm = s->bytes[s->insn.modrm_offset];
    bool map2 = (at[0] == 0xc4 && (at[1] & 31) == 2) || (at[0] == 0x62 && (at[1] & 7) == 2);
    bool gather = opcode >= 0x90 && opcode <= 0x93, scatter = opcode >= 0xa0 && opcode <= 0xa3, prefetch = opcode == 0xc6 || opcode == 0xc7;
    return map2 && modrm < 0xc0 && (modrm & 7) != 4 && (gather || (at[0] == 0x62 && (scatter || prefetch)) || opcode == 0x4b);
}

static bool address_16(const struct sample *s, size_t prefixes)
{
    return s->mode != JCC_MODE_64 && (s->mode == JCC_MODE_16) != (memchr(s->bytes, 0x67, prefixes) != NULL);
}

// Bounds (MPX), and what has vectors of addresses: gathers, scatters, their prefetches.
static bool excludes_address_16(const uint8_t *at)
{
    bool map2 = (at[0] == 0xc4 && (at[1] & 31) == 2) || (at[0] == 0x62 && (at[1] & 7) == 2);
    uint8_t opcode = at[0] == 0x62 ? at[4] : at[3];
    return (at[0] == 0x0f && (at[1] == 0x1a || at[1] == 0x1b)) ||
           (map2 && ((opcode >= 0x90 && opcode <= 0x93) || (opcode >= 0xa0 && opcode <= 0xa3) || opcode == 0xc6 || opcode == 0xc7));
}

static enum reason explain_ours_alone(const struct sample *s)
{
    size_t at = behind_prefixes(s);
    uint8_t code[STRING] = {0};
    memcpy(code, s->bytes + at, s->length - at < sizeof code ? s->length - at : sizeof code);
    if (apx(s, code))
        return APX;
    if (s->insn.flags & JCC_INSN_VECTOR && s->insn.modrm_offset && decodes_with_other_fields(s, at))
        return VECTOR_FIELDS;
    if (newer(code))
        return NEWER;
    if (lacks_sib(s, code))
        return NO_SIB;
    if (s->status == ZYDIS_STATUS_BAD_REGISTER)
        return REGISTERS;
    return excludes_address_16(code) && address_16(s, at) ? ADDRESS_16 : DIFFERENT;
}

static enum reason explain_zydis_alone(const struct sample *s)
{
    ZydisISAExt extension = s->zydis.meta.isa_ext;
    bool knc = extension == ZYDIS_ISA_EXT_KNC || extension == ZYDIS_ISA_EXT_KNCE || extension == ZYDIS_ISA_EXT_KNCV;
    return knc ? KNIGHTS_CORNER : DIFFERENT;
}

static void print_difference(const struct sample *s, const char *what)
{
    printf("mode %d:", s->mode == JCC_MODE_64 ? 64 : s->mode == JCC_MODE_32 ? 32 : 16);
    for (size_t k = 0; k < s->length && k < JCC_INSN_MAX; k++)
        printf(" %02x", s->bytes[k]);
    printf(": %s; ours: length %u, kind %s; Zydis: ", what, s->insn.length, jcc_kind_name((enum jcc_kind)s->insn.kind));
    if (s->theirs)
        printf("length %u, %s\n", s->zydis.length, ZydisMnemonicGetString(s->zydis.mnemonic));
    else
        printf("status %x\n", (unsigned)s->status);
}

// Compare at one place; returns Zydis's length, or 1.
static size_t compare(enum jcc_mode mode, const uint8_t *bytes, size_t length)
{
    struct sample s = {.mode = mode, .bytes = bytes, .length = length};
    s.theirs = zydis(mode, bytes, length, &s.zydis, &s.status);
    s.ours = jcc_insn_decode(mode, bytes, length, &s.insn) == JCC_OK;
    strings++;
    instructions += s.theirs && s.ours;
    const char *what = "valid to one alone";
    enum reason reason = SAME;
    if (s.ours && s.theirs) {
        what = first_difference(&s);
        reason = what ? DIFFERENT : SAME;
    } else if (s.ours || s.theirs) {
        reason = s.ours ? explain_ours_alone(&s) : explain_zydis_alone(&s);
    }
    if (reason == DIFFERENT && counts[DIFFERENT] < PRINTED_MAX)
        print_difference(&s, what);
    counts[reason]++;
    return s.theirs ? s.zydis.length : 1;
}

static void compare_section(void *context, const struct section *section)
{
    (void)context;
    for (size_t at = 0; at < section->size;)
        at += compare(section->mode, section->bytes + at, section->size - at);
}

static void print_counts(const char *of)
{
    printf("%s: %" PRIu64 " strings, %" PRIu64 " instructions to both, %" PRIu64 " unexplained differences\n", of, strings, instructions,
           counts[DIFFERENT]);
    for (int k = SAME + 1; k < DIFFERENT; k++)
        if (counts[k])
            printf("    %-10s %8" PRIu64 "  %s\n", reasons[k].name, counts[k], reasons[k].why);
    fflush(stdout);
}

static bool compare_file(const char *path)
{
    uint64_t before = counts[DIFFERENT];
    memset(counts, 0, sizeof counts);
    strings = instructions = 0;
    if (!each_section(path, compare_section, NULL)) {
        printf("%s: cannot be read as an x86 ELF file\n", path);
        counts[DIFFERENT]++;
    }
    print_counts(path);
    counts[DIFFERENT] += before;
    return true;
}

static void compare_random(void)
{
    uint64_t random = 20191112, before = counts[DIFFERENT];
    memset(counts, 0, sizeof counts);
    strings = instructions = 0;
    for (unsigned k = 0; k < RANDOM_STRINGS; k++) {
        uint8_t code[STRING];
        random_code(&random, code, sizeof code);
        compare((enum jcc_mode)(k % 3), code, sizeof code);
    }
    print_counts("random strings");
    counts[DIFFERENT] += before;
}

static const struct {
    const char *name;
    unsigned which;
    bool is64, wanted; // wanted: to be without it is worth a loud word
} libraries[] = {
    {"libc.so.6", 0, true, true}, {"libcrypto.so", 0, true, true}, {"libstdc++.so.6", 0, true, true},   {"libLLVM", 0, true, true},
    {"libLLVM", 1, true, false},  {"libc.so.6", 0, false, false},  {"libstdc++.so.6", 0, false, false},
};

int main(int argc, char **argv)
{
    ZydisDecoderInit(&decoders[JCC_MODE_64], ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    ZydisDecoderInit(&decoders[JCC_MODE_32], ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32);
    ZydisDecoderInit(&decoders[JCC_MODE_16], ZYDIS_MACHINE_MODE_LEGACY_16, ZYDIS_STACK_WIDTH_16);
    unsigned missing = 0, compared = 0;
    for (int k = 1; k < argc; k++)
        compared += compare_file(argv[k]);
    for (size_t k = 0; argc == 1 && k < sizeof libraries / sizeof libraries[0]; k++) {
        char path[1024];
        if (find_library(libraries[k].name, libraries[k].which, libraries[k].is64, path, sizeof path))
            compared += compare_file(path);
        else if (libraries[k].wanted)
            printf("NOT COMPARED: no %s on this machine\n", libraries[k].name), missing++;
    }
    compare_random();
    if (counts[DIFFERENT])
        printf("FAILED: %" PRIu64 " unexplained differences\n", counts[DIFFERENT]);
    else
        printf("no unexplained difference in %u files and the random strings; %u libraries missing\n", compared, missing);
    return counts[DIFFERENT] ? 1 : missing ? 77 : 0;
}
