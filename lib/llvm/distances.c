// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "distances.h"

#include "operands.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

// More than any operand adds up.
#define LABELS_MAX 8

// One operand: the labels in it, and what its plain numbers add up to.
struct operand {
    uint32_t labels[LABELS_MAX];
    size_t label_count;
    bool place; // the statement's own place, in code
    int64_t bytes;
    bool known;
};

struct finder {
    struct jcc_distances *distances;
    const struct jcc_scan *scan;
    const struct jcc_sections *sections;
    const struct jcc_labels *labels;
    size_t statement;
    uint32_t section; // the statement's
    bool in_code;
};

// Whether an operator of a sum stands behind a name: the rest need not be looked into. A register's displacement, as in -8(%rbp), is no such sum.
static bool has_sum(const char *at, const char *end)
{
    char before = ',';
    for (; at < end; at++) {
        if (*at == ' ' || *at == '\t')
            continue;
        if ((*at == '+' || *at == '-') && (jcc_is_name_char(before) || before == '"' || before == ')'))
            return true;
        before = *at;
    }
    return false;
}

static bool take_name(struct finder *f, struct operand *o, const char *name, size_t length)
{
    if (length == 1 && *name == '.') {
        o->place = f->in_code;
        return true;
    }
    uint32_t label = jcc_source_labels_find(f->labels, name, length, f->statement);
    if (label == JCC_NO_LABEL || !f->sections->list[f->labels->list[label].section].code)
        return true;
    if (o->label_count == LABELS_MAX)
        return false;
    o->labels[o->label_count++] = label;
    return true;
}

// One operand from AT on; returns where it ends. What stands behind a parenthesis that holds a register is no part of a sum.
static const char *take_operand(struct finder *f, struct operand *o, const char *at, const char *end)
{
    int sign = 1;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    const char *begin = at; // an asterisk there is a branch's
    *o = (struct operand){.known = true};
    while (at < end && *at != ',') {
        struct jcc_lexer lexer = {at, end};
        const char *name;
        size_t length;
        int64_t term;
        if (*at == '%' || *at == '@') { // a register, a specifier
            for (at++; at < end && jcc_is_name_char(*at);)
                at++;
        } else if (((*at >= '0' && *at <= '9') || *at == '(') && jcc_operands_term(&at, end, &term)) {
            o->bytes += sign * term;
            sign = 1;
        } else if (*at == '"' || (jcc_is_name_char(*at) && *at != '$')) {
            if (!jcc_lexer_name(&lexer, &name, &length) || !take_name(f, o, name, length))
                o->known = false;
            at = lexer.at;
            sign = 1;
        } else {
            if (*at == '-')
                sign = -sign;
            else if ((*at == '*' && at > begin) || memchr("/<>&|^~!", *at, 8))
                o->known = false;
            at++;
        }
    }
    return at < end ? at + 1 : at;
}

static bool add(struct finder *f, const struct operand *o, uint32_t section, uint32_t label)
{
    struct jcc_distances *d = f->distances;
    if (!jcc_grow(&d->list, &d->capacity, d->count + 1, sizeof *d->list))
        return false;
    d->list[d->count++] = (struct jcc_distance){
        .section = section, .label = label, .statement = (uint32_t)f->statement, .bytes = o->bytes, .known = o->known};
    return true;
}

static enum jcc_status look_at(struct finder *f)
{
    size_t length;
    const char *at = jcc_statement_operands(f->scan, &f->scan->statements[f->statement], &length), *end = at + length;
    bool ok = true;
    if (!has_sum(at, end))
        return JCC_OK;
    while (ok && at < end) {
        struct operand o;
        at = take_operand(f, &o, at, end);
        if (!o.bytes && o.known)
            continue;
        if (o.place)
            ok = add(f, &o, f->section, JCC_NO_LABEL);
        for (size_t k = 0; ok && k < o.label_count; k++)
            ok = add(f, &o, f->labels->list[o.labels[k]].section, o.labels[k]);
    }
    return ok ? JCC_OK : JCC_ERROR_NO_MEMORY;
}

static int by_section(const void *a, const void *b)
{
    const struct jcc_distance *x = a, *y = b;
    return x->section < y->section ? -1 : x->section > y->section;
}

enum jcc_status jcc_distances_find(struct jcc_distances *distances, const struct jcc_scan *scan, const struct jcc_sections *sections,
                                   const struct jcc_labels *labels)
{
    struct finder f = {.distances = distances, .scan = scan, .sections = sections, .labels = labels};
    *distances = (struct jcc_distances){0};
    for (size_t run = 0; run < sections->run_count; run++) {
        size_t end = jcc_sections_run_end(sections, scan, run);
        f.section = sections->runs[run].section;
        f.in_code = sections->list[f.section].code;
        if (sections->list[f.section].debug)
            continue;
        for (f.statement = sections->runs[run].first; f.statement < end; f.statement++) {
            const struct jcc_statement *s = &scan->statements[f.statement];
            bool data = s->type == JCC_STATEMENT_DIRECTIVE && jcc_directive_unit((enum jcc_directive)s->directive);
            enum jcc_status status = s->type == JCC_STATEMENT_INSN || data ? look_at(&f) : JCC_OK;
            if (status)
                return status;
        }
    }
    if (distances->count)
        qsort(distances->list, distances->count, sizeof *distances->list, by_section);
    return JCC_OK;
}

void jcc_distances_free(struct jcc_distances *distances)
{
    free(distances->list);
    *distances = (struct jcc_distances){0};
}

void jcc_distances_of(const struct jcc_distances *distances, uint32_t section, size_t *first, size_t *end)
{
    size_t low = 0, high = distances->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (distances->list[middle].section < section)
            low = middle + 1;
        else
            high = middle;
    }
    *first = *end = low;
    while (*end < distances->count && distances->list[*end].section == section)
        ++*end;
}
