// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gcc -g numbers the line entries of one place, and speaks of the numbers in debug sections. LLVM has no such numbers; that they are
// reckoned for it keeps no branch from being padded.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"

enum { BY_PLACE = 2 };

// BETWEEN two line entries; the view of the second must be VIEW (BY_PLACE: 1 where both stand at one place), and no branch
// around may stay affected.
static void assert_view(const char *between, unsigned view)
{
    for (unsigned k = 0; k < 32; k++) {
        struct jcc_text text = {0};
        jcc_text_format(&text, ".file 1 \"a.c\"\n.text\n.p2align 5\nf:\n");
        rig_nops(&text, k);
        jcc_text_format(&text,
                        "a: .loc 1 1 view .LVU1\n%s\nb: .loc 1 2 view .LVU2\n"
                        "cmpl %%eax, %%edx\nje f\nmovl $1, %%eax\ncall g\ncmpl %%eax, %%edx\nje f\njmp h\n"
                        ".section .debug_loclists,\"\",@progbits\n.uleb128 .LVU2\n.section .debug_line,\"\",@progbits\n",
                        between);
        struct rig rig = rig_assemble(text.data);
        rig_assert_clean(&rig);
        rig_assert_same(&rig, text.data);
        unsigned wanted = view == BY_PLACE ? rig_symbol(&rig, "a") == rig_symbol(&rig, "b") : view;
        assert_int_equal(rig_section(&rig, ".debug_loclists")->bytes[0], wanted);
        rig_free(&rig);
        jcc_text_free(&text);
    }
}

static void entries_at_one_place_count_up(void **state)
{
    (void)state;
    assert_view("", 1);
    assert_view(".L1:", 1);
}

static void an_instruction_between_starts_anew(void **state)
{
    (void)state;
    assert_view("movl %eax, %edx", 0);
}

static void an_alignment_between_is_waited_for(void **state)
{
    (void)state;
    assert_view(".p2align 0", 1);
    assert_view("movl %eax, %edx\n.p2align 4", 0);
    assert_view(".p2align 3", BY_PLACE);
    assert_view(".p2align 4,,10\n.p2align 3", BY_PLACE);
    assert_view("ret\n.p2align 4,,10\n.p2align 3", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_at_one_place_count_up),
        cmocka_unit_test(an_instruction_between_starts_anew),
        cmocka_unit_test(an_alignment_between_is_waited_for),
    };
    return RIG_RUN(tests);
}
