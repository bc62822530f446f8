// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands of directives that decide sizes, as LLVM reads them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"
#include "operands.h"

static bool read_alignment(const char *text, uint64_t *align, uint64_t *fill, bool *has_fill, uint64_t *skip)
{
    struct jcc_scan scan;
    assert_int_equal(jcc_scan_text(&scan, text, strlen(text)), JCC_OK);
    assert_int_equal(scan.count, 1);
    bool read = jcc_operands_alignment(&scan, &scan.statements[0], align, fill, has_fill, skip);
    jcc_scan_free(&scan);
    return read;
}

static void assert_alignment(const char *text, uint64_t want_align, int64_t want_fill, uint64_t want_skip)
{
    uint64_t align = 99, fill = 99, skip = 99;
    bool has_fill = false;
    if (!read_alignment(text, &align, &fill, &has_fill, &skip))
        fail_msg("not read: %s", text);
    if (align != want_align || has_fill != (want_fill >= 0) || (has_fill && fill != (uint64_t)want_fill) || skip != want_skip)
        fail_msg("%s: align %u, fill %d %u, skip %u", text, (unsigned)align, has_fill, (unsigned)fill, (unsigned)skip);
}

static void alignments_are_read_with_fill_and_bound(void **state)
{
    (void)state;
    assert_alignment(".p2align 4", 16, -1, 0);
    assert_alignment(".p2align 4, 0x90", 16, 0x90, 0);
    assert_alignment(".p2align 4,,10", 16, -1, 10);
    assert_alignment(".p2align 4 , , 10 ", 16, -1, 10);
    assert_alignment(".p2align 3, 0, 7", 8, 0, 7);
    assert_alignment(".balign 32", 32, -1, 0);
    assert_alignment(".align 16", 16, -1, 0);
    assert_alignment(".P2ALIGN 5", 32, -1, 0);
    assert_alignment(".balign 0", 1, -1, 0);
    assert_alignment(".p2align 0", 1, -1, 0);
}

static void sizes_may_be_constant_expressions(void **state)
{
    (void)state;
    assert_alignment(".align 1<<4", 16, -1, 0);
    assert_alignment(".align (1 << 6)", 64, -1, 0);
    assert_alignment(".p2align 4,, (2 * (3 + 0) + (1) + 1)", 16, -1, 8);
    assert_alignment(".p2align 4,, 4 * 0 + (2 * (3) + (1) + 1)", 16, -1, 8);
    assert_alignment(".balign 8 + 16 / 2", 16, -1, 0);
    assert_alignment(".balign -(-16)", 16, -1, 0);
    assert_alignment(".balign ~(-17)", 16, -1, 0);
    assert_alignment(".balign 7 % 4 + 1", 4, -1, 0);
    assert_alignment(".balign 0x10|020", 16, -1, 0);
}

static void what_is_no_constant_is_not_read(void **state)
{
    (void)state;
    static const char *const list[] = {".balign N",     ".balign 1b-2b",  ".balign 12",      ".p2align 31",   ".balign 1 << 31",
                                       ".balignl 8, 0", ".p2alignw 3, 0", ".balign (8",      ".balign 8)",    ".balign 8 +",
                                       ".balign",       ".balign 8/0",    ".balign 1 << 64", ".balign -8",    ".balign 8 8",
                                       ".balign 16, x", ".balign 16,,y",  ".balign 0b1_0",   ".p2align 4,,0", ".p2align 4,",
                                       ".p2align 4,,",  ".p2align 4,,3,1"};
    uint64_t align, fill, skip;
    bool has_fill;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if (read_alignment(list[k], &align, &fill, &has_fill, &skip))
            fail_msg("read: %s", list[k]);
    char deep[1024] = ".balign ";
    memset(deep + 8, '(', 1000);
    assert_false(read_alignment(deep, &align, &fill, &has_fill, &skip));
}

// LLVM's own answer: each must be followed to the end, and come out where LLVM puts it.
static void llvm_agrees_on_the_rank_of_operators(void **state)
{
    (void)state;
    static const char *const list[] = {"2 + 3 * 2 * 5", "1 << 2 + 12", "2 | 4 + 10", "24 & 16 + 0",     "1 << 2 << 2",
                                       "64 / 2 / 2",    "3 ^ 19 + 0",  "20 - 2 - 2", "33 - 1 & 31 - 0", "2 * 3 | 16 & 8 + 16"};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        struct jcc_text text = {0};
        jcc_text_format(&text, "nop\n.balign %s\na: ret\n.p2align 5\n", list[k]);
        struct rig rig = rig_plain(text.data);
        uint64_t align = 0, fill, skip, place = rig_symbol(&rig, "a");
        bool has_fill;
        jcc_text_free(&text);
        jcc_text_format(&text, ".balign %s", list[k]);
        bool read = read_alignment(text.data, &align, &fill, &has_fill, &skip);
        if (!read || align != place)
            fail_msg("%s: %u, LLVM says %u", list[k], (unsigned)align, (unsigned)place);
        jcc_text_free(&text);
        rig_free(&rig);
    }
}

static unsigned count(const char *text)
{
    struct jcc_scan scan;
    assert_int_equal(jcc_scan_text(&scan, text, strlen(text)), JCC_OK);
    unsigned n = jcc_operands_count(&scan, &scan.statements[0]);
    jcc_scan_free(&scan);
    return n;
}

static void values_are_counted_by_their_commas(void **state)
{
    (void)state;
    assert_int_equal(count(".byte"), 0);
    assert_int_equal(count(".byte 1"), 1);
    assert_int_equal(count(".byte 1, 2,3 # , 4"), 3);
    assert_int_equal(count(".byte ',', '\\'', (1, 2)"), 3);
    assert_int_equal(count(".long \"a,b\"-., x"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alignments_are_read_with_fill_and_bound), cmocka_unit_test(sizes_may_be_constant_expressions),
        cmocka_unit_test(what_is_no_constant_is_not_read),         cmocka_unit_test(llvm_agrees_on_the_rank_of_operators),
        cmocka_unit_test(values_are_counted_by_their_commas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
