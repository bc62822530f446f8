// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check.h"
#include "output.h"
#include "progress.h"
#include <inttypes.h>

struct report {
    const struct check_job *job;
    const char *name;
};

static void print_name(const char *name)
{
    progress_clear();
    fputs(paint_begin(stdout, PAINT_BOLD), stdout);
    print_escaped(stdout, name);
    printf(":%s ", paint_end(stdout));
}

// The boundary that the unit crosses, or ends on: the last one that is not beyond its end.
static uint64_t boundary_of(const struct jcc_policy *policy, const struct jcc_finding *unit)
{
    return (unit->address + unit->length) & ~(uint64_t)(policy->boundary - 1);
}

// FILE: SECTION+0xOFF (SYMBOL+0xOFF): KIND of N bytes crosses|ends on 0xADDRESS[, if it fuses]
static bool print_finding(void *context, const struct jcc_elf_finding *finding)
{
    const struct report *report = context;
    const struct jcc_finding *unit = &finding->unit;
    print_name(report->name);
    print_escaped(stdout, finding->code->name);
    printf("+0x%" PRIx64, unit->address - finding->code->address);
    if (finding->place.symbol != NULL) {
        fputs(" (", stdout);
        print_escaped(stdout, finding->place.symbol);
        printf("+0x%" PRIx64 ")", finding->place.offset);
    }
    printf(": %s of %u bytes %s 0x%" PRIx64 "%s\n", jcc_kind_name((enum jcc_kind)unit->kind), unit->length,
           unit->ends ? "ends on" : "crosses", boundary_of(&report->job->policy, unit), unit->doubtful ? ", if it fuses" : "");
    return !output_failed();
}

// Sums and the affected units by kind, of the kinds that the policy names.
static void print_summary(const struct report *report, const struct jcc_elf_totals *totals)
{
    const struct jcc_check_totals *check = &totals->check;
    uint64_t units = 0, affected = 0;
    for (int kind = JCC_KIND_NONE + 1; kind < JCC_KIND_COUNT; kind++) {
        if ((report->job->policy.kinds & JCC_KIND_BIT(kind)) != 0)
            units += check->units[kind];
        affected += check->affected[kind];
    }
    print_name(report->name);
    printf("%" PRIu64 " units, %" PRIu64 " affected (", units, affected);
    for (int kind = JCC_KIND_NONE + 1; kind < JCC_KIND_COUNT; kind++)
        printf("%s%s %" PRIu64, kind > JCC_KIND_NONE + 1 ? ", " : "", jcc_kind_name((enum jcc_kind)kind), check->affected[kind]);
    printf("), %" PRIu64 " doubtful, %" PRIu32 " unanchored sections, %" PRIu64 " undecoded bytes\n", check->doubtful, totals->unanchored,
           check->undecoded);
}

static bool any_affected(const struct jcc_check_totals *totals)
{
    for (int kind = JCC_KIND_NONE + 1; kind < JCC_KIND_COUNT; kind++) {
        if (totals->affected[kind] != 0)
            return true;
    }
    return false;
}

int check_elf(const struct check_job *job, const char *name, const jcc_elf *elf, bool *has_code)
{
    struct report report = {job, name};
    struct jcc_elf_totals totals = {.size = sizeof totals};
    enum jcc_status status = jcc_elf_check(elf, &job->policy, job->findings ? print_finding : NULL, &report, &totals);
    *has_code = totals.bytes != 0;
    if (status != JCC_OK) {
        message(name, "%s", jcc_status_message(status));
        return EXIT_TROUBLE;
    }
    if (job->summary && *has_code)
        print_summary(&report, &totals);
    return any_affected(&totals.check) ? EXIT_FOUND : EXIT_CLEAN;
}
