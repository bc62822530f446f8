// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is wrong with a source, and what LLVM warns of, is told just as when it is assembled plainly: also of directives that padding replaces.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"

static void assert_told(const char *line)
{
    struct jcc_text text = {0};
    jcc_text_format(&text, "f: cmpl %%eax, %%ecx\nje f\njmp f\n%s\ncall g\nje f\nret\n", line);
    struct jcc_assemble_request request = rig_request(text.data);
    request.policy = jcc_policy_off();
    struct rig plain = rig_assemble_request(&request);
    request.policy = jcc_policy_full();
    request.verify = rig_verify;
    struct rig rig = rig_assemble_request(&request);
    if (rig.status != plain.status || rig.result.diagnostic_count != plain.result.diagnostic_count) {
        rig_print(&plain);
        rig_print(&rig);
        fail_msg("%s: told otherwise", line);
    }
    for (size_t k = 0; k < plain.result.diagnostic_count; k++) {
        const struct jcc_diagnostic *a = &plain.result.diagnostics[k], *b = &rig.result.diagnostics[k];
        assert_string_equal(a->message, b->message);
        assert_int_equal(a->severity, b->severity);
        assert_int_equal(a->line, b->line);
        assert_int_equal(a->column, b->column);
    }
    rig_free(&rig);
    rig_free(&plain);
    jcc_text_free(&text);
}

static void of_alignments(void **state)
{
    (void)state;
    static const char *const lines[] = {".p2align 4,,16", ".p2align 4,0x90,16", ".p2align 0,,4",   ".p2align 4,,0",
                                        ".p2align 4,",    ".p2align 4,,",       ".p2align 4,,3,1", ".p2align 4,,-1",
                                        ".balign 3",      ".balign x",          ".p2align"};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        assert_told(lines[k]);
}

static void of_all_else(void **state)
{
    (void)state;
    static const char *const lines[] = {"movl %eax",     "nosuch %eax", "f: ret",        ".warning \"w\"",        ".error \"e\"",
                                        "jmp .Lnowhere", "jmp 7f",      ".byte 256",     "addb $300, %al",        ".quad",
                                        ".set f, 5",     ".popsection", "movl $1, %rax", ".section .text,\"aw\"", "{disp99} je f"};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        assert_told(lines[k]);
}

static void expressions_nested_beyond_reason_are_refused(void **state)
{
    (void)state;
    static const char *const openings[] = {"(", "-", "~", "[", "-(", "- "};
    for (size_t k = 0; k < sizeof openings / sizeof *openings; k++) {
        struct jcc_text text = {0};
        jcc_text_string(&text, "nop\n.quad ");
        for (unsigned n = 0; n < 300000; n++)
            jcc_text_string(&text, openings[k]);
        jcc_text_string(&text, "1\n");
        struct jcc_assemble_request request = rig_request(text.data);
        struct rig rig = rig_assemble_request(&request);
        assert_int_equal(rig.status, JCC_ERROR_SOURCE);
        assert_int_equal(rig.result.diagnostics[0].line, 2);
        rig_free(&rig);
        jcc_text_free(&text);
    }
}

static void strings_may_hold_what_they_like(void **state)
{
    (void)state;
    struct jcc_text text = {0};
    jcc_text_string(&text, ".data\n.ascii \"\\\"");
    for (unsigned n = 0; n < 10000; n++)
        jcc_text_string(&text, n % 2 ? "(" : "-");
    jcc_text_string(&text, "\", \"x\"\n");
    struct rig rig = rig_assemble(text.data);
    assert_int_equal(rig_section(&rig, ".data")->size, 10002);
    rig_free(&rig);
    jcc_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_alignments),
        cmocka_unit_test(of_all_else),
        cmocka_unit_test(strings_may_hold_what_they_like),
        cmocka_unit_test(expressions_nested_beyond_reason_are_refused),
    };
    return RIG_RUN(tests);
}
