// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flatten.h"

#include "origin.h"

#include <elf.h>
#include <llvm-c/Core.h>
#include <string.h>

enum jcc_status jcc_flatten(struct jcc_job *job, struct jcc_flat *flat)
{
    *flat = (struct jcc_flat){0};
    unsigned bits = jcc_job_mode(job) == JCC_MODE_64 ? 64 : 32;
    if (jcc_scan_has_other_mode(&job->scan, bits))
        return JCC_OK; // not followed
    if (job->scan.flat) {
        flat->scan = &job->scan;
        return JCC_OK;
    }
    enum jcc_status status = jcc_job_pass(job, JCC_PASS_OBJECT, job->source.text, job->source.length, &job->diagnostics, &flat->plain);
    if (status)
        return status;
    struct jcc_diagnostics aside = {0};
    struct jcc_text marked = {0};
    jcc_origin_mark(&marked, &job->scan);
    status = marked.failed ? JCC_ERROR_NO_MEMORY : jcc_job_pass(job, JCC_PASS_TEXT, marked.data, marked.length, &aside, &flat->text);
    jcc_diagnostics_clear(&aside);
    jcc_text_free(&marked);
    if (status == JCC_ERROR_SOURCE)
        return JCC_OK; // `.if . - label` and kin have no value while LLVM prints
    if (status)
        return status;
    status = jcc_scan_text(&flat->owned, LLVMGetBufferStart(flat->text), LLVMGetBufferSize(flat->text));
    if (!status && !jcc_origin_regions(&job->scan, &flat->owned))
        status = JCC_ERROR_NO_MEMORY;
    if (!status && flat->owned.flat && !jcc_scan_has_other_mode(&flat->owned, bits))
        flat->scan = &flat->owned;
    return status;
}

void jcc_flat_free(struct jcc_flat *flat)
{
    jcc_scan_free(&flat->owned);
    if (flat->text)
        LLVMDisposeMemoryBuffer(flat->text);
    if (flat->plain)
        LLVMDisposeMemoryBuffer(flat->plain);
    *flat = (struct jcc_flat){0};
}

// The next section from *INDEX on that is loaded.
static const struct jcc_emitted_section *next_loaded(const struct jcc_emitted *object, size_t *index)
{
    while (++*index < object->section_count)
        if (object->sections[*index].flags & SHF_ALLOC)
            return &object->sections[*index];
    return NULL;
}

static bool same_section(const struct jcc_emitted_section *a, const struct jcc_emitted_section *b)
{
    return !strcmp(a->name, b->name) && a->type == b->type && a->flags == b->flags && a->size == b->size && a->alignment == b->alignment &&
           (a->type == SHT_NOBITS || !a->size || !memcmp(a->bytes, b->bytes, (size_t)a->size));
}

bool jcc_flat_is_same(LLVMMemoryBufferRef source, LLVMMemoryBufferRef expanded)
{
    struct jcc_emitted a = {0}, b = {0};
    bool same = !jcc_emitted_open(&a, LLVMGetBufferStart(source), LLVMGetBufferSize(source)) &&
                !jcc_emitted_open(&b, LLVMGetBufferStart(expanded), LLVMGetBufferSize(expanded));
    const struct jcc_emitted_section *x, *y;
    size_t i = 0, j = 0;
    while (same) {
        x = next_loaded(&a, &i);
        y = next_loaded(&b, &j);
        if (!x || !y) {
            same = !x && !y;
            break;
        }
        same = same_section(x, y);
    }
    jcc_emitted_close(&a);
    jcc_emitted_close(&b);
    return same;
}
