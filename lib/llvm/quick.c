// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "quick.h"

#include "hold.h"
#include "lessons.h"
#include "planner.h"
#include "write.h"

#include <llvm-c/Core.h>

struct quick {
    struct jcc_job *job;
    struct jcc_lessons lessons;
    struct jcc_measure measure;
    struct jcc_emitted object;
    LLVMMemoryBufferRef buffer;
};

static bool has_intel_syntax(const struct jcc_scan *scan)
{
    for (size_t k = 0; k < scan->count; k++)
        if (scan->statements[k].directive == JCC_DIRECTIVE_INTEL)
            return true;
    return false;
}

static enum jcc_status learn_and_walk(struct quick *q)
{
    struct jcc_job *job = q->job;
    q->lessons = (struct jcc_lessons){.scan = &job->scan,
                                      .sections = &job->sections,
                                      .labels = &job->labels,
                                      .book = &job->books[job->request->target],
                                      .mode = jcc_job_mode(job)};
    enum jcc_status status = jcc_lessons_learn(&q->lessons, job->session, job->request->target);
    if (status)
        return status;
    q->measure = (struct jcc_measure){.scan = &job->scan,
                                      .sections = &job->sections,
                                      .labels = &job->labels,
                                      .policy = &job->policy,
                                      .lessons = &q->lessons,
                                      .mode = jcc_job_mode(job)};
    status = jcc_measure_run(&q->measure);
    for (size_t k = 0; !status && k < q->measure.code_count; k++)
        if (!q->measure.codes[k].followed || jcc_planner_may_run_data(&q->measure.codes[k]))
            status = JCC_ERROR_UNSUPPORTED;
    return status;
}

static enum jcc_status write_and_hold(struct quick *q)
{
    struct jcc_job *job = q->job;
    struct jcc_text text = {0};
    struct jcc_diagnostics aside = {0};
    enum jcc_status status = jcc_write_plan(&text, &q->measure);
    if (!status)
        status = jcc_job_pass(job, JCC_PASS_OBJECT, text.data, text.length, &aside, &q->buffer);
    bool warned = aside.count != 0; // its place would be the written text's
    jcc_diagnostics_clear(&aside);
    jcc_text_free(&text);
    if (status == JCC_ERROR_SOURCE || (!status && warned))
        return JCC_ERROR_UNSUPPORTED;
    if (!status)
        status = jcc_emitted_open(&q->object, LLVMGetBufferStart(q->buffer), LLVMGetBufferSize(q->buffer));
    if (status)
        return status;
    if (!jcc_hold_match(&q->measure, &q->object) || !jcc_hold(&q->measure, &job->totals.held_instructions))
        return JCC_ERROR_UNSUPPORTED;
    q->measure.object = &q->object;
    return JCC_OK;
}

static enum jcc_status run(struct quick *q)
{
    struct jcc_job *job = q->job;
    enum jcc_status status = learn_and_walk(q);
    if (!status)
        status = jcc_planner_run(&q->measure, job->request);
    if (!status)
        status = write_and_hold(q);
    if (!status)
        status = jcc_planner_count_plain(&q->measure, &job->totals);
    if (status)
        return status;
    job->totals.rounds = 1;
    jcc_planner_count_pads(&q->measure, &job->totals);
    job->object = q->buffer;
    q->buffer = NULL;
    status = job->request->list_pads ? jcc_job_list_pads(job, &q->measure) : JCC_OK;
    return status ? status : jcc_job_check(job, &q->measure, JCC_RESIDUAL_NOT_PLANNED);
}

enum jcc_status jcc_job_plan_quick(struct jcc_job *job)
{
    if (!job->scan.flat || job->scan.names_modes || has_intel_syntax(&job->scan))
        return JCC_ERROR_UNSUPPORTED;
    struct quick q = {.job = job};
    enum jcc_status status = run(&q);
    if (status == JCC_ERROR_UNSUPPORTED)
        job->totals = (struct jcc_assemble_totals){.engine = job->totals.engine, .llvm_passes = job->totals.llvm_passes};
    jcc_measure_free(&q.measure);
    jcc_lessons_free(&q.lessons);
    jcc_emitted_close(&q.object);
    if (q.buffer)
        LLVMDisposeMemoryBuffer(q.buffer);
    return status;
}
