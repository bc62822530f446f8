// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.h"
#include "options.h"
#include "output.h"
#include <jccsafe/cpu.h>
#include <stdio.h>

static bool set_quiet(void *context, const char *value)
{
    (void)value;
    *(bool *)context = true;
    return true;
}

static const struct option cpu_options[] = {
    {"-q", NULL, "print nothing; exit 0: not affected, 1: affected, 2: not known", set_quiet},
};

struct verdict {
    const char *text;
    int quiet_status;
};

static const struct verdict verdicts[] = {
    [JCC_CPU_NO] = {"not in Intel's list of affected CPUs", EXIT_CLEAN},
    [JCC_CPU_DOCUMENTED] = {"in Intel's list of November 2019", EXIT_FOUND},
    [JCC_CPU_PROBABLE] = {"not in Intel's list, but other projects treat it as affected", EXIT_FOUND},
    [JCC_CPU_UNKNOWN] = {"this CPU could not be identified", EXIT_TROUBLE},
};

static void print_cpu(const struct jcc_cpu *cpu, enum jcc_cpu_affected affected)
{
    printf("vendor      %s\n", cpu->vendor);
    printf("family      0x%x\n", (unsigned)cpu->family);
    printf("model       0x%x\n", (unsigned)cpu->model);
    printf("stepping    0x%x\n", (unsigned)cpu->stepping);
    if (cpu->has_microcode)
        printf("microcode   0x%x\n", (unsigned)cpu->microcode);
    else
        puts("microcode   unknown");
    puts(cpu->hypervisor ? "hypervisor  yes: model and microcode may be another machine's" : "hypervisor  no");
    printf("affected    %s: %s\n", jcc_cpu_affected_name(affected), verdicts[affected].text);
}

int command_cpu(struct arguments *arguments)
{
    bool quiet = false;
    const struct option_group group = {cpu_options, sizeof cpu_options / sizeof cpu_options[0], &quiet};
    const struct command_line line = {
        .command = "cpu",
        .operands = "",
        .summary = "Say whether this CPU has the JCC erratum, by Intel's list of models.",
        .groups = &group,
        .group_count = 1,
    };
    size_t operands;
    enum parsed parsed = options_parse(&line, arguments, &operands);
    if (parsed != PARSED_OK)
        return parsed == PARSED_HELP ? EXIT_CLEAN : EXIT_TROUBLE;
    if (operands != 0) {
        message(NULL, "cpu takes no file: '%s'", arguments->list[0]);
        return EXIT_TROUBLE;
    }

    struct jcc_cpu cpu = {.size = sizeof cpu};
    if (jcc_cpu_read(&cpu) != JCC_OK) {
        if (!quiet)
            message(NULL, "this CPU could not be read: there is no CPUID");
        return EXIT_TROUBLE;
    }
    enum jcc_cpu_affected affected = jcc_cpu_classify(cpu.vendor, cpu.family, cpu.model, cpu.stepping);
    if (quiet)
        return verdicts[affected].quiet_status;
    print_cpu(&cpu, affected);
    return EXIT_CLEAN;
}
