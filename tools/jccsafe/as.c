// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L
#include "as.h"
#include "commands.h"
#include "options.h"
#include "output.h"
#include "policy_options.h"
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
    (void)value;
    ((struct as_job *)context)->report = true;
    return true;
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

static bool add_include(void *context, const char *value)
{
    struct as_job *job = context;
    const char **include = realloc(job->include, (job->include_count + 1) * sizeof *include);
    if (include == NULL) {
        message(NULL, "out of memory");
        return false;
    }
    job->include = include;
    job->include[job->include_count++] = value;
    return true;
}

static const struct option as_options[] = {
    {"-o", "OUT", "write the object to OUT (default a.out); '-' is standard output", set_out},
    {"-I", "DIR", "search DIR for .include and .incbin; may be given again", add_include},
    {"--64", NULL, "for x86-64 (default)", set_64},
    {"--32", NULL, "for i386", set_32},
    {"--x32", NULL, "for x86-64 with 32-bit pointers", set_x32},
    {"--engine", "plan|llvm|auto", "plan the padding (default), use LLVM's options, or what fits", set_engine},
    {"--prove", NULL, "prove the object against a plain one, at the price of assembling that too", set_prove},
    {"--report", NULL, "totals, and each branch that stays affected, on standard error", set_report},
};

// FILE, or standard input as GNU as reads it when there is none; but nobody who forgot the file waits at a terminal.
static bool choose_input(struct as_job *job, const struct arguments *arguments, size_t operands)
{
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
    struct policy_options policy = policy_options_default();
    const struct option_group groups[] = {
        {as_options, sizeof as_options / sizeof as_options[0], &job},
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
    } else if (parsed == PARSED_OK && choose_input(&job, arguments, operands)) {
        job.policy = policy_of(&policy);
        status = as_run(&job);
    }
    free(job.include);
    return status;
}
