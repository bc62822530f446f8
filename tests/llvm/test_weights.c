// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that run more often get their no-operations where control does not run.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "asm_rig.h"

// The call needs two bytes, executed where they stand before it, or four behind the ret, where the jump stays clear of the boundary.
#define CLD_9 "\tcld; cld; cld; cld; cld; cld; cld; cld; cld\n"
#define FUNCTION(SECTION, NAME)                                                                                                            \
    "\t.section .text." SECTION ",\"ax\"\n\t.p2align 5\n\t.type " NAME ", @function\n" NAME ":\n\tret\n" CLD_9 CLD_9 CLD_9                 \
    "\tjne 2f\n\tcall elsewhere\n2:\tret\n"
static const char source[] = FUNCTION("a", "cold") FUNCTION("b", "hot") FUNCTION("c", "\"other\"");

struct found {
    unsigned executed;
    unsigned dead;
};

static struct found pads_in(const struct rig *rig, const char *function)
{
    struct found found = {0};
    for (size_t k = 0; k < rig->result.pad_count; k++) {
        const struct jcc_pad *pad = &rig->result.pads[k];
        if (pad->function && !strcmp(pad->function, function)) {
            found.executed += pad->executed;
            found.dead += !pad->executed;
        }
    }
    return found;
}

static struct jcc_assemble_request request_of(const struct jcc_function_weight *weights, size_t count)
{
    struct jcc_assemble_request request = rig_request(source);
    request.policy.prefix_limit = 0;
    request.list_pads = true;
    request.function_weights = weights;
    request.function_weight_count = count;
    return request;
}

static void functions_weigh_one_unless_said_otherwise(void **state)
{
    (void)state;
    struct jcc_assemble_request request = request_of(NULL, 0);
    struct rig rig = rig_assemble_request(&request);
    assert_int_equal(rig.status, JCC_OK);
    assert_int_equal(rig.result.totals.affected, 0);
    assert_int_equal(pads_in(&rig, "cold").executed, 1);
    assert_int_equal(pads_in(&rig, "hot").executed, 1);
    rig_free(&rig);
}

static void hot_functions_have_no_executed_pad_where_bytes_elsewhere_do(void **state)
{
    (void)state;
    const struct jcc_function_weight weights[] = {{"other", 9}, {"missing", 3}, {"hot", 8}};
    struct jcc_assemble_request request = request_of(weights, 3);
    struct rig rig = rig_assemble_request(&request);
    assert_int_equal(rig.status, JCC_OK);
    assert_int_equal(rig.result.totals.affected, 0);
    assert_int_equal(pads_in(&rig, "cold").executed, 1);
    assert_int_equal(pads_in(&rig, "hot").executed, 0);
    assert_int_equal(pads_in(&rig, "hot").dead, 1);
    assert_int_equal(pads_in(&rig, "\"other\"").executed, 0);
    rig_free(&rig);
}

static void weight_of_zero_costs_bytes_alone(void **state)
{
    (void)state;
    const struct jcc_layout_prices prices = {1000, 1};
    const struct jcc_function_weight weights[] = {{"cold", 0}};
    struct jcc_assemble_request request = request_of(weights, 1);
    request.prices = &prices;
    struct rig rig = rig_assemble_request(&request);
    assert_int_equal(rig.status, JCC_OK);
    assert_int_equal(pads_in(&rig, "cold").executed, 1);
    assert_int_equal(pads_in(&rig, "hot").executed, 0);
    rig_free(&rig);
}

static void weights_that_are_none_are_bad_arguments(void **state)
{
    (void)state;
    const struct jcc_function_weight unnamed = {NULL, 1}, heavy = {"hot", JCC_FUNCTION_WEIGHT_MAX + 1};
    struct jcc_assemble_request request = request_of(NULL, 1);
    assert_int_equal(rig_assemble_request(&request).status, JCC_ERROR_ARGUMENT);
    request = request_of(&unnamed, 1);
    assert_int_equal(rig_assemble_request(&request).status, JCC_ERROR_ARGUMENT);
    request = request_of(&heavy, 1);
    assert_int_equal(rig_assemble_request(&request).status, JCC_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_weigh_one_unless_said_otherwise),
        cmocka_unit_test(hot_functions_have_no_executed_pad_where_bytes_elsewhere_do),
        cmocka_unit_test(weight_of_zero_costs_bytes_alone),
        cmocka_unit_test(weights_that_are_none_are_bad_arguments),
    };
    return RIG_RUN(tests);
}
