// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout_plan.h"
#include <string.h>

void layout_load(struct layout_plan *plan, uint32_t block, struct layout_step *steps)
{
    const struct layout_block *at = &plan->blocks[block];
    uint32_t modulus = plan->modulus, item = at->first;
    double end[2 * LAYOUT_MODULUS_MAX];
    const double *behind = end;

    for (uint32_t k = 0; k < at->steps; k++) {
        steps[k] = layout_step_at(plan, item);
        item = steps[k].next;
    }
    if (plan->loaded == block)
        return;
    memcpy(end, layout_costs(plan, block + 1), modulus * sizeof *end);
    layout_row_mirror(end, modulus);
    for (uint32_t k = at->steps; k-- > 0;) {
        layout_row_back(plan, &steps[k], behind, layout_row_stop(plan, k), layout_row_first(plan, k));
        behind = layout_row_first(plan, k);
    }
    plan->loaded = block;
}

// Work block BLOCK out again. True when the costs at its first item changed.
static bool solve_block(struct layout_plan *plan, uint32_t block)
{
    struct layout_step steps[LAYOUT_BLOCK_STEPS_MAX];
    size_t size = plan->modulus * sizeof(double);
    double costs[LAYOUT_MODULUS_MAX];

    plan->loaded = LAYOUT_NO_ITEM;
    layout_load(plan, block, steps);
    memcpy(costs, layout_row_first(plan, 0), size);
    layout_row_normalise(costs, plan->modulus);
    if (plan->solved && memcmp(costs, layout_costs(plan, block), size) == 0)
        return false;
    memcpy(layout_costs(plan, block), costs, size);
    return true;
}

void layout_solve(struct layout_plan *plan)
{
    bool changed = false;

    for (uint32_t x = 0; x < plan->modulus; x++)
        layout_costs(plan, plan->block_count)[x] = 0;
    for (uint32_t b = plan->block_count; b-- > 0;) {
        struct layout_block *block = &plan->blocks[b];

        if (!block->dirty && !changed)
            continue;
        changed = solve_block(plan, b);
        block->dirty = false;
        block->stale = true;
    }
    plan->solved = true;
}
