// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions are hot, and how hot, from a profile.
#ifndef PROFILE_H
#define PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profile {
    char **hot;       // names of the fewest functions that hold the share asked for, hottest first
    uint64_t *counts; // of each
    size_t count;
};

// Read the profile at PATH: callgrind's output, or lines of `perf script`, or lines "COUNT FUNCTION" (docs/command.md). Keep what
// holds PERCENT (1 to 100) of all counts. False after a message.
bool profile_read(const char *path, unsigned percent, struct profile *profile);
void profile_free(struct profile *profile);

#endif
