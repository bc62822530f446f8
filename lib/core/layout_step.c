// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout_plan.h"

static bool is_second_of_pair(const struct layout_plan *plan, uint32_t index)
{
    return index > 0 && (plan->items[index - 1].flags & JCC_ITEM_PAIR);
}

unsigned layout_unit_items(const struct layout_plan *plan, uint32_t index)
{
    const struct jcc_layout_item *item = &plan->items[index];
    bool fused_wanted = plan->kinds & JCC_KIND_BIT(JCC_KIND_FUSED);

    if (item->type != JCC_ITEM_INSN)
        return 0;
    if (item->flags & JCC_ITEM_PAIR)
        return fused_wanted && !((item[0].flags | item[1].flags) & JCC_ITEM_EXEMPT) ? 2 : 0;
    if (!(plan->kinds & JCC_KIND_BIT(item->kind)) || (item->flags & JCC_ITEM_EXEMPT))
        return 0;
    if (is_second_of_pair(plan, index) && (fused_wanted || (item[-1].flags & JCC_ITEM_EXEMPT)))
        return 0;
    return 1;
}

uint32_t layout_fuses_from(const struct layout_plan *plan, uint32_t jump)
{
    uint32_t first = jump;

    if (!(plan->kinds & JCC_KIND_BIT(JCC_KIND_FUSED)) || (plan->items[jump].flags & JCC_ITEM_EXEMPT))
        return LAYOUT_NO_ITEM;
    while (first > 0 && (plan->items[first - 1].flags & JCC_ITEM_FUSES))
        first--;
    return first == jump || (plan->items[first - 1].flags & JCC_ITEM_EXEMPT) ? LAYOUT_NO_ITEM : first - 1;
}

uint32_t layout_item_bytes(const struct layout_plan *plan, uint32_t index)
{
    const struct jcc_layout_item *item = &plan->items[index];

    return plan->marks[index] & MARK_LONG ? item->long_length : item->length;
}

bool layout_site_allowed(const struct layout_plan *plan, uint32_t index)
{
    return (plan->items[index].flags & (JCC_ITEM_SITE | JCC_ITEM_PINNED)) == JCC_ITEM_SITE && !(plan->marks[index] & MARK_NO_PAD);
}

uint32_t layout_prefix_room(const struct layout_plan *plan, uint32_t index)
{
    const struct jcc_layout_item *item = &plan->items[index];
    bool kept = index + 1 < plan->count && (item[1].flags & (JCC_ITEM_PINNED | JCC_ITEM_FUSES));

    if (item->type != JCC_ITEM_INSN || item->prefix_room == 0 || kept || (plan->marks[index] & MARK_NO_PREFIX))
        return 0;
    return item->prefix_room < plan->prefix_limit ? item->prefix_room : plan->prefix_limit;
}

double layout_nop_price(const struct layout_plan *plan, uint32_t index)
{
    const struct jcc_layout_item *item = &plan->items[index];
    double price = plan->nop_price * item->weight;

    if (item->flags & JCC_ITEM_DEAD)
        return 0;
    return (price < LAYOUT_NOP_PRICE_MAX ? price : LAYOUT_NOP_PRICE_MAX) * LAYOUT_TENTH;
}

// Take the site before item INDEX into account. At the same price the site that is not executed is better, then the later one.
static void consider_site(const struct layout_plan *plan, struct layout_step *step, uint32_t index)
{
    double price = layout_nop_price(plan, index);
    bool dead = plan->items[index].flags & JCC_ITEM_DEAD;

    if (!layout_site_allowed(plan, index))
        return;
    if (step->site != LAYOUT_NO_ITEM) {
        bool site_dead = plan->items[step->site].flags & JCC_ITEM_DEAD;

        if (price > step->nop_price || (price == step->nop_price && site_dead && !dead))
            return;
    }
    step->site = index;
    step->nop_price = price;
}

static void set_stop(const struct layout_plan *plan, struct layout_step *step, uint32_t index, unsigned unit_items)
{
    step->stop = index;
    if (unit_items == 0) {
        step->kind = STOP_ALIGN;
        step->next = index + 1;
        return;
    }
    step->kind = STOP_UNIT;
    step->next = index + unit_items;
    for (uint32_t i = index; i < step->next; i++)
        step->length = (uint8_t)(step->length + layout_item_bytes(plan, i));
}

struct layout_step layout_step_at(const struct layout_plan *plan, uint32_t first)
{
    struct layout_step step = {.first = first, .stop = plan->count, .next = plan->count, .site = LAYOUT_NO_ITEM, .kind = STOP_END};
    uint32_t bytes = 0, room = 0, room_max = plan->modulus - 1;

    for (uint32_t i = first; i < plan->count; i++) {
        unsigned unit_items = layout_unit_items(plan, i);

        consider_site(plan, &step, i);
        if (unit_items != 0 || plan->items[i].type == JCC_ITEM_ALIGN) {
            set_stop(plan, &step, i, unit_items);
            break;
        }
        bytes += layout_item_bytes(plan, i);
        room = room < room_max ? room + layout_prefix_room(plan, i) : room;
    }
    step.bytes = (uint16_t)(bytes & (plan->modulus - 1));
    step.room = (uint8_t)(room < room_max ? room : room_max);
    return step;
}

static bool is_far_align(const struct layout_plan *plan, const struct layout_step *step)
{
    return step->kind == STOP_ALIGN && plan->items[step->stop].max_skip != 0 && plan->items[step->stop].length > plan->modulus;
}

static struct layout_block *begin_block(struct layout_plan *plan, uint32_t item, uint32_t step)
{
    struct layout_block *block = &plan->blocks[plan->block_count];

    *block = (struct layout_block){.first_item = item, .first_step = step, .dirty = true, .stale = true};
    return block;
}

void layout_cut(struct layout_plan *plan)
{
    struct layout_block *block = NULL;
    uint32_t step = 0;

    plan->block_count = 0;
    for (uint32_t item = 0; item < plan->count; item = plan->steps[step++].next) {
        if (step % plan->block_steps == 0) {
            block = begin_block(plan, item, step);
            plan->block_count++;
        }
        plan->steps[step] = layout_step_at(plan, item);
        block->far_align |= is_far_align(plan, &plan->steps[step]);
    }
    begin_block(plan, plan->count, step);
}

struct layout_block *layout_block_of(const struct layout_plan *plan, uint32_t index)
{
    uint32_t low = 0, high = plan->block_count;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;

        if (plan->blocks[middle].first_item <= index)
            low = middle;
        else
            high = middle;
    }
    return &plan->blocks[low];
}
