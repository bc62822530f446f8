// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What jcc_check finds: each kind at each offset, pairs under each policy, and how it goes on behind what is no code.
#define _GNU_SOURCE
#include "code.h"
#include <jccsafe/check.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define FINDINGS 64

struct seen {
    struct jcc_finding findings[FINDINGS];
    size_t count, stop_at;
};

static bool note(void *context, const struct jcc_finding *finding)
{
    struct seen *seen = context;
    assert_true(seen->count < FINDINGS);
    seen->findings[seen->count++] = *finding;
    return seen->count != seen->stop_at;
}

// Check HEX as if it stood at ADDRESS, under the full policy with KINDS.
static struct jcc_check_totals check(uint32_t kinds, uint64_t address, const char *hex, struct seen *seen)
{
    uint8_t code[256];
    size_t length = code_from_hex(hex, code, sizeof code);
    struct jcc_policy policy = jcc_policy_full();
    policy.kinds = kinds;
    struct jcc_check_totals totals = {0};
    memset(seen, 0, sizeof *seen);
    assert_int_equal(jcc_check(&policy, JCC_MODE_64, address, code, length, note, seen, &totals), JCC_OK);
    return totals;
}

static const struct {
    const char *hex;
    unsigned length;
    enum jcc_kind kind;
} units[] = {
    {"74 00", 2, JCC_KIND_JCC},
    {"0f 84 0 0 0 0", 6, JCC_KIND_JCC},
    {"2e 75 00", 3, JCC_KIND_JCC},
    {"39 c8 74 00", 4, JCC_KIND_FUSED},
    {"48 81 f8 0 0 0 0 0f 84 0 0 0 0", 13, JCC_KIND_FUSED},
    {"ff c0 74 00", 4, JCC_KIND_FUSED},
    {"eb 00", 2, JCC_KIND_JMP},
    {"e9 0 0 0 0", 5, JCC_KIND_JMP},
    {"e8 0 0 0 0", 5, JCC_KIND_CALL},
    {"67 67 e8 0 0 0 0", 7, JCC_KIND_CALL},
    {"c3", 1, JCC_KIND_RET},
    {"f3 c3", 2, JCC_KIND_RET},
    {"c2 08 00", 3, JCC_KIND_RET},
    {"ff e0", 2, JCC_KIND_INDIRECT},
    {"41 ff d3", 3, JCC_KIND_INDIRECT},
    {"ff 94 24 0 0 0 0", 7, JCC_KIND_INDIRECT},
};

#define PREFIXES_MAX 8u // in front of a unit here: up to 15 bytes for most of them

static void judge_at(uint64_t begin, const char *hex, unsigned length, enum jcc_kind unit)
{
    // The definition, from the glossary: [begin, end) with begin/32 != end/32.
    uint64_t end = begin + length;
    bool affected = begin / 32 != end / 32;
    struct seen seen;
    struct jcc_check_totals totals = check(JCC_KINDS_ALL, begin, hex, &seen);
    for (unsigned kind = 0; kind < JCC_KIND_COUNT; kind++) {
        code_equal(hex, "units", totals.units[kind], kind == unit);
        code_equal(hex, "affected", totals.affected[kind], kind == unit && affected);
    }
    code_equal(hex, "undecoded", totals.undecoded, 0);
    code_equal(hex, "findings", seen.count, affected);
    if (!affected)
        return;
    assert_int_equal(seen.findings[0].address, begin);
    assert_int_equal(seen.findings[0].length, length);
    assert_int_equal(seen.findings[0].kind, unit);
    assert_int_equal(seen.findings[0].ends, end % 32 == 0);
    assert_false(seen.findings[0].doubtful);
}

static void each_kind_of_each_length_is_affected_where_it_crosses_or_ends_on_a_boundary(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
        char hex[128] = "";
        for (unsigned prefixes = 0; prefixes <= PREFIXES_MAX; prefixes++) {
            for (uint64_t begin = 0x1000; begin < 0x1040; begin++) {
                snprintf(hex, sizeof hex, "%.*s%s", (int)(3 * prefixes), "2e 2e 2e 2e 2e 2e 2e 2e ", units[k].hex);
                judge_at(begin, hex, prefixes + units[k].length, units[k].kind);
            }
        }
    }
}

static void control_transfers_that_are_no_units_are_not_counted(void **state)
{
    (void)state;
    static const char *const others[] = {"e3 00",  "e2 00", "e1 00", "e0 00", "c7 f8 0 0 0 0", "cf",   "cb",
                                         "ca 0 0", "ff 28", "ff 18", "0f 05", "cd 80",         "0f 0b"};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        struct seen seen;
        struct jcc_check_totals totals = check(JCC_KINDS_ALL, 0x101f, others[k], &seen);
        assert_int_equal(totals.instructions, 1);
        assert_int_equal(seen.count, 0);
        for (unsigned kind = 0; kind < JCC_KIND_COUNT; kind++)
            code_equal(others[k], "units", totals.units[kind], 0);
    }
}

static void kinds_the_policy_does_not_name_are_counted_and_not_judged(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
        struct seen seen;
        uint32_t kinds = JCC_KINDS_ALL & ~JCC_KIND_BIT(units[k].kind);
        if (units[k].kind == JCC_KIND_FUSED)
            kinds &= ~JCC_KIND_BIT(JCC_KIND_JCC);
        struct jcc_check_totals totals = check(kinds, 0x101f, units[k].hex, &seen);
        code_equal(units[k].hex, "units", totals.units[units[k].kind], 1);
        code_equal(units[k].hex, "affected", totals.affected[units[k].kind], 0);
        code_equal(units[k].hex, "findings", seen.count, 0);
    }
}

#define JCC   JCC_KIND_BIT(JCC_KIND_JCC)
#define FUSED JCC_KIND_BIT(JCC_KIND_FUSED)

// cmp (3 bytes) and je (2 bytes): the pair straddles and je does not; je straddles.
#define PAIR           "48 39 c8 74 00"
#define PAIR_STRADDLES 0x101d
#define JUMP_STRADDLES 0x101c
// add to memory (2 bytes) and je (2 bytes)
#define DOUBTFUL              "01 00 74 00"
#define DOUBTFUL_STRADDLES    0x101f
#define DOUBTFUL_JUMP         0x101d
#define DOUBTFUL_IN_THE_CLEAR 0x1000

static void a_pair_is_judged_as_one_where_the_policy_names_fused(void **state)
{
    (void)state;
    const uint32_t naming[] = {FUSED, FUSED | JCC, JCC_KINDS_ALL};
    for (size_t k = 0; k < sizeof naming / sizeof naming[0]; k++) {
        struct seen seen;
        struct jcc_check_totals totals = check(naming[k], PAIR_STRADDLES, PAIR, &seen);
        assert_int_equal(totals.units[JCC_KIND_FUSED], 1);
        assert_int_equal(totals.affected[JCC_KIND_FUSED], 1);
        assert_int_equal(totals.units[JCC_KIND_JCC], 0);
        assert_int_equal(seen.count, 1);
        assert_int_equal(seen.findings[0].address, PAIR_STRADDLES);
        assert_int_equal(seen.findings[0].length, 5);
    }
}

static void a_pair_is_a_lone_jcc_where_the_policy_names_jcc_alone(void **state)
{
    (void)state;
    struct seen seen;
    struct jcc_check_totals totals = check(JCC, PAIR_STRADDLES, PAIR, &seen);
    assert_int_equal(totals.units[JCC_KIND_JCC], 1);
    assert_int_equal(totals.units[JCC_KIND_FUSED], 0);
    assert_int_equal(seen.count, 0);
    totals = check(JCC, JUMP_STRADDLES, PAIR, &seen);
    assert_int_equal(totals.affected[JCC_KIND_JCC], 1);
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.findings[0].address, JUMP_STRADDLES + 3);
    assert_int_equal(seen.findings[0].kind, JCC_KIND_JCC);
}

static void only_pairs_are_judged_where_the_policy_names_fused_alone(void **state)
{
    (void)state;
    struct seen seen;
    struct jcc_check_totals totals = check(FUSED, 0x101f, "74 00", &seen);
    assert_int_equal(totals.units[JCC_KIND_JCC], 1);
    assert_int_equal(seen.count, 0);
}

static void a_doubtful_pair_counts_as_a_jcc_and_its_own_straddling_apart(void **state)
{
    (void)state;
    static const struct {
        uint32_t kinds;
        uint64_t address;
        unsigned jcc, doubtful;
    } cases[] = {
        {JCC | FUSED, DOUBTFUL_STRADDLES, 0, 1},
        {JCC | FUSED, DOUBTFUL_JUMP, 1, 0},
        {JCC | FUSED, DOUBTFUL_IN_THE_CLEAR, 0, 0},
        {JCC, DOUBTFUL_STRADDLES, 0, 0},
        {JCC, DOUBTFUL_JUMP, 1, 0},
        {FUSED, DOUBTFUL_STRADDLES, 0, 1},
        {FUSED, DOUBTFUL_JUMP, 0, 1},
        {0, DOUBTFUL_STRADDLES, 0, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct seen seen;
        struct jcc_check_totals totals = check(cases[k].kinds, cases[k].address, DOUBTFUL, &seen);
        assert_int_equal(totals.units[JCC_KIND_JCC], 1);
        assert_int_equal(totals.units[JCC_KIND_FUSED], 0);
        assert_int_equal(totals.affected[JCC_KIND_JCC], cases[k].jcc);
        assert_int_equal(totals.affected[JCC_KIND_FUSED], 0);
        assert_int_equal(totals.doubtful, cases[k].doubtful);
        assert_int_equal(seen.count, cases[k].jcc + cases[k].doubtful);
        if (seen.count == 0)
            continue;
        assert_int_equal(seen.findings[0].doubtful, cases[k].doubtful);
        assert_int_equal(seen.findings[0].kind, cases[k].doubtful ? JCC_KIND_FUSED : JCC_KIND_JCC);
        assert_int_equal(seen.findings[0].address, cases[k].address + (cases[k].doubtful ? 0 : 2));
        assert_int_equal(seen.findings[0].length, cases[k].doubtful ? 4 : 2);
    }
}

static void only_neighbours_fuse(void **state)
{
    (void)state;
    static const struct {
        const char *hex;
        unsigned fused, jcc;
    } cases[] = {
        {"39 c8 74 00", 1, 0},       {"39 c8 90 74 00", 0, 1},                                      // a no-operation between
        {"39 c8 89 c8 74 00", 0, 1}, {"39 c8 74 00 75 00", 1, 1},                                   // a jump starts no pair
        {"39 c8 06 74 00", 0, 1},                                                                   // a byte that is no instruction between
        {"39 c8 78 00", 0, 1},                                                                      // cmp does not fuse with js
        {"85 c0 78 00", 1, 0},                                                                      // test does
        {"ff c8 72 00", 0, 1},                                                                      // dec does not fuse with jb
        {"39 c8 eb 00", 0, 0},                                                                      // nor anything with jmp
        {"39 c8 e3 00", 0, 0},                                                                      // nor with jrcxz
        {"39 c8 39 c8 74 00", 1, 0}, {"39 c8 2e 74 00", 1, 0},    {"48 3b 05 0 0 0 0 74 00", 0, 1}, // rip-relative
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct seen seen;
        struct jcc_check_totals totals = check(JCC_KINDS_ALL, 0x1000, cases[k].hex, &seen);
        code_equal(cases[k].hex, "fused", totals.units[JCC_KIND_FUSED], cases[k].fused);
        code_equal(cases[k].hex, "jcc", totals.units[JCC_KIND_JCC], cases[k].jcc);
    }
}

static void decoding_goes_on_at_the_next_byte_behind_what_is_no_instruction(void **state)
{
    (void)state;
    struct seen seen;
    // 06 and 0e are none in 64-bit code; the last e8 lacks its operand, the three bytes behind it decode.
    struct jcc_check_totals totals = check(JCC_KINDS_ALL, 0x1000, "06 c3 0e 0e c3 e8 90 90 90", &seen);
    assert_int_equal(totals.instructions, 5);
    assert_int_equal(totals.undecoded, 4);
    assert_int_equal(totals.units[JCC_KIND_RET], 2);
    assert_int_equal(totals.units[JCC_KIND_CALL], 0);
}

static void findings_come_in_order_and_stop_when_asked(void **state)
{
    (void)state;
    struct jcc_policy policy = jcc_policy_full();
    uint8_t code[512];
    for (size_t at = 0; at < sizeof code; at += 2)
        memcpy(code + at, "\xeb\x00", 2);
    struct seen seen = {0};
    struct jcc_check_totals totals = {0};
    assert_int_equal(jcc_check(&policy, JCC_MODE_64, 0x2000, code, sizeof code, note, &seen, &totals), JCC_OK);
    assert_int_equal(seen.count, sizeof code / 32);
    for (size_t k = 0; k < seen.count; k++)
        assert_int_equal(seen.findings[k].address, 0x2000 + 32 * k + 30);
    seen = (struct seen){.stop_at = 3};
    assert_int_equal(jcc_check(&policy, JCC_MODE_64, 0x2000, code, sizeof code, note, &seen, &totals), JCC_OK);
    assert_int_equal(seen.count, 3);
}

static void totals_are_added_to_and_may_be_left_out(void **state)
{
    (void)state;
    struct jcc_policy policy = jcc_policy_full();
    const uint8_t ret = 0xc3;
    struct jcc_check_totals totals = {0};
    for (unsigned k = 1; k <= 3; k++) {
        assert_int_equal(jcc_check(&policy, JCC_MODE_64, 0x1f, &ret, 1, NULL, NULL, &totals), JCC_OK);
        assert_int_equal(totals.instructions, k);
        assert_int_equal(totals.affected[JCC_KIND_RET], k);
    }
    assert_int_equal(jcc_check(&policy, JCC_MODE_64, 0x1f, &ret, 1, NULL, NULL, NULL), JCC_OK);
    assert_int_equal(jcc_check(&policy, JCC_MODE_64, 0x1f, NULL, 0, NULL, NULL, &totals), JCC_OK);
    assert_int_equal(totals.instructions, 3);
}

static void other_boundaries_are_honoured_and_off_judges_nothing(void **state)
{
    (void)state;
    const uint8_t jump[] = {0xe9, 0, 0, 0, 0};
    for (uint32_t boundary = JCC_BOUNDARY_MIN; boundary <= JCC_BOUNDARY_MAX; boundary *= 2) {
        struct jcc_policy policy = jcc_policy_full();
        policy.boundary = boundary;
        for (uint64_t begin = 0; begin < 2 * JCC_BOUNDARY_MAX; begin++) {
            struct jcc_check_totals totals = {0};
            assert_int_equal(jcc_check(&policy, JCC_MODE_64, begin, jump, sizeof jump, NULL, NULL, &totals), JCC_OK);
            assert_int_equal(totals.affected[JCC_KIND_JMP], begin / boundary != (begin + sizeof jump) / boundary);
        }
    }
    struct jcc_policy off = jcc_policy_off();
    struct jcc_check_totals totals = {0};
    assert_int_equal(jcc_check(&off, JCC_MODE_64, 0x1f, jump, sizeof jump, NULL, NULL, &totals), JCC_OK);
    assert_int_equal(totals.units[JCC_KIND_JMP], 1);
    assert_int_equal(totals.affected[JCC_KIND_JMP], 0);
}

static void bad_arguments_have_a_status_and_count_nothing(void **state)
{
    (void)state;
    struct jcc_policy policy = jcc_policy_full(), unsound = jcc_policy_full();
    unsound.boundary = 33;
    const uint8_t ret = 0xc3;
    struct jcc_check_totals totals = {0}, zero = {0};
    assert_int_equal(jcc_check(NULL, JCC_MODE_64, 0, &ret, 1, NULL, NULL, &totals), JCC_ERROR_ARGUMENT);
    assert_int_equal(jcc_check(&unsound, JCC_MODE_64, 0, &ret, 1, NULL, NULL, &totals), JCC_ERROR_POLICY);
    assert_int_equal(jcc_check(&policy, (enum jcc_mode)3, 0, &ret, 1, NULL, NULL, &totals), JCC_ERROR_ARGUMENT);
    assert_int_equal(jcc_check(&policy, JCC_MODE_64, 0, NULL, 1, NULL, NULL, &totals), JCC_ERROR_ARGUMENT);
    assert_memory_equal(&totals, &zero, sizeof totals);
}

static void nothing_behind_the_code_is_read(void **state)
{
    (void)state;
    struct code_guard guard = code_guard_open();
    uint8_t code[40];
    struct jcc_policy policy = jcc_policy_full();
    for (unsigned first = 0; first < 256; first++) {
        for (size_t length = 0; length <= sizeof code; length++) {
            memset(code, (int)first, sizeof code);
            for (unsigned mode = 0; mode <= JCC_MODE_16; mode++) {
                struct jcc_check_totals totals = {0};
                assert_int_equal(
                    jcc_check(&policy, (enum jcc_mode)mode, 0, code_guard_place(&guard, code, length), length, NULL, NULL, &totals),
                    JCC_OK);
                assert_true(totals.instructions + totals.undecoded <= length);
            }
        }
    }
    code_guard_close(&guard);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_of_each_length_is_affected_where_it_crosses_or_ends_on_a_boundary),
        cmocka_unit_test(control_transfers_that_are_no_units_are_not_counted),
        cmocka_unit_test(kinds_the_policy_does_not_name_are_counted_and_not_judged),
        cmocka_unit_test(a_pair_is_judged_as_one_where_the_policy_names_fused),
        cmocka_unit_test(a_pair_is_a_lone_jcc_where_the_policy_names_jcc_alone),
        cmocka_unit_test(only_pairs_are_judged_where_the_policy_names_fused_alone),
        cmocka_unit_test(a_doubtful_pair_counts_as_a_jcc_and_its_own_straddling_apart),
        cmocka_unit_test(only_neighbours_fuse),
        cmocka_unit_test(decoding_goes_on_at_the_next_byte_behind_what_is_no_instruction),
        cmocka_unit_test(findings_come_in_order_and_stop_when_asked),
        cmocka_unit_test(totals_are_added_to_and_may_be_left_out),
        cmocka_unit_test(other_boundaries_are_honoured_and_off_judges_nothing),
        cmocka_unit_test(bad_arguments_have_a_status_and_count_nothing),
        cmocka_unit_test(nothing_behind_the_code_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
