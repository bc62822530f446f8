// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compiler writes in good order gives no warning, so that a build which lets none pass can use this assembler.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jccsafe/assemble.h>
#include <string.h>

static void assert_quiet(const char *text)
{
    jcc_assembler *assembler;
    assert_int_equal(jcc_assembler_create(&assembler), JCC_OK);
    const struct jcc_assemble_request request = {.size = sizeof request, .text = text, .length = strlen(text), .policy = jcc_policy_full()};
    struct jcc_assemble_result result = {.size = sizeof result};
    assert_int_equal(jcc_assemble(assembler, &request, &result), JCC_OK);
    for (size_t i = 0; i < result.diagnostic_count; i++)
        print_error("%s\n", result.diagnostics[i].message);
    assert_int_equal(result.diagnostic_count, 0);
    jcc_assemble_result_free(&result);
    jcc_assembler_destroy(assembler);
}

// clang 14 does so where a file is named in two ways.
static void files_with_and_without_checksums_give_no_warning(void **state)
{
    (void)state;
    assert_quiet(".file 0 \"/d\" \"/d/a.c\" md5 0x0e81048606a7814df3b22d66a70d892f\n"
                 ".file 1 \"/i\" \"b.h\" md5 0x2499dd2361b915724b073282bea3a7bc\n"
                 ".text\n"
                 ".loc 0 1\n"
                 "nop\n"
                 ".file 2 \"/d\" \"c.h\"\n"
                 ".loc 2 1\n"
                 "ret\n"
                 ".section .debug_line,\"\",@progbits\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_with_and_without_checksums_give_no_warning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
