// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Labels of a flat text, by name and, for numeric ones, by place.
#ifndef JCC_LLVM_LABELS_H
#define JCC_LLVM_LABELS_H

#include "scan.h"
#include "sections.h"

#include <jccsafe/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JCC_NO_LABEL UINT32_MAX

struct jcc_label {
    uint32_t statement;
    uint32_t section;
    uint32_t item;    // of its section's layout, the first behind it; set while measuring
    bool entered;     // code: a branch names it, or it is a function's or another object's to call; known where sections hold data
    bool data_refers; // data that does not follow the code by itself names it
};

struct jcc_labels {
    struct jcc_label *list; // in order of the text
    size_t count, capacity;
    uint32_t *slots; // hash of names; holds index + 1
    size_t slot_count;
    uint32_t *numeric; // indices of numeric labels, by (number, place)
    size_t numeric_count;
    const struct jcc_scan *scan;
};

enum jcc_status jcc_source_labels_read(struct jcc_labels *labels, const struct jcc_scan *scan, const struct jcc_sections *sections);
// Read SECTIONS and then LABELS, as the text spells them: those that only a macro's expansion makes are not among them.
enum jcc_status jcc_source_labels_of(const struct jcc_scan *scan, struct jcc_sections *sections, struct jcc_labels *labels);
void jcc_source_labels_free(struct jcc_labels *labels);

// The label that NAME (as jcc_lexer_name gives it: foo, 1f, 2b) means in STATEMENT; JCC_NO_LABEL when the text has none.
uint32_t jcc_source_labels_find(const struct jcc_labels *labels, const char *name, size_t length, size_t statement);

// The label of statement STATEMENT, which must be a label.
uint32_t jcc_source_labels_of_statement(const struct jcc_labels *labels, size_t statement);

#endif
