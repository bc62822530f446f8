// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L
#include "scope.h"

#include "functions.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static void leave_out(struct jcc_layout_item *item)
{
    item->flags = (uint16_t)((item->flags | JCC_ITEM_EXEMPT) & ~JCC_ITEM_SITE);
    item->prefix_room = 0;
}

// What a function is worth, by its name.
typedef uint32_t (*judge_fn)(const void *context, const char *name);

// 1: the request names the function.
static uint32_t is_wanted(const void *context, const char *name)
{
    const struct jcc_assemble_request *request = context;
    for (size_t k = 0; k < request->function_count; k++)
        if (!fnmatch(request->functions[k], name, 0))
            return 1;
    return 0;
}

struct weights {
    struct jcc_function_weight *list; // by name
    size_t count;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct jcc_function_weight *)a)->name, ((const struct jcc_function_weight *)b)->name);
}

static uint32_t weight_of(const void *context, const char *name)
{
    const struct weights *weights = context;
    struct jcc_function_weight wanted = {.name = name};
    const struct jcc_function_weight *found = bsearch(&wanted, weights->list, weights->count, sizeof wanted, by_name);
    return found ? found->weight : 1;
}

static uint32_t judge(judge_fn each, const void *context, const char *name, size_t length, uint32_t unknown)
{
    char text[1024];
    if (length >= sizeof text)
        return unknown;
    memcpy(text, name, length);
    text[length] = '\0';
    return each(context, text);
}

// For each item what EACH says of its function, UNKNOWN where it is in none; of several names of one function the greatest counts. To be freed;
// NULL: no memory.
static uint32_t *judge_functions(const struct jcc_measure *m, const struct jcc_code *code, judge_fn each, const void *context,
                                 uint32_t unknown)
{
    struct jcc_names functions = {0};
    uint32_t *values = malloc((code->count + 1) * sizeof *values);
    bool *begins = calloc(code->count + 1, sizeof *begins);
    bool ok = values && begins && jcc_functions_read(m->scan, &functions);
    for (size_t k = 0; ok && k < m->labels->count; k++) {
        const struct jcc_label *label = &m->labels->list[k];
        const struct jcc_statement *s = &m->scan->statements[label->statement];
        const char *name = m->scan->text + s->name;
        bool quoted = s->name_length >= 2 && *name == '"';
        size_t length = s->name_length - 2u * quoted;
        if (label->section != code->section || !jcc_names_get(&functions, name + quoted, length))
            continue;
        uint32_t value = judge(each, context, name + quoted, length, unknown);
        values[label->item] = begins[label->item] && values[label->item] > value ? values[label->item] : value;
        begins[label->item] = true;
    }
    uint32_t value = unknown;
    for (size_t k = 0; ok && k < code->count; k++)
        values[k] = value = begins[k] ? values[k] : value;
    jcc_names_free(&functions);
    free(begins);
    if (!ok)
        free(values);
    return ok ? values : NULL;
}

static enum jcc_status keep_functions(const struct jcc_measure *m, struct jcc_code *code, const struct jcc_assemble_request *request)
{
    uint32_t *wanted = judge_functions(m, code, is_wanted, request, 0);
    for (size_t k = 0; wanted && k < code->count; k++)
        if (!wanted[k])
            leave_out(&code->items[k]);
    free(wanted);
    return wanted ? JCC_OK : JCC_ERROR_NO_MEMORY;
}

static enum jcc_status weigh_functions(const struct jcc_measure *m, struct jcc_code *code, const struct jcc_assemble_request *request)
{
    struct weights weights = {.count = request->function_weight_count};
    size_t size = weights.count * sizeof *weights.list;
    uint32_t *factors = NULL;
    weights.list = malloc(size);
    if (weights.list) {
        memcpy(weights.list, request->function_weights, size);
        qsort(weights.list, weights.count, sizeof *weights.list, by_name);
        factors = judge_functions(m, code, weight_of, &weights, 1);
    }
    for (size_t k = 0; factors && k < code->count; k++)
        code->items[k].weight *= factors[k];
    free(factors);
    free(weights.list);
    return factors ? JCC_OK : JCC_ERROR_NO_MEMORY;
}

enum jcc_status jcc_scope_apply(const struct jcc_measure *m, struct jcc_code *code, const struct jcc_assemble_request *request)
{
    if (request->function_weight_count) {
        enum jcc_status status = weigh_functions(m, code, request);
        if (status)
            return status;
    }
    if (m->policy->scope == JCC_SCOPE_FUNCTIONS)
        return keep_functions(m, code, request);
    for (size_t k = 0; m->policy->scope == JCC_SCOPE_LOOPS && k < code->count; k++)
        if (!(code->items[k].flags & JCC_ITEM_LOOP))
            leave_out(&code->items[k]);
    return JCC_OK;
}
