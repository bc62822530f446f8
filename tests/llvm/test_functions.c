// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that a request names: by name, by pattern, and which of them the object has.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"

#define CLD_10 "cld; cld; cld; cld; cld; cld; cld; cld; cld; cld\n"
// A function whose ret ends on a boundary.
#define FUNCTION(NAME) ".p2align 5\n.type " NAME ", @function\n" NAME ": " CLD_10 CLD_10 CLD_10 "cld\nret\n"

#define SOURCE                                                                                                                             \
    ".text\n" FUNCTION("a") FUNCTION("b") FUNCTION("bc") FUNCTION("\"x*y\"")                                                               \
        FUNCTION("\"x[y\"") ".globl g, elsewhere, data\n.p2align 5\ng: ret\nlabel: ret\ncall elsewhere\n.data\ndata: .byte 0\n"
static const char source[] = SOURCE;
static const char source_with_macro[] = SOURCE ".text\n.macro make name\n.globl \\name\n\\name: ret\n.endm\nmake made\n";

static struct rig assemble_named(const char *text, const char *const *names, size_t count)
{
    struct jcc_assemble_request request = rig_request(text);
    request.policy.scope = JCC_SCOPE_FUNCTIONS;
    request.functions = names;
    request.function_count = count;
    struct rig rig = rig_assemble_request(&request);
    if (rig.status != JCC_OK)
        rig_print(&rig);
    assert_int_equal(rig.status, JCC_OK);
    return rig;
}

#define FUNCTION_COUNT 5u

static void a_name_is_a_name_and_a_pattern_a_pattern(void **state)
{
    (void)state;
    const struct {
        const char *name;
        unsigned padded;
    } rows[] = {
        {"a", 1},    {"b", 1},     {"b*", 2},    {"?", 2},   {"[ab]", 2},   {"*", FUNCTION_COUNT},
        {"none", 0}, {"x\\*y", 1}, {"x\\[y", 1}, {"x*y", 2}, {"\\a", 1},    {"\\b\\*", 0},
        {"b\\", 0},  {"", 0},      {"bc", 1},    {"B", 0},   {"[!ab]?", 0}, {"[!a]c", 1},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct rig rig = assemble_named(source, &rows[k].name, 1);
        if (rig.result.residual_count != FUNCTION_COUNT - rows[k].padded)
            fail_msg("%s: %u stay affected", rows[k].name, (unsigned)rig.result.residual_count);
        assert_non_null(rig.result.functions_found);
        if (rig.result.functions_found[0] != (rows[k].padded != 0))
            fail_msg("%s: found %d", rows[k].name, rig.result.functions_found[0]);
        rig_free(&rig);
    }
}

static void names_and_patterns_add_up(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "bc", "a", "x*", "gone"};
    static const bool found[] = {true, true, true, true, false};
    struct rig rig = assemble_named(source, names, 5);
    assert_int_equal(rig.result.residual_count, FUNCTION_COUNT - 4);
    assert_memory_equal(rig.result.functions_found, found, sizeof found);
    rig_free(&rig);
}

static void only_functions_of_the_object_are_found(void **state)
{
    (void)state;
    static const char *const names[] = {"g", "made", "label", "elsewhere", "data", ".text", "mak*", ""};
    static const bool found[] = {true, true, false, false, false, false, false, false};
    struct rig rig = assemble_named(source_with_macro, names, sizeof names / sizeof *names);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (rig.result.functions_found[k] != found[k])
            fail_msg("%s: found %d", names[k], rig.result.functions_found[k]);
    rig_free(&rig);
}

static void nothing_is_looked_for_where_no_functions_are_asked_for(void **state)
{
    (void)state;
    static const char *const name = "a";
    struct jcc_assemble_request request = rig_request(source);
    request.functions = &name;
    request.function_count = 1;
    struct rig rig = rig_assemble_request(&request);
    assert_int_equal(rig.status, JCC_OK);
    assert_null(rig.result.functions_found);
    assert_int_equal(rig.result.residual_count, 0);
    rig_free(&rig);
    rig = assemble_named(source, NULL, 0);
    assert_int_equal(rig.result.residual_count, FUNCTION_COUNT);
    rig_free(&rig);
}

// The scope and the weights of each section are those of its own functions, whatever order the text goes to them in.
static void functions_of_sections_in_turn_are_told_apart(void **state)
{
    (void)state;
    static const char text[] = ".section .text.b,\"ax\",@progbits\n" FUNCTION("b1") ".section .text.a,\"ax\",@progbits\n" FUNCTION(
        "a1") ".section .text.b\n" FUNCTION("b2") ".section .text.c,\"ax\",@progbits\n" CLD_10 CLD_10 CLD_10
                                                  "cld\nret\n.section .text.a\n" FUNCTION("a2");
    static const char *const names[] = {"a1", "b2"};
    struct jcc_assemble_request request = rig_request(text);
    request.policy.scope = JCC_SCOPE_FUNCTIONS;
    request.functions = names;
    request.function_count = 2;
    request.list_pads = true;
    struct rig rig = rig_assemble_request(&request);
    assert_int_equal(rig.status, JCC_OK);
    assert_int_equal(rig.result.residual_count, 3);
    assert_true(rig.result.pad_count >= 2);
    for (size_t k = 0; k < rig.result.pad_count; k++) {
        const struct jcc_pad *pad = &rig.result.pads[k];
        assert_non_null(pad->function);
        assert_string_equal(pad->function, strcmp(pad->section, ".text.a") ? "b2" : "a1");
    }
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_is_a_name_and_a_pattern_a_pattern),
        cmocka_unit_test(names_and_patterns_add_up),
        cmocka_unit_test(only_functions_of_the_object_are_found),
        cmocka_unit_test(nothing_is_looked_for_where_no_functions_are_asked_for),
        cmocka_unit_test(functions_of_sections_in_turn_are_told_apart),
    };
    return RIG_RUN(tests);
}
