// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text is taken apart as LLVM's lexer does.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scan.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char letters[] = {
    [JCC_STATEMENT_LABEL] = 'L',     [JCC_STATEMENT_INSN] = 'I',   [JCC_STATEMENT_PREFIX] = 'P',
    [JCC_STATEMENT_DIRECTIVE] = 'D', [JCC_STATEMENT_ASSIGN] = 'A', [JCC_STATEMENT_OPAQUE] = 'O',
};

// The scan of LENGTH bytes of TEXT, a statement as X<statement>name: "L<foo:>foo I<jmp 1b>jmp".
static void describe(struct jcc_text *out, const char *text, size_t length)
{
    struct jcc_scan scan;
    assert_int_equal(jcc_scan_text(&scan, text, length), JCC_OK);
    for (size_t k = 0; k < scan.count; k++) {
        const struct jcc_statement *s = &scan.statements[k];
        assert_true(s->begin < s->end && s->end <= length);
        assert_true(!k || scan.statements[k - 1].end <= s->begin);
        jcc_text_format(out, "%s%c<%.*s>%.*s", k ? " " : "", letters[s->type], (int)(s->end - s->begin), text + s->begin,
                        s->type == JCC_STATEMENT_OPAQUE ? 0 : (int)s->name_length, text + s->name);
    }
    jcc_scan_free(&scan);
}

static void assert_scan(const char *text, const char *want)
{
    struct jcc_text got = {0};
    jcc_text_append(&got, "", 0);
    // A copy without a NUL behind it: the scan must not read on.
    size_t length = strlen(text);
    char *copy = malloc(length ? length : 1);
    memcpy(copy, text, length);
    describe(&got, copy, length);
    assert_string_equal(got.data, want);
    free(copy);
    jcc_text_free(&got);
}

static void semicolons_and_line_ends_separate_statements(void **state)
{
    (void)state;
    assert_scan("nop;ret\n\n;;\ncld", "I<nop>nop I<ret>ret I<cld>cld");
    assert_scan("", "");
    assert_scan("\n \t;\n", "");
}

static void comments_are_no_statements(void **state)
{
    (void)state;
    assert_scan("nop # a; b\nret // c; d\n#e\n//f\ncld/**/", "I<nop>nop I<ret>ret I<cld>cld");
    assert_scan("/* a\n b; c\n */ nop /* d */; ret", "I<nop>nop I<ret>ret");
    assert_scan("movl /* ; \n */ %eax, %ebx", "I<movl /* ; \n */ %eax, %ebx>movl");
    assert_scan("nop /* never closed", "I<nop>nop");
    assert_scan("nop #", "I<nop>nop");
    assert_scan(".long 8/2, 4 / 2", "D<.long 8/2, 4 / 2>.long");
    assert_scan("# 12 \"foo.c\" 1\nnop", "I<nop>nop");
}

static void strings_hide_separators_and_comments(void **state)
{
    (void)state;
    assert_scan(".ascii \"a;b#c//d/*e\"; nop", "D<.ascii \"a;b#c//d/*e\">.ascii I<nop>nop");
    assert_scan(".ascii \"\\\"; \\\\\"; nop", "D<.ascii \"\\\"; \\\\\">.ascii I<nop>nop");
    assert_scan(".ascii \"a\nb\"; nop", "D<.ascii \"a\nb\">.ascii I<nop>nop");
    assert_scan(".ascii \"open; nop\n", "D<.ascii \"open; nop\n>.ascii");
}

static void character_constants_hide_separators_and_comments(void **state)
{
    (void)state;
    assert_scan(".byte ';', '#', '\"', '\\'', '\\\\'; nop", "D<.byte ';', '#', '\"', '\\'', '\\\\'>.byte I<nop>nop");
    assert_scan("movb $'/', %al # c", "I<movb $'/', %al>movb");
}

static void labels_may_stand_before_anything(void **state)
{
    (void)state;
    assert_scan("f: nop", "L<f:>f I<nop>nop");
    assert_scan("a:b: .Lc:1: jmp 1b", "L<a:>a L<b:>b L<.Lc:>.Lc L<1:>1 I<jmp 1b>jmp");
    assert_scan("f :nop", "L<f :>f I<nop>nop");
    assert_scan("\"a b:;\": nop", "L<\"a b:;\":>\"a b:;\" I<nop>nop");
    assert_scan("f: # c\n.long 1", "L<f:>f D<.long 1>.long");
    assert_scan("$x: ?y: z$1: nop", "L<$x:>$x L<?y:>?y L<z$1:>z$1 I<nop>nop");
}

static void assignments_are_no_instructions(void **state)
{
    (void)state;
    assert_scan("x = 5; . = 8; y=x+1; z == 3", "A<x = 5>x A<. = 8>. A<y=x+1>y A<z == 3>z");
    assert_scan("\"q r\" = 1", "A<\"q r\" = 1>\"q r\"");
    assert_scan("movl $1, x # = 5\nnop", "I<movl $1, x>movl I<nop>nop");
}

static void prefixes_are_found_on_their_own_and_before_a_mnemonic(void **state)
{
    (void)state;
    assert_scan("lock; incl (%rax)", "P<lock>lock I<incl (%rax)>incl");
    assert_scan("rep\nret", "P<rep>rep I<ret>ret");
    assert_scan("rep movsb; data16 lea 0(%rip), %rdi; rex64 call f",
                "I<rep movsb>movsb I<data16 lea 0(%rip), %rdi>lea I<rex64 call f>call");
    assert_scan("{disp32} jmp f; {vex3} {evex} vaddps %xmm0, %xmm1, %xmm2",
                "I<{disp32} jmp f>jmp I<{vex3} {evex} vaddps %xmm0, %xmm1, %xmm2>vaddps");
    assert_scan("cs; ds; cs jmp *%rax; repne scasb", "P<cs>cs P<ds>ds I<cs jmp *%rax>jmp I<repne scasb>scasb");
    assert_scan("lockstep; replace", "I<lockstep>lockstep I<replace>replace");
}

static void carriage_returns_are_blanks(void **state)
{
    (void)state;
    assert_scan("f:\r\n nop\r\n ret # c\r\n", "L<f:>f I<nop>nop I<ret>ret");
}

static void nothing_behind_end_is_read(void **state)
{
    (void)state;
    assert_scan("nop\n.end\nbogus", "I<nop>nop D<.end>.end");
}

static void bytes_beyond_ascii_are_parts_of_names(void **state)
{
    (void)state;
    assert_scan("\xc3\xa9t\xc3\xa9: nop # \xff\xfe\n.ascii \"\xff;\"",
                "L<\xc3\xa9t\xc3\xa9:>\xc3\xa9t\xc3\xa9 I<nop>nop D<.ascii \"\xff;\">.ascii");
}

// ---- what makes a source flat

static bool is_flat(const char *text)
{
    struct jcc_scan scan;
    assert_int_equal(jcc_scan_text(&scan, text, strlen(text)), JCC_OK);
    bool flat = scan.flat;
    jcc_scan_free(&scan);
    return flat;
}

static void text_that_makes_text_is_not_flat(void **state)
{
    (void)state;
    static const char *const made[] = {".macro m\n.endm", ".rept 2\n.endr",   ".irp x,1\n.endr", ".irpc x,ab\n.endr",
                                       ".if 1\n.endif",   ".IFDEF x\n.endif", ".include \"x\"",  ".altmacro",
                                       ".purgem m",       "\\x: nop",         ".rep 3\n.endr"};
    static const char *const plain[] = {"nop", "# .macro m", ".ascii \".macro m\"", "x = .if", "f: /* .rept 2 */ ret", ".ifoo"};
    for (size_t k = 0; k < sizeof made / sizeof *made; k++)
        if (is_flat(made[k]))
            fail_msg("flat: %s", made[k]);
    for (size_t k = 0; k < sizeof plain / sizeof *plain; k++)
        if (!is_flat(plain[k]))
            fail_msg("not flat: %s", plain[k]);
}

// ---- the cursor over operands

static void assert_names(const char *operands, const char *want)
{
    struct jcc_text got = {0};
    jcc_text_append(&got, "", 0);
    struct jcc_lexer lexer = {operands, operands + strlen(operands)};
    const char *name;
    size_t length;
    while (jcc_lexer_name(&lexer, &name, &length))
        jcc_text_format(&got, "%s%.*s", got.length ? " " : "", (int)length, name);
    assert_string_equal(got.data, want);
    jcc_text_free(&got);
}

static void names_are_found_in_operands(void **state)
{
    (void)state;
    assert_names("foo@PLT", "foo");
    assert_names("*%rax", "");
    assert_names("$.Lx-1b+2f, %eax", ".Lx 1b 2f");
    assert_names("0x1f, 0b11, 12, 1f(%rip)", "1f");
    assert_names("\"a b\"-., 'x', _y", "a b . _y");
    assert_names("bar@GOTPCREL(%rip), %rax", "bar");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(semicolons_and_line_ends_separate_statements),
        cmocka_unit_test(comments_are_no_statements),
        cmocka_unit_test(strings_hide_separators_and_comments),
        cmocka_unit_test(character_constants_hide_separators_and_comments),
        cmocka_unit_test(labels_may_stand_before_anything),
        cmocka_unit_test(assignments_are_no_instructions),
        cmocka_unit_test(prefixes_are_found_on_their_own_and_before_a_mnemonic),
        cmocka_unit_test(carriage_returns_are_blanks),
        cmocka_unit_test(nothing_behind_end_is_read),
        cmocka_unit_test(bytes_beyond_ascii_are_parts_of_names),
        cmocka_unit_test(text_that_makes_text_is_not_flat),
        cmocka_unit_test(names_are_found_in_operands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
