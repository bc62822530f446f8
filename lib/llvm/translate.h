// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements that gcc writes for GNU as and that LLVM refuses, put into words that LLVM knows and that mean the same; and one with
// which LLVM would do what a library must not.
#ifndef JCC_LLVM_TRANSLATE_H
#define JCC_LLVM_TRANSLATE_H

#include "scan.h"
#include "source.h"

// Rewrite SOURCE's text where it needs it, line for line; *CHANGED tells, and SCAN is then out of date.
// - `.loc … view .LVUn`: LLVM has no views. The word is taken out and the symbol set to its number (GNU as's manual, `.loc`): 0
//   where the place has moved on since the line entry before, else one more than that one's.
// - `.file N` with `.file 0`'s name and checksum: LLVM takes it for number 0, whatever its directory, and then misses N. Written as
//   directory and file, or as ./file. (clang writes such text too, for files with #line, and cannot read it itself.)
// - `.section .debug_line_str,…`: LLVM 19 to 22 number their own strings of that section from 0, whatever stands in it already. The
//   text's own get a section of that name for themselves; a linker joins the two. `.section .debug_str.dwo,"e"`: LLVM has it with
//   other flags, and refuses these.
// - `.section NAME,"awo",@progbits,symbol` (-fpatchable-function-entry): LLVM wants the symbol before. A label in its section does.
// - `.print "text"`: LLVM writes on standard output. Two warnings: JCC_PRINT_MARK, and the text (jcc_diagnostics_take_prints).
// - Intel syntax: see intel.h.
enum jcc_status jcc_translate(struct jcc_source *source, const struct jcc_scan *scan, enum jcc_target target, bool *changed);

// Whether the text has a `.file 0`, which version 5 of DWARF brought.
bool jcc_translate_is_dwarf5(const struct jcc_scan *scan);

#endif
