// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of a walk along the statements of one section.
#ifndef JCC_LLVM_WALKER_H
#define JCC_LLVM_WALKER_H

#include "measure.h"

struct jcc_walker {
    struct jcc_measure *m;
    const struct jcc_emitted *object; // NULL: no plain object was made, what is known comes from the lessons
    struct jcc_code *code;
    const uint8_t *bytes; // NULL without an object
    uint32_t size;        // of the section; without an object more than any has
    uint32_t at;
    size_t relocation, relocations; // next one, in rising order of offset
    struct jcc_emitted_relocation here;

    size_t pending; // first statement of lone prefixes that wait for their instruction, SIZE_MAX
    uint32_t pending_at;

    struct jcc_insn before; // the item before, when it is an instruction
    bool before_is_insn;
    bool before_is_align; // alignments and nothing else stand between it and here
    bool before_is_data;
    bool in_tls;     // between a general- or local-dynamic lea and its call
    bool joined;     // the item before is not the one before in the text (subsections)
    uint32_t anchor; // where a live pad would be written
    uint32_t dead_anchor;
    bool label_seen; // since the item before
    bool cfi_after_label;
    bool label_in_data; // one of those labels is named by data
    bool was_off;       // the item before stands in a region in which nothing is added
    bool lost;          // text and bytes disagree
    bool no_memory;
};

// One instruction statement, as it is in the object.
struct jcc_seen {
    struct jcc_insn insn;
    uint32_t length;     // more than insn's where the statement is two instructions
    uint32_t relocation; // type, 0: none
};

// What statement INDEX became at AT of the plain object's section. False: no instruction, or not that one.
bool jcc_see_bytes(struct jcc_walker *walker, size_t index, uint32_t at, struct jcc_seen *seen);

// Whether the text's mnemonic and the decoded instruction agree on being a branch. Catches a walk that lost its way.
bool jcc_agree(const struct jcc_scan *scan, const struct jcc_statement *statement, const struct jcc_insn *insn);

// Decode what one statement became at BYTES: one instruction, or a wait and an instruction.
bool jcc_see_statement(const struct jcc_scan *scan, const struct jcc_statement *statement, enum jcc_mode mode, const uint8_t *bytes,
                       size_t length, struct jcc_seen *seen);

#endif
