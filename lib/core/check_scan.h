// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scan of jcc_check: where the units are, with what stands before each. Private to lib/core.
#ifndef JCCSAFE_CORE_CHECK_SCAN_H
#define JCCSAFE_CORE_CHECK_SCAN_H

#include "insn_brief.h"

// Bytes of code to a batch: its units stay in the first-level cache.
#define JCC_SCAN_BATCH 2048u

// A unit in a batch, packed, as one is written for every instruction. Low half: bits 0 to 15 its offset from base, then its
// length, the length of the instruction right before it (0: there is none), its kind and the condition of a jump. High half: what
// the instruction before it is, see jcc_scan_pair.
typedef uint64_t jcc_scan_unit;
#define JCC_SCAN_LENGTH    16
#define JCC_SCAN_BEFORE    20
#define JCC_SCAN_KIND      JCC_QUICK_KIND
#define JCC_SCAN_CONDITION 28
#define JCC_SCAN_FIRST     32

// The high half: opcode, ModRM byte and 0f escape of an instruction of 64-bit code, or with KNOWN set struct jcc_role.pairs' element.
#define JCC_SCAN_FIRST_MODRM  8
#define JCC_SCAN_FIRST_ESCAPE 16
#define JCC_SCAN_FIRST_KNOWN  (1u << 17)

// struct jcc_role.pairs' element for the instruction before a unit.
static inline unsigned jcc_scan_pair(uint32_t first)
{
    if (first & JCC_SCAN_FIRST_KNOWN)
        return first & (JCC_ROLE_PAIR | JCC_ROLE_DOUBTFUL);
    return jcc_opcode_pair(&jcc_opcodes[first >> JCC_SCAN_FIRST_ESCAPE & 1][first & 0xff], first >> JCC_SCAN_FIRST_MODRM & 0xff, true);
}

struct jcc_scan {
    const uint8_t *code;
    size_t length;
    size_t at;   // where the next batch begins
    size_t base; // where this one began
    uint32_t instructions;
    uint32_t unit_count;
    uint32_t before;      // length of the last instruction, 0 behind what is none
    uint32_t first;       // what it is, as in a unit's high half
    uint32_t undecoded;   // so many bytes before at are no instruction; the batch ended early
    const size_t *starts; // where instructions are known to begin, rising; those behind at
    size_t start_count;
    jcc_scan_unit units[JCC_SCAN_BATCH + 1];
};

void jcc_scan_begin(struct jcc_scan *scan, const uint8_t *code, size_t length, const size_t *starts, size_t start_count);
// The next batch; false at the end of the code.
bool jcc_scan_next(struct jcc_scan *scan, enum jcc_mode mode);

#endif
