// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "result.h"

#include <stdlib.h>
#include <string.h>

// What a result owns. Strings lie in one block.
struct owner {
    unsigned char *object;
    struct jcc_diagnostic *diagnostics;
    struct jcc_residual_unit *residuals;
    struct jcc_pad *pads;
    bool *functions_found;
    char *strings;
};

static void free_owner(struct owner *owner)
{
    if (!owner)
        return;
    free(owner->object);
    free(owner->diagnostics);
    free(owner->residuals);
    free(owner->pads);
    free(owner->functions_found);
    free(owner->strings);
    free(owner);
}

static const char *put(char **at, const char *string)
{
    size_t n = strlen(string) + 1;
    char *begin = memcpy(*at, string, n);
    *at += n;
    return begin;
}

static const char *default_name(const struct jcc_job *job)
{
    return job->request->name ? job->request->name : "<input>";
}

static size_t strings_size(const struct jcc_job *job)
{
    size_t size = strlen(default_name(job)) + 1;
    for (size_t k = 0; k < job->source.file_count; k++)
        size += strlen(job->source.files[k]) + 1;
    for (size_t k = 0; k < job->diagnostics.count; k++) {
        const struct jcc_raw_diagnostic *raw = &job->diagnostics.list[k];
        size += (raw->file ? strlen(raw->file) + 1 : 0) + strlen(raw->message) + 1;
    }
    for (size_t k = 0; k < job->residual_count; k++)
        size += strlen(job->residuals[k].section) + 1;
    return size + job->pad_names.length;
}

static void fill_diagnostics(struct jcc_assemble_result *result, const struct jcc_job *job, struct owner *owner, char **strings,
                             const char *name)
{
    for (size_t k = 0; k < job->diagnostics.count; k++) {
        const struct jcc_raw_diagnostic *raw = &job->diagnostics.list[k];
        owner->diagnostics[k] = (struct jcc_diagnostic){.severity = raw->severity,
                                                        .line = raw->line,
                                                        .column = raw->column,
                                                        .file = raw->file ? put(strings, raw->file) : name,
                                                        .message = put(strings, raw->message)};
    }
    result->diagnostics = owner->diagnostics;
    result->diagnostic_count = job->diagnostics.count;
}

// The user's file and line of byte TEXT of the source; NAME and 0 when they are not known.
static const char *place_in_source(struct jcc_job *job, uint32_t text, const char *const *files, const char *name, uint32_t *user_line)
{
    uint32_t line, column;
    *user_line = 0;
    if (text == UINT32_MAX || !jcc_source_position(&job->source, text, &line, &column))
        return name;
    const char *file = jcc_source_line(&job->source, line, user_line);
    for (size_t f = 0; f < job->source.file_count; f++)
        if (job->source.files[f] == file)
            return files[f];
    return name;
}

static void fill_residuals(struct jcc_assemble_result *result, struct jcc_job *job, struct owner *owner, char **strings,
                           const char *const *files, const char *name)
{
    for (size_t k = 0; k < job->residual_count; k++) {
        const struct jcc_raw_residual *raw = &job->residuals[k];
        struct jcc_residual_unit *unit = &owner->residuals[k];
        *unit = (struct jcc_residual_unit){.kind = raw->kind, .reason = raw->reason, .offset = raw->offset};
        unit->section = put(strings, raw->section);
        unit->file = place_in_source(job, raw->text, files, name, &unit->line);
    }
    result->residuals = owner->residuals;
    result->residual_count = job->residual_count;
}

static void fill_pads(struct jcc_assemble_result *result, struct jcc_job *job, struct owner *owner, const char *names,
                      const char *const *files, const char *name)
{
    for (size_t k = 0; k < job->pad_count; k++) {
        const struct jcc_raw_pad *raw = &job->pads[k];
        struct jcc_pad *pad = &owner->pads[k];
        *pad = raw->pad;
        pad->section = names + raw->section_at;
        pad->function = raw->function_at == UINT32_MAX ? NULL : names + raw->function_at;
        pad->file = place_in_source(job, raw->text, files, name, &pad->line);
    }
    result->pads = owner->pads;
    result->pad_count = job->pad_count;
}

enum jcc_status jcc_result_fill(struct jcc_assemble_result *result, struct jcc_job *job, struct jcc_text *object)
{
    struct owner *owner = calloc(1, sizeof *owner);
    const char **files = calloc(job->source.file_count + 1, sizeof *files);
    if (owner) {
        owner->strings = malloc(strings_size(job));
        owner->diagnostics = calloc(job->diagnostics.count + 1, sizeof *owner->diagnostics);
        owner->residuals = calloc(job->residual_count + 1, sizeof *owner->residuals);
        owner->pads = calloc(job->pad_count + 1, sizeof *owner->pads);
    }
    if (!owner || !files || !owner->strings || !owner->diagnostics || !owner->residuals || !owner->pads) {
        free(files);
        free_owner(owner);
        return JCC_ERROR_NO_MEMORY;
    }
    char *strings = owner->strings;
    const char *name = put(&strings, default_name(job));
    for (size_t k = 0; k < job->source.file_count; k++)
        files[k] = put(&strings, job->source.files[k]);
    fill_diagnostics(result, job, owner, &strings, name);
    if (object) {
        fill_residuals(result, job, owner, &strings, files, name);
        const char *pad_names = strings;
        if (job->pad_names.length)
            memcpy(strings, job->pad_names.data, job->pad_names.length);
        fill_pads(result, job, owner, pad_names, files, name);
        result->object = owner->object = (unsigned char *)object->data;
        result->object_size = object->length;
        result->totals = job->totals;
        result->functions_found = owner->functions_found = job->functions_found;
        job->functions_found = NULL;
    }
    result->owner = owner;
    free(files);
    return JCC_OK;
}

void jcc_assemble_result_free(struct jcc_assemble_result *result)
{
    if (!result)
        return;
    size_t size = result->size;
    free_owner(result->owner);
    *result = (struct jcc_assemble_result){.size = size};
}
