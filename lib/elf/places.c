// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "places.h"
#include <stdlib.h>
#include <string.h>

bool jcc_places_create(struct jcc_places *places, enum jcc_mode mode, const uint8_t *bytes, size_t size)
{
    // The end of the section is a place too, and so there is always a word for it.
    size_t words = size / 64 + 1;
    *places = (struct jcc_places){.mode = mode, .bytes = bytes, .size = size};
    places->counted = calloc(words, sizeof *places->counted);
    places->passed = calloc(words, sizeof *places->passed);
    places->ranks = calloc(words, sizeof *places->ranks);
    return places->counted && places->passed && places->ranks;
}

void jcc_places_free(struct jcc_places *places)
{
    free(places->counted);
    free(places->passed);
    free(places->ranks);
    *places = (struct jcc_places){0};
}

static uint32_t bits_in(uint64_t word)
{
    // Hamming weight by halves, as in Warren's "Hacker's Delight", 5-1.
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)(word * 0x0101010101010101u >> 56);
}

void jcc_places_count(struct jcc_places *places)
{
    uint32_t sum = 0;
    for (size_t n = 0; n <= places->size / 64; n++) {
        places->ranks[n] = sum;
        sum += bits_in(places->counted[n]);
    }
}

static uint32_t rank(const struct jcc_places *places, uint64_t offset)
{
    uint64_t before = ((uint64_t)1 << (offset % 64)) - 1;
    return places->ranks[offset / 64] + bits_in(places->counted[offset / 64] & before);
}

bool jcc_places_begin(const struct jcc_places *places, uint64_t offset)
{
    return offset == places->size || (offset < places->size && (jcc_places_marked(places->counted, (size_t)offset) ||
                                                                jcc_places_marked(places->passed, (size_t)offset)));
}

// Where what OFFSET is inside of, or right behind, begins: the nearest beginning before it. SIZE_MAX: none.
static size_t begin_before(const struct jcc_places *places, uint64_t offset)
{
    for (uint64_t n = 1; n <= JCC_INSN_MAX && n <= offset && offset <= places->size; n++)
        if (jcc_places_begin(places, offset - n))
            return (size_t)(offset - n);
    return SIZE_MAX;
}

bool jcc_places_behind(const struct jcc_places *places, uint64_t offset)
{
    size_t before = begin_before(places, offset);
    return before != SIZE_MAX && jcc_places_marked(places->counted, before) && jcc_places_begin(places, offset);
}

size_t jcc_places_before(const struct jcc_places *places, uint64_t offset)
{
    for (uint64_t n = 1; n <= JCC_INSN_MAX && n <= offset && offset <= places->size; n++)
        if (jcc_places_marked(places->counted, (size_t)(offset - n)))
            return (size_t)(offset - n);
    return SIZE_MAX;
}

// Where the next instruction or no-operation behind OFFSET begins, or the section ends.
static size_t next_begin(const struct jcc_places *places, uint64_t offset)
{
    while (!jcc_places_begin(places, offset))
        offset++;
    return (size_t)offset;
}

// Whether what is decoded from AT on comes to END as well.
static bool meets(const struct jcc_places *places, size_t at, size_t end)
{
    struct jcc_insn insn;
    while (at < end && jcc_insn_decode(places->mode, places->bytes + at, places->size - at, &insn) == JCC_OK)
        at += insn.length;
    return at == end;
}

// Control that comes inside an instruction runs what the bytes from there on make, up to where it meets the instructions again. Where it
// does not meet the next, which only data does, a few bytes more must be the same.
static bool inside_equal(const struct jcc_places *plain, uint64_t x, const struct jcc_places *padded, uint64_t y)
{
    size_t end_x = next_begin(plain, x), end_y = next_begin(padded, y);
    if (end_x - x != end_y - y || rank(plain, x) != rank(padded, y))
        return false;
    size_t more = meets(plain, (size_t)x, end_x) ? 0 : JCC_INSN_MAX, left_x = plain->size - end_x, left_y = padded->size - end_y;
    if (more > left_x || more > left_y)
        more = left_x < left_y ? left_x : left_y;
    return memcmp(plain->bytes + x, padded->bytes + y, end_x - (size_t)x + more) == 0;
}

bool jcc_places_equal(const struct jcc_places *plain, uint64_t plain_offset, const struct jcc_places *padded, uint64_t padded_offset)
{
    if (plain_offset > plain->size || padded_offset > padded->size)
        return false;
    bool begins = jcc_places_begin(plain, plain_offset);
    if (begins != jcc_places_begin(padded, padded_offset))
        return false;
    return begins ? rank(plain, plain_offset) == rank(padded, padded_offset) : inside_equal(plain, plain_offset, padded, padded_offset);
}

static bool lands(const struct jcc_places *places, uint64_t offset)
{
    static const uint8_t endbr[] = {0xf3, 0x0f, 0x1e}; // and fa for 64-bit code, fb for 32-bit (SDM volume 2)
    return places->size - offset > sizeof endbr && memcmp(places->bytes + offset, endbr, sizeof endbr) == 0 &&
           (places->bytes[offset + 3] & 0xfe) == 0xfa;
}

bool jcc_places_entry_equal(const struct jcc_places *plain, uint64_t plain_offset, const struct jcc_places *padded, uint64_t padded_offset)
{
    return jcc_places_equal(plain, plain_offset, padded, padded_offset) && (!lands(plain, plain_offset) || lands(padded, padded_offset));
}

bool jcc_places_bound_equal(const struct jcc_places *plain, uint64_t plain_offset, const struct jcc_places *padded, uint64_t padded_offset)
{
    if (plain_offset > plain->size || padded_offset > padded->size)
        return false;
    size_t from = begin_before(plain, plain_offset), onto = begin_before(padded, padded_offset);
    bool free_x = jcc_places_begin(plain, plain_offset) || (from != SIZE_MAX && jcc_places_marked(plain->passed, from));
    bool free_y = jcc_places_begin(padded, padded_offset) || (onto != SIZE_MAX && jcc_places_marked(padded->passed, onto));
    if (free_x && free_y)
        return rank(plain, plain_offset) == rank(padded, padded_offset);
    return jcc_places_equal(plain, plain_offset, padded, padded_offset);
}
