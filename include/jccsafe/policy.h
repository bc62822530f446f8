// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is to be kept off a boundary, and by what means.
//
// The rule is Intel's ("Mitigations for Jump Conditional Code Erratum", revision 1.0, November 2019,
// section 2): on an affected CPU a jump that crosses a 32-byte boundary, or ends on one, is not held
// in the decoded instruction cache. The branch kinds and their names are GNU as's (-malign-branch=).
#ifndef JCCSAFE_POLICY_H
#define JCCSAFE_POLICY_H

#include <jccsafe/export.h>
#include <jccsafe/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A unit: a control transfer, or a macro-fused pair. jrcxz, loop*, xbegin, iret, far transfers and
// syscall are not units. Where a set of kinds names JCC and not FUSED, the jump of a pair is a JCC.
enum jcc_kind {
    JCC_KIND_NONE = 0,
    JCC_KIND_JCC = 1,      // a conditional jump (70..7f, 0f 80..8f) that is not the second of a fused pair
    JCC_KIND_FUSED = 2,    // cmp, test, add, sub, and, inc or dec, with the conditional jump that it fuses with
    JCC_KIND_JMP = 3,      // e9, eb
    JCC_KIND_CALL = 4,     // e8
    JCC_KIND_RET = 5,      // c2, c3
    JCC_KIND_INDIRECT = 6, // ff /2, ff /4: call and jmp through a register or memory
    JCC_KIND_COUNT = 7,    // one more than the last
};

// A set of kinds has bit JCC_KIND_BIT(kind) set for each kind in it.
#define JCC_KIND_BIT(kind) (1u << (kind))
#define JCC_KINDS_CLANG    (JCC_KIND_BIT(JCC_KIND_JCC) | JCC_KIND_BIT(JCC_KIND_FUSED) | JCC_KIND_BIT(JCC_KIND_JMP))
#define JCC_KINDS_ALL      (JCC_KINDS_CLANG | JCC_KIND_BIT(JCC_KIND_CALL) | JCC_KIND_BIT(JCC_KIND_RET) | JCC_KIND_BIT(JCC_KIND_INDIRECT))

// Bounds of jcc_policy.boundary, when it is not 0. Intel's is 32. Below 16 a long instruction fits
// nowhere; above 256 no CPU has a reason, and planning takes time and memory in proportion.
#define JCC_BOUNDARY_MIN   16u
#define JCC_BOUNDARY_MAX   256u
#define JCC_BOUNDARY_INTEL 32u

// As GNU as's -malign-branch-prefix-size=: how many prefixes an instruction may have in all once
// redundant ones are added. Intel's decoders take no more than five without a penalty worth having.
#define JCC_PREFIX_LIMIT_DEFAULT 5u
#define JCC_PREFIX_LIMIT_MAX     5u

// Which code is planned.
enum jcc_scope {
    JCC_SCOPE_ALL = 0,       // every instruction
    JCC_SCOPE_LOOPS = 1,     // instructions in a loop (see jcc_layout_weights)
    JCC_SCOPE_FUNCTIONS = 2, // the functions that the call names (jcc_assemble_request.functions)
};

struct jcc_policy {
    size_t size;           // sizeof(struct jcc_policy), set by the caller or by a preset
    uint32_t boundary;     // bytes: 0 for no padding at all, else a power of two from 16 to 256
    uint32_t kinds;        // set of enum jcc_kind: the units to keep off the boundary
    uint32_t prefix_limit; // 0 to 5: prefixes an instruction may have in all; 0: no-operations only
    uint32_t scope;        // enum jcc_scope
};

// Presets, complete with size. off pads nothing; clang is what -mbranches-within-32B-boundaries means
// to clang and GNU as (jcc, fused, jmp); full is every kind.
JCC_API struct jcc_policy jcc_policy_off(void);
JCC_API struct jcc_policy jcc_policy_clang(void);
JCC_API struct jcc_policy jcc_policy_full(void);

// Bytes: no version of the struct grows beyond this. It keeps a size that was never set from being read through.
#define JCC_POLICY_SIZE_MAX 4096u

// JCC_OK when POLICY can be used; JCC_ERROR_ARGUMENT for NULL, for a size that is smaller than the
// first version's or over JCC_POLICY_SIZE_MAX, and for a tail beyond this version's that is not all zero; JCC_ERROR_POLICY for a
// boundary that is no power of two or out of bounds, an unknown kind, prefix limit or scope. An empty set of kinds is
// sound and pads nothing. Pure.
JCC_API enum jcc_status jcc_policy_check(const struct jcc_policy *policy);

// The preset called NAME ("off", "clang", "full") into *POLICY. JCC_ERROR_POLICY when there is none,
// JCC_ERROR_ARGUMENT for NULL; *POLICY is then unchanged.
JCC_API enum jcc_status jcc_policy_named(const char *name, struct jcc_policy *policy);

// GNU as's name of a kind: "jcc", "fused", "jmp", "call", "ret", "indirect"; "none" for
// JCC_KIND_NONE and for a value that is no kind. Never NULL.
JCC_API const char *jcc_kind_name(enum jcc_kind kind);

// A list of kinds joined by '+', as "jcc+fused+jmp", into *KINDS. "" is the empty set.
// JCC_ERROR_POLICY for an unknown name or an empty one between two '+'; *KINDS is then unchanged.
// JCC_ERROR_ARGUMENT for NULL.
JCC_API enum jcc_status jcc_kinds_parse(const char *list, uint32_t *kinds);

#ifdef __cplusplus
}
#endif
#endif
