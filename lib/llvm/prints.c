// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What .print says comes from LLVM as two warnings (translate.h): a mark, and the text, each with notes of the macros that it stands in.
#include "diagnostics.h"

#include <stdlib.h>
#include <string.h>

static const char directive[] = ".warning", replaced[] = ".print";

// What LLVM says of a .warning without a text, as an empty argument of a macro makes it: .print has no such form.
static bool has_no_text(const struct jcc_raw_diagnostic *raw)
{
    return raw->severity == JCC_SEVERITY_WARNING && !strncmp(raw->message, directive, sizeof directive - 1);
}

// An error is about the directive that the user wrote.
static void rename_directive(char *message)
{
    char *at = strstr(message, directive);
    if (!at)
        return;
    memcpy(at, replaced, sizeof replaced - 1);
    at += sizeof replaced - 1;
    memmove(at, at + (sizeof directive - sizeof replaced), strlen(at + (sizeof directive - sizeof replaced)) + 1);
}

// A column of the line that LLVM saw, as the user wrote it: BY characters were put in before.
static void shift(struct jcc_raw_diagnostic *raw, size_t by)
{
    raw->column -= raw->column > by ? (uint32_t)by : 0;
}

static void take(struct jcc_diagnostics *diagnostics, struct jcc_raw_diagnostic *raw, bool in_macro)
{
    if (!in_macro)
        shift(raw, sizeof JCC_PRINT_STATEMENT - 1 +
                       (raw->severity == JCC_SEVERITY_ERROR ? sizeof directive - sizeof replaced : 0)); // it is about what stands behind
    if (has_no_text(raw)) {
        static const char wanted[] = "a string is expected behind .print"; // shorter than what stands there
        memcpy(raw->message, wanted, sizeof wanted);
        raw->severity = JCC_SEVERITY_ERROR;
        diagnostics->errors++;
    } else if (raw->severity == JCC_SEVERITY_WARNING) {
        raw->severity = JCC_SEVERITY_PRINT;
    } else {
        rename_directive(raw->message);
    }
}

void jcc_diagnostics_take_prints(struct jcc_diagnostics *diagnostics)
{
    size_t kept = 0;
    bool marked = false, drop = false;
    for (size_t k = 0; k < diagnostics->count; k++) {
        struct jcc_raw_diagnostic raw = diagnostics->list[k];
        if (raw.severity != JCC_SEVERITY_NOTE) {
            bool mark = raw.severity == JCC_SEVERITY_WARNING && !strcmp(raw.message, JCC_PRINT_MARK);
            if (marked)
                take(diagnostics, &raw, k + 1 < diagnostics->count && diagnostics->list[k + 1].severity == JCC_SEVERITY_NOTE);
            marked = mark;
            drop = mark || raw.severity == JCC_SEVERITY_PRINT; // its notes too
        }
        if (marked || (drop && raw.severity == JCC_SEVERITY_NOTE)) {
            free(raw.file);
            free(raw.message);
        } else {
            diagnostics->list[kept++] = raw;
        }
    }
    diagnostics->count = kept;
}
