// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What gcc -masm=intel writes for GNU as is assembled to what its AT&T output means, on every LLVM.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"

#include <elf.h>

struct pair {
    const char *intel, *att;
};

static void assert_same_code(const struct pair *pairs, size_t count, enum jcc_target target)
{
    for (size_t k = 0; k < count; k++) {
        char intel[256], att[256];
        snprintf(intel, sizeof intel, ".intel_syntax noprefix\nf: nop\n%s\nlea ebx, [eax+4]\n", pairs[k].intel);
        snprintf(att, sizeof att, "f: nop\n%s\nlea 4(%%eax), %%ebx\n", pairs[k].att);
        struct rig a = rig_assemble_as(intel, jcc_policy_off(), target), b = rig_assemble_as(att, jcc_policy_off(), target);
        const struct jcc_emitted_section *x = rig_section(&a, ".text"), *y = rig_section(&b, ".text");
        if (x->size != y->size || memcmp(x->bytes, y->bytes, (size_t)x->size) != 0)
            fail_msg("%s: not %s", pairs[k].intel, pairs[k].att);
        size_t relocations = jcc_emitted_relocation_count(&a.object, x);
        assert_int_equal(relocations, jcc_emitted_relocation_count(&b.object, y));
        for (size_t n = 0; n < relocations; n++) {
            struct jcc_emitted_relocation r = jcc_emitted_relocation(&a.object, x, n), s = jcc_emitted_relocation(&b.object, y, n);
            assert_int_equal(r.type, s.type);
            assert_int_equal(r.offset, s.offset);
        }
        rig_free(&a);
        rig_free(&b);
    }
}

static void statements_of_64_bit_code_mean_the_same(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"movsx rax, DWORD PTR [rdx+rdi*4]", "movslq (%rdx,%rdi,4), %rax"},
        {"movsx\tr8, esi", "movslq %esi, %r8"},
        {"movsx r15, r10d", "movslq %r10d, %r15"},
        {"movsx rax, BYTE PTR [rdx]", "movsbq (%rdx), %rax"},
        {"movsx rax, cx", "movswq %cx, %rax"},
        {"movsx rax, DWORD PTR v[rip]", "movslq v(%rip), %rax"},
        {"movsx eax, WORD PTR v[rip+2]", "movswl v+2(%rip), %eax"},
        {"mov edi, OFFSET FLAT:.Lx+8\n.Lx:", "movl $.Lx+8, %edi\n.Lx:"},
        {"mov QWORD PTR [rax+8], OFFSET FLAT:v", "movq $v, 8(%rax)"},
        {"cmp rax, offset flat:v", "cmpq $v, %rax"},
        {"push OFFSET FLAT:v", "pushq $v"},
        {"jmp [QWORD PTR [rax+rdi*8]]", "jmp *(%rax,%rdi,8)"},
        {"call [QWORD PTR 8[rbx]]", "call *8(%rbx)"},
        {"call [QWORD PTR v[rip+96]]", "call *v+96(%rip)"},
        {"call [QWORD PTR g@GOTPCREL[rip]]", "call *g@GOTPCREL(%rip)"},
        {"notrack jmp [QWORD PTR v[0+rax*8]]", "notrack jmp *v(,%rax,8)"},
        {"call [QWORD PTR v+8]", "call *v+8"},
        {"call QWORD PTR v", "call *v"},
        {"jmp QWORD PTR [v+4]", "jmp *v+4"},
        {"jmp QWORD PTR fs:[rax]", "jmp *%fs:(%rax)"},
        {"call rax", "call *%rax"},
        {"call g", "call g"},
        {"jmp [r11]", "jmp *(%r11)"},
        {"mov rax, OFFSET FLAT:16+v", "movq $v+16, %rax"},
        {"add rax, OFFSET FLAT:16+v@tpoff", "addq $v@tpoff+16, %rax"},
        {".macro tailcall reg, off=8\njmp qword ptr [\\reg + \\off]\n.endm\ntailcall rdi", "jmp *8(%rdi)"},
        {".irp r,rax,rbx\ncall qword ptr [\\r]\n.endr", "call *(%rax)\ncall *(%rbx)"},
    };
    assert_same_code(pairs, sizeof pairs / sizeof *pairs, JCC_TARGET_X86_64);
}

static void statements_of_32_bit_code_mean_the_same(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"add ebx, OFFSET FLAT:_GLOBAL_OFFSET_TABLE_", "addl $_GLOBAL_OFFSET_TABLE_, %ebx"},
        {"mov DWORD PTR [esp+4], OFFSET FLAT:v+4", "movl $v+4, 4(%esp)"},
        {"call [DWORD PTR v+12]", "call *v+12"},
        {"jmp [DWORD PTR v[0+eax*4]]", "jmp *v(,%eax,4)"},
        {"jmp [DWORD PTR v@GOTOFF[eax+edx*4]]", "jmp *v@GOTOFF(%eax,%edx,4)"},
        {"call [DWORD PTR [ebp+8]]", "call *8(%ebp)"},
        {"call DWORD PTR v", "call *v"},
        {"jmp dword ptr [bx]", "jmp *(%bx)"},
        {"jmp dword ptr [bx+si]", "jmp *(%bx,%si)"},
    };
    assert_same_code(pairs, sizeof pairs / sizeof *pairs, JCC_TARGET_I386);
}

static void it_is_padded_and_proved(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 32; k++) {
        struct jcc_text text = {0};
        jcc_text_string(&text, ".intel_syntax noprefix\nf:\n");
        rig_nops(&text, k);
        jcc_text_string(&text, "movsx rax, DWORD PTR [rdx]\ncmp rax, 5\nje f\ncall [QWORD PTR v+8]\njmp [QWORD PTR v[0+rax*8]]\n"
                               ".section .rodata\nv: .quad f\n");
        struct rig rig = rig_assemble(text.data);
        rig_assert_clean(&rig);
        rig_assert_same(&rig, text.data);
        rig_free(&rig);
        jcc_text_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statements_of_64_bit_code_mean_the_same),
        cmocka_unit_test(statements_of_32_bit_code_mean_the_same),
        cmocka_unit_test(it_is_padded_and_proved),
    };
    return RIG_RUN(tests);
}
