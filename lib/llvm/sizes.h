// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants that LLVM would fill memory for, never end with, or end the process over.
#ifndef JCC_LLVM_SIZES_H
#define JCC_LLVM_SIZES_H

#include "scan.h"

// Follow one statement: whether what comes next takes no bytes in the object (.bss and kin).
bool jcc_sizes_nobits(const struct jcc_scan *scan, const struct jcc_statement *statement, bool nobits);

// What is wrong with the sizes, and other constants, in STATEMENT; NULL: nothing.
const char *jcc_sizes_wrong(const struct jcc_scan *scan, const struct jcc_statement *statement, bool nobits);

#endif
