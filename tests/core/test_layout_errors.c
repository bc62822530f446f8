// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <layout_rig.h>

#define ITEMS 4u

// Four sound items: an instruction, a pair and its jump, an alignment.
struct call {
    struct jcc_policy policy;
    struct jcc_layout_item items[ITEMS];
    struct jcc_layout_place places[ITEMS];
    struct jcc_layout_totals totals;
    void *workspace;
    size_t size;
};

static int set_up(void **state)
{
    struct call *call = calloc(1, sizeof *call);

    if (call == NULL)
        return 1;
    call->policy = jcc_policy_full();
    call->items[0] = (struct jcc_layout_item){.length = 4, .target = JCC_LAYOUT_NO_TARGET, .flags = JCC_ITEM_SITE};
    call->items[1] = (struct jcc_layout_item){.length = 3, .target = JCC_LAYOUT_NO_TARGET, .flags = JCC_ITEM_PAIR};
    call->items[2] = (struct jcc_layout_item){.length = 2, .long_length = 6, .kind = JCC_KIND_JCC, .flags = JCC_ITEM_RELAX};
    call->items[3] = (struct jcc_layout_item){.type = JCC_ITEM_ALIGN, .length = 16, .target = JCC_LAYOUT_NO_TARGET};
    call->size = jcc_layout_workspace(&call->policy, ITEMS);
    call->workspace = malloc(call->size);
    *state = call;
    return call->workspace == NULL;
}

static int tear_down(void **state)
{
    struct call *call = *state;

    free(call->workspace);
    free(call);
    return 0;
}

static enum jcc_status plan(struct call *call)
{
    return jcc_layout_plan(&call->policy, NULL, JCC_NOP_MAX, call->items, ITEMS, call->places, call->workspace, call->size, &call->totals);
}

static void sound_items_are_planned(void **state)
{
    struct call *call = *state;

    assert_int_equal(plan(call), JCC_OK);
    assert_int_equal(call->totals.bytes, 16);
    assert_int_equal(jcc_layout_plan(&call->policy, NULL, JCC_NOP_MAX, call->items, ITEMS, call->places, call->workspace, call->size, NULL),
                     JCC_OK);
}

static void nulls_are_refused(void **state)
{
    struct call *call = *state;

    assert_int_equal(jcc_layout_plan(NULL, NULL, 15, call->items, ITEMS, call->places, call->workspace, call->size, NULL),
                     JCC_ERROR_ARGUMENT);
    assert_int_equal(jcc_layout_plan(&call->policy, NULL, 15, NULL, ITEMS, call->places, call->workspace, call->size, NULL),
                     JCC_ERROR_ARGUMENT);
    assert_int_equal(jcc_layout_plan(&call->policy, NULL, 15, call->items, ITEMS, NULL, call->workspace, call->size, NULL),
                     JCC_ERROR_ARGUMENT);
    assert_int_equal(jcc_layout_plan(&call->policy, NULL, 15, call->items, ITEMS, call->places, NULL, call->size, NULL),
                     JCC_ERROR_ARGUMENT);
    assert_int_equal(jcc_layout_plan(&call->policy, NULL, 0, call->items, ITEMS, call->places, call->workspace, call->size, NULL),
                     JCC_ERROR_ARGUMENT);
}

static void no_items_are_an_empty_section(void **state)
{
    struct call *call = *state;

    assert_int_equal(jcc_layout_plan(&call->policy, NULL, 15, NULL, 0, NULL, call->workspace, call->size, &call->totals), JCC_OK);
    assert_int_equal(call->totals.bytes, 0);
    assert_int_equal(call->totals.rounds, 1);
}

static void unsound_policy_is_refused(void **state)
{
    struct call *call = *state;

    call->policy.boundary = 24;
    assert_int_equal(plan(call), JCC_ERROR_POLICY);
    assert_int_equal(jcc_layout_workspace(&call->policy, ITEMS), 0);
    assert_int_equal(jcc_layout_workspace(NULL, ITEMS), 0);
}

static void workspace_that_is_a_byte_short_is_refused(void **state)
{
    struct call *call = *state;

    call->size--;
    assert_int_equal(plan(call), JCC_ERROR_NO_SPACE);
}

static void workspace_grows_with_the_items_and_knows_its_limit(void **state)
{
    struct jcc_policy policy = jcc_policy_full();
    size_t size = jcc_layout_workspace(&policy, 200000);

    (void)state;
    assert_true(size > jcc_layout_workspace(&policy, 100000));
    assert_true(size < (size_t)64 << 20);
    assert_int_equal(jcc_layout_workspace(&policy, SIZE_MAX), 0);
}

struct fault {
    const char *what;
    uint32_t item;
    struct jcc_layout_item value;
};

static void unsound_items_are_refused(void **state)
{
    const uint32_t none = JCC_LAYOUT_NO_TARGET;
    const struct fault faults[] = {
        {"no length", 0, {.length = 0, .target = none}},
        {"an instruction of 16 bytes", 0, {.length = 16, .target = none}},
        {"an unknown type", 0, {.type = 3, .length = 4, .target = none}},
        {"an unknown kind", 0, {.length = 4, .kind = JCC_KIND_COUNT, .target = none}},
        {"a lone fused unit", 0, {.length = 4, .kind = JCC_KIND_FUSED, .target = none}},
        {"a reserved byte set", 0, {.length = 4, .target = none, .reserved = {0, 1}}},
        {"a target beyond the end", 0, {.length = 2, .long_length = 5, .flags = JCC_ITEM_RELAX, .target = ITEMS + 1}},
        {"a jump with no target", 0, {.length = 2, .long_length = 5, .flags = JCC_ITEM_RELAX, .target = none}},
        {"a short-only branch with no target", 0, {.length = 2, .flags = JCC_ITEM_SHORT_ONLY, .target = none}},
        {"a long form shorter than the short one", 0, {.length = 3, .long_length = 2, .flags = JCC_ITEM_RELAX}},
        {"a long form of 16 bytes", 0, {.length = 3, .long_length = 16, .flags = JCC_ITEM_RELAX}},
        {"both a jump that grows and one that does not", 0, {.length = 2, .long_length = 5, .flags = JCC_ITEM_RELAX | JCC_ITEM_SHORT_ONLY}},
        {"a pair without an instruction", 0, {.type = JCC_ITEM_DATA, .length = 4, .flags = JCC_ITEM_PAIR, .target = none}},
        {"a pair before a pair", 0, {.length = 4, .flags = JCC_ITEM_PAIR, .target = none}},
        {"a pair that is two jumps", 1, {.length = 2, .kind = JCC_KIND_JCC, .flags = JCC_ITEM_PAIR, .target = none}},
        {"a pair that begins with a loop", 1, {.length = 2, .flags = JCC_ITEM_PAIR | JCC_ITEM_SHORT_ONLY}},
        {"an unknown flag", 0, {.length = 4, .flags = JCC_ITEM_FUSES << 1, .target = none}},
        {"an unknown flag of data", 0, {.type = JCC_ITEM_DATA, .length = 4, .flags = 1 << 15, .target = none}},
        {"a pair before what is no jump", 2, {.length = 4, .flags = JCC_ITEM_PAIR, .target = none}},
        {"a pair before a jump of another kind", 2, {.length = 4, .kind = JCC_KIND_JMP, .target = none}},
        {"a site inside a pair", 2, {.length = 2, .kind = JCC_KIND_JCC, .flags = JCC_ITEM_SITE, .target = none}},
        {"a pair at the end", 3, {.length = 4, .flags = JCC_ITEM_PAIR, .target = none}},
        {"an alignment that fuses behind no instruction",
         0,
         {.type = JCC_ITEM_ALIGN, .length = 4, .flags = JCC_ITEM_FUSES, .target = none}},
        {"an alignment that fuses before no jump", 3, {.type = JCC_ITEM_ALIGN, .length = 4, .flags = JCC_ITEM_FUSES, .target = none}},
        {"an instruction that fuses as alignments do", 0, {.length = 4, .flags = JCC_ITEM_FUSES, .target = none}},
        {"an alignment of 0", 3, {.type = JCC_ITEM_ALIGN, .length = 0, .target = none}},
        {"an alignment of 12", 3, {.type = JCC_ITEM_ALIGN, .length = 12, .target = none}},
    };
    struct call *call = *state;

    for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++) {
        struct jcc_layout_item kept = call->items[faults[k].item];

        call->items[faults[k].item] = faults[k].value;
        if (plan(call) != JCC_ERROR_ARGUMENT)
            fail_msg("%s was accepted", faults[k].what);
        call->items[faults[k].item] = kept;
        assert_int_equal(plan(call), JCC_OK);
    }
}

// What the header does not name an item's type for is not looked at, whatever stands there.
static void what_an_item_has_no_use_for_is_not_read(void **state)
{
    struct call *call = *state;
    struct jcc_layout_place places[ITEMS];
    struct jcc_layout_totals totals;
    const uint32_t targets[] = {0, 3, ITEMS + 1, JCC_LAYOUT_NO_TARGET - 1, JCC_LAYOUT_NO_TARGET};

    // A unit of that length would be affected.
    call->items[0].length = 15;
    call->items[1] = (struct jcc_layout_item){.type = JCC_ITEM_DATA, .length = 17, .flags = JCC_ITEM_SITE};
    assert_int_equal(plan(call), JCC_OK);
    memcpy(places, call->places, sizeof places);
    totals = call->totals;
    for (size_t k = 0; k < sizeof targets / sizeof targets[0]; k++) {
        call->items[0].target = call->items[1].target = call->items[3].target = targets[k];
        call->items[0].long_length = 99;
        call->items[0].max_skip = call->items[1].max_skip = 1;
        call->items[1].kind = call->items[3].kind = JCC_KIND_JMP;
        call->items[1].long_length = call->items[3].long_length = 2;
        call->items[1].prefix_room = call->items[3].prefix_room = 5;
        assert_int_equal(plan(call), JCC_OK);
        assert_memory_equal(places, call->places, sizeof places);
        assert_memory_equal(&totals, &call->totals, sizeof totals);
    }
}

static void section_beyond_2_gib_is_refused(void **state)
{
    struct call *call = *state;

    call->items[0] = (struct jcc_layout_item){.type = JCC_ITEM_DATA, .length = UINT32_MAX, .target = JCC_LAYOUT_NO_TARGET};
    assert_int_equal(plan(call), JCC_ERROR_LIMIT);
    call->items[0].length = INT32_MAX - 5;
    assert_int_equal(plan(call), JCC_ERROR_LIMIT);
    call->items[0].length = INT32_MAX - 100;
    assert_int_equal(plan(call), JCC_OK);
    // By the fill of an alignment.
    call->items[0].length = 8;
    call->items[3].length = UINT32_C(1) << 31;
    assert_int_equal(plan(call), JCC_ERROR_LIMIT);
}

static void totals_are_left_alone_on_an_error(void **state)
{
    struct call *call = *state;

    call->totals.bytes = 77;
    call->items[3].length = 3;
    assert_int_equal(plan(call), JCC_ERROR_ARGUMENT);
    assert_int_equal(call->totals.bytes, 77);
}

// Prices and weights at their limits are bounded and do not upset that units come first.
static void absurd_prices_still_help_every_unit(void **state)
{
    const struct jcc_layout_prices prices = {UINT32_MAX, UINT32_MAX};
    struct call *call = *state;

    call->items[0].length = 12;
    call->items[0].prefix_room = 3;
    for (uint32_t i = 0; i < ITEMS; i++)
        call->items[i].weight = UINT32_MAX;
    call->policy.boundary = 16;
    assert_int_equal(
        jcc_layout_plan(&call->policy, &prices, 15, call->items, ITEMS, call->places, call->workspace, call->size, &call->totals), JCC_OK);
    assert_int_equal(call->totals.residuals, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sound_items_are_planned, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nulls_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_items_are_an_empty_section, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unsound_policy_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(workspace_that_is_a_byte_short_is_refused, set_up, tear_down),
        cmocka_unit_test(workspace_grows_with_the_items_and_knows_its_limit),
        cmocka_unit_test_setup_teardown(unsound_items_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_an_item_has_no_use_for_is_not_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(section_beyond_2_gib_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(totals_are_left_alone_on_an_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(absurd_prices_still_help_every_unit, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
