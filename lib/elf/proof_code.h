// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over a code section, and the comparison of what two walks come to.
#ifndef JCC_ELF_PROOF_CODE_H
#define JCC_ELF_PROOF_CODE_H

#include "proof.h"

struct jcc_walk {
    const struct jcc_object *object;
    const struct jcc_section *section;
    struct jcc_places *places;
    enum jcc_mode mode;
    size_t at;    // of the bytes
    size_t reloc; // of the section's relocations
    size_t data;  // of its ranges of data
};

// An instruction; or data: one byte, or a field with a relocation.
struct jcc_item {
    struct jcc_insn insn; // unless raw
    const uint8_t *bytes;
    size_t offset;
    size_t size;
    size_t reloc; // index of the first of its relocations among the section's
    size_t reloc_count;
    bool raw;
    bool gap; // no-operations stand in front of it
};

// The next item of WALK; false at the section's end. What is passed over on the way is marked in WALK's places.
bool jcc_walk_next(struct jcc_walk *walk, struct jcc_item *item);
// Whether ITEM, which was just come to, jumps over nothing but no-operations, at least LEAST bytes of them: how GNU as fills a
// long alignment.
bool jcc_walk_fills(const struct jcc_walk *walk, const struct jcc_item *item, size_t least);
// Take ITEM for padding after all, and go on to the next.
bool jcc_walk_pass(struct jcc_walk *walk, struct jcc_item *item);

// Two operands that lead into their own section without a relocation.
struct jcc_jump {
    size_t plain_at;
    size_t padded_at;
    uint64_t plain_to;
    uint64_t padded_to;
    bool rip; // an operand; else a branch
};

// Compare two items, relocations aside. NULL, or what differs. *JUMPS (0 or 1) gets whether JUMP was filled.
const char *jcc_compare_items(const struct jcc_walk *plain, const struct jcc_item *x, const struct jcc_walk *padded,
                              const struct jcc_item *y, struct jcc_jump *jump, size_t *jumps);

#endif
