// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What gcc -masm=intel writes for GNU as and LLVM refuses, or takes for something else, in Intel syntax.
#ifndef JCC_LLVM_INTEL_H
#define JCC_LLVM_INTEL_H

#include "scan.h"
#include "text.h"

#include <stdbool.h>
#include <stddef.h>

// Append instruction S to OUT in LLVM's words, and return true; false, with nothing appended, where it is in them already.
// SYNTAX: the operands of the .intel_syntax in force.
// - `movsx rax, DWORD PTR x`, `movsx rax, ecx`: GNU as means movsxd.
// - `OFFSET FLAT:x`: OFFSET x.
// - `jmp [QWORD PTR x[rax]]`: jmp QWORD PTR x[rax].
// - `call DWORD PTR x`, through memory that no register addresses: LLVM up to 16 makes a direct call of it. In AT&T syntax.
bool jcc_intel_rewrite(struct jcc_text *out, const struct jcc_scan *scan, const struct jcc_statement *s, const char *syntax,
                       size_t syntax_length);

#endif
