// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // memmem
#include "origin.h"

#include "names.h"

#include <stdlib.h>
#include <string.h>

#define COMMENT "jccsafe@"

static bool is_data(const struct jcc_statement *s)
{
    return s->type == JCC_STATEMENT_DIRECTIVE && (s->directive == JCC_DIRECTIVE_DATA || s->directive == JCC_DIRECTIVE_SPACE ||
                                                  jcc_directive_unit((enum jcc_directive)s->directive) != 0);
}

static bool may_be_found(const struct jcc_statement *s)
{
    switch (s->type) {
    case JCC_STATEMENT_INSN:
    case JCC_STATEMENT_PREFIX:
    case JCC_STATEMENT_OPAQUE: return true; // in a macro's body `\op %eax`
    case JCC_STATEMENT_DIRECTIVE: return is_data(s) || s->directive == JCC_DIRECTIVE_ALIGN || s->directive == JCC_DIRECTIVE_P2ALIGN;
    default: return false;
    }
}

// The names of the macros that the text defines.
static bool read_macros(const struct jcc_scan *scan, struct jcc_names *macros)
{
    for (size_t k = 0; k < scan->count; k++) {
        const struct jcc_statement *s = &scan->statements[k];
        if (s->type != JCC_STATEMENT_DIRECTIVE || s->directive != JCC_DIRECTIVE_MACRO)
            continue;
        size_t length;
        const char *name = jcc_statement_operands(scan, s, &length), *end = name + length;
        if (!jcc_names_put(macros, name, (size_t)(jcc_skip_name(name, end) - name), 1))
            return false;
    }
    return true;
}

void jcc_origin_mark(struct jcc_text *out, const struct jcc_scan *scan)
{
    size_t copied = 0;
    struct jcc_names macros = {0};
    out->failed |= !read_macros(scan, &macros);
    jcc_text_reserve(out, scan->length + scan->count * (sizeof COMMENT + 12));
    for (size_t k = 0; k < scan->count; k++) {
        const struct jcc_statement *s = &scan->statements[k];
        if (!may_be_found(s) || (s->type == JCC_STATEMENT_INSN && jcc_names_get(&macros, scan->text + s->name, s->name_length)))
            continue; // a macro's use: what its body becomes names the body's lines
        jcc_text_append(out, scan->text + copied, s->end - copied);
        jcc_text_format(out, " /*" COMMENT "%u*/", s->begin);
        copied = s->end;
    }
    jcc_text_append(out, scan->text + copied, scan->length - copied);
    jcc_names_free(&macros);
}

// The number in the last of the comments between statement INDEX and the line's end: behind the first may stand what was said of the macro's use.
static uint32_t number_behind(const struct jcc_scan *expanded, size_t index)
{
    const char *at = expanded->text + expanded->statements[index].end;
    const char *limit =
        index + 1 < expanded->count ? expanded->text + expanded->statements[index + 1].begin : expanded->text + expanded->length;
    const char *newline = memchr(at, '\n', (size_t)(limit - at)), *end = newline ? newline : limit;
    uint32_t found = JCC_NO_ORIGIN;
    while ((at = memmem(at, (size_t)(end - at), COMMENT, sizeof COMMENT - 1)) != NULL) {
        at += sizeof COMMENT - 1;
        uint64_t value = 0;
        const char *digits = at;
        for (; at < end && *at >= '0' && *at <= '9' && value < UINT32_MAX; at++)
            value = value * 10 + (uint64_t)(*at - '0');
        if (at > digits && value < UINT32_MAX)
            found = (uint32_t)value;
    }
    return found;
}

uint32_t jcc_origin_find(const struct jcc_scan *source, const struct jcc_scan *expanded, size_t index)
{
    if (source == expanded)
        return source->statements[index].begin;
    uint32_t found = number_behind(expanded, index);
    // `.byte 1, 2` becomes two statements, and the comment stands behind the last.
    while (found == JCC_NO_ORIGIN && is_data(&expanded->statements[index]) && index + 1 < expanded->count &&
           is_data(&expanded->statements[index + 1]))
        found = number_behind(expanded, ++index);
    return found < source->length ? found : JCC_NO_ORIGIN;
}

// The statement of SCAN that begins at OFFSET; count when none does.
static size_t statement_at(const struct jcc_scan *scan, uint32_t offset)
{
    size_t low = 0, high = scan->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (scan->statements[middle].begin < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low < scan->count && scan->statements[low].begin == offset ? low : scan->count;
}

bool jcc_origin_regions(const struct jcc_scan *source, struct jcc_scan *expanded)
{
    expanded->mark_count = 0;
    bool off = false;
    for (size_t k = 0; source->mark_count && k < expanded->count; k++) {
        size_t origin = may_be_found(&expanded->statements[k]) ? statement_at(source, jcc_origin_find(source, expanded, k)) : source->count;
        if (origin == source->count || jcc_scan_is_off(source, origin) == off)
            continue;
        if (!jcc_grow(&expanded->marks, &expanded->mark_capacity, expanded->mark_count + 1, sizeof *expanded->marks))
            return false;
        off = !off;
        expanded->marks[expanded->mark_count++] = (struct jcc_region_mark){(uint32_t)k, off};
    }
    return true;
}
