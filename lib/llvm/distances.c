// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // memmem
#include "distances.h"

#include "assigned.h"
#include "operands.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

// More than any operand adds up.
#define LABELS_MAX 8

// Parentheses in parentheses, and assigned symbols made of assigned ones.
#define DEPTH_MAX 8

// So many assignments are looked into for one text: counters that count themselves up thousands of times are given up, and the plan with them.
#define ASSIGNMENTS_MAX ((size_t)1 << 20)

struct work {
    uint32_t operand;   // which one is read
    size_t assignments; // looked into
};

// One operand: the labels in it, and what its plain numbers add up to. Assigned symbols stand for their values.
struct operand {
    uint32_t labels[LABELS_MAX];
    size_t label_count;
    bool place; // the statement's own place, in code
    int64_t bytes;
    bool known;
    unsigned depth; // of the assigned symbol that is looked into
};

struct finder {
    struct jcc_distances *distances;
    const struct jcc_scan *scan;
    const struct jcc_sections *sections;
    const struct jcc_labels *labels;
    struct jcc_assigned assigned;
    struct work *work;
    size_t statement;
    uint32_t section; // the statement's
    bool in_code;
    bool no_memory;
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

static void take_sum(struct finder *f, struct operand *o, const char **at, const char *end, int sign);

static bool add(struct finder *f, const struct operand *o, uint32_t section, uint32_t label)
{
    struct jcc_distances *d = f->distances;
    if (!jcc_grow(&d->list, &d->capacity, d->count + 1, sizeof *d->list))
        f->no_memory = true;
    else
        d->list[d->count++] = (struct jcc_distance){
            .section = section, .label = label, .statement = (uint32_t)f->statement, .bytes = o->bytes, .known = o->known};
    return !f->no_memory;
}

// What an assigned symbol stands for; of one that is assigned more than once, all that it may.
static void take_assigned(struct finder *f, struct operand *o, uint32_t assignment, int sign)
{
    struct jcc_assignment *list = f->assigned.list;
    if (o->depth == DEPTH_MAX) {
        o->known = false;
        return;
    }
    o->known &= list[assignment].other == JCC_NO_ASSIGNMENT;
    o->depth++;
    for (; assignment != JCC_NO_ASSIGNMENT && f->work->assignments < ASSIGNMENTS_MAX; assignment = list[assignment].other) {
        f->work->assignments++;
        if (list[assignment].seen == f->work->operand) { // once in an operand: a sum that has it twice is not followed
            o->known = false;
            continue;
        }
        list[assignment].seen = f->work->operand;
        const struct jcc_statement *s = &f->scan->statements[list[assignment].statement];
        size_t length;
        const char *name, *value;
        struct finder there = *f; // a dot in its value is a place there
        there.statement = list[assignment].statement;
        there.section = list[assignment].section;
        there.in_code = f->sections->list[there.section].code;
        if (jcc_assigned_parts(f->scan, s, &name, &length, &value))
            take_sum(&there, o, &value, f->scan->text + s->end, sign);
    }
    o->depth--;
}

static void take_name(struct finder *f, struct operand *o, const char *name, size_t length, int sign)
{
    if (length == 1 && *name == '.') {
        // From elsewhere it is not known where: what is counted from it is no distance from here.
        o->known &= !o->depth || !f->in_code;
        o->place |= f->in_code;
        return;
    }
    uint32_t label = jcc_source_labels_find(f->labels, name, length, f->statement);
    uint32_t assignment = label == JCC_NO_LABEL ? jcc_assigned_find(&f->assigned, name, length) : JCC_NO_ASSIGNMENT;
    if (assignment != JCC_NO_ASSIGNMENT)
        take_assigned(f, o, assignment, sign);
    if (label == JCC_NO_LABEL || !f->sections->list[f->labels->list[label].section].code)
        return;
    if (o->label_count == LABELS_MAX)
        o->known = false;
    else
        o->labels[o->label_count++] = label;
}

// Intel's index register with its scale, `rax*8` or `8*rax`, at AT: one past it, else NULL.
static const char *behind_scaled(const struct finder *f, const char *at, const char *end)
{
    const char *first = jcc_skip_name(at, end), *star = jcc_skip_blanks(first, end);
    if (first == at || star == end || *star != '*')
        return NULL;
    const char *second = jcc_skip_blanks(star + 1, end), *behind = jcc_skip_name(second, end);
    bool number_first = first - at == 1 && *at >= '1' && *at <= '8';
    const char *name = number_first ? second : at, *number = number_first ? at : second;
    size_t length = (size_t)((number_first ? behind : first) - name), digits = (size_t)((number_first ? first : behind) - number);
    bool is_register = length >= 2 && length <= 4 && jcc_is_name_start(*name) &&
                       jcc_source_labels_find(f->labels, name, length, f->statement) == JCC_NO_LABEL &&
                       jcc_assigned_find(&f->assigned, name, length) == JCC_NO_ASSIGNMENT;
    return is_register && digits == 1 && *number >= '1' && *number <= '8' ? behind : NULL;
}

// A sum, from *AT to the comma or END. What stands behind a parenthesis that holds a register is no part of it.
static void take_sum(struct finder *f, struct operand *o, const char **from, const char *end, int sign)
{
    const char *at = *from;
    int around[DEPTH_MAX], outer = sign; // the signs before the parentheses that are open
    unsigned open = 0;
    at = jcc_skip_blanks(at, end);
    const char *begin = at; // an asterisk there is a branch's
    for (sign = 1; at < end && *at != ',';) {
        struct jcc_lexer lexer = {at, end};
        const char *name, *scaled = jcc_is_name_char(*at) ? behind_scaled(f, at, end) : NULL;
        size_t length;
        int64_t term;
        if (scaled) {
            at = scaled;
            sign = 1;
        } else if (*at == '/' && at + 1 < end && at[1] == '*') {
            const char *close = memmem(at + 2, (size_t)(end - at - 2), "*/", 2);
            at = close ? close + 2 : end;
        } else if (*at == '%' || *at == '@') { // a register, a specifier
            for (at++; at < end && jcc_is_name_char(*at);)
                at++;
        } else if (((*at >= '0' && *at <= '9') || *at == '(') && jcc_operands_term(&at, end, &term)) {
            o->bytes += outer * sign * term;
            sign = 1;
        } else if (*at == '"' || (jcc_is_name_char(*at) && *at != '$')) {
            if (jcc_lexer_name(&lexer, &name, &length))
                take_name(f, o, name, length, outer * sign);
            else
                o->known = false;
            at = lexer.at;
            sign = 1;
        } else if (*at == '(' || *at == '[') {
            if (open == DEPTH_MAX) {
                o->known = false;
                break;
            }
            around[open++] = outer;
            outer *= sign;
            sign = 1;
            at++;
        } else {
            if (*at == '-')
                sign = -sign;
            else if ((*at == ')' || *at == ']') && open)
                outer = around[--open];
            else if ((*at == '*' && at > begin) || memchr("/<>&|^~!'", *at, 9))
                o->known = false;
            at++;
        }
    }
    *from = at < end ? at + 1 : at;
}

// The operands from AT on.
static void look_at(struct finder *f, const char *at, const char *end)
{
    bool ok = has_sum(at, end);
    while (ok && at < end) {
        struct operand o = {.known = true};
        f->work->operand++;
        take_sum(f, &o, &at, end, 1);
        if (!o.bytes && o.known)
            continue;
        if (o.place)
            ok = add(f, &o, f->section, JCC_NO_LABEL);
        for (size_t k = 0; ok && k < o.label_count; k++)
            ok = add(f, &o, f->labels->list[o.labels[k]].section, o.labels[k]);
    }
}

// `.reloc PLACE, KIND, …`: the relocation stays on the bytes that it was written for, whatever they are counted from.
static void look_at_relocation(struct finder *f, const char *at, const char *end)
{
    struct operand o = {.known = true};
    f->work->operand++;
    take_sum(f, &o, &at, end, 1);
    const char *kind_end = memchr(at, ',', (size_t)(end - at));
    if (memmem(at, (size_t)((kind_end ? kind_end : end) - at), "_NONE", 5))
        return; // it only names a symbol
    bool ok = true, counted = o.place || o.label_count;
    o.known &= counted;
    o.bytes += !o.bytes; // no prefix in the place itself
    if (!counted || o.place)
        ok = add(f, &o, f->section, JCC_NO_LABEL);
    for (size_t k = 0; ok && k < o.label_count; k++)
        ok = add(f, &o, f->labels->list[o.labels[k]].section, o.labels[k]);
}

static bool is_reloc(const struct jcc_statement *s)
{
    return s->type == JCC_STATEMENT_DIRECTIVE && s->directive == JCC_DIRECTIVE_RELOC;
}

// Whether nobody but this text can see the symbol: where it is used it is looked into.
static bool is_local(const char *name, size_t length)
{
    return length > 2 && name[0] == '.' && name[1] == 'L';
}

static void look_at_statement(struct finder *f)
{
    const struct jcc_statement *s = &f->scan->statements[f->statement];
    size_t length;
    const char *name, *value, *at = jcc_statement_operands(f->scan, s, &length);
    if (s->type == JCC_STATEMENT_INSN || (s->type == JCC_STATEMENT_DIRECTIVE && jcc_directive_unit((enum jcc_directive)s->directive)))
        look_at(f, at, at + length);
    else if (is_reloc(s))
        look_at_relocation(f, at, at + length);
    else if (jcc_assigned_parts(f->scan, s, &name, &length, &value) && !is_local(name, length))
        look_at(f, value, f->scan->text + s->end);
}

static int by_section(const void *a, const void *b)
{
    const struct jcc_distance *x = a, *y = b;
    return x->section < y->section ? -1 : x->section > y->section;
}

enum jcc_status jcc_distances_find(struct jcc_distances *distances, const struct jcc_scan *scan, const struct jcc_sections *sections,
                                   const struct jcc_labels *labels)
{
    struct work work = {0};
    struct finder f = {.distances = distances, .scan = scan, .sections = sections, .labels = labels, .work = &work};
    *distances = (struct jcc_distances){0};
    f.no_memory = jcc_assigned_read(&f.assigned, scan, sections) != JCC_OK;
    for (size_t run = 0; run < sections->run_count && !f.no_memory; run++) {
        size_t end = jcc_sections_run_end(sections, scan, run);
        f.section = sections->runs[run].section;
        f.in_code = sections->list[f.section].code;
        if (sections->list[f.section].debug)
            continue;
        for (f.statement = sections->runs[run].first; f.statement < end && !f.no_memory; f.statement++)
            look_at_statement(&f);
    }
    for (size_t k = 0; k < sections->count && work.assignments >= ASSIGNMENTS_MAX && !f.no_memory; k++)
        add(&f, &(struct operand){.known = false}, (uint32_t)k, JCC_NO_LABEL);
    jcc_assigned_free(&f.assigned);
    if (distances->count)
        qsort(distances->list, distances->count, sizeof *distances->list, by_section);
    return f.no_memory ? JCC_ERROR_NO_MEMORY : JCC_OK;
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
