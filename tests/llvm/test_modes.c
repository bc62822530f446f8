// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code for other modes and targets: 32-bit and x32 sources are planned as 64-bit ones are, Intel syntax as AT&T's; a source that mixes modes is left plain.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"

// Any gap may come out on a boundary: BODY behind 0 to 31 bytes is clean and the same program.
static void assert_clean(const char *start, const char *body, enum jcc_target target)
{
    for (unsigned fill = 0; fill < 32; fill++) {
        struct jcc_text text = {0};
        jcc_text_string(&text, start);
        rig_nops(&text, fill);
        jcc_text_string(&text, body);
        struct rig rig = rig_assemble_as(text.data, jcc_policy_full(), target);
        if (rig.result.totals.affected) {
            rig_print(&rig);
            fail_msg("not clean:\n%s", text.data);
        }
        rig_affected(&rig);
        rig_assert_same_as(&rig, text.data, target);
        rig_free(&rig);
        jcc_text_free(&text);
    }
}

static const char body32[] =
    "f: pushl %ebp\n movl %esp, %ebp\n call 1f\n1: popl %ebx\n addl $_GLOBAL_OFFSET_TABLE_, %ebx\n cmpl $5, 8(%ebp)\n jg f\n"
    " call g@PLT\n leal v@GOTOFF(%ebx), %eax\n incl %eax\n jne f\n jmp *f@GOT(%ebx)\n jecxz f\n loop f\n call *%eax\n ret $4\n";

static void code_of_32_bits(void **state)
{
    (void)state;
    assert_clean(".text\n.p2align 5\n", body32, JCC_TARGET_I386);
    assert_clean(".code32\n.p2align 5\n", body32, JCC_TARGET_I386);
}

static void code_for_x32(void **state)
{
    (void)state;
    assert_clean(".p2align 5\n",
                 "f: movl %edi, %eax\n testq %rdi, %rdi\n jne f\n call g@PLT\n jmp *g@GOTPCREL(%rip)\n cmpl %eax, (%edx)\n je f\n ret\n",
                 JCC_TARGET_X32);
}

static void the_object_is_the_targets(void **state)
{
    (void)state;
    static const struct {
        enum jcc_target target;
        uint8_t class, machine;
    } cases[] = {{JCC_TARGET_X86_64, 2, 62}, {JCC_TARGET_I386, 1, 3}, {JCC_TARGET_X32, 1, 62}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct rig rig = rig_assemble_as("ret\n", jcc_policy_full(), cases[k].target);
        assert_int_equal(rig.result.object[4], cases[k].class);
        assert_int_equal(rig.result.object[18], cases[k].machine);
        rig_free(&rig);
    }
}

static void intel_syntax(void **state)
{
    (void)state;
    assert_clean(".intel_syntax noprefix\n.p2align 5\n",
                 "f: mov eax, dword ptr [rsp + 8]\n cmp eax, 5\n jne f\n call g\n jmp qword ptr [rax*8 + f]\n test rax, rax\n je 1f\n 1: "
                 "lea rax, [rip + f]\n"
                 " jmp short f\n call qword ptr [rip + g@GOTPCREL]\n inc ecx\n jnz f\n rep movsb\n ret\n",
                 JCC_TARGET_X86_64);
    assert_clean(".p2align 5\n",
                 "f: movl %eax, %ebx\n.intel_syntax noprefix\n cmp eax, 5\n jne f\n.att_syntax\n testl %eax, %eax\n je f\n ret\n",
                 JCC_TARGET_X86_64);
}

static void a_source_may_name_its_own_mode(void **state)
{
    (void)state;
    assert_clean(".code64\n.p2align 5\n", "f: testl %eax, %eax\n je f\n call g\n jmp f\n", JCC_TARGET_X86_64);
    assert_clean(".code64\n.rept 1\n.p2align 5\n.endr\n", "f: testl %eax, %eax\n je f\n call g\n jmp f\n", JCC_TARGET_X86_64);
}

static void mixed_modes_stay_plain(void **state)
{
    (void)state;
    static const char text[] = ".code16\n.p2align 5\n.skip 30,0x90\ncli\njmp f\n.code64\n.p2align 5\n.skip 29,0x90\ncli\nf: jmp g\n";
    struct rig plain = rig_plain(text), rig = rig_assemble(text);
    assert_int_equal(rig.result.object_size, plain.result.object_size);
    assert_memory_equal(rig.result.object, plain.result.object, plain.result.object_size);
    for (size_t k = 0; k < rig.result.residual_count; k++)
        assert_int_equal(rig.result.residuals[k].reason, JCC_RESIDUAL_NOT_PLANNED);
    rig_free(&plain);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_of_32_bits),
        cmocka_unit_test(code_for_x32),
        cmocka_unit_test(the_object_is_the_targets),
        cmocka_unit_test(intel_syntax),
        cmocka_unit_test(a_source_may_name_its_own_mode),
        cmocka_unit_test(mixed_modes_stay_plain),
    };
    return RIG_RUN(tests);
}
