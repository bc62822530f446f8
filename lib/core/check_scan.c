// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In 64-bit code the scan goes from instruction to instruction without a branch that depends on the code, but for the few
// that jcc_quick leaves out: lengths are a sum of table entries, and every instruction is written where the
// next unit goes, which is kept or overwritten. A mispredicted branch for each REX, ModRM byte and unit would take three times as long.
#include "check_scan.h"

// By ModRM: bits 0 to 2, its bytes with SIB and displacement; bits 4 to 7, which of the forms in jcc_quick.
// clang-format off
#define ROW(form, a, b, c, d, e, f, g, h) \
    (form) << 4 | a, (form) << 4 | b, (form) << 4 | c, (form) << 4 | d, (form) << 4 | e, (form) << 4 | f, (form) << 4 | g, (form) << 4 | h
#define MOD0(reg) ROW(reg, 1, 1, 1, 1, 2, 5, 1, 1)
#define MOD1(reg) ROW(reg, 2, 2, 2, 2, 3, 2, 2, 2)
#define MOD2(reg) ROW(reg, 5, 5, 5, 5, 6, 5, 5, 5)
#define MOD3(reg) ROW(8 + reg, 1, 1, 1, 1, 1, 1, 1, 1)
#define EACH(mod) mod(0), mod(1), mod(2), mod(3), mod(4), mod(5), mod(6), mod(7)
static const uint8_t modrm_quick[256] = {EACH(MOD0), EACH(MOD1), EACH(MOD2), EACH(MOD3)};
// clang-format on

// Eight bytes, the first lowest. Compilers make one load of it where that is so in memory.
static inline uint64_t load(const uint8_t *b)
{
    return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 | (uint64_t)b[4] << 32 |
           (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

// A SIB byte without a base behind a ModRM byte of mod 0: both, with the opcode below them.
#define SIB_MASK    0x07c700u
#define SIB_NO_BASE 0x050400u

struct step {
    unsigned length; // 0: no instruction
    uint32_t row;    // of jcc_quick, as far as JCC_QUICK_KIND and JCC_QUICK_UNIT
    uint32_t condition;
    uint32_t first; // as in the high half of a unit behind it
};

// The instruction at BYTES, of which JCC_BRIEF_WINDOW can be read, in 64-bit code. Length 0: go the long way.
static inline struct step quick_step(const uint8_t *bytes)
{
    uint64_t window = load(bytes);
    unsigned rex = (window & 0xf0) == 0x40, wide = rex & (unsigned)(window >> 3);
    window >>= 8 * rex;
    unsigned escape = (window & 0xff) == 0x0f;
    window >>= 8 * escape;
    uint32_t row = jcc_quick[escape][window & 0xff];
    unsigned modrm = modrm_quick[window >> JCC_SCAN_FIRST_MODRM & 0xff];
    unsigned size = (modrm & 7) + 4 * ((window & SIB_MASK) == SIB_NO_BASE);
    size = (size & row >> JCC_QUICK_MODRM) + (row >> (JCC_QUICK_IMM + 4 * wide) & 15);
    return (struct step){
        .length = row >> (modrm >> 4) & 1 ? 1 + rex + escape + size : 0,
        .row = row,
        .condition = (uint32_t)window,
        .first = (uint32_t)(window & 0xffff) | escape << JCC_SCAN_FIRST_ESCAPE,
    };
}

static struct step long_step(enum jcc_mode mode, const uint8_t *bytes, size_t length)
{
    struct jcc_brief insn = jcc_brief_decode(mode, bytes, length);
    return (struct step){
        .length = insn.length,
        .row = (uint32_t)insn.kind << JCC_QUICK_KIND | (uint32_t)(insn.kind != JCC_KIND_NONE) << JCC_QUICK_UNIT,
        .condition = insn.condition,
        .first = JCC_SCAN_FIRST_KNOWN | insn.pair | (insn.doubtful ? JCC_ROLE_DOUBTFUL : 0),
    };
}

#define KIND_MASK ((uint32_t)7 << JCC_SCAN_KIND)

// Where a batch stands; a copy of its own for the compiler to keep in registers.
struct cursor {
    size_t at; // from the batch's base
    uint32_t instructions, units, before, first;
};

// Write the instruction at CURSOR where the next unit goes, and keep it if it is one.
static inline void take(jcc_scan_unit *units, struct cursor *cursor, struct step step)
{
    uint32_t low = (uint32_t)cursor->at | step.length << JCC_SCAN_LENGTH | cursor->before << JCC_SCAN_BEFORE | (step.row & KIND_MASK) |
                   step.condition << JCC_SCAN_CONDITION;
    units[cursor->units] = low | (jcc_scan_unit)cursor->first << JCC_SCAN_FIRST;
    cursor->units += step.row >> JCC_QUICK_UNIT & 1;
    cursor->instructions++;
    cursor->before = step.length;
    cursor->first = step.first;
    cursor->at += step.length;
}

// Where the next known start is, from the batch's base.
static size_t next_start(struct jcc_scan *scan)
{
    while (scan->start_count != 0 && *scan->starts <= scan->base) {
        scan->starts++;
        scan->start_count--;
    }
    return scan->start_count != 0 ? *scan->starts - scan->base : SIZE_MAX;
}

// The instruction last taken lies across where another is known to begin: it is none. Returns how many bytes before that are no instruction.
static uint32_t take_back(const jcc_scan_unit *units, struct cursor *cursor, size_t start)
{
    cursor->at -= cursor->before;
    cursor->instructions--;
    cursor->units -= cursor->units != 0 && (units[cursor->units - 1] & 0xffff) == cursor->at;
    return (uint32_t)(start - cursor->at);
}

// Fill the batch from SCAN->at on.
static void fill(struct jcc_scan *scan, enum jcc_mode mode)
{
    const uint8_t *code = scan->code + scan->base;
    size_t left = scan->length - scan->base, end = left < JCC_SCAN_BATCH ? left : JCC_SCAN_BATCH, start = next_start(scan);
    end = start < end ? start : end;
    size_t quick_end = mode != JCC_MODE_64 || left < JCC_BRIEF_WINDOW ? 0 : left - JCC_BRIEF_WINDOW + 1;
    quick_end = quick_end < end ? quick_end : end;
    struct cursor cursor = {.before = scan->before, .first = scan->first};
    while (cursor.at < end) {
        while (cursor.at < quick_end) {
            struct step step = quick_step(code + cursor.at);
            if (step.length == 0)
                break;
            take(scan->units, &cursor, step);
        }
        if (cursor.at >= end)
            break;
        struct step step = long_step(mode, code + cursor.at, left - cursor.at);
        if (step.length == 0)
            break;
        take(scan->units, &cursor, step);
    }
    scan->undecoded = cursor.at < end ? 1 : cursor.at > start ? take_back(scan->units, &cursor, start) : 0;
    scan->before = scan->undecoded ? 0 : cursor.before;
    scan->first = scan->undecoded ? JCC_SCAN_FIRST_KNOWN : cursor.first;
    scan->at = scan->base + cursor.at + scan->undecoded;
    scan->instructions = cursor.instructions;
    scan->unit_count = cursor.units;
}

void jcc_scan_begin(struct jcc_scan *scan, const uint8_t *code, size_t length, const size_t *starts, size_t start_count)
{
    scan->code = code;
    scan->length = length;
    scan->at = 0;
    scan->before = 0;
    scan->first = JCC_SCAN_FIRST_KNOWN;
    scan->starts = starts;
    scan->start_count = start_count;
}

bool jcc_scan_next(struct jcc_scan *scan, enum jcc_mode mode)
{
    if (scan->at >= scan->length)
        return false;
    scan->base = scan->at;
    fill(scan, mode);
    return true;
}
