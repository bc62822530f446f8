// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Callgrind's output, as Valgrind's manual has it ("Callgrind Format Specification").
#ifndef PROFILE_CALLGRIND_H
#define PROFILE_CALLGRIND_H

#include "profile_counts.h"

struct callgrind {
    struct counts *counts;
    size_t *numbered; // the function that "(N)" stands for, or COUNTS_NONE
    size_t numbered_count;
    size_t current;     // the function that cost lines belong to, or COUNTS_NONE
    unsigned positions; // columns before the costs
    unsigned event;     // which of the costs is taken
    bool skip_call;     // the next cost line is a callee's
};

struct callgrind callgrind_start(struct counts *counts);
// Whether LINE begins a file of this kind.
bool callgrind_is(const char *line);
// Take one line, without its end. False: out of memory.
bool callgrind_line(struct callgrind *reader, const char *line);
void callgrind_end(struct callgrind *reader);

#endif
