// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions that the source opts out of: nothing is added inside, and what stays affected there is named so.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"

#include <stdio.h>
#include <string.h>

// 31 bytes, a one-byte unit that ends on the boundary, and as much again outside the region.
static const char body[] =
    "%s\nret\n%s\n.p2align 5\nf: cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; "
    "cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; cld; ret\n";

static struct rig assemble_between(const char *off, const char *on)
{
    char text[2048] = ".text\n.p2align 5\n";
    for (int k = 0; k < 31; k++)
        strcat(text, "cld\n");
    size_t n = strlen(text);
    snprintf(text + n, sizeof text - n, body, off, on);
    return rig_assemble(text);
}

static void assert_first_is_left(const char *off, const char *on)
{
    struct rig rig = assemble_between(off, on);
    assert_int_equal(rig_affected(&rig), 1);
    assert_int_equal(rig.result.residuals[0].reason, JCC_RESIDUAL_OPTED_OUT);
    assert_int_equal(rig.result.residuals[0].offset, 31);
    rig_free(&rig);
}

static void a_unit_is_left_between_off_and_on_in_any_comment_style(void **state)
{
    (void)state;
    assert_first_is_left("# jccsafe: off", "# jccsafe: on");
    assert_first_is_left("#jccsafe: off please", "#jccsafe: on");
    assert_first_is_left("// jccsafe: off", "// jccsafe: on");
    assert_first_is_left("/* jccsafe: off */", "/* jccsafe: on */");
    assert_first_is_left(".globl f # jccsafe: off", ".globl f # jccsafe: on");
    assert_first_is_left("#noautopadding", "#autopadding");
}

static void other_comments_and_strings_open_nothing(void **state)
{
    (void)state;
    static const char *const others[] = {"# jccsafe: offset", "# see jccsafe: off", "# noautopaddings", ".ident \"# jccsafe: off\""};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        struct rig rig = assemble_between(others[k], "");
        rig_assert_clean(&rig);
        rig_free(&rig);
    }
}

static void a_region_without_an_end_goes_to_the_end(void **state)
{
    (void)state;
    struct rig rig = assemble_between("# jccsafe: off", "");
    assert_int_equal(rig_affected(&rig), 2);
    rig_free(&rig);
}

static void a_region_survives_macros_elsewhere(void **state)
{
    (void)state;
    assert_first_is_left(".macro m\nnop\n.endm\n# jccsafe: off", "# jccsafe: on\nm");
}

// A pad for the unit behind the region must not fall between the region's last instruction and its closing comment.
static void the_bytes_inside_stay_as_they_are(void **state)
{
    (void)state;
    static const char source[] =
        ".text\n.p2align 5\n.skip 24\n# jccsafe: off\nin: cld; std; cld\n.globl out\nout:\n# jccsafe: on\n jmp elsewhere\n";
    struct rig rig = rig_assemble(source);
    assert_int_equal(rig.status, JCC_OK);
    assert_non_null(rig.result.object);
    static const unsigned char inside[] = {0xfc, 0xfd, 0xfc};
    bool found = false;
    for (size_t k = 0; k + sizeof inside <= rig.result.object_size; k++)
        found |= !memcmp(rig.result.object + k, inside, sizeof inside);
    assert_true(found);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_unit_is_left_between_off_and_on_in_any_comment_style),
        cmocka_unit_test(other_comments_and_strings_open_nothing),
        cmocka_unit_test(a_region_without_an_end_goes_to_the_end),
        cmocka_unit_test(a_region_survives_macros_elsewhere),
        cmocka_unit_test(the_bytes_inside_stay_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
