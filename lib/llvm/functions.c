// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "functions.h"

#include <stdlib.h>
#include <string.h>

bool jcc_functions_read(const struct jcc_scan *scan, struct jcc_names *functions)
{
    for (size_t k = 0; k < scan->count; k++) {
        const struct jcc_statement *s = &scan->statements[k];
        const char *name;
        size_t length, n;
        if (s->type != JCC_STATEMENT_DIRECTIVE || s->directive != JCC_DIRECTIVE_NOTHING)
            continue;
        bool type = jcc_statement_is(scan, s, ".type");
        bool global = jcc_statement_is(scan, s, ".globl") || jcc_statement_is(scan, s, ".global");
        const char *at = jcc_statement_operands(scan, s, &length);
        if (!global && !(type && length > 8 && !memcmp(at + length - 8, "function", 8)))
            continue;
        struct jcc_lexer lexer = {at, at + length};
        while (jcc_lexer_name(&lexer, &name, &n))
            if (!jcc_names_put(functions, name, n, 1))
                return false;
    }
    return true;
}

const char *jcc_label_name(const struct jcc_labels *labels, uint32_t label, size_t *length)
{
    const struct jcc_statement *s = &labels->scan->statements[labels->list[label].statement];
    const char *name = labels->scan->text + s->name;
    bool quoted = s->name_length >= 2 && *name == '"';
    *length = s->name_length - 2u * quoted;
    return name + quoted;
}

// By section; where each section's begin is known from how many the ones before have.
static bool sort_by_section(struct jcc_function_labels *functions, const uint32_t *found, uint32_t section_count)
{
    size_t *next = calloc((size_t)section_count + 1, sizeof *next);
    for (size_t k = 0; next && k < functions->count; k++)
        next[functions->labels->list[found[k]].section + 1]++;
    for (uint32_t s = 0; next && s < section_count; s++)
        next[s + 1] += next[s];
    for (size_t k = 0; next && k < functions->count; k++)
        functions->list[next[functions->labels->list[found[k]].section]++] = found[k];
    free(next);
    return next != NULL;
}

bool jcc_function_labels_read(struct jcc_function_labels *functions, const struct jcc_labels *labels)
{
    *functions = (struct jcc_function_labels){.labels = labels};
    struct jcc_names names = {0};
    uint32_t section_count = 0;
    uint32_t *found = malloc((labels->count + 1) * sizeof *found);
    functions->list = malloc((labels->count + 1) * sizeof *functions->list);
    bool ok = found && functions->list && jcc_functions_read(labels->scan, &names);
    for (size_t k = 0; ok && k < labels->count; k++) {
        size_t length;
        const char *name = jcc_label_name(labels, (uint32_t)k, &length);
        if (!jcc_names_get(&names, name, length))
            continue;
        found[functions->count++] = (uint32_t)k;
        section_count = labels->list[k].section >= section_count ? labels->list[k].section + 1 : section_count;
    }
    ok = ok && sort_by_section(functions, found, section_count);
    jcc_names_free(&names);
    free(found);
    return ok;
}

void jcc_function_labels_free(struct jcc_function_labels *functions)
{
    free(functions->list);
    *functions = (struct jcc_function_labels){0};
}

// The first whose section is SECTION or a later one.
static size_t first_from(const struct jcc_function_labels *functions, uint64_t section)
{
    size_t low = 0, high = functions->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (functions->labels->list[functions->list[middle]].section < section)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const uint32_t *jcc_function_labels_in(const struct jcc_function_labels *functions, uint32_t section, size_t *count)
{
    size_t begin = first_from(functions, section);
    *count = first_from(functions, (uint64_t)section + 1) - begin;
    return functions->list + begin;
}
