// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measure, plan, write, verify: the engine's four steps and its retreats.
#include "assembler.h"
#include "flatten.h"
#include "planner.h"
#include "quick.h"
#include "verify.h"
#include "write.h"

#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

// A section whose padded form does not hold is left plain and the rest tried again; at most so often.
#define ROUNDS_MAX 6

struct plan {
    struct jcc_job *job;
    struct jcc_flat flat;          // the text that is planned
    struct jcc_sections *sections; // the job's, where its source is flat, else the expanded text's own
    struct jcc_labels *labels;
    struct jcc_sections own_sections;
    struct jcc_labels own_labels;
    uint32_t *marked;
    size_t marked_count;
    uint32_t *marks;
    LLVMMemoryBufferRef plain; // of the flat text, with marks
    struct jcc_emitted object; // plain, read
    struct jcc_measure measure;
};

// The plain object of the flat text. Diagnostics are the source's own only when nothing was put into the text.
static enum jcc_status assemble_plain(struct plan *p)
{
    struct jcc_job *job = p->job;
    const struct jcc_scan *scan = p->flat.scan;
    enum jcc_status status = jcc_marks_choose(scan, p->sections, &p->marked, &p->marked_count);
    if (status)
        return status;
    bool as_is = !p->marked_count && scan == &job->scan;
    struct jcc_text text = {0};
    struct jcc_diagnostics aside = {0};
    jcc_marks_write(&text, scan, p->marked, p->marked_count);
    if (text.failed)
        status = JCC_ERROR_NO_MEMORY;
    else
        status = jcc_job_pass(job, JCC_PASS_OBJECT, text.data, text.length, as_is ? &job->diagnostics : &aside, &p->plain);
    // LLVM warns of the source: of the marked text its columns are not the user's.
    if (!status && aside.count && scan == &job->scan)
        status = jcc_job_pass(job, JCC_PASS_OBJECT, scan->text, scan->length, &job->diagnostics, &p->flat.plain);
    jcc_diagnostics_clear(&aside);
    jcc_text_free(&text);
    return status;
}

static enum jcc_status measure(struct plan *p)
{
    enum jcc_status status = jcc_emitted_open(&p->object, LLVMGetBufferStart(p->plain), LLVMGetBufferSize(p->plain));
    if (status)
        return status;
    p->marks = calloc(2 * p->marked_count + 1, sizeof *p->marks);
    if (!p->marks)
        return JCC_ERROR_NO_MEMORY;
    if (!jcc_marks_read(&p->object, p->marks, p->marked_count))
        return JCC_ERROR_UNSUPPORTED; // the source has symbols of that name, or hid one of ours
    p->measure = (struct jcc_measure){.scan = p->flat.scan,
                                      .sections = p->sections,
                                      .labels = p->labels,
                                      .policy = &p->job->policy,
                                      .object = &p->object,
                                      .mode = jcc_job_mode(p->job),
                                      .marks = p->marks,
                                      .mark_count = 2 * p->marked_count,
                                      .marked = p->marked,
                                      .marked_count = p->marked_count};
    return jcc_measure_run(&p->measure);
}

// One round: write, assemble, verify. JCC_ERROR_DIFFERENT: some section was taken out of the plan, try again.
static enum jcc_status write_and_verify(struct plan *p)
{
    struct jcc_job *job = p->job;
    struct jcc_text text = {0};
    struct jcc_diagnostics aside = {0};
    LLVMMemoryBufferRef padded = NULL;
    enum jcc_status status = jcc_write_plan(&text, &p->measure);
    if (!status)
        status = jcc_job_pass(job, JCC_PASS_OBJECT, text.data, text.length, &aside, &padded);
    if (status == JCC_ERROR_SOURCE) {
        jcc_verify_blame_all(&p->measure);
        status = JCC_ERROR_DIFFERENT;
    } else if (!status) {
        status = jcc_verify(job, &p->measure, p->plain, padded);
    }
    if (!status) {
        job->object = padded;
        padded = NULL;
    }
    if (padded)
        LLVMDisposeMemoryBuffer(padded);
    jcc_diagnostics_clear(&aside);
    jcc_text_free(&text);
    return status;
}

// What is left when nothing is planned: the source's own plain object, its units named.
static enum jcc_status stay_plain(struct plan *p, bool measured)
{
    struct jcc_job *job = p->job;
    enum jcc_status status = JCC_OK;
    if (p->flat.plain) {
        job->object = p->flat.plain;
        p->flat.plain = NULL;
    } else if (p->plain && !p->marked_count) {
        job->object = p->plain;
        p->plain = NULL;
    } else {
        status = jcc_job_plain(job);
    }
    if (!status)
        status = jcc_job_check(job, measured ? &p->measure : NULL, JCC_RESIDUAL_NOT_PLANNED);
    job->totals.affected_plain = job->totals.affected;
    job->totals.code_bytes_plain = job->totals.code_bytes;
    return status;
}

static enum jcc_status follow(struct plan *p)
{
    struct jcc_job *job = p->job;
    enum jcc_status status = assemble_plain(p);
    if (status == JCC_ERROR_SOURCE && (p->marked_count || p->flat.plain))
        return stay_plain(p, false); // also finds the source's own diagnostics
    if (status)
        return status;
    if (p->flat.plain && !jcc_flat_is_same(p->flat.plain, p->plain))
        return stay_plain(p, false);
    status = measure(p);
    if (status)
        return status == JCC_ERROR_UNSUPPORTED ? stay_plain(p, false) : status;
    status = jcc_planner_run(&p->measure, job->request);
    if (status)
        return status;
    status = JCC_ERROR_DIFFERENT;
    for (uint32_t round = 0; status == JCC_ERROR_DIFFERENT && round < ROUNDS_MAX && jcc_planner_any(&p->measure); round++) {
        job->totals.rounds++;
        status = write_and_verify(p);
    }
    if (status == JCC_ERROR_DIFFERENT) {
        jcc_verify_blame_all(&p->measure);
        return stay_plain(p, true);
    }
    if (status)
        return status;
    jcc_planner_count_pads(&p->measure, &job->totals);
    uint64_t units;
    if (job->request->list_pads && (status = jcc_job_list_pads(job, &p->measure)))
        return status;
    status = jcc_job_count(job, LLVMGetBufferStart(p->plain), LLVMGetBufferSize(p->plain), &job->totals.affected_plain,
                           &job->totals.code_bytes_plain, &units);
    return status ? status : jcc_job_check(job, &p->measure, JCC_RESIDUAL_NOT_PLANNED);
}

static void release(struct plan *p)
{
    jcc_measure_free(&p->measure);
    jcc_emitted_close(&p->object);
    if (p->plain)
        LLVMDisposeMemoryBuffer(p->plain);
    free(p->marks);
    free(p->marked);
    jcc_source_labels_free(&p->own_labels);
    jcc_sections_free(&p->own_sections);
    jcc_flat_free(&p->flat);
}

enum jcc_status jcc_job_plan(struct jcc_job *job)
{
    if (job->request->verify == JCC_VERIFY_PLAN) {
        enum jcc_status quick = jcc_job_plan_quick(job);
        if (quick != JCC_ERROR_UNSUPPORTED)
            return quick;
    }
    struct plan p = {.job = job};
    enum jcc_status status = jcc_flatten(job, &p.flat);
    job->totals.flattened = !job->scan.flat;
    if (!status && !p.flat.scan)
        status = stay_plain(&p, false);
    else if (!status) {
        bool expanded = p.flat.scan != &job->scan;
        p.sections = expanded ? &p.own_sections : &job->sections;
        p.labels = expanded ? &p.own_labels : &job->labels;
        if (expanded)
            status = jcc_source_labels_of(p.flat.scan, p.sections, p.labels);
        if (!status)
            status = follow(&p);
    }
    release(&p);
    return status;
}
