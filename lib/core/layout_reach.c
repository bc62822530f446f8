// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jumps that no longer reach become long. A branch that may not grow is fixed: what stands between it and its target is
// kept as it is instead. Three things can be done for it, one after the other, and how many were is its level:
// nothing is added in between (1); nothing from the alignment before on that settles how the alignments in between
// fall (2); nothing from the section's start on (3). After that it cannot be helped.
#include "layout_plan.h"

#define LEVEL_SPAN   1u
#define LEVEL_ALIGNS 2u
#define LEVEL_ALL    3u

// How far back level 2 looks for an alignment, in items.
#define ALIGN_SEARCH_MAX 4096u

// The patience to begin with. Twice as much changed nothing on sqlite, half as much cost 32 bytes.
#define PATIENCE 8u

// Rounds after which jumps that are near each other grow in the same round after all: there may be any number of them.
#define ONE_BY_ONE_ROUNDS 32u

// Bytes that a rel8 displacement can bridge from the branch's end (SDM volume 2, Jcc).
#define REL8_MIN (-128)
#define REL8_MAX 127

static bool fits_rel8(int64_t displacement)
{
    return displacement >= REL8_MIN && displacement <= REL8_MAX;
}

static uint32_t level_of(const struct layout_plan *plan, uint32_t branch)
{
    return (plan->marks[branch] & MARK_LEVEL_MASK) / MARK_LEVEL;
}

static void set_level(struct layout_plan *plan, uint32_t branch, uint32_t level)
{
    plan->marks[branch] = (uint8_t)((plan->marks[branch] & ~MARK_LEVEL_MASK) | level * MARK_LEVEL);
}

// Displacement of BRANCH as placed.
static int64_t displacement(const struct layout_plan *plan, uint32_t branch)
{
    uint32_t target = plan->items[branch].target;
    uint64_t to = target == plan->count ? plan->bytes : plan->places[target].offset;

    return (int64_t)to - ((int64_t)plan->places[branch].offset + plan->places[branch].length);
}

static bool is_pinned_size(const struct layout_plan *plan, uint32_t branch)
{
    return branch + 1 < plan->count && (plan->items[branch + 1].flags & JCC_ITEM_PINNED);
}

static void grow(struct layout_plan *plan, uint32_t branch)
{
    plan->marks[branch] |= MARK_LONG;
    plan->places[branch].length = plan->items[branch].long_length;
    if (plan->block_count != 0) {
        layout_block_of(plan, branch)->dirty = true;
        for (uint32_t i = branch; i > 0 && (plan->items[i - 1].flags & JCC_ITEM_FUSES); i--)
            layout_block_of(plan, i - 1)->dirty = true; // its length counts there
    }
}

// ---- what is certain beforehand

// Set each place's offset as if nothing were added and no alignment filled: in no layout are two items nearer to each other.
// The lengths stand in the places.
static void place_nearest(struct layout_plan *plan)
{
    uint64_t offset = 0;

    for (uint32_t i = 0; i < plan->count; i++) {
        plan->places[i].offset = (uint32_t)offset;
        offset += plan->places[i].length;
    }
    plan->bytes = offset;
}

static bool grow_hopeless(struct layout_plan *plan)
{
    uint32_t kept = 0;

    for (uint32_t k = 0; k < plan->branch_count; k++) {
        uint32_t branch = plan->branches[k];

        if ((plan->items[branch].flags & JCC_ITEM_SHORT_ONLY) || fits_rel8(displacement(plan, branch)))
            plan->branches[kept++] = branch;
        else
            grow(plan, branch);
    }
    if (kept == plan->branch_count)
        return false;
    plan->branch_count = kept;
    return true;
}

static void drop_hopeless_short_only(struct layout_plan *plan)
{
    uint32_t kept = 0;

    for (uint32_t k = 0; k < plan->branch_count; k++)
        if (fits_rel8(displacement(plan, plan->branches[k])))
            plan->branches[kept++] = plan->branches[k];
    plan->branch_count = kept;
}

// ---- keeping a branch in reach

struct span {
    uint32_t low;  // of a branch and its target the item that comes first
    uint32_t high; // the other one, count for the end
};

static struct span span_of(const struct layout_plan *plan, uint32_t branch)
{
    uint32_t target = plan->items[branch].target;

    return target > branch ? (struct span){branch, target} : (struct span){target, branch};
}

static void mark_near_fixed(struct layout_plan *plan, uint32_t branch)
{
    struct span span = span_of(plan, branch);

    for (uint32_t i = span.low; i <= span.high && i < plan->count; i++)
        plan->marks[i] |= MARK_NEAR_FIXED;
}

// Add nothing from here on to items LOW to HIGH. LOW's own pad stands before the span, HIGH's own prefixes behind it.
static void hold(struct layout_plan *plan, struct span span)
{
    uint32_t last = span.high < plan->count ? span.high : plan->count - 1;
    uint32_t first = span.low < plan->held ? plan->held : span.low;

    for (uint32_t i = first; i <= last; i++) {
        if (i > span.low)
            plan->marks[i] |= MARK_NO_PAD;
        if (i < span.high)
            plan->marks[i] |= MARK_NO_PREFIX;
    }
    if (first > last)
        return;
    for (struct layout_block *block = layout_block_of(plan, first); block->first_item <= last; block++)
        block->dirty = true;
}

static uint32_t largest_align(const struct layout_plan *plan, struct span span)
{
    uint32_t largest = 0;

    for (uint32_t i = span.low; i < span.high; i++)
        if (plan->items[i].type == JCC_ITEM_ALIGN && plan->items[i].length > largest)
            largest = plan->items[i].length;
    return largest;
}

// The alignment before SPAN from which on offsets modulo ALIGN are settled; LAYOUT_NO_ITEM when there is none near.
static uint32_t settling_align(const struct layout_plan *plan, struct span span, uint32_t align)
{
    for (uint32_t back = 1; back <= ALIGN_SEARCH_MAX && back <= span.low; back++) {
        const struct jcc_layout_item *item = &plan->items[span.low - back];

        if (item->type == JCC_ITEM_ALIGN && item->max_skip == 0 && item->length >= align)
            return span.low - back;
    }
    return LAYOUT_NO_ITEM;
}

// Do for BRANCH what comes next. False: all was done.
static bool raise_level(struct layout_plan *plan, uint32_t branch)
{
    struct span span = span_of(plan, branch);
    uint32_t level = level_of(plan, branch), align, settling;

    if (level == LEVEL_ALL)
        return false;
    if (level < LEVEL_SPAN) {
        set_level(plan, branch, LEVEL_SPAN);
        // The branch's own prefixes count where it jumps back.
        plan->marks[branch] |= MARK_NO_PREFIX;
        hold(plan, span);
        return true;
    }
    align = largest_align(plan, span);
    settling = level < LEVEL_ALIGNS && align != 0 ? settling_align(plan, span, align) : LAYOUT_NO_ITEM;
    if (settling != LAYOUT_NO_ITEM) {
        set_level(plan, branch, LEVEL_ALIGNS);
        hold(plan, (struct span){settling, span.high});
        return true;
    }
    set_level(plan, branch, LEVEL_ALL);
    if (align == 0)
        return false;
    hold(plan, (struct span){0, span.high});
    plan->marks[0] |= MARK_NO_PAD;
    if (plan->held < span.high)
        plan->held = span.high;
    return true;
}

// ---- round by round

static bool may_not_grow(const struct layout_plan *plan, uint32_t branch)
{
    return (plan->items[branch].flags & JCC_ITEM_SHORT_ONLY) || is_pinned_size(plan, branch);
}

// Whether FIXED, a branch that may not grow and that reaches, would no longer reach if BRANCH grew.
static bool growth_breaks_one(const struct layout_plan *plan, uint32_t branch, uint32_t fixed)
{
    const struct jcc_layout_item *item = &plan->items[branch];
    struct span span = span_of(plan, fixed);
    int64_t now = displacement(plan, fixed), more = item->long_length - item->length;

    if (fixed == branch || !may_not_grow(plan, fixed) || branch < span.low || branch >= span.high || !fits_rel8(now))
        return false;
    return !fits_rel8(now < 0 ? now - more : now + more);
}

// The branches that BRANCH, entry K of the list, could stand in the span of are near it in the list, too.
static bool growth_breaks(const struct layout_plan *plan, uint32_t k)
{
    const int64_t far = REL8_MAX - REL8_MIN;
    uint32_t branch = plan->branches[k];
    int64_t offset = plan->places[branch].offset;

    for (uint32_t j = k; j-- > 0 && offset - plan->places[plan->branches[j]].offset <= far;)
        if (growth_breaks_one(plan, branch, plan->branches[j]))
            return true;
    for (uint32_t j = k + 1; j < plan->branch_count && plan->places[plan->branches[j]].offset - offset <= far; j++)
        if (growth_breaks_one(plan, branch, plan->branches[j]))
            return true;
    return false;
}

static bool settle_fixed(struct layout_plan *plan)
{
    bool changed = false;

    for (uint32_t k = 0; k < plan->branch_count; k++) {
        uint32_t branch = plan->branches[k];

        if (may_not_grow(plan, branch) && !fits_rel8(displacement(plan, branch)))
            changed |= raise_level(plan, branch);
    }
    return changed;
}

// Bytes by which a displacement is beyond rel8; 0: none.
static uint32_t beyond_rel8(int64_t displacement)
{
    int64_t beyond = displacement < 0 ? REL8_MIN - displacement : displacement - REL8_MAX;

    return beyond > 0 ? (uint32_t)beyond : 0;
}

// Grow what misses its target by more than the patience. False: nothing does, and *WAITING is whether anything misses by less. Of jumps within the
// span of one fixed branch, and of all that are near each other when there is no patience left, only one grows in a round, so that each sees
// what room the other leaves.
static bool grow_far(struct layout_plan *plan, bool *waiting)
{
    const uint64_t apart = 2 * (REL8_MAX - REL8_MIN);
    bool one_by_one = layout_on(plan) && plan->patience == 0 && plan->rounds < ONE_BY_ONE_ROUNDS;
    uint64_t crowded = 0; // offset below which no such jump may grow in this round
    bool changed = false;

    *waiting = false;
    for (uint32_t k = 0; k < plan->branch_count; k++) {
        uint32_t branch = plan->branches[k];
        bool near_fixed = plan->marks[branch] & MARK_NEAR_FIXED, careful = near_fixed || one_by_one;
        uint32_t beyond = beyond_rel8(displacement(plan, branch));

        if ((plan->items[branch].flags & JCC_ITEM_SHORT_ONLY) || beyond == 0)
            continue;
        if (beyond <= plan->patience) {
            *waiting = true;
            continue;
        }
        changed = true;
        if (careful && plan->places[branch].offset < crowded)
            continue;
        if (near_fixed && growth_breaks(plan, k) && raise_level(plan, branch))
            continue;
        grow(plan, branch);
        if (careful)
            crowded = plan->places[branch].offset + apart;
    }
    return changed;
}

// What misses most grows first: it does so in every layout that comes near this one, while a pad that moves may be enough for the others.
static bool settle_growing(struct layout_plan *plan)
{
    bool waiting;

    while (!grow_far(plan, &waiting)) {
        if (!waiting)
            return false;
        plan->patience /= 4;
    }
    return true;
}

static void drop_long(struct layout_plan *plan)
{
    uint32_t kept = 0;

    for (uint32_t k = 0; k < plan->branch_count; k++)
        if (!(plan->marks[plan->branches[k]] & MARK_LONG))
            plan->branches[kept++] = plan->branches[k];
    plan->branch_count = kept;
}

void layout_reach_start(struct layout_plan *plan)
{
    plan->branch_count = 0;
    plan->patience = layout_on(plan) ? PATIENCE : 0; // with nothing to add all jumps that miss must grow
    for (uint32_t i = 0; i < plan->count; i++) {
        unsigned flags = plan->items[i].flags;
        bool is_long = (flags & JCC_ITEM_RELAX) && (flags & JCC_ITEM_LONG);

        plan->marks[i] = is_long ? MARK_LONG : 0;
        plan->places[i] = (struct jcc_layout_place){0};
        plan->places[i].length = plan->items[i].type == JCC_ITEM_ALIGN ? 0 : layout_item_bytes(plan, i);
        if ((flags & (JCC_ITEM_RELAX | JCC_ITEM_SHORT_ONLY)) && !is_long)
            plan->branches[plan->branch_count++] = i;
    }
    do
        place_nearest(plan);
    while (grow_hopeless(plan));
    drop_hopeless_short_only(plan);
    for (uint32_t k = 0; k < plan->branch_count; k++)
        if (may_not_grow(plan, plan->branches[k]))
            mark_near_fixed(plan, plan->branches[k]);
}

bool layout_reach_settle(struct layout_plan *plan)
{
    // Fixed branches first and alone: a pad that goes away may save a jump from growing, which it would do for good.
    if (settle_fixed(plan))
        return true;
    if (!settle_growing(plan))
        return false;
    drop_long(plan);
    return true;
}
