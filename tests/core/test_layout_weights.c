// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <jccsafe/layout.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS_MAX 64u
#define IN        45u // in an innermost loop

static struct jcc_layout_item items[ITEMS_MAX];
static uint32_t count;

static void add(unsigned flags, uint32_t target)
{
    items[count++] = (struct jcc_layout_item){.length = 2, .long_length = 6, .flags = (uint16_t)flags, .target = target};
}

static void add_plain(void)
{
    add(0, JCC_LAYOUT_NO_TARGET);
}

static void add_branch(uint32_t target)
{
    add(JCC_ITEM_RELAX, target);
}

// What follows a jmp or ret.
static void add_dead(void)
{
    add(JCC_ITEM_DEAD, JCC_LAYOUT_NO_TARGET);
}

static void expect(const uint32_t *weights)
{
    uint32_t scratch[ITEMS_MAX + 1];

    memset(scratch, 0xee, sizeof scratch);
    jcc_layout_weights(items, count, scratch);
    for (uint32_t i = 0; i < count; i++)
        if (!(items[i].flags & JCC_ITEM_LOOP) && weights[i] != 1)
            fail_msg("item %u is in no loop", (unsigned)i);
    for (uint32_t i = 0; i < count; i++)
        if (weights[i] == IN && !(items[i].flags & JCC_ITEM_INNERMOST))
            fail_msg("item %u is in no innermost loop", (unsigned)i);
    for (uint32_t i = 0; i < count; i++)
        if (items[i].weight != weights[i])
            fail_msg("item %u weighs %u, not %u", (unsigned)i, (unsigned)items[i].weight, (unsigned)weights[i]);
}

static int start(void **state)
{
    (void)state;
    memset(items, 0xcc, sizeof items);
    count = 0;
    return 0;
}

static void straight_code_weighs_one(void **state)
{
    (void)state;
    add_plain();
    add_branch(2);
    add_plain();
    expect((uint32_t[]){1, 1, 1});
}

static void loop_weighs_more_from_its_second_item_to_its_last(void **state)
{
    (void)state;
    add_plain();
    add_plain(); // the head: what stands before it runs once
    add_plain();
    add_branch(1);
    add_plain(); // behind the loop: reached once
    expect((uint32_t[]){1, 1, IN, IN, 1});
}

static void loops_nest(void **state)
{
    (void)state;
    add_plain();
    add_plain();
    add_plain();
    add_plain();
    add_branch(2);
    add_plain();
    add_branch(1);
    add_plain();
    expect((uint32_t[]){1, 1, 2, IN, IN, 2, 2, 1});
}

static void branches_to_one_head_are_one_loop(void **state)
{
    (void)state;
    add_plain();
    add_plain();
    add_branch(0);
    add_plain();
    add_branch(0);
    expect((uint32_t[]){1, IN, IN, IN, IN});
}

static void loop_of_one_item_is_one(void **state)
{
    (void)state;
    add_plain();
    add(JCC_ITEM_SHORT_ONLY, 1);
    add_plain();
    expect((uint32_t[]){1, 1, 1});
}

static void weight_is_at_most_five(void **state)
{
    uint32_t weights[] = {1, 2, 3, 4, 5, 5, 5, IN, 5, 5, 5, 5, 4, 3, 2};

    (void)state;
    for (unsigned k = 0; k < 7; k++)
        add_plain();
    for (unsigned k = 7; k-- > 0;)
        add_branch(k);
    weights[11] = 4;
    weights[12] = 3;
    weights[13] = 2;
    expect(weights);
}

static void jump_back_from_a_block_that_the_loop_does_not_reach_closes_none(void **state)
{
    (void)state;
    add_branch(4); // to the block at the end
    add_plain();   // it comes back to here
    add_plain();
    add_plain(); // ret
    add_dead();
    add_branch(1);
    expect((uint32_t[]){1, 1, 1, 1, 1, 1});
}

static void jump_back_from_a_block_that_the_loop_reaches_closes_it(void **state)
{
    (void)state;
    add_plain();
    add_plain();
    add_branch(4); // to the block at the end
    add_plain();   // ret
    add_dead();
    add_branch(1);
    expect((uint32_t[]){1, 1, IN, IN, IN, IN});
}

static void jump_to_an_earlier_function_closes_no_loop(void **state)
{
    (void)state;
    add_plain();
    add_plain(); // ret
    add_dead();  // the next function
    add_branch(5);
    add_plain(); // ret
    add_dead();
    add_branch(0); // its last act
    expect((uint32_t[]){1, 1, 1, 1, 1, 1, 1});
}

static void loop_that_is_entered_at_its_test_is_one(void **state)
{
    (void)state;
    add_branch(3); // jmp to the test
    add_dead();    // the body, reached by the test alone
    add_plain();
    add_plain(); // the test
    add_branch(1);
    expect((uint32_t[]){1, 1, IN, IN, IN});
}

static void add_indirect(void)
{
    add(0, JCC_LAYOUT_NO_TARGET);
    items[count - 1].kind = JCC_KIND_INDIRECT;
}

static void indirect_jump_reaches_the_cases_of_its_loop(void **state)
{
    (void)state;
    add_plain();
    add_plain(); // the head
    add_indirect();
    add_dead(); // a case
    add_branch(1);
    add_dead(); // another
    add_branch(1);
    add_plain();
    expect((uint32_t[]){1, 1, IN, IN, IN, IN, IN, 1});
}

static void indirect_call_goes_on(void **state)
{
    (void)state;
    add_plain();
    add_plain();
    add_indirect(); // a call
    add_plain();    // ret
    add_dead();
    add_branch(1);
    expect((uint32_t[]){1, 1, 1, 1, 1, 1});
}

static void function_with_an_indirect_jump_is_no_loop_for_what_jumps_to_it(void **state)
{
    (void)state;
    add_plain(); // ret
    add_dead();  // the function
    add_indirect();
    add_dead(); // a case; ret
    add_dead(); // the next function
    add_branch(1);
    expect((uint32_t[]){1, 1, 1, 1, 1, 1});
}

static void weights_do_not_depend_on_the_jumps_lengths_or_what_was_there(void **state)
{
    (void)state;
    add_plain();
    add(JCC_ITEM_RELAX | JCC_ITEM_LONG, 0);
    items[1].weight = 77;
    expect((uint32_t[]){1, IN});
}

static void no_items_are_no_error(void **state)
{
    uint32_t scratch = 5;

    (void)state;
    jcc_layout_weights(NULL, 0, &scratch);
}

// Loops in loops in loops: looking at each loop's items for each would take minutes.
static void deep_nesting_stays_linear(void **state)
{
    const uint32_t depth = 500000;
    struct jcc_layout_item *many = calloc(2 * depth, sizeof *many);
    uint32_t *scratch = malloc((2 * depth + 1) * sizeof *scratch);

    (void)state;
    assert_non_null(many);
    assert_non_null(scratch);
    for (uint32_t i = 0; i < depth; i++) {
        many[i].target = JCC_LAYOUT_NO_TARGET;
        many[depth + i].flags = JCC_ITEM_RELAX;
        many[depth + i].target = depth - 1 - i;
    }
    jcc_layout_weights(many, 2 * depth, scratch);
    for (uint32_t i = 0; i < 2 * depth; i++)
        assert_true(many[i].weight >= 1 && (many[i].weight <= 5 || many[i].weight == IN));
    free(scratch);
    free(many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(straight_code_weighs_one, start),
        cmocka_unit_test_setup(loop_weighs_more_from_its_second_item_to_its_last, start),
        cmocka_unit_test_setup(loops_nest, start),
        cmocka_unit_test_setup(branches_to_one_head_are_one_loop, start),
        cmocka_unit_test_setup(loop_of_one_item_is_one, start),
        cmocka_unit_test_setup(weight_is_at_most_five, start),
        cmocka_unit_test_setup(jump_back_from_a_block_that_the_loop_does_not_reach_closes_none, start),
        cmocka_unit_test_setup(jump_back_from_a_block_that_the_loop_reaches_closes_it, start),
        cmocka_unit_test_setup(jump_to_an_earlier_function_closes_no_loop, start),
        cmocka_unit_test_setup(loop_that_is_entered_at_its_test_is_one, start),
        cmocka_unit_test_setup(indirect_jump_reaches_the_cases_of_its_loop, start),
        cmocka_unit_test_setup(indirect_call_goes_on, start),
        cmocka_unit_test_setup(function_with_an_indirect_jump_is_no_loop_for_what_jumps_to_it, start),
        cmocka_unit_test_setup(weights_do_not_depend_on_the_jumps_lengths_or_what_was_there, start),
        cmocka_unit_test_setup(no_items_are_no_error, start),
        cmocka_unit_test(deep_nesting_stays_linear),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
