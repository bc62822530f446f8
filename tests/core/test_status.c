// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ctype.h>
#include <jccsafe/status.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT 15

// A number that has been released never changes its meaning.
static const struct {
    enum jcc_status status;
    int value;
    const char *name;
} pinned[COUNT] = {
    {JCC_OK, 0, "JCC_OK"},
    {JCC_ERROR_ARGUMENT, 1, "JCC_ERROR_ARGUMENT"},
    {JCC_ERROR_POLICY, 2, "JCC_ERROR_POLICY"},
    {JCC_ERROR_NO_MEMORY, 3, "JCC_ERROR_NO_MEMORY"},
    {JCC_ERROR_NO_SPACE, 4, "JCC_ERROR_NO_SPACE"},
    {JCC_ERROR_TRUNCATED, 5, "JCC_ERROR_TRUNCATED"},
    {JCC_ERROR_INVALID_CODE, 6, "JCC_ERROR_INVALID_CODE"},
    {JCC_ERROR_IO, 7, "JCC_ERROR_IO"},
    {JCC_ERROR_FORMAT, 8, "JCC_ERROR_FORMAT"},
    {JCC_ERROR_UNSUPPORTED, 9, "JCC_ERROR_UNSUPPORTED"},
    {JCC_ERROR_SOURCE, 10, "JCC_ERROR_SOURCE"},
    {JCC_ERROR_DIFFERENT, 11, "JCC_ERROR_DIFFERENT"},
    {JCC_ERROR_CONFLICT, 12, "JCC_ERROR_CONFLICT"},
    {JCC_ERROR_LLVM, 13, "JCC_ERROR_LLVM"},
    {JCC_ERROR_LIMIT, 14, "JCC_ERROR_LIMIT"},
};

static void values_are_pinned_and_named_as_they_are_spelled(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(pinned[i].status, pinned[i].value);
        assert_string_equal(jcc_status_name(pinned[i].status), pinned[i].name);
    }
}

static void each_message_is_one_sentence_of_its_own(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        const char *message = jcc_status_message((enum jcc_status)i);
        size_t length = strlen(message);
        assert_true(length > 0 && length < 80);
        assert_false(ispunct((unsigned char)message[length - 1]));
        assert_null(strchr(message, '\n'));
        for (int j = 0; j < i; j++)
            assert_string_not_equal(message, jcc_status_message((enum jcc_status)j));
    }
}

static void a_value_that_is_no_status_has_a_name_and_a_message(void **state)
{
    (void)state;
    static const int strange[] = {COUNT, COUNT + 1, 1000, INT32_MAX, -1, INT32_MIN};
    for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++) {
        assert_string_equal(jcc_status_name((enum jcc_status)strange[i]), "JCC_ERROR_UNKNOWN");
        assert_string_equal(jcc_status_message((enum jcc_status)strange[i]), "an unknown error");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_pinned_and_named_as_they_are_spelled),
        cmocka_unit_test(each_message_is_one_sentence_of_its_own),
        cmocka_unit_test(a_value_that_is_no_status_has_a_name_and_a_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
