// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proof.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A symbol, with what it is sorted and found by. The order within an object's table means nothing.
struct entry {
    const char *name; // of a section symbol: the section's
    uint64_t home;    // index of the twins it is defined in, or HOME_NONE plus a special section index
    const struct jcc_symbol *symbol;
};
#define HOME_NONE (UINT64_C(1) << 32)

static int by_identity(const struct entry *a, const struct entry *b)
{
    int order = strcmp(a->name, b->name);
    if (order != 0)
        return order;
    if (a->home != b->home)
        return a->home < b->home ? -1 : 1;
    if (a->symbol->info != b->symbol->info)
        return a->symbol->info < b->symbol->info ? -1 : 1;
    return (a->symbol->other > b->symbol->other) - (a->symbol->other < b->symbol->other);
}

// Symbols that share all the rest keep the order of their places, which padding does not change.
static int by_all(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int order = by_identity(a, b);
    if (order != 0)
        return order;
    if (a->symbol->value != b->symbol->value)
        return a->symbol->value < b->symbol->value ? -1 : 1;
    return (a->symbol->size > b->symbol->size) - (a->symbol->size < b->symbol->size);
}

static bool left_out(const struct jcc_symbol *symbol, const struct jcc_section *home, const char *prefix)
{
    if (home && home->twin == JCC_NO_TWIN)
        return true;
    return prefix && *prefix && strncmp(symbol->name, prefix, strlen(prefix)) == 0;
}

static struct entry *collect(const struct jcc_object *object, const char *prefix, size_t *count)
{
    struct entry *entries = malloc((object->symbol_count + 1) * sizeof *entries);
    *count = 0;
    for (size_t n = 1; entries && n < object->symbol_count; n++) {
        const struct jcc_symbol *symbol = &object->symbols[n];
        const struct jcc_section *home = jcc_symbol_home(object, symbol);
        if (left_out(symbol, home, prefix))
            continue;
        bool section = home && GELF_ST_TYPE(symbol->info) == STT_SECTION;
        entries[(*count)++] = (struct entry){section ? home->name : symbol->name, home ? home->twin : HOME_NONE + symbol->section, symbol};
    }
    if (entries)
        qsort(entries, *count, sizeof *entries, by_all);
    return entries;
}

static const char *compare_places(const struct jcc_proving *proving, const struct entry *x, const struct entry *y)
{
    const struct jcc_symbol *a = x->symbol, *b = y->symbol;
    if (x->home >= HOME_NONE)
        return a->value != b->value ? "value" : a->size != b->size ? "size" : NULL;
    const struct jcc_twin *home = &proving->twins[x->home];
    if (home->plain->part != JCC_PART_CODE) {
        bool loose = home->open || home->plain->part == JCC_PART_DEBUG;
        return !jcc_same_place(home, a->value, b->value) ? "place" : a->size != b->size && !loose ? "size" : NULL;
    }
    bool function = GELF_ST_TYPE(a->info) == STT_FUNC || GELF_ST_TYPE(a->info) == STT_GNU_IFUNC;
    if (function ? !jcc_same_place(home, a->value, b->value) : !jcc_places_equal(&home->plain_code, a->value, &home->padded_code, b->value))
        return "place";
    bool ends = jcc_inside(a->value, a->size, home->plain->size) && jcc_inside(b->value, b->size, home->padded->size) &&
                (a->size == 0) == (b->size == 0) &&
                jcc_places_equal(&home->plain_code, a->value + a->size, &home->padded_code, b->value + b->size);
    return ends ? NULL : "size";
}

static enum jcc_status differ(struct jcc_proving *proving, const struct entry *x, const struct entry *y, const char *what)
{
    const struct entry *either = x ? x : y;
    char text[sizeof proving->result->difference.what];
    snprintf(text, sizeof text, "%s of symbol %s", what, *either->name ? either->name : "without a name");
    const char *section = either->home < HOME_NONE ? proving->twins[either->home].plain->name : "";
    return jcc_differ(proving, section, x ? x->symbol->value : 0, y ? y->symbol->value : 0, text);
}

static enum jcc_status compare(struct jcc_proving *proving, const struct entry *plain, size_t plain_count, const struct entry *padded,
                               size_t padded_count)
{
    for (size_t n = 0; n < plain_count || n < padded_count; n++) {
        const struct entry *x = n < plain_count ? &plain[n] : NULL, *y = n < padded_count ? &padded[n] : NULL;
        int order = !x ? 1 : !y ? -1 : by_identity(x, y);
        if (order != 0)
            return differ(proving, order < 0 ? x : NULL, order < 0 ? NULL : y, "presence, section, type, binding or visibility");
        const char *what = compare_places(proving, x, y);
        if (what)
            return differ(proving, x, y, what);
    }
    return JCC_OK;
}

enum jcc_status jcc_prove_symbols(struct jcc_proving *proving)
{
    size_t plain_count, padded_count;
    struct entry *plain = collect(&proving->plain, proving->ignore_prefix, &plain_count);
    struct entry *padded = collect(&proving->padded, NULL, &padded_count);
    enum jcc_status status = JCC_ERROR_NO_MEMORY;
    if (plain && padded)
        status = compare(proving, plain, plain_count, padded, padded_count);
    free(plain);
    free(padded);
    return status;
}
