// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Directives that LLVM would fill memory for, or never end with.
#ifndef JCC_LLVM_SIZES_H
#define JCC_LLVM_SIZES_H

#include "scan.h"

// Follow one statement: whether what comes next takes no bytes in the object (.bss and kin).
bool jcc_sizes_nobits(const struct jcc_scan *scan, const struct jcc_statement *statement, bool nobits);

// What is wrong with the sizes in STATEMENT, a directive; NULL: nothing.
const char *jcc_sizes_wrong(const struct jcc_scan *scan, const struct jcc_statement *statement, bool nobits);

#endif
