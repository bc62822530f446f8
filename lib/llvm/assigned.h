// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The symbols that a text assigns (`x = …`, .set, .equ, .equiv), with every statement that does.
#ifndef JCC_LLVM_ASSIGNED_H
#define JCC_LLVM_ASSIGNED_H

#include "names.h"
#include "scan.h"
#include "sections.h"

#define JCC_NO_ASSIGNMENT UINT32_MAX

struct jcc_assignment {
    uint32_t statement;
    uint32_t section; // where it stands
    uint32_t seen;    // the reader's
    uint32_t other;   // one more of the same symbol, or JCC_NO_ASSIGNMENT
};

struct jcc_assigned {
    struct jcc_assignment *list; // in order of the text
    size_t count, capacity;
    struct jcc_names first; // of each symbol: index + 1
};

enum jcc_status jcc_assigned_read(struct jcc_assigned *assigned, const struct jcc_scan *scan, const struct jcc_sections *sections);
void jcc_assigned_free(struct jcc_assigned *assigned);

// The symbol's first assignment, which leads to all others, or JCC_NO_ASSIGNMENT.
uint32_t jcc_assigned_find(const struct jcc_assigned *assigned, const char *name, size_t length);

// Whether STATEMENT assigns a symbol, the dot aside; *NAME is that one, *VALUE what stands behind it up to the statement's end.
bool jcc_assigned_parts(const struct jcc_scan *scan, const struct jcc_statement *statement, const char **name, size_t *length,
                        const char **value);

#endif
