// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <jccsafe/policy.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void presets_are_sound_and_say_what_they_mean(void **state)
{
    (void)state;
    struct jcc_policy off = jcc_policy_off(), clang = jcc_policy_clang(), full = jcc_policy_full();
    assert_int_equal(jcc_policy_check(&off), JCC_OK);
    assert_int_equal(jcc_policy_check(&clang), JCC_OK);
    assert_int_equal(jcc_policy_check(&full), JCC_OK);
    assert_int_equal(off.boundary, 0);
    assert_int_equal(clang.boundary, 32);
    assert_int_equal(full.boundary, 32);
    assert_int_equal(clang.kinds, 1u << JCC_KIND_JCC | 1u << JCC_KIND_FUSED | 1u << JCC_KIND_JMP);
    assert_int_equal(full.kinds, 0x7e);
    assert_int_equal(clang.prefix_limit, 5);
    assert_int_equal(full.prefix_limit, 5);
    assert_int_equal(full.size, sizeof full);
}

static void every_power_of_two_from_16_to_256_is_a_boundary_and_nothing_else(void **state)
{
    (void)state;
    struct jcc_policy policy = jcc_policy_full();
    for (uint32_t boundary = 0; boundary <= 1100; boundary++) {
        policy.boundary = boundary;
        int sound = boundary == 0 || boundary == 16 || boundary == 32 || boundary == 64 || boundary == 128 || boundary == 256;
        assert_int_equal(jcc_policy_check(&policy), sound ? JCC_OK : JCC_ERROR_POLICY);
    }
    static const uint32_t far[] = {1u << 16, 1u << 31, UINT32_MAX, 0u - 32u};
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
        policy.boundary = far[i];
        assert_int_equal(jcc_policy_check(&policy), JCC_ERROR_POLICY);
    }
}

static void an_unknown_kind_is_refused_and_an_empty_set_is_not(void **state)
{
    (void)state;
    struct jcc_policy policy = jcc_policy_full();
    for (unsigned bit = 0; bit < 32; bit++) {
        policy.kinds = 1u << bit;
        assert_int_equal(jcc_policy_check(&policy), bit >= 1 && bit <= 6 ? JCC_OK : JCC_ERROR_POLICY);
    }
    policy.kinds = 0;
    assert_int_equal(jcc_policy_check(&policy), JCC_OK);
}

static void a_prefix_limit_over_5_and_an_unknown_scope_are_refused(void **state)
{
    (void)state;
    struct jcc_policy policy = jcc_policy_full();
    for (policy.prefix_limit = 0; policy.prefix_limit <= 5; policy.prefix_limit++)
        assert_int_equal(jcc_policy_check(&policy), JCC_OK);
    assert_int_equal(jcc_policy_check(&policy), JCC_ERROR_POLICY);
    policy.prefix_limit = UINT32_MAX;
    assert_int_equal(jcc_policy_check(&policy), JCC_ERROR_POLICY);
    policy = jcc_policy_full();
    policy.scope = JCC_SCOPE_FUNCTIONS + 1;
    assert_int_equal(jcc_policy_check(&policy), JCC_ERROR_POLICY);
}

static void null_and_a_size_that_cannot_be_are_bad_arguments(void **state)
{
    (void)state;
    assert_int_equal(jcc_policy_check(NULL), JCC_ERROR_ARGUMENT);
    struct jcc_policy policy = jcc_policy_full();
    for (policy.size = 0; policy.size < sizeof policy; policy.size++)
        assert_int_equal(jcc_policy_check(&policy), JCC_ERROR_ARGUMENT);
    policy.size = SIZE_MAX;
    assert_int_equal(jcc_policy_check(&policy), JCC_ERROR_ARGUMENT);
    policy.size = JCC_POLICY_SIZE_MAX + 1;
    assert_int_equal(jcc_policy_check(&policy), JCC_ERROR_ARGUMENT);
}

// A caller built against a later header has a longer struct. What this version does not know must not
// be asked of it. Exactly as many bytes as stated are allocated, so that a sanitizer sees a read beyond.
static void a_longer_struct_is_taken_while_its_tail_is_zero(void **state)
{
    (void)state;
    for (size_t tail = 1; tail <= 24; tail++) {
        size_t size = sizeof(struct jcc_policy) + tail;
        unsigned char *bytes = calloc(1, size);
        assert_non_null(bytes);
        struct jcc_policy *policy = (struct jcc_policy *)bytes;
        *policy = jcc_policy_full();
        policy->size = size;
        assert_int_equal(jcc_policy_check(policy), JCC_OK);
        for (size_t i = sizeof(struct jcc_policy); i < size; i++) {
            bytes[i] = 0x80;
            assert_int_equal(jcc_policy_check(policy), JCC_ERROR_ARGUMENT);
            bytes[i] = 0;
        }
        free(bytes);
    }
}

static void a_preset_is_found_by_its_exact_name(void **state)
{
    (void)state;
    static const char *const none[] = {"", "of", "offf", "FULL", "full ", "default"};
    struct jcc_policy policy, off = jcc_policy_off(), clang = jcc_policy_clang(), full = jcc_policy_full();
    assert_int_equal(jcc_policy_named("off", &policy), JCC_OK);
    assert_memory_equal(&policy, &off, sizeof policy);
    assert_int_equal(jcc_policy_named("clang", &policy), JCC_OK);
    assert_memory_equal(&policy, &clang, sizeof policy);
    assert_int_equal(jcc_policy_named("full", &policy), JCC_OK);
    assert_memory_equal(&policy, &full, sizeof policy);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_int_equal(jcc_policy_named(none[i], &policy), JCC_ERROR_POLICY);
        assert_memory_equal(&policy, &full, sizeof policy);
    }
    assert_int_equal(jcc_policy_named(NULL, &policy), JCC_ERROR_ARGUMENT);
    assert_int_equal(jcc_policy_named("full", NULL), JCC_ERROR_ARGUMENT);
}

static void kinds_are_named_as_gnu_as_names_them(void **state)
{
    (void)state;
    static const char *const names[] = {"none", "jcc", "fused", "jmp", "call", "ret", "indirect"};
    for (int kind = 0; kind < JCC_KIND_COUNT; kind++)
        assert_string_equal(jcc_kind_name((enum jcc_kind)kind), names[kind]);
    assert_string_equal(jcc_kind_name(JCC_KIND_COUNT), "none");
    assert_string_equal(jcc_kind_name((enum jcc_kind) - 1), "none");
}

static void every_set_of_kinds_survives_being_written_and_parsed(void **state)
{
    (void)state;
    for (uint32_t set = 0; set <= JCC_KINDS_ALL; set += 2) {
        char list[64] = "";
        for (int kind = 1; kind < JCC_KIND_COUNT; kind++) {
            if ((set & JCC_KIND_BIT(kind)) == 0)
                continue;
            if (list[0] != '\0')
                strcat(list, "+");
            strcat(list, jcc_kind_name((enum jcc_kind)kind));
        }
        uint32_t parsed = UINT32_MAX;
        assert_int_equal(jcc_kinds_parse(list, &parsed), JCC_OK);
        assert_int_equal(parsed, set);
    }
}

static void kinds_may_come_in_any_order_and_twice(void **state)
{
    (void)state;
    uint32_t kinds = 0;
    assert_int_equal(jcc_kinds_parse("jmp+jcc+jmp+fused", &kinds), JCC_OK);
    assert_int_equal(kinds, JCC_KINDS_CLANG);
}

static void a_bad_list_of_kinds_changes_nothing(void **state)
{
    (void)state;
    static const char *const bad[] = {"+",    "jcc+",     "+jcc", "jcc++jmp", "none", "jcc+none",   "Jcc",
                                      "jccc", "jcc, jmp", "jc",   "jcc+jm",   " jcc", "jcc+fused ", "all"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint32_t kinds = 0x1234;
        assert_int_equal(jcc_kinds_parse(bad[i], &kinds), JCC_ERROR_POLICY);
        assert_int_equal(kinds, 0x1234);
    }
    uint32_t kinds = 0x1234;
    assert_int_equal(jcc_kinds_parse(NULL, &kinds), JCC_ERROR_ARGUMENT);
    assert_int_equal(kinds, 0x1234);
    assert_int_equal(jcc_kinds_parse("jcc", NULL), JCC_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_are_sound_and_say_what_they_mean),
        cmocka_unit_test(every_power_of_two_from_16_to_256_is_a_boundary_and_nothing_else),
        cmocka_unit_test(an_unknown_kind_is_refused_and_an_empty_set_is_not),
        cmocka_unit_test(a_prefix_limit_over_5_and_an_unknown_scope_are_refused),
        cmocka_unit_test(null_and_a_size_that_cannot_be_are_bad_arguments),
        cmocka_unit_test(a_longer_struct_is_taken_while_its_tail_is_zero),
        cmocka_unit_test(a_preset_is_found_by_its_exact_name),
        cmocka_unit_test(kinds_are_named_as_gnu_as_names_them),
        cmocka_unit_test(every_set_of_kinds_survives_being_written_and_parsed),
        cmocka_unit_test(kinds_may_come_in_any_order_and_twice),
        cmocka_unit_test(a_bad_list_of_kinds_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
