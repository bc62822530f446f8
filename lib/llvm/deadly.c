// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "deadly.h"

#include "operands.h"

#include <string.h>

// More than any such expression has: what has more is left to LLVM.
#define SECTIONS_MAX 4
#define DEPTH_MAX    8

// How many places of each section a sum counts, less those it takes off.
struct balance {
    uint32_t section[SECTIONS_MAX];
    int count[SECTIONS_MAX];
    size_t sections;
    bool unknown;   // whether it is a number cannot be told
    bool undefined; // it holds a symbol that the text does not define
};

static void count_place(struct balance *b, uint32_t section, int sign)
{
    size_t k = 0;
    while (k < b->sections && b->section[k] != section)
        k++;
    if (k == SECTIONS_MAX) {
        b->unknown = true;
        return;
    }
    b->section[k] = section;
    b->count[k] = (k < b->sections ? b->count[k] : 0) + sign;
    b->sections += k == b->sections;
}

static bool is_assigned(struct jcc_deadly *d, const char *name, size_t length)
{
    if (!d->assigned_read)
        d->no_memory |= jcc_assigned_read(&d->assigned, d->scan, d->sections) != JCC_OK;
    d->assigned_read = true;
    return jcc_assigned_find(&d->assigned, name, length) != JCC_NO_ASSIGNMENT;
}

static void count_name(struct jcc_deadly *d, struct balance *b, size_t index, const char *name, size_t length, int sign)
{
    if (length == 1 && *name == '.') {
        count_place(b, d->sections->runs[d->run].section, sign);
        return;
    }
    uint32_t label = jcc_source_labels_find(d->labels, name, length, index);
    if (label != JCC_NO_LABEL)
        count_place(b, d->labels->list[label].section, sign);
    else if (is_assigned(d, name, length))
        b->unknown = true;
    else
        b->undefined = true;
}

// A sum of names and numbers, from *AT to the comma or END.
static struct balance balance(struct jcc_deadly *d, size_t index, const char **from, const char *end)
{
    struct balance b = {0};
    const char *at = *from, *name;
    int around[DEPTH_MAX], outer = 1, sign = 1; // the signs before the parentheses that are open
    size_t open = 0, length;
    int64_t number;
    for (; at < end && *at != ',' && !b.unknown; at = jcc_skip_blanks(at, end)) {
        struct jcc_lexer lexer = {at, end};
        if (*at >= '0' && *at <= '9' && jcc_operands_term(&at, end, &number)) {
            sign = 1;
        } else if (*at == '"' || jcc_is_name_char(*at)) {
            b.unknown |= !jcc_lexer_name(&lexer, &name, &length) || (*at != '"' && lexer.at != jcc_skip_name(at, end));
            if (!b.unknown)
                count_name(d, &b, index, name, length, outer * sign);
            at = lexer.at;
            sign = 1;
        } else if (*at == '(' && open < DEPTH_MAX) {
            around[open++] = outer;
            outer *= sign;
            sign = 1;
            at++;
        } else if (*at == ')' && open) {
            outer = around[--open];
            at++;
        } else if (*at == '+' || *at == '-' || jcc_is_blank(*at)) {
            sign = *at++ == '-' ? -sign : sign;
        } else {
            b.unknown = true; // another operator, a specifier
        }
    }
    const char *comma = memchr(at, ',', (size_t)(end - at));
    *from = comma ? comma + 1 : end;
    return b;
}

// Whether one of the values from AT on is sure to be no number.
static const char *no_number(struct jcc_deadly *d, size_t index, const char *at, const char *end)
{
    while (at < end) {
        struct balance b = balance(d, index, &at, end);
        if (!b.unknown && b.undefined)
            return "the value is not absolute: it counts from a symbol that is not defined here";
        for (size_t k = 0; k < b.sections && !b.unknown; k++)
            if (b.count[k])
                return "the value is not absolute: it counts from one section to another";
    }
    return NULL;
}

// The values from AT on, a size and an alignment; false: one is no constant.
static bool common_values(const char *at, const char *end, int64_t *size, int64_t *align)
{
    *align = 1; // where none is told
    return jcc_operands_constant(&at, end, size) == JCC_CONSTANT && (at == end || jcc_operands_constant(&at, end, align) == JCC_CONSTANT);
}

// The symbol that a statement begins its operands with, and where the operands go on behind the comma; false: there is none.
static bool first_name(const struct jcc_scan *scan, const struct jcc_statement *s, const char **name, size_t *length, const char **behind)
{
    size_t n;
    const char *at = jcc_statement_operands(scan, s, &n), *end = at + n;
    struct jcc_lexer lexer = {at, end};
    if (!jcc_lexer_name(&lexer, name, length))
        return false;
    *behind = jcc_skip_blanks(lexer.at, end);
    if (*behind == end || **behind != ',')
        return false;
    *behind = jcc_skip_blanks(*behind + 1, end);
    return true;
}

static const char *wrong_common(struct jcc_deadly *d, size_t index, const char *name, size_t length, const char *behind)
{
    const struct jcc_statement *s = &d->scan->statements[index];
    uint32_t first = jcc_names_get(&d->commons, name, length);
    if (!first) {
        d->no_memory |= !jcc_names_put(&d->commons, name, length, (uint32_t)index + 1);
        return NULL;
    }
    const struct jcc_statement *other = &d->scan->statements[first - 1];
    const char *other_name, *other_behind;
    size_t other_length;
    first_name(d->scan, other, &other_name, &other_length, &other_behind);
    int64_t size, align, other_size, other_align;
    bool known = common_values(behind, d->scan->text + s->end, &size, &align) &&
                 common_values(other_behind, d->scan->text + other->end, &other_size, &other_align);
    return !known || (size == other_size && align == other_align) ? NULL
                                                                  : "the common symbol was declared with another size or alignment before";
}

const char *jcc_deadly_wrong(struct jcc_deadly *d, size_t index)
{
    const struct jcc_statement *s = &d->scan->statements[index];
    if (s->type != JCC_STATEMENT_DIRECTIVE ||
        (s->directive != JCC_DIRECTIVE_NOTHING && s->directive != JCC_DIRECTIVE_DATA && s->directive != JCC_DIRECTIVE_UNKNOWN))
        return NULL;
    while (d->run + 1 < d->sections->run_count && d->sections->runs[d->run + 1].first <= index)
        d->run++;
    size_t length, n;
    const char *at = jcc_statement_operands(d->scan, s, &length), *end = at + length, *name, *behind;
    if (jcc_statement_is(d->scan, s, ".uleb128") || jcc_statement_is(d->scan, s, ".sleb128"))
        return no_number(d, index, at, end);
    if (s->directive != JCC_DIRECTIVE_NOTHING || !first_name(d->scan, s, &name, &n, &behind))
        return NULL;
    if (jcc_statement_is(d->scan, s, ".size")) // of a symbol that is not emitted LLVM does not look at it
        return jcc_source_labels_find(d->labels, name, n, index) != JCC_NO_LABEL ? no_number(d, index, behind, end) : NULL;
    if (jcc_statement_is(d->scan, s, ".comm") || jcc_statement_is(d->scan, s, ".common"))
        return wrong_common(d, index, name, n, behind);
    struct jcc_lexer lexer = {behind, end};
    if (jcc_statement_is(d->scan, s, ".weakref") && jcc_lexer_name(&lexer, &behind, &length) && n == length && !memcmp(name, behind, n))
        return "a weak reference to itself";
    return NULL;
}

void jcc_deadly_free(struct jcc_deadly *d)
{
    jcc_assigned_free(&d->assigned);
    jcc_names_free(&d->commons);
}
