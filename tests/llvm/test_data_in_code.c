// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data between instructions: what it holds is not taken for code, and where it is code, what it jumps over keeps its size.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"
#include <jccsafe/padding.h>

// Affected, for any fill, is one or another of the jumps.
static const char jumps[] = "jmp g\n.p2align 5\ncli\ncall g\ncall g\ncall g\ncall g\ncall g\ncall g\nje g\nret\n";

// Decoded from its begin, each of these takes the first bytes of what follows for its own.
static void data_that_looks_like_the_begin_of_an_instruction(void **state)
{
    (void)state;
    static const char *const data[] = {".quad g, g+8",      ".byte 0x48, 0xb8", ".long 0x00000081",
                                       ".ascii \"h\\xe8\"", ".byte 0x0f",       ".byte 0xc8, 0, 0"};
    for (size_t k = 0; k < sizeof data / sizeof *data; k++) {
        struct jcc_text text = {0};
        jcc_text_format(&text, ".p2align 5\n.skip 20, 0x90\nret\nd: %s\n", data[k]);
        jcc_text_string(&text, "e: movl %eax, %ebx\nmovl %eax, %ebx\ncli\ncall g\ncli\nje g\nret\n");
        jcc_text_string(&text, jumps);
        struct rig plain = rig_plain(text.data), rig = rig_assemble(text.data);
        uint64_t length = rig_symbol(&plain, "e") - rig_symbol(&plain, "d");
        assert_memory_equal(rig_bytes_at(&rig, ".text", "d"), rig_bytes_at(&plain, ".text", "d"), length);
        for (size_t r = 0; r < rig.result.residual_count; r++)
            if (rig_verify == JCC_VERIFY_PLAN && rig.result.residuals[r].reason != JCC_RESIDUAL_WRITTEN_AS_DATA) {
                rig_print(&rig);
                fail_msg("%s: a section is not planned for it", data[k]);
            }
        rig_free(&plain);
        rig_free(&rig);
        jcc_text_free(&text);
    }
}

// A branch of data at LABEL jumps over one instruction that a prefix would fit, to t.
static void assert_jumped_over(const char *before)
{
    for (unsigned fill = 0; fill < 32; fill++) {
        struct jcc_text text = {0};
        jcc_text_string(&text, ".p2align 5\n");
        rig_nops(&text, fill);
        jcc_text_format(&text, "%s\n.byte 0xeb, 0x02\nb: movl %%eax, %%ebx\nt: cli\njmp g\n", before);
        jcc_text_string(&text, jumps);
        struct rig rig = rig_assemble(text.data);
        if (rig_symbol(&rig, "t") - rig_symbol(&rig, "b") != 2)
            fail_msg("%s: the jump of data leads elsewhere", before);
        rig_free(&rig);
        jcc_text_free(&text);
    }
}

static void a_branch_made_of_data_keeps_its_target(void **state)
{
    (void)state;
    assert_jumped_over("cli");
    assert_jumped_over("cli\n.p2align 4");
    assert_jumped_over("je 1f\nret\n1:");
    assert_jumped_over("call f\nret\nf:");
    assert_jumped_over("cli\n.p2align 1\nsled:");
}

// An object cannot tell where an immediate came from, so this is held against the plan, or left alone.
static void differences_of_labels_in_operands_follow_the_code(void **state)
{
    (void)state;
    static const char *const forms[] = {"movl $(t-f), %eax", "leaq t-f(%rax), %rax", "addq $t-f, %rax", "pushq $t-f"};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        struct jcc_text text = {0};
        jcc_text_format(&text, ".p2align 5\nf: %s\n", forms[k]);
        jcc_text_string(&text, jumps);
        jcc_text_string(&text, "t: ret\n");
        struct rig rig = rig_assemble(text.data);
        uint64_t want = rig_symbol(&rig, "t") - rig_symbol(&rig, "f");
        struct jcc_insn insn;
        const uint8_t *at = rig_bytes_at(&rig, ".text", "f");
        assert_int_equal(jcc_insn_decode(JCC_MODE_64, at, 15, &insn), JCC_OK);
        unsigned offset = insn.imm_offset ? insn.imm_offset : insn.disp_offset, size = insn.imm_offset ? insn.imm_size : insn.disp_size;
        uint64_t got = 0;
        memcpy(&got, at + offset, size);
        if (got != want)
            fail_msg("%s: %u, not %u", forms[k], (unsigned)got, (unsigned)want);
        if (rig_verify == JCC_VERIFY_PLAN)
            rig_assert_clean(&rig);
        rig_free(&rig);
        jcc_text_free(&text);
    }
}

// More sections than there are rounds hold something that only the object shows: each stays plain alone.
static void one_section_that_cannot_be_padded_costs_the_others_nothing(void **state)
{
    (void)state;
    struct jcc_text text = {0};
    for (int k = 0; k < 20; k++) {
        jcc_text_format(&text, ".section .text.s%d,\"ax\"\n.p2align 5\n.byte 0x90\n.skip 30, 0x90\n", k);
        jcc_text_format(&text, "a%d: cli\n", k);
        // The size of what stands here depends on the distance to a place behind it, in the other section.
        if (k % 2)
            jcc_text_format(&text, ".fill (b%d-c%d)/8, 1, 0x90\n", k - 1, k - 1);
        jcc_text_format(&text, "c%d: ", k);
        jcc_text_string(&text, jumps);
        jcc_text_format(&text, "b%d: ret\n", k);
    }
    struct rig rig = rig_assemble(text.data);
    for (size_t k = 0; k < rig.result.residual_count; k++) {
        const char *section = rig.result.residuals[k].section;
        if ((section[strlen(section) - 1] - '0') % 2 == 0)
            fail_msg("%s is not padded", section);
    }
    assert_true(rig.result.totals.pads >= 10);
    rig_free(&rig);
    jcc_text_free(&text);
}

// Data may look like the beginning of an instruction that goes on into the branch behind it.
static void a_branch_that_data_hides_is_a_residual(void **state)
{
    (void)state;
    static const char *const data[] = {".string \"abc\"", ".byte 0x48, 0xb8", ".long 0xb848c3c3"};
    for (size_t k = 0; k < sizeof data / sizeof *data; k++)
        for (unsigned before = 0; before < 32; before++) {
            char text[200];
            snprintf(text, sizeof text, ".p2align 5\n.skip %u, 0x90\njmp *%%rax\n%s\nL3: addl $1, %%edx\nje L3\nret\n", before, data[k]);
            struct rig rig = rig_assemble(text);
            uint64_t at = rig_symbol(&rig, "L3");
            bool found = !jcc_affected(32, at, 5);
            for (size_t n = 0; n < rig.result.residual_count; n++)
                found |= rig.result.residuals[n].offset == at && rig.result.residuals[n].line == 5;
            if (!found || rig.result.totals.affected != rig.result.residual_count) {
                rig_print(&rig);
                fail_msg("%u bytes before %s", before, data[k]);
            }
            rig_free(&rig);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_that_looks_like_the_begin_of_an_instruction),
        cmocka_unit_test(a_branch_made_of_data_keeps_its_target),
        cmocka_unit_test(differences_of_labels_in_operands_follow_the_code),
        cmocka_unit_test(one_section_that_cannot_be_padded_costs_the_others_nothing),
        cmocka_unit_test(a_branch_that_data_hides_is_a_residual),
    };
    return RIG_RUN(tests);
}
