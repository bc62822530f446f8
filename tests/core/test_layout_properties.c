// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Long random sequences: every plan keeps the header's rules (see layout_rig.h), and costs what a plain
// dynamic program, item by item and state by state, finds as the least.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <layout_rig.h>

#define ITEMS_MAX   4000u
#define MODULUS_MAX 256u

static struct jcc_layout_item items[ITEMS_MAX];
static struct jcc_layout_place places[ITEMS_MAX];
static struct jcc_layout_place places_again[ITEMS_MAX];

// ---- random sequences

// In per cent of the items, or of those they can apply to.
struct shape {
    uint32_t count;
    uint32_t sites;
    uint32_t aligns;
    uint32_t align_log2_max;
    uint32_t units;
    uint32_t pairs;
    uint32_t jumps; // of the units
    uint32_t jump_distance;
    uint32_t short_only;
    uint32_t pins;
    uint32_t exempt;
};

static void random_jump(uint64_t *seed, const struct shape *shape, uint32_t i)
{
    struct jcc_layout_item *item = &items[i];
    int64_t target = (int64_t)i - shape->jump_distance + rig_below(seed, 2 * shape->jump_distance + 1);

    item->flags |= JCC_ITEM_RELAX;
    item->length = 2;
    item->long_length = item->kind == JCC_KIND_JCC ? 6 : 5;
    item->target = target < 0 ? 0 : target > (int64_t)shape->count ? shape->count : (uint32_t)target;
    if (rig_percent(seed, 5))
        item->flags |= JCC_ITEM_LONG;
}

static void random_insn(uint64_t *seed, const struct shape *shape, uint32_t i, bool second)
{
    static const uint8_t kinds[] = {JCC_KIND_JCC, JCC_KIND_JMP, JCC_KIND_CALL, JCC_KIND_RET, JCC_KIND_INDIRECT};
    struct jcc_layout_item *item = &items[i];

    item->type = JCC_ITEM_INSN;
    item->length = 1 + rig_below(seed, 8);
    if (second) {
        item->kind = JCC_KIND_JCC;
        item->flags &= (uint16_t)~JCC_ITEM_SITE;
    } else if (rig_percent(seed, shape->units)) {
        item->kind = kinds[rig_below(seed, 5)];
    } else if (rig_percent(seed, shape->short_only)) {
        item->flags |= JCC_ITEM_SHORT_ONLY;
        item->length = 2;
        item->target = i + rig_below(seed, 60) < 30 ? 0 : i - 30 + rig_below(seed, 60);
        item->target = item->target > shape->count ? shape->count : item->target;
    } else {
        item->prefix_room = (uint8_t)rig_below(seed, 5);
    }
    if ((item->kind == JCC_KIND_JCC || item->kind == JCC_KIND_JMP) && rig_percent(seed, shape->jumps))
        random_jump(seed, shape, i);
    if (rig_percent(seed, shape->exempt))
        item->flags |= JCC_ITEM_EXEMPT;
}

static void random_items(uint64_t *seed, const struct shape *shape)
{
    static const uint32_t weights[] = {1, 1, 1, 2, 3, 5, 4096};
    bool second = false;

    memset(items, 0, shape->count * sizeof *items);
    for (uint32_t i = 0; i < shape->count; i++) {
        struct jcc_layout_item *item = &items[i];
        bool next_second = false;

        item->target = JCC_LAYOUT_NO_TARGET;
        item->weight = weights[rig_below(seed, 7)];
        item->flags = (uint16_t)((rig_percent(seed, shape->sites) ? JCC_ITEM_SITE : 0) | (rig_percent(seed, 15) ? JCC_ITEM_DEAD : 0) |
                                 (rig_percent(seed, shape->pins) ? JCC_ITEM_PINNED : 0));
        if (!second && rig_percent(seed, shape->aligns)) {
            item->type = JCC_ITEM_ALIGN;
            item->length = 1u << rig_below(seed, shape->align_log2_max + 1);
            item->max_skip = rig_percent(seed, 40) ? 1 + rig_below(seed, item->length) : 0;
        } else if (!second && rig_percent(seed, 3)) {
            item->type = JCC_ITEM_DATA;
            item->length = rig_below(seed, 40);
        } else {
            random_insn(seed, shape, i, second);
            next_second = !second && i + 1 < shape->count && item->kind == JCC_KIND_NONE && !(item->flags & JCC_ITEM_SHORT_ONLY) &&
                          rig_percent(seed, shape->pairs);
        }
        if (next_second)
            item->flags |= JCC_ITEM_PAIR;
        second = next_second;
    }
    rig_random_meetings(seed, items, shape->count, shape->exempt != 0);
}

static struct rig new_rig(const struct shape *shape, uint32_t boundary)
{
    struct rig rig = {.policy = jcc_policy_full(),
                      .prices = JCC_LAYOUT_PRICES_DEFAULT,
                      .nop_max = JCC_NOP_MAX,
                      .items = items,
                      .places = places,
                      .count = shape->count};

    rig.policy.boundary = boundary;
    return rig;
}

static void plan_and_verify(struct rig *rig)
{
    const char *broken;
    uint32_t where;

    assert_int_equal(rig_plan(rig), JCC_OK);
    broken = rig_verify(rig, &where);
    if (broken != NULL)
        fail_msg("boundary %u, item %u: %s", (unsigned)rig->policy.boundary, (unsigned)where, broken);
}

// ---- the least cost, found the slow way

#define RESIDUAL (UINT64_C(1) << 40)

static uint32_t modulus_of(const struct rig *rig)
{
    uint32_t modulus = rig->policy.boundary;

    for (uint32_t i = 0; i < rig->count; i++)
        if (items[i].type == JCC_ITEM_ALIGN && items[i].length > modulus)
            modulus = items[i].length;
    return modulus;
}

static void lower(uint64_t *cost, uint64_t other)
{
    *cost = other < *cost ? other : *cost;
}

static void allow_pads(const struct rig *rig, uint32_t i, uint32_t modulus, uint64_t *now, uint64_t *next)
{
    for (uint32_t pad = 0; pad < (rig_may_pad(rig, i) ? modulus : 1); pad++)
        for (uint32_t x = 0; x < modulus; x++)
            if (now[x] != UINT64_MAX)
                lower(&next[(x + pad) % modulus], now[x] + 10 * pad + rig_nop_cost(rig, i, pad));
}

// What it costs that the two around alignments, of which I is the first, meet at OFFSET, where that is what makes a unit affected.
static uint64_t meeting_cost(const struct rig *rig, uint32_t i, uint32_t offset)
{
    uint32_t before = items[i - 1].length, jump = i;

    for (; items[jump].type == JCC_ITEM_ALIGN; jump++)
        if (rig_fill(&items[jump], offset) != 0)
            return 0;
    uint32_t length = rig_is_long(rig, jump) ? items[jump].long_length : items[jump].length, first = rig_fuses_from(rig, jump);
    bool alone = rig_unit(rig, jump) && rig_affected(rig, offset, offset + length);
    jump = length;

    if (first == rig->count || before + jump >= rig->policy.boundary || alone)
        return 0;
    return rig_affected(rig, offset - before, offset + jump) ? RESIDUAL : 0;
}

// Over item I, behind its pad. Of a pair the first item goes over both.
static void pass_item(const struct rig *rig, uint32_t i, uint32_t modulus, uint64_t *now, uint64_t *next)
{
    unsigned unit = rig_unit(rig, i);
    uint32_t bytes = 0;

    for (uint32_t j = i; j < i + (unit ? unit : 1); j++)
        bytes += rig_is_long(rig, j) ? items[j].long_length : items[j].length;
    for (uint32_t prefixes = 0; prefixes <= rig_room(rig, i); prefixes++)
        for (uint32_t x = 0; x < modulus; x++) {
            uint64_t cost = now[x] + (10 + rig->prices.prefix) * prefixes;
            uint32_t end = x + prefixes + bytes;

            if (now[x] == UINT64_MAX)
                continue;
            if (items[i].type == JCC_ITEM_ALIGN) {
                uint32_t fill = rig_fill(&items[i], x);

                end = x + fill;
                cost += 10 * fill + rig_nop_cost(rig, i, fill);
                if (fill == 0 && items[i].flags & JCC_ITEM_FUSES && !(items[i - 1].flags & JCC_ITEM_FUSES))
                    cost += meeting_cost(rig, i, modulus + x);
            }
            if (unit && bytes < rig->policy.boundary && rig_affected(rig, x, end))
                cost += RESIDUAL;
            lower(&next[end % modulus], cost);
        }
}

static uint64_t least_cost(const struct rig *rig)
{
    uint64_t now[MODULUS_MAX], next[MODULUS_MAX], least = UINT64_MAX;
    uint32_t modulus = modulus_of(rig);

    memset(now, 0xff, sizeof now);
    now[0] = 0;
    for (uint32_t i = 0; i < rig->count; i++) {
        if (i > 0 && rig_unit(rig, i - 1) == 2)
            continue;
        memset(next, 0xff, sizeof next);
        allow_pads(rig, i, modulus, now, next);
        memset(now, 0xff, sizeof now);
        pass_item(rig, i, modulus, next, now);
    }
    for (uint32_t x = 0; x < modulus; x++)
        lower(&least, now[x]);
    return least;
}

static uint64_t cost_with_residuals(const struct rig *rig)
{
    uint64_t cost = rig_cost(rig);

    for (uint32_t i = 0; i < rig->count; i++)
        if (places[i].residual != JCC_RESIDUAL_NONE && places[i].residual != JCC_RESIDUAL_TOO_LONG)
            cost += RESIDUAL;
    return cost;
}

static void check_least(const struct shape *shape, uint64_t seed, uint32_t boundary, unsigned cases)
{
    for (unsigned k = 0; k < cases; k++) {
        struct rig rig = new_rig(shape, boundary);

        random_items(&seed, shape);
        rig.policy.prefix_limit = k % 3 == 0 ? 0 : 5;
        rig.nop_max = k % 4 == 0 ? 4 : 15;
        plan_and_verify(&rig);
        assert_true(cost_with_residuals(&rig) == least_cost(&rig));
    }
}

static void long_sequences_cost_the_least(void **state)
{
    const struct shape shape = {.count = 1500, .sites = 60, .aligns = 7, .align_log2_max = 5, .units = 25, .pairs = 15};

    (void)state;
    check_least(&shape, 11, 16, 6);
    check_least(&shape, 12, 32, 12);
    check_least(&shape, 13, 64, 4);
    check_least(&shape, 14, 256, 1);
}

static void sequences_with_few_sites_cost_the_least(void **state)
{
    const struct shape shape = {.count = 1500, .sites = 4, .aligns = 2, .align_log2_max = 4, .units = 60, .pairs = 15, .pins = 30};

    (void)state;
    check_least(&shape, 21, 32, 10);
}

static void alignments_up_to_256_are_priced_in_whole(void **state)
{
    const struct shape shape = {.count = 800, .sites = 50, .aligns = 4, .align_log2_max = 8, .units = 25, .pairs = 15};

    (void)state;
    check_least(&shape, 31, 32, 4);
}

// What earlier rounds left is used again where nothing changed: the plan must be as if made at once for the jump lengths it ends with.
static void rounds_end_with_the_least_cost(void **state)
{
    const struct shape shape = {
        .count = 3000, .sites = 60, .aligns = 6, .align_log2_max = 5, .units = 25, .pairs = 15, .jumps = 80, .jump_distance = 45};

    (void)state;
    check_least(&shape, 41, 32, 12);
    check_least(&shape, 42, 16, 6);
}

static void same_input_same_plan(void **state)
{
    const struct shape shape = {
        .count = 2000, .sites = 60, .aligns = 6, .align_log2_max = 7, .units = 30, .pairs = 15, .jumps = 80, .jump_distance = 45};
    struct rig rig = new_rig(&shape, 32), again;
    uint64_t seed = 51;

    (void)state;
    random_items(&seed, &shape);
    again = rig;
    again.places = places_again;
    plan_and_verify(&rig);
    assert_int_equal(rig_plan(&again), JCC_OK);
    assert_memory_equal(places, places_again, shape.count * sizeof *places);
}

// ---- everything at once

static void every_rule_holds_on_every_boundary(void **state)
{
    const struct shape shape = {.count = 2500,
                                .sites = 60,
                                .aligns = 6,
                                .align_log2_max = 13,
                                .units = 30,
                                .pairs = 15,
                                .jumps = 80,
                                .jump_distance = 60,
                                .short_only = 2,
                                .pins = 10,
                                .exempt = 5};
    uint64_t seed = 61;

    (void)state;
    for (uint32_t boundary = JCC_BOUNDARY_MIN; boundary <= JCC_BOUNDARY_MAX; boundary *= 2)
        for (unsigned k = 0; k < 8; k++) {
            struct rig rig = new_rig(&shape, boundary);

            random_items(&seed, &shape);
            plan_and_verify(&rig);
        }
}

static void nothing_stays_affected_where_a_pad_may_stand_before_every_unit(void **state)
{
    const struct shape shape = {
        .count = 3000, .sites = 100, .aligns = 6, .align_log2_max = 12, .units = 35, .pairs = 25, .jumps = 80, .jump_distance = 60};
    uint64_t seed = 71;

    (void)state;
    for (uint32_t boundary = JCC_BOUNDARY_INTEL; boundary <= JCC_BOUNDARY_MAX; boundary *= 2)
        for (unsigned k = 0; k < 6; k++) {
            struct rig rig = new_rig(&shape, boundary);

            random_items(&seed, &shape);
            plan_and_verify(&rig);
            assert_true(rig.totals.units > 500);
            assert_int_equal(rig.totals.residuals, 0);
        }
}

// Whether a jump between branch I and its target is longer in A than in B.
static bool jump_grew_inside(uint32_t i, const struct jcc_layout_place *a, const struct jcc_layout_place *b)
{
    uint32_t target = items[i].target;

    for (uint32_t j = target < i ? target : i; j < (target < i ? i : target); j++)
        if ((items[j].flags & JCC_ITEM_RELAX) && a[j].length > b[j].length)
            return true;
    return false;
}

static void short_only_branches_reach_where_they_did_without_pads(void **state)
{
    const struct shape shape = {.count = 3000,
                                .sites = 70,
                                .aligns = 4,
                                .align_log2_max = 5,
                                .units = 30,
                                .pairs = 15,
                                .jumps = 60,
                                .jump_distance = 40,
                                .short_only = 8};
    uint64_t seed = 81;
    unsigned kept = 0;

    (void)state;
    for (unsigned k = 0; k < 40; k++) {
        struct rig rig = new_rig(&shape, 32), plain = rig;

        random_items(&seed, &shape);
        plain.policy = jcc_policy_off();
        plain.places = places_again;
        assert_int_equal(rig_plan(&plain), JCC_OK);
        plan_and_verify(&rig);
        for (uint32_t i = 0; i < shape.count; i++) {
            if (!(items[i].flags & JCC_ITEM_SHORT_ONLY) || !rig_reaches(&plain, i) || jump_grew_inside(i, places, places_again))
                continue;
            kept += rig_displacement(&plain, i) != rig_displacement(&rig, i);
            if (!rig_reaches(&rig, i))
                fail_msg("case %u, item %u: %d bytes, %d without pads", k, (unsigned)i, (int)rig_displacement(&rig, i),
                         (int)rig_displacement(&plain, i));
        }
    }
    assert_true(kept > 500);
}

// Without alignments the jump lengths have a least fixed point: start short, grow what does not reach, until all do.
static void without_alignments_only_jumps_that_must_grow_do(void **state)
{
    const struct shape shape = {.count = 3000, .units = 35, .pairs = 15, .jumps = 90, .jump_distance = 50};
    uint64_t seed = 91;

    (void)state;
    for (unsigned k = 0; k < 10; k++) {
        struct rig rig = new_rig(&shape, 32);
        bool grew = true;

        random_items(&seed, &shape);
        rig.policy = jcc_policy_off();
        plan_and_verify(&rig);
        for (uint32_t i = 0; i < shape.count; i++)
            places_again[i].length = items[i].flags & JCC_ITEM_LONG ? items[i].long_length : items[i].length;
        while (grew) {
            uint32_t offset[ITEMS_MAX + 1] = {0};

            grew = false;
            for (uint32_t i = 0; i < shape.count; i++)
                offset[i + 1] = offset[i] + places_again[i].length;
            for (uint32_t i = 0; i < shape.count; i++) {
                int64_t reach = items[i].flags & JCC_ITEM_RELAX ? (int64_t)offset[items[i].target] - offset[i + 1] : 0;

                if ((reach < -128 || reach > 127) && places_again[i].length == items[i].length) {
                    places_again[i].length = items[i].long_length;
                    grew = true;
                }
            }
        }
        for (uint32_t i = 0; i < shape.count; i++)
            assert_int_equal(places[i].length, places_again[i].length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_sequences_cost_the_least),
        cmocka_unit_test(sequences_with_few_sites_cost_the_least),
        cmocka_unit_test(alignments_up_to_256_are_priced_in_whole),
        cmocka_unit_test(rounds_end_with_the_least_cost),
        cmocka_unit_test(same_input_same_plan),
        cmocka_unit_test(every_rule_holds_on_every_boundary),
        cmocka_unit_test(nothing_stays_affected_where_a_pad_may_stand_before_every_unit),
        cmocka_unit_test(short_only_branches_reach_where_they_did_without_pads),
        cmocka_unit_test(without_alignments_only_jumps_that_must_grow_do),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
