// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sections that gcc names in ways which LLVM refuses come out as GNU as makes them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"

#include <elf.h>

#define ENTRIES "__patchable_function_entries"

// The COUNTth section called NAME, from 0, and its number.
static const struct jcc_emitted_section *nth(const struct rig *rig, const char *name, unsigned count, size_t *number)
{
    for (size_t k = 1; k < rig->object.section_count; k++)
        if (!strcmp(rig->object.sections[k].name, name) && !count--) {
            *number = k;
            return &rig->object.sections[k];
        }
    fail_msg("no section %s", name);
    return NULL;
}

static uint32_t link_of(const struct rig *rig, size_t section)
{
    Elf64_Ehdr e;
    Elf64_Shdr h;
    memcpy(&e, rig->result.object, sizeof e);
    memcpy(&h, rig->result.object + e.e_shoff + section * sizeof h, sizeof h);
    return h.sh_link;
}

static void assert_linked(const struct rig *rig, unsigned which, const char *to)
{
    size_t entries = 0, code = 0;
    const struct jcc_emitted_section *s = nth(rig, ENTRIES, which, &entries);
    nth(rig, to, 0, &code);
    assert_int_equal(s->flags, SHF_ALLOC | SHF_WRITE | SHF_LINK_ORDER);
    assert_int_equal(link_of(rig, entries), code);
}

// -fpatchable-function-entry=N,M: the section is linked to a function that comes behind it.
static void a_section_may_be_linked_to_what_comes_later(void **state)
{
    (void)state;
    static const char text[] = ".text\n.section " ENTRIES ",\"awo\",@progbits,f\n.quad .LPFE1\n.text\n.LPFE1: nop\nnop\n"
                               ".globl f\nf: nop\nnop\ncmpl $1, %eax\nje f\nret\n"
                               ".section .text.h,\"ax\",@progbits\n"
                               ".section " ENTRIES ",\"awo\",@progbits,g,unique,7\n.quad .LPFE2\n"
                               ".section " ENTRIES ",\"awo\",@progbits,g,unique,8\n.quad .LPFE2\n"
                               ".section .text.g,\"ax\",@progbits\n.LPFE2: nop\ng: nop\njmp f\n"
                               ".section " ENTRIES ",\"awo\",@progbits,g,unique,9\n.quad .LPFE2\n"
                               ".section .data\n.quad f\n.previous\n.quad g\n";
    struct rig rig = rig_assemble(text);
    rig_assert_clean(&rig);
    assert_linked(&rig, 0, ".text");
    assert_linked(&rig, 1, ".text.g");
    assert_linked(&rig, 2, ".text.g");
    assert_linked(&rig, 3, ".text.g");
    size_t number;
    assert_int_equal(nth(&rig, ENTRIES, 3, &number)->size, 16); // .previous led back to it
    rig_free(&rig);
}

static void the_strings_of_split_debug_information_keep_their_flags(void **state)
{
    (void)state;
    struct rig rig = rig_assemble("f: ret\n.section .debug_str.dwo,\"e\",@progbits\n.string \"x\"\n");
    const struct jcc_emitted_section *s = rig_section(&rig, ".debug_str.dwo");
    assert_int_equal(s->flags, SHF_EXCLUDE);
    assert_int_equal(s->size, 2);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_section_may_be_linked_to_what_comes_later),
        cmocka_unit_test(the_strings_of_split_debug_information_keep_their_flags),
    };
    return RIG_RUN(tests);
}
