// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that a request names, by name or fnmatch() pattern.
#ifndef JCC_LLVM_WANTED_H
#define JCC_LLVM_WANTED_H

#include "names.h"

#include <jccsafe/assemble.h>

// Patterns are few, but a profile may name a hundred thousand functions: those are looked up.
struct jcc_wanted {
    struct jcc_names names;
    char *unescaped; // what some of them point into
    const char **patterns;
    size_t pattern_count;
    char *name; // one that is held against the patterns
    size_t name_capacity;
};

// REQUEST's names must outlive WANTED. False when memory ran out.
bool jcc_wanted_open(struct jcc_wanted *wanted, const struct jcc_assemble_request *request);
void jcc_wanted_close(struct jcc_wanted *wanted);

// Whether the function NAME is among them; *FAILED is set when memory ran out.
bool jcc_wanted_has(struct jcc_wanted *wanted, const char *name, size_t length, bool *failed);

// For each of REQUEST's functions, whether the object at IMAGE has one that it names. To be freed; NULL: no memory.
bool *jcc_wanted_found(const struct jcc_assemble_request *request, const void *image, size_t size);

#endif
