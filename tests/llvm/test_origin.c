// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A source that had to be expanded: what is said of the object names the source's own lines, inside a macro the line of its body.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"
#include "flatten.h"
#include "origin.h"

#include <llvm-c/Core.h>

// TEXT, expanded by LLVM, gives instructions and data of the lines in WANT: "nop:2 call:5".
static void assert_lines(const char *text, const char *want)
{
    struct jcc_session session = {0};
    struct jcc_scan source, expanded;
    struct jcc_text marked = {0}, got = {0};
    struct jcc_diagnostics diagnostics = {0};
    LLVMMemoryBufferRef buffer;
    assert_int_equal(jcc_session_check(), JCC_OK);
    assert_int_equal(jcc_scan_text(&source, text, strlen(text)), JCC_OK);
    jcc_origin_mark(&marked, &source);
    assert_int_equal(jcc_session_run(&session, JCC_TARGET_X86_64, JCC_PASS_TEXT, marked.data, marked.length, &diagnostics, &buffer),
                     JCC_OK);
    assert_int_equal(jcc_scan_text(&expanded, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer)), JCC_OK);
    jcc_text_append(&got, "", 0);
    for (size_t k = 0; k < expanded.count; k++) {
        const struct jcc_statement *s = &expanded.statements[k];
        if (s->type != JCC_STATEMENT_INSN && s->type != JCC_STATEMENT_PREFIX &&
            (s->type != JCC_STATEMENT_DIRECTIVE || !jcc_directive_unit((enum jcc_directive)s->directive)))
            continue;
        uint32_t offset = jcc_origin_find(&source, &expanded, k), line = 1;
        for (uint32_t n = 0; offset != JCC_NO_ORIGIN && n < offset; n++)
            line += text[n] == '\n';
        jcc_text_format(&got, "%s%.*s:%u", got.length ? " " : "", (int)s->name_length, expanded.text + s->name,
                        offset == JCC_NO_ORIGIN ? 0 : line);
    }
    assert_string_equal(got.data, want);
    jcc_scan_free(&source);
    jcc_scan_free(&expanded);
    jcc_text_free(&marked);
    jcc_text_free(&got);
    jcc_diagnostics_clear(&diagnostics);
    LLVMDisposeMemoryBuffer(buffer);
    jcc_session_close(&session);
}

static void each_statement_names_its_line(void **state)
{
    (void)state;
    assert_lines("f: nop # c\n cld; std // c\n /* c\n */ call g /* c */\n.rept 2\n jmp f\n.endr\n.if 1\n stc\n.else\n clc\n.endif\nlock\n "
                 "incl (%rax)\n",
                 "nop:1 cld:2 std:2 callq:4 jmp:6 jmp:6 stc:9 lock:13 incl:14");
}

static void a_macros_body_names_its_own_lines(void **state)
{
    (void)state;
    assert_lines(
        ".macro m a, b:vararg\n nop # in\n \\a \\b\n movl $1, %eax\n.endm\n cld\n m leal, (%rax), %ecx # out\n m incl, %ecx\n std\n",
        "cld:6 nop:2 leal:3 movl:4 nop:2 incl:3 movl:4 std:9");
    assert_lines(".macro in\n cld\n.endm\n.macro out\n in\n std\n.endm\n out\n", "cld:2 std:6");
}

static void data_names_the_line_of_its_directive(void **state)
{
    (void)state;
    assert_lines(".byte 1, 2, 3 # c\n.ascii \"x\"\n.rept 2\n.long 5\n.endr\n.quad f\n",
                 ".byte:1 .byte:1 .byte:1 .byte:2 .long:4 .long:4 .quad:6");
}

static void residuals_of_an_expanded_source_have_lines(void **state)
{
    (void)state;
    struct rig rig = rig_assemble(".macro m\n .byte 0x74, 2\n.endm\n.p2align 5\n.rept 31\n nop\n.endr\n m\n nop\n nop\n.p2align 5\n.rept "
                                  "31\n.byte 0x90\n.endr\n  jmp g\n");
    assert_true(rig.result.totals.flattened);
    assert_int_equal(rig_affected(&rig), 2);
    assert_int_equal(rig.result.residuals[0].line, 2);
    assert_int_equal(rig.result.residuals[0].reason, JCC_RESIDUAL_WRITTEN_AS_DATA);
    assert_string_equal(rig.result.residuals[0].file, "test.s");
    assert_int_equal(rig.result.residuals[1].line, 15);
    assert_int_equal(rig.result.residuals[1].reason, JCC_RESIDUAL_NO_SITE);
    rig_free(&rig);
}

static void pads_of_an_expanded_source_have_lines(void **state)
{
    (void)state;
    struct jcc_assemble_request request = rig_request(".rept 28\n nop\n.endr\n cli\n.macro m\n  jmp g\n.endm\n m\n");
    request.list_pads = true;
    struct rig rig = rig_assemble_request(&request);
    assert_int_equal(rig.status, JCC_OK);
    assert_true(rig.result.pad_count >= 1);
    for (size_t k = 0; k < rig.result.pad_count; k++)
        assert_int_not_equal(rig.result.pads[k].line, 0);
    rig_free(&rig);
}

// The region's comments stand between statements of the source; in what LLVM prints they stand elsewhere.
static void regions_hold_in_an_expanded_source(void **state)
{
    (void)state;
    struct rig rig = rig_assemble(".rept 1\n nop\n.endr\n.p2align 5\n cli\n.skip 29,0x90\n cli\n# jccsafe: off\n jmp g\n# jccsafe: "
                                  "on\n.p2align 5\n cli\n.skip 28,0x90\n cli\n jmp g\n");
    assert_int_equal(rig_affected(&rig), 1);
    assert_int_equal(rig.result.residuals[0].reason, JCC_RESIDUAL_OPTED_OUT);
    assert_int_equal(rig.result.residuals[0].line, 9);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_statement_names_its_line),         cmocka_unit_test(a_macros_body_names_its_own_lines),
        cmocka_unit_test(data_names_the_line_of_its_directive),  cmocka_unit_test(residuals_of_an_expanded_source_have_lines),
        cmocka_unit_test(pads_of_an_expanded_source_have_lines), cmocka_unit_test(regions_hold_in_an_expanded_source),
    };
    return RIG_RUN(tests);
}
