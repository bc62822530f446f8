// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the instructions of a code section begin, and which is the how-manieth, no-operations not counted. Two
// places of the plain and the padded section are one place of the program when as many instructions lie before them.
#ifndef JCC_ELF_PLACES_H
#define JCC_ELF_PLACES_H

#include <jccsafe/insn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jcc_places {
    enum jcc_mode mode;
    const uint8_t *bytes;
    size_t size;
    uint64_t *counted; // a bit a byte: an instruction (or a byte that is none) begins here
    uint64_t *passed;  // a no-operation that is not counted begins here
    uint32_t *ranks;   // a number for each 64 bytes: counted bits before them
};

bool jcc_places_create(struct jcc_places *places, enum jcc_mode mode, const uint8_t *bytes, size_t size);
void jcc_places_free(struct jcc_places *places);

static inline void jcc_places_mark(uint64_t *bits, size_t offset)
{
    bits[offset / 64] |= (uint64_t)1 << (offset % 64);
}

static inline void jcc_places_unmark(uint64_t *bits, size_t offset)
{
    bits[offset / 64] &= ~((uint64_t)1 << (offset % 64));
}

static inline bool jcc_places_marked(const uint64_t *bits, size_t offset)
{
    return bits[offset / 64] >> (offset % 64) & 1;
}

// All bits are set: count them. Everything below works from then on.
void jcc_places_count(struct jcc_places *places);

// Whether control may come to OFFSET: an instruction or a no-operation begins there, or the section ends.
bool jcc_places_begin(const struct jcc_places *places, uint64_t offset);
// Whether OFFSET is right behind a counted instruction, with no no-operation between.
bool jcc_places_behind(const struct jcc_places *places, uint64_t offset);
// The last counted instruction that begins before OFFSET, SIZE_MAX: none within the length of an instruction.
size_t jcc_places_before(const struct jcc_places *places, uint64_t offset);

// Whether PLAIN_OFFSET and PADDED_OFFSET are one place: before the same instruction (behind, in or before the no-operations
// in front of it, but not inside one of them), or inside an instruction or a no-operation, with the same bytes from there on.
bool jcc_places_equal(const struct jcc_places *plain, uint64_t plain_offset, const struct jcc_places *padded, uint64_t padded_offset);

// The same for a place that is come to by address: a landing mark (endbr) must be the first thing that is met there
// where it is in PLAIN, or the processor refuses the branch.
bool jcc_places_entry_equal(const struct jcc_places *plain, uint64_t plain_offset, const struct jcc_places *padded, uint64_t padded_offset);

// The same for where a range begins or ends, which no control comes to: inside a no-operation is as good as before it. (The GNU C library
// begins the frame of a signal's return one byte before the function, in what fills the alignment.)
bool jcc_places_bound_equal(const struct jcc_places *plain, uint64_t plain_offset, const struct jcc_places *padded, uint64_t padded_offset);

#endif
