// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM lays a section out more than once, and says each time what is wrong with it. What a .print says again it says again.
#include "diagnostics.h"

#include <stdlib.h>
#include <string.h>

// A diagnostic with its notes.
struct group {
    const struct jcc_raw_diagnostic *first;
    size_t count;
    bool again;
};

static int compare_strings(const char *a, const char *b)
{
    return !a || !b ? (a != NULL) - (b != NULL) : strcmp(a, b);
}

static int compare_one(const struct jcc_raw_diagnostic *a, const struct jcc_raw_diagnostic *b)
{
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    if (a->severity != b->severity)
        return a->severity < b->severity ? -1 : 1;
    int order = compare_strings(a->message, b->message);
    return order ? order : compare_strings(a->file, b->file);
}

static int by_content(const struct group *a, const struct group *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (size_t k = 0; k < a->count; k++) {
        int order = compare_one(&a->first[k], &b->first[k]);
        if (order)
            return order;
    }
    return 0;
}

static int by_content_and_place(const void *a, const void *b)
{
    const struct group *x = *(const struct group *const *)a, *y = *(const struct group *const *)b;
    int order = by_content(x, y);
    return order ? order : x->first < y->first ? -1 : x->first > y->first;
}

static size_t group(const struct jcc_diagnostics *diagnostics, struct group *groups)
{
    size_t n = 0;
    for (size_t k = 0; k < diagnostics->count; k++) {
        const struct jcc_raw_diagnostic *raw = &diagnostics->list[k];
        if (n && raw->severity == JCC_SEVERITY_NOTE)
            groups[n - 1].count++;
        else
            groups[n++] = (struct group){raw, 1, false};
    }
    return n;
}

static void keep_first(struct jcc_diagnostics *diagnostics, const struct group *groups, size_t count)
{
    size_t kept = 0;
    for (size_t g = 0; g < count; g++)
        for (size_t k = 0; k < groups[g].count; k++) {
            struct jcc_raw_diagnostic raw = groups[g].first[k];
            if (!groups[g].again) {
                diagnostics->list[kept++] = raw;
                continue;
            }
            diagnostics->errors -= raw.severity == JCC_SEVERITY_ERROR;
            free(raw.file);
            free(raw.message);
        }
    diagnostics->count = kept;
}

void jcc_diagnostics_drop_repeats(struct jcc_diagnostics *diagnostics)
{
    if (diagnostics->count < 2)
        return;
    struct group *groups = malloc(diagnostics->count * sizeof *groups), **order = malloc(diagnostics->count * sizeof *order);
    if (groups && order) {
        size_t count = group(diagnostics, groups);
        for (size_t g = 0; g < count; g++)
            order[g] = &groups[g];
        qsort(order, count, sizeof *order, by_content_and_place);
        for (size_t g = 1; g < count; g++)
            order[g]->again = order[g]->first->severity != JCC_SEVERITY_PRINT && !by_content(order[g - 1], order[g]);
        keep_first(diagnostics, groups, count);
    }
    free(groups); // without memory all stay
    free(order);
}
