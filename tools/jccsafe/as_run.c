// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L
#include "as.h"
#include "output.h"

#if JCCSAFE_HAVE_LLVM
#include "crash.h"
#include "input.h"
#include "outfile.h"
#include "progress.h"
#include <jccsafe/process.h>
#include <string.h>
#include <unistd.h>

// What jcc_assemble takes (assemble.h).
#define SOURCE_MAX ((size_t)1 << 30)

static bool is_off(const struct jcc_policy *policy)
{
    return policy->boundary == 0 || policy->kinds == 0;
}

// The engine to ask for. LLVM's options hold for the process, so they are set here, where the process is ours. *ENGINE is PLAN
// when there is nothing to pad: LLVM has no option that says so.
static bool choose_engine(const struct as_job *job, enum jcc_engine *engine)
{
    *engine = job->engine;
    if (job->engine != JCC_ENGINE_LLVM)
        return true;
    if (is_off(&job->policy)) {
        *engine = JCC_ENGINE_PLAN;
        return true;
    }
    enum jcc_status status = jcc_process_enable(&job->policy);
    if (status != JCC_OK)
        message(NULL, "--engine=llvm: LLVM %s did not take the policy: %s", jcc_llvm_version(), jcc_status_message(status));
    return status == JCC_OK;
}

// A profile is of a whole program, of which this file is a part; but who names a function means one of this file.
static void warn_of_strangers(const struct as_job *job, const struct jcc_assemble_result *result)
{
    for (size_t k = 0; result->functions_found != NULL && k < job->named_count; k++)
        if (!result->functions_found[k])
            message(input_name(job->in), "--function=%s names no function in it", job->functions[k]);
}

static int finish(const struct as_job *job, enum jcc_status status, const struct jcc_assemble_result *result)
{
    const char *name = input_name(job->in);
    // Standard output is as GNU as has it, unless something else goes there.
    bool taken = strcmp(job->out, "-") == 0 || job->report == AS_REPORT_JSON;
    size_t errors = as_print_diagnostics(result, job->warnings, taken ? stderr : stdout);
    if (status == JCC_OK && errors != 0)
        status = JCC_ERROR_SOURCE; // warnings that count as errors
    if (status == JCC_ERROR_SOURCE) {
        if (errors == 0)
            message(name, "%s", jcc_status_message(status));
        outfile_remove(job->out);
        return EXIT_FOUND;
    }
    if (status != JCC_OK) {
        message(name, "%s", jcc_status_message(status));
        return EXIT_TROUBLE;
    }
    warn_of_strangers(job, result);
    if (!outfile_write(job->out, result->object, result->object_size))
        return EXIT_TROUBLE;
    if (job->report == AS_REPORT_JSON)
        return as_print_json(name, result) ? EXIT_CLEAN : EXIT_TROUBLE;
    if (job->report == AS_REPORT_NONE)
        return EXIT_CLEAN;
    return as_print_report(name, result, job->report == AS_REPORT_TEXT) ? EXIT_CLEAN : EXIT_TROUBLE;
}

static int assemble(const struct as_job *job, enum jcc_engine engine, const struct input *input)
{
    struct jcc_assemble_request request = {
        .size = sizeof request,
        .text = input->bytes,
        .length = input->size,
        .name = input_name(job->in),
        .policy = job->policy,
        .engine = engine,
        .functions = job->functions,
        .function_count = job->function_count,
        .function_weights = job->weights,
        .function_weight_count = job->weight_count,
        .prices = job->has_prices ? &job->prices : NULL,
        .list_pads = job->report >= AS_REPORT_TEXT,
        .verify = job->prove ? JCC_VERIFY_FULL : JCC_VERIFY_PLAN,
        .target = job->target,
        .dwarf_version = job->dwarf_version,
        .include = job->include,
        .include_count = job->include_count,
    };
    struct jcc_assemble_result result = {.size = sizeof result};
    jcc_assembler *assembler;
    enum jcc_status status = jcc_assembler_create(&assembler);
    if (status == JCC_OK) {
        progress_start("assembling", request.name);
        crash_guard(request.name);
        status = jcc_assemble(assembler, &request, &result);
        progress_stop();
    }
    jcc_assembler_destroy(assembler);
    int exit_status = finish(job, status, &result);
    jcc_assemble_result_free(&result);
    return exit_status;
}

static bool read_one(const struct as_job *job, const char *path, struct input *input)
{
    struct stat status;
    int fd = input_open(path, &status);
    if (fd < 0)
        return false;
    if (outfile_is(job->out, &status)) {
        message(input_name(path), "is the output too");
        close(fd);
        return false;
    }
    return input_read_fd(fd, path, SOURCE_MAX, input);
}

// A line marker, so that what is said of the next line names PATH and counts from 1.
static bool append_marker(struct as_text *text, const char *path)
{
    return as_text_append(text, "\n# 1 \"", 6) && as_text_append(text, input_name(path), strlen(input_name(path))) &&
           as_text_append(text, "\"\n", 2);
}

// All inputs as one text, with what comes before and behind.
static bool read_all(const struct as_job *job, struct as_text *text)
{
    bool ok = as_text_append(text, job->before.bytes, job->before.size);
    for (size_t k = 0; ok && k < job->input_count; k++) {
        struct input input;
        if (!read_one(job, job->inputs[k], &input))
            return false;
        ok = (k == 0 || append_marker(text, job->inputs[k])) && as_text_append(text, input.bytes, input.size);
        input_free(&input);
    }
    return ok && as_text_append(text, job->after.bytes, job->after.size);
}

int as_run(const struct as_job *job)
{
    struct input input = {0};
    struct as_text text = {0};
    enum jcc_engine engine;
    bool read = job->inputs != NULL ? read_all(job, &text) : read_one(job, job->in, &input);
    if (job->inputs != NULL)
        input = (struct input){text.bytes, text.size};
    int status = EXIT_TROUBLE;
    if (read && choose_engine(job, &engine))
        status = assemble(job, engine, &input);
    if (job->inputs != NULL)
        as_text_free(&text);
    else if (read)
        input_free(&input);
    return status;
}

#else

int as_run(const struct as_job *job)
{
    (void)job;
    message(NULL, "built without LLVM, so there is no assembler");
    return EXIT_TROUBLE;
}

#endif
