// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read numbers from bytes that may end anywhere: whatever is missing reads as 0 and makes the reader bad.
#ifndef JCC_ELF_READER_H
#define JCC_ELF_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jcc_reader {
    const uint8_t *bytes;
    size_t size;
    size_t at;
    bool bad;
};

static inline struct jcc_reader jcc_reader_of(const uint8_t *bytes, size_t size)
{
    return (struct jcc_reader){bytes, size, 0, false};
}

static inline bool jcc_reader_ended(const struct jcc_reader *reader)
{
    return reader->bad || reader->at == reader->size;
}

// A little-endian number of SIZE (0 to 8) bytes.
static inline uint64_t jcc_read_number(struct jcc_reader *reader, unsigned size)
{
    uint64_t value = 0;
    if (reader->bad || size > reader->size - reader->at) {
        reader->bad = true;
        return 0;
    }
    for (unsigned n = 0; n < size; n++)
        value |= (uint64_t)reader->bytes[reader->at++] << (8 * n);
    return value;
}

static inline void jcc_read_skip(struct jcc_reader *reader, uint64_t size)
{
    if (reader->bad || size > reader->size - reader->at)
        reader->bad = true;
    else
        reader->at += (size_t)size;
}

// LEB128 (DWARF 5, 7.6). More than 64 bits is bad. *SHIFT gets the bits that were read.
static inline uint64_t jcc_read_leb(struct jcc_reader *reader, unsigned *shift, uint8_t *last)
{
    uint64_t value = 0;
    *shift = 0;
    do {
        *last = (uint8_t)jcc_read_number(reader, 1);
        if (*shift >= 63 && (*last & 0x7f) > 1 && (*last & 0x7f) != 0x7f)
            reader->bad = true;
        if (reader->bad || *shift > 63) {
            reader->bad = true;
            return 0;
        }
        value |= (uint64_t)(*last & 0x7f) << *shift;
        *shift += 7;
    } while (*last & 0x80);
    return value;
}

static inline uint64_t jcc_read_uleb(struct jcc_reader *reader)
{
    unsigned shift;
    uint8_t last;
    return jcc_read_leb(reader, &shift, &last);
}

static inline int64_t jcc_read_sleb(struct jcc_reader *reader)
{
    unsigned shift;
    uint8_t last;
    uint64_t value = jcc_read_leb(reader, &shift, &last);
    if (!reader->bad && shift < 64 && (last & 0x40))
        value |= ~UINT64_C(0) << shift;
    return (int64_t)value;
}

#endif
