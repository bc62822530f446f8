// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// diff_zydis [FILE...]: the decoder beside Zydis, on every executable section of the FILEs (without any: of the libraries below)
// and on random byte strings in all three modes: the same strings are instructions, of the same length, parts and kind.
//
// Where the two differ by intent, the difference falls into a class below that says why, is checked as far as that can be,
// counted and printed. Any other difference fails the test. Exit status: 0 no such difference, 1 some, 77 nothing to compare with.
#define _GNU_SOURCE
#include "explain.h"
#include "random_code.h"
#include "sections.h"
#include <inttypes.h>
#include <jccsafe/insn.h>
#include <Zydis/Zydis.h>

#define RANDOM_STRINGS 3000000u
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
    [NEWER] = {"newer", "instructions that Zydis 4.0 is too old for; the list is in explain.h"},
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

static bool takes(enum jcc_mode mode, const uint8_t *code, unsigned length)
{
    ZydisDecodedInstruction insn;
    ZyanStatus status;
    return zydis(mode, code, CODE_SIZE, &insn, &status) && insn.length == length;
}

static enum reason explain_ours_alone(const struct sample *s)
{
    size_t at = prefixes_of(s->mode, s->bytes, s->length);
    uint8_t code[CODE_SIZE] = {0};
    memcpy(code, s->bytes + at, s->length - at < sizeof code ? s->length - at : sizeof code);
    if (apx(s->mode, code))
        return APX;
    if (decodes_with_other_fields(s->mode, s->bytes, s->length, at, &s->insn, takes))
        return VECTOR_FIELDS;
    if (newer(code))
        return NEWER;
    if (needs_sib(code) && (s->bytes[s->insn.modrm_offset] & 7) != 4)
        return NO_SIB;
    if (s->status == ZYDIS_STATUS_BAD_REGISTER)
        return REGISTERS;
    bool address16 = s->mode != JCC_MODE_64 && (s->mode == JCC_MODE_16) != (memchr(s->bytes, 0x67, at) != NULL);
    return address16 && (needs_sib(code) || is_bound(code)) ? ADDRESS_16 : DIFFERENT;
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
        uint8_t code[CODE_SIZE];
        random_code(&random, code, sizeof code);
        compare((enum jcc_mode)(k % 3), code, sizeof code);
    }
    print_counts("random strings");
    counts[DIFFERENT] += before;
}

static const struct {
    const char *name;
    bool is64, wanted; // wanted: to be without it is worth a loud word
} libraries[] = {
    {"libc.so.6", true, true}, {"libcrypto.so", true, true}, {"libstdc++.so.6", true, true},
    {"libLLVM", true, true},   {"libc.so.6", false, false},  {"libstdc++.so.6", false, false},
};

// Every library of that name, each once though it may have several.
static unsigned compare_libraries(const char *name, bool is64)
{
    char path[4096], real[4096], before[4096] = "";
    unsigned compared = 0;
    for (unsigned which = 0; find_library(name, which, is64, path, sizeof path); which++) {
        if (!realpath(path, real) || strcmp(real, before) == 0)
            continue;
        memcpy(before, real, sizeof before);
        compared += compare_file(path);
    }
    return compared;
}

int main(int argc, char **argv)
{
    ZydisDecoderInit(&decoders[JCC_MODE_64], ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    ZydisDecoderInit(&decoders[JCC_MODE_32], ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32);
    ZydisDecoderInit(&decoders[JCC_MODE_16], ZYDIS_MACHINE_MODE_LEGACY_16, ZYDIS_STACK_WIDTH_16);
    unsigned missing = 0, compared = 0;
    for (int k = 1; k < argc; k++)
        compared += compare_file(argv[k]);
    for (size_t k = 0; argc == 1 && k < sizeof libraries / sizeof libraries[0]; k++) {
        unsigned found = compare_libraries(libraries[k].name, libraries[k].is64);
        compared += found;
        if (!found && libraries[k].wanted)
            printf("NOT COMPARED: no %s on this machine\n", libraries[k].name), missing++;
    }
    compare_random();
    if (counts[DIFFERENT])
        printf("FAILED: %" PRIu64 " unexplained differences\n", counts[DIFFERENT]);
    else
        printf("no unexplained difference in %u files and the random strings; %u libraries missing\n", compared, missing);
    return counts[DIFFERENT] ? 1 : missing ? 77 : 0;
}
