// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lengths and parts of instructions, by hand-chosen encodings of every map and every rule that changes a length.
// That they agree with other decoders on millions of instructions is tests/decoder's.
#define _GNU_SOURCE
#include "code.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define M64 JCC_MODE_64
#define M32 JCC_MODE_32
#define M16 JCC_MODE_16

// A whole instruction and where its parts are. An offset of 0: no such part.
struct vector {
    enum jcc_mode mode;
    const char *hex;
    uint8_t prefixes, opcode, modrm, disp, disp_size, imm, imm_size;
};

static const struct vector vectors[] = {
    // The primary map
    {M64, "90", .opcode = 0},
    {M64, "48 89 e5", .opcode = 1, .modrm = 2},
    {M64, "04 7f", .opcode = 0, .imm = 1, .imm_size = 1},
    {M64, "05 01 02 03 04", .opcode = 0, .imm = 1, .imm_size = 4},
    {M64, "66 05 01 02", 1, .opcode = 1, .imm = 2, .imm_size = 2},
    {M64, "66 48 05 01 02 03 04", 1, .opcode = 2, .imm = 3, .imm_size = 4}, // REX.W wins over 66
    {M64, "b8 01 02 03 04", .opcode = 0, .imm = 1, .imm_size = 4},
    {M64, "66 b8 01 02", 1, .opcode = 1, .imm = 2, .imm_size = 2},
    {M64, "48 b8 01 02 03 04 05 06 07 08", .opcode = 1, .imm = 2, .imm_size = 8},
    {M64, "48 66 b8 01 02", 1, .opcode = 2, .imm = 3, .imm_size = 2}, // a REX that is not last does nothing
    {M64, "68 01 02 03 04", .opcode = 0, .imm = 1, .imm_size = 4},
    {M64, "69 c0 01 02 03 04", .opcode = 0, .modrm = 1, .imm = 2, .imm_size = 4},
    {M64, "c8 10 00 01", .opcode = 0, .imm = 1, .imm_size = 3}, // enter
    {M64, "c2 08 00", .opcode = 0, .imm = 1, .imm_size = 2},
    {M64, "cd 80", .opcode = 0, .imm = 1, .imm_size = 1},
    {M32, "9a 01 02 03 04 05 06", .opcode = 0, .imm = 1, .imm_size = 6}, // far call
    {M32, "66 9a 01 02 03 04", 1, .opcode = 1, .imm = 2, .imm_size = 4},
    {M16, "ea 01 02 03 04", .opcode = 0, .imm = 1, .imm_size = 4},
    {M16, "66 ea 01 02 03 04 05 06", 1, .opcode = 1, .imm = 2, .imm_size = 6},
    {M32, "d4 0a", .opcode = 0, .imm = 1, .imm_size = 1},
    {M32, "d5 0a", .opcode = 0, .imm = 1, .imm_size = 1}, // aad, not REX2
    {M32, "82 c0 01", .opcode = 0, .modrm = 1, .imm = 2, .imm_size = 1},
    {M32, "40", .opcode = 0},
    {M32, "62 03", .opcode = 0, .modrm = 1}, // bound, not EVEX
    {M32, "c4 03", .opcode = 0, .modrm = 1}, // les, not VEX
    {M32, "c5 7d f8", .opcode = 0, .modrm = 1, .disp = 2, .disp_size = 1},
    {M64, "8f c0", .opcode = 0, .modrm = 1}, // pop, not XOP
    {M64, "c6 f8 01", .opcode = 0, .modrm = 1, .imm = 2, .imm_size = 1},
    {M64, "d9 c0", .opcode = 0, .modrm = 1},
    {M64, "9b", .opcode = 0},
    // Absolute addresses
    {M64, "a1 01 02 03 04 05 06 07 08", .opcode = 0, .disp = 1, .disp_size = 8},
    {M64, "67 a1 01 02 03 04", 1, .opcode = 1, .disp = 2, .disp_size = 4},
    {M64, "66 a3 01 02 03 04 05 06 07 08", 1, .opcode = 1, .disp = 2, .disp_size = 8},
    {M32, "a0 01 02 03 04", .opcode = 0, .disp = 1, .disp_size = 4},
    {M32, "67 a2 01 02", 1, .opcode = 1, .disp = 2, .disp_size = 2},
    {M16, "a0 01 02", .opcode = 0, .disp = 1, .disp_size = 2},
    // The immediate of f6 and f7 is test's alone
    {M64, "f6 c0 01", .opcode = 0, .modrm = 1, .imm = 2, .imm_size = 1},
    {M64, "f6 c8 01", .opcode = 0, .modrm = 1, .imm = 2, .imm_size = 1},
    {M64, "f6 d0", .opcode = 0, .modrm = 1},
    {M64, "f7 00 01 02 03 04", .opcode = 0, .modrm = 1, .imm = 2, .imm_size = 4},
    {M64, "66 f7 c0 01 02", 1, .opcode = 1, .modrm = 2, .imm = 3, .imm_size = 2},
    {M64, "f7 f8", .opcode = 0, .modrm = 1},
    // ModRM, SIB and displacement with 32- and 64-bit addresses
    {M64, "8b 00", .opcode = 0, .modrm = 1},
    {M64, "8b 05 01 02 03 04", .opcode = 0, .modrm = 1, .disp = 2, .disp_size = 4},
    {M64, "8b 40 01", .opcode = 0, .modrm = 1, .disp = 2, .disp_size = 1},
    {M64, "8b 80 01 02 03 04", .opcode = 0, .modrm = 1, .disp = 2, .disp_size = 4},
    {M64, "8b 04 24", .opcode = 0, .modrm = 1},
    {M64, "8b 44 24 08", .opcode = 0, .modrm = 1, .disp = 3, .disp_size = 1},
    {M64, "8b 84 24 01 02 03 04", .opcode = 0, .modrm = 1, .disp = 3, .disp_size = 4},
    {M64, "8b 04 25 01 02 03 04", .opcode = 0, .modrm = 1, .disp = 3, .disp_size = 4}, // SIB without a base
    {M64, "41 8b 45 01", .opcode = 1, .modrm = 2, .disp = 3, .disp_size = 1},
    {M64, "67 8b 05 01 02 03 04", 1, .opcode = 1, .modrm = 2, .disp = 3, .disp_size = 4}, // eip-relative
    {M64, "c7 84 24 01 02 03 04 05 06 07 08", .opcode = 0, .modrm = 1, .disp = 3, .disp_size = 4, .imm = 7, .imm_size = 4},
    // The same with 16-bit addresses
    {M32, "67 8b 06 01 02", 1, .opcode = 1, .modrm = 2, .disp = 3, .disp_size = 2},
    {M32, "67 8b 46 01", 1, .opcode = 1, .modrm = 2, .disp = 3, .disp_size = 1},
    {M32, "67 8b 04", 1, .opcode = 1, .modrm = 2}, // si: no SIB
    {M32, "67 8b 84 01 02", 1, .opcode = 1, .modrm = 2, .disp = 3, .disp_size = 2},
    {M16, "8b 05", .opcode = 0, .modrm = 1},
    {M16, "67 8b 04 24", 1, .opcode = 1, .modrm = 2},
    // Near branches: 66 shortens them outside 64-bit code alone
    {M64, "e8 01 02 03 04", .opcode = 0, .imm = 1, .imm_size = 4},
    {M64, "66 e8 01 02 03 04", 1, .opcode = 1, .imm = 2, .imm_size = 4},
    {M64, "66 0f 84 01 02 03 04", 1, .opcode = 2, .imm = 3, .imm_size = 4},
    {M32, "66 e8 01 02", 1, .opcode = 1, .imm = 2, .imm_size = 2},
    {M32, "66 0f 84 01 02", 1, .opcode = 2, .imm = 3, .imm_size = 2},
    {M16, "e9 01 02", .opcode = 0, .imm = 1, .imm_size = 2},
    {M16, "66 e9 01 02 03 04", 1, .opcode = 1, .imm = 2, .imm_size = 4},
    {M64, "74 01", .opcode = 0, .imm = 1, .imm_size = 1},
    {M64, "c7 f8 01 02 03 04", .opcode = 0, .modrm = 1, .imm = 2, .imm_size = 4}, // xbegin
    {M64, "66 c7 f8 01 02", 1, .opcode = 1, .modrm = 2, .imm = 3, .imm_size = 2},
    // The 0F maps
    {M64, "0f a2", .opcode = 1},
    {M64, "0f 1f 44 00 00", .opcode = 1, .modrm = 2, .disp = 4, .disp_size = 1},
    {M64, "66 2e 0f 1f 84 00 01 02 03 04", 2, .opcode = 3, .modrm = 4, .disp = 6, .disp_size = 4},
    {M64, "0f ba e0 01", .opcode = 1, .modrm = 2, .imm = 3, .imm_size = 1},
    {M64, "0f a4 c1 05", .opcode = 1, .modrm = 2, .imm = 3, .imm_size = 1},
    {M64, "66 0f 70 c1 1b", 1, .opcode = 2, .modrm = 3, .imm = 4, .imm_size = 1},
    {M64, "0f 71 d0 01", .opcode = 1, .modrm = 2, .imm = 3, .imm_size = 1},
    {M64, "0f 78 c1", .opcode = 1, .modrm = 2},                                      // vmread
    {M64, "66 0f 78 c1 02 03", 1, .opcode = 2, .modrm = 3, .imm = 4, .imm_size = 2}, // extrq
    {M64, "f2 0f 78 c1 02 03", 1, .opcode = 2, .modrm = 3, .imm = 4, .imm_size = 2}, // insertq
    {M64, "0f 20 c0", .opcode = 1, .modrm = 2},
    {M64, "0f 20 05", .opcode = 1, .modrm = 2}, // mov from cr0: mod is ignored, so no displacement
    {M64, "0f 0b", .opcode = 1},
    {M64, "0f b9 40 01", .opcode = 1, .modrm = 2, .disp = 3, .disp_size = 1},
    {M64, "0f ff c0", .opcode = 1, .modrm = 2},
    {M64, "f3 0f b8 c1", 1, .opcode = 2, .modrm = 3},
    {M64, "66 0f 38 00 c1", 1, .opcode = 3, .modrm = 4},
    {M64, "f2 48 0f 38 f1 c1", 1, .opcode = 4, .modrm = 5},
    {M64, "66 0f 3a 0f c1 08", 1, .opcode = 3, .modrm = 4, .imm = 5, .imm_size = 1},
    {M64, "0f 0f c1 9e", .opcode = 3, .modrm = 2, .imm = 3, .imm_size = 1}, // 3DNow!: the opcode comes last
    {M64, "0f 0f 44 24 08 bf", .opcode = 5, .modrm = 2, .disp = 4, .disp_size = 1, .imm = 5, .imm_size = 1},
    // VEX
    {M64, "c5 f8 77", .opcode = 2}, // vzeroupper
    {M64, "c5 f9 6f 05 01 02 03 04", .opcode = 2, .modrm = 3, .disp = 4, .disp_size = 4},
    {M64, "2e c5 f9 70 c1 1b", 1, .opcode = 3, .modrm = 4, .imm = 5, .imm_size = 1},
    {M64, "c4 e2 7d 58 44 24 08", .opcode = 3, .modrm = 4, .disp = 6, .disp_size = 1},
    {M64, "c4 e3 7d 39 c1 01", .opcode = 3, .modrm = 4, .imm = 5, .imm_size = 1},
    {M64, "c4 e1 f9 73 d8 04", .opcode = 3, .modrm = 4, .imm = 5, .imm_size = 1},
    {M64, "c4 e7 7b f8 c1 01 02 03 04", .opcode = 3, .modrm = 4, .imm = 5, .imm_size = 4}, // urdmsr
    {M32, "c5 f9 6f 06", .opcode = 2, .modrm = 3},
    {M32, "67 c5 f9 6f 06 01 02", 1, .opcode = 3, .modrm = 4, .disp = 5, .disp_size = 2},
    {M16, "c5 f9 6f 06 01 02", .opcode = 2, .modrm = 3, .disp = 4, .disp_size = 2},
    // XOP
    {M64, "8f e8 78 a2 c1 20", .opcode = 3, .modrm = 4, .imm = 5, .imm_size = 1},
    {M64, "8f e9 78 80 c1", .opcode = 3, .modrm = 4},
    {M64, "8f ea 78 10 c1 01 02 03 04", .opcode = 3, .modrm = 4, .imm = 5, .imm_size = 4},
    // EVEX
    {M64, "62 f1 7c 48 28 40 01", .opcode = 4, .modrm = 5, .disp = 6, .disp_size = 1},
    {M64, "62 f3 7d 48 39 44 24 01 02", .opcode = 4, .modrm = 5, .disp = 7, .disp_size = 1, .imm = 8, .imm_size = 1},
    {M64, "62 f5 7c 48 58 c1", .opcode = 4, .modrm = 5},
    {M64, "62 f6 7d 48 98 05 01 02 03 04", .opcode = 4, .modrm = 5, .disp = 6, .disp_size = 4},
    {M32, "62 f1 7c 48 28 c1", .opcode = 4, .modrm = 5},
    // APX: legacy instructions under EVEX, and REX2
    {M64, "62 f4 74 18 01 c3", .opcode = 4, .modrm = 5},
    {M64, "62 f4 74 18 81 c3 01 02 03 04", .opcode = 4, .modrm = 5, .imm = 6, .imm_size = 4},
    {M64, "62 f4 75 18 81 c3 01 02", .opcode = 4, .modrm = 5, .imm = 6, .imm_size = 2},
    {M64, "62 f4 f5 18 81 c3 01 02 03 04", .opcode = 4, .modrm = 5, .imm = 6, .imm_size = 4}, // W wins over 66
    {M64, "62 f4 7c 08 f7 c0 01 02 03 04", .opcode = 4, .modrm = 5, .imm = 6, .imm_size = 4},
    {M64, "62 f4 7c 08 f7 d8", .opcode = 4, .modrm = 5},
    {M64, "62 f4 74 18 24 c3 05", .opcode = 4, .modrm = 5, .imm = 6, .imm_size = 1},
    {M64, "d5 10 8b 00", .opcode = 2, .modrm = 3},
    {M64, "d5 18 b8 01 02 03 04 05 06 07 08", .opcode = 2, .imm = 3, .imm_size = 8},
    {M64, "d5 90 af c1", .opcode = 2, .modrm = 3},
    {M64, "66 d5 10 81 c0 01 02", 1, .opcode = 3, .modrm = 4, .imm = 5, .imm_size = 2},
    {M64, "d5 00 a1 01 02 03 04 05 06 07 08", .opcode = 2, .disp = 3, .disp_size = 8}, // jmpabs
    // The longest: 15 bytes
    {M64, "66 66 66 2e 0f 1f 84 00 01 02 03 04", 4, .opcode = 5, .modrm = 6, .disp = 8, .disp_size = 4},
    {M64, "66 66 66 66 66 66 2e 0f 1f 84 00 01 02 03 04", 7, .opcode = 8, .modrm = 9, .disp = 11, .disp_size = 4},
    {M64, "64 67 66 f0 81 84 24 01 02 03 04 05 06", 4, .opcode = 4, .modrm = 5, .disp = 7, .disp_size = 4, .imm = 11, .imm_size = 2},
    {M64, "2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 90", 14, .opcode = 14},
};
#define VECTORS (sizeof vectors / sizeof vectors[0])

static void each_part_is_where_the_encoding_has_it(void **state)
{
    (void)state;
    for (size_t k = 0; k < VECTORS; k++) {
        const struct vector *v = &vectors[k];
        struct jcc_insn insn;
        code_equal(v->hex, "status", code_decode(v->mode, v->hex, &insn), JCC_OK);
        code_equal(v->hex, "prefixes", insn.prefixes, v->prefixes);
        code_equal(v->hex, "opcode_offset", insn.opcode_offset, v->opcode);
        code_equal(v->hex, "modrm_offset", insn.modrm_offset, v->modrm);
        code_equal(v->hex, "disp_offset", insn.disp_offset, v->disp);
        code_equal(v->hex, "disp_size", insn.disp_size, v->disp_size);
        code_equal(v->hex, "imm_offset", insn.imm_offset, v->imm);
        code_equal(v->hex, "imm_size", insn.imm_size, v->imm_size);
    }
}

static void what_ends_early_is_truncated_and_nothing_behind_it_is_read(void **state)
{
    (void)state;
    struct code_guard guard = code_guard_open();
    for (size_t k = 0; k < VECTORS; k++) {
        uint8_t code[JCC_INSN_MAX];
        size_t length = code_from_hex(vectors[k].hex, code, sizeof code);
        struct jcc_insn insn;
        for (size_t cut = 0; cut < length; cut++) {
            code_equal(vectors[k].hex, "status of a part",
                       jcc_insn_decode(vectors[k].mode, code_guard_place(&guard, code, cut), cut, &insn), JCC_ERROR_TRUNCATED);
        }
        assert_int_equal(jcc_insn_decode(vectors[k].mode, code_guard_place(&guard, code, length), length, &insn), JCC_OK);
    }
    code_guard_close(&guard);
}

_Static_assert(offsetof(struct jcc_insn, reserved) + 1 == sizeof(struct jcc_insn), "insn.h: no padding bytes, so that memcmp compares");

static void what_stands_behind_an_instruction_does_not_matter(void **state)
{
    (void)state;
    for (size_t k = 0; k < VECTORS; k++) {
        struct jcc_insn alone, followed;
        uint8_t code[64];
        size_t length = code_from_hex(vectors[k].hex, code, sizeof code);
        assert_int_equal(code_decode(vectors[k].mode, vectors[k].hex, &alone), JCC_OK);
        for (unsigned fill = 0; fill < 256; fill++) {
            memset(code + length, (int)fill, sizeof code - length);
            assert_int_equal(jcc_insn_decode(vectors[k].mode, code, sizeof code, &followed), JCC_OK);
            assert_memory_equal(&alone, &followed, sizeof alone);
        }
    }
}

static const struct {
    enum jcc_mode mode;
    const char *hex;
} none[] = {
    // Not in 64-bit code
    {M64, "06"},
    {M64, "07"},
    {M64, "0e"},
    {M64, "16"},
    {M64, "17"},
    {M64, "1e"},
    {M64, "1f"},
    {M64, "27"},
    {M64, "2f"},
    {M64, "37"},
    {M64, "3f"},
    {M64, "60"},
    {M64, "61"},
    {M64, "82 c0 01"},
    {M64, "9a 1 2 3 4 5 6"},
    {M64, "ce"},
    {M64, "d4 0a"},
    {M64, "d6"},
    {M64, "ea 1 2 3 4 5 6"},
    // Group members and operands that do not exist
    {M64, "fe d0"},
    {M64, "ff f8"},
    {M64, "ff d8"},
    {M64, "ff e8"},
    {M64, "c6 c8 01"},
    {M64, "c7 c8 1 2 3 4"},
    {M64, "8d c0"},
    {M64, "8e c8"},
    {M64, "8c f0"},
    {M64, "0f ba c0 01"},
    {M64, "0f 71 00 01"},
    {M64, "d9 08"},
    {M64, "d9 d1"},
    {M64, "de d8"},
    {M64, "0f c7 00"},
    {M64, "0f 01 cc"},
    {M64, "0f b2 c0"},
    {M64, "0f 20 e8"},
    // Opcodes and mandatory prefixes that do not exist
    {M64, "0f 04"},
    {M64, "0f 24 c0"},
    {M64, "0f 39"},
    {M64, "f3 0f 28 c1"},
    {M64, "f2 0f 5b c1"},
    {M64, "0f b8 c1"},
    {M64, "0f 38 40 c1"},
    {M64, "0f 3a 44 c1 01"},
    {M64, "0f 0f c1 00"},
    // Prefixes that VEX, EVEX and XOP exclude; their maps and opcodes that do not exist
    {M64, "66 c5 f9 6f c1"},
    {M64, "f3 c5 f9 6f c1"},
    {M64, "f2 c5 f9 6f c1"},
    {M64, "f0 c5 f9 6f c1"},
    {M64, "48 c5 f9 6f c1"},
    {M64, "66 62 f1 7c 48 28 c1"},
    {M64, "41 8f e9 78 80 c1"},
    {M64, "c4 e0 79 6f c1"},
    {M64, "c4 e4 79 6f c1"},
    {M64, "c5 f9 00 c1"},
    {M64, "62 f0 7c 48 28 c1"},
    {M64, "8f eb 78 80 c1"},
    {M64, "62 f1 7f 48 28 c1"},
    // APX outside 64-bit code; what REX2 excludes
    {M32, "62 f4 74 18 01 c3"},
    {M32, "c4 e2 79 e0 03"},
    {M64, "d5 00 70 01"},
    {M64, "d5 00 e8 1 2 3 4"},
    {M64, "d5 00 a8 01"},
    {M64, "d5 00 40"},
    {M64, "d5 80 84 1 2 3 4"},
    {M64, "d5 80 30"},
    {M64, "d5 08 a1 1 2 3 4 5 6 7 8"},
    {M64, "48 d5 00 90"},
    {M64, "d5 00 0f af c1"},
    {M64, "d5 00 c5 f9 6f c1"},
    {M64, "d5 00 66 90"},
    // LOCK where nothing is modified in memory
    {M64, "f0 90"},
    {M64, "f0 01 c0"},
    {M64, "f0 03 00"},
    {M64, "f0 80 38 01"},
    {M64, "f0 e9 1 2 3 4"},
    {M64, "f0 0f ba 20 01"},
    {M64, "f0 0f 20 c0"},
    // More than 15 bytes
    {M64, "2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 90"},
    {M64, "66 66 66 66 66 66 66 2e 0f 1f 84 00 1 2 3 4"},
    {M32, "66 66 66 66 66 66 66 66 66 66 66 66 66 66 eb fe"},
    {M64, "64 67 66 f0 2e 2e 2e 81 84 24 01 02 03 04 05 06"},
};

static void what_no_cpu_decodes_is_invalid(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof none / sizeof none[0]; k++) {
        struct jcc_insn insn;
        memset(&insn, 0x5a, sizeof insn);
        struct jcc_insn before = insn;
        uint8_t code[32] = {0};
        code_from_hex(none[k].hex, code, sizeof code);
        code_equal(none[k].hex, "status", jcc_insn_decode(none[k].mode, code, sizeof code, &insn), JCC_ERROR_INVALID_CODE);
        assert_memory_equal(&insn, &before, sizeof insn); // untouched
    }
}

static void fifteen_prefixes_are_invalid_but_fourteen_are_truncated(void **state)
{
    (void)state;
    uint8_t code[20];
    struct jcc_insn insn;
    memset(code, 0x66, sizeof code);
    for (size_t length = 0; length <= sizeof code; length++)
        assert_int_equal(jcc_insn_decode(M64, code, length, &insn), length < JCC_INSN_MAX ? JCC_ERROR_TRUNCATED : JCC_ERROR_INVALID_CODE);
}

static void lock_is_allowed_where_memory_is_modified(void **state)
{
    (void)state;
    static const char *const locked[] = {"f0 01 00",    "f0 80 00 01", "f0 83 28 01", "f0 87 00",    "f0 f7 10",      "f0 ff 08",
                                         "f0 0f b1 0e", "f0 0f ab 00", "f0 0f c1 00", "f0 0f c7 08", "f0 0f ba 28 01"};
    for (size_t k = 0; k < sizeof locked / sizeof locked[0]; k++) {
        struct jcc_insn insn;
        code_equal(locked[k], "status", code_decode(M64, locked[k], &insn), JCC_OK);
        code_equal(locked[k], "flags", insn.flags & JCC_INSN_LOCK_REP, JCC_INSN_LOCK_REP);
    }
}

static void null_and_unknown_modes_are_bad_arguments(void **state)
{
    (void)state;
    struct jcc_insn insn;
    const uint8_t nop = 0x90;
    assert_int_equal(jcc_insn_decode(M64, NULL, 0, &insn), JCC_ERROR_ARGUMENT);
    assert_int_equal(jcc_insn_decode(M64, &nop, 1, NULL), JCC_ERROR_ARGUMENT);
    assert_int_equal(jcc_insn_decode((enum jcc_mode)3, &nop, 1, &insn), JCC_ERROR_ARGUMENT);
    assert_int_equal(jcc_insn_decode(M64, &nop, 0, &insn), JCC_ERROR_TRUNCATED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_part_is_where_the_encoding_has_it),
        cmocka_unit_test(what_ends_early_is_truncated_and_nothing_behind_it_is_read),
        cmocka_unit_test(what_stands_behind_an_instruction_does_not_matter),
        cmocka_unit_test(what_no_cpu_decodes_is_invalid),
        cmocka_unit_test(fifteen_prefixes_are_invalid_but_fourteen_are_truncated),
        cmocka_unit_test(lock_is_allowed_where_memory_is_modified),
        cmocka_unit_test(null_and_unknown_modes_are_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
