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

static bool is_wanted(const struct jcc_assemble_request *request, const char *name, size_t length)
{
    char text[1024];
    if (length >= sizeof text)
        return false;
    memcpy(text, name, length);
    text[length] = '\0';
    for (size_t k = 0; k < request->function_count; k++)
        if (!fnmatch(request->functions[k], text, 0))
            return true;
    return false;
}

static enum jcc_status keep_functions(const struct jcc_measure *m, struct jcc_code *code, const struct jcc_assemble_request *request)
{
    enum { SAME = 0, WANTED = 1, UNWANTED = 2 };
    struct jcc_names functions = {0};
    uint8_t *begins = calloc(code->count + 1, 1); // at each item: whether a function begins there
    enum jcc_status status = begins && jcc_functions_read(m->scan, &functions) ? JCC_OK : JCC_ERROR_NO_MEMORY;
    for (size_t k = 0; !status && k < m->labels->count; k++) {
        const struct jcc_label *label = &m->labels->list[k];
        const struct jcc_statement *s = &m->scan->statements[label->statement];
        const char *name = m->scan->text + s->name;
        bool quoted = s->name_length >= 2 && *name == '"';
        size_t length = s->name_length - 2u * quoted;
        if (label->section != code->section || !jcc_names_get(&functions, name + quoted, length))
            continue;
        bool wanted = is_wanted(request, name + quoted, length);
        if (begins[label->item] != WANTED) // two names of one function: either will do
            begins[label->item] = wanted ? WANTED : UNWANTED;
    }
    bool inside = false;
    for (size_t k = 0; !status && k < code->count; k++) {
        inside = begins[k] == SAME ? inside : begins[k] == WANTED;
        if (!inside)
            leave_out(&code->items[k]);
    }
    free(begins);
    jcc_names_free(&functions);
    return status;
}

enum jcc_status jcc_scope_apply(const struct jcc_measure *m, struct jcc_code *code, const struct jcc_assemble_request *request)
{
    if (m->policy->scope == JCC_SCOPE_FUNCTIONS)
        return keep_functions(m, code, request);
    for (size_t k = 0; m->policy->scope == JCC_SCOPE_LOOPS && k < code->count; k++)
        if (!(code->items[k].flags & JCC_ITEM_LOOP))
            leave_out(&code->items[k]);
    return JCC_OK;
}
