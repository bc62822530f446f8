// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A set of names that lie in a text.
#ifndef JCC_LLVM_NAMES_H
#define JCC_LLVM_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jcc_name {
    const char *at;
    size_t length;
    uint32_t value; // the caller's
};

struct jcc_names {
    struct jcc_name *list;
    size_t count, capacity;
    uint32_t *slots; // holds index + 1
    size_t slot_count;
};

uint32_t jcc_hash(const char *at, size_t length);

// Add a name with VALUE, or give one that is there the bits of VALUE as well; false when memory ran out. The name's text must outlive the set.
bool jcc_names_put(struct jcc_names *names, const char *at, size_t length, uint32_t value);
// The value of a name; 0 when it is not in the set.
uint32_t jcc_names_get(const struct jcc_names *names, const char *at, size_t length);
void jcc_names_free(struct jcc_names *names);

#endif
