// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A load from the global offset table has the type of relocation by which a linker may make it a direct one, on every LLVM.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"

#include <elf.h>

struct load {
    const char *text;
    uint32_t type;
};

// The type of the only relocation of TEXT's code.
static uint32_t type_of(const char *text, enum jcc_target target, struct jcc_policy policy)
{
    struct rig rig = rig_assemble_as(text, policy, target);
    const struct jcc_emitted_section *code = rig_section(&rig, ".text");
    assert_int_equal(jcc_emitted_relocation_count(&rig.object, code), 1);
    uint32_t type = jcc_emitted_relocation(&rig.object, code, 0).type;
    rig_free(&rig);
    return type;
}

// Each load alone, behind bytes that look like a REX prefix, and padded.
static void assert_types(const struct load *loads, size_t count, enum jcc_target target)
{
    for (size_t k = 0; k < count; k++) {
        if (type_of(loads[k].text, target, jcc_policy_off()) != loads[k].type)
            fail_msg("%s: another type", loads[k].text);
        struct jcc_text text = {0};
        jcc_text_format(&text, "f: .skip 20, 0x90\nmovl $0x48484848, %%edx\n%s\ncmpl %%edx, %%ecx\nje f\nret\n", loads[k].text);
        if (type_of(text.data, target, jcc_policy_off()) != loads[k].type || type_of(text.data, target, jcc_policy_full()) != loads[k].type)
            fail_msg("%s: another type behind other code", loads[k].text);
        jcc_text_free(&text);
    }
}

static void loads_that_linkers_rewrite_say_so(void **state)
{
    (void)state;
    static const struct load loads[] = {
        {"movq foo@GOTPCREL(%rip), %rax", R_X86_64_REX_GOTPCRELX},
        {"movq foo@GOTPCREL(%rip), %r9", R_X86_64_REX_GOTPCRELX},
        {"movl foo@GOTPCREL(%rip), %eax", R_X86_64_GOTPCRELX},
        {"movl foo@GOTPCREL(%rip), %r9d", R_X86_64_REX_GOTPCRELX},
        {"cs movq foo@GOTPCREL(%rip), %rax", R_X86_64_REX_GOTPCRELX},
        {"testq %rax, foo@GOTPCREL(%rip)", R_X86_64_REX_GOTPCRELX},
        {"testl %eax, foo@GOTPCREL(%rip)", R_X86_64_GOTPCRELX},
        {"addq foo@GOTPCREL(%rip), %r10", R_X86_64_REX_GOTPCRELX},
        {"orq foo@GOTPCREL(%rip), %rax", R_X86_64_REX_GOTPCRELX},
        {"adcq foo@GOTPCREL(%rip), %rax", R_X86_64_REX_GOTPCRELX},
        {"sbbl foo@GOTPCREL(%rip), %r10d", R_X86_64_REX_GOTPCRELX},
        {"andq foo@GOTPCREL(%rip), %rax", R_X86_64_REX_GOTPCRELX},
        {"subq foo@GOTPCREL(%rip), %rax", R_X86_64_REX_GOTPCRELX},
        {"xorq foo@GOTPCREL(%rip), %rax", R_X86_64_REX_GOTPCRELX},
        {"cmpl foo@GOTPCREL(%rip), %ecx", R_X86_64_GOTPCRELX},
        {"jmp *foo@GOTPCREL(%rip)", R_X86_64_GOTPCRELX},
        {"call *foo@GOTPCREL(%rip)", R_X86_64_GOTPCRELX},
        {"rex64 call *foo@GOTPCREL(%rip)", R_X86_64_GOTPCRELX},
        {".byte 0x66\nrex64\ncall *foo@GOTPCREL(%rip)", R_X86_64_GOTPCRELX},
    };
    assert_types(loads, sizeof loads / sizeof *loads, JCC_TARGET_X86_64);
}

static void other_uses_of_the_table_keep_the_plain_type(void **state)
{
    (void)state;
    static const struct load loads[] = {
        {"movq foo@GOTPCREL+8(%rip), %rax", R_X86_64_GOTPCREL},  {"cmpq %rax, foo@GOTPCREL(%rip)", R_X86_64_GOTPCREL},
        {"movq %rax, foo@GOTPCREL(%rip)", R_X86_64_GOTPCREL},    {"movb foo@GOTPCREL(%rip), %al", R_X86_64_GOTPCREL},
        {"movw foo@GOTPCREL(%rip), %ax", R_X86_64_GOTPCREL},     {"pushq foo@GOTPCREL(%rip)", R_X86_64_GOTPCREL},
        {"cmpq $1, foo@GOTPCREL(%rip)", R_X86_64_GOTPCREL},      {"imulq foo@GOTPCREL(%rip), %rax", R_X86_64_GOTPCREL},
        {"vmovsd foo@GOTPCREL(%rip), %xmm0", R_X86_64_GOTPCREL},
    };
    assert_types(loads, sizeof loads / sizeof *loads, JCC_TARGET_X86_64);
}

static void i386_marks_loads_by_a_register(void **state)
{
    (void)state;
    static const struct load loads[] = {
        {"movl foo@GOT(%ebx), %eax", R_386_GOT32X},
        {"movl foo@GOT(%ebx,%ecx,4), %eax", R_386_GOT32},
        {"pushl foo@GOT(%ebx)", R_386_GOT32},
    };
    assert_types(loads, sizeof loads / sizeof *loads, JCC_TARGET_I386);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_that_linkers_rewrite_say_so),
        cmocka_unit_test(other_uses_of_the_table_keep_the_plain_type),
        cmocka_unit_test(i386_marks_loads_by_a_register),
    };
    return RIG_RUN(tests);
}
