// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "assembler.h"
#include "functions.h"
#include "origin.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

struct pad_lister {
    struct jcc_job *job;
    const struct jcc_measure *m;
    struct jcc_function_labels functions;
};

static uint32_t keep_name(struct jcc_job *job, const char *name, size_t length)
{
    size_t at = job->pad_names.length;
    jcc_text_append(&job->pad_names, name, length);
    jcc_text_append(&job->pad_names, "", 1);
    return (uint32_t)at;
}

static bool add(struct pad_lister *l, struct jcc_raw_pad raw)
{
    struct jcc_job *job = l->job;
    if (!jcc_grow(&job->pads, &job->pad_capacity, job->pad_count + 1, sizeof *job->pads))
        return false;
    job->pads[job->pad_count++] = raw;
    return true;
}

// The kind under which the item's unit counts for the policy; JCC_KIND_NONE when it does not.
static enum jcc_kind unit_of(const struct jcc_policy *policy, const struct jcc_layout_item *item)
{
    if (item->flags & JCC_ITEM_EXEMPT)
        return JCC_KIND_NONE;
    enum jcc_kind kind =
        item->flags & JCC_ITEM_PAIR && policy->kinds & JCC_KIND_BIT(JCC_KIND_FUSED) ? JCC_KIND_FUSED : (enum jcc_kind)item->kind;
    return policy->kinds & JCC_KIND_BIT(kind) ? kind : JCC_KIND_NONE;
}

// For each item, the label of a function that begins there, plus 1.
static uint32_t *find_functions(const struct pad_lister *l, const struct jcc_code *code)
{
    uint32_t *begins = calloc(code->count + 1, sizeof *begins);
    size_t count;
    const uint32_t *list = jcc_function_labels_in(&l->functions, code->section, &count);
    for (size_t k = 0; begins && k < count; k++)
        begins[l->m->labels->list[list[k]].item] = list[k] + 1;
    return begins;
}

static bool list_section(struct pad_lister *l, const struct jcc_code *code)
{
    struct jcc_job *job = l->job;
    uint32_t *begins = find_functions(l, code), function = UINT32_MAX;
    uint32_t section = keep_name(job, code->object->name, strlen(code->object->name));
    size_t next = 0; // the next unit
    enum jcc_kind kind = JCC_KIND_NONE;
    bool ok = begins != NULL;
    for (size_t k = 0; ok && k < code->count; k++) {
        const struct jcc_layout_place *place = &code->places[k];
        const struct jcc_layout_item *item = &code->items[k];
        if (begins[k]) {
            const struct jcc_statement *s = &l->m->scan->statements[l->m->labels->list[begins[k] - 1].statement];
            function = keep_name(job, l->m->scan->text + s->name, s->name_length);
        }
        if (!place->pad && !place->prefixes)
            continue;
        for (next = next < k ? k : next; next < code->count && (kind = unit_of(&job->policy, &code->items[next])) == JCC_KIND_NONE;)
            next++;
        struct jcc_raw_pad raw = {.section_at = section, .function_at = function, .text = UINT32_MAX};
        raw.pad.unit = next < code->count ? kind : JCC_KIND_NONE;
        raw.pad.unit_offset = next < code->count ? code->places[next].offset : 0;
        raw.text = jcc_origin_find(&job->scan, l->m->scan, code->sources[k].first);
        if (place->pad) {
            raw.pad.type = JCC_PAD_NOP;
            raw.pad.offset = place->offset - place->pad;
            raw.pad.bytes = place->pad;
            raw.pad.executed = !(item->flags & JCC_ITEM_DEAD);
            ok = add(l, raw);
        }
        if (ok && place->prefixes) {
            raw.pad.type = JCC_PAD_PREFIX;
            raw.pad.offset = place->offset;
            raw.pad.bytes = place->prefixes;
            raw.pad.executed = true;
            ok = add(l, raw);
        }
    }
    free(begins);
    return ok;
}

enum jcc_status jcc_job_list_pads(struct jcc_job *job, const struct jcc_measure *m)
{
    struct pad_lister l = {.job = job, .m = m};
    bool ok = jcc_function_labels_read(&l.functions, m->labels);
    for (size_t k = 0; ok && k < m->code_count; k++)
        if (m->codes[k].planned)
            ok = list_section(&l, &m->codes[k]);
    jcc_function_labels_free(&l.functions);
    return ok && !job->pad_names.failed ? JCC_OK : JCC_ERROR_NO_MEMORY;
}
