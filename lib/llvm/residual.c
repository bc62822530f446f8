// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L
#include "assembler.h"
#include "origin.h"
#include "text.h"
#include "units.h"

#include <jccsafe/padding.h>
#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

struct lister {
    struct jcc_job *job;
    const struct jcc_measure *measure;
    const struct jcc_emitted_section *plain_sections; // of the object that was measured
    enum jcc_residual reason;
    uint64_t unmet; // affected units that a walk along the bytes does not come to
    bool failed;
};

static const struct jcc_code *code_of(const struct lister *l, uint32_t section_index)
{
    for (size_t k = 0; l->measure && k < l->measure->code_count; k++)
        if ((size_t)(l->measure->codes[k].object - l->plain_sections) == section_index)
            return &l->measure->codes[k];
    return NULL;
}

// The item that holds byte OFFSET of the section, in the plan when there is one.
static size_t item_at(const struct jcc_code *code, uint64_t offset)
{
    size_t low = 0, high = code->count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        uint64_t begin = code->planned ? code->places[middle].offset : code->sources[middle].plain;
        if (begin <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void explain(const struct lister *l, const struct jcc_code *code, uint64_t offset, struct jcc_raw_residual *raw)
{
    if (!code || !code->followed || !code->count)
        return;
    size_t k = item_at(code, offset);
    const struct jcc_layout_item *item = &code->items[k];
    raw->text = jcc_origin_find(&l->job->scan, l->measure->scan, code->sources[k].last);
    if (item->type == JCC_ITEM_DATA)
        raw->reason = JCC_RESIDUAL_WRITTEN_AS_DATA;
    else if (code->planned && item->flags & JCC_ITEM_EXEMPT)
        raw->reason = JCC_RESIDUAL_OPTED_OUT;
    else if (code->planned)
        raw->reason = code->places[k].residual != JCC_RESIDUAL_NONE ? (enum jcc_residual)code->places[k].residual : JCC_RESIDUAL_NO_SITE;
}

static bool add(struct lister *l, struct jcc_raw_residual *raw, const char *section)
{
    struct jcc_job *job = l->job;
    raw->section = strdup(section);
    if (!raw->section || !jcc_grow(&job->residuals, &job->residual_capacity, job->residual_count + 1, sizeof *job->residuals)) {
        free(raw->section);
        l->failed = true;
        return false;
    }
    job->residuals[job->residual_count++] = *raw;
    return true;
}

static bool on_finding(void *context, const struct jcc_elf_finding *finding)
{
    struct lister *l = context;
    if (finding->unit.doubtful)
        return true;
    struct jcc_raw_residual raw = {.text = UINT32_MAX, .kind = (enum jcc_kind)finding->unit.kind, .reason = l->reason};
    raw.offset = finding->unit.address - finding->code->address;
    raw.section_index = finding->code->index;
    explain(l, code_of(l, finding->code->index), raw.offset, &raw);
    return add(l, &raw, finding->code->name);
}

// The first residual of section INDEX that is not before OFFSET, from FROM on; END: none.
static size_t residual_at(const struct jcc_job *job, size_t from, size_t end, size_t index, uint64_t offset)
{
    while (from < end && (job->residuals[from].section_index != index || job->residuals[from].offset < offset))
        from++;
    return from;
}

// Bytes tell instructions from data only so far: behind a table a branch may be read as part of what is none. The statements say what it is.
static void add_unmet(struct lister *l, const struct jcc_code *code, const struct jcc_layout_place *places)
{
    const struct jcc_policy *policy = &l->job->policy;
    size_t met = 0, listed = l->job->residual_count, index = (size_t)(code->object - l->plain_sections);
    struct jcc_unit unit;
    for (size_t k = 0; k < code->count && !l->failed; k += unit.items > 1 ? 2 : 1) {
        unit = jcc_unit_at(policy, code, places, k);
        if (!unit.items || !jcc_affected(policy->boundary, unit.begin, unit.end - unit.begin))
            continue;
        met = residual_at(l->job, met, listed, index, unit.begin);
        if (met < listed && l->job->residuals[met].offset < unit.end)
            continue;
        struct jcc_raw_residual raw = {
            .text = UINT32_MAX, .kind = unit.kind, .reason = l->reason, .section_index = index, .offset = unit.begin};
        explain(l, code, unit.begin, &raw);
        add(l, &raw, code->object->name);
        l->unmet++;
    }
}

static enum jcc_status list_unmet(struct lister *l)
{
    for (size_t k = 0; l->measure && k < l->measure->code_count && !l->failed; k++) {
        const struct jcc_code *code = &l->measure->codes[k];
        if (!code->followed || !code->count || !code->object)
            continue;
        struct jcc_layout_place *plain = code->planned ? NULL : jcc_plain_places(code);
        if (!code->planned && !plain)
            return JCC_ERROR_NO_MEMORY;
        add_unmet(l, code, plain ? plain : code->places);
        free(plain);
    }
    return l->failed ? JCC_ERROR_NO_MEMORY : JCC_OK;
}

static uint64_t sum(const uint64_t *by_kind)
{
    uint64_t total = 0;
    for (int k = JCC_KIND_NONE + 1; k < JCC_KIND_COUNT; k++)
        total += by_kind[k];
    return total;
}

static uint64_t sum_of_kinds(const uint64_t *by_kind, uint32_t kinds)
{
    uint64_t total = 0;
    for (int k = JCC_KIND_NONE + 1; k < JCC_KIND_COUNT; k++)
        total += kinds & JCC_KIND_BIT(k) ? by_kind[k] : 0;
    return total;
}

static enum jcc_status check(const struct jcc_job *job, const void *image, size_t size, jcc_elf_finding_fn each, void *context,
                             struct jcc_elf_totals *totals)
{
    jcc_elf *elf;
    enum jcc_status status = jcc_elf_open_memory(image, size, &elf);
    if (status)
        return status == JCC_ERROR_NO_MEMORY ? status : JCC_ERROR_LLVM;
    status = jcc_elf_check(elf, &job->policy, each, context, totals);
    jcc_elf_close(elf);
    return status;
}

enum jcc_status jcc_job_count(const struct jcc_job *job, const void *image, size_t size, uint64_t *affected, uint64_t *bytes,
                              uint64_t *units)
{
    struct jcc_elf_totals totals = {.size = sizeof totals};
    enum jcc_status status = check(job, image, size, NULL, NULL, &totals);
    *affected = sum(totals.check.affected);
    *bytes = totals.bytes;
    *units = sum_of_kinds(totals.check.units, job->policy.kinds);
    return status;
}

enum jcc_status jcc_job_check(struct jcc_job *job, const struct jcc_measure *measure, enum jcc_residual reason)
{
    struct lister l = {.job = job, .measure = measure, .reason = reason};
    l.plain_sections = measure ? measure->object->sections : NULL;
    struct jcc_elf_totals totals = {.size = sizeof totals};
    const void *image = LLVMGetBufferStart(job->object);
    enum jcc_status status = check(job, image, LLVMGetBufferSize(job->object), on_finding, &l, &totals);
    if (!status)
        status = l.failed ? JCC_ERROR_NO_MEMORY : list_unmet(&l);
    if (status)
        return status;
    job->totals.units = sum_of_kinds(totals.check.units, job->policy.kinds) + l.unmet;
    job->totals.affected = sum(totals.check.affected) + l.unmet;
    job->totals.code_bytes = totals.bytes;
    if (!measure && job->totals.engine != JCC_ENGINE_LLVM) {
        job->totals.affected_plain = job->totals.affected;
        job->totals.code_bytes_plain = job->totals.code_bytes;
    }
    return JCC_OK;
}
