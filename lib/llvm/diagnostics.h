// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collect diagnostics, LLVM's and our own, and place them in the user's files.
#ifndef JCC_LLVM_DIAGNOSTICS_H
#define JCC_LLVM_DIAGNOSTICS_H

#include <jccsafe/assemble.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jcc_source;

// One diagnostic as LLVM described it: "NAME:LINE:COLUMN: text", the source line, a caret.
struct jcc_raw_diagnostic {
    enum jcc_severity severity;
    char *file; // NULL: LLVM named none ("<unknown>:0")
    uint32_t line;
    uint32_t column;
    char *message;
};

struct jcc_diagnostics {
    struct jcc_raw_diagnostic *list;
    size_t count;
    size_t capacity;
    size_t errors;
    bool failed; // memory ran out: something was lost, so the whole call must fail
};

// Take LLVM's description apart and add it.
void jcc_diagnostics_add_llvm(struct jcc_diagnostics *diagnostics, enum jcc_severity severity, const char *description);
// Add one of our own. FILE NULL: none. The strings are copied.
void jcc_diagnostics_add(struct jcc_diagnostics *diagnostics, enum jcc_severity severity, const char *file, uint32_t line, uint32_t column,
                         const char *message);
// Take out each error whose message ABOUT holds for.
void jcc_diagnostics_drop(struct jcc_diagnostics *diagnostics, bool (*about)(const char *message));
void jcc_diagnostics_clear(struct jcc_diagnostics *diagnostics);

// Name the user's file and line in each diagnostic, in place: from the lines of SOURCE's text, and for
// one inside a macro from the outermost use of the macro.
void jcc_diagnostics_place(struct jcc_diagnostics *diagnostics, const struct jcc_source *source);

// What jcc_translate puts before what a .print says, of which it makes a .warning too.
#define JCC_PRINT_MARK      "jccsafe.print"
#define JCC_PRINT_STATEMENT ".warning \"" JCC_PRINT_MARK "\"; "

// Once they are placed: make what a .print says of the pairs of warnings that stand for it (prints.c).
void jcc_diagnostics_take_prints(struct jcc_diagnostics *diagnostics);

// Once they are placed: drop each that says, notes and all, what an earlier one said (repeats.c).
void jcc_diagnostics_drop_repeats(struct jcc_diagnostics *diagnostics);

#endif
