// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// .addrsig and .addrsig_sym list symbols by number: the object has no nameless STT_FILE symbol all the same, and each number is right.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"

#include <elf.h>

// Some numbers take one byte with the file symbol's entry gone that took two with it.
#define SYMBOLS 300

static void assert_listed(const struct rig *rig)
{
    const struct jcc_emitted_section *list = rig_section(rig, ".llvm_addrsig");
    size_t at = 0;
    for (unsigned k = 0; k < SYMBOLS; k++) {
        uint32_t number = 0;
        unsigned shift = 0;
        do {
            assert_true(at < list->size);
            number |= (uint32_t)(list->bytes[at] & 0x7f) << shift;
            shift += 7;
        } while (list->bytes[at++] & 0x80);
        char name[16];
        snprintf(name, sizeof name, "f%u", k);
        assert_true(number < jcc_emitted_symbol_count(&rig->object));
        assert_string_equal(jcc_emitted_symbol(&rig->object, number).name, name);
    }
    assert_int_equal(at, list->size);
}

static void listed_symbols_keep_their_numbers_right(void **state)
{
    (void)state;
    static const enum jcc_target targets[] = {JCC_TARGET_X86_64, JCC_TARGET_I386, JCC_TARGET_X32};
    struct jcc_text text = {0};
    jcc_text_string(&text, ".text\n.addrsig\n");
    for (unsigned k = 0; k < SYMBOLS; k++)
        jcc_text_format(&text, ".globl f%u\nf%u: cmpl $1, %%eax\nje f%u\n.addrsig_sym f%u\n", k, k, k / 2, k);
    for (size_t t = 0; t < sizeof targets / sizeof *targets; t++) {
        struct rig rig = rig_assemble_as(text.data, jcc_policy_full(), targets[t]);
        rig_assert_clean(&rig);
        assert_listed(&rig);
        assert_int_equal(jcc_emitted_symbol_count(&rig.object), SYMBOLS + 1);
        rig_free(&rig);
    }
    jcc_text_free(&text);
}

static void a_named_file_symbol_stays(void **state)
{
    (void)state;
    struct rig rig = rig_assemble(".file \"a.c\"\n.globl f\nf: ret\n.addrsig\n.addrsig_sym f\n");
    struct jcc_emitted_symbol symbol;
    assert_true(rig_find_symbol(&rig, "a.c", &symbol));
    assert_int_equal(symbol.type, STT_FILE);
    assert_int_equal(jcc_emitted_symbol_count(&rig.object), 3);
    const struct jcc_emitted_section *list = rig_section(&rig, ".llvm_addrsig");
    assert_int_equal(list->size, 1);
    assert_string_equal(jcc_emitted_symbol(&rig.object, list->bytes[0]).name, "f");
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listed_symbols_keep_their_numbers_right),
        cmocka_unit_test(a_named_file_symbol_stays),
    };
    return RIG_RUN(tests);
}
