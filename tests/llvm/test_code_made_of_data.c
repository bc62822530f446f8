// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data that control goes to are instructions: a jump among them has its distance written out, and what it jumps over may not change.
// Data that nothing goes to are data, whatever instructions their bytes look like.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"

// BEFORE, then at d a `je` over 126 bytes made by DATA, with calls behind it that are affected at many places.
static struct rig assemble(const char *before, const char *data, const char *behind)
{
    struct jcc_text text = {0};
    jcc_text_format(&text, "%s\nret\nd: %s\n", before, data);
    for (unsigned k = 0; k < 21; k++)
        jcc_text_string(&text, "cld\ncall f\n");
    jcc_text_format(&text, "t: ret\n%s\n", behind);
    struct rig rig = rig_assemble(text.data);
    if (rig_symbol(&rig, "t") - rig_symbol(&rig, "d") == 128) // else it is data to whoever compares
        rig_assert_same(&rig, text.data);
    jcc_text_free(&text);
    return rig;
}

static void assert_kept(const char *before, const char *data, const char *behind)
{
    struct rig rig = assemble(before, data, behind);
    if (rig_symbol(&rig, "t") - rig_symbol(&rig, "d") != 128)
        fail_msg("%s ... %s: what is jumped over became longer", before, behind);
    rig_free(&rig);
}

static void what_is_called_or_jumped_to_is_code(void **state)
{
    (void)state;
    assert_kept("call d", ".byte 0x74, 0x7e", "");
    assert_kept("jmp d", ".short 0x7e74", "");
    assert_kept("je d", ".byte 0x74\n.byte 0x7e", "");
    assert_kept("cli", ".byte 0x74, 0x7e", ".section .text.cold,\"ax\",@progbits\ncall d");
}

static void a_function_is_code(void **state)
{
    (void)state;
    assert_kept("cli", ".byte 0x74, 0x7e", ".type d, @function");
    assert_kept("cli", ".byte 0x74, 0x7e", ".globl e, d");
}

static void a_table_is_no_code(void **state)
{
    (void)state;
    // With a plan to hold it against. An object alone does not tell.
    struct rig rig = assemble("leaq d(%rip), %rax", ".byte 0x74, 0x7e", "");
    if (rig_verify == JCC_VERIFY_PLAN)
        assert_int_not_equal(rig_symbol(&rig, "t") - rig_symbol(&rig, "d"), 128);
    rig_free(&rig);
}

static void what_a_computed_jump_may_lead_to_is_kept(void **state)
{
    (void)state;
    assert_kept("leaq d(%rip), %rax\njmp *%rax", ".byte 0x74, 0x7e", "");
    assert_kept("leaq d(%rip), %rax\ncall *%rax", ".short 0x7e74", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_called_or_jumped_to_is_code),
        cmocka_unit_test(a_function_is_code),
        cmocka_unit_test(a_table_is_no_code),
        cmocka_unit_test(what_a_computed_jump_may_lead_to_is_kept),
    };
    return RIG_RUN(tests);
}
