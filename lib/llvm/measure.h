// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where each statement of a flat text ended up in the plain object, as items for the planner.
//
// An instruction's length and kind come from its bytes; data of a plain size from its operands; an
// alignment's fill from the place it stands at. Whatever else may add bytes is measured by two marks: ordinary
// symbols around the statement, in this object alone. The walk must end at the section's size, with a
// branch in the bytes wherever the text has one and nowhere else, or the section counts as not followed.
#ifndef JCC_LLVM_MEASURE_H
#define JCC_LLVM_MEASURE_H

#include "distances.h"
#include "emitted.h"
#include "labels.h"
#include "scan.h"
#include "sections.h"
#include "text.h"

#include <jccsafe/insn.h>
#include <jccsafe/layout.h>
#include <jccsafe/policy.h>

// Reserved: a source that has such a symbol is not planned.
#define JCC_MARK_PREFIX "jccsafe.mark."

#define JCC_NO_ANCHOR UINT32_MAX

struct jcc_lessons;

// What an item was made of, beside its layout item.
struct jcc_item_source {
    uint32_t first;           // its first statement; a lone prefix belongs to its instruction
    uint32_t last;            // its last statement
    uint32_t plain;           // offset in the plain object's section
    uint32_t anchor;          // offset in the text where a pad before it is written; JCC_NO_ANCHOR
    uint8_t anchor_is_before; // that is where the item's own statement begins; else where another ends
    uint8_t prefix;           // the byte for prefix pads
    uint8_t fill;             // ALIGN: enum jcc_fill
    uint8_t fill_byte;
    uint8_t relative; // a branch with no relocation: its displacement was computed from places in the section
    uint8_t near;     // the same of a rip-relative operand
    uint8_t doubtful; // it may not fuse with the jump behind it
};

enum jcc_fill {
    JCC_FILL_NOPS = 0,
    JCC_FILL_BYTE = 1,     // fill_byte, as the source says
    JCC_FILL_NOP_BYTE = 2, // 0x90 as the source says
};

// So many bytes of no-operations, or more, in 64-bit code are a few of any length and then all of 8 bytes, 0f 1f 84 00 00 00 00 00: one directive says it.
#define JCC_LONG_FILL 4096u

// One executable section.
struct jcc_code {
    uint32_t section;                         // in jcc_sections
    const struct jcc_emitted_section *object; // in the plain object; NULL when none was made
    uint32_t size;                            // bytes, plain
    struct jcc_layout_item *items;
    struct jcc_item_source *sources;
    struct jcc_layout_place *places; // made by the planner
    size_t count, item_capacity, source_capacity;
    uint32_t first_statement; // the first that adds a byte or a label
    uint32_t largest_align;   // bytes
    bool followed;            // the walk ended where the section does
    bool planned;             // it is to be padded
};

struct jcc_measure {
    const struct jcc_scan *scan;
    const struct jcc_sections *sections;
    struct jcc_labels *labels;
    const struct jcc_policy *policy;
    const struct jcc_emitted *object;  // the plain object, or NULL:
    const struct jcc_lessons *lessons; // what is known without it
    enum jcc_mode mode;
    const uint32_t *marks; // of each mark: its value, see jcc_marks_read
    size_t mark_count;
    const uint32_t *marked; // statements that have marks, rising
    size_t marked_count;
    struct jcc_distances distances;
    struct jcc_code *codes;
    size_t code_count;
};

// The statements that need marks, into *MARKED (rising; the caller frees it).
enum jcc_status jcc_marks_choose(const struct jcc_scan *scan, const struct jcc_sections *sections, uint32_t **marked, size_t *count);
// The text with marks around the chosen statements.
void jcc_marks_write(struct jcc_text *out, const struct jcc_scan *scan, const uint32_t *marked, size_t count);
// The marks' values from OBJECT into VALUES, two for each statement; false when one is missing.
bool jcc_marks_read(const struct jcc_emitted *object, uint32_t *values, size_t count);

// Pair the text's executable sections with the object's, and walk each. Fills codes; JCC_ERROR_NO_MEMORY.
enum jcc_status jcc_measure_run(struct jcc_measure *measure);
void jcc_measure_free(struct jcc_measure *measure);

// Walk one section (walk.c).
enum jcc_status jcc_walk(struct jcc_measure *measure, struct jcc_code *code);

// Fill in what depends on places: jump targets and pins (targets.c).
enum jcc_status jcc_targets_resolve(struct jcc_measure *measure, struct jcc_code *code);

#endif
