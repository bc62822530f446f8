// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An instruction that adds the distance to the global offset table to what a call just returned counts from its own first byte. So it stays
// right behind that call, byte for byte, whatever is affected around it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"

enum { FUNCTIONS = 32 };

// FUNCTIONS functions that begin at every offset; each has BETWEEN at label cN, and WANTED, LENGTH bytes, must be found there.
static void assert_kept(const char *between, const char *wanted, size_t length, enum jcc_target target)
{
    struct jcc_text text = {0};
    for (unsigned k = 0; k < FUNCTIONS; k++) {
        jcc_text_format(&text, ".p2align 5\nf%u:\n", k);
        rig_nops(&text, k);
        jcc_text_format(&text, "c%u: %s\ncmp %%eax, %%ecx\nje f%u\ncall g\nret\n", k, between, k);
    }
    struct rig rig = rig_assemble_as(text.data, jcc_policy_full(), target);
    rig_assert_clean(&rig);
    rig_assert_same_as(&rig, text.data, target);
    for (unsigned k = 0; k < FUNCTIONS; k++) {
        char name[16];
        snprintf(name, sizeof name, "c%u", k);
        assert_memory_equal(rig_bytes_at(&rig, ".text", name) + 5, wanted, length);
    }
    rig_free(&rig);
    jcc_text_free(&text);
}

static void the_sum_stays_behind_its_call(void **state)
{
    (void)state;
    assert_kept("call thunk\naddl $_GLOBAL_OFFSET_TABLE_, %ebx", "\x81\xc3\x02\0\0\0", 6, JCC_TARGET_I386);
    assert_kept("call thunk\naddl $_GLOBAL_OFFSET_TABLE_, %eax", "\x81\xc0\x02\0\0\0", 6, JCC_TARGET_I386);
}

static void a_pop_between_stays_too(void **state)
{
    (void)state;
    assert_kept("call thunk\npopl %ebx\naddl $_GLOBAL_OFFSET_TABLE_+1, %ebx", "\x5b\x81\xc3\x03\0\0\0", 7, JCC_TARGET_I386);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sum_stays_behind_its_call),
        cmocka_unit_test(a_pop_between_stays_too),
    };
    return RIG_RUN(tests);
}
