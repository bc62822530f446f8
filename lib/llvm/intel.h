// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What gcc -masm=intel writes for GNU as and LLVM refuses, or takes for something else, in Intel syntax.
#ifndef JCC_LLVM_INTEL_H
#define JCC_LLVM_INTEL_H

#include "scan.h"
#include "text.h"

#include <stdbool.h>
#include <stddef.h>

struct jcc_intel {
    const char *syntax; // the operands of the .intel_syntax in force; NULL: AT&T
    size_t length;
    bool is_32;   // the code is
    bool renames; // the text gives registers names of its own, or has code of another mode: no operand is sure to be a symbol
};

// Append instruction S to OUT in LLVM's words, and return true; false, with nothing appended, where it is in them already, or in no form of gcc's.
// - `movsx rax, DWORD PTR x`, `movsx rax, ecx`: GNU as means movsxd.
// - `OFFSET FLAT:x`: OFFSET x. `OFFSET FLAT:16+x`: OFFSET x+16.
// - `jmp [QWORD PTR x[rax]]`: jmp QWORD PTR x[rax].
// - `call DWORD PTR x`, x a symbol, with a number or without, of the mode's own size: LLVM up to 16 makes a direct call of it. In AT&T syntax.
bool jcc_intel_rewrite(struct jcc_text *out, const struct jcc_scan *scan, const struct jcc_statement *s, const struct jcc_intel *intel);

// Whether S assigns a symbol what may be a register.
bool jcc_intel_names_register(const struct jcc_scan *scan, const struct jcc_statement *s);

#endif
