// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout_plan.h"

static uint32_t steps_of(const struct layout_block *block)
{
    return block[1].first_step - block->first_step;
}

// Fill the rows of BLOCK. Returns the costs at its first item, in a spare row.
static const double *fill_rows(struct layout_plan *plan, uint32_t block)
{
    const struct layout_step *steps = plan->steps + plan->blocks[block].first_step;
    double *rows = layout_rows(plan, block);
    const double *behind = plan->spare;

    layout_row_double(plan->spare, layout_costs(plan, block + 1), plan->modulus);
    for (uint32_t k = steps_of(&plan->blocks[block]); k-- > 0;)
        behind = layout_row_back(plan, &steps[k], behind, rows + (size_t)k * plan->modulus);
    plan->loaded = block;
    return behind;
}

void layout_load(struct layout_plan *plan, uint32_t block)
{
    if (!plan->keeps_rows && plan->loaded != block)
        fill_rows(plan, block);
}

static void read_again(struct layout_plan *plan, const struct layout_block *block)
{
    for (uint32_t k = block->first_step; k < block[1].first_step; k++)
        plan->steps[k] = layout_step_at(plan, plan->steps[k].first);
}

// Work BLOCK out again. True when the costs at its first item changed. They are kept with the least of them as 0, so that they
// are the same whatever comes behind, and the numbers stay small.
static bool solve_block(struct layout_plan *plan, uint32_t block)
{
    double *costs = layout_costs(plan, block);
    const double *row = fill_rows(plan, block);
    double least = layout_row_least(row, plan->modulus);
    bool changed = !plan->solved;

    for (uint32_t x = 0; x < plan->modulus; x++) {
        double cost = row[x] - least;

        changed |= cost != costs[x];
        costs[x] = cost;
    }
    return changed;
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
        if (block->dirty && plan->solved)
            read_again(plan, block);
        changed = solve_block(plan, b);
        block->dirty = false;
        block->stale = true;
    }
    plan->solved = true;
}
