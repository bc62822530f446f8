// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "assigned.h"

#include "text.h"

#include <stdlib.h>
#include <string.h>

bool jcc_assigned_parts(const struct jcc_scan *scan, const struct jcc_statement *s, const char **name, size_t *length, const char **value)
{
    size_t n;
    const char *at = jcc_statement_operands(scan, s, &n), *end = at + n;
    bool sets = s->type == JCC_STATEMENT_DIRECTIVE && s->directive == JCC_DIRECTIVE_SET;
    if (!sets && s->type != JCC_STATEMENT_ASSIGN)
        return false;
    struct jcc_lexer lexer = {sets ? at : scan->text + s->name, end};
    if (!jcc_lexer_name(&lexer, name, length) || (*length == 1 && **name == '.'))
        return false;
    *value = memchr(lexer.at, sets ? ',' : '=', (size_t)(end - lexer.at));
    if (!*value)
        return false;
    while (*value < end && (**value == '=' || **value == ','))
        ++*value;
    return true;
}

static bool note(struct jcc_assigned *a, const char *name, size_t length, uint32_t statement, uint32_t section)
{
    uint32_t first = jcc_assigned_find(a, name, length);
    if (!jcc_grow(&a->list, &a->capacity, a->count + 1, sizeof *a->list))
        return false;
    uint32_t other = first == JCC_NO_ASSIGNMENT ? first : a->list[first].other;
    a->list[a->count++] = (struct jcc_assignment){.statement = statement, .section = section, .other = other};
    if (first == JCC_NO_ASSIGNMENT)
        return jcc_names_put(&a->first, name, length, (uint32_t)a->count);
    a->list[first].other = (uint32_t)a->count - 1;
    return true;
}

enum jcc_status jcc_assigned_read(struct jcc_assigned *a, const struct jcc_scan *scan, const struct jcc_sections *sections)
{
    *a = (struct jcc_assigned){0};
    for (size_t run = 0; run < sections->run_count; run++) {
        size_t end = jcc_sections_run_end(sections, scan, run), length;
        const char *name, *value;
        for (size_t k = sections->runs[run].first; k < end; k++)
            if (jcc_assigned_parts(scan, &scan->statements[k], &name, &length, &value) &&
                !note(a, name, length, (uint32_t)k, sections->runs[run].section))
                return JCC_ERROR_NO_MEMORY;
    }
    return JCC_OK;
}

void jcc_assigned_free(struct jcc_assigned *a)
{
    free(a->list);
    jcc_names_free(&a->first);
    *a = (struct jcc_assigned){0};
}

uint32_t jcc_assigned_find(const struct jcc_assigned *a, const char *name, size_t length)
{
    uint32_t value = jcc_names_get(&a->first, name, length);
    return value ? value - 1 : JCC_NO_ASSIGNMENT;
}
