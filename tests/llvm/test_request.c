// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a request and a result must be like, and what comes back when they are not.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"

static jcc_assembler *assembler;

static int open_assembler(void **state)
{
    (void)state;
    return jcc_assembler_create(&assembler) != JCC_OK;
}

static int close_assembler(void **state)
{
    (void)state;
    jcc_assembler_destroy(assembler);
    return 0;
}

static enum jcc_status status_of(const struct jcc_assemble_request *request)
{
    struct jcc_assemble_result result = {.size = sizeof result};
    enum jcc_status status = jcc_assemble(assembler, request, &result);
    assert_true((status == JCC_OK) == (result.object != NULL));
    assert_true((status == JCC_OK) == (result.object_size != 0));
    jcc_assemble_result_free(&result);
    return status;
}

static void null_is_no_argument(void **state)
{
    (void)state;
    struct jcc_assemble_request request = rig_request("ret\n");
    struct jcc_assemble_result result = {.size = sizeof result};
    assert_int_equal(jcc_assembler_create(NULL), JCC_ERROR_ARGUMENT);
    assert_int_equal(jcc_assemble(NULL, &request, &result), JCC_ERROR_ARGUMENT);
    assert_int_equal(jcc_assemble(assembler, NULL, &result), JCC_ERROR_ARGUMENT);
    assert_int_equal(jcc_assemble(assembler, &request, NULL), JCC_ERROR_ARGUMENT);
    jcc_assembler_destroy(NULL);
    jcc_assemble_result_free(NULL);
    memset(&result, 0, sizeof result);
    jcc_assemble_result_free(&result);
    request.text = NULL;
    assert_int_equal(status_of(&request), JCC_ERROR_ARGUMENT);
    request.length = 0; // nothing is a source
    assert_int_equal(status_of(&request), JCC_OK);
    request = rig_request("ret\n");
    request.include_count = 1;
    assert_int_equal(status_of(&request), JCC_ERROR_ARGUMENT);
}

static void a_null_among_names_is_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"f", NULL};
    struct jcc_assemble_request request = rig_request("ret\n");
    request.include = names;
    request.include_count = 1;
    assert_int_equal(status_of(&request), JCC_OK);
    request.include_count = 2;
    assert_int_equal(status_of(&request), JCC_ERROR_ARGUMENT);
    request = rig_request("ret\n");
    request.functions = names;
    request.function_count = 2; // not read without the scope
    assert_int_equal(status_of(&request), JCC_OK);
    request.policy.scope = JCC_SCOPE_FUNCTIONS;
    assert_int_equal(status_of(&request), JCC_ERROR_ARGUMENT);
    request.function_count = 1;
    assert_int_equal(status_of(&request), JCC_OK);
    request.functions = NULL;
    assert_int_equal(status_of(&request), JCC_ERROR_ARGUMENT);
}

// Whatever stood in it before.
static void a_refused_call_leaves_an_empty_result(void **state)
{
    (void)state;
    struct jcc_assemble_request good = rig_request("ret\n"), bad = good;
    bad.target = (enum jcc_target)77;
    const struct {
        jcc_assembler *assembler;
        const struct jcc_assemble_request *request;
    } calls[] = {{NULL, &good}, {assembler, NULL}, {NULL, NULL}, {assembler, &bad}};
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        struct jcc_assemble_result result;
        memset(&result, 0xa5, sizeof result);
        result.size = sizeof result;
        assert_int_equal(jcc_assemble(calls[k].assembler, calls[k].request, &result), JCC_ERROR_ARGUMENT);
        assert_null(result.owner);
        assert_null(result.object);
        assert_null(result.diagnostics);
        assert_int_equal(result.diagnostic_count, 0);
        assert_int_equal(result.totals.units, 0);
        assert_int_equal(result.totals.llvm_passes, 0);
        jcc_assemble_result_free(&result);
    }
}

// A result of a later version: what this one knows is filled in, and size says how much that is.
static void a_longer_result_is_taken(void **state)
{
    (void)state;
    struct jcc_assemble_request request = rig_request("ret\n");
    struct {
        struct jcc_assemble_result result;
        uint64_t later;
    } longer = {.later = 77};
    longer.result.size = sizeof longer;
    assert_int_equal(jcc_assemble(assembler, &request, &longer.result), JCC_OK);
    assert_non_null(longer.result.object);
    assert_int_equal(longer.result.size, sizeof longer.result);
    assert_int_equal(longer.later, 77);
    jcc_assemble_result_free(&longer.result);
}

// A later version's request, with fields that this one does not know.
struct longer {
    struct jcc_assemble_request request;
    uint64_t later[4];
};

static void a_longer_request_is_taken_when_its_tail_is_zero(void **state)
{
    (void)state;
    struct longer longer = {.request = rig_request("ret\n")};
    longer.request.size = sizeof longer;
    assert_int_equal(status_of(&longer.request), JCC_OK);
    longer.later[3] = 1;
    assert_int_equal(status_of(&longer.request), JCC_ERROR_ARGUMENT);
    longer.later[3] = 0;
    longer.later[0] = (uint64_t)1 << 63;
    assert_int_equal(status_of(&longer.request), JCC_ERROR_ARGUMENT);
}

static void a_size_that_is_too_small_is_refused(void **state)
{
    (void)state;
    struct jcc_assemble_request request = rig_request("ret\n");
    static const size_t sizes[] = {0, 1, 8, sizeof request - 1};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        request.size = sizes[k];
        assert_int_equal(status_of(&request), JCC_ERROR_ARGUMENT);
    }
    request.size = sizeof request;
    struct jcc_assemble_result result = {.size = 0};
    assert_int_equal(jcc_assemble(assembler, &request, &result), JCC_ERROR_ARGUMENT);
    result.size = sizeof result - 1;
    assert_int_equal(jcc_assemble(assembler, &request, &result), JCC_ERROR_ARGUMENT);
}

static void unknown_values_are_refused(void **state)
{
    (void)state;
    const struct jcc_assemble_request good = rig_request("ret\n");
    struct jcc_assemble_request request = good;
    request.engine = (enum jcc_engine)3;
    assert_int_equal(status_of(&request), JCC_ERROR_ARGUMENT);
    request = good;
    request.target = (enum jcc_target)3;
    assert_int_equal(status_of(&request), JCC_ERROR_ARGUMENT);
    request = good;
    request.target = (enum jcc_target) - 1;
    assert_int_equal(status_of(&request), JCC_ERROR_ARGUMENT);
    request = good;
    request.verify = (enum jcc_verify)2;
    assert_int_equal(status_of(&request), JCC_ERROR_ARGUMENT);
    request = good;
    request.policy.boundary = 48;
    assert_int_equal(status_of(&request), JCC_ERROR_POLICY);
    request = good;
    request.policy.kinds = 1u << JCC_KIND_COUNT;
    assert_int_equal(status_of(&request), JCC_ERROR_POLICY);
    request = good;
    request.policy.size = 0;
    assert_int_equal(status_of(&request), JCC_ERROR_ARGUMENT);
}

static void a_source_over_a_gibibyte_is_over_the_limit(void **state)
{
    (void)state;
    struct jcc_assemble_request request = rig_request("ret\n");
    request.length = ((size_t)1 << 30) + 1; // refused before a byte is read
    assert_int_equal(status_of(&request), JCC_ERROR_LIMIT);
}

static void the_source_need_not_end_in_nul_or_newline(void **state)
{
    (void)state;
    struct jcc_assemble_request request = rig_request("f: jne f; ret # c garbage");
    request.length = strlen("f: jne f; ret");
    struct jcc_assemble_request other = rig_request("f: jne f\n ret\n");
    struct rig a = rig_assemble_request(&request), b = rig_assemble_request(&other);
    assert_int_equal(a.status, JCC_OK);
    assert_int_equal(rig_section(&a, ".text")->size, rig_section(&b, ".text")->size);
    rig_free(&a);
    rig_free(&b);
}

static void a_freed_result_can_be_used_again(void **state)
{
    (void)state;
    struct jcc_assemble_request request = rig_request("f: jne f\n ret\n");
    struct jcc_assemble_result result = {.size = sizeof result};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(jcc_assemble(assembler, &request, &result), JCC_OK);
        jcc_assemble_result_free(&result);
        assert_null(result.object);
        assert_int_equal(result.size, sizeof result);
    }
}

static void a_policy_that_pads_nothing_gives_the_plain_object(void **state)
{
    (void)state;
    struct jcc_assemble_request request = rig_request(".p2align 5\n.skip 30, 0x90\ncli\njmp g\n");
    request.policy.kinds = 0;
    struct jcc_assemble_request off = request;
    off.policy = jcc_policy_off();
    struct rig a = rig_assemble_request(&request), b = rig_assemble_request(&off);
    assert_int_equal(a.status, JCC_OK);
    assert_int_equal(a.result.object_size, b.result.object_size);
    assert_memory_equal(a.result.object, b.result.object, a.result.object_size);
    assert_int_equal(a.result.residual_count, 0);
    assert_int_equal(a.result.totals.llvm_passes, 1);
    rig_free(&a);
    rig_free(&b);
}

static void the_version_of_llvm_is_told(void **state)
{
    (void)state;
    unsigned major = 0, minor = 99, patch = 99;
    assert_int_equal(sscanf(jcc_llvm_version(), "%u.%u.%u", &major, &minor, &patch), 3);
    assert_true(major >= 14 && major <= 22);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_is_no_argument),
        cmocka_unit_test(a_null_among_names_is_refused),
        cmocka_unit_test(a_refused_call_leaves_an_empty_result),
        cmocka_unit_test(a_longer_result_is_taken),
        cmocka_unit_test(a_longer_request_is_taken_when_its_tail_is_zero),
        cmocka_unit_test(a_size_that_is_too_small_is_refused),
        cmocka_unit_test(unknown_values_are_refused),
        cmocka_unit_test(a_source_over_a_gibibyte_is_over_the_limit),
        cmocka_unit_test(the_source_need_not_end_in_nul_or_newline),
        cmocka_unit_test(a_freed_result_can_be_used_again),
        cmocka_unit_test(a_policy_that_pads_nothing_gives_the_plain_object),
        cmocka_unit_test(the_version_of_llvm_is_told),
    };
    return cmocka_run_group_tests(tests, open_assembler, close_assembler);
}
