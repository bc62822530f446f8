// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Redundant prefixes: what takes them, how many, and which byte.
#define _GNU_SOURCE
#include "code.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define M64 JCC_MODE_64
#define M32 JCC_MODE_32
#define M16 JCC_MODE_16

static unsigned room(enum jcc_mode mode, const char *hex, unsigned limit)
{
    struct jcc_insn insn;
    code_equal(hex, "status", code_decode(mode, hex, &insn), JCC_OK);
    return jcc_prefix_room(&insn, limit);
}

static void what_a_prefix_could_change_takes_none(void **state)
{
    (void)state;
    static const struct {
        enum jcc_mode mode;
        const char *hex;
    } fixed[] = {
        // Branches: 2e and 3e are hints, 3e is notrack
        {M64, "74 01"},
        {M64, "0f 84 1 2 3 4"},
        {M64, "eb 01"},
        {M64, "e9 1 2 3 4"},
        {M64, "e8 1 2 3 4"},
        {M64, "c3"},
        {M64, "c2 8 0"},
        {M64, "ff d0"},
        {M64, "ff e0"},
        {M64, "ff 20"},
        {M64, "ff 18"},
        {M64, "e3 01"},
        {M64, "e2 01"},
        {M64, "c7 f8 1 2 3 4"},
        {M64, "cb"},
        {M64, "cf"},
        {M32, "9a 1 2 3 4 5 6"},
        {M32, "ea 1 2 3 4 5 6"},
        // No-operations, pause, endbr
        {M64, "90"},
        {M64, "66 90"},
        {M64, "0f 1f 00"},
        {M64, "f3 90"},
        {M64, "f3 0f 1e fa"},
        {M32, "f3 0f 1e fb"},
        {M64, "0f 1f c8"},
        {M64, "0f 18 08"},
        {M64, "0f 0d 08"},
        // fs and gs, lock and rep
        {M64, "64 8b 00"},
        {M64, "65 48 8b 04 25 1 2 3 4"},
        {M64, "f0 01 00"},
        {M64, "f3 a4"},
        {M64, "f3 48 ab"},
        {M64, "f2 ae"},
        // System instructions, traps, interrupt shadows
        {M64, "f4"},
        {M64, "fa"},
        {M64, "fb"},
        {M64, "8e d0"},
        {M64, "8c d0"},
        {M32, "17"},
        {M32, "1e"},
        {M64, "cc"},
        {M64, "cd 80"},
        {M64, "0f 0b"},
        {M64, "0f 05"},
        {M64, "0f 34"},
        {M64, "0f 30"},
        {M64, "0f 31"},
        {M64, "0f a2"},
        {M64, "0f 01 d0"},
        {M64, "0f 20 c0"},
        {M64, "0f 23 c0"},
        {M64, "0f ae f0"},
        {M64, "0f ae 20"},
        {M64, "0f c7 20"},
        {M64, "0f 00 c0"},
        {M64, "0f 09"},
        {M64, "e4 01"},
        {M64, "ee"},
        {M64, "6c"},
        {M64, "9d"},
        {M64, "66 0f 38 82 00"},
        {M64, "0f 38 f9 00"},
        {M64, "c6 f8 01"},
        // wait belongs to the x87 instruction behind it
        {M64, "9b"},
        // What no affected CPU has
        {M64, "d5 10 8b 00"},
        {M64, "62 f4 74 18 01 c3"},
        {M64, "8f e9 78 80 c1"},
        {M64, "0f 0f c1 9e"},
    };
    for (size_t k = 0; k < sizeof fixed / sizeof fixed[0]; k++)
        code_equal(fixed[k].hex, "room", room(fixed[k].mode, fixed[k].hex, JCC_PREFIX_LIMIT_MAX), 0);
}

static void ordinary_instructions_take_as_many_as_the_limit_leaves(void **state)
{
    (void)state;
    static const char *const ordinary[] = {"01 c8",       "48 89 e5", "8b 04 24", "83 38 01",          "50",    "c5 f8 77",
                                           "f2 0f 10 00", "0f af c1", "c9",       "62 f1 7c 48 28 c1", "41 90", "f3 0f b8 c1"};
    for (size_t k = 0; k < sizeof ordinary / sizeof ordinary[0]; k++) {
        struct jcc_insn insn;
        code_equal(ordinary[k], "status", code_decode(M64, ordinary[k], &insn), JCC_OK);
        for (unsigned limit = 0; limit <= JCC_PREFIX_LIMIT_MAX; limit++)
            code_equal(ordinary[k], "room", jcc_prefix_room(&insn, limit), limit > insn.prefixes ? limit - insn.prefixes : 0);
    }
}

static void prefixes_that_are_there_count(void **state)
{
    (void)state;
    assert_int_equal(room(M64, "66 01 c8", 5), 4);
    assert_int_equal(room(M64, "67 66 01 08", 5), 3);
    assert_int_equal(room(M64, "48 01 c8", 5), 5); // REX is none
    assert_int_equal(room(M64, "2e 2e 2e 2e 2e 01 c8", 5), 0);
    assert_int_equal(room(M64, "2e 2e 2e 2e 2e 2e 01 c8", 5), 0);
    assert_int_equal(room(M64, "66 01 c8", 0), 0);
}

static void the_instruction_stays_within_fifteen_bytes(void **state)
{
    (void)state;
    assert_int_equal(room(M64, "48 b8 1 2 3 4 5 6 7 8", 5), 5);
    assert_int_equal(room(M64, "c7 84 24 1 2 3 4 5 6 7 8", 5), 4);
    assert_int_equal(room(M64, "48 c7 84 24 1 2 3 4 5 6 7 8", 5), 3);
    assert_int_equal(room(M64, "66 67 41 c7 84 24 1 2 3 4 5 6", 5), 3);
    assert_int_equal(room(M64, "67 67 67 48 c7 84 24 1 2 3 4 5 6 7 8", 5), 0);
    assert_int_equal(room(M64, "67 67 48 c7 84 24 1 2 3 4 5 6 7 8", 5), 1);
}

static void the_prefix_names_the_segment_that_is_used_anyway(void **state)
{
    (void)state;
    static const struct {
        enum jcc_mode mode;
        const char *hex;
        uint8_t byte;
    } bytes[] = {
        // 64-bit code ignores all four
        {M64, "8b 00", 0x2e},
        {M64, "8b 45 00", 0x2e},
        {M64, "01 c8", 0x2e},
        // One that is there already
        {M64, "3e 8b 00", 0x3e},
        {M64, "26 8b 00", 0x26},
        {M32, "2e 8b 00", 0x2e},
        {M32, "2e 36 8b 00", 0x36},
        // ss behind esp and ebp as base, ds elsewhere
        {M32, "8b 00", 0x3e},
        {M32, "8b 45 00", 0x36},
        {M32, "8b 85 1 2 3 4", 0x36},
        {M32, "8b 05 1 2 3 4", 0x3e},
        {M32, "8b 04 24", 0x36},
        {M32, "8b 44 24 04", 0x36},
        {M32, "8b 44 25 00", 0x36},
        {M32, "8b 04 25 1 2 3 4", 0x3e},
        {M32, "8b 04 28", 0x3e}, // index ebp
        {M32, "8b 44 05 00", 0x36},
        {M32, "01 c8", 0x3e},
        {M32, "50", 0x3e},
        {M32, "a1 1 2 3 4", 0x3e},
        // bp with 16-bit addresses
        {M32, "67 8b 02", 0x36},
        {M32, "67 8b 03", 0x36},
        {M32, "67 8b 46 00", 0x36},
        {M32, "67 8b 06 1 2", 0x3e},
        {M32, "67 8b 04", 0x3e},
        {M16, "8b 46 00", 0x36},
        {M16, "8b 07", 0x3e},
        {M16, "67 8b 45 00", 0x36},
    };
    for (size_t k = 0; k < sizeof bytes / sizeof bytes[0]; k++) {
        struct jcc_insn insn;
        code_equal(bytes[k].hex, "status", code_decode(bytes[k].mode, bytes[k].hex, &insn), JCC_OK);
        code_equal(bytes[k].hex, "prefix_byte", insn.prefix_byte, bytes[k].byte);
    }
}

static void a_prefixed_instruction_is_the_same_instruction(void **state)
{
    (void)state;
    static const char *const plain[] = {"66 0f 6f 05 1 2 3 4", "c5 fc 28 05 1 2 3 4", "62 f1 7c 48 28 40 01", "f2 0f 10 44 24 08", "39 c8"};
    for (size_t k = 0; k < sizeof plain / sizeof plain[0]; k++) {
        uint8_t code[JCC_INSN_MAX];
        struct jcc_insn before, after;
        size_t length = code_from_hex(plain[k], code, sizeof code);
        assert_int_equal(jcc_insn_decode(M64, code, length, &before), JCC_OK);
        unsigned added = jcc_prefix_room(&before, JCC_PREFIX_LIMIT_MAX);
        assert_true(added > 0);
        memmove(code + added, code, length);
        memset(code, before.prefix_byte, added);
        assert_int_equal(jcc_insn_decode(M64, code, length + added, &after), JCC_OK);
        assert_int_equal(after.length, before.length + added);
        assert_int_equal(after.prefixes, before.prefixes + added);
        assert_int_equal(after.pair, before.pair);
        assert_int_equal(after.flags, before.flags);
        assert_int_equal(after.opcode_offset, before.opcode_offset + added);
        assert_int_equal(jcc_prefix_room(&after, JCC_PREFIX_LIMIT_MAX), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_prefix_could_change_takes_none),
        cmocka_unit_test(ordinary_instructions_take_as_many_as_the_limit_leaves),
        cmocka_unit_test(prefixes_that_are_there_count),
        cmocka_unit_test(the_instruction_stays_within_fifteen_bytes),
        cmocka_unit_test(the_prefix_names_the_segment_that_is_used_anyway),
        cmocka_unit_test(a_prefixed_instruction_is_the_same_instruction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
