// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ends LLVM through the symbols that a statement names, of a flat text: numbers that it must have when it writes the object (.size, .uleb128,
// .sleb128), and symbols that are declared twice in ways that do not agree (.comm).
#ifndef JCC_LLVM_DEADLY_H
#define JCC_LLVM_DEADLY_H

#include "assigned.h"
#include "labels.h"
#include "names.h"
#include "sections.h"

struct jcc_deadly {
    const struct jcc_scan *scan;
    const struct jcc_sections *sections;
    const struct jcc_labels *labels;
    struct jcc_assigned assigned; // read when first asked for
    bool assigned_read;
    struct jcc_names commons; // statement + 1 of each symbol's first
    size_t run;               // of sections, the statement's
    bool no_memory;
};

// What is wrong with statement INDEX, the first or one behind that of the last call; NULL: nothing, or nothing that is known.
const char *jcc_deadly_wrong(struct jcc_deadly *deadly, size_t index);
void jcc_deadly_free(struct jcc_deadly *deadly);

#endif
