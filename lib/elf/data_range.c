// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "object.h"
#include <stdlib.h>

static int by_begin(const void *left, const void *right)
{
    const struct jcc_data_range *a = left, *b = right;
    if (a->section != b->section)
        return a->section < b->section ? -1 : 1;
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static bool is_data(const struct jcc_object *object, const struct jcc_symbol *symbol)
{
    const struct jcc_section *home = jcc_symbol_home(object, symbol);
    return GELF_ST_TYPE(symbol->info) == STT_OBJECT && home && home->part == JCC_PART_CODE && symbol->size > 0 &&
           jcc_inside(symbol->value, symbol->size, home->size);
}

// Sort the ranges and join those that overlap or touch.
static void tidy(struct jcc_object *object)
{
    size_t kept = 0;
    qsort(object->data, object->data_count, sizeof *object->data, by_begin);
    for (size_t n = 0; n < object->data_count; n++) {
        struct jcc_data_range range = object->data[n], *last = kept ? &object->data[kept - 1] : NULL;
        if (last && last->section == range.section && range.begin <= last->end)
            last->end = range.end > last->end ? range.end : last->end;
        else
            object->data[kept++] = range;
    }
    object->data_count = kept;
}

enum jcc_status jcc_data_ranges_read(struct jcc_object *object)
{
    size_t count = 0;
    for (size_t n = 0; n < object->symbol_count; n++)
        count += is_data(object, &object->symbols[n]);
    if (count == 0)
        return JCC_OK;
    object->data = malloc(count * sizeof *object->data);
    if (!object->data)
        return JCC_ERROR_NO_MEMORY;
    for (size_t n = 0; n < object->symbol_count; n++) {
        const struct jcc_symbol *symbol = &object->symbols[n];
        if (is_data(object, symbol))
            object->data[object->data_count++] = (struct jcc_data_range){symbol->section, symbol->value, symbol->value + symbol->size};
    }
    tidy(object);
    for (size_t n = 0; n < object->data_count; n++) {
        struct jcc_section *section = &object->sections[object->data[n].section];
        if (section->data_count++ == 0)
            section->first_data = n;
    }
    return JCC_OK;
}
