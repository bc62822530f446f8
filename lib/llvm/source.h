// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text that LLVM gets to see: the user's, with .include and .incbin resolved, and a map from its
// lines back to the user's files.
#ifndef JCC_LLVM_SOURCE_H
#define JCC_LLVM_SOURCE_H

#include "diagnostics.h"
#include "text.h"

#include <jccsafe/assemble.h>
#include <stddef.h>
#include <stdint.h>

// From text line FIRST on, up to the next run, lines are FILE's, counted from LINE.
struct jcc_line_run {
    uint32_t first;
    uint32_t line;
    uint32_t file; // index into files
};

struct jcc_source {
    const char *text;
    size_t length;
    struct jcc_text owned;   // text points here when anything was resolved
    struct jcc_text blanked; // or here, when only NULs in comments were in the way
    char **files;
    size_t file_count, file_capacity;
    struct jcc_line_run *runs;
    size_t run_count, run_capacity;
    size_t *line_starts; // made when first asked for
    size_t line_count;
};

// Build the source of REQUEST. Refuses what cannot be handed to LLVM (a NUL byte, an unreadable include)
// with a diagnostic and JCC_ERROR_SOURCE. JCC_ERROR_LIMIT, JCC_ERROR_NO_MEMORY.
enum jcc_status jcc_source_open(struct jcc_source *source, const struct jcc_assemble_request *request, struct jcc_diagnostics *diagnostics);
void jcc_source_free(struct jcc_source *source);

// Make blanks of the NUL bytes that stand in comments: clang -S shows the byte behind `.byte 0` as a character. Others stay.
enum jcc_status jcc_blank_nuls(char *text, size_t length);

// Where text line LINE (from 1) comes from. Never NULL.
const char *jcc_source_line(const struct jcc_source *source, uint32_t line, uint32_t *user_line);

// The text line (from 1) and column (from 1) of byte OFFSET of the text. False when memory ran out.
bool jcc_source_position(struct jcc_source *source, size_t offset, uint32_t *line, uint32_t *column);

// One diagnostic at byte OFFSET of the text.
void jcc_source_report(struct jcc_source *source, struct jcc_diagnostics *diagnostics, enum jcc_severity severity, size_t offset,
                       const char *message);

#endif
