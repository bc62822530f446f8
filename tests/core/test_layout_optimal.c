// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan is the cheapest there is: on short random sequences, trying every pad and every prefix finds nothing cheaper.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <layout_rig.h>

#define ITEMS_MAX 9u

// A search over all pads and prefixes, jumps being as long as the plan has them. The best found so far cuts it short, which is
// allowed as costs only grow.
struct search {
    const struct rig *rig;
    uint32_t pad_max;
    uint64_t best_residuals;
    uint64_t best_cost;
    uint64_t best_bytes;
};

struct partial {
    uint32_t offset;
    uint32_t unit; // where the pair that is being passed began
    uint32_t insn; // where the last instruction began
    bool closed;   // the last alignment came to nothing
    uint64_t residuals;
    uint64_t cost;
};

static void try_from(struct search *search, uint32_t i, struct partial so_far);

static bool is_worse(const struct search *search, const struct partial *so_far)
{
    if (so_far->residuals != search->best_residuals)
        return so_far->residuals > search->best_residuals;
    return so_far->cost > search->best_cost;
}

static bool is_too_long(const struct search *search, const struct partial *so_far)
{
    return so_far->offset - so_far->unit >= search->rig->policy.boundary;
}

// Behind item I's pad, its prefixes chosen.
static void try_behind(struct search *search, uint32_t i, uint32_t prefixes, struct partial so_far)
{
    const struct rig *rig = search->rig;
    const struct jcc_layout_item *item = &rig->items[i];
    unsigned unit = rig_unit(rig, i);

    if (item->type == JCC_ITEM_ALIGN) {
        uint32_t fill = rig_fill(item, so_far.offset);

        so_far.offset += fill;
        so_far.closed = fill == 0 && (so_far.closed || i == 0 || rig->items[i - 1].type != JCC_ITEM_ALIGN);
        so_far.cost += 10 * fill + rig_nop_cost(rig, i, fill);
        try_from(search, i + 1, so_far);
        return;
    }
    bool met = i > 0 && so_far.closed && rig_fuses_from(rig, i) < rig->count;

    if (unit != 0 || met)
        so_far.unit = met ? so_far.insn : so_far.offset;
    so_far.insn = so_far.offset + prefixes;
    so_far.offset += prefixes + (rig_is_long(rig, i) ? item->long_length : item->length);
    so_far.cost += (10 + rig->prices.prefix) * prefixes;
    if (unit == 1 || met || (i > 0 && rig_unit(rig, i - 1) == 2))
        so_far.residuals += rig_affected(rig, so_far.unit, so_far.offset) && !is_too_long(search, &so_far);
    try_from(search, i + 1, so_far);
}

static void try_from(struct search *search, uint32_t i, struct partial so_far)
{
    const struct rig *rig = search->rig;

    if (is_worse(search, &so_far))
        return;
    if (i == rig->count) {
        if (so_far.residuals < search->best_residuals || so_far.cost < search->best_cost || so_far.offset < search->best_bytes)
            search->best_bytes = so_far.offset;
        search->best_residuals = so_far.residuals;
        search->best_cost = so_far.cost;
        return;
    }
    for (uint32_t pad = 0; pad <= (rig_may_pad(rig, i) ? search->pad_max : 0); pad++)
        for (uint32_t prefixes = 0; prefixes <= rig_room(rig, i); prefixes++) {
            struct partial next = so_far;

            next.offset += pad;
            next.cost += 10 * pad + rig_nop_cost(rig, i, pad);
            try_behind(search, i, prefixes, next);
        }
}

// Plan, verify, and hold the cost against that of the search.
static void check(struct rig *rig, uint32_t pad_max)
{
    struct search search = {.rig = rig, .pad_max = pad_max, .best_residuals = UINT64_MAX, .best_cost = UINT64_MAX};
    uint64_t residuals = 0;
    const char *broken;
    uint32_t where;

    assert_int_equal(rig_plan(rig), JCC_OK);
    broken = rig_verify(rig, &where);
    if (broken != NULL) {
        rig_print(rig);
        fail_msg("item %u: %s", (unsigned)where, broken);
    }
    for (uint32_t i = 0; i < rig->count; i++)
        residuals += rig->places[i].residual != JCC_RESIDUAL_NONE && rig->places[i].residual != JCC_RESIDUAL_TOO_LONG;
    search.best_bytes = UINT64_MAX;
    try_from(&search, 0, (struct partial){0});
    if (residuals == search.best_residuals && rig_cost(rig) == search.best_cost && rig->totals.bytes == search.best_bytes)
        return;
    rig_print(rig);
    fail_msg("plan: %" PRIu64 " residuals, cost %" PRIu64 ", bytes %" PRIu64 "; there is one of %" PRIu64 ", %" PRIu64 ", %" PRIu64,
             residuals, rig_cost(rig), rig->totals.bytes, search.best_residuals, search.best_cost, search.best_bytes);
}

// ---- random sequences

struct shape {
    uint32_t count;
    uint32_t site_percent;
    uint32_t prefix_percent;
    uint32_t align_percent;
    uint32_t align_log2_max;
    uint32_t unit_percent;
    uint32_t pin_percent;
    uint32_t jump_percent;
};

static void random_flags(uint64_t *seed, const struct shape *shape, struct jcc_layout_item *item)
{
    static const uint32_t weights[] = {1, 1, 1, 2, 3, 5, 8, 64};

    item->weight = weights[rig_below(seed, 8)];
    item->target = JCC_LAYOUT_NO_TARGET;
    if (rig_percent(seed, shape->site_percent))
        item->flags |= JCC_ITEM_SITE;
    if (rig_percent(seed, 20))
        item->flags |= JCC_ITEM_DEAD;
    if (rig_percent(seed, shape->pin_percent))
        item->flags |= JCC_ITEM_PINNED;
}

static void random_insn(uint64_t *seed, const struct shape *shape, struct jcc_layout_item *item)
{
    item->type = JCC_ITEM_INSN;
    item->length = 1 + rig_below(seed, 7);
    if (rig_percent(seed, shape->unit_percent)) {
        static const uint8_t kinds[] = {JCC_KIND_JCC, JCC_KIND_JMP, JCC_KIND_CALL, JCC_KIND_RET, JCC_KIND_INDIRECT};

        item->kind = kinds[rig_below(seed, 5)];
    } else if (rig_percent(seed, shape->prefix_percent)) {
        item->prefix_room = (uint8_t)(1 + rig_below(seed, 3));
    }
    if (rig_percent(seed, shape->jump_percent)) {
        item->flags |= JCC_ITEM_RELAX;
        item->kind = JCC_KIND_JMP;
        item->prefix_room = 0;
        item->length = 2;
        item->long_length = 5;
        item->target = rig_below(seed, shape->count + 1);
    }
}

static void random_items(uint64_t *seed, const struct shape *shape, struct jcc_layout_item *items)
{
    memset(items, 0, shape->count * sizeof *items);
    for (uint32_t i = 0; i < shape->count; i++) {
        random_flags(seed, shape, &items[i]);
        if (rig_percent(seed, shape->align_percent)) {
            items[i].type = JCC_ITEM_ALIGN;
            items[i].length = 1u << rig_below(seed, shape->align_log2_max + 1);
            items[i].max_skip = rig_percent(seed, 40) ? 1 + rig_below(seed, items[i].length) : 0;
        } else if (rig_percent(seed, 10)) {
            items[i].type = JCC_ITEM_DATA;
            items[i].length = rig_below(seed, shape->jump_percent ? 120 : 20);
        } else {
            random_insn(seed, shape, &items[i]);
        }
    }
}

// Make some neighbours pairs.
static void random_pairs(uint64_t *seed, struct jcc_layout_item *items, uint32_t count)
{
    for (uint32_t i = 0; i + 1 < count; i++) {
        if (items[i].type != JCC_ITEM_INSN || items[i + 1].type != JCC_ITEM_INSN || !rig_percent(seed, 30))
            continue;
        if (i > 0 && (items[i - 1].flags & JCC_ITEM_PAIR))
            continue;
        items[i].flags |= JCC_ITEM_PAIR;
        items[i].kind = JCC_KIND_NONE;
        items[i].flags &= (uint16_t)~JCC_ITEM_RELAX;
        items[i].target = JCC_LAYOUT_NO_TARGET;
        items[i + 1].kind = JCC_KIND_JCC;
        items[i + 1].prefix_room = 0;
        items[i + 1].flags &= (uint16_t) ~(JCC_ITEM_SITE | JCC_ITEM_PAIR);
        if (rig_percent(seed, 10))
            items[i].flags |= JCC_ITEM_EXEMPT;
    }
}

static void check_random(uint64_t seed, const struct shape *shape, uint32_t boundary, uint32_t pad_max, unsigned cases)
{
    struct jcc_layout_item items[ITEMS_MAX];
    struct jcc_layout_place places[ITEMS_MAX];
    static const struct jcc_layout_prices prices[] = {{50, 3}, {50, 3}, {0, 0}, {10, 20}, {7, 0}, {1, 3}, {3, 12}};
    static const unsigned nop_max[] = {15, 15, 9, 4, 1, 2};
    static const uint32_t kinds[] = {JCC_KINDS_ALL, JCC_KINDS_ALL, JCC_KINDS_CLANG, JCC_KIND_BIT(JCC_KIND_JCC)};

    for (unsigned k = 0; k < cases; k++) {
        struct rig rig = {.policy = jcc_policy_full(), .items = items, .places = places, .count = shape->count};

        random_items(&seed, shape, items);
        random_pairs(&seed, items, shape->count);
        rig_random_meetings(&seed, items, shape->count, true);
        rig.policy.boundary = boundary;
        rig.policy.kinds = kinds[rig_below(&seed, 4)];
        rig.policy.prefix_limit = rig_below(&seed, 4) == 0 ? 0 : 5;
        rig.prices = prices[rig_below(&seed, 7)];
        rig.nop_max = nop_max[rig_below(&seed, 6)];
        check(&rig, pad_max);
    }
}

static void pads_and_prefixes_are_the_cheapest(void **state)
{
    const struct shape shape = {.count = 7, .site_percent = 40, .prefix_percent = 50, .unit_percent = 50};

    (void)state;
    check_random(1, &shape, 16, 15, 3000);
}

static void alignment_fill_is_part_of_the_cost(void **state)
{
    const struct shape shape = {
        .count = 7, .site_percent = 40, .prefix_percent = 40, .unit_percent = 50, .align_percent = 25, .align_log2_max = 4};

    (void)state;
    check_random(2, &shape, 16, 15, 3000);
}

// Where what can be won is next to nothing, too.
static void small_fill_is_moved_for_the_least_gain(void **state)
{
    const struct shape shape = {
        .count = 5, .site_percent = 50, .prefix_percent = 60, .unit_percent = 10, .align_percent = 40, .align_log2_max = 2};

    (void)state;
    check_random(9, &shape, 16, 15, 6000);
}

static void alignments_beyond_the_boundary_are_priced_in_whole(void **state)
{
    const struct shape shape = {
        .count = 5, .site_percent = 35, .prefix_percent = 30, .unit_percent = 50, .align_percent = 35, .align_log2_max = 6};

    (void)state;
    check_random(3, &shape, 16, 63, 1500);
}

static void longer_pads_than_the_boundary_never_pay(void **state)
{
    const struct shape shape = {
        .count = 5, .site_percent = 40, .prefix_percent = 40, .unit_percent = 60, .align_percent = 20, .align_log2_max = 4};

    (void)state;
    check_random(4, &shape, 16, 40, 1500);
}

static void pinned_items_are_kept_and_the_rest_is_the_cheapest(void **state)
{
    const struct shape shape = {.count = 7, .site_percent = 50, .prefix_percent = 60, .unit_percent = 50, .pin_percent = 30};

    (void)state;
    check_random(5, &shape, 16, 15, 3000);
}

static void as_few_units_as_can_be_stay_affected_where_sites_are_rare(void **state)
{
    const struct shape shape = {.count = 9, .site_percent = 12, .prefix_percent = 15, .unit_percent = 80};

    (void)state;
    check_random(6, &shape, 16, 15, 3000);
}

static void it_is_the_cheapest_for_the_jump_lengths_it_ends_with(void **state)
{
    const struct shape shape = {.count = 7,
                                .site_percent = 35,
                                .prefix_percent = 40,
                                .unit_percent = 40,
                                .align_percent = 15,
                                .align_log2_max = 4,
                                .jump_percent = 30};

    (void)state;
    check_random(7, &shape, 16, 15, 3000);
}

static void the_usual_boundary(void **state)
{
    const struct shape shape = {
        .count = 6, .site_percent = 35, .prefix_percent = 40, .unit_percent = 60, .align_percent = 15, .align_log2_max = 5};

    (void)state;
    check_random(8, &shape, 32, 31, 1500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pads_and_prefixes_are_the_cheapest),
        cmocka_unit_test(alignment_fill_is_part_of_the_cost),
        cmocka_unit_test(small_fill_is_moved_for_the_least_gain),
        cmocka_unit_test(alignments_beyond_the_boundary_are_priced_in_whole),
        cmocka_unit_test(longer_pads_than_the_boundary_never_pay),
        cmocka_unit_test(pinned_items_are_kept_and_the_rest_is_the_cheapest),
        cmocka_unit_test(as_few_units_as_can_be_stay_affected_where_sites_are_rare),
        cmocka_unit_test(it_is_the_cheapest_for_the_jump_lengths_it_ends_with),
        cmocka_unit_test(the_usual_boundary),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
