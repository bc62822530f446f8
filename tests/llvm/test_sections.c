// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code in every kind of section that the text can name is planned: each body below holds an affected unit wherever it begins.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"

#include <elf.h>

#define BODY "\tcall g\n\tcall g\n\tcall g\n\tcall g\n\tcall g\n\tcall g\n\tcall g\n\tcall g\n\tret\n"

// TEXT holds BODIES bodies, each in a section or subsection of its own.
static void assert_planned(const char *text, unsigned bodies)
{
    struct rig rig = rig_assemble(text);
    if (rig.result.totals.affected) {
        rig_print(&rig);
        fail_msg("not clean:\n%s", text);
    }
    assert_int_equal(rig.result.totals.units, 9 * bodies);
    assert_true(rig.result.totals.affected_plain >= 1);
    for (size_t k = 1; k < rig.object.section_count; k++) {
        const struct jcc_emitted_section *s = &rig.object.sections[k];
        if (s->flags & SHF_EXECINSTR && s->size)
            assert_true(s->alignment >= 32);
    }
    rig_assert_same(&rig, text);
    rig_free(&rig);
}

static void sections_by_name_and_flags(void **state)
{
    (void)state;
    assert_planned(BODY, 1);
    assert_planned(
        "\t.section .text.a,\"ax\",@progbits\n" BODY "\t.section .text.b,\"ax\"\n" BODY "\t.section strange,\"xa\",@progbits\n" BODY, 3);
    assert_planned("\t.section .init\n" BODY "\t.section .fini\n" BODY "\t.section .text.none\n" BODY "\t.section \".text.quoted\"\n" BODY,
                   4);
    assert_planned("\t.section \"a b\",\"ax\",@progbits\n" BODY, 1);
    assert_planned("\t.section .text.a,\"ax\",@progbits\n\tnop\n\t.data\n\t.long 1\n\t.section .text.a\n" BODY, 1);
    assert_planned("\t.section .text.wax,\"awx\",@progbits\n" BODY, 1);
    assert_planned("\t.section .text.a,\"a\"\n" BODY "\t.section .init,\"aw\"\n" BODY, 2);  // as its name has it
    assert_planned("\t.section a,\"6\",@progbits\n" BODY "\t.section b,\"0x6\"\n" BODY, 2); // the flags' number
}

static void quoted_names(void **state)
{
    (void)state;
    static const char *const names[] = {
        "\".text.x y\"", "\".text.x,y\"", "\".text.x\\\"y,\"", "\"x\\\\\"", ".text.\"x y\"", "\"text;x # y\"", "\"6\"", ".text.x-y@1/2",
    };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char text[512];
        snprintf(text, sizeof text, "\t.section %s,\"ax\",@progbits\n" BODY "\t.data\n\t.long 1\n\t.section %s\n" BODY, names[k], names[k]);
        assert_planned(text, 2);
    }
}

// LLVM would write its own tables into them.
static void the_names_of_the_objects_own_tables_are_refused(void **state)
{
    (void)state;
    static const char *const refused[] = {".section .strtab", ".section \".symtab\",\"\",@progbits",
                                          ".pushsection .strtab,\"a\"\n.popsection"};
    static const char *const taken[] = {".section .shstrtab", ".section .symtab_shndx", ".section .strtab.x,\"a\"", ".section .strtab-x"};
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        char text[128];
        snprintf(text, sizeof text, "f: ret\n%s\n.asciz \"x\"\n", refused[k]);
        struct jcc_assemble_request request = rig_request(text);
        struct rig rig = rig_assemble_request(&request);
        assert_int_equal(rig.status, JCC_ERROR_SOURCE);
        assert_int_equal(rig.result.diagnostic_count, 1);
        assert_int_equal(rig.result.diagnostics[0].line, 2);
        rig_free(&rig);
    }
    for (size_t k = 0; k < sizeof taken / sizeof *taken; k++) {
        char text[128];
        snprintf(text, sizeof text, "f: ret\n%s\n.asciz \"x\"\n", taken[k]);
        struct rig rig = rig_assemble(text);
        assert_int_equal(rig_symbol(&rig, "f"), 0);
        rig_free(&rig);
    }
}

static void pushed_popped_and_previous_sections(void **state)
{
    (void)state;
    assert_planned(
        "\t.pushsection .text.a,\"ax\"\n\tcall g\n\tcall g\n\t.pushsection .data\n\t.long 1\n\t.popsection\n\tcall g\n\tcall g\n\tcall g\n"
        "\tcall g\n\tcall g\n\tcall g\n\tret\n\t.popsection\n" BODY,
        2);
    assert_planned("\t.section .text.a,\"ax\"\n\tcall g\n\t.section .text.b,\"ax\"\n\tcall g\n\t.previous\n\tcall g\n\t.previous\n\tcall "
                   "g\n\t.previous\n"
                   "\tcall g\n\tcall g\n\tcall g\n\tcall g\n\tcall g\n\tcall g\n\tret\n\t.previous\n\tcall g\n\tcall g\n\tcall g\n\tcall "
                   "g\n\tcall g\n\tcall g\n\tret\n",
                   2);
    // What .previous goes back to is part of what .popsection restores.
    assert_planned("\t.data\n\t.text\n\t.pushsection .rodata\n\t.section .bss\n\t.popsection\n" BODY "\t.previous\n\t.long 1\n", 1);
}

static void subsections_in_their_order(void **state)
{
    (void)state;
    assert_planned("\t.text 2\n" BODY "\t.text\n" BODY "\t.subsection 1\n" BODY, 3);
    assert_planned("\t.section .text.a,\"ax\"\n\t.subsection 1\n" BODY "\t.subsection 0\n" BODY "\t.pushsection .text.a, 3\n" BODY
                   "\t.popsection\n",
                   3);
    // A jump into another subsection is a jump within the section.
    assert_planned("\tcall g\n\tcall g\n\tcall g\n\tcall g\n\tcall g\n\tcall g\n1:\tjne 2f\n\tcall g\n\tret\n\t.text 1\n\tcall g\n\tcall "
                   "g\n\tcall g\n\tcall g\n\tcall g\n"
                   "\tcall g\n\tcall g\n2:\tjmp 1b\n\tret\n",
                   2);
}

static void one_name_in_different_groups(void **state)
{
    (void)state;
    assert_planned("\t.section .text.f,\"axG\",@progbits,f,comdat\n\t.weak f\nf:\n" BODY
                   "\t.section .text.f,\"axG\",@progbits,g1,comdat\n\t.weak g1\ng1:\n\tnop\n" BODY
                   "\t.section .text.f,\"ax\",@progbits\n\tnopl (%rax)\n" BODY "\t.section .text.f,\"axG\",@progbits,f,comdat\n\tnop\n",
                   3);
}

static void one_name_with_different_numbers(void **state)
{
    (void)state;
    assert_planned("\t.section .text,\"ax\",@progbits,unique,1\n" BODY "\t.section .text,\"ax\",@progbits,unique,2\n\tnop\n" BODY
                   "\t.text\n" BODY "\t.section .text,\"ax\",@progbits,unique,1\n\tnop\n",
                   3);
}

static void sections_that_no_code_is_in_are_left_alone(void **state)
{
    (void)state;
    static const char text[] = "\t.section .rodata.code,\"a\"\n\tcall g\n\tcall g\n\tcall g\n\tcall g\n\tcall g\n\tcall g\n\tcall g\n";
    struct rig plain = rig_plain(text), rig = rig_assemble(text);
    const struct jcc_emitted_section *a = rig_section(&plain, ".rodata.code"), *b = rig_section(&rig, ".rodata.code");
    assert_int_equal(a->size, b->size);
    assert_int_equal(a->alignment, b->alignment);
    assert_memory_equal(a->bytes, b->bytes, a->size);
    assert_int_equal(rig.result.totals.units, 0);
    rig_free(&plain);
    rig_free(&rig);
}

// ---- many sections

// As -ffunction-sections writes them.
static void assemble_sections(unsigned count)
{
    struct jcc_text text = {0};
    for (unsigned k = 0; k < count; k++)
        jcc_text_format(
            &text,
            "\t.section .text.f%u,\"ax\",@progbits\n\t.globl f%u\n\t.type f%u, @function\nf%u:\n\tnop\n\tcall f%u\n\tcall g@PLT\n"
            "\tcall g@PLT\n\tcall g@PLT\n\tcall g@PLT\n\ttestl %%eax, %%eax\n\tje .L%u\n\tcall g\n.L%u:\tret\n\t.size f%u, .-f%u\n",
            k, k, k, k, (k * 7) % count, k, k, k, k);
    struct rig rig = rig_assemble(text.data);
    rig_assert_clean(&rig);
    assert_int_equal(rig.result.totals.units, 8 * count);
    assert_true(rig.result.totals.affected_plain >= count);
    rig_free(&rig);
    jcc_text_free(&text);
}

// Anything quadratic in their number would show in the test's time.
static void twenty_thousand_sections(void **state)
{
    (void)state;
    assemble_sections(20000);
}

// ELF numbers sections beyond 65,279 in a table of their own.
static void more_sections_than_sixteen_bits_count(void **state)
{
    (void)state;
    if (rig_verify == JCC_VERIFY_FULL)
        return; // a number's width is the same either way, and this takes long
    struct jcc_text text = {0};
    for (unsigned k = 0; k < 65400; k++)
        jcc_text_format(&text, ".section .text.f%u,\"ax\"\nf%u: ret\n", k, k);
    jcc_text_string(&text, ".section .text.last,\"ax\"\nlast:\n" BODY ".data\n.quad last, f65399\n");
    struct rig rig = rig_assemble(text.data);
    rig_assert_clean(&rig);
    assert_true(rig.object.section_count > 65400);
    assert_int_equal(rig.result.totals.units, 65400 + 9);
    const struct jcc_emitted_section *last = rig_section(&rig, ".text.last");
    assert_int_equal(last->alignment, 32);
    rig_free(&rig);
    jcc_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_by_name_and_flags),
        cmocka_unit_test(pushed_popped_and_previous_sections),
        cmocka_unit_test(subsections_in_their_order),
        cmocka_unit_test(one_name_in_different_groups),
        cmocka_unit_test(one_name_with_different_numbers),
        cmocka_unit_test(sections_that_no_code_is_in_are_left_alone),
        cmocka_unit_test(quoted_names),
        cmocka_unit_test(the_names_of_the_objects_own_tables_are_refused),
        cmocka_unit_test(twenty_thousand_sections),
        cmocka_unit_test(more_sections_than_sixteen_bits_count),
    };
    return RIG_RUN(tests);
}
