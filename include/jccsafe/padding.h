// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many bytes to put before a unit, and what they are. For emitters that write one instruction
// after another; a whole function is planned better by layout.h.
#ifndef JCCSAFE_PADDING_H
#define JCCSAFE_PADDING_H

#include <jccsafe/export.h>
#include <jccsafe/insn.h>
#include <jccsafe/policy.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A cast that neither C nor C++ compilers warn of; gone at the end of this header.
#ifdef __cplusplus
#define JCC_UINT32(value) static_cast<uint32_t>(value)
#else
#define JCC_UINT32(value) ((uint32_t)(value))
#endif

// Whether a unit of LENGTH bytes at ADDRESS is affected: it crosses a multiple of BOUNDARY, or ends
// on one. BOUNDARY is a power of two, LENGTH at least 1. Pure.
static inline bool jcc_affected(uint32_t boundary, uint64_t address, uint32_t length)
{
    return (address & (boundary - 1)) + length >= boundary;
}

// Bytes of no-operation to put at ADDRESS so that a unit of LENGTH bytes behind them is not affected:
// 0 when it is not, else up to the next boundary (0 to boundary - 1). 0 as well when POLICY is off
// (boundary 0) and when the unit is as long as the boundary or longer, which nothing helps.
// The kinds of POLICY are not looked at: the caller knows its branch. POLICY must be sound (see
// jcc_policy_check). For a fused pair give the address of its first instruction and the length of both. Pure.
static inline uint32_t jcc_padding(const struct jcc_policy *policy, uint64_t address, uint32_t length)
{
    // Masks, not conditions: whether a unit needs padding is as good as random, so a branch on it would be mispredicted.
    uint32_t boundary = policy->boundary;
    uint32_t mask = boundary - JCC_UINT32(boundary != 0); // 0 when off: then every offset is 0, and so is the padding
    uint32_t offset = JCC_UINT32(address) & mask;
    // The last offset at which the unit is clean. Where it is too long for any this wraps to more than every offset.
    uint32_t last_clean = mask - length;
    return (boundary - offset) & (0u - JCC_UINT32(offset > last_clean));
}

#undef JCC_UINT32

// The longest single no-operation that jcc_nops writes, in bytes: 64-bit and 32-bit code, 16-bit code.
#define JCC_NOP_MAX    15u
#define JCC_NOP_MAX_16 4u

// Fill BUFFER's first LENGTH bytes with as few no-operations as can be, the longest first. Up to 9 bytes they are those
// that the SDM recommends (volume 2, NOP, table 4-12), beyond that the 9-byte one with a cs and more operand-size prefixes.
// Returns how many. BUFFER may be NULL when LENGTH is 0, or to count only. An unknown mode writes nothing and
// returns 0. Pure but for BUFFER.
JCC_API size_t jcc_nops(enum jcc_mode mode, uint8_t *buffer, size_t length);

#ifdef __cplusplus
}
#endif
#endif
