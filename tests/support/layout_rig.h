// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the tests of the planner: a random source, a call that brings its own workspace, and a verifier that holds a plan
// against the header's rules, written out once more and sharing no code with the planner.
#ifndef JCCSAFE_TESTS_LAYOUT_RIG_H
#define JCCSAFE_TESTS_LAYOUT_RIG_H

#include <inttypes.h>
#include <jccsafe/layout.h>
#include <jccsafe/padding.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- random numbers (splitmix64), the same on every machine

static inline uint64_t rig_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// 0 to BOUND - 1.
static inline uint32_t rig_below(uint64_t *state, uint32_t bound)
{
    return (uint32_t)(rig_random(state) % bound);
}

static inline bool rig_percent(uint64_t *state, uint32_t percent)
{
    return rig_below(state, 100) < percent;
}

// Have some instructions fuse over an alignment, or two.
static inline void rig_random_meetings(uint64_t *seed, struct jcc_layout_item *items, uint32_t count, bool exempt)
{
    const unsigned no_first = JCC_ITEM_PAIR | JCC_ITEM_RELAX | JCC_ITEM_SHORT_ONLY, no_jump = JCC_ITEM_PAIR | JCC_ITEM_SHORT_ONLY;

    for (uint32_t i = 0; i + 2 < count; i++) {
        uint32_t jump = i + 1;

        if (items[i].type != JCC_ITEM_INSN || items[i].kind != JCC_KIND_NONE || (items[i].flags & no_first))
            continue;
        while (jump < count && items[jump].type == JCC_ITEM_ALIGN)
            jump++;
        if (jump == i + 1 || jump == count || items[jump].type != JCC_ITEM_INSN || (items[jump].flags & no_jump))
            continue;
        for (uint32_t align = i + 1; align < jump; align++) {
            items[align].flags |= JCC_ITEM_FUSES;
            items[align].flags &= (uint16_t)~JCC_ITEM_SITE;
        }
        items[jump].kind = JCC_KIND_JCC;
        items[jump].prefix_room = 0;
        items[jump].flags &= (uint16_t)~JCC_ITEM_SITE;
        if (exempt && rig_percent(seed, 10))
            items[rig_percent(seed, 50) ? i : jump].flags |= JCC_ITEM_EXEMPT;
    }
}

// ---- planning

struct rig {
    struct jcc_policy policy;
    struct jcc_layout_prices prices;
    unsigned nop_max;
    const struct jcc_layout_item *items;
    uint32_t count;
    struct jcc_layout_place *places;
    struct jcc_layout_totals totals;
};

static inline enum jcc_status rig_plan(struct rig *rig)
{
    size_t size = jcc_layout_workspace(&rig->policy, rig->count);
    void *workspace = malloc(size);
    enum jcc_status status;

    // What stands in them before must not matter.
    memset(workspace, 0xa5, size);
    memset(rig->places, 0x5a, rig->count * sizeof *rig->places);
    status = jcc_layout_plan(&rig->policy, &rig->prices, rig->nop_max, rig->items, rig->count, rig->places, workspace, size, &rig->totals);
    free(workspace);
    return status;
}

// ---- the rules

static inline uint32_t rig_nops(const struct rig *rig, uint32_t bytes)
{
    return (bytes + rig->nop_max - 1) / rig->nop_max;
}

static inline bool rig_affected(const struct rig *rig, uint32_t begin, uint32_t end)
{
    return rig->policy.boundary != 0 && begin / rig->policy.boundary != end / rig->policy.boundary;
}

// Items of the unit that begins at item I; 0: none.
static inline unsigned rig_unit(const struct rig *rig, uint32_t i)
{
    const struct jcc_layout_item *item = &rig->items[i];
    bool wants_pairs = rig->policy.kinds & JCC_KIND_BIT(JCC_KIND_FUSED);
    bool second = i > 0 && (rig->items[i - 1].flags & JCC_ITEM_PAIR);
    bool exempt = (item->flags & JCC_ITEM_EXEMPT) || (second && (rig->items[i - 1].flags & JCC_ITEM_EXEMPT));

    if (item->type != JCC_ITEM_INSN)
        return 0;
    if (item->flags & JCC_ITEM_PAIR)
        return wants_pairs && !exempt && !(rig->items[i + 1].flags & JCC_ITEM_EXEMPT) ? 2 : 0;
    if (second && wants_pairs)
        return 0;
    return item->kind != JCC_KIND_NONE && (rig->policy.kinds >> item->kind & 1) && !exempt;
}

// Of the conditional jump I, the item that it fuses with where all alignments between come to nothing; COUNT: none.
static inline uint32_t rig_fuses_from(const struct rig *rig, uint32_t i)
{
    uint32_t first = i;

    while (first > 0 && (rig->items[first - 1].flags & JCC_ITEM_FUSES))
        first--;
    if (first == i || !(rig->policy.kinds & JCC_KIND_BIT(JCC_KIND_FUSED)) || rig->items[i].type == JCC_ITEM_ALIGN)
        return rig->count;
    return (rig->items[i].flags | rig->items[first - 1].flags) & JCC_ITEM_EXEMPT ? rig->count : first - 1;
}

static inline bool rig_may_pad(const struct rig *rig, uint32_t i)
{
    bool on = rig->policy.boundary != 0 && rig->policy.kinds != 0;

    return on && (rig->items[i].flags & JCC_ITEM_SITE) && !(rig->items[i].flags & JCC_ITEM_PINNED);
}

static inline uint32_t rig_room(const struct rig *rig, uint32_t i)
{
    bool on = rig->policy.boundary != 0 && rig->policy.kinds != 0;
    bool pinned = i + 1 < rig->count && (rig->items[i + 1].flags & (JCC_ITEM_PINNED | JCC_ITEM_FUSES));
    uint32_t room = rig->items[i].prefix_room;

    if (!on || rig->items[i].type != JCC_ITEM_INSN || pinned || rig_unit(rig, i) || (i > 0 && rig_unit(rig, i - 1) == 2))
        return 0;
    return room < rig->policy.prefix_limit ? room : rig->policy.prefix_limit;
}

static inline uint32_t rig_fill(const struct jcc_layout_item *align, uint32_t offset)
{
    uint32_t fill = (align->length - offset % align->length) % align->length;

    return align->max_skip != 0 && fill > align->max_skip ? 0 : fill;
}

// In tenths of a byte.
static inline uint64_t rig_nop_cost(const struct rig *rig, uint32_t i, uint32_t bytes)
{
    return rig->items[i].flags & JCC_ITEM_DEAD ? 0 : (uint64_t)rig->prices.nop * rig->items[i].weight * rig_nops(rig, bytes);
}

static inline bool rig_is_long(const struct rig *rig, uint32_t i)
{
    const struct jcc_layout_item *item = &rig->items[i];

    return (item->flags & JCC_ITEM_RELAX) && rig->places[i].length - rig->places[i].prefixes != item->length;
}

// What the plan costs: what is added to the instructions, and prices.
static inline uint64_t rig_cost(const struct rig *rig)
{
    uint64_t cost = 0;

    for (uint32_t i = 0; i < rig->count; i++) {
        const struct jcc_layout_place *place = &rig->places[i];
        uint32_t fill = rig->items[i].type == JCC_ITEM_ALIGN ? place->length : 0;

        cost += 10u * ((uint64_t)place->pad + place->prefixes + fill) + (uint64_t)rig->prices.prefix * place->prefixes;
        cost += rig_nop_cost(rig, i, place->pad) + rig_nop_cost(rig, i, fill);
    }
    return cost;
}

static inline int64_t rig_displacement(const struct rig *rig, uint32_t i)
{
    const struct jcc_layout_place *place = &rig->places[i];
    uint32_t target = rig->items[i].target;
    uint64_t to = target == rig->count ? rig->totals.bytes : rig->places[target].offset;

    return (int64_t)to - (int64_t)place->offset - (int64_t)place->length;
}

static inline bool rig_reaches(const struct rig *rig, uint32_t i)
{
    return rig_displacement(rig, i) >= -128 && rig_displacement(rig, i) <= 127;
}

// ---- the verifier: NULL, or the rule that item *WHERE breaks

static inline const char *rig_verify_place(const struct rig *rig, uint32_t i, uint64_t offset)
{
    const struct jcc_layout_item *item = &rig->items[i];
    const struct jcc_layout_place *place = &rig->places[i];
    uint32_t bytes = place->length - place->prefixes;

    if (place->offset != offset)
        return "places are not contiguous";
    if (place->pad != 0 && !rig_may_pad(rig, i))
        return "pad where none may stand";
    if (place->prefixes > rig_room(rig, i))
        return "more prefixes than there is room for";
    switch (item->type) {
    case JCC_ITEM_ALIGN: return place->length == rig_fill(item, place->offset) ? NULL : "wrong fill";
    case JCC_ITEM_DATA: return bytes == item->length ? NULL : "data changed its size";
    default: break;
    }
    if (!(item->flags & JCC_ITEM_RELAX))
        return bytes == item->length ? NULL : "instruction changed its size";
    if (item->flags & JCC_ITEM_LONG)
        return bytes == item->long_length ? NULL : "long jump shrank";
    if (bytes == item->length)
        return rig_reaches(rig, i) ? NULL : "short jump does not reach";
    return bytes == item->long_length ? NULL : "jump of neither length";
}

// Whether the jump I stands right behind what it fuses with, though an alignment is between them in the text.
static inline bool rig_met(const struct rig *rig, uint32_t i)
{
    uint32_t first = rig_fuses_from(rig, i);

    return first < rig->count && rig->places[first].offset + rig->places[first].length == rig->places[i].offset;
}

static inline const char *rig_verify_residual(const struct rig *rig, uint32_t i)
{
    const struct jcc_layout_place *place = &rig->places[i];
    unsigned items = rig_met(rig, i) ? 0 : rig_unit(rig, i); // of one that met, the first has the residual
    uint32_t end = place[items ? items - 1 : 0].offset + place[items ? items - 1 : 0].length, jump = i + 1;

    while (jump < rig->count && (rig->items[jump].flags & JCC_ITEM_FUSES))
        jump++;
    if (jump > i + 1 && rig->items[i].type == JCC_ITEM_INSN && rig_met(rig, jump)) {
        items = 2;
        end = rig->places[jump].offset + rig->places[jump].length;
    }
    bool affected = items != 0 && rig_affected(rig, place->offset, end);

    if (affected && place->residual == JCC_RESIDUAL_NONE)
        return "affected unit without a reason";
    if (!affected && place->residual != JCC_RESIDUAL_NONE)
        return "residual at what is not affected";
    if (affected && (place->residual == JCC_RESIDUAL_TOO_LONG) != (end - place->offset >= rig->policy.boundary))
        return "wrong reason";
    return NULL;
}

static inline void rig_sum(const struct rig *rig, struct jcc_layout_totals *sum)
{
    for (uint32_t i = 0; i < rig->count; i++) {
        const struct jcc_layout_place *place = &rig->places[i];
        uint32_t fill = rig->items[i].type == JCC_ITEM_ALIGN ? place->length : 0;

        sum->bytes += place->pad + (uint64_t)place->length;
        sum->pad_bytes += place->pad;
        sum->prefix_bytes += place->prefixes;
        if (!(rig->items[i].flags & JCC_ITEM_DEAD))
            sum->live_nops += rig_nops(rig, place->pad) + rig_nops(rig, fill);
        sum->units += rig_unit(rig, i) != 0 || rig_met(rig, i);
        sum->residuals += place->residual != JCC_RESIDUAL_NONE;
        sum->grown += rig_is_long(rig, i) && !(rig->items[i].flags & JCC_ITEM_LONG);
    }
}

static inline const char *rig_verify(const struct rig *rig, uint32_t *where)
{
    struct jcc_layout_totals sum = {.rounds = rig->totals.rounds};
    uint64_t offset = 0;

    for (*where = 0; *where < rig->count; ++*where) {
        const char *broken = rig_verify_place(rig, *where, offset + rig->places[*where].pad);

        if (broken == NULL)
            broken = rig_verify_residual(rig, *where);
        if (broken != NULL)
            return broken;
        offset += rig->places[*where].pad + (uint64_t)rig->places[*where].length;
    }
    rig_sum(rig, &sum);
    if (sum.rounds == 0)
        return "no round";
    return memcmp(&sum, &rig->totals, sizeof sum) == 0 ? NULL : "totals do not match the places";
}

// One line an item, to see what a failing case is.
static inline void rig_print(const struct rig *rig)
{
    fprintf(stderr, "boundary %u kinds %#x prefixes %u nop_max %u prices %u %u\n", (unsigned)rig->policy.boundary,
            (unsigned)rig->policy.kinds, (unsigned)rig->policy.prefix_limit, rig->nop_max, (unsigned)rig->prices.nop,
            (unsigned)rig->prices.prefix);
    for (uint32_t i = 0; i < rig->count; i++) {
        const struct jcc_layout_item *m = &rig->items[i];
        const struct jcc_layout_place *p = &rig->places[i];

        fprintf(
            stderr,
            "%4u type %u len %u long %u kind %u flags %#x target %d skip %u w %u room %u -> pad %u at %u len %u prefixes %u residual %u\n",
            (unsigned)i, m->type, (unsigned)m->length, m->long_length, m->kind, m->flags, (int)m->target, (unsigned)m->max_skip,
            (unsigned)m->weight, m->prefix_room, p->pad, (unsigned)p->offset, (unsigned)p->length, p->prefixes, p->residual);
    }
}

#endif
