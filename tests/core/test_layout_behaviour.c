// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the planner does where a person would know the answer.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <layout_rig.h>

#define ITEMS_MAX 32u

// A sequence under construction, and the plan for it.
struct code {
    struct jcc_layout_item items[ITEMS_MAX];
    struct jcc_layout_place places[ITEMS_MAX];
    struct rig rig;
};

static struct code *new_code(void **state)
{
    struct code *code = *state;

    memset(code, 0, sizeof *code);
    code->rig = (struct rig){.policy = jcc_policy_full(),
                             .prices = JCC_LAYOUT_PRICES_DEFAULT,
                             .nop_max = JCC_NOP_MAX,
                             .items = code->items,
                             .places = code->places};
    return code;
}

static struct jcc_layout_item *add(struct code *code, unsigned type, uint32_t length, unsigned kind, unsigned flags)
{
    struct jcc_layout_item *item = &code->items[code->rig.count++];

    *item = (struct jcc_layout_item){.type = (uint8_t)type,
                                     .length = length,
                                     .kind = (uint8_t)kind,
                                     .flags = (uint16_t)flags,
                                     .target = JCC_LAYOUT_NO_TARGET,
                                     .weight = 1};
    return item;
}

static struct jcc_layout_item *add_data(struct code *code, uint32_t length)
{
    return add(code, JCC_ITEM_DATA, length, JCC_KIND_NONE, 0);
}

static struct jcc_layout_item *add_insn(struct code *code, uint32_t length, unsigned flags)
{
    return add(code, JCC_ITEM_INSN, length, JCC_KIND_NONE, flags);
}

static struct jcc_layout_item *add_unit(struct code *code, uint32_t length, unsigned kind, unsigned flags)
{
    return add(code, JCC_ITEM_INSN, length, kind, flags);
}

static struct jcc_layout_item *add_align(struct code *code, uint32_t align, unsigned flags)
{
    return add(code, JCC_ITEM_ALIGN, align, JCC_KIND_NONE, flags);
}

static struct jcc_layout_item *add_jump(struct code *code, unsigned kind, uint32_t target, unsigned flags)
{
    struct jcc_layout_item *item = add(code, JCC_ITEM_INSN, 2, kind, flags | JCC_ITEM_RELAX);

    item->long_length = kind == JCC_KIND_JCC ? 6 : 5;
    item->target = target;
    return item;
}

static struct jcc_layout_item *add_jrcxz(struct code *code, uint32_t target)
{
    struct jcc_layout_item *item = add(code, JCC_ITEM_INSN, 2, JCC_KIND_NONE, JCC_ITEM_SHORT_ONLY);

    item->target = target;
    return item;
}

static void plan(struct code *code)
{
    const char *broken;
    uint32_t where;

    assert_int_equal(rig_plan(&code->rig), JCC_OK);
    broken = rig_verify(&code->rig, &where);
    if (broken != NULL) {
        rig_print(&code->rig);
        fail_msg("item %u: %s", (unsigned)where, broken);
    }
}

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
    uint32_t scratch[ITEMS_MAX + 1];

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
    assert_int_equal(code->rig.totals.rounds, 2);
    assert_int_equal(code->places[2].pad, 0);
    assert_int_equal(code->places[2].offset, 34);
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
    assert_int_equal(code->rig.totals.rounds, 2);
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

static int set_up(void **state)
{
    *state = malloc(sizeof(struct code));
    return *state == NULL;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
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
        cmocka_unit_test(without_fused_the_jump_of_a_pair_is_a_unit_of_its_own),
        cmocka_unit_test(kinds_that_the_policy_does_not_name_are_left),
        cmocka_unit_test(exempt_units_are_left_and_not_reported),
        cmocka_unit_test(policy_that_is_off_only_resolves),
        cmocka_unit_test(every_boundary_is_kept),
        cmocka_unit_test(jump_that_a_pad_puts_out_of_reach_grows_and_is_planned_again),
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
        cmocka_unit_test(unit_as_long_as_the_boundary_is_reported),
        cmocka_unit_test(where_no_pad_may_stand_the_unit_is_reported_and_the_rest_is_helped),
        cmocka_unit_test(residuals_have_names),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
