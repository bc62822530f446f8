// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planner: a whole sequence of instructions in, the cheapest pads out.
//
// A section is described as an array of items in program order: instructions, alignment directives
// and data. The plan gives each its final place: how many bytes of no-operation stand before it, how
// many redundant prefixes it takes, how long each jump is, what each alignment comes to. In the plan no unit is
// affected, except those that carry a residual reason, and every short jump reaches.
//
// Labels: a label between two items belongs to the later one and stands *behind* its pad (a back edge does not
// execute it) and before its prefixes. So a jump's target is an item's index, and its place is that
// item's offset after the pad.
//
// Cost: bytes, plus a price times a weight for each no-operation that is executed (pads and alignment fill alike), plus
// a small price for a prefix byte. As few units as can be stay affected; of such plans the cheapest there is for the jump lengths it ends
// with is found, and of several at the same cost one with the fewest bytes: a dynamic program over (offset modulo boundary), linear in the number of
// items. Jumps that no longer reach grow, and what they move is planned again, to a fixed point. Those that miss most grow first.
// (Alignments beyond 256 bytes always come out exact, but of their fill only the part up to the next multiple of 256 is
// weighed, and one that may skip is taken as skipping when what is before it is chosen.)
#ifndef JCCSAFE_LAYOUT_H
#define JCCSAFE_LAYOUT_H

#include <jccsafe/export.h>
#include <jccsafe/policy.h>
#include <jccsafe/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum jcc_item_type {
    JCC_ITEM_INSN = 0,  // one instruction
    JCC_ITEM_ALIGN = 1, // an alignment directive
    JCC_ITEM_DATA = 2,  // bytes that are not to be looked into; length may be 0
};

enum jcc_item_flag {
    JCC_ITEM_SITE = 1 << 0, // a pad may stand before this item (any type)
    JCC_ITEM_DEAD = 1 << 1, // a pad or alignment fill here is not executed (it follows a jmp, ret and the like)
    JCC_ITEM_PAIR =
        1 << 2, // INSN: it and the next item are one fused unit; the next is then a conditional jump with no site. Where the policy
                // does not name fused but jcc, that jump is a unit of its own
    JCC_ITEM_RELAX = 1 << 3,      // INSN: a jump to item target that is length bytes while it reaches by rel8, else long_length
    JCC_ITEM_LONG = 1 << 4,       // with RELAX: it is long already and stays so
    JCC_ITEM_SHORT_ONLY = 1 << 5, // INSN: a branch to item target that has no form but rel8
    JCC_ITEM_EXEMPT =
        1 << 6, // INSN: its unit is left where it falls (out of scope, in an opted-out region); no residual. One of a pair is both
    JCC_ITEM_PINNED =
        1 << 7, // the distance from the item before to this one may not change: no pad here, no prefix on the item before, and where that
    // is a short jump it is kept in reach as a short-only branch is. A region of a fixed size is an item and then pinned ones, to the
    // one behind it. An alignment before this item is filled as it falls all the same
    JCC_ITEM_LOOP = 1 << 8,      // it stands in a loop; set and cleared by jcc_layout_weights, not read by the planner
    JCC_ITEM_INNERMOST = 1 << 9, // in one that has no other in it; the same
    JCC_ITEM_FUSES =
        1
        << 10, // ALIGN, without a site: where it comes to nothing, the instruction before it and the conditional jump behind it, which has no site,
               // meet and are one fused unit, by the rules of PAIR. Of some alignments in a row each has it: where all come to nothing
};

// No item's index: for what goes nowhere.
#define JCC_LAYOUT_NO_TARGET UINT32_MAX

struct jcc_layout_item {
    uint32_t length;   // INSN: bytes, 1 to 15 (RELAX: the short form's); DATA: bytes; ALIGN: the alignment in bytes, a power of two
    uint32_t target;   // RELAX and SHORT_ONLY: index of the item that it goes to, count for the end; else not read
    uint32_t max_skip; // ALIGN: where the fill would be longer than this there is none; 0: no bound
    uint32_t weight;   // how often, relatively, control runs from the item before into this one; 1 is straight code. See jcc_layout_weights
    uint16_t flags;    // enum jcc_item_flag
    uint8_t type;      // enum jcc_item_type
    uint8_t kind;      // INSN: enum jcc_kind as a lone instruction
    uint8_t long_length; // RELAX: bytes of the rel32 form
    uint8_t prefix_room; // INSN: prefix bytes that it may take (of them no more than the policy's limit); not looked at for a unit's parts
    uint8_t reserved[2]; // 0
};

// Why a unit is still affected.
enum jcc_residual {
    JCC_RESIDUAL_NONE = 0,
    JCC_RESIDUAL_NO_SITE = 1,         // no pad may stand where one would help
    JCC_RESIDUAL_TOO_LONG = 2,        // the unit is as long as the boundary or longer
    JCC_RESIDUAL_SHORT_BRANCH = 3,    // a pad would put a short-only branch out of reach
    JCC_RESIDUAL_PINNED_SIZE = 4,     // a size that the source fixes (.org, .skip of a label difference) leaves no room
    JCC_RESIDUAL_WRITTEN_AS_DATA = 5, // the branch is made of data directives
    JCC_RESIDUAL_NOT_PLANNED = 6,     // the section was left as it is (16-bit code, a source that could not be followed)
    JCC_RESIDUAL_OPTED_OUT = 7,       // in a region that the source or the policy's scope leaves out
    JCC_RESIDUAL_COUNT = 8,           // one more than the last
};

// One place of the plan, for the item with the same index.
struct jcc_layout_place {
    uint32_t offset;  // of the item's first byte (behind its pad; of its first prefix; of an alignment's fill), from the section's start
    uint32_t length;  // bytes from there to its end: prefixes and instruction, or data, or fill
    uint16_t pad;     // bytes of no-operation before offset
    uint8_t prefixes; // of length, how many are redundant prefixes
    uint8_t residual; // enum jcc_residual: for a unit that stays affected (for a pair: on its first instruction)
};

// Prices, in tenths of a byte.
struct jcc_layout_prices {
    uint32_t nop;    // an executed no-operation, times its item's weight; the product counts as 2^28 at most
    uint32_t prefix; // a prefix byte, on top of the byte itself; counts as 2^24 at most
};
// The default, found on sqlite by gcc -O2: below 1.001 times GNU as's bytes, with fewer executed no-operations than the unpadded program has, in
// innermost loops and in all.
#define JCC_LAYOUT_PRICES_DEFAULT                                                                                                          \
    {                                                                                                                                      \
        7, 1                                                                                                                               \
    }
// As few bytes as it takes, within a few hundredths of a per cent: prefixes are free, so there are twice as many.
#define JCC_LAYOUT_PRICES_SIZE                                                                                                             \
    {                                                                                                                                      \
        1, 0                                                                                                                               \
    }

struct jcc_layout_totals {
    uint64_t bytes;     // of the section
    uint64_t pad_bytes; // pads, prefixes not counted
    uint64_t prefix_bytes;
    uint64_t live_nops; // executed no-operations in pads and in alignment fill
    uint64_t units;     // of the policy's kinds, exempt ones not counted
    uint64_t residuals; // units that stay affected
    uint32_t grown;     // jumps that became long
    uint32_t rounds;    // of the fixed point, at least 1
};

// Set the weight of each of COUNT items, and its flags LOOP and INNERMOST, from its loop depth, as the backward branches nest: 1 outside any loop, 1 more
// for each level in, and no more than 5; but 45 in a loop that has no other in it. An item between two depths gets the lesser: a pad before a loop's first
// label runs once. A loop is what lies from a RELAX or SHORT_ONLY branch's target to the branch, when control that starts at the target can come to the
// branch going forwards (DEAD says where it does not fall through, an INDIRECT before DEAD is a jump); so a jump to an earlier function, or from a cold
// block at the end back into the middle, is none.
// ITEMS may be NULL when COUNT is 0. SCRATCH is COUNT + 1 words of the caller's. Linear. Pure but for both.
JCC_API void jcc_layout_weights(struct jcc_layout_item *items, size_t count, uint32_t *scratch);

// Bytes of workspace that jcc_layout_plan needs for COUNT items under POLICY; 0 when that overflows size_t, COUNT is more than 2^32 - 2, or POLICY is
// not sound. About 310 bytes an item, and for few items more: 20 KiB for none, 150 KiB for 64. What the items do not need is not touched: as a rule
// it comes to 150 an item.
JCC_API size_t jcc_layout_workspace(const struct jcc_policy *policy, size_t count);

// Plan COUNT items of a section whose first byte stands on a multiple of the boundary and of every
// alignment in it. NOP_MAX is the longest no-operation that one pad is written with: JCC_NOP_MAX for jcc_nops, or the caller's own, by which executed
// no-operations are counted; only 0 is refused.
// PLACES gets COUNT entries. TOTALS may be NULL. WORKSPACE is WORKSPACE_SIZE bytes, aligned for any type. PRICES NULL: the defaults.
//
// A policy that is off plans nothing, but still resolves alignments and jump lengths.
// JCC_ERROR_ARGUMENT: NULL, NOP_MAX 0, an unknown type, flag or kind (FUSED too, which is no lone instruction's), a RELAX or SHORT_ONLY whose target is
// more than COUNT, both of them or a PAIR on one item, any of the three on what is no instruction, an alignment that is no power of two, a length of 0
// for an instruction or over 15, a RELAX whose long form is shorter than the short one or over 15, a PAIR that begins with a branch, without its jump or
// with a site in it, FUSES the same or on what is no alignment, reserved bytes that are not 0. What a field's comment does not name an item's type or flag for is not read.
// JCC_ERROR_POLICY; JCC_ERROR_NO_SPACE: the workspace is too small; JCC_ERROR_LIMIT: the section would pass 2 GiB, or COUNT 2^32 - 2. PLACES and TOTALS
// hold nothing of use unless JCC_OK; TOTALS is then unchanged.
// Units that cannot be helped are no error: they carry a residual. Nothing is allocated; any number of threads.
JCC_API enum jcc_status jcc_layout_plan(const struct jcc_policy *policy, const struct jcc_layout_prices *prices, unsigned nop_max,
                                        const struct jcc_layout_item *items, size_t count, struct jcc_layout_place *places, void *workspace,
                                        size_t workspace_size, struct jcc_layout_totals *totals);

// A residual's reason in plain words, as "short branch out of reach"; "none" for JCC_RESIDUAL_NONE and unknown values. Never NULL.
JCC_API const char *jcc_residual_name(enum jcc_residual residual);

#ifdef __cplusplus
}
#endif
#endif
