// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// diff_llvm [FILE...]: the decoder beside LLVM's disassembler, on the executable sections of the FILEs (without any: of the libraries
// below) and on random byte strings in all three modes: same length, and same kind by the mnemonic.
//
// LLVM's disassembler is slow, so of a large section every Nth instruction is compared, N being printed. It is no judge of what is an
// instruction: it takes prefixes that make one invalid, and does not know all that is reserved or old; that is Zydis's part. Where
// the two differ by intent, the difference has a reason below, is checked as far as that can be, counted and printed. Any other fails the
// test. Exit status: 0 no such difference, 1 some, 77 nothing to compare with.
#define _GNU_SOURCE
#include "explain.h"
#include "random_code.h"
#include "sections.h"
#include <inttypes.h>
#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <llvm/Config/llvm-config.h>

#define RANDOM_STRINGS 2000000u
#define WHOLE_SECTION  (8u << 20) // bytes of a section up to which every instruction is compared
#define PRINTED_MAX    20         // unexplained differences in full
#define TEXT           256u

enum reason {
    SAME,
    NEAR_66,
    LOST_REX,
    SIB_R21,
    PREFIXES,
    REX2_ROWS,
    EVEX_BITS,
    EVEX4_PP,
    ONLY_64,
    OPERANDS,
    FIELDS,
    NO_SIB,
    ADDRESS_16,
    ADDRESS_67,
    REX2_66,
    VEX_67,
    PADLOCK,
    OLD_LLVM,
    UNKNOWN,
    CODE16,
    DIFFERENT,
    REASONS,
};

static const struct {
    const char *name, *why;
} reasons[REASONS] = {
    [NEAR_66] = {"near-66",
                 "a near branch with 66: in 64-bit code LLVM reads rel16, as AMD's CPUs do; Intel's ignore 66. With f2 or f3 too, LLVM "
                 "ignores it everywhere"},
    [LOST_REX] = {"lost-rex", "a REX that is not right before the opcode, which CPUs ignore: LLVM before 22 does not always"},
    [SIB_R21] = {"sib-r21",
                 "r21 or r29 as base with mod 0: the encoding of rbp and r13 there means no base and disp32, whatever the high bits "
                 "are; LLVM takes it for the register"},
    [PREFIXES] =
        {"prefixes",
         "LLVM skips lock, rep, 66 or REX where they make the instruction invalid, or the other way round: without them both take it"},
    [REX2_ROWS] = {"rex2-rows", "LLVM takes REX2 before opcode rows that it excludes (#UD), or forms that REX2 excludes"},
    [EVEX_BITS] = {"evex-bits", "LLVM takes EVEX map 4, and EVEX with reserved bits set, outside 64-bit code"},
    [EVEX4_PP] = {"evex4-pp", "LLVM takes f2 and f3 in EVEX map 4 with the NF bit, where APX has no such instruction"},
    [ONLY_64] = {"only-64", "LLVM takes instructions of 64-bit code elsewhere: CMPccXADD, AMX, swapgs"},
    [OPERANDS] = {"operands",
                  "LLVM takes operands that do not exist (#UD): mov to cs, cr1, cr5 to cr7; extrq with another ModRM.reg than 0"},
    [FIELDS] = {"fields",
                "a vector prefix whose W, L, vvvv, z, b or aaa, or a register, this instruction reserves (#UD): its length is certain "
                "all the same, as LLVM takes the string with other values there to that length"},
    [NO_SIB] = {"no-sib", "gathers, scatters and tile loads whose ModRM names no SIB byte (#UD)"},
    [ADDRESS_16] = {"address16", "16-bit addresses in instructions that exclude them (#UD): gathers, scatters"},
    [ADDRESS_67] = {"address67", "67 together with f2 or f3 in 32- or 16-bit code, which LLVM does not read as both; 67 as movdir64b's 66"},
    [REX2_66] = {"rex2-66", "66 in front of REX2 as a mandatory prefix, which LLVM does not take where there is no form without it"},
    [VEX_67] = {"vex-67", "LLVM before 19 takes VEX with 67 for instructions that have no VEX form, as rdtsc"},
    [PADLOCK] = {"padlock", "LLVM takes VIA's xcrypt, xsha and montmul without their rep"},
    [OLD_LLVM] = {"old-llvm", "instructions that this LLVM is too old for; the list is in explain.h"},
    [UNKNOWN] =
        {"unknown",
         "what LLVM does not know: aliases in the shift, test and x87 groups, int1, reserved no-operations, bounds, ud0, mov to and "
         "from cr and dr with another mod than 3; the list is in this file"},
    [CODE16] = {"code16", "in 16-bit code LLVM takes 66 for a mandatory prefix where it is absent, and the other way round"},
    [DIFFERENT] = {"DIFFERENT", "not explained: this fails the test"},
};

static LLVMDisasmContextRef disassemblers[3];
static uint64_t counts[REASONS], strings, instructions;

struct sample {
    enum jcc_mode mode;
    uint8_t code[CODE_SIZE]; // zeroes behind length
    size_t length;
    struct jcc_insn insn; // length 0: no instruction to us
    unsigned llvm_length; // 0: no instruction to LLVM
    char text[TEXT];
};

// The text behind the prefixes that LLVM writes in front.
static const char *behind_prefix_words(const char *text)
{
    static const char *const words[] = {"rep",    "repe",   "repne",    "lock",     "notrack", "bnd",   "data16", "data32",
                                        "addr16", "addr32", "rex64",    "cs",       "ds",      "es",    "ss",     "fs",
                                        "gs",     "{evex}", "xacquire", "xrelease", "{rex2}",  "{vex}", "{nf}"};
    for (;;) {
        text += strspn(text, " \t");
        size_t length = strcspn(text, " \t"), k = 0;
        while (k < sizeof words / sizeof words[0] && (strlen(words[k]) != length || memcmp(words[k], text, length) != 0))
            k++;
        if (k == sizeof words / sizeof words[0])
            return text;
        text += length;
    }
}

// Length by LLVM, 0 when it is none. LLVM gives some prefixes as instructions of their own: they are put together again.
static unsigned llvm(enum jcc_mode mode, const uint8_t *bytes, size_t length, char *text)
{
    uint8_t code[JCC_INSN_MAX];
    size_t size = length < sizeof code ? length : sizeof code, at = 0;
    memcpy(code, bytes, size);
    for (;;) {
        text[0] = 0;
        size_t taken = at < size ? LLVMDisasmInstruction(disassemblers[mode], code + at, size - at, 0, text, TEXT) : 0;
        if (taken == 0)
            return 0;
        at += taken;
        if (*behind_prefix_words(text))
            return (unsigned)at;
    }
}

// The kind by GNU as's meanings, from the mnemonic and whether the operand is indirect.
static enum jcc_kind kind_of(const char *text)
{
    text = behind_prefix_words(text);
    size_t length = strcspn(text, " \t,");
    const char *operand = text + strcspn(text, " \t");
    bool indirect = operand[strspn(operand, " \t")] == '*';
    if (strncmp(text, "jmpabs", length) == 0 && length == 6)
        return JCC_KIND_NONE;
    if (strncmp(text, "jmp", 3) == 0)
        return indirect ? JCC_KIND_INDIRECT : JCC_KIND_JMP;
    if (strncmp(text, "call", 4) == 0)
        return indirect ? JCC_KIND_INDIRECT : JCC_KIND_CALL;
    if (strncmp(text, "ret", 3) == 0)
        return JCC_KIND_RET;
    bool counter = length >= 4 && strncmp(text + length - 3, "cxz", 3) == 0;
    return text[0] == 'j' && !counter ? JCC_KIND_JCC : JCC_KIND_NONE;
}

static bool takes(enum jcc_mode mode, const uint8_t *code, unsigned length)
{
    char text[TEXT];
    return llvm(mode, code, CODE_SIZE, text) == length;
}

// Whether a REX stands among the prefixes and not at their end.
static bool lost_rex(const struct sample *s, size_t prefixes)
{
    for (size_t k = 0; s->mode == JCC_MODE_64 && k < prefixes; k++)
        if ((s->code[k] & 0xf0) == 0x40 && (k + 1 < prefixes || s->code[prefixes] == 0xd5))
            return true;
    return false;
}

static bool has_prefix(const struct sample *s, size_t prefixes, uint8_t prefix)
{
    return memchr(s->code, prefix, prefixes) != NULL;
}

static bool address_67(const struct sample *s, size_t prefixes)
{
    bool repeat = has_prefix(s, prefixes, 0xf2) || has_prefix(s, prefixes, 0xf3);
    bool movdir64b = s->code[prefixes] == 0x0f && s->code[prefixes + 1] == 0x38 && s->code[prefixes + 2] == 0xf8;
    return has_prefix(s, prefixes, 0x67) && (movdir64b || (repeat && s->mode != JCC_MODE_64));
}

static enum reason explain_length(const struct sample *s, size_t prefixes)
{
    if (s->insn.flags & JCC_INSN_RELATIVE && has_prefix(s, prefixes, 0x66))
        return NEAR_66;
    if (LLVM_VERSION_MAJOR < 22 && lost_rex(s, prefixes))
        return LOST_REX;
    if (address_67(s, prefixes))
        return ADDRESS_67;
    if (s->mode == JCC_MODE_16 && (s->code[prefixes] == 0x0f || s->code[prefixes] == 0x8f))
        return CODE16;
    const uint8_t *modrm = s->code + s->insn.modrm_offset;
    if (apx(s->mode, s->code + prefixes) && (modrm[0] & 0xc7) == 4 && (modrm[1] & 7) == 5 && s->llvm_length + 4 == s->insn.length)
        return SIB_R21;
    return DIFFERENT;
}

static bool we_take(enum jcc_mode mode, const uint8_t *code, unsigned length)
{
    struct jcc_insn insn;
    return jcc_insn_decode(mode, code, CODE_SIZE, &insn) == JCC_OK && insn.length == length;
}

// Whether DECODES takes the string, which is LENGTH bytes to the other, once some of lock, rep and repne, 66 and REX are out of it.
static bool takes_without_prefixes(const struct sample *s, size_t prefixes, unsigned length, decodes_fn decodes)
{
    for (unsigned which = 1; which < 16; which++) {
        uint8_t code[CODE_SIZE] = {0};
        unsigned kept = 0, removed = 0;
        for (size_t k = 0; k < sizeof code; k++) {
            uint8_t byte = s->code[k];
            bool out = (which & 1 && byte == 0xf0) || (which & 2 && (byte == 0xf2 || byte == 0xf3)) || (which & 4 && byte == 0x66) ||
                       (which & 8 && s->mode == JCC_MODE_64 && (byte & 0xf0) == 0x40);
            if (k < prefixes && out)
                removed++;
            else
                code[kept++] = byte;
        }
        if (removed && removed < length && decodes(s->mode, code, length - removed))
            return true;
    }
    return false;
}

static enum reason explain_llvm_alone(const struct sample *s, size_t prefixes)
{
    const uint8_t *at = s->code + prefixes;
    enum jcc_kind kind = kind_of(s->text);
    if ((kind == JCC_KIND_JCC || kind == JCC_KIND_JMP || kind == JCC_KIND_CALL) && has_prefix(s, prefixes, 0x66))
        return NEAR_66;
    if (takes_without_prefixes(s, prefixes, s->llvm_length, we_take))
        return PREFIXES;
    if (apx(s->mode, at) && takes_without_prefixes(s, prefixes, s->llvm_length + 4, we_take)) // and r21 as base too
        return PREFIXES;
    if (at[0] == 0xd5 && s->mode == JCC_MODE_64)
        return REX2_ROWS;
    if (at[0] == 0x62 && s->mode != JCC_MODE_64 && ((at[1] & 7) == 4 || at[1] & 8 || !(at[2] & 4)))
        return EVEX_BITS;
    if (at[0] == 0x62 && (at[1] & 7) == 4 && (at[2] & 2) && (at[3] & 4))
        return EVEX4_PP;
    bool swapgs = at[0] == 0x0f && at[1] == 0x01 && at[2] == 0xf8;
    if (s->mode != JCC_MODE_64 && (swapgs || ((at[0] == 0xc4 || at[0] == 0x62) && newer(at))))
        return ONLY_64;
    bool segment = at[0] == 0x8e && (at[1] & 0x38) == 8, control = at[0] == 0x0f && (at[1] == 0x20 || at[1] == 0x22);
    if (LLVM_VERSION_MAJOR < 19 && (at[0] == 0xc4 || at[0] == 0xc5) && has_prefix(s, prefixes, 0x67))
        return VEX_67;
    if (at[0] == 0x0f && (at[1] == 0xa6 || at[1] == 0xa7))
        return PADLOCK;
    if (address_67(s, prefixes))
        return ADDRESS_67;
    if (segment || control || (at[0] == 0x0f && at[1] == 0x78))
        return OPERANDS;
    if (LLVM_VERSION_MAJOR < 22 && lost_rex(s, prefixes))
        return LOST_REX;
    return s->mode == JCC_MODE_16 && (at[0] == 0x0f || at[0] == 0x8f) ? CODE16 : DIFFERENT;
}

// Opcodes of which LLVM lacks some form, in the primary map and in the 0F map.
static const struct {
    uint8_t first, last;
} unknown_primary[] = {{0xc0, 0xc1}, {0xd0, 0xd3}, {0xd6, 0xd6}, {0xd9, 0xdf}, {0xf1, 0xf1}, {0xf6, 0xf7}},
  unknown_0f[] = {{0x09, 0x09}, {0x0d, 0x0d}, {0x18, 0x1e}, {0x20, 0x23}, {0xff, 0xff}};

static bool unknown(const uint8_t *at)
{
    bool escape = at[0] == 0x0f;
    for (size_t k = 0; !escape && k < sizeof unknown_primary / sizeof unknown_primary[0]; k++)
        if (at[0] >= unknown_primary[k].first && at[0] <= unknown_primary[k].last)
            return true;
    for (size_t k = 0; escape && k < sizeof unknown_0f / sizeof unknown_0f[0]; k++)
        if (at[1] >= unknown_0f[k].first && at[1] <= unknown_0f[k].last)
            return true;
    return false;
}

static enum reason explain_ours_alone(const struct sample *s, size_t prefixes)
{
    const uint8_t *at = s->code + prefixes;
    if (decodes_with_other_fields(s->mode, s->code, sizeof s->code, prefixes, &s->insn, takes))
        return FIELDS;
    if (needs_sib(at) && (s->code[s->insn.modrm_offset] & 7) != 4)
        return NO_SIB;
    bool rdpru = at[0] == 0x0f && at[1] == 0x01 && at[2] == 0xfd;
    if (LLVM_VERSION_MAJOR < 22 && (newer(at) || rdpru || apx(s->mode, at)))
        return OLD_LLVM;
    if (LLVM_VERSION_MAJOR < 22 && lost_rex(s, prefixes))
        return LOST_REX;
    const uint8_t escaped[] = {0x0f, at[2]}; // REX2 with the 0F map
    if (unknown(s->mode != JCC_MODE_64 || at[0] != 0xd5 ? at : at[1] & 0x80 ? escaped : at + 2))
        return UNKNOWN;
    if (takes_without_prefixes(s, prefixes, s->insn.length, takes))
        return PREFIXES;
    if (address_67(s, prefixes))
        return ADDRESS_67;
    if (at[0] == 0xd5 && has_prefix(s, prefixes, 0x66))
        return REX2_66;
    if (needs_sib(at) && s->mode != JCC_MODE_64 && (s->mode == JCC_MODE_16) != has_prefix(s, prefixes, 0x67))
        return ADDRESS_16;
    return s->mode == JCC_MODE_16 && (at[0] == 0x0f || at[0] == 0x8f) ? CODE16 : DIFFERENT;
}

static void print_difference(const struct sample *s)
{
    printf("mode %d:", s->mode == JCC_MODE_64 ? 64 : s->mode == JCC_MODE_32 ? 32 : 16);
    for (size_t k = 0; k < s->length && k < JCC_INSN_MAX; k++)
        printf(" %02x", s->code[k]);
    printf(": ours: length %u, kind %s; LLVM: length %u,%s\n", s->insn.length, jcc_kind_name((enum jcc_kind)s->insn.kind), s->llvm_length,
           s->text);
}

// Compare at one place; returns our length, or 1.
static size_t compare(enum jcc_mode mode, const uint8_t *bytes, size_t length)
{
    struct sample s = {.mode = mode, .length = length < CODE_SIZE ? length : CODE_SIZE};
    memcpy(s.code, bytes, s.length);
    if (jcc_insn_decode(mode, bytes, length, &s.insn) != JCC_OK)
        s.insn.length = 0;
    s.llvm_length = llvm(mode, bytes, length, s.text);
    strings++;
    instructions += s.insn.length != 0 && s.llvm_length != 0;
    size_t prefixes = prefixes_of(mode, s.code, s.length);
    enum reason reason = SAME;
    if (s.insn.length == 0 && s.llvm_length != 0)
        reason = explain_llvm_alone(&s, prefixes);
    else if (s.insn.length != 0 && s.llvm_length == 0)
        reason = explain_ours_alone(&s, prefixes);
    else if (s.insn.length != s.llvm_length)
        reason = explain_length(&s, prefixes);
    else if (s.insn.length != 0 && kind_of(s.text) != s.insn.kind)
        reason = DIFFERENT;
    if (reason == DIFFERENT && counts[DIFFERENT] < PRINTED_MAX)
        print_difference(&s);
    counts[reason]++;
    return s.insn.length ? s.insn.length : 1;
}

static void compare_section(void *context, const struct section *section)
{
    (void)context;
    size_t every = section->size / WHOLE_SECTION + 1, index = 0;
    if (every > 1)
        printf("%s %s: every %zuth instruction\n", section->file, section->name, every);
    for (size_t at = 0; at < section->size; index++) {
        struct jcc_insn insn;
        if (index % every == 0)
            at += compare(section->mode, section->bytes + at, section->size - at);
        else
            at += jcc_insn_decode(section->mode, section->bytes + at, section->size - at, &insn) == JCC_OK ? insn.length : 1;
    }
}

static uint64_t different;

static void print_counts(const char *of)
{
    printf("%s: %" PRIu64 " strings, %" PRIu64 " instructions to both, %" PRIu64 " unexplained differences\n", of, strings, instructions,
           counts[DIFFERENT]);
    for (int k = SAME + 1; k < DIFFERENT; k++)
        if (counts[k])
            printf("    %-10s %8" PRIu64 "  %s\n", reasons[k].name, counts[k], reasons[k].why);
    fflush(stdout);
    different += counts[DIFFERENT];
    memset(counts, 0, sizeof counts);
    strings = instructions = 0;
}

static bool compare_file(const char *path)
{
    bool read = each_section(path, compare_section, NULL);
    if (!read) {
        printf("%s: cannot be read as an x86 ELF file\n", path);
        different++;
    }
    print_counts(path);
    return read;
}

static void compare_random(void)
{
    uint64_t random = 20191112; // as good as any
    for (unsigned k = 0; k < RANDOM_STRINGS; k++) {
        uint8_t code[CODE_SIZE];
        random_code(&random, code, sizeof code);
        compare((enum jcc_mode)(k % 3), code, sizeof code);
    }
    print_counts("random strings");
}

static const struct {
    const char *name;
    bool is64, wanted; // wanted: to be without it is worth a loud word
} libraries[] = {
    {"libc.so.6", true, true}, {"libcrypto.so", true, true}, {"libstdc++.so.6", true, true},
    {"libLLVM", true, true},   {"libc.so.6", false, false},
};

int main(int argc, char **argv)
{
    static const char *const triples[] = {
        [JCC_MODE_64] = "x86_64-unknown-linux", [JCC_MODE_32] = "i386-unknown-linux", [JCC_MODE_16] = "i386-unknown-linux-code16"};
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86Disassembler();
    for (int mode = JCC_MODE_64; mode <= JCC_MODE_16; mode++) {
        disassemblers[mode] = LLVMCreateDisasmCPUFeatures(triples[mode], "", "", NULL, 0, NULL, NULL);
        if (!disassemblers[mode])
            return printf("NOT COMPARED: this LLVM has no X86 disassembler\n"), 77;
    }
    printf("LLVM %s\n", LLVM_VERSION_STRING);
    unsigned missing = 0, compared = 0;
    for (int k = 1; k < argc; k++)
        compared += compare_file(argv[k]);
    for (size_t k = 0; argc == 1 && k < sizeof libraries / sizeof libraries[0]; k++) {
        char path[1024];
        if (find_library(libraries[k].name, 0, libraries[k].is64, path, sizeof path))
            compared += compare_file(path);
        else if (libraries[k].wanted)
            printf("NOT COMPARED: no %s on this machine\n", libraries[k].name), missing++;
    }
    compare_random();
    for (int mode = JCC_MODE_64; mode <= JCC_MODE_16; mode++)
        LLVMDisasmDispose(disassemblers[mode]);
    if (different)
        printf("FAILED: %" PRIu64 " unexplained differences\n", different);
    else
        printf("no unexplained difference in %u files and the random strings; %u libraries missing\n", compared, missing);
    return different ? 1 : missing ? 77 : 0;
}
