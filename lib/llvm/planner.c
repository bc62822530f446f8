// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "planner.h"

#include "scope.h"
#include "units.h"

#include <jccsafe/padding.h>
#include <stdlib.h>
#include <string.h>

static bool has_units(const struct jcc_code *code)
{
    for (size_t k = 0; k < code->count; k++)
        if (code->items[k].kind != JCC_KIND_NONE)
            return true;
    return false;
}

static enum jcc_status plan(const struct jcc_policy *policy, const struct jcc_layout_prices *prices, const struct jcc_code *code,
                            struct jcc_layout_place *places)
{
    size_t size = jcc_layout_workspace(policy, code->count);
    void *workspace = malloc(size ? size : 1);
    if (!workspace)
        return JCC_ERROR_NO_MEMORY;
    enum jcc_status status = jcc_layout_plan(policy, prices, JCC_NOP_MAX, code->items, code->count, places, workspace, size, NULL);
    free(workspace);
    return status;
}

static enum jcc_status plan_section(const struct jcc_measure *m, struct jcc_scoping *scope, struct jcc_code *code)
{
    uint32_t *scratch = malloc((code->count + 1) * sizeof *scratch);
    code->places = calloc(code->count + 1, sizeof *code->places);
    enum jcc_status status = JCC_ERROR_NO_MEMORY;
    if (scratch && code->places) {
        jcc_layout_weights(code->items, code->count, scratch);
        status = jcc_scope_apply(scope, code);
    }
    if (!status)
        status = plan(m->policy, scope->request->prices, code, code->places);
    free(scratch);
    return status;
}

enum jcc_status jcc_planner_run(struct jcc_measure *m, const struct jcc_assemble_request *request)
{
    struct jcc_scoping scope;
    enum jcc_status status = jcc_scope_open(&scope, m, request);
    for (size_t k = 0; !status && k < m->code_count; k++) {
        struct jcc_code *code = &m->codes[k];
        if (!code->followed || !has_units(code))
            continue;
        status = plan_section(m, &scope, code);
        code->planned = status == JCC_OK;
        if (status == JCC_ERROR_LIMIT)
            status = JCC_OK;
    }
    jcc_scope_close(&scope);
    return status;
}

bool jcc_planner_may_run_data(const struct jcc_code *code)
{
    bool data = false, indirect = false;
    for (size_t k = 0; k < code->count && !(data && indirect); k++) {
        data |= code->items[k].type == JCC_ITEM_DATA && code->items[k].length;
        indirect |= code->items[k].kind == JCC_KIND_INDIRECT;
    }
    return data && indirect;
}

bool jcc_planner_any(const struct jcc_measure *m)
{
    for (size_t k = 0; k < m->code_count; k++)
        if (m->codes[k].planned)
            return true;
    return false;
}

void jcc_planner_count_pads(const struct jcc_measure *m, struct jcc_assemble_totals *t)
{
    t->pads = t->pad_bytes = t->prefix_bytes = 0;
    for (size_t k = 0; k < m->code_count; k++) {
        const struct jcc_code *code = &m->codes[k];
        for (size_t n = 0; code->planned && n < code->count; n++) {
            t->pads += code->places[n].pad != 0;
            t->pad_bytes += code->places[n].pad;
            t->prefix_bytes += code->places[n].prefixes;
        }
    }
}

static uint64_t count_affected(const struct jcc_policy *policy, const struct jcc_code *code, const struct jcc_layout_place *places)
{
    struct jcc_unit unit = {0};
    uint64_t affected = 0;
    for (size_t k = 0; k < code->count; k += unit.items ? unit.items : 1) {
        unit = jcc_unit_at(policy, code, places, k);
        affected += unit.items && jcc_affected(policy->boundary, unit.begin, unit.end - unit.begin);
    }
    return affected;
}

enum jcc_status jcc_planner_count_plain(const struct jcc_measure *m, struct jcc_assemble_totals *t)
{
    struct jcc_policy off = jcc_policy_off();
    t->affected_plain = t->code_bytes_plain = 0;
    enum jcc_status status = JCC_OK;
    for (size_t k = 0; !status && k < m->code_count; k++) {
        const struct jcc_code *code = &m->codes[k];
        struct jcc_layout_place *places = code->planned ? calloc(code->count + 1, sizeof *places) : NULL;
        if (!code->planned) {
            t->code_bytes_plain += code->size;
            continue;
        }
        status = places ? plan(&off, NULL, code, places) : JCC_ERROR_NO_MEMORY;
        if (!status) {
            t->affected_plain += count_affected(m->policy, code, places);
            t->code_bytes_plain += places[code->count - 1].offset + places[code->count - 1].length;
        }
        free(places);
    }
    return status;
}
