// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An unrolled loop that is entered at a reckoned place: its copies must keep their sizes, so its section stays plain and says so.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"

#define NOPS_26 "nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop\n"
#define NOPS_29 "nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop\n"
#define BODY    ".p2align 5\n.Lentry:\n" NOPS_29 "\tcall g\n\tcall g\n\tret\n"

static void assert_plain(const char *text, enum jcc_target target, bool plain)
{
    struct rig rig = rig_assemble_as(text, jcc_policy_full(), target);
    assert_int_equal(rig.status, JCC_OK);
    if ((rig.result.totals.affected != 0) != plain || rig.result.totals.affected_plain == 0) {
        rig_print(&rig);
        fail_msg("%u affected:\n%s", (unsigned)rig.result.totals.affected, text);
    }
    for (size_t k = 0; k < rig.result.residual_count; k++)
        assert_int_equal(rig.result.residuals[k].reason, JCC_RESIDUAL_NOT_PLANNED);
    if (plain)
        assert_int_equal(rig.result.totals.pads + rig.result.totals.prefix_bytes, 0);
    rig_free(&rig);
}

static void a_place_plus_a_register_keeps_the_section_plain(void **state)
{
    (void)state;
    assert_plain("\tleal .Lentry(%edx,%ecx,1), %edx\n\tjmp *%edx\n" BODY, JCC_TARGET_I386, true);
    assert_plain("\tleal .Lentry (%edx), %edx\n\tpush %edx\n\tret\n" BODY, JCC_TARGET_I386, true);
    assert_plain("\tleaq .Lentry(,%rdx,8), %rdx\n\tjmp *%rdx\n" BODY, JCC_TARGET_X86_64, true);
}

static void data_there_may_be_instructions_if_a_jump_is_indirect(void **state)
{
    (void)state;
    static const char body[] = ".p2align 5\n.Lentry:\n\t.byte 0x8b,0x43,0x00\n" NOPS_26 "\tcall g\n\tcall g\n\tret\n";
    char text[1024];
    snprintf(text, sizeof text, "\tleal .Lentry (%%edx,%%ecx,1), %%edx\n\tjmp *%%edx\n%s", body);
    assert_plain(text, JCC_TARGET_I386, true);
    snprintf(text, sizeof text, "\tjmp 1f\n.Ltable:\t.long 1, 2, 3, 4\n1:\tmovl .Ltable(,%%ecx,4), %%edx\n" BODY);
    assert_plain(text, JCC_TARGET_I386, false);
}

static void an_address_that_is_added_to_before_the_jump_does(void **state)
{
    (void)state;
    assert_plain("\tleaq .Lentry(%rip), %rdx\n\tleaq (%rdx,%rcx,4), %rdx\n\tjmp *%rdx\n" BODY, JCC_TARGET_X86_64, true);
    assert_plain("\tleaq .Lentry(%rip), %rdx\n\timulq $15, %rcx, %rcx\n\taddq %rdx, %rcx\n\tjmp *%rcx\n" BODY, JCC_TARGET_X86_64, true);
    assert_plain("\tleaq .Lentry(%rip), %rdx\n\taddq %rdi, %rcx\n\tcall *%rcx\n\tjmp *%rdx\n" BODY, JCC_TARGET_X86_64, false);
    assert_plain("\tleaq .Lentry(%rip), %rdx\n\tmovslq table(,%rcx,4), %rcx\n\taddq %rdx, %rcx\n\tjmp *%rcx\n" BODY
                 ".Lcase:\tret\n\t.section .rodata\ntable:\t.long .Lentry-.Lentry, .Lcase-.Lentry\n",
                 JCC_TARGET_X86_64, false);
}

static void a_distance_as_an_immediate_with_an_indirect_jump_does(void **state)
{
    (void)state;
    assert_plain(".Lhere:\tpopl %edx\n\taddl $.Lentry-.Lhere, %edx\n\tjmp *%edx\n" BODY, JCC_TARGET_I386, true);
    assert_plain(".Lhere:\tpopl %edx\n\taddl $.Lentry - .Lhere, %edx\n\tret\n" BODY, JCC_TARGET_I386, false);
}

static void what_compilers_write_does_not(void **state)
{
    (void)state;
    assert_plain("\tleaq .Lentry(%rip), %rdx\n\tjmp *%rdx\n" BODY, JCC_TARGET_X86_64, false);
    assert_plain("\tleal .Lentry@GOTOFF(%ebx), %edx\n\tjmp *%edx\n" BODY, JCC_TARGET_I386, false);
    assert_plain("\tmovl 8(%edx,%ecx,4), %edx\n\tcall *4(%edx)\n" BODY, JCC_TARGET_I386, false);
    assert_plain("\tmovl table(,%ecx,4), %ecx\n\tleal .Lentry(%ecx), %edx\n\tjmp *%edx\n" BODY
                 ".Lcase:\tret\n\t.section .rodata\ntable:\t.long .Lentry-.Lentry, .Lcase-.Lentry\n",
                 JCC_TARGET_I386, false);
    assert_plain("\tmovl table(,%ecx,4), %edx\n\tcall *%edx\n" BODY "\t.section .rodata\ntable:\t.long .Lentry\n", JCC_TARGET_I386, false);
}

static void the_base_of_the_global_offset_table_is_no_reckoned_place(void **state)
{
    (void)state;
    // As gcc and clang write -mcmodel=large.
    assert_plain(
        "f:\n.Lb: movabsq $_GLOBAL_OFFSET_TABLE_-.Lb, %r11\n\tpushq %r15\n\tleaq .Lb(%rip), %r15\n\taddq %r11, %r15\n\tjmp *%rcx\n" BODY,
        JCC_TARGET_X86_64, false);
    assert_plain("f:\n.Lb: leaq .Lb(%rip), %rax\n\tmovabsq $_GLOBAL_OFFSET_TABLE_-.Lb, %rcx\n\taddq %rax, %rcx\n\tjmp *%rcx\n" BODY,
                 JCC_TARGET_X86_64, false);
    assert_plain(
        "f:\n.Lb: movabsq $_GLOBAL_OFFSET_TABLE_-.Lbase, %r11\n\tleaq .Lb(%rip), %r15\n\taddq %r11, %r15\n\tjmp *%r15\n.Lbase:\n" BODY,
        JCC_TARGET_X86_64, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_plus_a_register_keeps_the_section_plain),
        cmocka_unit_test(data_there_may_be_instructions_if_a_jump_is_indirect),
        cmocka_unit_test(an_address_that_is_added_to_before_the_jump_does),
        cmocka_unit_test(a_distance_as_an_immediate_with_an_indirect_jump_does),
        cmocka_unit_test(what_compilers_write_does_not),
        cmocka_unit_test(the_base_of_the_global_offset_table_is_no_reckoned_place),
    };
    return RIG_RUN(tests);
}
