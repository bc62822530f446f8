// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements that gcc writes for GNU as and that LLVM refuses, put into words that LLVM knows and that mean the same.
#ifndef JCC_LLVM_TRANSLATE_H
#define JCC_LLVM_TRANSLATE_H

#include "scan.h"
#include "source.h"

// Rewrite SOURCE's text where it needs it, line for line; *CHANGED tells, and SCAN is then out of date.
// - `.loc … view .LVUn`: LLVM has no views. The word is taken out and the symbol set to its number (GNU as's manual, `.loc`): 0
//   where the place has moved on since the line entry before, else one more than that one's.
// - `.file N "x"` where x is `.file 0`'s name: LLVM takes it for number 0 and then misses N. Written as directory and file.
enum jcc_status jcc_translate(struct jcc_source *source, const struct jcc_scan *scan, bool *changed);

#endif
