// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The no-operations of jcc_nops. The arithmetic of padding.h is test_units.c's.
#include <jccsafe/insn.h>
#include <jccsafe/padding.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH_MAX 300
#define UNTOUCHED  0xcc // int3: no part of a no-operation here

static const struct {
    enum jcc_mode mode;
    size_t longest;
} modes[] = {{JCC_MODE_64, JCC_NOP_MAX}, {JCC_MODE_32, JCC_NOP_MAX}, {JCC_MODE_16, JCC_NOP_MAX_16}};

#define MODES (sizeof modes / sizeof modes[0])

static void each_length_is_filled_exactly_with_the_fewest_the_longest_first(void **state)
{
    (void)state;
    for (size_t m = 0; m < MODES; m++) {
        for (size_t length = 0; length <= LENGTH_MAX; length++) {
            uint8_t buffer[LENGTH_MAX + 1];
            memset(buffer, UNTOUCHED, sizeof buffer);
            size_t count = jcc_nops(modes[m].mode, buffer, length), seen = 0, before = modes[m].longest;
            assert_int_equal(count, (length + modes[m].longest - 1) / modes[m].longest);
            assert_int_equal(buffer[length], UNTOUCHED);
            for (size_t at = 0; at < length; seen++) {
                struct jcc_insn insn;
                assert_int_equal(jcc_insn_decode(modes[m].mode, buffer + at, length - at, &insn), JCC_OK);
                assert_true(insn.flags & JCC_INSN_NOP);
                assert_true(insn.length <= before);
                before = insn.length;
                at += insn.length;
            }
            assert_int_equal(seen, count);
        }
    }
}

static void each_single_length_is_one_no_operation_in_its_mode(void **state)
{
    (void)state;
    for (size_t m = 0; m < MODES; m++) {
        for (size_t length = 1; length <= modes[m].longest; length++) {
            uint8_t buffer[JCC_NOP_MAX];
            struct jcc_insn insn;
            assert_int_equal(jcc_nops(modes[m].mode, buffer, length), 1);
            assert_int_equal(jcc_insn_decode(modes[m].mode, buffer, length, &insn), JCC_OK);
            assert_int_equal(insn.length, length);
            assert_true(insn.flags & JCC_INSN_NOP);
        }
    }
}

static void up_to_nine_bytes_they_are_those_that_the_sdm_recommends(void **state)
{
    (void)state;
    static const char *const recommended[] = {
        "\x90",
        "\x66\x90",
        "\x0f\x1f\x00",
        "\x0f\x1f\x40\x00",
        "\x0f\x1f\x44\x00\x00",
        "\x66\x0f\x1f\x44\x00\x00",
        "\x0f\x1f\x80\x00\x00\x00\x00",
        "\x0f\x1f\x84\x00\x00\x00\x00\x00",
        "\x66\x0f\x1f\x84\x00\x00\x00\x00\x00",
    };
    for (size_t length = 1; length <= 9; length++) {
        uint8_t buffer[9];
        jcc_nops(JCC_MODE_64, buffer, length);
        assert_memory_equal(buffer, recommended[length - 1], length);
        jcc_nops(JCC_MODE_32, buffer, length);
        assert_memory_equal(buffer, recommended[length - 1], length);
    }
}

static void a_null_buffer_is_counted_only(void **state)
{
    (void)state;
    for (size_t m = 0; m < MODES; m++) {
        assert_int_equal(jcc_nops(modes[m].mode, NULL, 0), 0);
        for (size_t length = 0; length <= LENGTH_MAX; length++) {
            uint8_t buffer[LENGTH_MAX];
            assert_int_equal(jcc_nops(modes[m].mode, NULL, length), jcc_nops(modes[m].mode, buffer, length));
        }
        assert_int_equal(jcc_nops(modes[m].mode, NULL, SIZE_MAX), SIZE_MAX / modes[m].longest + (SIZE_MAX % modes[m].longest != 0));
    }
}

static void an_unknown_mode_writes_nothing(void **state)
{
    (void)state;
    uint8_t buffer[4] = {UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED}, before[4];
    memcpy(before, buffer, sizeof buffer);
    assert_int_equal(jcc_nops((enum jcc_mode)3, buffer, sizeof buffer), 0);
    assert_int_equal(jcc_nops((enum jcc_mode) - 1, buffer, sizeof buffer), 0);
    assert_memory_equal(buffer, before, sizeof buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_length_is_filled_exactly_with_the_fewest_the_longest_first),
        cmocka_unit_test(each_single_length_is_one_no_operation_in_its_mode),
        cmocka_unit_test(up_to_nine_bytes_they_are_those_that_the_sdm_recommends),
        cmocka_unit_test(a_null_buffer_is_counted_only),
        cmocka_unit_test(an_unknown_mode_writes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
