// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places that the text names by counting bytes from a label in code: `leaq f+35(%rip), %rax`, `.quad f + 8`.
// What lies between the label and such a place must keep its size.
#ifndef JCC_LLVM_DISTANCES_H
#define JCC_LLVM_DISTANCES_H

#include "labels.h"
#include "scan.h"
#include "sections.h"

#include <jccsafe/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jcc_distance {
    uint32_t section;   // the label's
    uint32_t label;     // JCC_NO_LABEL: counted from the place of the statement
    uint32_t statement; // that names it
    int64_t bytes;
    bool known; // false: counted with more than numbers and their sums
};

struct jcc_distances {
    struct jcc_distance *list; // by section
    size_t count, capacity;
};

// Those from labels in code, in whatever section they are named, but for sections that follow the code by themselves.
enum jcc_status jcc_distances_find(struct jcc_distances *distances, const struct jcc_scan *scan, const struct jcc_sections *sections,
                                   const struct jcc_labels *labels);
void jcc_distances_free(struct jcc_distances *distances);

// Those of SECTION: [*first, *end) of the list.
void jcc_distances_of(const struct jcc_distances *distances, uint32_t section, size_t *first, size_t *end);

#endif
