// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decode one x86 instruction as far as padding needs it: its length and parts, what kind of branch it
// is, whether it can start a macro-fused pair, and how many redundant prefixes it could take.
//
// Sources: Intel SDM volume 2 (chapter 2 and appendix A) and the APX specification for lengths; AMD's
// APM volume 3 for XOP and 3DNow!; Intel's optimization manual (macro-fusion) for pairs.
// Every function here is pure: no allocation, no state, any number of threads.
#ifndef JCCSAFE_INSN_H
#define JCCSAFE_INSN_H

#include <jccsafe/export.h>
#include <jccsafe/policy.h>
#include <jccsafe/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The longest x86 instruction, in bytes (SDM volume 2, 2.3.11).
#define JCC_INSN_MAX 15u

// The mode a code segment is executed in.
enum jcc_mode {
    JCC_MODE_64 = 0, // 64-bit (x32 as well)
    JCC_MODE_32 = 1,
    JCC_MODE_16 = 2,
};

// What an instruction can be the first of, by the tables for Sandy Bridge to Cannon Lake.
enum jcc_pair {
    JCC_PAIR_NONE = 0,
    JCC_PAIR_TEST = 1, // test, and: fuse with every condition
    JCC_PAIR_CMP = 2,  // cmp, add, sub: with E NE L GE LE G B AE BE A
    JCC_PAIR_INC = 3,  // inc, dec: with E NE L GE LE G
};

enum jcc_insn_flag {
    JCC_INSN_ENDS_FLOW = 1 << 0,     // nothing falls through: jmp, ret, iret, far jmp and ret, ud0/1/2, hlt, int3
    JCC_INSN_NOP = 1 << 1,           // a no-operation of any length: 90, 66 90, 0f 1f /0, data16 forms
    JCC_INSN_RIP_RELATIVE = 1 << 2,  // its memory operand is rip- or eip-relative
    JCC_INSN_RELATIVE = 1 << 3,      // its immediate is a displacement from its end: jcc, jmp, call, loop*, jrcxz, xbegin
    JCC_INSN_SHORT_ONLY = 1 << 4,    // RELATIVE and has no form beyond rel8: loop*, jrcxz and kin
    JCC_INSN_SHADOW = 1 << 5,        // holds off interrupts for one instruction: sti, mov to ss, pop ss
    JCC_INSN_DOUBTFUL_PAIR = 1 << 6, // pair class is that of add, sub or and with a memory destination: the manuals disagree
    JCC_INSN_ENDBR = 1 << 7,         // endbr32, endbr64
    JCC_INSN_FS_GS = 1 << 8,         // has an fs or gs prefix
    JCC_INSN_LOCK_REP = 1 << 9,      // has a lock, rep or repne prefix that is not part of the opcode
    JCC_INSN_VECTOR = 1 << 10,       // VEX, EVEX or XOP
};

struct jcc_insn {
    uint8_t length;        // bytes, 1 to 15
    uint8_t kind;          // enum jcc_kind as a lone instruction, so never JCC_KIND_FUSED
    uint8_t condition;     // 0 to 15 when kind is JCC_KIND_JCC (the low four bits of the opcode), else 0
    uint8_t pair;          // enum jcc_pair
    uint16_t flags;        // enum jcc_insn_flag
    uint8_t prefixes;      // legacy prefixes in front, REX and the like not counted
    uint8_t prefix_room;   // bytes: how many redundant prefixes may still be put in front, see jcc_prefix_room
    uint8_t prefix_byte;   // the byte for that: the instruction's own segment override, 2e in 64-bit code, else the default
                           // segment's (36 with esp or ebp as base, 3e else)
    uint8_t opcode_offset; // from the instruction's first byte to its opcode's last byte
    uint8_t modrm_offset;  // 0: no ModRM byte
    uint8_t disp_offset;   // 0: no displacement
    uint8_t disp_size;     // bytes: 0, 1, 2, 4, 8
    uint8_t imm_offset;    // 0: no immediate; a relative branch's displacement counts as its immediate
    uint8_t imm_size;      // bytes: 0, 1, 2, 4, 8; 3 for enter; 4 or 6 for a far pointer
    uint8_t reserved;      // 0; with it the structure has no padding bytes, so that memcmp tells whether two are equal
};

// Decode the instruction at BYTES into *INSN, reading at most LENGTH (and never more than 15) bytes.
// JCC_OK; JCC_ERROR_TRUNCATED when the bytes end inside an instruction; JCC_ERROR_INVALID_CODE when
// they are none; JCC_ERROR_ARGUMENT for a NULL or an unknown mode. *INSN is written on JCC_OK alone.
// An instruction is what has an opcode, mandatory prefix and ModRM form that exist, LOCK only where it may stand, and no more than 15 bytes.
// What an instruction reserves beyond that (W, L, vvvv and the like of vector prefixes, register numbers) is not looked at: it faults
// when executed, but has a length. A near branch in 64-bit code has no 16-bit form, as on Intel's CPUs. No instruction of APX starts a pair.
JCC_API enum jcc_status jcc_insn_decode(enum jcc_mode mode, const uint8_t *bytes, size_t length, struct jcc_insn *insn);

// Whether a first instruction of class PAIR fuses with a conditional jump of CONDITION (0 to 15).
JCC_API bool jcc_pair_fuses(enum jcc_pair pair, unsigned condition);

// Redundant prefixes that INSN can take under a limit of LIMIT prefixes in all (jcc_policy.prefix_limit): bounded by 15
// bytes of length, and 0 for whatever a prefix could change: branches (2e and 3e are hints there, 3e
// is notrack), jrcxz, loop, xbegin, endbr, no-operations and pause, fs and gs, lock and rep, system instructions.
JCC_API unsigned jcc_prefix_room(const struct jcc_insn *insn, unsigned limit);

// Where a RELATIVE instruction that stands at ADDRESS goes to. BYTES are the instruction's own.
// In 16- and 32-bit code the result is wrapped to the operand size.
JCC_API uint64_t jcc_insn_target(enum jcc_mode mode, const struct jcc_insn *insn, const uint8_t *bytes, uint64_t address);

#ifdef __cplusplus
}
#endif
#endif
