// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Labels and the jumps to them: each jump is as long as the plan holds it, and leads where it did.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"

// TEXT behind 0 to 31 bytes of other code comes out clean, in one round, and the same program.
static void assert_clean_anywhere(const char *text, enum jcc_target target)
{
    for (unsigned fill = 0; fill < 32; fill++) {
        struct jcc_text whole = {0};
        jcc_text_string(&whole, ".text\n.p2align 5\n");
        rig_nops(&whole, fill);
        jcc_text_string(&whole, text);
        struct rig rig = rig_assemble_as(whole.data, jcc_policy_full(), target);
        if (rig.result.totals.affected || rig.result.totals.rounds != 1) {
            rig_print(&rig);
            fail_msg("%u affected after %u rounds:\n%s", (unsigned)rig.result.totals.affected, rig.result.totals.rounds, whole.data);
        }
        rig_affected(&rig);
        rig_assert_same_as(&rig, whole.data, target);
        rig_free(&rig);
        jcc_text_free(&whole);
    }
}

static void numeric_labels_are_the_nearest(void **state)
{
    (void)state;
    assert_clean_anywhere("1: nop\n jne 1b\n jne 1f\n call g\n1: testl %eax, %eax\n je 1b\n je 2f\n1: jmp 1b\n2: ret\n12: jne 12b\n ret\n",
                          JCC_TARGET_X86_64);
    assert_clean_anywhere("1: 1: 1: jne 1b\n jmp 1f\n call g\n1:\n", JCC_TARGET_X86_64);
}

static void names_may_be_quoted_aliased_or_odd(void **state)
{
    (void)state;
    assert_clean_anywhere("\"a b\": nop\n jne \"a b\"\n call g\n \"c;#\": testl %eax, %eax\n je \"c;#\"\n ret\n", JCC_TARGET_X86_64);
    assert_clean_anywhere("a: nop\n.set b, a\n jne b\n call g\n c = a\n jmp c\n call g\n jne d\n ret\n d = e\n e: ret\n",
                          JCC_TARGET_X86_64);
    assert_clean_anywhere(".L$x: nop\n_y.z: jne .L$x\n call _y.z\n jne _y.z\n ret\n", JCC_TARGET_X86_64);
    assert_clean_anywhere("here = .\n nop\n jne here\n call g\n jmp here\n ret\n", JCC_TARGET_X86_64);
}

static void jumps_to_other_symbols_keep_their_relocation(void **state)
{
    (void)state;
    assert_clean_anywhere(".globl a\na: nop\n jne a\n jmp a\n call a\n jmp b\n call b@PLT\n jne b@PLT\n.weak c\nc: jmp c\n ret\n",
                          JCC_TARGET_X86_64);
    assert_clean_anywhere("a: jmp .Lcold\n call g\n jne .Lcold\n ret\n.section .text.cold,\"ax\"\n.Lcold: call g\n jmp a\n.text\n",
                          JCC_TARGET_X86_64);
}

// A jump over BYTES of code full of affected units, forward and back.
static void assert_jump_over(unsigned bytes, const char *jump, enum jcc_target target)
{
    struct jcc_text text = {0};
    jcc_text_format(&text, "a: %s b\n", jump);
    for (unsigned n = 0; n + 5 <= bytes; n += 5)
        jcc_text_string(&text, " call g\n");
    for (unsigned n = 0; n < bytes % 5; n++)
        jcc_text_string(&text, " cld\n");
    jcc_text_format(&text, "b: %s a\n ret\n", jump);
    assert_clean_anywhere(text.data, target);
    jcc_text_free(&text);
}

// Pads push the target out of a short jump's reach, or nearly so.
static void jumps_grow_when_pads_push_their_target_away(void **state)
{
    (void)state;
    for (unsigned bytes = 95; bytes <= 130; bytes += 5)
        assert_jump_over(bytes, "jmp", JCC_TARGET_X86_64);
    for (unsigned bytes = 98; bytes <= 128; bytes += 6)
        assert_jump_over(bytes, "je", JCC_TARGET_I386);
    assert_jump_over(113, "jne", JCC_TARGET_X32);
}

static void a_length_that_the_source_asks_for_is_kept(void **state)
{
    (void)state;
    assert_clean_anywhere("a: {disp32} jmp a\n {disp32} jne a\n call g\n jmp a\n ret\n", JCC_TARGET_X86_64);
    assert_clean_anywhere("a: jmp.d32 a\n jne.d32 a\n call g\n jmp a\n ret\n", JCC_TARGET_X86_64);
}

// A branch into an instruction: what it jumps over keeps its bytes.
static void a_jump_into_an_instruction_leads_to_the_same_bytes(void **state)
{
    (void)state;
    for (unsigned fill = 0; fill < 32; fill++) {
        struct jcc_text text = {0};
        jcc_text_string(&text, ".p2align 5\n");
        rig_nops(&text, fill);
        jcc_text_string(&text, "a: je .+3\nb: lock cmpxchgl %eax, (%rdx)\n call g\n jmp b+1\n call g\n call g\n call g\n je g\n ret\n");
        struct rig rig = rig_assemble(text.data);
        const uint8_t *at = rig_bytes_at(&rig, ".text", "a");
        assert_int_equal(at[0], 0x74);
        assert_int_equal(at[1], 1);
        assert_int_equal(at[2], 0xf0);
        rig_free(&rig);
        jcc_text_free(&text);
    }
}

static void short_branches_stay_in_reach(void **state)
{
    (void)state;
    for (unsigned room = 0; room < 40; room++) {
        struct jcc_text text = {0};
        jcc_text_string(&text, ".p2align 5\ntop: testl %eax, %eax\n");
        for (unsigned n = 2; n + 5 + room <= 126; n += 5)
            jcc_text_string(&text, " call g\n");
        jcc_text_string(&text, " loop top\n jmp g\n");
        struct rig rig = rig_assemble(text.data);
        rig_affected(&rig);
        for (size_t k = 0; k < rig.result.residual_count; k++)
            assert_int_equal(rig.result.residuals[k].reason, JCC_RESIDUAL_SHORT_BRANCH);
        if (room == 39)
            rig_assert_clean(&rig);
        rig_assert_same(&rig, text.data);
        rig_free(&rig);
        jcc_text_free(&text);
    }
}

// Where an alignment comes to nothing what is before it fuses with the jump behind it.
static void pairs_that_meet_over_an_alignment_are_units(void **state)
{
    static const char *const aligns[] = {".p2align 5",
                                         ".p2align 4",
                                         ".p2align 3",
                                         ".p2align 4,,10\n.p2align 3",
                                         ".p2align 6,,3",
                                         ".p2align 9",
                                         ".p2align 5\n.p2align 3",
                                         ".p2align 5\n.p2align 5",
                                         ".p2align 6\n.p2align 4"};
    (void)state;
    for (size_t k = 0; k < sizeof aligns / sizeof *aligns; k++)
        for (unsigned align = 0; align < 2; align++) {
            char text[400];
            snprintf(text, sizeof text,
                     "call f\ncall g\ncmpl $0x11223344, %%eax\n%s\n0: jne 0b\nmovl %%eax, %%ebx\ncall f\ntestl %%ebx, %%ebx\n%s\n.L1: jle "
                     "%s\nret\n",
                     aligns[k], aligns[k], align ? "far" : ".L1");
            assert_clean_anywhere(text, JCC_TARGET_X86_64);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numeric_labels_are_the_nearest),
        cmocka_unit_test(names_may_be_quoted_aliased_or_odd),
        cmocka_unit_test(jumps_to_other_symbols_keep_their_relocation),
        cmocka_unit_test(jumps_grow_when_pads_push_their_target_away),
        cmocka_unit_test(a_length_that_the_source_asks_for_is_kept),
        cmocka_unit_test(a_jump_into_an_instruction_leads_to_the_same_bytes),
        cmocka_unit_test(short_branches_stay_in_reach),
        cmocka_unit_test(pairs_that_meet_over_an_alignment_are_units),
    };
    return RIG_RUN(tests);
}
