// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line with its response files put in.
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

struct arguments {
    char **list; // owned, each string too
    size_t count;
    size_t capacity;
};

// Copy COUNT words; in place of "@FILE" come the words of FILE, split at white space, with quotes and
// backslashes as GCC reads them; they may name further files. False: a message has been printed. Free in either case.
bool arguments_expand(size_t count, char *const *words, struct arguments *arguments);
// Take the first word out.
void arguments_shift(struct arguments *arguments);
void arguments_free(struct arguments *arguments);

#endif
