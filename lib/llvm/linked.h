// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sections that are to be laid where another is: `.section NAME,"awo",@progbits,symbol`.
#ifndef JCC_LLVM_LINKED_H
#define JCC_LLVM_LINKED_H

#include "scan.h"

#include <stdbool.h>
#include <stddef.h>

// The symbol in whose section the section of S, a .section or .pushsection, is to be laid (flag `o`); false: none.
bool jcc_linked_symbol(const struct jcc_scan *scan, const struct jcc_statement *s, const char **symbol, size_t *length);

#endif
