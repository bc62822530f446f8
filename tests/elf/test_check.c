// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "elf_test.h"

// Two jumps that end on a boundary, in sections of different alignment, and one that does not.
static const char crossing[] = "  .text\n"
                               "  .p2align 5\n"
                               "  .globl f\n"
                               "f: .nops 30\n"
                               "  jmp f\n"
                               "  ret\n"
                               "  .section .text.low, \"ax\", @progbits\n"
                               "  .p2align 4\n"
                               "g: .nops 30\n"
                               "  je g\n"
                               "  .section .text.none, \"ax\", @progbits\n"
                               "  nop\n";

struct seen {
    unsigned count;
    unsigned stop_after;
    char text[512];
};

static bool note(void *context, const struct jcc_elf_finding *finding)
{
    struct seen *seen = context;
    size_t used = strlen(seen->text);
    snprintf(seen->text + used, sizeof seen->text - used, "%s@%llx %s %s+%llx %s;", finding->code->name,
             (unsigned long long)finding->unit.address, jcc_kind_name((enum jcc_kind)finding->unit.kind),
             finding->place.symbol ? finding->place.symbol : "?", (unsigned long long)finding->place.offset,
             finding->unit.ends ? "ends" : "crosses");
    return ++seen->count != seen->stop_after;
}

static void findings_come_with_section_symbol_and_offset(void **state)
{
    (void)state;
    struct bytes object = assemble("", crossing);
    jcc_elf *elf = open_bytes(object);
    struct jcc_policy full = jcc_policy_full();
    struct seen seen = {0};
    struct jcc_elf_totals totals = {.size = sizeof totals};
    assert_int_equal(jcc_elf_check(elf, &full, note, &seen, &totals), JCC_OK);
    assert_string_equal(seen.text, ".text@1e jmp f+1e ends;.text.low@1e jcc g+1e ends;");
    assert_int_equal(totals.check.affected[JCC_KIND_JMP], 1);
    assert_int_equal(totals.check.affected[JCC_KIND_JCC], 1);
    assert_int_equal(totals.check.units[JCC_KIND_RET], 1);
    assert_int_equal(totals.code_runs, 3);
    assert_int_equal(totals.bytes, 33 + 32 + 1);
    jcc_elf_close(elf);
    free(object.data);
}

static void sections_that_hold_units_and_are_aligned_too_low_are_unanchored(void **state)
{
    (void)state;
    struct bytes object = assemble("", crossing);
    jcc_elf *elf = open_bytes(object);
    struct jcc_policy policy = jcc_policy_full();
    struct jcc_elf_totals totals = {.size = sizeof totals};
    assert_int_equal(jcc_elf_check(elf, &policy, NULL, NULL, &totals), JCC_OK);
    assert_int_equal(totals.unanchored, 1); // .text.low; .text.none holds no unit
    policy.kinds = JCC_KIND_BIT(JCC_KIND_JMP);
    assert_int_equal(jcc_elf_check(elf, &policy, NULL, NULL, &totals), JCC_OK);
    assert_int_equal(totals.unanchored, 0);
    policy.boundary = 64;
    assert_int_equal(jcc_elf_check(elf, &policy, NULL, NULL, &totals), JCC_OK);
    assert_int_equal(totals.unanchored, 1);
    jcc_elf_close(elf);
    free(object.data);
}

static void a_finding_that_says_stop_ends_the_check_of_all_code(void **state)
{
    (void)state;
    struct bytes object = assemble("", crossing);
    jcc_elf *elf = open_bytes(object);
    struct jcc_policy full = jcc_policy_full();
    struct seen seen = {.stop_after = 1};
    assert_int_equal(jcc_elf_check(elf, &full, note, &seen, NULL), JCC_OK);
    assert_int_equal(seen.count, 1);
    jcc_elf_close(elf);
    free(object.data);
}

static void arguments_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    struct bytes object = assemble("", crossing);
    jcc_elf *elf = open_bytes(object);
    struct jcc_policy full = jcc_policy_full(), odd = full;
    struct {
        struct jcc_elf_totals known;
        unsigned char later;
    } longer = {.known.size = sizeof longer};
    odd.boundary = 33;
    longer.later = 77;
    assert_int_equal(jcc_elf_check(NULL, &full, NULL, NULL, NULL), JCC_ERROR_ARGUMENT);
    assert_int_equal(jcc_elf_check(elf, NULL, NULL, NULL, NULL), JCC_ERROR_ARGUMENT);
    assert_int_equal(jcc_elf_check(elf, &odd, NULL, NULL, NULL), JCC_ERROR_POLICY);
    // Of a later version's totals the rest is left alone, and the size says so.
    assert_int_equal(jcc_elf_check(elf, &full, NULL, NULL, &longer.known), JCC_OK);
    assert_int_equal(longer.known.size, sizeof longer.known);
    assert_int_equal(longer.known.code_runs, 3);
    assert_int_equal(longer.later, 77);
    assert_int_equal(jcc_elf_check(NULL, &full, NULL, NULL, &longer.known), JCC_ERROR_ARGUMENT);
    assert_int_equal(longer.known.code_runs, 0);
    longer.known.size = sizeof longer.known - 1;
    assert_int_equal(jcc_elf_check(elf, &full, NULL, NULL, &longer.known), JCC_ERROR_ARGUMENT);
    jcc_elf_close(elf);
    free(object.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(findings_come_with_section_symbol_and_offset),
        cmocka_unit_test(sections_that_hold_units_and_are_aligned_too_low_are_unanchored),
        cmocka_unit_test(a_finding_that_says_stop_ends_the_check_of_all_code),
        cmocka_unit_test(arguments_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
