// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the decoder knows of an instruction while it reads it. Private to insn.c and insn_class.c.
#ifndef JCCSAFE_CORE_INSN_PARSE_H
#define JCCSAFE_CORE_INSN_PARSE_H

#include "opcode.h"

struct jcc_parse {
    enum jcc_mode mode;
    const uint8_t *bytes;
    unsigned available; // bytes that may be read, at most 15
    unsigned at;        // bytes read

    // Legacy prefixes and REX
    bool operand, address, lock; // 66, 67, f0
    uint8_t repeat;              // the last of f2 and f3, or 0
    uint8_t segment;             // the last segment override, or 0
    uint8_t rex;                 // 40 to 4f, or 0
    uint8_t prefixes;            // number of legacy prefixes
    // Later prefixes
    bool has_rex2;
    uint8_t rex2;      // its payload
    uint8_t vector;    // c4, c5, 62 or 8f, or 0
    uint8_t vector_pp; // its mandatory prefix, enum jcc_pp
    bool wide;         // the W bit

    enum jcc_map_id map;
    uint8_t opcode;
    enum jcc_pp pp;
    uint8_t operand_size, address_size; // bytes
    bool has_modrm;
    uint8_t modrm;
    uint8_t opcode_at, modrm_at;
    uint8_t disp_at, disp_size;
    uint8_t imm_at, imm_size;
};

// Fill INSN from a complete parse.
void jcc_insn_classify(const struct jcc_parse *p, struct jcc_insn *insn);

#endif
