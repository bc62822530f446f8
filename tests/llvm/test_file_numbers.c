// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A numbered .file that repeats the name of number 0 keeps its number, as in GNU as: gcc writes it for every file, clang for those with #line.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"

#define MD5   "md5 0x429ffa64a3f9f9f17f52484f22418c1f"
#define OTHER "md5 0xd108b5f93a74c50510d7d9bc0ab36df9"

// Lines of files 1 and 0 both; where number 1 was lost LLVM refuses the line.
static void assert_numbered(const char *root, const char *first)
{
    struct jcc_text text = {0};
    jcc_text_format(&text,
                    ".file 0 %s\n.file 1 %s\n.text\n.loc 0 1\nnop\n.loc 1 2\nnop\n.loc 1 3\nret\n"
                    ".section .debug_line,\"\",@progbits\n",
                    root, first);
    struct rig rig = rig_assemble(text.data);
    assert_int_equal(rig.result.diagnostic_count, 0);
    assert_true(rig_section(&rig, ".debug_line")->size > 0);
    rig_free(&rig);
    jcc_text_free(&text);
}

static void one_name_is_given_a_number_of_its_own(void **state)
{
    (void)state;
    assert_numbered("\"/work\" \"a.c\"", "\"a.c\"");
    assert_numbered("\"/work\" \"src/a.c\"", "\"src/a.c\"");
    assert_numbered("\"/work\" \"/src/a.c\"", "\"/src/a.c\"");
    assert_numbered("\"/work\" \"a \\\"b.c\"", "\"a \\\"b.c\"");
}

static void a_directory_beside_the_name_changes_nothing(void **state)
{
    (void)state;
    assert_numbered("\"/work\" \"a.c\"", "\".\" \"a.c\"");
    assert_numbered("\"/work\" \"a.c\"", "\"/elsewhere\" \"a.c\"");
    assert_numbered("\"/work\" \"/src/a.c\"", "\".\" \"/src/a.c\"");
}

static void checksums_are_kept(void **state)
{
    (void)state;
    assert_numbered("\"/work\" \"a.c\" " MD5, "\".\" \"a.c\" " MD5);
    assert_numbered("\"/work\" \"a.c\" " MD5, "\"a.c\"  " MD5);
    assert_numbered("\"/work\" \"a.c\" " MD5, "\".\" \"a.c\" " OTHER);
    assert_numbered("\"/work\" \"a.c\" " MD5, "\".\" \"a.c\"");
    assert_numbered("\"/work\" \"a.c\"", "\"a.c\" " MD5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_name_is_given_a_number_of_its_own),
        cmocka_unit_test(a_directory_beside_the_name_changes_nothing),
        cmocka_unit_test(checksums_are_kept),
    };
    return RIG_RUN(tests);
}
