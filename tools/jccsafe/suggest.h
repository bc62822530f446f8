// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "did you mean": the known name that is nearest to a misspelt one.
#ifndef SUGGEST_H
#define SUGGEST_H

#include <stddef.h>

struct suggestion {
    const char *word; // as typed
    size_t length;
    const char *name; // nearest so far; NULL: none is near enough
    size_t distance;
};

struct suggestion suggest_for(const char *word, size_t length);
void suggest_consider(struct suggestion *best, const char *name);

#endif
