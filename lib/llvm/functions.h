// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which labels begin a function: those of `.type name, @function`, and global ones.
#ifndef JCC_LLVM_FUNCTIONS_H
#define JCC_LLVM_FUNCTIONS_H

#include "labels.h"
#include "names.h"
#include "scan.h"

// Add their names to FUNCTIONS, with the value 1. False when memory ran out.
bool jcc_functions_read(const struct jcc_scan *scan, struct jcc_names *functions);

// The labels that begin a function, each section's together: there may be a section for each function.
struct jcc_function_labels {
    const struct jcc_labels *labels;
    uint32_t *list; // indices of labels, by section and then in order of the text
    size_t count;
};
// False when memory ran out. LABELS must outlive it.
bool jcc_function_labels_read(struct jcc_function_labels *functions, const struct jcc_labels *labels);
void jcc_function_labels_free(struct jcc_function_labels *functions);

// Those of SECTION; *COUNT gets their number.
const uint32_t *jcc_function_labels_in(const struct jcc_function_labels *functions, uint32_t section, size_t *count);

// A label's name without quotes.
const char *jcc_label_name(const struct jcc_labels *labels, uint32_t label, size_t *length);

#endif
