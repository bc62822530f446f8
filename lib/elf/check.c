// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "file.h"
#include <string.h>

struct walk {
    const jcc_elf *elf;
    size_t code;
    jcc_elf_finding_fn each;
    void *context;
    bool stopped;
};

static bool pass_on(void *context, const struct jcc_finding *unit)
{
    struct walk *walk = context;
    struct jcc_elf_finding finding = {&walk->elf->code[walk->code], *unit, jcc_elf_locate(walk->elf, walk->code, unit->address)};
    walk->stopped = !walk->each(walk->context, &finding);
    return !walk->stopped;
}

static bool holds_units(const struct jcc_check_totals *totals, uint32_t kinds)
{
    for (unsigned kind = 0; kind < JCC_KIND_COUNT; kind++)
        if (totals->units[kind] && (kinds & JCC_KIND_BIT(kind)))
            return true;
    return false;
}

// Whether a linker may put CODE where its findings are not what they are here.
static bool may_move(const jcc_elf *elf, const struct jcc_elf_code *code, uint32_t boundary)
{
    return jcc_elf_is_object(elf) && boundary != 0 && (code->alignment == 0 || code->alignment % boundary != 0);
}

static void add(struct jcc_check_totals *sum, const struct jcc_check_totals *one)
{
    sum->instructions += one->instructions;
    sum->undecoded += one->undecoded;
    sum->doubtful += one->doubtful;
    for (unsigned kind = 0; kind < JCC_KIND_COUNT; kind++) {
        sum->units[kind] += one->units[kind];
        sum->affected[kind] += one->affected[kind];
    }
}

JCC_API enum jcc_status jcc_elf_check(const jcc_elf *elf, const struct jcc_policy *policy, jcc_elf_finding_fn each, void *context,
                                      struct jcc_elf_totals *totals)
{
    if (totals && totals->size < sizeof *totals)
        return JCC_ERROR_ARGUMENT;
    struct jcc_elf_totals sum = {.size = sizeof sum};
    if (totals)
        *totals = sum;
    if (!elf)
        return JCC_ERROR_ARGUMENT;
    struct walk walk = {.elf = elf, .each = each, .context = context};
    struct jcc_starts starts = {0};
    enum jcc_status status = jcc_policy_check(policy);
    if (status == JCC_OK)
        status = jcc_starts_read(elf, &starts);
    for (; status == JCC_OK && walk.code < elf->code_count && !walk.stopped; walk.code++) {
        const struct jcc_elf_code *code = &elf->code[walk.code];
        struct jcc_check_totals one = {0};
        size_t first = starts.first[walk.code], count = starts.first[walk.code + 1] - first;
        status = jcc_check_from(policy, jcc_elf_mode(elf), code->address, code->bytes, code->size, starts.offsets + first, count,
                                each ? pass_on : NULL, &walk, &one);
        add(&sum.check, &one);
        sum.bytes += code->size;
        sum.code_runs++;
        sum.unanchored += holds_units(&one, policy->kinds) && may_move(elf, code, policy->boundary);
    }
    jcc_starts_free(&starts);
    if (totals)
        *totals = sum;
    return status;
}
