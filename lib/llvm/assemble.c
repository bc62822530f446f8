// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L
#include "assembler.h"
#include "finish.h"
#include "refuse.h"
#include "result.h"
#include "translate.h"
#include "wanted.h"

#include <jccsafe/process.h>
#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

enum jcc_status jcc_assembler_create(jcc_assembler **assembler)
{
    if (!assembler)
        return JCC_ERROR_ARGUMENT;
    *assembler = NULL;
    enum jcc_status status = jcc_session_check();
    if (status)
        return status;
    *assembler = calloc(1, sizeof **assembler);
    return *assembler ? JCC_OK : JCC_ERROR_NO_MEMORY;
}

void jcc_assembler_destroy(jcc_assembler *assembler)
{
    if (!assembler)
        return;
    jcc_session_close(&assembler->session);
    for (int k = 0; k < JCC_TARGET_COUNT; k++)
        jcc_lesson_book_free(&assembler->books[k]);
    free(assembler);
}

enum jcc_mode jcc_job_mode(const struct jcc_job *job)
{
    return job->request->target == JCC_TARGET_I386 ? JCC_MODE_32 : JCC_MODE_64;
}

enum jcc_status jcc_job_pass(struct jcc_job *job, enum jcc_pass pass, const char *text, size_t length, struct jcc_diagnostics *diagnostics,
                             LLVMMemoryBufferRef *buffer)
{
    job->totals.llvm_passes++;
    return jcc_session_run(job->session, job->request->target, pass, text, length, diagnostics, buffer);
}

enum jcc_status jcc_job_plain(struct jcc_job *job)
{
    return jcc_job_pass(job, JCC_PASS_OBJECT, job->source.text, job->source.length, &job->diagnostics, &job->object);
}

static enum jcc_status assemble_plain(struct jcc_job *job)
{
    enum jcc_status status = jcc_job_plain(job);
    return status ? status : jcc_job_check(job, NULL, JCC_RESIDUAL_NOT_PLANNED);
}

// LLVM has regions of its own kind while it makes code, but reads none from text.
static void warn_of_regions(struct jcc_job *job)
{
    const struct jcc_scan *scan = &job->scan;
    for (size_t k = 0; k < scan->mark_count; k++)
        if (scan->marks[k].off && scan->marks[k].statement < scan->count) {
            jcc_source_report(&job->source, &job->diagnostics, JCC_SEVERITY_WARNING, scan->statements[scan->marks[k].statement].begin,
                              "a region begins in which nothing is to be added, which LLVM's own branch alignment does not keep to");
            return;
        }
}

static enum jcc_status assemble_by_engine(struct jcc_job *job)
{
    bool process = jcc_process_enabled(NULL);
    enum jcc_engine engine = job->request->engine;
    if (engine == JCC_ENGINE_AUTO)
        engine = process ? JCC_ENGINE_LLVM : JCC_ENGINE_PLAN;
    if (process != (engine == JCC_ENGINE_LLVM))
        return JCC_ERROR_CONFLICT;
    job->totals.engine = engine;
    if (engine == JCC_ENGINE_LLVM)
        warn_of_regions(job);
    bool off = !job->policy.boundary || !job->policy.kinds;
    return off || engine == JCC_ENGINE_LLVM ? assemble_plain(job) : jcc_job_plan(job);
}

// What LLVM said, in the user's terms, and what it left unsaid.
static enum jcc_status explain(struct jcc_job *job, enum jcc_status status)
{
    enum jcc_status more = jcc_report_open(&job->scan, &job->source, status == JCC_ERROR_SOURCE, &job->diagnostics);
    if (!more && status == JCC_ERROR_SOURCE)
        more = jcc_report_undefined(&job->scan, &job->source, &job->diagnostics);
    jcc_diagnostics_place(&job->diagnostics, &job->source);
    jcc_diagnostics_take_prints(&job->diagnostics);
    if (!status && job->diagnostics.errors)
        status = JCC_ERROR_SOURCE;
    jcc_diagnostics_drop_repeats(&job->diagnostics);
    if (more || job->diagnostics.failed)
        return JCC_ERROR_NO_MEMORY;
    return status;
}

static enum jcc_status scan_source(struct jcc_job *job)
{
    enum jcc_status status = jcc_scan_text(&job->scan, job->source.text, job->source.length);
    bool changed = false;
    job->session->dwarf_version = !status && jcc_translate_is_dwarf5(&job->scan) ? 5 : job->request->dwarf_version;
    if (!status)
        status = jcc_translate(&job->source, &job->scan, job->request->target, &changed);
    if (status || !changed)
        return status;
    jcc_scan_free(&job->scan);
    return jcc_scan_text(&job->scan, job->source.text, job->source.length);
}

static enum jcc_status run(struct jcc_job *job)
{
    enum jcc_status status = jcc_source_open(&job->source, job->request, &job->diagnostics);
    if (status)
        return status;
    status = scan_source(job);
    if (!status)
        status = jcc_source_labels_of(&job->scan, &job->sections, &job->labels);
    if (status)
        return status;
    struct jcc_text rest = {0};
    status = jcc_refuse_deadly(job, &rest);
    if (status == JCC_ERROR_SOURCE && rest.data) {
        LLVMMemoryBufferRef unused = NULL;
        jcc_job_pass(job, JCC_PASS_OBJECT, rest.data, rest.length, &job->diagnostics, &unused);
        if (unused)
            LLVMDisposeMemoryBuffer(unused);
    }
    jcc_text_free(&rest);
    if (!status)
        status = assemble_by_engine(job);
    if (!status && job->policy.scope == JCC_SCOPE_FUNCTIONS && job->totals.engine == JCC_ENGINE_PLAN) {
        job->functions_found = jcc_wanted_found(job->request, LLVMGetBufferStart(job->object), LLVMGetBufferSize(job->object));
        status = job->functions_found ? JCC_OK : JCC_ERROR_NO_MEMORY;
    }
    return explain(job, status);
}

static bool tail_is_zero(const void *request, size_t known, size_t size)
{
    const unsigned char *bytes = request;
    for (size_t k = known; k < size; k++)
        if (bytes[k])
            return false;
    return true;
}

static bool weights_are_sound(const struct jcc_assemble_request *q)
{
    if (!q->function_weights)
        return !q->function_weight_count;
    for (size_t k = 0; k < q->function_weight_count; k++)
        if (!q->function_weights[k].name || q->function_weights[k].weight > JCC_FUNCTION_WEIGHT_MAX)
            return false;
    return true;
}

static bool strings_are_sound(const char *const *list, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (!list || !list[k])
            return false;
    return true;
}

static enum jcc_status check_request(const struct jcc_assemble_request *q)
{
    if (q->size < sizeof *q || !tail_is_zero(q, sizeof *q, q->size))
        return JCC_ERROR_ARGUMENT;
    bool functions = q->policy.scope == JCC_SCOPE_FUNCTIONS;
    if ((!q->text && q->length) || !strings_are_sound(q->include, q->include_count) ||
        (functions && !strings_are_sound(q->functions, q->function_count)) || (unsigned)q->engine > JCC_ENGINE_AUTO ||
        (unsigned)q->target >= JCC_TARGET_COUNT || (unsigned)q->verify > JCC_VERIFY_FULL || !weights_are_sound(q) ||
        q->dwarf_version == 1 || q->dwarf_version > 5)
        return JCC_ERROR_ARGUMENT;
    return jcc_policy_check(&q->policy);
}

enum jcc_status jcc_assemble(jcc_assembler *assembler, const struct jcc_assemble_request *request, struct jcc_assemble_result *result)
{
    if (!result || result->size < sizeof *result)
        return JCC_ERROR_ARGUMENT;
    *result = (struct jcc_assemble_result){.size = sizeof *result}; // first of all, so that it can be freed whatever comes
    if (!assembler || !request)
        return JCC_ERROR_ARGUMENT;
    enum jcc_status status = check_request(request);
    if (status)
        return status;
    struct jcc_job job = {.session = &assembler->session, .books = assembler->books, .request = request, .policy = request->policy};
    status = run(&job);
    struct jcc_text object = {0};
    if (!status)
        status = jcc_finish(&object, LLVMGetBufferStart(job.object), LLVMGetBufferSize(job.object), &job.scan);
    enum jcc_status kept = jcc_result_fill(result, &job, status ? NULL : &object);
    if (status || kept)
        jcc_text_free(&object);
    if (job.object)
        LLVMDisposeMemoryBuffer(job.object);
    for (size_t k = 0; k < job.residual_count; k++)
        free(job.residuals[k].section);
    free(job.residuals);
    free(job.pads);
    free(job.functions_found);
    jcc_text_free(&job.pad_names);
    jcc_diagnostics_clear(&job.diagnostics);
    jcc_source_labels_free(&job.labels);
    jcc_sections_free(&job.sections);
    jcc_scan_free(&job.scan);
    jcc_source_free(&job.source);
    return status ? status : kept;
}
