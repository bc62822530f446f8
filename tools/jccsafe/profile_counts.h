// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts by function name.
#ifndef PROFILE_COUNTS_H
#define PROFILE_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct counted {
    char *name;
    uint64_t count;
};

struct counts {
    struct counted *list; // in order of their first mention
    size_t count, capacity;
    uint32_t *slots; // hash of names; holds index + 1
    size_t slot_count;
};

#define COUNTS_NONE SIZE_MAX

// The index of the function of LENGTH bytes at NAME, which is put in with a count of 0 when it is not there. COUNTS_NONE: out of memory.
size_t counts_index(struct counts *counts, const char *name, size_t length);
// Add to the count of the function with INDEX; it stops at UINT64_MAX.
void counts_add(struct counts *counts, size_t index, uint64_t count);
void counts_free(struct counts *counts);

#endif
