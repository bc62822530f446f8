// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang -S shows the value of `.byte 0` in the comment behind it, as the character it is. Such a NUL is part of a comment
// and no more; anywhere else one is an error, never the silent end of the text.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jccsafe/assemble.h>
#include <string.h>

#define SOURCE(text)                                                                                                                       \
    (struct source)                                                                                                                        \
    {                                                                                                                                      \
        text, sizeof(text) - 1                                                                                                             \
    }

struct source {
    const char *text;
    size_t length;
};

static enum jcc_status assemble(struct source source, struct jcc_assemble_result *result)
{
    jcc_assembler *assembler;
    assert_int_equal(jcc_assembler_create(&assembler), JCC_OK);
    const struct jcc_assemble_request request = {
        .size = sizeof request, .text = source.text, .length = source.length, .name = "nul.s", .policy = jcc_policy_full()};
    *result = (struct jcc_assemble_result){.size = sizeof *result};
    enum jcc_status status = jcc_assemble(assembler, &request, result);
    jcc_assembler_destroy(assembler);
    return status;
}

static void assert_same_object(struct source with_nul, struct source without)
{
    struct jcc_assemble_result a, b;
    assert_int_equal(assemble(with_nul, &a), JCC_OK);
    assert_int_equal(assemble(without, &b), JCC_OK);
    assert_int_equal(a.object_size, b.object_size);
    assert_memory_equal(a.object, b.object, a.object_size);
    jcc_assemble_result_free(&a);
    jcc_assemble_result_free(&b);
}

static void a_nul_in_a_comment_is_part_of_the_comment(void **state)
{
    (void)state;
    assert_same_object(SOURCE(".byte 0 # \0\n.byte 1 // \0\nret /* \0\0 */\n#\0"), SOURCE(".byte 0 #\n.byte 1 //\nret\n"));
}

static void assert_refused(struct source source, uint32_t line, uint32_t column)
{
    struct jcc_assemble_result result;
    assert_int_equal(assemble(source, &result), JCC_ERROR_SOURCE);
    assert_null(result.object);
    assert_int_equal(result.diagnostic_count, 1);
    assert_string_equal(result.diagnostics[0].message, "NUL byte in the source");
    assert_string_equal(result.diagnostics[0].file, "nul.s");
    assert_int_equal(result.diagnostics[0].line, line);
    assert_int_equal(result.diagnostics[0].column, column);
    jcc_assemble_result_free(&result);
}

static void a_nul_anywhere_else_is_refused_at_its_place(void **state)
{
    (void)state;
    assert_refused(SOURCE("nop\0bogus\n"), 1, 4);
    assert_refused(SOURCE("nop # \0\n\0\nret\n"), 2, 1);
    assert_refused(SOURCE("nop\nret\n.ascii \"a\0b\"\n"), 3, 10);
    assert_refused(SOURCE("nop # a\n \0"), 2, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_nul_in_a_comment_is_part_of_the_comment),
        cmocka_unit_test(a_nul_anywhere_else_is_refused_at_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
