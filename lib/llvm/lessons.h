// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What instruction statements assemble to, learned once for each distinct one.
//
// Of a compiler's output most statements occur many times, and which symbol an operand names decides no length: so
// each statement is put into a canonical form, the forms that are not known yet are assembled together in one small pass, and what
// they became is remembered for the assembler's later calls.
#ifndef JCC_LLVM_LESSONS_H
#define JCC_LLVM_LESSONS_H

#include "labels.h"
#include "names.h"
#include "session.h"
#include "text.h"
#include "walker.h"

// Everything learned for one target; of AT&T syntax alone. Bounded: forgotten as a whole when it is full.
struct jcc_lesson_book {
    struct jcc_text forms; // one behind the other
    struct jcc_lesson *list;
    size_t count, capacity;
    uint32_t *slots;
    size_t slot_count;
};

void jcc_lesson_book_free(struct jcc_lesson_book *book);

// The lessons of one source.
struct jcc_lessons {
    const struct jcc_scan *scan;
    const struct jcc_sections *sections;
    const struct jcc_labels *labels;
    struct jcc_lesson_book *book;
    struct jcc_names symbols; // assigned or global ones, with enum jcc_symbol_trait
    uint32_t *of_statement;   // index into the book, of instruction statements in code
    enum jcc_mode mode;
};

// Learn what SCAN's code needs. JCC_ERROR_UNSUPPORTED: something in it cannot be learned apart from its place
// (a symbol whose value decides a length, Intel syntax, a statement that does not assemble).
enum jcc_status jcc_lessons_learn(struct jcc_lessons *lessons, struct jcc_session *session, enum jcc_target target);
void jcc_lessons_free(struct jcc_lessons *lessons);

// What statement INDEX, an instruction of section SECTION, will become; a jump to a place of its section in its short form.
// False: it takes the object to know.
bool jcc_see_lesson(const struct jcc_lessons *lessons, uint32_t section, size_t index, struct jcc_seen *seen);

// Append the canonical form of a statement to OUT (canonical.c). False: its length may depend on more than its text.
bool jcc_canonical(struct jcc_text *out, const struct jcc_scan *scan, const struct jcc_statement *statement,
                   const struct jcc_names *symbols);

enum jcc_symbol_trait {
    JCC_SYMBOL_ABSOLUTE = 1, // assigned a value
    JCC_SYMBOL_ALIAS = 2,    // assigned another symbol's place
    JCC_SYMBOL_GLOBAL = 4,   // or weak, or bound late: branches to it keep a relocation
};

#endif
