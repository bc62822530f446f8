// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random sources, the same ones every time: each is planned in one round, and what stays affected has a reason of its own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"
#include "random_source.h"

#define SEEDS      120
#define STATEMENTS 200

static void assert_reasons(const struct rig *rig, uint64_t seed)
{
    for (size_t k = 0; k < rig->result.residual_count; k++)
        if (rig->result.residuals[k].reason == JCC_RESIDUAL_NOT_PLANNED || rig->result.residuals[k].line == 0) {
            rig_print(rig);
            fail_msg("seed %u: a section is not planned, or a residual has no line", (unsigned)seed);
        }
    // What no pad can help is rare.
    if (rig->result.totals.affected > 3) {
        rig_print(rig);
        fail_msg("seed %u: %u affected units", (unsigned)seed, (unsigned)rig->result.totals.affected);
    }
}

static void instructions_labels_and_alignments(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct random_source source = random_source(seed, STATEMENTS, false);
        struct rig rig = rig_assemble(source.text.data);
        assert_reasons(&rig, seed);
        rig_affected(&rig);
        assert_int_equal(rig.result.totals.rounds, 1);
        assert_true(rig.result.totals.units > 50);
        if (rig_verify == JCC_VERIFY_FULL)
            assert_true(rig.result.totals.proved_instructions > rig.result.totals.units);
        else
            rig_assert_same(&rig, source.text.data);
        rig_free(&rig);
        jcc_text_free(&source.text);
    }
}

static void data_among_them(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct random_source source = random_source(seed, STATEMENTS, true);
        struct rig rig = rig_assemble(source.text.data);
        // A section in which data may be run is left plain; what is planned without a proof is not.
        if (rig.result.totals.held_instructions)
            assert_reasons(&rig, seed);
        // What is read along the bytes may take data for the beginning of a branch; the statements tell.
        assert_true(rig_affected_by_bytes(&rig) <= rig.result.totals.affected);
        assert_int_equal(rig.result.totals.affected, rig.result.residual_count);
        rig_free(&rig);
        jcc_text_free(&source.text);
    }
}

// What is learned of an instruction and what is measured in a plain object are the same, and a jump that LLVM left long in that need not be.
static void object_is_the_same_held_or_proved(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct random_source source = random_source(seed, STATEMENTS, false);
        struct jcc_assemble_request request = rig_request(source.text.data);
        request.verify = JCC_VERIFY_PLAN;
        struct rig held = rig_assemble_request(&request);
        request.verify = JCC_VERIFY_FULL;
        struct rig proved = rig_assemble_request(&request);
        assert_int_not_equal(proved.result.totals.proved_instructions, 0);
        if (held.result.object_size != proved.result.object_size ||
            memcmp(held.result.object, proved.result.object, held.result.object_size) != 0)
            fail_msg("seed %u: two objects", (unsigned)seed);
        rig_free(&held);
        rig_free(&proved);
        jcc_text_free(&source.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_labels_and_alignments),
        cmocka_unit_test(data_among_them),
        cmocka_unit_test(object_is_the_same_held_or_proved),
    };
    return RIG_RUN(tests);
}
