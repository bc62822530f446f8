// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L
#include "diagnostics.h"

#include "source.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

// As LLVM names the text of a module's inline assembly, and the text of a macro's expansion.
#define LLVM_TEXT_NAME  "<inline asm>"
#define LLVM_MACRO_NAME "<instantiation>"

static char *copy(const char *string, size_t length)
{
    return strndup(string, length);
}

static void add(struct jcc_diagnostics *diagnostics, struct jcc_raw_diagnostic raw)
{
    bool room = jcc_grow(&diagnostics->list, &diagnostics->capacity, diagnostics->count + 1, sizeof *diagnostics->list);
    if (!room || !raw.message) {
        free(raw.file);
        free(raw.message);
        diagnostics->failed = true;
        return;
    }
    diagnostics->list[diagnostics->count++] = raw;
    diagnostics->errors += raw.severity == JCC_SEVERITY_ERROR;
}

void jcc_diagnostics_add(struct jcc_diagnostics *diagnostics, enum jcc_severity severity, const char *file, uint32_t line, uint32_t column,
                         const char *message)
{
    struct jcc_raw_diagnostic raw = {severity, file ? strdup(file) : NULL, line, column, strdup(message)};
    if (file && !raw.file)
        diagnostics->failed = true;
    add(diagnostics, raw);
}

// Digits and a colon at *AT: their value, with *AT moved behind. False when there are none.
static bool number_and_colon(const char **at, uint32_t *value)
{
    const char *p = *at;
    uint32_t v = 0;
    while (*p >= '0' && *p <= '9' && v < UINT32_MAX / 10)
        v = v * 10 + (uint32_t)(*p++ - '0');
    if (p == *at || *p != ':')
        return false;
    *value = v;
    *at = p + 1;
    return true;
}

// What LLVM has to say about input that is in order: clang itself writes line tables in which some files have a checksum and some none.
static bool is_noise(const char *message, size_t length)
{
    static const char md5[] = "inconsistent use of MD5 checksums";
    return length == sizeof md5 - 1 && !memcmp(message, md5, length);
}

void jcc_diagnostics_add_llvm(struct jcc_diagnostics *diagnostics, enum jcc_severity severity, const char *description)
{
    size_t length = strcspn(description, "\n");
    struct jcc_raw_diagnostic raw = {.severity = severity};
    const char *message = description;
    // NAME:LINE:COLUMN: text. The name may hold colons itself: take the first that numbers follow.
    for (const char *colon = description; (colon = memchr(colon, ':', (size_t)(description + length - colon))); colon++) {
        const char *at = colon + 1;
        if (!number_and_colon(&at, &raw.line))
            continue;
        if (!number_and_colon(&at, &raw.column))
            raw.column = 0;
        if (strncmp(description, "<unknown>", 9))
            raw.file = copy(description, (size_t)(colon - description));
        message = *at == ' ' ? at + 1 : at;
        break;
    }
    static const char *const names[] = {"error: ", "warning: ", "note: "};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strncmp(message, names[k], strlen(names[k])))
            message += strlen(names[k]);
    if (is_noise(message, (size_t)(description + length - message))) {
        free(raw.file);
        return;
    }
    raw.message = copy(message, (size_t)(description + length - message));
    add(diagnostics, raw);
}

void jcc_diagnostics_clear(struct jcc_diagnostics *diagnostics)
{
    for (size_t k = 0; k < diagnostics->count; k++) {
        free(diagnostics->list[k].file);
        free(diagnostics->list[k].message);
    }
    free(diagnostics->list);
    *diagnostics = (struct jcc_diagnostics){0};
}

static bool is_named(const struct jcc_raw_diagnostic *raw, const char *name)
{
    return raw->file && !strcmp(raw->file, name);
}

static void set_file(struct jcc_diagnostics *diagnostics, struct jcc_raw_diagnostic *raw, const char *file)
{
    char *copied = strdup(file);
    if (!copied)
        diagnostics->failed = true;
    free(raw->file);
    raw->file = copied;
}

void jcc_diagnostics_place(struct jcc_diagnostics *diagnostics, const struct jcc_source *source)
{
    for (size_t k = 0; k < diagnostics->count; k++) {
        struct jcc_raw_diagnostic *raw = &diagnostics->list[k];
        if (!is_named(raw, LLVM_TEXT_NAME))
            continue;
        const char *file = jcc_source_line(source, raw->line, &raw->line);
        set_file(diagnostics, raw, file);
    }
    // The notes "while in macro instantiation" behind an error lead outwards: the last of them is the user's line.
    for (size_t k = 0; k < diagnostics->count; k++) {
        struct jcc_raw_diagnostic *raw = &diagnostics->list[k];
        if (!is_named(raw, LLVM_MACRO_NAME))
            continue;
        for (size_t n = k + 1; n < diagnostics->count && diagnostics->list[n].severity == JCC_SEVERITY_NOTE; n++) {
            const struct jcc_raw_diagnostic *note = &diagnostics->list[n];
            if (is_named(note, LLVM_MACRO_NAME) || !note->file)
                continue;
            set_file(diagnostics, raw, note->file);
            raw->line = note->line;
            raw->column = note->column;
        }
    }
}

void jcc_diagnostics_drop(struct jcc_diagnostics *diagnostics, bool (*about)(const char *message))
{
    size_t kept = 0;
    for (size_t k = 0; k < diagnostics->count; k++) {
        struct jcc_raw_diagnostic *raw = &diagnostics->list[k];
        if (raw->severity != JCC_SEVERITY_ERROR || !about(raw->message)) {
            diagnostics->list[kept++] = *raw;
            continue;
        }
        free(raw->file);
        free(raw->message);
        diagnostics->errors--;
    }
    diagnostics->count = kept;
}
