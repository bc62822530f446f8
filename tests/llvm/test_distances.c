// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A place that the source names by counting bytes stays where it is counted to: what lies between is left alone, or the
// count is the assembler's own and follows.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"
#include "compat.h"

// FORM, LENGTH bytes at f, speaks of the instruction at t, 35 bytes from f, in a way that only bytes tell; the jmp between is affected.
static void assert_kept(const char *form, unsigned length, const char *rest)
{
    struct jcc_text text = {0};
    jcc_text_format(&text, ".p2align 5\nf: %s\n", form);
    for (unsigned k = length; k < 30; k++)
        jcc_text_string(&text, "cld\n");
    jcc_text_format(&text, "jmp g\nt: incl %%eax\nret\n%s", rest);
    struct rig rig = rig_assemble(text.data);
    if (rig_symbol(&rig, "t") - rig_symbol(&rig, "f") != 35)
        fail_msg("%s: t is %u bytes from f", form, (unsigned)(rig_symbol(&rig, "t") - rig_symbol(&rig, "f")));
    assert_int_equal(rig_affected(&rig), 1);
    rig_assert_same(&rig, text.data);
    rig_free(&rig);
    jcc_text_free(&text);
}

static void operands_that_count_from_a_label_or_from_here(void **state)
{
    (void)state;
    static const struct {
        const char *form;
        unsigned length;
    } forms[] = {
        {"leaq f+35(%rip), %rax", 7},
        {"leaq .+35(%rip), %rax", 7},
        {"leaq 28(%rip), %rax", 7},
        {"leaq 0x1c(%rip), %rax", 7},
        {"jmp *f+35(%rip)", 6},
        {"movl $f+35, %eax", 5},
        {"call f+35", 5},
        {"call .+35", 5},
        {"jmp f+35", 2},
        {"je .+35", 2},
        {"leaq f-1+36(%rip), %rax", 7},
        {"leaq 35+f(%rip), %rax", 7},
        {"leaq \"f\"+35(%rip), %rax", 7},
        {"movq f+35(,%rax,8), %rax", 8},
        {"leaq f+(4*9-1)(%rip), %rax", 7},
    };
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
        assert_kept(forms[k].form, forms[k].length, "");
    assert_kept("leaq f+35(%rip), %rax", 7, ".globl f\n");
}

static void data_that_counts_from_a_label(void **state)
{
    (void)state;
    assert_kept("cli", 1, ".data\n.quad f+35\n");
    assert_kept("cli", 1, ".globl f\n.data\n.long f+35-.\n");
    assert_kept("cli", 1, ".data\n.quad 1, t-35\n");
}

static void assigned_symbols_that_count_from_a_label(void **state)
{
    (void)state;
    assert_kept("leaq p(%rip), %rax", 7, "p = f+35\n");
    assert_kept("leaq p(%rip), %rax", 7, ".set p, f + 35\n");
    assert_kept("cli", 1, ".globl p\np = t-35\n");
    assert_kept("here = .+35\n cli", 1, ".data\n.quad here\n");
    assert_kept("leaq p+5(%rip), %rax", 7, ".equ p, f+30\n");
    assert_kept("leaq p+35(%rip), %rax", 7, ".equ p, f\n");
    assert_kept("cli", 1, ".data\n.quad f+n\nn = 35\n");
    assert_kept("cli", 1, ".data\n.quad f+n\nn = 30\nn = 35\n");
    assert_kept("cli", 1, ".set n, m\n.set m, 35\n.data\n.quad f+n\n");
}

static void symbols_that_count_themselves_up_take_no_time(void **state)
{
    (void)state;
    struct jcc_text text = {0};
    jcc_text_string(&text, "n = 0\nf: jmp g\n");
    for (unsigned k = 0; k < 5000; k++) // each could be any of the others: 5,000 to the eighth ways to read the last
        jcc_text_string(&text, "n = n + 1\ncall g\n");
    jcc_text_string(&text, ".data\n.quad f+n\n");
    struct rig rig = rig_assemble(text.data);
    rig_assert_same(&rig, text.data);
    rig_free(&rig);
    jcc_text_free(&text);
}

static void sums_in_parentheses_count(void **state)
{
    (void)state;
    assert_kept("cli", 1, ".data\n.quad f+37-(1+1)\n");
    assert_kept("cli", 1, ".data\n.quad 1-(-34-f)\n");
    assert_kept("cli", 1, ".data\n.quad f+'#'\n"); // 35
}

static void relocations_put_by_hand(void **state)
{
    (void)state;
    assert_kept("cli", 1, ".reloc f+35, R_X86_64_8, x\n");
    if (JCC_LLVM_MAJOR > 19) // up to then it may come to where the section has no byte
        assert_kept("cli", 1, ".reloc 35, R_X86_64_8, x\n");
    assert_kept(".reloc .+35, R_X86_64_8, x\n cli", 1, "");
}

// T follows: LLVM counts.
static void assert_follows(const char *form, unsigned length, const char *rest)
{
    struct jcc_text text = {0};
    jcc_text_format(&text, ".p2align 5\nf: %s\n", form);
    for (unsigned k = length; k < 30; k++)
        jcc_text_string(&text, "cld\n");
    jcc_text_format(&text, "jmp g\nt: incl %%eax\nret\n%s", rest);
    struct rig rig = rig_assemble(text.data);
    if (rig.result.totals.affected)
        fail_msg("%s: not padded", form);
    assert_int_not_equal(rig_symbol(&rig, "t"), 35);
    rig_free(&rig);
    jcc_text_free(&text);
}

static void names_alone_follow_the_code(void **state)
{
    (void)state;
    assert_follows("leaq t(%rip), %rax", 7, "");
    assert_follows("leaq alias(%rip), %rax", 7, ".set alias, t\n");
    assert_follows("leaq t-5(%rip), %rax", 7, ""); // the jmp, which a pad before it does not part from t
    assert_follows("movq -8(%rbp), %rax", 4, "");
    assert_follows("movq x+8(%rip), %rax", 7, ".data\nx: .quad 0, 0\n");
    assert_follows("movq x+8(%rip), %rax", 7, "");
    assert_follows("cli", 1, ".data\n.quad t\n.long t-.\n");
    assert_follows("cli", 1, ".data\n.quad t+n\nn = 0\n");
    assert_follows("cli", 1, ".reloc t, R_X86_64_NONE, x\n");
    assert_follows("cli", 1, ".section .debug_info,\"\"\n.quad f+35\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operands_that_count_from_a_label_or_from_here),
        cmocka_unit_test(data_that_counts_from_a_label),
        cmocka_unit_test(assigned_symbols_that_count_from_a_label),
        cmocka_unit_test(symbols_that_count_themselves_up_take_no_time),
        cmocka_unit_test(sums_in_parentheses_count),
        cmocka_unit_test(relocations_put_by_hand),
        cmocka_unit_test(names_alone_follow_the_code),
    };
    return RIG_RUN(tests);
}
