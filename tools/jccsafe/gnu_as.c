// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command under the name of `as`, as a compiler calls it: GNU as's options (its manual, "Command-Line Options" and "80386 Dependent
// Features"), each with what becomes of it here.
#define _POSIX_C_SOURCE 200809L
#include "gnu_as.h"
#include "as.h"
#include "output.h"
#include "suggest.h"
#include <ctype.h>
#include <jccsafe/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gnu_as {
    struct as_job job;
    const char **inputs;
    size_t input_count;
    const char **include;
    struct as_text before; // read before the inputs
    struct as_text after;  // and behind them
    bool verbose;          // -v: say what is not acted upon
    bool version_only;
};

enum form {
    FLAG,   // the word itself
    JOINED, // the word, and a value behind it in the same word, which may be empty
    VALUE,  // a value behind the word or, if that ends there, in the next one
};

struct gnu_option {
    const char *name;
    enum form form;
    bool (*set)(struct gnu_as *as, const char *value);
    const char *note; // what -v says; NULL: it is acted upon
};

static bool nothing(struct gnu_as *as, const char *value)
{
    (void)as;
    (void)value;
    return true;
}

static bool set_out(struct gnu_as *as, const char *value)
{
    as->job.out = value;
    return true;
}

static bool set_64(struct gnu_as *as, const char *value)
{
    (void)value;
    as->job.target = JCC_TARGET_X86_64;
    return true;
}

static bool set_32(struct gnu_as *as, const char *value)
{
    (void)value;
    as->job.target = JCC_TARGET_I386;
    return true;
}

static bool set_x32(struct gnu_as *as, const char *value)
{
    (void)value;
    as->job.target = JCC_TARGET_X32;
    return true;
}

static bool add_include(struct gnu_as *as, const char *value)
{
    as->include[as->job.include_count++] = value; // there is room for as many as there are words
    return true;
}

static bool append_before(struct gnu_as *as, const char *text)
{
    return as_text_append(&as->before, text, strlen(text));
}

static bool append_after(struct gnu_as *as, const char *text)
{
    return as_text_append(&as->after, text, strlen(text));
}

// "NAME=VALUE": a symbol that is set before the source is read.
static bool define_symbol(struct gnu_as *as, const char *value)
{
    const char *equals = strchr(value, '=');
    char *end;
    if (equals == NULL || equals == value || (strtoull(equals + 1, &end, 0), end == equals + 1 || *end != '\0')) {
        message(NULL, "--defsym %s: must be NAME=VALUE, with a number for a value", value);
        return false;
    }
    return append_before(as, value) && append_before(as, ";");
}

static bool no_execstack(struct gnu_as *as, const char *value)
{
    (void)value;
    return append_after(as, "\n.pushsection .note.GNU-stack,\"\",@progbits\n.popsection\n");
}

static bool execstack(struct gnu_as *as, const char *value)
{
    (void)value;
    return append_after(as, "\n.pushsection .note.GNU-stack,\"x\",@progbits\n.popsection\n");
}

static bool no_warnings(struct gnu_as *as, const char *value)
{
    (void)value;
    as->job.warnings = AS_WARNINGS_NONE;
    return true;
}

static bool warnings(struct gnu_as *as, const char *value)
{
    (void)value;
    as->job.warnings = AS_WARNINGS_PRINT;
    return true;
}

static bool fatal_warnings(struct gnu_as *as, const char *value)
{
    (void)value;
    as->job.warnings = AS_WARNINGS_FATAL;
    return true;
}

static bool dwarf(struct gnu_as *as, const char *value)
{
    if (strlen(value) != 1 || value[0] < '2' || value[0] > '5') {
        message(NULL, "--gdwarf-%s: must be 2 to 5", value);
        return false;
    }
    as->job.dwarf_version = (unsigned)(value[0] - '0');
    return true;
}

static bool syntax(struct gnu_as *as, const char *value)
{
    if (strcmp(value, "intel") == 0)
        return append_before(as, ".intel_syntax noprefix;");
    if (strcmp(value, "att") == 0)
        return true;
    message(NULL, "-msyntax=%s: must be att or intel", value);
    return false;
}

static bool yes_or_no(struct gnu_as *as, const char *value)
{
    (void)as;
    if (strcmp(value, "yes") == 0 || strcmp(value, "no") == 0)
        return true;
    message(NULL, "-mrelax-relocations=%s: must be yes or no", value);
    return false;
}

// LLVM's C interface gives no way to compress; what is not compressed is right, too.
static bool compress(struct gnu_as *as, const char *value)
{
    static const char *const known[] = {"", "=none", "=zlib", "=zlib-gnu", "=zlib-gabi", "=zstd"};
    (void)as;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (strcmp(value, known[k]) == 0)
            return true;
    message(NULL, "--compress-debug-sections%s: must be none, zlib, zlib-gnu, zlib-gabi or zstd", value);
    return false;
}

static bool number(const char *option, const char *value, uint32_t *to)
{
    char *end;
    unsigned long parsed = strtoul(value, &end, 0);
    if (!isdigit((unsigned char)value[0]) || *end != '\0' || parsed > UINT32_MAX) {
        message(NULL, "%s%s: must be a number", option, value);
        return false;
    }
    *to = (uint32_t)parsed;
    return true;
}

static bool is_sound(const struct gnu_as *as, const char *option, const char *value)
{
    if (jcc_policy_check(&as->job.policy) == JCC_OK)
        return true;
    message(NULL, "%s%s: out of its range", option, value);
    return false;
}

static bool set_boundary(struct gnu_as *as, const char *value)
{
    const char *option = "-malign-branch-boundary=";
    return number(option, value, &as->job.policy.boundary) && is_sound(as, option, value);
}

static bool set_prefix_size(struct gnu_as *as, const char *value)
{
    const char *option = "-malign-branch-prefix-size=";
    return number(option, value, &as->job.policy.prefix_limit) && is_sound(as, option, value);
}

static bool set_kinds(struct gnu_as *as, const char *value)
{
    if (jcc_kinds_parse(value, &as->job.policy.kinds) == JCC_OK)
        return true;
    message(NULL, "-malign-branch=%s: must be one or more of jcc, fused, jmp, call, ret and indirect, joined by '+'", value);
    return false;
}

static bool branches_within(struct gnu_as *as, const char *value)
{
    (void)value;
    as->job.policy = jcc_policy_clang();
    return true;
}

static bool version(struct gnu_as *as, const char *value)
{
    (void)value;
    as->version_only = true;
    return true;
}

static bool verbose(struct gnu_as *as, const char *value)
{
    (void)value;
    as->verbose = true;
    return true;
}

static bool refuse_listing(struct gnu_as *as, const char *value)
{
    (void)as;
    message(NULL, "-a%s: listings are not made; `objdump -d` shows the object, `jccsafe as --report=text` the pads", value);
    return false;
}

static bool refuse_mitigation(struct gnu_as *as, const char *value)
{
    (void)as;
    if (strcmp(value, "no") == 0 || strcmp(value, "none") == 0)
        return true;
    message(NULL, "-mlfence-…=%s and the like: only 'no' or 'none' is taken, as the fences and prefixes that they ask for are not made",
            value);
    return false;
}

#define LOCAL_LABELS "labels that begin with .L are left out of the symbol table"
#define UNCHANGED    "it changes nothing here"

// A longer name stands before one that it begins with.
static const struct gnu_option options[] = {
    {"--32", FLAG, set_32, NULL},
    {"--64", FLAG, set_64, NULL},
    {"--x32", FLAG, set_x32, NULL},
    {"--divide", FLAG, nothing, "'/' divides wherever LLVM reads an expression"},
    {"--defsym=", JOINED, define_symbol, NULL},
    {"--defsym", VALUE, define_symbol, NULL},
    {"--noexecstack", FLAG, no_execstack, NULL},
    {"--execstack", FLAG, execstack, NULL},
    {"--fatal-warnings", FLAG, fatal_warnings, NULL},
    {"--no-warn", FLAG, no_warnings, NULL},
    {"--warn", FLAG, warnings, NULL},
    {"--gdwarf-", JOINED, dwarf, NULL},
    {"-gdwarf-", JOINED, dwarf, NULL},
    {"--gdwarf-sections", FLAG, nothing, UNCHANGED},
    {"--gdwarf-cie-version=", JOINED, nothing, "LLVM writes version 1"},
    {"--gen-debug", FLAG, nothing, "line information for the assembly source itself is not made"},
    {"-g", FLAG, nothing, "line information for the assembly source itself is not made"},
    {"--compress-debug-sections", JOINED, compress, "debug sections are not compressed"},
    {"--nocompress-debug-sections", FLAG, nothing, NULL},
    {"--keep-locals", FLAG, nothing, LOCAL_LABELS},
    {"--strip-local-absolute", FLAG, nothing, UNCHANGED},
    {"--statistics", FLAG, nothing, UNCHANGED},
    {"--traditional-format", FLAG, nothing, UNCHANGED},
    {"--reduce-memory-overheads", FLAG, nothing, UNCHANGED},
    {"--hash-size=", JOINED, nothing, UNCHANGED},
    {"--size-check=", JOINED, nothing, UNCHANGED},
    {"--elf-stt-common=", JOINED, nothing, UNCHANGED},
    {"--sectname-subst", FLAG, nothing, UNCHANGED},
    {"--generate-missing-build-notes=", JOINED, nothing, UNCHANGED},
    {"--listing-", JOINED, nothing, UNCHANGED},
    {"--target-help", FLAG, version, NULL},
    {"--help", FLAG, version, NULL},
    {"--version", FLAG, version, NULL},
    {"-version", FLAG, version, NULL},
    {"--verbose", FLAG, verbose, NULL},
    {"-mbranches-within-32B-boundaries", FLAG, branches_within, NULL},
    {"-malign-branch-boundary=", JOINED, set_boundary, NULL},
    {"-malign-branch-prefix-size=", JOINED, set_prefix_size, NULL},
    {"-malign-branch=", JOINED, set_kinds, NULL},
    {"-mrelax-relocations=", JOINED, yes_or_no, "GOT loads are relaxable"},
    {"-msyntax=", JOINED, syntax, NULL},
    {"-mmnemonic=", JOINED, nothing, UNCHANGED},
    {"-mnaked-reg", FLAG, nothing, "registers have no % in Intel syntax alone"},
    {"-march=", JOINED, nothing, "every instruction that LLVM knows is taken"},
    {"-mtune=", JOINED, nothing, UNCHANGED},
    {"-mlfence-after-load=", JOINED, refuse_mitigation, NULL},
    {"-mlfence-before-indirect-branch=", JOINED, refuse_mitigation, NULL},
    {"-mlfence-before-ret=", JOINED, refuse_mitigation, NULL},
    {"-mfence-as-lock-add=", JOINED, refuse_mitigation, NULL},
    {"-momit-lock-prefix=", JOINED, refuse_mitigation, NULL},
    {"-mx86-used-note=", JOINED, nothing, "no note of used instructions is made"},
    {"-moperand-check=", JOINED, nothing, UNCHANGED},
    {"-msse-check=", JOINED, nothing, UNCHANGED},
    {"-mshared", FLAG, nothing, UNCHANGED},
    {"-mamd64", FLAG, nothing, UNCHANGED},
    {"-mintel64", FLAG, nothing, UNCHANGED},
    {"-I", VALUE, add_include, NULL},
    {"-o", VALUE, set_out, NULL},
    {"-a", JOINED, refuse_listing, NULL},
    {"-D", FLAG, nothing, UNCHANGED},
    {"-J", FLAG, nothing, UNCHANGED},
    {"-K", FLAG, nothing, UNCHANGED},
    {"-L", FLAG, nothing, LOCAL_LABELS},
    {"-O2", FLAG, nothing, UNCHANGED},
    {"-O1", FLAG, nothing, UNCHANGED},
    {"-O", FLAG, nothing, UNCHANGED},
    {"-Os", FLAG, nothing, UNCHANGED},
    {"-Qy", FLAG, nothing, UNCHANGED},
    {"-Qn", FLAG, nothing, UNCHANGED},
    {"-W", FLAG, no_warnings, NULL},
    {"-V", FLAG, verbose, NULL},
    {"-Z", FLAG, nothing, "an object is never written after errors"},
    {"-f", FLAG, nothing, UNCHANGED},
    {"-k", FLAG, nothing, UNCHANGED},
    {"-n", FLAG, nothing, UNCHANGED},
    {"-q", FLAG, nothing, UNCHANGED},
    {"-s", FLAG, nothing, UNCHANGED},
    {"-v", FLAG, verbose, NULL},
    {"-w", FLAG, nothing, UNCHANGED},
    {"-x", FLAG, nothing, UNCHANGED},
};
#define OPTIONS (sizeof options / sizeof options[0])

static const struct gnu_option *find(const char *word)
{
    for (size_t k = 0; k < OPTIONS; k++) {
        size_t length = strlen(options[k].name);
        if (options[k].form == FLAG ? strcmp(word, options[k].name) == 0 : strncmp(word, options[k].name, length) == 0)
            return &options[k];
    }
    return NULL;
}

static bool complain_unknown(const char *word)
{
    struct suggestion best = suggest_for(word, strcspn(word, "="));
    for (size_t k = 0; k < OPTIONS; k++)
        suggest_consider(&best, options[k].name);
    if (best.name != NULL)
        message(NULL, "unknown option '%s'; did you mean '%s'?", word, best.name);
    else
        message(NULL, "unknown option '%s'", word);
    return false;
}

static bool take_option(struct gnu_as *as, const struct arguments *words, size_t *at)
{
    const char *word = words->list[*at], *value = NULL;
    const struct gnu_option *option = find(word);
    if (option == NULL)
        return complain_unknown(word);
    if (option->form != FLAG)
        value = word + strlen(option->name);
    if (option->form == VALUE && *value == '\0') {
        if (*at + 1 == words->count) {
            message(NULL, "%s: a value is missing", word);
            return false;
        }
        value = words->list[++*at];
    }
    if (as->verbose && option->note != NULL)
        message(NULL, "%s: %s", word, option->note);
    return option->set(as, value);
}

static bool take_words(struct gnu_as *as, const struct arguments *words)
{
    bool only_inputs = false;
    for (size_t k = 0; k < words->count; k++) {
        const char *word = words->list[k];
        if (!only_inputs && strcmp(word, "--") == 0)
            only_inputs = true;
        else if (only_inputs || word[0] != '-' || word[1] == '\0')
            as->inputs[as->input_count++] = word;
        else if (!take_option(as, words, &k))
            return false;
    }
    return true;
}

// JCCSAFE_POLICY: full, clang or off.
static bool take_environment(struct gnu_as *as)
{
    const char *name = getenv("JCCSAFE_POLICY");
    as->job.policy = jcc_policy_full();
    if (name == NULL || *name == '\0' || jcc_policy_named(name, &as->job.policy) == JCC_OK)
        return true;
    message(NULL, "JCCSAFE_POLICY=%s: must be full, clang or off", name);
    return false;
}

// Configure scripts look for GNU's words to know what options they may pass.
static int print_version(FILE *to)
{
    fprintf(to, "GNU assembler (jccsafe %s, which stands in for it) 2.40\n", jcc_version());
    return EXIT_CLEAN;
}

int command_gnu_as(struct arguments *words)
{
    struct gnu_as as = {.job = {.out = "a.out", .engine = JCC_ENGINE_PLAN, .target = JCC_TARGET_X86_64, .warnings = AS_WARNINGS_PRINT}};
    as.inputs = calloc(words->count + 1, sizeof *as.inputs);
    as.include = calloc(words->count + 1, sizeof *as.include);
    int status = EXIT_TROUBLE;
    // -v counts wherever it stands.
    for (size_t k = 0; k < words->count; k++)
        as.verbose |= strcmp(words->list[k], "-v") == 0;
    if (as.inputs == NULL || as.include == NULL) {
        message(NULL, "out of memory");
    } else if (take_environment(&as) && take_words(&as, words)) {
        if (as.input_count == 0)
            as.inputs[as.input_count++] = "-";
        if (as.verbose && !as.version_only)
            print_version(stderr);
        as.job.include = as.include;
        as.job.in = as.inputs[0];
        as.job.inputs = as.inputs;
        as.job.input_count = as.input_count;
        as.job.before = as.before;
        as.job.after = as.after;
        status = as.version_only ? print_version(stdout) : as_run(&as.job);
    }
    as_text_free(&as.before);
    as_text_free(&as.after);
    free(as.inputs);
    free(as.include);
    return status;
}
