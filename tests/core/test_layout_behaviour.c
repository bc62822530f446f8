// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the planner does where a person would know the answer: where pads and prefixes go.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <layout_code.h>

// ---- where pads go

static void unit_that_crosses_is_padded_to_the_boundary(void **state)
{
    struct code *code = new_code(state);

    add_data(code, 30);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    plan(code);
    assert_int_equal(code->places[1].pad, 2);
    assert_int_equal(code->places[1].offset, 32);
    assert_int_equal(code->rig.totals.live_nops, 1);
}

static void unit_that_ends_on_the_boundary_is_padded(void **state)
{
    struct code *code = new_code(state);

    add_data(code, 27);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    plan(code);
    assert_int_equal(code->places[1].offset, 32);
}

static void unit_that_starts_on_the_boundary_is_left(void **state)
{
    struct code *code = new_code(state);

    add_data(code, 32);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    plan(code);
    assert_int_equal(code->rig.totals.bytes, 37);
}

static void pad_goes_before_the_loop_and_not_in_it(void **state)
{
    struct code *code = new_code(state);
    uint32_t scratch[CODE_ITEMS_MAX + 1];

    add_data(code, 24);
    add_insn(code, 4, JCC_ITEM_SITE);
    add_insn(code, 3, JCC_ITEM_SITE);
    add_jump(code, JCC_KIND_JCC, 1, JCC_ITEM_SITE);
    jcc_layout_weights(code->items, code->rig.count, scratch);
    plan(code);
    assert_int_equal(code->places[1].pad, 1);
    assert_int_equal(code->rig.totals.pad_bytes, 1);
    // The label is behind the pad: the back edge does not run it.
    assert_int_equal(rig_displacement(&code->rig, 3), -9);
}

static void site_that_is_not_executed_is_preferred(void **state)
{
    struct code *code = new_code(state);

    add_unit(code, 2, JCC_KIND_JMP, 0);
    add_data(code, 10)->flags = JCC_ITEM_SITE | JCC_ITEM_DEAD;
    add_data(code, 18)->flags = JCC_ITEM_SITE;
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    plan(code);
    assert_int_equal(code->places[1].pad, 2);
    assert_int_equal(code->rig.totals.pad_bytes, 2);
    assert_int_equal(code->rig.totals.live_nops, 0);
}

static void more_bytes_where_not_executed_are_better_than_an_executed_nop(void **state)
{
    struct code *code = new_code(state);

    // The call needs two bytes, but two or three of them before the jump would make the jump affected.
    add_data(code, 2)->flags = JCC_ITEM_SITE | JCC_ITEM_DEAD;
    add_data(code, 26);
    add_unit(code, 2, JCC_KIND_JMP, 0);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    code->rig.prices.nop = 50;
    plan(code);
    assert_int_equal(code->places[0].pad, 4);
    code->rig.prices.nop = 0;
    plan(code);
    assert_int_equal(code->places[3].pad, 2);
}

static void of_two_plans_at_the_same_cost_the_shorter_is_taken(void **state)
{
    struct code *code = new_code(state);

    // 4 bytes that are not executed, or 2 and a no-operation at the price of 2 more.
    add_data(code, 2)->flags = JCC_ITEM_SITE | JCC_ITEM_DEAD;
    add_data(code, 26);
    add_unit(code, 2, JCC_KIND_JMP, 0);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    code->rig.prices.nop = 20;
    plan(code);
    assert_int_equal(code->rig.totals.pad_bytes, 2);
    code->rig.prices.nop = 21;
    plan(code);
    assert_int_equal(code->rig.totals.pad_bytes, 4);
}

static void of_equal_sites_the_last_is_taken(void **state)
{
    struct code *code = new_code(state);

    add_data(code, 28)->flags = JCC_ITEM_SITE;
    add_insn(code, 2, JCC_ITEM_SITE);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    plan(code);
    assert_int_equal(code->places[2].pad, 2);
}

static void fill_that_is_there_anyway_is_used(void **state)
{
    struct code *code = new_code(state);

    add_data(code, 29);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    add_align(code, 16, JCC_ITEM_DEAD);
    add_insn(code, 4, 0);
    plan(code);
    assert_int_equal(code->places[1].pad, 3);
    assert_int_equal(code->places[2].length, 11);
    assert_int_equal(code->rig.totals.bytes, 52);
}

static void fill_that_would_be_executed_moves_to_where_it_is_not(void **state)
{
    struct code *code = new_code(state);

    add_unit(code, 2, JCC_KIND_JMP, 0);
    add_insn(code, 9, JCC_ITEM_SITE | JCC_ITEM_DEAD);
    add_align(code, 16, 0);
    add_insn(code, 4, 0);
    plan(code);
    assert_int_equal(code->places[1].pad, 5);
    assert_int_equal(code->rig.totals.live_nops, 0);
    assert_int_equal(code->rig.totals.bytes, 20);
}

static void alignments_take_part_with_no_unit_near(void **state)
{
    struct code *code = new_code(state);

    add_insn(code, 3, 0);
    add_align(code, 16, 0)->max_skip = 10;
    add_align(code, 8, 0);
    add_align(code, 4096, 0);
    add_insn(code, 1, 0);
    add_align(code, 4096, 0)->max_skip = 4000;
    plan(code);
    assert_int_equal(code->places[1].length, 0);
    assert_int_equal(code->places[2].length, 5);
    assert_int_equal(code->places[3].length, 4088);
    assert_int_equal(code->places[5].length, 0);
}

// ---- prefixes

static void prefixes_replace_a_nop_in_a_loop(void **state)
{
    struct code *code = new_code(state);

    add_data(code, 26);
    add_insn(code, 4, 0)->prefix_room = 3;
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE)->weight = 8;
    plan(code);
    assert_int_equal(code->places[1].prefixes, 2);
    assert_int_equal(code->places[1].offset, 26);
    assert_int_equal(code->places[1].length, 6);
    assert_int_equal(code->rig.totals.prefix_bytes, 2);
    assert_int_equal(code->rig.totals.pad_bytes, 0);
}

static void prefix_limit_of_zero_leaves_nops_only(void **state)
{
    struct code *code = new_code(state);

    add_data(code, 26);
    add_insn(code, 4, 0)->prefix_room = 3;
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE)->weight = 8;
    code->rig.policy.prefix_limit = 0;
    plan(code);
    assert_int_equal(code->rig.totals.prefix_bytes, 0);
    assert_int_equal(code->places[2].pad, 2);
}

static void prefixes_go_on_the_last_instructions_that_take_them(void **state)
{
    struct code *code = new_code(state);

    add_data(code, 18);
    add_insn(code, 4, 0)->prefix_room = 3;
    add_insn(code, 4, 0)->prefix_room = 3;
    add_insn(code, 1, 0);
    add_unit(code, 5, JCC_KIND_CALL, 0);
    plan(code);
    assert_int_equal(code->places[1].prefixes, 2);
    assert_int_equal(code->places[2].prefixes, 3);
}

static void parts_of_a_unit_take_no_prefix(void **state)
{
    struct code *code = new_code(state);

    add_data(code, 29);
    add_insn(code, 3, JCC_ITEM_PAIR)->prefix_room = 5;
    add_jump(code, JCC_KIND_JCC, 0, 0)->prefix_room = 5;
    plan(code);
    assert_int_equal(code->rig.totals.prefix_bytes, 0);
    assert_int_equal(code->places[1].residual, JCC_RESIDUAL_NO_SITE);
}

// ---- pairs and kinds

static void pair_is_moved_as_one(void **state)
{
    struct code *code = new_code(state);

    // The jump alone would not be affected.
    add_data(code, 30);
    add_insn(code, 3, JCC_ITEM_PAIR | JCC_ITEM_SITE);
    add_jump(code, JCC_KIND_JCC, 0, 0);
    plan(code);
    assert_int_equal(code->places[1].pad, 2);
    assert_int_equal(code->places[2].pad, 0);
    assert_int_equal(code->places[2].offset, 35);
    assert_int_equal(code->rig.totals.units, 1);
}

static void pair_that_an_alignment_may_let_meet_is_kept_apart_or_moved_as_one(void **state)
{
    struct code *code = new_code(state);

    add_data(code, 17);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    add_insn(code, 5, JCC_ITEM_SITE);
    add_align(code, 32, JCC_ITEM_FUSES);
    add_jump(code, JCC_KIND_JCC, 0, 0);
    for (uint32_t before = 16; before < 48; before++) {
        code->items[0].length = before;
        plan(code);
        assert_int_equal(code->rig.totals.residuals, 0);
        assert_true(code->places[3].length != 0); // at a multiple of 32 the two would meet on the boundary
    }
    code->items[3].length = 8; // where they may meet, as one
    for (uint32_t before = 16; before < 48; before++) {
        code->items[0].length = before;
        plan(code);
        assert_int_equal(code->rig.totals.residuals, 0);
    }
    code->rig.policy.kinds = JCC_KIND_BIT(JCC_KIND_JCC);
    code->items[3].length = 32;
    code->items[0].length = 22;
    plan(code);
    assert_int_equal(code->places[3].length, 0);
    assert_int_equal(code->rig.totals.pad_bytes, 0);
}

static void without_fused_the_jump_of_a_pair_is_a_unit_of_its_own(void **state)
{
    struct code *code = new_code(state);

    code->rig.policy.kinds = JCC_KIND_BIT(JCC_KIND_JCC);
    add_data(code, 30);
    add_insn(code, 3, JCC_ITEM_PAIR | JCC_ITEM_SITE);
    add_jump(code, JCC_KIND_JCC, 0, 0);
    plan(code);
    assert_int_equal(code->rig.totals.pad_bytes, 0);
    code->items[0].length = 27;
    plan(code);
    assert_int_equal(code->places[1].pad, 2);
    assert_int_equal(code->rig.totals.units, 1);
}

static void kinds_that_the_policy_does_not_name_are_left(void **state)
{
    struct code *code = new_code(state);

    code->rig.policy = jcc_policy_clang();
    add_data(code, 30);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    plan(code);
    assert_int_equal(code->rig.totals.bytes, 35);
    assert_int_equal(code->rig.totals.units, 0);
}

static void exempt_units_are_left_and_not_reported(void **state)
{
    struct code *code = new_code(state);

    add_data(code, 30);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE | JCC_ITEM_EXEMPT);
    add_data(code, 26);
    add_insn(code, 3, JCC_ITEM_SITE | JCC_ITEM_PAIR | JCC_ITEM_EXEMPT);
    add_jump(code, JCC_KIND_JCC, 0, 0);
    plan(code);
    assert_int_equal(code->rig.totals.pad_bytes, 0);
    assert_int_equal(code->rig.totals.units, 0);
    assert_int_equal(code->rig.totals.residuals, 0);
}

static void policy_that_is_off_only_resolves(void **state)
{
    struct code *code = new_code(state);

    add_data(code, 30);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    add_jump(code, JCC_KIND_JMP, 6, JCC_ITEM_SITE);
    add_jump(code, JCC_KIND_JMP, 0, JCC_ITEM_SITE);
    add_align(code, 16, 0);
    add_data(code, 200);
    code->rig.policy = jcc_policy_off();
    plan(code);
    assert_int_equal(code->places[2].length, 5);
    assert_int_equal(code->places[3].length, 2);
    assert_int_equal(code->places[4].length, 6);
    assert_int_equal(code->rig.totals.bytes, 248);
    // No kinds at all is the same.
    code->rig.policy = jcc_policy_full();
    code->rig.policy.kinds = 0;
    plan(code);
    assert_int_equal(code->rig.totals.bytes, 248);
}

static void every_boundary_is_kept(void **state)
{
    for (uint32_t boundary = JCC_BOUNDARY_MIN; boundary <= JCC_BOUNDARY_MAX; boundary *= 2) {
        struct code *code = new_code(state);

        code->rig.policy.boundary = boundary;
        add_data(code, 3 * boundary - 1);
        add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
        plan(code);
        assert_int_equal(code->places[1].offset, 3 * boundary);
    }
}

// ---- what cannot be helped

static void unit_as_long_as_the_boundary_is_reported(void **state)
{
    struct code *code = new_code(state);

    code->rig.policy.boundary = 16;
    add_insn(code, 11, JCC_ITEM_PAIR | JCC_ITEM_SITE);
    add_jump(code, JCC_KIND_JCC, 0, 0)->flags |= JCC_ITEM_LONG;
    plan(code);
    assert_int_equal(code->places[0].residual, JCC_RESIDUAL_TOO_LONG);
    assert_int_equal(code->places[1].residual, JCC_RESIDUAL_NONE);
    assert_int_equal(code->rig.totals.pad_bytes, 0);
    assert_int_equal(code->rig.totals.residuals, 1);
}

static void where_no_pad_may_stand_the_unit_is_reported_and_the_rest_is_helped(void **state)
{
    struct code *code = new_code(state);

    add_data(code, 30);
    add_unit(code, 5, JCC_KIND_CALL, 0);
    add_data(code, 26);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    plan(code);
    assert_int_equal(code->places[1].residual, JCC_RESIDUAL_NO_SITE);
    assert_int_equal(code->places[3].residual, JCC_RESIDUAL_NONE);
    assert_int_equal(code->places[3].offset, 64);
}

static void residuals_have_names(void **state)
{
    (void)state;
    for (unsigned k = 1; k < JCC_RESIDUAL_COUNT; k++)
        for (unsigned j = 0; j < k; j++)
            assert_string_not_equal(jcc_residual_name((enum jcc_residual)k), jcc_residual_name((enum jcc_residual)j));
    assert_string_equal(jcc_residual_name(JCC_RESIDUAL_NONE), "none");
    assert_string_equal(jcc_residual_name(JCC_RESIDUAL_COUNT), "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unit_that_crosses_is_padded_to_the_boundary),
        cmocka_unit_test(unit_that_ends_on_the_boundary_is_padded),
        cmocka_unit_test(unit_that_starts_on_the_boundary_is_left),
        cmocka_unit_test(pad_goes_before_the_loop_and_not_in_it),
        cmocka_unit_test(site_that_is_not_executed_is_preferred),
        cmocka_unit_test(more_bytes_where_not_executed_are_better_than_an_executed_nop),
        cmocka_unit_test(of_two_plans_at_the_same_cost_the_shorter_is_taken),
        cmocka_unit_test(of_equal_sites_the_last_is_taken),
        cmocka_unit_test(fill_that_is_there_anyway_is_used),
        cmocka_unit_test(fill_that_would_be_executed_moves_to_where_it_is_not),
        cmocka_unit_test(alignments_take_part_with_no_unit_near),
        cmocka_unit_test(prefixes_replace_a_nop_in_a_loop),
        cmocka_unit_test(prefix_limit_of_zero_leaves_nops_only),
        cmocka_unit_test(prefixes_go_on_the_last_instructions_that_take_them),
        cmocka_unit_test(parts_of_a_unit_take_no_prefix),
        cmocka_unit_test(pair_is_moved_as_one),
        cmocka_unit_test(pair_that_an_alignment_may_let_meet_is_kept_apart_or_moved_as_one),
        cmocka_unit_test(without_fused_the_jump_of_a_pair_is_a_unit_of_its_own),
        cmocka_unit_test(kinds_that_the_policy_does_not_name_are_left),
        cmocka_unit_test(exempt_units_are_left_and_not_reported),
        cmocka_unit_test(policy_that_is_off_only_resolves),
        cmocka_unit_test(every_boundary_is_kept),
        cmocka_unit_test(unit_as_long_as_the_boundary_is_reported),
        cmocka_unit_test(where_no_pad_may_stand_the_unit_is_reported_and_the_rest_is_helped),
        cmocka_unit_test(residuals_have_names),
    };

    return cmocka_run_group_tests(tests, code_set_up, code_tear_down);
}
