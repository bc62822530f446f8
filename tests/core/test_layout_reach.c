// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the planner does about jumps that grow, branches that may not, and sizes that are pinned.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <layout_code.h>

// ---- jumps

static void jump_that_a_pad_puts_out_of_reach_grows_and_is_planned_again(void **state)
{
    struct code *code = new_code(state);

    // The call needs one byte, with which the jump over 127 no longer reaches; long, it shifts the call to where none is needed.
    add_jump(code, JCC_KIND_JMP, 4, 0);
    add_data(code, 29);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    add_data(code, 93);
    add_insn(code, 1, 0);
    plan(code);
    assert_int_equal(code->places[0].length, 5);
    assert_int_equal(code->rig.totals.grown, 1);
    assert_true(code->rig.totals.rounds >= 2);
    assert_int_equal(code->places[2].pad, 0);
    assert_int_equal(code->places[2].offset, 34);
}

static void jump_that_grew_for_a_pad_of_an_early_round_is_short_again_where_it_reaches_in_the_last(void **state)
{
    struct code *code = new_code(state);

    // With both short the call needs one byte, with which neither reaches. One grown moves the call to where none is needed: the other reaches.
    add_jump(code, JCC_KIND_JMP, 5, 0);
    add_jump(code, JCC_KIND_JMP, 6, 0);
    add_data(code, 27);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    add_data(code, 93);
    add_data(code, 2);
    add_insn(code, 1, 0);
    plan(code);
    assert_int_equal(code->places[0].length, 5);
    assert_int_equal(code->places[1].length, 2);
    assert_int_equal(code->places[3].pad, 0);
    assert_int_equal(code->rig.totals.grown, 1);
    assert_int_equal(code->rig.totals.bytes, 135);
}

static void jump_that_grew_may_need_a_pad_itself(void **state)
{
    struct code *code = new_code(state);

    add_data(code, 28);
    add_jump(code, JCC_KIND_JMP, 4, JCC_ITEM_SITE);
    add_data(code, 128);
    add_insn(code, 1, 0);
    plan(code);
    assert_int_equal(code->places[1].length, 5);
    assert_int_equal(code->places[1].pad, 4);
}

// What follows moves by 32 bytes in the second round, and would be placed as before but for the large alignment.
static void what_follows_an_alignment_that_skips_depends_on_the_whole_offset(void **state)
{
    struct code *code = new_code(state);

    add_jump(code, JCC_KIND_JMP, 4, 0);
    add_data(code, 29);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    add_data(code, 93);
    add_data(code, 29);
    add_align(code, 32, JCC_ITEM_DEAD);
    for (unsigned k = 0; k < 20; k++)
        add_align(code, 1, 0);
    add_data(code, 340);
    add_align(code, 512, 0)->max_skip = 16;
    add_data(code, 10);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    plan(code);
    assert_true(code->rig.totals.rounds >= 2);
    assert_int_equal(code->places[27].length, 0);
    assert_int_equal(code->rig.totals.residuals, 0);
    assert_int_equal(code->places[29].pad, 2);
}

static void long_jump_stays_long(void **state)
{
    struct code *code = new_code(state);

    add_jump(code, JCC_KIND_JMP, 1, JCC_ITEM_LONG);
    add_insn(code, 1, 0);
    plan(code);
    assert_int_equal(code->places[0].length, 5);
    assert_int_equal(code->rig.totals.grown, 0);
}

static void jump_to_the_end_reaches_it(void **state)
{
    struct code *code = new_code(state);

    add_jump(code, JCC_KIND_JMP, 2, 0);
    add_data(code, 127);
    plan(code);
    assert_int_equal(code->places[0].length, 2);
    code->items[1].length = 128;
    plan(code);
    assert_int_equal(code->places[0].length, 5);
}

// ---- branches that must stay in reach

static void jrcxz_is_kept_in_reach_at_the_cost_of_a_unit(void **state)
{
    struct code *code = new_code(state);

    add_jrcxz(code, 4);
    add_data(code, 28);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    add_data(code, 94);
    add_insn(code, 1, 0);
    plan(code);
    assert_int_equal(rig_displacement(&code->rig, 0), 127);
    assert_int_equal(code->places[2].residual, JCC_RESIDUAL_SHORT_BRANCH);
    assert_string_equal(jcc_residual_name(code->places[2].residual), "short branch out of reach");
}

static void pad_before_the_jrcxz_helps_where_none_may_stand_behind_it(void **state)
{
    struct code *code = new_code(state);

    add_insn(code, 1, JCC_ITEM_SITE);
    add_jrcxz(code, 5);
    add_data(code, 27);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    add_data(code, 95);
    add_insn(code, 1, 0);
    plan(code);
    assert_int_equal(code->places[0].pad, 2);
    assert_int_equal(code->rig.totals.residuals, 0);
    assert_true(rig_reaches(&code->rig, 1));
}

static void jrcxz_with_room_lets_pads_stand(void **state)
{
    struct code *code = new_code(state);

    add_jrcxz(code, 4);
    add_data(code, 28);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    add_data(code, 92);
    add_insn(code, 1, 0);
    plan(code);
    assert_int_equal(rig_displacement(&code->rig, 0), 127);
    assert_int_equal(code->rig.totals.residuals, 0);
}

static void jrcxz_that_never_reached_takes_no_pads_away(void **state)
{
    struct code *code = new_code(state);

    add_jrcxz(code, 4);
    add_data(code, 28);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    add_data(code, 200);
    add_insn(code, 1, 0);
    plan(code);
    assert_int_equal(code->rig.totals.residuals, 0);
}

static void backward_loop_instruction_is_kept_in_reach(void **state)
{
    struct code *code = new_code(state);

    add_data(code, 30);
    add_insn(code, 1, JCC_ITEM_SITE)->prefix_room = 3;
    add_data(code, 29)->flags = JCC_ITEM_SITE;
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    add_data(code, 91);
    add_jrcxz(code, 1);
    plan(code);
    assert_true(rig_reaches(&code->rig, 5));
    // The pad before the label is outside.
    assert_true(code->places[1].pad > 0);
    assert_int_equal(code->rig.totals.pad_bytes, code->places[1].pad);
    assert_int_equal(code->rig.totals.residuals, 0);
}

static void alignment_between_jrcxz_and_its_target_may_not_grow_either(void **state)
{
    struct code *code = new_code(state);

    // Plain: the second call crosses at 62, the alignment at 80 takes nothing. Two bytes before it make it take 14.
    add_data(code, 30);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    add_align(code, 32, JCC_ITEM_DEAD);
    add_data(code, 62);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    add_data(code, 3);
    add_jrcxz(code, 10);
    add_data(code, 8);
    add_align(code, 16, 0);
    add_data(code, 110)->flags = JCC_ITEM_SITE;
    add_insn(code, 1, 0);
    plan(code);
    assert_true(rig_reaches(&code->rig, 6));
    assert_int_equal(code->places[4].residual, JCC_RESIDUAL_SHORT_BRANCH);
    // Before the alignment that settles how that one falls all is as ever.
    assert_int_equal(code->places[1].pad, 2);
}

static void prefix_on_a_branch_back_counts_in_its_reach(void **state)
{
    struct code *code = new_code(state);

    add_data(code, 30);
    add_data(code, 126);
    add_jrcxz(code, 1)->prefix_room = 3;
    add_unit(code, 5, JCC_KIND_CALL, 0);
    plan(code);
    assert_int_equal(rig_displacement(&code->rig, 2), -128);
    assert_int_equal(code->places[3].residual, JCC_RESIDUAL_SHORT_BRANCH);
}

static void jump_does_not_grow_where_that_breaks_a_jrcxz(void **state)
{
    struct code *code = new_code(state);

    add_jrcxz(code, 4);
    add_data(code, 98);
    add_jump(code, JCC_KIND_JMP, 7, 0);
    add_data(code, 27);
    // Behind the jrcxz's target: 129.
    add_data(code, 28);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    add_data(code, 67);
    add_insn(code, 1, 0);
    plan(code);
    assert_int_equal(rig_displacement(&code->rig, 0), 127);
    assert_int_equal(code->places[2].length, 2);
    assert_int_equal(code->places[5].residual, JCC_RESIDUAL_SHORT_BRANCH);
    // Without the jrcxz it grows.
    code->items[0].flags = 0;
    plan(code);
    assert_int_equal(code->places[2].length, 5);
    assert_int_equal(code->rig.totals.residuals, 0);
}

// ---- pinned sizes

static void pinned_items_take_no_pad_and_the_ones_before_no_prefix(void **state)
{
    struct code *code = new_code(state);

    add_data(code, 26);
    add_insn(code, 4, 0)->prefix_room = 3;
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE | JCC_ITEM_PINNED);
    plan(code);
    assert_int_equal(code->rig.totals.bytes, 35);
    assert_int_equal(code->places[2].residual, JCC_RESIDUAL_PINNED_SIZE);
}

static void pinned_region_is_moved_as_a_whole(void **state)
{
    struct code *code = new_code(state);

    add_data(code, 20);
    add_insn(code, 4, JCC_ITEM_SITE);
    add_insn(code, 6, JCC_ITEM_SITE | JCC_ITEM_PINNED);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE | JCC_ITEM_PINNED);
    plan(code);
    assert_int_equal(code->places[1].pad, 2);
    assert_int_equal(code->places[3].offset, 32);
}

static void pinned_jump_is_kept_short(void **state)
{
    struct code *code = new_code(state);

    add_jump(code, JCC_KIND_JMP, 5, 0);
    add_insn(code, 1, JCC_ITEM_PINNED);
    add_data(code, 27);
    add_unit(code, 5, JCC_KIND_CALL, JCC_ITEM_SITE);
    add_data(code, 94);
    add_insn(code, 1, 0);
    plan(code);
    assert_int_equal(code->places[0].length, 2);
    assert_int_equal(code->places[3].residual, JCC_RESIDUAL_SHORT_BRANCH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jump_that_a_pad_puts_out_of_reach_grows_and_is_planned_again),
        cmocka_unit_test(jump_that_grew_for_a_pad_of_an_early_round_is_short_again_where_it_reaches_in_the_last),
        cmocka_unit_test(jump_that_grew_may_need_a_pad_itself),
        cmocka_unit_test(what_follows_an_alignment_that_skips_depends_on_the_whole_offset),
        cmocka_unit_test(long_jump_stays_long),
        cmocka_unit_test(jump_to_the_end_reaches_it),
        cmocka_unit_test(jrcxz_is_kept_in_reach_at_the_cost_of_a_unit),
        cmocka_unit_test(pad_before_the_jrcxz_helps_where_none_may_stand_behind_it),
        cmocka_unit_test(jrcxz_with_room_lets_pads_stand),
        cmocka_unit_test(jrcxz_that_never_reached_takes_no_pads_away),
        cmocka_unit_test(backward_loop_instruction_is_kept_in_reach),
        cmocka_unit_test(alignment_between_jrcxz_and_its_target_may_not_grow_either),
        cmocka_unit_test(prefix_on_a_branch_back_counts_in_its_reach),
        cmocka_unit_test(jump_does_not_grow_where_that_breaks_a_jrcxz),
        cmocka_unit_test(pinned_items_take_no_pad_and_the_ones_before_no_prefix),
        cmocka_unit_test(pinned_region_is_moved_as_a_whole),
        cmocka_unit_test(pinned_jump_is_kept_short),
    };

    return cmocka_run_group_tests(tests, code_set_up, code_tear_down);
}
