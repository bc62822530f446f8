// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When is a unit affected, and how much padding helps: every length at every offset, held against the
// definition written out once more here; then every branch kind in real bytes through jcc_check.
#include <jccsafe/check.h>
#include <jccsafe/padding.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// Bases that the offsets are added to: the low end, one that only fits 64 bits, and the last lines of the address space.
static const uint64_t bases[] = {0, 0x7fffffffff00, 0xfffffffffffffc00};
#define BASES (sizeof bases / sizeof bases[0])

static const uint32_t boundaries[] = {16, 32, 64, 128, 256};
#define BOUNDARIES (sizeof boundaries / sizeof boundaries[0])

// The definition: [begin, end) is affected when begin / boundary != end / boundary. By division, and
// without the sum that could wrap at the end of the address space.
static bool affected_by_definition(uint32_t boundary, uint64_t begin, uint32_t length)
{
    uint64_t line_of_begin = begin / boundary;
    uint64_t left_in_line = boundary - (begin - line_of_begin * boundary);
    return length >= left_in_line;
}

// The same by walking over the bytes: some byte is the first of a line although it is not the first
// of the unit (crosses), or the first byte behind the unit is (ends on).
static bool crosses_by_walk(uint32_t boundary, uint64_t begin, uint32_t length)
{
    for (uint32_t i = 1; i < length; i++) {
        if ((begin + i) % boundary == 0)
            return true;
    }
    return false;
}

static bool ends_by_walk(uint32_t boundary, uint64_t begin, uint32_t length)
{
    return (begin + length) % boundary == 0;
}

static void a_unit_is_affected_when_it_crosses_or_ends_on_a_boundary(void **state)
{
    (void)state;
    for (size_t b = 0; b < BOUNDARIES; b++) {
        for (size_t base = 0; base < BASES; base++) {
            for (uint64_t offset = 0; offset < 2 * boundaries[b]; offset++) {
                for (uint32_t length = 1; length <= 2 * boundaries[b] + 1; length++) {
                    uint64_t begin = bases[base] + offset;
                    bool affected = jcc_affected(boundaries[b], begin, length);
                    assert_int_equal(affected, affected_by_definition(boundaries[b], begin, length));
                    assert_int_equal(affected, crosses_by_walk(boundaries[b], begin, length) || ends_by_walk(boundaries[b], begin, length));
                }
            }
        }
    }
}

static void ending_on_a_boundary_counts_and_beginning_on_one_does_not(void **state)
{
    (void)state;
    assert_true(jcc_affected(32, 30, 2));  // its last byte is the line's last
    assert_true(jcc_affected(32, 31, 2));  // crosses
    assert_true(jcc_affected(32, 31, 1));  // a one-byte ret at the end of a line
    assert_false(jcc_affected(32, 29, 2)); // one byte is left behind it
    assert_false(jcc_affected(32, 32, 2)); // begins on it
    assert_false(jcc_affected(32, 0, 31));
    assert_true(jcc_affected(32, 0, 32));
}

// Padding has to help with the fewest bytes that do, none when none is needed.
static void assert_padding_is_minimal(const struct jcc_policy *policy, uint64_t address, uint32_t length)
{
    uint32_t pad = jcc_padding(policy, address, length);
    assert_true(pad < policy->boundary);
    assert_false(affected_by_definition(policy->boundary, address + pad, length));
    for (uint32_t less = 0; less < pad; less++)
        assert_true(affected_by_definition(policy->boundary, address + less, length));
}

static void padding_is_the_least_that_helps(void **state)
{
    (void)state;
    struct jcc_policy policy = jcc_policy_full();
    for (size_t b = 0; b < BOUNDARIES; b++) {
        policy.boundary = boundaries[b];
        for (size_t base = 0; base < BASES; base++) {
            for (uint64_t offset = 0; offset < 64; offset++) {
                for (uint32_t length = 1; length < boundaries[b]; length++)
                    assert_padding_is_minimal(&policy, bases[base] + offset, length);
            }
        }
    }
}

static void a_unit_that_fits_nowhere_gets_no_padding(void **state)
{
    (void)state;
    static const uint32_t more[] = {0, 1, 30, 1000, UINT32_MAX - 256};
    struct jcc_policy policy = jcc_policy_full();
    for (size_t b = 0; b < BOUNDARIES; b++) {
        policy.boundary = boundaries[b];
        for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
            for (uint64_t offset = 0; offset < 64; offset++)
                assert_int_equal(jcc_padding(&policy, offset, policy.boundary + more[i]), 0);
        }
    }
}

static void off_pads_nothing(void **state)
{
    (void)state;
    static const uint64_t addresses[] = {0, 1, 31, 32, UINT32_MAX, UINT64_MAX};
    struct jcc_policy off = jcc_policy_off();
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
        for (uint32_t length = 0; length < 300; length++)
            assert_int_equal(jcc_padding(&off, addresses[i], length), 0);
        assert_int_equal(jcc_padding(&off, addresses[i], UINT32_MAX), 0);
    }
}

// ---- every kind in real bytes

#define UNIT_MAX 24

struct unit {
    const char *text;
    enum jcc_kind kind;
    uint8_t length;
    uint8_t jump; // FUSED: how many of length are the jump; else 0
    uint8_t bytes[UNIT_MAX];
};

// Each kind in each of its lengths that compilers write, and in ones that prefixes make.
static const struct unit units[] = {
    {"je rel8", JCC_KIND_JCC, 2, 0, {0x74, 0x00}},
    {"cs jg rel8", JCC_KIND_JCC, 3, 0, {0x2e, 0x7f, 0x00}},
    {"jo rel32", JCC_KIND_JCC, 6, 0, {0x0f, 0x80}},
    {"ds jg rel32", JCC_KIND_JCC, 7, 0, {0x3e, 0x0f, 0x8f}},
    {"jmp rel8", JCC_KIND_JMP, 2, 0, {0xeb, 0x00}},
    {"jmp rel32", JCC_KIND_JMP, 5, 0, {0xe9}},
    {"bnd jmp rel32", JCC_KIND_JMP, 6, 0, {0xf2, 0xe9}},
    {"call rel32", JCC_KIND_CALL, 5, 0, {0xe8}},
    {"rex.W call rel32", JCC_KIND_CALL, 6, 0, {0x48, 0xe8}},
    {"ret", JCC_KIND_RET, 1, 0, {0xc3}},
    {"rep ret", JCC_KIND_RET, 2, 0, {0xf3, 0xc3}},
    {"ret imm16", JCC_KIND_RET, 3, 0, {0xc2, 0x08, 0x00}},
    {"call *%rax", JCC_KIND_INDIRECT, 2, 0, {0xff, 0xd0}},
    {"jmp *%r11", JCC_KIND_INDIRECT, 3, 0, {0x41, 0xff, 0xe3}},
    {"notrack jmp *%rax", JCC_KIND_INDIRECT, 3, 0, {0x3e, 0xff, 0xe0}},
    {"call *disp32(%rip)", JCC_KIND_INDIRECT, 6, 0, {0xff, 0x15}},
    {"jmp *disp32(,%rax,8)", JCC_KIND_INDIRECT, 7, 0, {0xff, 0x24, 0xc5}},
    {"call *%gs:disp32(%r12,%r9,8)", JCC_KIND_INDIRECT, 9, 0, {0x65, 0x43, 0xff, 0x94, 0xcc}},
    {"test %eax,%eax; js rel8", JCC_KIND_FUSED, 4, 2, {0x85, 0xc0, 0x78, 0x00}},
    {"cmp %rax,%rbx; ja rel8", JCC_KIND_FUSED, 5, 2, {0x48, 0x39, 0xc3, 0x77, 0x00}},
    {"dec %ecx; jne rel8", JCC_KIND_FUSED, 4, 2, {0xff, 0xc9, 0x75, 0x00}},
    {"cmp $imm8,%al; je rel8", JCC_KIND_FUSED, 4, 2, {0x3c, 0x07, 0x74, 0x00}},
    {"and $imm8,%edx; jp rel8", JCC_KIND_FUSED, 5, 2, {0x83, 0xe2, 0x0f, 0x7a, 0x00}},
    {"sub $imm32,%rax; jl rel32", JCC_KIND_FUSED, 12, 6, {0x48, 0x2d, 1, 0, 0, 0, 0x0f, 0x8c}},
    {"cmp disp32(%r12,%r9,8),%r8; jbe rel32", JCC_KIND_FUSED, 14, 6, {0x4f, 0x3b, 0x84, 0xcc, 0, 0, 0, 0, 0x0f, 0x86}},
    {"add $imm32,%r15; jae rel32", JCC_KIND_FUSED, 13, 6, {0x49, 0x81, 0xc7, 1, 0, 0, 0, 0x0f, 0x83}},
};
#define UNITS (sizeof units / sizeof units[0])

struct seen {
    struct jcc_finding finding;
    unsigned count;
};

static bool remember(void *context, const struct jcc_finding *finding)
{
    struct seen *seen = context;
    seen->finding = *finding;
    seen->count++;
    return true;
}

// OFFSET bytes of no-operation, the unit, a no-operation.
static size_t write_code(uint8_t *code, uint64_t offset, const struct unit *unit)
{
    jcc_nops(JCC_MODE_64, code, (size_t)offset);
    memcpy(code + offset, unit->bytes, unit->length);
    code[offset + unit->length] = 0x90;
    return (size_t)offset + unit->length + 1;
}

// What is to be seen at OFFSET: the unit itself, or of a pair the jump alone, where the policy names lone jumps and no pairs.
static struct jcc_finding expected_unit(const struct jcc_policy *policy, const struct unit *unit, uint64_t address)
{
    struct jcc_finding expected = {.address = address, .length = (uint8_t)unit->length, .kind = (uint8_t)unit->kind};
    uint32_t both = policy->kinds & (JCC_KIND_BIT(JCC_KIND_JCC) | JCC_KIND_BIT(JCC_KIND_FUSED));
    if (unit->kind == JCC_KIND_FUSED && policy->boundary != 0 && both == JCC_KIND_BIT(JCC_KIND_JCC)) {
        expected.kind = JCC_KIND_JCC;
        expected.length = unit->jump;
        expected.address += unit->length - unit->jump;
    }
    expected.ends = policy->boundary != 0 && ends_by_walk(policy->boundary, expected.address, expected.length);
    return expected;
}

static void assert_found_as_defined(const struct jcc_policy *policy, const struct unit *unit, uint64_t base, uint64_t offset)
{
    uint8_t code[256 + UNIT_MAX + 1];
    size_t length = write_code(code, offset, unit);
    struct seen seen = {.count = 0};
    struct jcc_check_totals totals;
    memset(&totals, 0, sizeof totals);
    assert_int_equal(jcc_check(policy, JCC_MODE_64, base, code, length, remember, &seen, &totals), JCC_OK);

    struct jcc_finding expected = expected_unit(policy, unit, base + offset);
    bool named = (policy->kinds & JCC_KIND_BIT(expected.kind)) != 0;
    bool affected = policy->boundary != 0 && named && affected_by_definition(policy->boundary, expected.address, expected.length);
    if (seen.count != affected)
        print_error("%s at offset %u\n", unit->text, (unsigned)offset);
    assert_int_equal(seen.count, affected);
    assert_int_equal(totals.units[expected.kind], 1);
    assert_int_equal(totals.affected[expected.kind], affected);
    assert_int_equal(totals.undecoded, 0);
    if (!affected)
        return;
    assert_int_equal(seen.finding.address, expected.address);
    assert_int_equal(seen.finding.length, expected.length);
    assert_int_equal(seen.finding.kind, expected.kind);
    assert_int_equal(seen.finding.ends, expected.ends);
    assert_false(seen.finding.doubtful);
}

static void every_kind_is_found_at_the_offsets_that_the_definition_says(void **state)
{
    (void)state;
    struct jcc_policy policy = jcc_policy_full();
    for (size_t b = 0; b < BOUNDARIES; b++) {
        policy.boundary = boundaries[b];
        for (size_t u = 0; u < UNITS; u++) {
            for (uint64_t offset = 0; offset < 64; offset++) {
                assert_found_as_defined(&policy, &units[u], 0, offset);
                assert_found_as_defined(&policy, &units[u], 0x401000, offset);
                assert_found_as_defined(&policy, &units[u], 0x401007, offset);
            }
        }
    }
}

static void a_kind_that_the_policy_does_not_name_is_counted_and_not_judged(void **state)
{
    (void)state;
    struct jcc_policy policy = jcc_policy_full();
    for (size_t u = 0; u < UNITS; u++) {
        for (uint64_t offset = 0; offset < 64; offset++) {
            policy.kinds = JCC_KINDS_ALL & ~JCC_KIND_BIT(units[u].kind);
            assert_found_as_defined(&policy, &units[u], 0, offset);
            policy.kinds = JCC_KIND_BIT(units[u].kind);
            assert_found_as_defined(&policy, &units[u], 0, offset);
        }
    }
}

static void without_pairs_in_the_policy_their_jump_is_judged_alone(void **state)
{
    (void)state;
    struct jcc_policy policy = jcc_policy_full();
    policy.kinds = JCC_KIND_BIT(JCC_KIND_JCC);
    struct jcc_finding jump = expected_unit(&policy, &units[UNITS - 1], 20);
    assert_int_equal(jump.kind, JCC_KIND_JCC);
    assert_int_equal(jump.address, 27);
    assert_int_equal(jump.length, 6);
    for (size_t u = 0; u < UNITS; u++) {
        for (uint64_t offset = 0; offset < 64; offset++)
            assert_found_as_defined(&policy, &units[u], 0, offset);
    }
}

static void a_policy_that_is_off_finds_nothing(void **state)
{
    (void)state;
    struct jcc_policy policy = jcc_policy_off();
    policy.kinds = JCC_KINDS_ALL;
    for (size_t u = 0; u < UNITS; u++) {
        for (uint64_t offset = 0; offset < 64; offset++)
            assert_found_as_defined(&policy, &units[u], 0, offset);
    }
}

static void every_kind_is_clean_behind_the_padding_that_is_asked_for(void **state)
{
    (void)state;
    struct jcc_policy policy = jcc_policy_full();
    for (size_t b = 0; b < BOUNDARIES; b++) {
        policy.boundary = boundaries[b];
        for (size_t u = 0; u < UNITS; u++) {
            for (uint64_t offset = 0; offset < 64; offset++) {
                uint8_t code[512];
                struct seen seen = {.count = 0};
                uint64_t padded = offset + jcc_padding(&policy, offset, units[u].length);
                size_t length = write_code(code, padded, &units[u]);
                assert_int_equal(jcc_check(&policy, JCC_MODE_64, 0, code, length, remember, &seen, NULL), JCC_OK);
                assert_int_equal(seen.count, 0);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_unit_is_affected_when_it_crosses_or_ends_on_a_boundary),
        cmocka_unit_test(ending_on_a_boundary_counts_and_beginning_on_one_does_not),
        cmocka_unit_test(padding_is_the_least_that_helps),
        cmocka_unit_test(a_unit_that_fits_nowhere_gets_no_padding),
        cmocka_unit_test(off_pads_nothing),
        cmocka_unit_test(every_kind_is_found_at_the_offsets_that_the_definition_says),
        cmocka_unit_test(a_kind_that_the_policy_does_not_name_is_counted_and_not_judged),
        cmocka_unit_test(without_pairs_in_the_policy_their_jump_is_judged_alone),
        cmocka_unit_test(a_policy_that_is_off_finds_nothing),
        cmocka_unit_test(every_kind_is_clean_behind_the_padding_that_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
