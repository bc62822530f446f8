// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the command says: reports on standard output, messages and diagnostics on standard error.
// Whatever text comes from outside (file names, symbols, LLVM's words) is written with control characters escaped, so that
// a line stays a line and no file can drive the terminal.
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// Exit statuses of every subcommand.
enum exit_status {
    EXIT_CLEAN = 0,   // done, nothing found
    EXIT_FOUND = 1,   // findings, or errors in the source
    EXIT_TROUBLE = 2, // usage, input or output
};

enum color_when { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
enum paint { PAINT_BOLD, PAINT_ERROR, PAINT_WARNING, PAINT_NOTE };

// Once, before anything is printed.
void output_start(void);
// AUTO: a stream that is a terminal, unless NO_COLOR is set to something or TERM is "dumb".
void output_color(enum color_when when);

// The escape sequence that begins PAINT on STREAM, or ends all paint; "" where there is no colour.
const char *paint_begin(FILE *stream, enum paint paint);
const char *paint_end(FILE *stream);

// TEXT with control characters as \xNN.
void print_escaped(FILE *stream, const char *text);

// "jccsafe: FILE: text" on standard error, or "jccsafe: text" when FILE is NULL. One write.
void message(const char *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
// "FILE:LINE:COLUMN: SEVERITY: text" as GCC writes it, which editors read; a number that is 0 is left out.
void diagnostic(const char *file, uint32_t line, uint32_t column, enum paint severity, const char *text);

// Whether standard output could not be written. To be asked soon after printing, while errno still says why.
bool output_failed(void);

// Flush standard output, which stays open. STATUS, or EXIT_TROUBLE when something could not be written; then a message says so, but for
// a pipe whose reader left.
int output_finish(int status);

#endif
