// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // memmem
#include "measure.h"

#include "strides.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

// Whether data that names a label fixes where the label stands: not where the data itself follows the code (see jcc_section.debug).
static void note_data_references(struct jcc_measure *m, size_t first, size_t end)
{
    for (size_t k = first; k < end; k++) {
        const struct jcc_statement *s = &m->scan->statements[k];
        if (s->type != JCC_STATEMENT_DIRECTIVE || !jcc_directive_unit((enum jcc_directive)s->directive))
            continue;
        size_t length, n;
        const char *name, *operands = jcc_statement_operands(m->scan, s, &length);
        struct jcc_lexer lexer = {operands, operands + length};
        while (jcc_lexer_name(&lexer, &name, &n)) {
            uint32_t label = jcc_source_labels_find(m->labels, name, n, k);
            if (label != JCC_NO_LABEL)
                m->labels->list[label].data_refers = true;
        }
    }
}

static void find_data_references(struct jcc_measure *m)
{
    for (size_t run = 0; run < m->sections->run_count; run++)
        if (!m->sections->list[m->sections->runs[run].section].debug)
            note_data_references(m, m->sections->runs[run].first, jcc_sections_run_end(m->sections, m->scan, run));
}

static bool names_function(const struct jcc_measure *m, const struct jcc_statement *s)
{
    const char *at = m->scan->text + s->name;
    size_t length = s->end - s->name;
    if (s->directive != JCC_DIRECTIVE_NOTHING)
        return false;
    if (jcc_statement_is(m->scan, s, ".type"))
        return memmem(at, length, "func", 4) || memmem(at, length, "FUNC", 4);
    return jcc_statement_is(m->scan, s, ".globl") || jcc_statement_is(m->scan, s, ".global") || jcc_statement_is(m->scan, s, ".weak");
}

// Whether the statement has control go to what its operands name.
static bool enters(const struct jcc_measure *m, const struct jcc_statement *s)
{
    const char *name = m->scan->text + s->name;
    if (s->type == JCC_STATEMENT_DIRECTIVE)
        return names_function(m, s);
    return s->type == JCC_STATEMENT_INSN &&
           ((*name | 32) == 'j' || (s->name_length > 3 && (!memcmp(name, "call", 4) || !memcmp(name, "loop", 4) ||
                                                           !memcmp(name, "xbeg", 4) || !memcmp(name, "CALL", 4))));
}

// Data behind a label that control goes to are instructions written by hand.
static void find_entered(struct jcc_measure *m)
{
    for (size_t k = 0; k < m->scan->count; k++) {
        const struct jcc_statement *s = &m->scan->statements[k];
        size_t length, n;
        const char *name, *operands = jcc_statement_operands(m->scan, s, &length);
        struct jcc_lexer lexer = {operands, operands + length};
        bool through_memory = s->type == JCC_STATEMENT_INSN && length && (*operands == '*' || memchr(operands, '[', length));
        if (!enters(m, s) || through_memory)
            continue;
        while (jcc_lexer_name(&lexer, &name, &n)) {
            uint32_t label = jcc_source_labels_find(m->labels, name, n, k);
            if (label != JCC_NO_LABEL)
                m->labels->list[label].entered = true;
        }
    }
}

static bool has_data(const struct jcc_measure *m)
{
    for (size_t k = 0; k < m->code_count; k++)
        for (size_t n = 0; n < m->codes[k].count; n++)
            if (m->codes[k].items[n].type == JCC_ITEM_DATA)
                return true;
    return false;
}

// The first executable section of OBJECT that has the name of S and is not taken. Sections stand in order of creation, here as there: the search starts
// behind the last one found.
static const struct jcc_emitted_section *next_of_name(const struct jcc_emitted *object, const struct jcc_section *s, const bool *taken,
                                                      size_t from)
{
    for (size_t n = 0; n < object->section_count; n++) {
        size_t k = (from + n) % object->section_count;
        const struct jcc_emitted_section *o = &object->sections[k];
        if (!taken[k] && o->type == SHT_PROGBITS && (o->flags & SHF_EXECINSTR) && strlen(o->name) == s->name_length &&
            !memcmp(o->name, s->name, s->name_length))
            return o;
    }
    return NULL;
}

// The codes, with their sections in the object when there is one.
static enum jcc_status list_codes(struct jcc_measure *m)
{
    const struct jcc_emitted *object = m->object;
    m->codes = calloc(m->sections->count + 1, sizeof *m->codes);
    bool *taken = object ? calloc(object->section_count + 1, sizeof *taken) : NULL;
    size_t from = 1;
    bool ok = m->codes && (!object || taken);
    for (size_t k = 0; ok && k < m->sections->count; k++) {
        const struct jcc_section *s = &m->sections->list[k];
        const struct jcc_emitted_section *o = s->code && object ? next_of_name(object, s, taken, from) : NULL;
        if (!s->code || (object && !o))
            continue;
        if (object) {
            from = (size_t)(o - object->sections);
            taken[from] = true;
            if (!o->size)
                continue;
        }
        m->codes[m->code_count++] = (struct jcc_code){.section = (uint32_t)k, .object = o, .largest_align = m->policy->boundary};
    }
    free(taken);
    return ok ? JCC_OK : JCC_ERROR_NO_MEMORY;
}

enum jcc_status jcc_measure_run(struct jcc_measure *m)
{
    enum jcc_status status = list_codes(m);
    if (!status)
        find_data_references(m);
    for (size_t k = 0; !status && k < m->code_count; k++)
        status = jcc_walk(m, &m->codes[k]);
    for (size_t k = 0; !status && k < m->code_count; k++)
        m->codes[k].followed = m->codes[k].followed && !jcc_strides_any(m, m->codes[k].section);
    if (!status)
        status = jcc_distances_find(&m->distances, m->scan, m->sections, m->labels);
    if (!status && has_data(m))
        find_entered(m);
    // Targets and pins need every label's place.
    for (size_t k = 0; !status && k < m->code_count; k++)
        if (m->codes[k].followed)
            status = jcc_targets_resolve(m, &m->codes[k]);
    return status;
}

void jcc_measure_free(struct jcc_measure *m)
{
    for (size_t k = 0; k < m->code_count; k++) {
        free(m->codes[k].items);
        free(m->codes[k].sources);
        free(m->codes[k].places);
    }
    free(m->codes);
    jcc_distances_free(&m->distances);
    *m = (struct jcc_measure){0};
}
