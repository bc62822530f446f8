// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L
#include "as.h"
#include "commands.h"
#include "options.h"
#include "output.h"
#include "policy_options.h"
#include "profile_options.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool set_out(void *context, const char *value)
{
    struct as_job *job = context;
    job->out = value;
    if (value[0] == '\0')
        message(NULL, "-o: the name is empty");
    return value[0] != '\0';
}

static bool set_engine(void *context, const char *value)
{
    static const struct {
        const char *name;
        enum jcc_engine engine;
    } engines[] = {{"plan", JCC_ENGINE_PLAN}, {"llvm", JCC_ENGINE_LLVM}, {"auto", JCC_ENGINE_AUTO}};
    struct as_job *job = context;
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
        if (strcmp(value, engines[i].name) == 0) {
            job->engine = engines[i].engine;
            return true;
        }
    }
    message(NULL, "--engine=%s: must be plan, llvm or auto", value);
    return false;
}

static bool set_report(void *context, const char *value)
{
    struct as_job *job = context;
    if (value == NULL || strcmp(value, "summary") == 0)
        job->report = AS_REPORT_SUMMARY;
    else if (strcmp(value, "text") == 0)
        job->report = AS_REPORT_TEXT;
    else if (strcmp(value, "json") == 0)
        job->report = AS_REPORT_JSON;
    else
        message(NULL, "--report=%s: must be summary, text or json", value);
    if (job->report == AS_REPORT_JSON && !as_has_json())
        message(NULL, "--report=json: built without jansson");
    return job->report != AS_REPORT_NONE && (job->report != AS_REPORT_JSON || as_has_json());
}

static bool set_prove(void *context, const char *value)
{
    (void)value;
    ((struct as_job *)context)->prove = true;
    return true;
}

static bool set_32(void *context, const char *value)
{
    (void)value;
    ((struct as_job *)context)->target = JCC_TARGET_I386;
    return true;
}

static bool set_64(void *context, const char *value)
{
    (void)value;
    ((struct as_job *)context)->target = JCC_TARGET_X86_64;
    return true;
}

static bool set_x32(void *context, const char *value)
{
    (void)value;
    ((struct as_job *)context)->target = JCC_TARGET_X32;
    return true;
}

static bool append(const char ***list, size_t *count, const char *value)
{
    // Twice as long whenever it is full, which it is at each power of two: a profile may have a hundred thousand.
    if ((*count & (*count - 1)) == 0) {
        const char **grown = realloc(*list, (*count == 0 ? 1 : *count * 2) * sizeof *grown);
        if (grown == NULL) {
            message(NULL, "out of memory");
            return false;
        }
        *list = grown;
    }
    (*list)[(*count)++] = value;
    return true;
}

static bool add_include(void *context, const char *value)
{
    struct as_job *job = context;
    return append(&job->include, &job->include_count, value);
}

static bool set_scope(void *context, const char *value)
{
    struct as_job *job = context;
    job->has_scope = true;
    if (strcmp(value, "all") == 0)
        job->scope = JCC_SCOPE_ALL;
    else if (strcmp(value, "loops") == 0)
        job->scope = JCC_SCOPE_LOOPS;
    else
        message(NULL, "--scope=%s: must be all or loops", value);
    return strcmp(value, "all") == 0 || strcmp(value, "loops") == 0;
}

static bool add_function(void *context, const char *value)
{
    struct as_job *job = context;
    if (value[0] == '\0') {
        message(NULL, "--function: the name is empty");
        return false;
    }
    job->named_count++;
    return append(&job->functions, &job->function_count, value);
}

// "NOP,PREFIX", in tenths of a byte.
static bool parse_prices(const char *text, struct jcc_layout_prices *prices)
{
    char rest;
    unsigned nop, prefix;
    bool digits = strspn(text, "0123456789,") == strlen(text) && strlen(text) < 16;
    if (!digits || sscanf(text, "%u,%u%c", &nop, &prefix, &rest) != 2)
        return false;
    *prices = (struct jcc_layout_prices){nop, prefix};
    return true;
}

static bool set_prices(void *context, const char *value)
{
    static const struct jcc_layout_prices defaults = JCC_LAYOUT_PRICES_DEFAULT, size = JCC_LAYOUT_PRICES_SIZE;
    struct as_job *job = context;
    job->has_prices = true;
    if (strcmp(value, "default") == 0)
        job->prices = defaults;
    else if (strcmp(value, "size") == 0)
        job->prices = size;
    else if (!parse_prices(value, &job->prices)) {
        message(NULL, "--prices=%s: must be default, size, or NOP,PREFIX in tenths of a byte", value);
        return false;
    }
    return true;
}

static const struct option as_options[] = {
    {"-o", "OUT", "write the object to OUT (default a.out); '-' is standard output", set_out},
    {"-I", "DIR", "search DIR for .include and .incbin; may be given again", add_include},
    {"--64", NULL, "for x86-64 (default)", set_64},
    {"--32", NULL, "for i386", set_32},
    {"--x32", NULL, "for x86-64 with 32-bit pointers", set_x32},
    {"--engine", "plan|llvm|auto", "plan the padding (default), use LLVM's options, or what fits", set_engine},
    {"--scope", "all|loops", "pad all code (default), or what stands in a loop", set_scope},
    {"--function", "NAME", "pad the functions of this name or pattern alone; may be given again", add_function},
    {"--prices", "default|size|NOP,PREFIX", "what an executed no-operation and a prefix cost, in tenths of a byte; size: few bytes",
     set_prices},
    {"--prove", NULL, "prove the object against a plain one, at the price of assembling that too", set_prove},
    {"--report", "[=summary|text|json]", "totals and each branch that stays affected, each pad too, or all as JSON on standard output",
     set_report},
};

// LLVM pads as it does: what it would not look at is refused, and so is a scope beside a scope.
static bool go_together(const struct as_job *job, const struct profile_options *profile)
{
    const struct {
        bool given;
        const char *name;
    } not_for_llvm[] = {{job->has_scope, "--scope"},
                        {job->named_count != 0, "--function"},
                        {profile->path != NULL, "--profile"},
                        {job->has_prices, "--prices"},
                        {job->prove, "--prove"}};
    for (size_t k = 0; job->engine == JCC_ENGINE_LLVM && k < sizeof not_for_llvm / sizeof not_for_llvm[0]; k++) {
        if (not_for_llvm[k].given) {
            message(NULL, "--engine=llvm does not take %s: LLVM pads all code at its own prices, and nothing is proved",
                    not_for_llvm[k].name);
            return false;
        }
    }
    bool profile_scopes = profile->path != NULL && !profile->weighs;
    if (job->has_scope && (job->named_count != 0 || profile_scopes)) {
        message(NULL, "--scope and %s each say what to pad", job->named_count != 0 ? "--function" : "--profile");
        return false;
    }
    return true;
}

// The profile's hot functions, weighed, or as --function would name them.
static bool take_profile(struct profile_options *options, struct as_job *job)
{
    if (!profile_options_read(options))
        return false;
    if (options->weighs) {
        job->weights = options->weights;
        job->weight_count = options->profile.count;
        return true;
    }
    for (size_t k = 0; k < options->profile.count; k++)
        if (!append(&job->functions, &job->function_count, options->profile.hot[k]))
            return false;
    return true;
}

// FILE, or standard input as GNU as reads it when there is none; but nobody who forgot the file waits at a terminal.
static bool choose_input(struct as_job *job, const struct arguments *arguments, size_t operands)
{
    if (job->report == AS_REPORT_JSON && strcmp(job->out, "-") == 0) {
        message(NULL, "--report=json and -o - both want standard output");
        return false;
    }
    if (operands > 1) {
        message(NULL, "as takes one file, and here is another: '%s'", arguments->list[1]);
        return false;
    }
    if (operands == 0 && isatty(STDIN_FILENO)) {
        message(NULL, "no file to assemble; '-' is standard input");
        return false;
    }
    job->in = operands == 1 ? arguments->list[0] : "-";
    return true;
}

int command_as(struct arguments *arguments)
{
    struct as_job job = {.out = "a.out", .engine = JCC_ENGINE_PLAN, .target = JCC_TARGET_X86_64};
    struct profile_options profile = profile_options_default();
    struct policy_options policy = policy_options_default();
    const struct option_group groups[] = {
        {as_options, sizeof as_options / sizeof as_options[0], &job},
        profile_option_group(&profile),
        policy_option_group(&policy),
    };
    const struct command_line line = {
        .command = "as",
        .operands = "[FILE|-]",
        .summary = "Assemble GNU assembly text into an ELF object in which no branch is affected.",
        .groups = groups,
        .group_count = sizeof groups / sizeof groups[0],
    };
    size_t operands;
    int status = EXIT_TROUBLE;
    enum parsed parsed = options_parse(&line, arguments, &operands);
    if (parsed == PARSED_HELP) {
        status = EXIT_CLEAN;
    } else if (parsed == PARSED_OK && choose_input(&job, arguments, operands) && go_together(&job, &profile) &&
               take_profile(&profile, &job)) {
        job.policy = policy_of(&policy);
        job.policy.scope = job.function_count != 0 ? JCC_SCOPE_FUNCTIONS : job.scope;
        status = as_run(&job);
    }
    free(job.include);
    free(job.functions);
    profile_options_free(&profile);
    return status;
}
