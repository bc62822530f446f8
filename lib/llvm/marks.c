// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "measure.h"

#include <stdlib.h>
#include <string.h>

// Whether a statement in code may add bytes that its text does not tell.
static bool needs_mark(const struct jcc_scan *scan, const struct jcc_statement *s)
{
    if (s->type == JCC_STATEMENT_ASSIGN)
        return s->name_length == 1 && scan->text[s->name] == '.';
    if (s->type != JCC_STATEMENT_DIRECTIVE)
        return false;
    switch (s->directive) {
    case JCC_DIRECTIVE_UNKNOWN:
    case JCC_DIRECTIVE_DATA:
    case JCC_DIRECTIVE_SPACE:
    case JCC_DIRECTIVE_ORG:
    case JCC_DIRECTIVE_INCBIN: return true;
    default: return false;
    }
}

enum jcc_status jcc_marks_choose(const struct jcc_scan *scan, const struct jcc_sections *sections, uint32_t **marked, size_t *count)
{
    *marked = NULL;
    *count = 0;
    size_t capacity = 0;
    for (size_t run = 0; run < sections->run_count; run++) {
        if (!sections->list[sections->runs[run].section].code)
            continue;
        size_t end = jcc_sections_run_end(sections, scan, run);
        for (size_t k = sections->runs[run].first; k < end; k++) {
            if (!needs_mark(scan, &scan->statements[k]))
                continue;
            if (!jcc_grow(marked, &capacity, *count + 1, sizeof **marked))
                return JCC_ERROR_NO_MEMORY;
            (*marked)[(*count)++] = (uint32_t)k;
        }
    }
    return JCC_OK;
}

void jcc_marks_write(struct jcc_text *out, const struct jcc_scan *scan, const uint32_t *marked, size_t count)
{
    size_t copied = 0;
    jcc_text_reserve(out, scan->length + count * 2 * (sizeof JCC_MARK_PREFIX + 12));
    for (size_t k = 0; k < count; k++) {
        const struct jcc_statement *s = &scan->statements[marked[k]];
        jcc_text_append(out, scan->text + copied, s->begin - copied);
        jcc_text_format(out, JCC_MARK_PREFIX "%zu: ", 2 * k);
        jcc_text_append(out, scan->text + s->begin, s->end - s->begin);
        jcc_text_format(out, "; " JCC_MARK_PREFIX "%zu:", 2 * k + 1);
        copied = s->end;
    }
    jcc_text_append(out, scan->text + copied, scan->length - copied);
}

bool jcc_marks_read(const struct jcc_emitted *object, uint32_t *values, size_t count)
{
    size_t found = 0;
    for (size_t k = 0; k < jcc_emitted_symbol_count(object); k++) {
        struct jcc_emitted_symbol symbol = jcc_emitted_symbol(object, k);
        if (strncmp(symbol.name, JCC_MARK_PREFIX, sizeof JCC_MARK_PREFIX - 1))
            continue;
        size_t mark = strtoul(symbol.name + sizeof JCC_MARK_PREFIX - 1, NULL, 10);
        if (mark >= 2 * count || symbol.value > UINT32_MAX)
            return false;
        values[mark] = (uint32_t)symbol.value;
        found++;
    }
    return found == 2 * count;
}
