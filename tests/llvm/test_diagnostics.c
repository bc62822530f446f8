// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What LLVM says is passed on in the user's terms: file, line and column, through includes, macros and line markers; each thing once.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"

#include <unistd.h>

static const char *const severities[] = {"error", "warning", "note"};

// "FILE:LINE:COLUMN: severity: message", one a line.
static void describe(struct jcc_text *out, const struct jcc_assemble_result *result)
{
    jcc_text_append(out, "", 0);
    for (size_t k = 0; k < result->diagnostic_count; k++) {
        const struct jcc_diagnostic *d = &result->diagnostics[k];
        jcc_text_format(out, "%s:%u:%u: %s: %s\n", d->file, d->line, d->column, severities[d->severity], d->message);
        assert_null(strchr(d->message, '\n'));
    }
}

static void assert_says_in(const char *const *include, size_t include_count, const char *text, enum jcc_status status, const char *want)
{
    struct jcc_assemble_request request = rig_request(text);
    request.include = include;
    request.include_count = include_count;
    struct rig rig = rig_assemble_request(&request);
    struct jcc_text got = {0};
    describe(&got, &rig.result);
    assert_int_equal(rig.status, status);
    assert_string_equal(got.data, want);
    jcc_text_free(&got);
    rig_free(&rig);
}

static void assert_says(const char *text, enum jcc_status status, const char *want)
{
    assert_says_in(NULL, 0, text, status, want);
}

static void errors_name_line_and_column(void **state)
{
    (void)state;
    assert_says("nop\n  bogus %eax\n\tnop; bogus2\n", JCC_ERROR_SOURCE,
                "test.s:2:3: error: invalid instruction mnemonic 'bogus'\ntest.s:3:7: error: invalid instruction mnemonic 'bogus2'\n");
    assert_says("f: nop\nf: nop\n", JCC_ERROR_SOURCE, "test.s:2:1: error: symbol 'f' is already defined\n");
}

static void warnings_come_with_an_object(void **state)
{
    (void)state;
    assert_says("nop\n.warning \"hello\"\n jmp g\n", JCC_OK, "test.s:2:1: warning: hello\n");
    assert_says(".skip 3\n.warning \"hello\"\n jmp g\n.rept 1\n.endr\n", JCC_OK, "test.s:2:1: warning: hello\n");
}

static void an_error_inside_a_macro_names_its_use(void **state)
{
    (void)state;
    assert_says(".macro m a\n nop\n bogus \\a\n.endm\n nop\n  m 1\n", JCC_ERROR_SOURCE,
                "test.s:6:3: error: invalid instruction mnemonic 'bogus'\ntest.s:6:3: note: while in macro instantiation\n");
    assert_says(".macro in\n bogus\n.endm\n.macro out\n in\n.endm\n nop\n out\n", JCC_ERROR_SOURCE,
                "test.s:8:2: error: invalid instruction mnemonic 'bogus'\ntest.s:8:2: note: while in macro instantiation\n"
                "test.s:8:2: note: while in macro instantiation\n");
    assert_says(".macro m\n.warning \"in\"\n.endm\n m\n m\n", JCC_OK,
                "test.s:4:2: warning: in\ntest.s:4:2: note: while in macro instantiation\n"
                "test.s:5:2: warning: in\ntest.s:5:2: note: while in macro instantiation\n");
}

static void what_llvm_repeats_is_said_once(void **state)
{
    (void)state;
    assert_says("a:\n.org a-5\n", JCC_ERROR_SOURCE, "test.s:2:6: error: invalid .org offset '-5' (at offset '0')\n");
    assert_says("nop\n.rept 500\n bogus\n.endr\n bogus\n", JCC_ERROR_SOURCE,
                "test.s:2:1: error: invalid instruction mnemonic 'bogus'\ntest.s:2:1: note: while in macro instantiation\n"
                "test.s:5:2: error: invalid instruction mnemonic 'bogus'\n");
}

static void line_markers_are_followed(void **state)
{
    (void)state;
    assert_says("# 1 \"foo.c\"\n nop\n# 12 \"foo.c\"\n bogus\n nop\n# 3 \"bar.h\" 1\n nop; bogus\n", JCC_ERROR_SOURCE,
                "foo.c:12:2: error: invalid instruction mnemonic 'bogus'\nbar.h:3:7: error: invalid instruction mnemonic 'bogus'\n");
}

static void undefined_local_labels_are_named_where_they_are_used(void **state)
{
    (void)state;
    assert_says("nop\n jmp .Lnowhere\n jne 1f\n .data\n .quad .Lnone + 4\n", JCC_ERROR_SOURCE,
                "test.s:2:6: error: undefined local label '.Lnowhere'\ntest.s:3:6: error: undefined local label '1f'\n"
                "test.s:5:8: error: undefined local label '.Lnone'\n");
}

// What a macro defines is defined, though the text does not spell it as a label.
static void only_undefined_labels_are_called_so(void **state)
{
    (void)state;
    assert_says(".macro def l\n\\l: nop\n.endm\n def .La\n jmp .La\n jmp .Lnone\n", JCC_ERROR_SOURCE,
                "test.s:6:6: error: undefined local label '.Lnone'\n");
    assert_says(".macro to l\n jmp \\l\n.endm\n to .Lnone\n", JCC_ERROR_SOURCE, "test.s:4:5: error: undefined local label '.Lnone'\n");
}

static void constructs_left_open_are_named_with_the_line_that_opened_them(void **state)
{
    (void)state;
    assert_says("nop\n.if 1\nnop\n", JCC_ERROR_SOURCE, "test.s:2:1: error: .if is never closed\n");
    assert_says("nop\n .rept 3\nnop\n", JCC_ERROR_SOURCE, "test.s:2:2: error: .rept is never closed\n");
    assert_says("nop\n.macro m\nnop\n", JCC_ERROR_SOURCE, "test.s:2:1: error: .macro is never closed\n");
    assert_says(".pushsection .data\n.long 1\n", JCC_OK, "test.s:1:1: warning: .pushsection is never closed\n");
}

// ---- files

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void errors_inside_an_included_file_name_that_file(void **state)
{
    (void)state;
    char folder[] = "/tmp/jccsafe-test-XXXXXX", path[128], want[1024];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/outer.inc", folder);
    write_file(path, "nop\n.include \"inner.inc\"; nop\nbogus2\n");
    snprintf(path, sizeof path, "%s/inner.inc", folder);
    write_file(path, "\n\n bogus1"); // no line end
    const char *const include[] = {"/nowhere", folder};
    snprintf(
        want, sizeof want,
        "%s/inner.inc:3:2: error: invalid instruction mnemonic 'bogus1'\n%s/outer.inc:3:1: error: invalid instruction mnemonic 'bogus2'\n"
        "test.s:3:1: error: invalid instruction mnemonic 'bogus3'\n",
        folder, folder);
    assert_says_in(include, 2, "nop\n.include \"outer.inc\" # comment\nbogus3\n", JCC_ERROR_SOURCE, want);
    assert_says_in(include, 2, "nop\nnop; .include \"none.inc\"\n", JCC_ERROR_SOURCE,
                   "test.s:2:6: error: could not find file 'none.inc'\n");
    assert_says_in(include, 2, ".incbin \"none.bin\"\n", JCC_ERROR_SOURCE, "test.s:1:1: error: could not find file 'none.bin'\n");
    assert_says_in(include, 2, ".if 0\n.include \"none.inc\"\n.endif\nret\n", JCC_OK, "");
    snprintf(path, sizeof path, "%s/self.inc", folder);
    write_file(path, ".include \"self.inc\"\n");
    struct jcc_assemble_request request = rig_request(".include \"self.inc\"\n");
    request.include = include;
    request.include_count = 2;
    struct rig rig = rig_assemble_request(&request);
    assert_int_equal(rig.status, JCC_ERROR_SOURCE);
    assert_int_equal(rig.result.diagnostic_count, 1);
    assert_non_null(strstr(rig.result.diagnostics[0].message, "nest too deep"));
    rig_free(&rig);
    for (int k = 0; k < 3; k++) {
        static const char *const names[] = {"outer.inc", "inner.inc", "self.inc"};
        snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        unlink(path);
    }
    rmdir(folder);
}

static void a_source_without_a_name_is_input(void **state)
{
    (void)state;
    struct jcc_assemble_request request = rig_request("bogus\n");
    request.name = NULL;
    struct rig rig = rig_assemble_request(&request);
    assert_int_equal(rig.status, JCC_ERROR_SOURCE);
    assert_string_equal(rig.result.diagnostics[0].file, "<input>");
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_name_line_and_column),
        cmocka_unit_test(warnings_come_with_an_object),
        cmocka_unit_test(an_error_inside_a_macro_names_its_use),
        cmocka_unit_test(what_llvm_repeats_is_said_once),
        cmocka_unit_test(line_markers_are_followed),
        cmocka_unit_test(undefined_local_labels_are_named_where_they_are_used),
        cmocka_unit_test(only_undefined_labels_are_called_so),
        cmocka_unit_test(constructs_left_open_are_named_with_the_line_that_opened_them),
        cmocka_unit_test(errors_inside_an_included_file_name_that_file),
        cmocka_unit_test(a_source_without_a_name_is_input),
    };
    return RIG_RUN(tests);
}
