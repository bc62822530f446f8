// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scope.h"

#include <stdlib.h>
#include <string.h>

static void leave_out(struct jcc_layout_item *item)
{
    item->flags = (uint16_t)((item->flags | JCC_ITEM_EXEMPT) & ~JCC_ITEM_SITE);
    item->prefix_room = 0;
}

static bool read_weights(struct jcc_names *weights, const struct jcc_assemble_request *request)
{
    for (size_t k = 0; k < request->function_weight_count; k++) {
        const struct jcc_function_weight *weight = &request->function_weights[k];
        size_t length = strlen(weight->name);
        if (!jcc_names_get(weights, weight->name, length) && !jcc_names_put(weights, weight->name, length, weight->weight + 1))
            return false;
    }
    return true;
}

enum jcc_status jcc_scope_open(struct jcc_scoping *scope, const struct jcc_measure *m, const struct jcc_assemble_request *request)
{
    *scope = (struct jcc_scoping){.request = request};
    bool by_name = request->policy.scope == JCC_SCOPE_FUNCTIONS;
    if (!by_name && !request->function_weight_count)
        return JCC_OK;
    bool ok = jcc_function_labels_read(&scope->functions, m->labels) && read_weights(&scope->weights, request) &&
              (!by_name || jcc_wanted_open(&scope->wanted, request));
    return ok ? JCC_OK : JCC_ERROR_NO_MEMORY;
}

void jcc_scope_close(struct jcc_scoping *scope)
{
    jcc_function_labels_free(&scope->functions);
    jcc_wanted_close(&scope->wanted);
    jcc_names_free(&scope->weights);
}

// What a function is worth, by its name.
typedef uint32_t (*judge_fn)(struct jcc_scoping *scope, const char *name, size_t length, bool *failed);

// 1: the request names the function.
static uint32_t is_wanted(struct jcc_scoping *scope, const char *name, size_t length, bool *failed)
{
    return jcc_wanted_has(&scope->wanted, name, length, failed);
}

static uint32_t weight_of(struct jcc_scoping *scope, const char *name, size_t length, bool *failed)
{
    (void)failed;
    uint32_t found = jcc_names_get(&scope->weights, name, length);
    return found ? found - 1 : 1;
}

// For each item what EACH says of its function, UNKNOWN where it is in none; of several names of one function the greatest counts. To be freed;
// NULL: no memory.
static uint32_t *judge_functions(struct jcc_scoping *scope, const struct jcc_code *code, judge_fn each, uint32_t unknown)
{
    const struct jcc_labels *labels = scope->functions.labels;
    size_t count;
    const uint32_t *list = jcc_function_labels_in(&scope->functions, code->section, &count);
    uint32_t *values = malloc((code->count + 1) * sizeof *values);
    bool *begins = calloc(code->count + 1, sizeof *begins);
    bool failed = !values || !begins;
    for (size_t k = 0; !failed && k < count; k++) {
        uint32_t item = labels->list[list[k]].item;
        size_t length;
        const char *name = jcc_label_name(labels, list[k], &length);
        uint32_t value = each(scope, name, length, &failed);
        values[item] = begins[item] && values[item] > value ? values[item] : value;
        begins[item] = true;
    }
    uint32_t value = unknown;
    for (size_t k = 0; !failed && k < code->count; k++)
        values[k] = value = begins[k] ? values[k] : value;
    free(begins);
    if (failed)
        free(values);
    return failed ? NULL : values;
}

static enum jcc_status keep_functions(struct jcc_scoping *scope, struct jcc_code *code)
{
    uint32_t *wanted = judge_functions(scope, code, is_wanted, 0);
    for (size_t k = 0; wanted && k < code->count; k++)
        if (!wanted[k])
            leave_out(&code->items[k]);
    free(wanted);
    return wanted ? JCC_OK : JCC_ERROR_NO_MEMORY;
}

static enum jcc_status weigh_functions(struct jcc_scoping *scope, struct jcc_code *code)
{
    uint32_t *factors = judge_functions(scope, code, weight_of, 1);
    for (size_t k = 0; factors && k < code->count; k++)
        code->items[k].weight *= factors[k];
    free(factors);
    return factors ? JCC_OK : JCC_ERROR_NO_MEMORY;
}

enum jcc_status jcc_scope_apply(struct jcc_scoping *scope, struct jcc_code *code)
{
    const struct jcc_assemble_request *request = scope->request;
    if (request->function_weight_count) {
        enum jcc_status status = weigh_functions(scope, code);
        if (status)
            return status;
    }
    if (request->policy.scope == JCC_SCOPE_FUNCTIONS)
        return keep_functions(scope, code);
    for (size_t k = 0; request->policy.scope == JCC_SCOPE_LOOPS && k < code->count; k++)
        if (!(code->items[k].flags & JCC_ITEM_LOOP))
            leave_out(&code->items[k]);
    return JCC_OK;
}
