// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the decoder says an instruction is: branch kind and condition, flags, what it fuses with.
#define _GNU_SOURCE
#include "code.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define M64 JCC_MODE_64
#define M32 JCC_MODE_32
#define M16 JCC_MODE_16

static void each_conditional_jump_is_jcc_with_its_condition(void **state)
{
    (void)state;
    for (unsigned condition = 0; condition < 16; condition++) {
        const uint8_t near[] = {0x0f, (uint8_t)(0x80 | condition), 1, 2, 3, 4}, brief[] = {(uint8_t)(0x70 | condition), 1};
        for (unsigned mode = 0; mode <= JCC_MODE_16; mode++) {
            struct jcc_insn insn;
            assert_int_equal(jcc_insn_decode((enum jcc_mode)mode, near, sizeof near, &insn), JCC_OK);
            assert_int_equal(insn.kind, JCC_KIND_JCC);
            assert_int_equal(insn.condition, condition);
            assert_int_equal(insn.flags, JCC_INSN_RELATIVE);
            assert_int_equal(jcc_insn_decode((enum jcc_mode)mode, brief, sizeof brief, &insn), JCC_OK);
            assert_int_equal(insn.kind, JCC_KIND_JCC);
            assert_int_equal(insn.condition, condition);
            assert_int_equal(insn.flags, JCC_INSN_RELATIVE);
        }
    }
}

#define ENDS     JCC_INSN_ENDS_FLOW
#define RELATIVE JCC_INSN_RELATIVE
#define SHORT    JCC_INSN_SHORT_ONLY
#define REPEAT   JCC_INSN_LOCK_REP

static const struct {
    enum jcc_mode mode;
    const char *hex;
    enum jcc_kind kind;
    unsigned flags;
} kinds[] = {
    // Units
    {M64, "e9 1 2 3 4", JCC_KIND_JMP, RELATIVE | ENDS},
    {M64, "eb fe", JCC_KIND_JMP, RELATIVE | ENDS},
    {M64, "66 e9 1 2 3 4", JCC_KIND_JMP, RELATIVE | ENDS},
    {M64, "f2 e9 1 2 3 4", JCC_KIND_JMP, RELATIVE | ENDS | REPEAT}, // bnd
    {M64, "e8 1 2 3 4", JCC_KIND_CALL, RELATIVE},
    {M64, "67 e8 1 2 3 4", JCC_KIND_CALL, RELATIVE},
    {M64, "f2 e8 1 2 3 4", JCC_KIND_CALL, RELATIVE | REPEAT},
    {M64, "c3", JCC_KIND_RET, ENDS},
    {M64, "f3 c3", JCC_KIND_RET, ENDS | REPEAT},
    {M64, "f2 c3", JCC_KIND_RET, ENDS | REPEAT},
    {M64, "48 c3", JCC_KIND_RET, ENDS},
    {M64, "c2 08 00", JCC_KIND_RET, ENDS},
    {M64, "ff d0", JCC_KIND_INDIRECT, 0},
    {M64, "41 ff d3", JCC_KIND_INDIRECT, 0},
    {M64, "ff 15 1 2 3 4", JCC_KIND_INDIRECT, JCC_INSN_RIP_RELATIVE},
    {M64, "64 ff 14 25 10 0 0 0", JCC_KIND_INDIRECT, JCC_INSN_FS_GS},
    {M64, "ff e0", JCC_KIND_INDIRECT, ENDS},
    {M64, "3e ff e0", JCC_KIND_INDIRECT, ENDS}, // notrack
    {M64, "ff 24 c5 1 2 3 4", JCC_KIND_INDIRECT, ENDS},
    {M32, "ff 25 1 2 3 4", JCC_KIND_INDIRECT, ENDS},
    {M64, "2e 74 01", JCC_KIND_JCC, RELATIVE},
    {M64, "f2 0f 84 1 2 3 4", JCC_KIND_JCC, RELATIVE | REPEAT},
    {M64, "d5 11 ff e0", JCC_KIND_INDIRECT, ENDS}, // jmp *%r24 under REX2
    {M64, "d5 00 c3", JCC_KIND_RET, ENDS},
    // Control transfers that are no units
    {M64, "e3 fe", JCC_KIND_NONE, RELATIVE | SHORT},
    {M32, "67 e3 fe", JCC_KIND_NONE, RELATIVE | SHORT},
    {M64, "e0 fe", JCC_KIND_NONE, RELATIVE | SHORT},
    {M64, "e1 fe", JCC_KIND_NONE, RELATIVE | SHORT},
    {M64, "e2 fe", JCC_KIND_NONE, RELATIVE | SHORT},
    {M64, "c7 f8 1 2 3 4", JCC_KIND_NONE, RELATIVE}, // xbegin
    {M64, "c6 f8 1", JCC_KIND_NONE, 0},
    {M64, "ff 18", JCC_KIND_NONE, 0}, // far call
    {M64, "ff 28", JCC_KIND_NONE, ENDS},
    {M32, "9a 1 2 3 4 5 6", JCC_KIND_NONE, 0},
    {M32, "ea 1 2 3 4 5 6", JCC_KIND_NONE, ENDS},
    {M64, "cb", JCC_KIND_NONE, ENDS},
    {M64, "ca 8 0", JCC_KIND_NONE, ENDS},
    {M64, "cf", JCC_KIND_NONE, ENDS},
    {M64, "48 cf", JCC_KIND_NONE, ENDS},
    {M64, "0f 05", JCC_KIND_NONE, 0},
    {M64, "0f 34", JCC_KIND_NONE, 0},
    {M64, "cd 80", JCC_KIND_NONE, 0},
    {M64, "d5 0 a1 1 2 3 4 5 6 7 8", JCC_KIND_NONE, ENDS}, // jmpabs
    // What only looks like one: vector instructions and immediates with the opcodes of branches
    {M64, "c5 f9 e8 c1", JCC_KIND_NONE, JCC_INSN_VECTOR},
    {M64, "c5 f9 70 c1 74", JCC_KIND_NONE, JCC_INSN_VECTOR},
    {M64, "62 f1 7d 48 e8 c1", JCC_KIND_NONE, JCC_INSN_VECTOR},
    {M64, "8f e9 78 c3 c1", JCC_KIND_NONE, JCC_INSN_VECTOR},
    {M64, "62 f4 74 18 ff c3", JCC_KIND_NONE, JCC_INSN_VECTOR}, // inc under EVEX
    {M64, "66 0f e8 c1", JCC_KIND_NONE, 0},
    {M64, "b8 e9 e8 c3 eb", JCC_KIND_NONE, 0},
    // Nothing falls through
    {M64, "0f 0b", JCC_KIND_NONE, ENDS},
    {M64, "0f b9 c0", JCC_KIND_NONE, ENDS},
    {M64, "0f ff c0", JCC_KIND_NONE, ENDS},
    {M64, "f4", JCC_KIND_NONE, ENDS},
    {M64, "cc", JCC_KIND_NONE, ENDS},
    // No-operations, and what is none
    {M64, "90", JCC_KIND_NONE, JCC_INSN_NOP},
    {M64, "66 90", JCC_KIND_NONE, JCC_INSN_NOP},
    {M64, "48 90", JCC_KIND_NONE, JCC_INSN_NOP},
    {M64, "0f 1f 00", JCC_KIND_NONE, JCC_INSN_NOP},
    {M64, "66 66 66 66 66 66 2e 0f 1f 84 0 1 2 3 4", JCC_KIND_NONE, JCC_INSN_NOP},
    {M64, "f3 90", JCC_KIND_NONE, 0}, // pause
    {M64, "41 90", JCC_KIND_NONE, 0}, // xchg with r8
    {M64, "87 c0", JCC_KIND_NONE, 0},
    {M64, "91", JCC_KIND_NONE, 0},
    {M64, "0f 1f c8", JCC_KIND_NONE, 0},
    // The other flags
    {M64, "f3 0f 1e fa", JCC_KIND_NONE, JCC_INSN_ENDBR},
    {M32, "f3 0f 1e fb", JCC_KIND_NONE, JCC_INSN_ENDBR},
    {M64, "0f 1e fa", JCC_KIND_NONE, 0},
    {M64, "f3 0f 1e c8", JCC_KIND_NONE, 0}, // rdsspd
    {M64, "fb", JCC_KIND_NONE, JCC_INSN_SHADOW},
    {M64, "8e d0", JCC_KIND_NONE, JCC_INSN_SHADOW},
    {M64, "8e d8", JCC_KIND_NONE, 0},
    {M32, "17", JCC_KIND_NONE, JCC_INSN_SHADOW},
    {M32, "1f", JCC_KIND_NONE, 0},
    {M64, "8b 05 1 2 3 4", JCC_KIND_NONE, JCC_INSN_RIP_RELATIVE},
    {M64, "67 8b 05 1 2 3 4", JCC_KIND_NONE, JCC_INSN_RIP_RELATIVE},
    {M64, "c5 fc 28 05 1 2 3 4", JCC_KIND_NONE, JCC_INSN_RIP_RELATIVE | JCC_INSN_VECTOR},
    {M64, "8b 04 25 1 2 3 4", JCC_KIND_NONE, 0},
    {M32, "8b 05 1 2 3 4", JCC_KIND_NONE, 0},
    {M64, "65 8b 00", JCC_KIND_NONE, JCC_INSN_FS_GS},
    {M64, "f3 a4", JCC_KIND_NONE, REPEAT},
    {M64, "f0 01 00", JCC_KIND_NONE, REPEAT},
    {M64, "f2 0f b1 0e", JCC_KIND_NONE, REPEAT},
    {M64, "f3 0f 10 00", JCC_KIND_NONE, 0}, // movss: f3 is part of the opcode
    {M64, "f3 0f bc c1", JCC_KIND_NONE, 0},
    {M64, "f2 0f 38 f1 c1", JCC_KIND_NONE, 0},
};

static void kinds_are_gnu_as_s_and_flags_as_the_header_has_them(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        struct jcc_insn insn;
        code_equal(kinds[k].hex, "status", code_decode(kinds[k].mode, kinds[k].hex, &insn), JCC_OK);
        code_equal(kinds[k].hex, "kind", insn.kind, kinds[k].kind);
        code_equal(kinds[k].hex, "flags", insn.flags, kinds[k].flags);
        code_equal(kinds[k].hex, "pair", insn.pair, JCC_PAIR_NONE);
    }
}

#define TEST JCC_PAIR_TEST
#define CMP  JCC_PAIR_CMP
#define INC  JCC_PAIR_INC
#define NONE JCC_PAIR_NONE

static const struct {
    enum jcc_mode mode;
    const char *hex;
    enum jcc_pair pair;
} pairs[] = {
    // reg,reg in both directions, and each width
    {M64, "39 c8", CMP},
    {M64, "3b c8", CMP},
    {M64, "38 c8", CMP},
    {M64, "48 39 c8", CMP},
    {M64, "66 39 c8", CMP},
    {M64, "01 c8", CMP},
    {M64, "03 c8", CMP},
    {M64, "29 c8", CMP},
    {M64, "2a c8", CMP},
    {M64, "85 c0", TEST},
    {M64, "84 c0", TEST},
    {M64, "21 c8", TEST},
    {M64, "22 c8", TEST},
    {M64, "ff c0", INC},
    {M64, "ff c8", INC},
    {M64, "fe c0", INC},
    {M64, "48 ff c9", INC},
    {M32, "40", INC},
    {M32, "4f", INC},
    {M16, "49", INC},
    // reg,imm and the accumulator's short forms
    {M64, "83 f8 01", CMP},
    {M64, "81 f8 1 2 3 4", CMP},
    {M64, "80 f8 01", CMP},
    {M32, "82 f8 01", CMP},
    {M64, "83 c0 01", CMP},
    {M64, "83 e8 01", CMP},
    {M64, "83 e0 01", TEST},
    {M64, "f7 c0 1 2 3 4", TEST},
    {M64, "f6 c0 01", TEST},
    {M64, "f6 c8 01", TEST},
    {M64, "f7 c8 1 2 3 4", TEST},
    {M64, "3c 01", CMP},
    {M64, "3d 1 2 3 4", CMP},
    {M64, "04 01", CMP},
    {M64, "2d 1 2 3 4", CMP},
    {M64, "25 1 2 3 4", TEST},
    {M64, "a8 01", TEST},
    {M64, "a9 1 2 3 4", TEST},
    // reg,[mem]; cmp and test [mem],reg
    {M64, "3b 00", CMP},
    {M64, "39 00", CMP},
    {M64, "3a 44 24 08", CMP},
    {M64, "03 00", CMP},
    {M64, "2b 00", CMP},
    {M64, "23 00", TEST},
    {M64, "85 00", TEST},
    {M64, "64 39 00", CMP},
    {M32, "3b 05 1 2 3 4", CMP},
    {M32, "39 05 1 2 3 4", CMP},
    // [mem],imm; rip-relative; inc and dec of memory; LOCK; REX2
    {M64, "83 38 01", NONE},
    {M64, "80 38 01", NONE},
    {M64, "81 38 1 2 3 4", NONE},
    {M64, "f6 00 01", NONE},
    {M64, "f7 00 1 2 3 4", NONE},
    {M64, "83 00 01", NONE},
    {M64, "3b 05 1 2 3 4", NONE},
    {M64, "39 05 1 2 3 4", NONE},
    {M64, "01 05 1 2 3 4", NONE},
    {M64, "67 3b 05 1 2 3 4", NONE},
    {M64, "ff 00", NONE},
    {M64, "fe 08", NONE},
    {M64, "f0 01 00", NONE},
    {M64, "f0 29 00", NONE},
    {M64, "d5 10 39 c8", NONE},
    // What sets flags and does not fuse
    {M64, "09 c8", NONE},
    {M64, "31 c8", NONE},
    {M64, "11 c8", NONE},
    {M64, "19 c8", NONE},
    {M64, "83 c8 01", NONE},
    {M64, "83 d0 01", NONE},
    {M64, "0c 01", NONE},
    {M64, "34 01", NONE},
    {M64, "f7 d8", NONE},
    {M64, "d1 e0", NONE},
    {M64, "0f a3 c8", NONE},
    {M64, "66 0f 2e c1", NONE},
    {M64, "c5 f9 2e c1", NONE},
    {M64, "c4 e2 70 f2 c0", NONE},
    {M64, "62 f4 74 18 29 c3", NONE},
    {M64, "ff f0", NONE},
    {M64, "a6", NONE},
};

static void what_starts_a_pair_is_by_the_macro_fusion_tables(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        struct jcc_insn insn;
        code_equal(pairs[k].hex, "status", code_decode(pairs[k].mode, pairs[k].hex, &insn), JCC_OK);
        code_equal(pairs[k].hex, "pair", insn.pair, pairs[k].pair);
        code_equal(pairs[k].hex, "doubtful", insn.flags & JCC_INSN_DOUBTFUL_PAIR, 0);
        code_equal(pairs[k].hex, "kind", insn.kind, JCC_KIND_NONE);
    }
}

static void add_sub_and_and_of_memory_are_doubtful(void **state)
{
    (void)state;
    static const struct {
        const char *hex;
        enum jcc_pair pair;
    } doubtful[] = {{"01 00", CMP}, {"28 00", CMP}, {"48 29 44 24 08", CMP}, {"21 00", TEST}, {"20 00", TEST}};
    for (size_t k = 0; k < sizeof doubtful / sizeof doubtful[0]; k++) {
        for (unsigned mode = JCC_MODE_64; mode <= (doubtful[k].hex[0] == '4' ? JCC_MODE_64 : JCC_MODE_32); mode++) {
            struct jcc_insn insn;
            code_equal(doubtful[k].hex, "status", code_decode((enum jcc_mode)mode, doubtful[k].hex, &insn), JCC_OK);
            code_equal(doubtful[k].hex, "pair", insn.pair, doubtful[k].pair);
            code_equal(doubtful[k].hex, "flags", insn.flags, JCC_INSN_DOUBTFUL_PAIR);
        }
    }
}

static void pairs_fuse_with_the_conditions_of_the_macro_fusion_table(void **state)
{
    (void)state;
    // The table once more, by hand: O NO B AE E NE BE A S NS P NP L GE LE G.
    static const char *const table[] = {
        [JCC_PAIR_NONE] = "----------------",
        [JCC_PAIR_TEST] = "++++++++++++++++",
        [JCC_PAIR_CMP] = "--++++++----++++",
        [JCC_PAIR_INC] = "----++------++++",
    };
    for (unsigned pair = JCC_PAIR_NONE; pair <= JCC_PAIR_INC; pair++)
        for (unsigned condition = 0; condition < 16; condition++)
            assert_int_equal(jcc_pair_fuses((enum jcc_pair)pair, condition), table[pair][condition] == '+');
    assert_false(jcc_pair_fuses(JCC_PAIR_TEST, 16));
    assert_false(jcc_pair_fuses((enum jcc_pair)4, 4));
}

static const struct {
    enum jcc_mode mode;
    const char *hex;
    uint64_t address, target;
} targets[] = {
    {M64, "eb fe", 0x1000, 0x1000},
    {M64, "74 7f", 0x1000, 0x1081},
    {M64, "74 80", 0x1000, 0xf82},
    {M64, "e9 ff ff ff 7f", 0x1000, 0x80001004},
    {M64, "0f 84 00 00 00 80", 0x100000000, 0x80000006},
    {M64, "66 e8 fa ff ff ff", 0x1000, 0x1000},
    {M64, "eb 02", UINT64_MAX - 1, 2}, // around the end of the address space
    {M64, "e3 fe", 0x1000, 0x1000},
    {M64, "c7 f8 10 00 00 00", 0x1000, 0x1016},
    {M64, "66 c7 f8 00 80", 0x10000, 0x8005},
    {M32, "e9 00 00 00 80", 0x1000, 0x80001005},
    {M32, "eb 10", 0xfffffff8, 0xa},       // wrapped to 32 bits
    {M32, "66 e9 00 10", 0x1f000, 0x0004}, // 66: wrapped to 16 bits
    {M32, "2e 66 74 10", 0x12345, 0x2359},
    {M16, "e9 00 80", 0x9000, 0x1003},
    {M16, "66 e9 00 80 00 00", 0x9000, 0x11006},
};

static void a_target_is_counted_from_the_end_and_wrapped_to_the_operand_size(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof targets / sizeof targets[0]; k++) {
        struct jcc_insn insn;
        uint8_t code[JCC_INSN_MAX];
        code_from_hex(targets[k].hex, code, sizeof code);
        code_equal(targets[k].hex, "status", code_decode(targets[k].mode, targets[k].hex, &insn), JCC_OK);
        assert_true(insn.flags & JCC_INSN_RELATIVE);
        assert_int_equal(jcc_insn_target(targets[k].mode, &insn, code, targets[k].address), targets[k].target);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_conditional_jump_is_jcc_with_its_condition),
        cmocka_unit_test(kinds_are_gnu_as_s_and_flags_as_the_header_has_them),
        cmocka_unit_test(what_starts_a_pair_is_by_the_macro_fusion_tables),
        cmocka_unit_test(add_sub_and_and_of_memory_are_doubtful),
        cmocka_unit_test(pairs_fuse_with_the_conditions_of_the_macro_fusion_table),
        cmocka_unit_test(a_target_is_counted_from_the_end_and_wrapped_to_the_operand_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
