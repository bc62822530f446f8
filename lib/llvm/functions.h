// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which labels begin a function: those of `.type name, @function`, and global ones.
#ifndef JCC_LLVM_FUNCTIONS_H
#define JCC_LLVM_FUNCTIONS_H

#include "names.h"
#include "scan.h"

// Add their names to FUNCTIONS, with the value 1. False when memory ran out.
bool jcc_functions_read(const struct jcc_scan *scan, struct jcc_names *functions);

#endif
