// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout_plan.h"
#include <jccsafe/padding.h>

// How many of the bytes that STEP's gap gets are prefixes, how many a pad.
struct added {
    uint32_t pad;
    uint32_t prefixes;
};

// The cheapest number of bytes to add where the stop of STEP would fall on OFFSET without them; of several, the least.
// ROW has the costs at the stop.
static struct added choose(const struct layout_plan *plan, const struct layout_step *step, const double *row, uint32_t offset)
{
    uint32_t mask = plan->modulus - 1;
    struct added best = {0, 0};
    double best_cost = row[offset], least = layout_row_least(row, plan->modulus);

    for (uint32_t e = 1; e <= mask && least + LAYOUT_BYTE * e < best_cost; e++) {
        uint32_t prefixes;
        double cost = layout_added_price(plan, step, e, &prefixes) + row[(offset + e) & mask];

        if (cost < best_cost) {
            best = (struct added){e - prefixes, prefixes};
            best_cost = cost;
        }
    }
    return best;
}

// Write what was chosen for STEP into the places of its items: prefixes on the last instructions that take them.
static void write_added(struct layout_plan *plan, const struct layout_step *step, struct added added)
{
    for (uint32_t i = step->first; i < step->next; i++) {
        plan->places[i].pad = 0;
        plan->places[i].prefixes = 0;
    }
    if (added.pad != 0)
        plan->places[step->site].pad = (uint16_t)added.pad;
    for (uint32_t i = step->stop; added.prefixes != 0 && i-- > step->first;) {
        uint32_t room = layout_prefix_room(plan, i);
        uint32_t taken = room < added.prefixes ? room : added.prefixes;

        plan->places[i].prefixes = (uint8_t)taken;
        added.prefixes -= taken;
    }
}

static uint64_t fill_at(const struct jcc_layout_item *align, uint64_t offset)
{
    uint64_t fill = (0u - offset) & (align->length - 1u);

    return align->max_skip != 0 && fill > align->max_skip ? 0 : fill;
}

// Give items FIRST to END - 1 their offsets and lengths, from OFFSET on, by the pads and prefixes that their places hold.
static uint64_t place_items(struct layout_plan *plan, uint32_t first, uint32_t end, uint64_t offset)
{
    for (uint32_t i = first; i < end; i++) {
        struct jcc_layout_place *place = &plan->places[i];
        uint64_t length;

        offset += place->pad;
        if (plan->items[i].type == JCC_ITEM_ALIGN)
            length = fill_at(&plan->items[i], offset);
        else
            length = (uint64_t)place->prefixes + layout_item_bytes(plan, i);
        place->offset = (uint32_t)offset;
        place->length = (uint32_t)length;
        offset += length;
    }
    return offset;
}

static uint64_t walk_block(struct layout_plan *plan, uint32_t block, uint64_t offset)
{
    const struct layout_step *step = plan->steps + plan->blocks[block].first_step;
    const struct layout_step *end = plan->steps + plan->blocks[block + 1].first_step;
    uint32_t mask = plan->modulus - 1;

    layout_load(plan, block);
    for (const double *row = layout_rows(plan, block); step != end; step++, row += plan->modulus) {
        uint32_t stop = (uint32_t)(offset + step->bytes) & mask;

        write_added(plan, step, choose(plan, step, row, stop));
        offset = place_items(plan, step->first, step->next, offset);
    }
    return offset;
}

enum jcc_status layout_walk(struct layout_plan *plan)
{
    uint64_t offset = 0;

    for (uint32_t b = 0; b < plan->block_count; b++) {
        struct layout_block *block = &plan->blocks[b];
        uint32_t entry = (uint32_t)offset;
        bool same_entry = ((block->offset ^ entry) & (plan->modulus - 1)) == 0;

        // The same costs and the same way in: the same choices, but for an alignment that depends on the whole offset.
        if (layout_on(plan) && (block->stale || block->far_align || !same_entry))
            offset = walk_block(plan, b, offset);
        else if (block->offset != entry || block->stale || block->dirty)
            offset = place_items(plan, block->first_item, block[1].first_item, offset);
        else
            offset = block->end;
        if (offset > LAYOUT_BYTES_MAX)
            return JCC_ERROR_LIMIT;
        block->offset = entry;
        block->end = (uint32_t)offset;
        block->stale = false;
        block->dirty = false;
    }
    plan->bytes = offset;
    return JCC_OK;
}

// Why the affected unit at item UNIT, behind the gap that begins at item GAP, was not helped.
static enum jcc_residual reason(const struct layout_plan *plan, uint32_t gap, uint32_t unit, uint32_t length)
{
    bool pinned = false;

    if (length >= plan->boundary)
        return JCC_RESIDUAL_TOO_LONG;
    for (uint32_t i = gap; i <= unit; i++) {
        const struct jcc_layout_item *item = &plan->items[i];
        bool site_taken = (item->flags & JCC_ITEM_SITE) && (plan->marks[i] & MARK_NO_PAD);
        bool room_taken = i < unit && item->prefix_room != 0 && (plan->marks[i] & MARK_NO_PREFIX);

        if (site_taken || room_taken)
            return JCC_RESIDUAL_SHORT_BRANCH;
        pinned |= (item->flags & JCC_ITEM_PINNED) != 0;
    }
    return pinned ? JCC_RESIDUAL_PINNED_SIZE : JCC_RESIDUAL_NO_SITE;
}

// The first item of the unit at item UNIT: of a jump that has met what it fuses with, that.
static uint32_t first_of_unit(const struct layout_plan *plan, uint32_t unit)
{
    bool jump = plan->items[unit].type == JCC_ITEM_INSN && plan->items[unit].kind == JCC_KIND_JCC;
    uint32_t first = jump ? layout_fuses_from(plan, unit) : LAYOUT_NO_ITEM;

    return first != LAYOUT_NO_ITEM && plan->places[first].offset + plan->places[first].length == plan->places[unit].offset ? first : unit;
}

static void judge_unit(struct layout_plan *plan, uint32_t gap, uint32_t unit, unsigned unit_items, struct jcc_layout_totals *totals)
{
    const struct jcc_layout_place *last = &plan->places[unit + unit_items - 1];
    struct jcc_layout_place *place = &plan->places[first_of_unit(plan, unit)];
    uint32_t length = last->offset + last->length - place->offset;

    totals->units++;
    if (!layout_on(plan) || !jcc_affected(plan->boundary, place->offset, length))
        return;
    place->residual = (uint8_t)reason(plan, gap, unit, length);
    totals->residuals++;
}

static void add_item(const struct layout_plan *plan, uint32_t index, struct jcc_layout_totals *totals)
{
    const struct jcc_layout_item *item = &plan->items[index];
    const struct jcc_layout_place *place = &plan->places[index];
    uint32_t fill = item->type == JCC_ITEM_ALIGN ? place->length : 0;

    totals->pad_bytes += place->pad;
    totals->prefix_bytes += place->prefixes;
    if (!(item->flags & JCC_ITEM_DEAD)) {
        totals->live_nops += (place->pad + plan->nop_max - 1) / plan->nop_max;
        totals->live_nops += fill / plan->nop_max + (fill % plan->nop_max != 0);
    }
    if ((plan->marks[index] & MARK_LONG) && !(item->flags & JCC_ITEM_LONG))
        totals->grown++;
}

void layout_judge(struct layout_plan *plan, struct jcc_layout_totals *totals)
{
    uint32_t gap = 0;

    totals->bytes = plan->bytes;
    totals->rounds = plan->rounds;
    for (uint32_t i = 0; i < plan->count; i++) {
        const struct jcc_layout_item *item = &plan->items[i];
        unsigned unit_items = layout_unit_items(plan, i);

        plan->places[i].residual = JCC_RESIDUAL_NONE;
        add_item(plan, i, totals);
        if (unit_items == 0 && first_of_unit(plan, i) != i)
            unit_items = 1; // met, where the policy names fused and not jcc
        if (unit_items != 0)
            judge_unit(plan, gap, i, unit_items, totals);
        if (unit_items != 0 || (item->type == JCC_ITEM_ALIGN && !(item->flags & JCC_ITEM_FUSES)))
            gap = i + 1;
        if (unit_items == 2) {
            plan->places[++i].residual = JCC_RESIDUAL_NONE;
            add_item(plan, i, totals);
            gap = i + 1;
        }
    }
}
