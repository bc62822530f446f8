// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check.h"
#include "commands.h"
#include "options.h"
#include "output.h"
#include "policy_options.h"
#include "progress.h"

static bool set_summary(void *context, const char *value)
{
    (void)value;
    ((struct check_job *)context)->findings = false;
    return true;
}

static bool set_quiet(void *context, const char *value)
{
    struct check_job *job = context;
    (void)value;
    job->findings = false;
    job->summary = false;
    return true;
}

static const struct option check_options[] = {
    {"--summary", NULL, "the line of totals for each file, without the findings", set_summary},
    {"-q", NULL, "print nothing; the exit status tells", set_quiet},
};

static int check_all(struct check_job *job, const struct arguments *arguments, size_t operands)
{
    int worst = EXIT_CLEAN;
    for (size_t i = 0; i < operands && !output_failed(); i++) {
        progress_start("checking", arguments->list[i]);
        int status = check_file(job, arguments->list[i]);
        worst = status > worst ? status : worst;
    }
    progress_stop();
    return worst;
}

int command_check(struct arguments *arguments)
{
    struct check_job job = {.findings = true, .summary = true};
    struct policy_options policy = policy_options_default();
    const struct option_group groups[] = {
        {check_options, sizeof check_options / sizeof check_options[0], &job},
        policy_option_group(&policy),
    };
    const struct command_line line = {
        .command = "check",
        .operands = "FILE...",
        .summary = "Look for affected branches in ELF objects, executables, shared libraries and archives ('-': standard input).",
        .groups = groups,
        .group_count = sizeof groups / sizeof groups[0],
    };
    size_t operands;
    enum parsed parsed = options_parse(&line, arguments, &operands);
    if (parsed != PARSED_OK)
        return parsed == PARSED_HELP ? EXIT_CLEAN : EXIT_TROUBLE;
    if (operands == 0) {
        message(NULL, "no file to check; '-' is standard input");
        return EXIT_TROUBLE;
    }
    job.policy = policy_of(&policy);
    return check_all(&job, arguments, operands);
}
