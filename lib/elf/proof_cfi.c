// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proof_frames.h"
#include <string.h>

// Operands of the call frame instructions whose upper two bits are 0 (DWARF 5, table 7.29; 2d to 2f are GNU's).
enum operand { NONE = 1, LEB, LEB_LEB, BLOCK, LEB_BLOCK, ADVANCE_1, ADVANCE_2, ADVANCE_4, NOP };
static const uint8_t operands[64] = {
    [0x00] = NOP,       // nop
    [0x02] = ADVANCE_1, // advance_loc1
    [0x03] = ADVANCE_2, // advance_loc2
    [0x04] = ADVANCE_4, // advance_loc4
    [0x05] = LEB_LEB,   // offset_extended
    [0x06] = LEB,       // restore_extended
    [0x07] = LEB,       // undefined
    [0x08] = LEB,       // same_value
    [0x09] = LEB_LEB,   // register
    [0x0a] = NONE,      // remember_state
    [0x0b] = NONE,      // restore_state
    [0x0c] = LEB_LEB,   // def_cfa
    [0x0d] = LEB,       // def_cfa_register
    [0x0e] = LEB,       // def_cfa_offset
    [0x0f] = BLOCK,     // def_cfa_expression
    [0x10] = LEB_BLOCK, // expression
    [0x11] = LEB_LEB,   // offset_extended_sf
    [0x12] = LEB_LEB,   // def_cfa_sf
    [0x13] = LEB,       // def_cfa_offset_sf
    [0x14] = LEB_LEB,   // val_offset
    [0x15] = LEB_LEB,   // val_offset_sf
    [0x16] = LEB_BLOCK, // val_expression
    [0x2d] = NONE,      // GNU_window_save
    [0x2e] = LEB,       // GNU_args_size
    [0x2f] = LEB_LEB,   // GNU_negative_offset_extended
};

// The upper two bits.
#define ADVANCE 1
#define OFFSET  2
#define RESTORE 3

struct instruction {
    const uint8_t *bytes;
    size_t size;
    uint64_t advanced; // in units, from the function's start
};

static void skip_leb(struct jcc_reader *reader)
{
    while (jcc_read_number(reader, 1) & 0x80) {
    }
}

static void skip_operands(struct jcc_reader *reader, enum operand kind)
{
    if (kind == LEB || kind == LEB_LEB || kind == LEB_BLOCK)
        skip_leb(reader);
    if (kind == LEB_LEB)
        skip_leb(reader);
    if (kind == BLOCK || kind == LEB_BLOCK)
        jcc_read_skip(reader, jcc_read_uleb(reader));
}

// The next instruction that does more than to advance; false at END, and when the reader turns bad.
static bool next_instruction(struct jcc_reader *reader, size_t end, struct instruction *found)
{
    static const uint8_t advance_size[] = {[ADVANCE_1] = 1, [ADVANCE_2] = 2, [ADVANCE_4] = 4, [NOP] = 0};
    while (!reader->bad && reader->at < end) {
        size_t begin = reader->at;
        uint8_t byte = (uint8_t)jcc_read_number(reader, 1), low = byte & 0x3f;
        enum operand kind = byte >> 6 == OFFSET ? LEB : byte >> 6 == RESTORE ? NONE : operands[low];
        if (byte >> 6 == ADVANCE) {
            found->advanced += low;
        } else if (kind >= ADVANCE_1) {
            found->advanced += jcc_read_number(reader, advance_size[kind]);
        } else if (kind == 0) {
            reader->bad = true;
        } else {
            skip_operands(reader, kind);
            found->bytes = reader->bytes + begin;
            found->size = reader->at - begin;
            reader->bad |= reader->at > end;
            return !reader->bad;
        }
    }
    reader->bad |= reader->at > end;
    return false;
}

static bool ends_flow(const struct jcc_twin *code, uint64_t before, enum jcc_mode mode)
{
    struct jcc_insn insn;
    size_t at = jcc_places_before(&code->plain_code, before);
    return at != SIZE_MAX && jcc_insn_decode(mode, code->plain->bytes + at, code->plain->size - at, &insn) == JCC_OK &&
           (insn.flags & JCC_INSN_ENDS_FLOW);
}

// Whether an instruction for PLAIN is at the same place as one for PADDED. What describes the frame behind an instruction must hold in
// the padding that follows it, if control passes through that: an interrupt may unwind from there.
static bool same_place(const struct jcc_frame_code *where, uint64_t plain, uint64_t padded)
{
    const struct jcc_twin *code = where->code;
    if (!jcc_places_equal(&code->plain_code, plain, &code->padded_code, padded))
        return false;
    if (plain == where->plain)
        return padded == where->padded;
    return !jcc_places_behind(&code->plain_code, plain) || jcc_places_behind(&code->padded_code, padded) ||
           ends_flow(code, plain, where->mode);
}

enum jcc_reading jcc_compare_cfi(struct jcc_reader *a, size_t end_a, struct jcc_reader *b, size_t end_b, const struct jcc_frame_code *where)
{
    struct instruction x = {0}, y = {0};
    for (;;) {
        bool has_x = next_instruction(a, end_a, &x), has_y = next_instruction(b, end_b, &y);
        if (a->bad || b->bad)
            return JCC_READ_UNKNOWN;
        if (!has_x && !has_y)
            return JCC_READ_SAME;
        if (has_x != has_y || x.size != y.size || memcmp(x.bytes, y.bytes, x.size) != 0)
            return JCC_READ_DIFFERENT;
        uint64_t plain = where->plain + x.advanced * where->unit, padded = where->padded + y.advanced * where->unit;
        if (!where->code && (x.advanced || y.advanced))
            return JCC_READ_UNKNOWN;
        if (where->code && !same_place(where, plain, padded))
            return JCC_READ_DIFFERENT;
    }
}
