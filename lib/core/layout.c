// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout_plan.h"
#include <stdint.h>
#include <string.h>

static const char *const residual_names[JCC_RESIDUAL_COUNT] = {
    [JCC_RESIDUAL_NONE] = "none",
    [JCC_RESIDUAL_NO_SITE] = "no place for a pad",
    [JCC_RESIDUAL_TOO_LONG] = "unit as long as the boundary",
    [JCC_RESIDUAL_SHORT_BRANCH] = "short branch out of reach",
    [JCC_RESIDUAL_PINNED_SIZE] = "size fixed by the source",
    [JCC_RESIDUAL_WRITTEN_AS_DATA] = "branch written as data",
    [JCC_RESIDUAL_NOT_PLANNED] = "section not planned",
    [JCC_RESIDUAL_OPTED_OUT] = "opted out",
};

const char *jcc_residual_name(enum jcc_residual residual)
{
    return (unsigned)residual < JCC_RESIDUAL_COUNT ? residual_names[residual] : residual_names[JCC_RESIDUAL_NONE];
}

// Fewer steps a block the smaller a row is: less to do again.
static uint32_t block_steps_for(uint32_t modulus)
{
    return modulus / 2 < LAYOUT_BLOCK_STEPS_MAX ? modulus / 2 : LAYOUT_BLOCK_STEPS_MAX;
}

// All rows are kept where they are short: to make them again for the walk takes as long as making them. 256 bytes a step.
static bool keeps_rows(uint32_t modulus)
{
    return modulus <= JCC_BOUNDARY_INTEL;
}

// How the workspace is cut up, in bytes from its start; widest members first.
struct workspace {
    uint64_t costs;
    uint64_t rows;
    uint64_t spare;
    uint64_t steps;
    uint64_t blocks;
    uint64_t branches;
    uint64_t marks;
    uint64_t end;
};

static struct workspace workspace_for(uint32_t modulus, uint64_t count)
{
    uint64_t block_steps = block_steps_for(modulus), row = modulus * sizeof(double);
    uint64_t blocks = count / block_steps + 2; // one is begun, one stands for the end
    uint64_t rows = count < block_steps || keeps_rows(modulus) ? count : block_steps;
    struct workspace space = {0};

    space.rows = space.costs + blocks * row;
    space.spare = space.rows + rows * row;
    space.steps = space.spare + LAYOUT_SPARE_ROWS * layout_spare_stride(modulus) * sizeof(double);
    space.blocks = space.steps + count * sizeof(struct layout_step);
    space.branches = space.blocks + blocks * sizeof(struct layout_block);
    space.marks = space.branches + count * sizeof(uint32_t);
    space.end = space.marks + count;
    return space;
}

size_t jcc_layout_workspace(const struct jcc_policy *policy, size_t count)
{
    uint64_t most = 0;

    if (jcc_policy_check(policy) != JCC_OK || (uint64_t)count > UINT32_MAX - 1)
        return 0;
    // The modulus depends on the alignments among the items: leave room for the one that takes most.
    for (uint32_t modulus = JCC_BOUNDARY_MIN; modulus <= LAYOUT_MODULUS_MAX; modulus *= 2) {
        uint64_t end = workspace_for(modulus, count).end;

        most = end > most ? end : most;
    }
    return most <= SIZE_MAX ? (size_t)most : 0;
}

// The boundary, or the largest alignment that the program can take in whole.
static uint32_t modulus_for(uint32_t boundary, const struct jcc_layout_item *items, uint32_t count)
{
    uint32_t modulus = boundary > JCC_BOUNDARY_MIN ? boundary : JCC_BOUNDARY_MIN;

    for (uint32_t i = 0; i < count; i++)
        if (items[i].type == JCC_ITEM_ALIGN && items[i].length > modulus && items[i].length <= LAYOUT_MODULUS_MAX)
            modulus = items[i].length;
    return modulus;
}

static void set_policy(struct layout_plan *plan, const struct jcc_policy *policy, const struct jcc_layout_prices *prices, uint32_t nop_max)
{
    static const struct jcc_layout_prices defaults = JCC_LAYOUT_PRICES_DEFAULT;

    if (prices == NULL)
        prices = &defaults;
    plan->kinds = policy->kinds & JCC_KINDS_ALL;
    plan->boundary = plan->kinds != 0 ? policy->boundary : 0;
    plan->prefix_limit = policy->prefix_limit;
    plan->nop_max = nop_max;
    plan->nop_price = prices->nop;
    plan->prefix_price = (prices->prefix < LAYOUT_PREFIX_PRICE_MAX ? prices->prefix : LAYOUT_PREFIX_PRICE_MAX) * LAYOUT_TENTH;
    for (uint32_t bytes = 0; bytes < LAYOUT_MODULUS_MAX; bytes++)
        plan->nops[bytes] = (uint8_t)(bytes / nop_max + (bytes % nop_max != 0));
}

static void set_workspace(struct layout_plan *plan, void *workspace)
{
    unsigned char *base = workspace;
    struct workspace space;

    plan->modulus = modulus_for(plan->boundary, plan->items, plan->count);
    plan->block_steps = block_steps_for(plan->modulus);
    plan->keeps_rows = keeps_rows(plan->modulus);
    space = workspace_for(plan->modulus, plan->count);
    plan->costs = (double *)(void *)(base + space.costs);
    plan->rows = (double *)(void *)(base + space.rows);
    plan->spare = (double *)(void *)(base + space.spare);
    plan->steps = (struct layout_step *)(void *)(base + space.steps);
    plan->blocks = (struct layout_block *)(void *)(base + space.blocks);
    plan->branches = (uint32_t *)(void *)(base + space.branches);
    plan->marks = base + space.marks;
    plan->loaded = LAYOUT_NO_ITEM;
    // Loops over rows take whole lanes, and so read a little beyond what is set: let it be numbers.
    memset(plan->spare, 0, space.steps - space.spare);
}

// Plan and place until every jump reaches. Each round but the last makes a jump long or holds a span: it ends.
static enum jcc_status settle(struct layout_plan *plan, struct jcc_layout_totals *totals)
{
    layout_reach_start(plan);
    layout_cut(plan);
    do {
        enum jcc_status status;

        if (layout_on(plan))
            layout_solve(plan);
        status = layout_walk(plan);
        if (status != JCC_OK)
            return status;
        plan->rounds++;
    } while (layout_reach_settle(plan));
    layout_judge(plan, totals);
    return JCC_OK;
}

enum jcc_status jcc_layout_plan(const struct jcc_policy *policy, const struct jcc_layout_prices *prices, unsigned nop_max,
                                const struct jcc_layout_item *items, size_t count, struct jcc_layout_place *places, void *workspace,
                                size_t workspace_size, struct jcc_layout_totals *totals)
{
    struct layout_plan plan = {.items = items, .places = places};
    struct jcc_layout_totals sums = {0};
    enum jcc_status status = jcc_policy_check(policy);
    size_t needed;

    if (status != JCC_OK)
        return status;
    if ((count != 0 && (items == NULL || places == NULL)) || workspace == NULL || nop_max == 0)
        return JCC_ERROR_ARGUMENT;
    needed = jcc_layout_workspace(policy, count);
    if (needed == 0)
        return JCC_ERROR_LIMIT;
    if (workspace_size < needed)
        return JCC_ERROR_NO_SPACE;
    plan.count = (uint32_t)count;
    status = layout_check_items(items, plan.count);
    if (status != JCC_OK)
        return status;
    set_policy(&plan, policy, prices, nop_max);
    set_workspace(&plan, workspace);
    status = settle(&plan, &sums);
    if (status == JCC_OK && totals != NULL)
        *totals = sums;
    return status;
}
