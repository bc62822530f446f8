// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which section each statement of a flat text goes to.
#ifndef JCC_LLVM_SECTIONS_H
#define JCC_LLVM_SECTIONS_H

#include "scan.h"

#include <jccsafe/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A section as the text names it. Two of one name differ by group or by `unique`.
struct jcc_section {
    const char *name; // in the text, without quotes
    size_t name_length;
    const char *group; // NULL: none
    size_t group_length;
    const char *unique; // the number, NULL: none
    size_t unique_length;
    bool code;  // its flags or, without flags, its name make it executable
    bool debug; // its contents follow the code by themselves: .debug_*, .eh_frame, .gcc_except_table
};

// Statements FIRST and on, up to the next run, go to SECTION.
struct jcc_section_run {
    uint32_t first;
    uint32_t section;
    int32_t subsection;
};

struct jcc_sections {
    struct jcc_section *list; // in order of creation; 0 is .text
    size_t count, capacity;
    struct jcc_section_run *runs;
    size_t run_count, run_capacity;
    uint32_t *order;       // indices of runs by (section, subsection, place): the order in which LLVM lays a section out
    uint32_t *order_start; // where each section's runs begin in order; count + 1 entries
    uint32_t *slots;       // hash of names; holds index + 1
    size_t slot_count;
    size_t open_push; // statement of the innermost .pushsection that was not popped; SIZE_MAX: none
};

enum jcc_status jcc_sections_read(struct jcc_sections *sections, const struct jcc_scan *scan);
void jcc_sections_free(struct jcc_sections *sections);

// One past the last statement of run RUN.
size_t jcc_sections_run_end(const struct jcc_sections *sections, const struct jcc_scan *scan, size_t run);

#endif
