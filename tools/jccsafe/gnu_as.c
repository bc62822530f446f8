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

enum { BOUNDARY, PREFIX_LIMIT };

enum form {
    FLAG,   // the word itself
    JOINED, // the word, and a value behind it in the same word, which may be empty
    VALUE,  // a value behind the word or, if that ends there, in the next one
};

struct gnu_option {
    const char *name;
    enum form form;
    bool (*set)(struct gnu_as *as, const struct gnu_option *option, const char *value); // VALUE: NULL for a flag
    const char *note;                                                                   // what -v says; NULL: it is acted upon
    int choice;                                                                         // for a SET that serves several options
};

static bool nothing(struct gnu_as *as, const struct gnu_option *option, const char *value)
{
    (void)as;
    (void)option;
    (void)value;
    return true;
}

static bool set_out(struct gnu_as *as, const struct gnu_option *option, const char *value)
{
    (void)option;
    as->job.out = value;
    return true;
}

static bool set_target(struct gnu_as *as, const struct gnu_option *option, const char *value)
{
    (void)value;
    as->job.target = (enum jcc_target)option->choice;
    return true;
}

static bool add_include(struct gnu_as *as, const struct gnu_option *option, const char *value)
{
    (void)option;
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
static bool define_symbol(struct gnu_as *as, const struct gnu_option *option, const char *value)
{
    (void)option;
    const char *equals = strchr(value, '=');
    char *end;
    if (equals == NULL || equals == value || (strtoull(equals + 1, &end, 0), end == equals + 1 || *end != '\0')) {
        message(NULL, "--defsym %s: must be NAME=VALUE, with a number for a value", value);
        return false;
    }
    return append_before(as, value) && append_before(as, ";");
}

static bool set_stack(struct gnu_as *as, const struct gnu_option *option, const char *value)
{
    (void)value;
    return append_after(as, option->choice ? "\n.pushsection .note.GNU-stack,\"x\",@progbits\n.popsection\n"
                                           : "\n.pushsection .note.GNU-stack,\"\",@progbits\n.popsection\n");
}

static bool set_warnings(struct gnu_as *as, const struct gnu_option *option, const char *value)
{
    (void)value;
    as->job.warnings = (enum as_warnings)option->choice;
    return true;
}

static bool dwarf(struct gnu_as *as, const struct gnu_option *option, const char *value)
{
    if (strlen(value) != 1 || value[0] < '2' || value[0] > '5') {
        message(NULL, "%s%s: must be 2 to 5", option->name, value);
        return false;
    }
    as->job.dwarf_version = (unsigned)(value[0] - '0');
    return true;
}

static bool syntax(struct gnu_as *as, const struct gnu_option *option, const char *value)
{
    if (strcmp(value, "intel") == 0)
        return append_before(as, ".intel_syntax noprefix;");
    if (strcmp(value, "att") == 0)
        return true;
    message(NULL, "%s%s: must be att or intel", option->name, value);
    return false;
}

static bool yes_or_no(struct gnu_as *as, const struct gnu_option *option, const char *value)
{
    (void)as;
    if (strcmp(value, "yes") == 0 || strcmp(value, "no") == 0)
        return true;
    message(NULL, "%s%s: must be yes or no", option->name, value);
    return false;
}

// LLVM's C interface gives no way to compress; what is not compressed is right, too.
static bool compress(struct gnu_as *as, const struct gnu_option *option, const char *value)
{
    static const char *const known[] = {"", "=none", "=zlib", "=zlib-gnu", "=zlib-gabi", "=zstd"};
    (void)as;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (strcmp(value, known[k]) == 0)
            return true;
    message(NULL, "%s%s: must be none, zlib, zlib-gnu, zlib-gabi or zstd", option->name, value);
    return false;
}

// A number, into the policy's boundary or prefix limit.
static bool set_number(struct gnu_as *as, const struct gnu_option *option, const char *value)
{
    uint32_t *to = option->choice == PREFIX_LIMIT ? &as->job.policy.prefix_limit : &as->job.policy.boundary;
    char *end;
    unsigned long number = strtoul(value, &end, 0);
    *to = (uint32_t)number;
    if (isdigit((unsigned char)value[0]) && *end == '\0' && number <= UINT32_MAX && jcc_policy_check(&as->job.policy) == JCC_OK)
        return true;
    message(NULL, "%s%s: must be a number in its range", option->name, value);
    return false;
}

static bool set_kinds(struct gnu_as *as, const struct gnu_option *option, const char *value)
{
    if (jcc_kinds_parse(value, &as->job.policy.kinds) == JCC_OK)
        return true;
    message(NULL, "%s%s: must be one or more of jcc, fused, jmp, call, ret and indirect, joined by '+'", option->name, value);
    return false;
}

static bool branches_within(struct gnu_as *as, const struct gnu_option *option, const char *value)
{
    (void)option;
    (void)value;
    as->job.policy = jcc_policy_clang();
    return true;
}

static bool version(struct gnu_as *as, const struct gnu_option *option, const char *value)
{
    (void)option;
    (void)value;
    as->version_only = true;
    return true;
}

static bool verbose(struct gnu_as *as, const struct gnu_option *option, const char *value)
{
    (void)option;
    (void)value;
    as->verbose = true;
    return true;
}

static bool refuse_listing(struct gnu_as *as, const struct gnu_option *option, const char *value)
{
    (void)as;
    message(NULL, "%s%s: listings are not made; `objdump -d` shows the object, `jccsafe as --report=text` the pads", option->name, value);
    return false;
}

static bool refuse_mitigation(struct gnu_as *as, const struct gnu_option *option, const char *value)
{
    (void)as;
    if (strcmp(value, "no") == 0 || strcmp(value, "none") == 0)
        return true;
    message(NULL, "%s%s: only no or none is taken, as what it asks for is not made", option->name, value);
    return false;
}

#define LOCAL_LABELS "labels that begin with .L are left out of the symbol table"
#define UNCHANGED    "it changes nothing here"

// A longer name stands before one that it begins with.
static const struct gnu_option options[] = {
    {"--32", FLAG, set_target, NULL, JCC_TARGET_I386},
    {"--64", FLAG, set_target, NULL, JCC_TARGET_X86_64},
    {"--x32", FLAG, set_target, NULL, JCC_TARGET_X32},
    {"--divide", FLAG, nothing, "'/' divides wherever LLVM reads an expression", 0},
    {"--defsym=", JOINED, define_symbol, NULL, 0},
    {"--defsym", VALUE, define_symbol, NULL, 0},
    {"--noexecstack", FLAG, set_stack, NULL, false},
    {"--execstack", FLAG, set_stack, NULL, true},
    {"--fatal-warnings", FLAG, set_warnings, NULL, AS_WARNINGS_FATAL},
    {"--no-warn", FLAG, set_warnings, NULL, AS_WARNINGS_NONE},
    {"--warn", FLAG, set_warnings, NULL, AS_WARNINGS_PRINT},
    {"--gdwarf-", JOINED, dwarf, NULL, 0},
    {"-gdwarf-", JOINED, dwarf, NULL, 0},
    {"--gdwarf-sections", FLAG, nothing, UNCHANGED, 0},
    {"--gdwarf-cie-version=", JOINED, nothing, "LLVM writes version 1", 0},
    {"--gen-debug", FLAG, nothing, "line information for the assembly source itself is not made", 0},
    {"-g", FLAG, nothing, "line information for the assembly source itself is not made", 0},
    {"--compress-debug-sections", JOINED, compress, "debug sections are not compressed", 0},
    {"--nocompress-debug-sections", FLAG, nothing, NULL, 0},
    {"--keep-locals", FLAG, nothing, LOCAL_LABELS, 0},
    {"--strip-local-absolute", FLAG, nothing, UNCHANGED, 0},
    {"--statistics", FLAG, nothing, UNCHANGED, 0},
    {"--traditional-format", FLAG, nothing, UNCHANGED, 0},
    {"--reduce-memory-overheads", FLAG, nothing, UNCHANGED, 0},
    {"--hash-size=", JOINED, nothing, UNCHANGED, 0},
    {"--size-check=", JOINED, nothing, UNCHANGED, 0},
    {"--elf-stt-common=", JOINED, nothing, UNCHANGED, 0},
    {"--sectname-subst", FLAG, nothing, UNCHANGED, 0},
    {"--generate-missing-build-notes=", JOINED, nothing, UNCHANGED, 0},
    {"--listing-", JOINED, nothing, UNCHANGED, 0},
    {"--target-help", FLAG, version, NULL, 0},
    {"--help", FLAG, version, NULL, 0},
    {"--version", FLAG, version, NULL, 0},
    {"-version", FLAG, version, NULL, 0},
    {"--verbose", FLAG, verbose, NULL, 0},
    {"-mbranches-within-32B-boundaries", FLAG, branches_within, NULL, 0},
    {"-malign-branch-boundary=", JOINED, set_number, NULL, BOUNDARY},
    {"-malign-branch-prefix-size=", JOINED, set_number, NULL, PREFIX_LIMIT},
    {"-malign-branch=", JOINED, set_kinds, NULL, 0},
    {"-mrelax-relocations=", JOINED, yes_or_no, "GOT loads are relaxable", 0},
    {"-msyntax=", JOINED, syntax, NULL, 0},
    {"-mmnemonic=", JOINED, nothing, UNCHANGED, 0},
    {"-mnaked-reg", FLAG, nothing, "registers have no % in Intel syntax alone", 0},
    {"-march=", JOINED, nothing, "every instruction that LLVM knows is taken", 0},
    {"-mtune=", JOINED, nothing, UNCHANGED, 0},
    {"-mlfence-after-load=", JOINED, refuse_mitigation, NULL, 0},
    {"-mlfence-before-indirect-branch=", JOINED, refuse_mitigation, NULL, 0},
    {"-mlfence-before-ret=", JOINED, refuse_mitigation, NULL, 0},
    {"-mfence-as-lock-add=", JOINED, refuse_mitigation, NULL, 0},
    {"-momit-lock-prefix=", JOINED, refuse_mitigation, NULL, 0},
    {"-mx86-used-note=", JOINED, nothing, "no note of used instructions is made", 0},
    {"-moperand-check=", JOINED, nothing, UNCHANGED, 0},
    {"-msse-check=", JOINED, nothing, UNCHANGED, 0},
    {"-mshared", FLAG, nothing, UNCHANGED, 0},
    {"-mamd64", FLAG, nothing, UNCHANGED, 0},
    {"-mintel64", FLAG, nothing, UNCHANGED, 0},
    {"-I", VALUE, add_include, NULL, 0},
    {"-o", VALUE, set_out, NULL, 0},
    {"-a", JOINED, refuse_listing, NULL, 0},
    {"-D", FLAG, nothing, UNCHANGED, 0},
    {"-J", FLAG, nothing, UNCHANGED, 0},
    {"-K", FLAG, nothing, UNCHANGED, 0},
    {"-L", FLAG, nothing, LOCAL_LABELS, 0},
    {"-O2", FLAG, nothing, UNCHANGED, 0},
    {"-O1", FLAG, nothing, UNCHANGED, 0},
    {"-O", FLAG, nothing, UNCHANGED, 0},
    {"-Os", FLAG, nothing, UNCHANGED, 0},
    {"-Qy", FLAG, nothing, UNCHANGED, 0},
    {"-Qn", FLAG, nothing, UNCHANGED, 0},
    {"-W", FLAG, set_warnings, NULL, AS_WARNINGS_NONE},
    {"-V", FLAG, verbose, NULL, 0},
    {"-Z", FLAG, nothing, "an object is never written after errors", 0},
    {"-f", FLAG, nothing, UNCHANGED, 0},
    {"-k", FLAG, nothing, UNCHANGED, 0},
    {"-n", FLAG, nothing, UNCHANGED, 0},
    {"-q", FLAG, nothing, UNCHANGED, 0},
    {"-s", FLAG, nothing, UNCHANGED, 0},
    {"-v", FLAG, verbose, NULL, 0},
    {"-w", FLAG, nothing, UNCHANGED, 0},
    {"-x", FLAG, nothing, UNCHANGED, 0},
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
    return option->set(as, option, value);
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
