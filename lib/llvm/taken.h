// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a statement is sure to be assembled, along a text with conditionals and macros in it.
#ifndef JCC_LLVM_TAKEN_H
#define JCC_LLVM_TAKEN_H

#include "scan.h"

#define JCC_TAKEN_DEPTH_MAX 64

struct jcc_taken {
    uint8_t branch[JCC_TAKEN_DEPTH_MAX]; // of each conditional that is open, see taken.c
    size_t depth;                        // may be more
    size_t macros;                       // definitions that are open
};

// Follow STATEMENT, which comes next. True: it is sure to be assembled. False: it is not, or depends on what is not looked into.
bool jcc_taken_next(struct jcc_taken *taken, const struct jcc_scan *scan, const struct jcc_statement *statement);

#endif
