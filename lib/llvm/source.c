// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source.h"

#include "include.h"
#include "scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOURCE_MAX ((size_t)1 << 30)

static const char byte_order_mark[] = "\xef\xbb\xbf";

enum jcc_status jcc_blank_nuls(char *text, size_t length)
{
    struct jcc_scan scan;
    char *at = memchr(text, '\0', length), *end = text + length;
    enum jcc_status status = at ? jcc_scan_text(&scan, text, length) : JCC_OK;
    if (!at || status)
        return status;
    size_t k = 0;
    for (; at; at = memchr(at + 1, '\0', (size_t)(end - at) - 1)) {
        size_t offset = (size_t)(at - text);
        while (k < scan.count && scan.statements[k].end <= offset)
            k++;
        if (k == scan.count || scan.statements[k].begin > offset)
            *at = ' ';
    }
    jcc_scan_free(&scan);
    return JCC_OK;
}

// A NUL in a statement would end the text inside LLVM, silently.
static enum jcc_status refuse_nul(const struct jcc_source *source, const char *name, struct jcc_diagnostics *diagnostics)
{
    const char *nul = memchr(source->text, '\0', source->length);
    if (!nul)
        return JCC_OK;
    uint32_t line = 1;
    const char *start = source->text;
    for (const char *at = source->text; (at = memchr(at, '\n', (size_t)(nul - at))); line++)
        start = ++at;
    jcc_diagnostics_add(diagnostics, JCC_SEVERITY_ERROR, name, line, (uint32_t)(nul - start) + 1, "NUL byte in the source");
    return JCC_ERROR_SOURCE;
}

// The user's text, or a copy with its NULs in comments made blanks.
static enum jcc_status take_text(struct jcc_source *source, const struct jcc_assemble_request *request)
{
    source->text = request->text;
    source->length = request->length;
    if (!memchr(request->text, '\0', request->length))
        return JCC_OK;
    jcc_text_append(&source->blanked, request->text, request->length);
    if (source->blanked.failed)
        return JCC_ERROR_NO_MEMORY;
    source->text = source->blanked.data;
    return jcc_blank_nuls(source->blanked.data, source->blanked.length);
}

enum jcc_status jcc_source_open(struct jcc_source *source, const struct jcc_assemble_request *request, struct jcc_diagnostics *diagnostics)
{
    *source = (struct jcc_source){0};
    const char *name = request->name ? request->name : "<input>";
    if (request->length > SOURCE_MAX)
        return JCC_ERROR_LIMIT;
    if (!request->length) {
        source->text = "";
        return jcc_include_none(source, name);
    }
    if (request->length >= 3 && !memcmp(request->text, byte_order_mark, 3)) {
        jcc_diagnostics_add(diagnostics, JCC_SEVERITY_ERROR, name, 1, 1, "the source starts with a byte order mark");
        return JCC_ERROR_SOURCE;
    }
    enum jcc_status status = take_text(source, request);
    if (!status)
        status = refuse_nul(source, name, diagnostics);
    if (status)
        return status;
    if (!jcc_include_wanted(source->text, source->length))
        return jcc_include_none(source, name);
    return jcc_include_resolve(source, request, name, diagnostics);
}

void jcc_source_free(struct jcc_source *source)
{
    for (size_t k = 0; k < source->file_count; k++)
        free(source->files[k]);
    free(source->files);
    free(source->runs);
    free(source->line_starts);
    jcc_text_free(&source->owned);
    jcc_text_free(&source->blanked);
    *source = (struct jcc_source){0};
}

const char *jcc_source_line(const struct jcc_source *source, uint32_t line, uint32_t *user_line)
{
    size_t low = 0, high = source->run_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (source->runs[middle].first <= line)
            low = middle;
        else
            high = middle;
    }
    const struct jcc_line_run *run = &source->runs[low];
    *user_line = line >= run->first ? run->line + (line - run->first) : 0;
    return source->files[run->file];
}

static bool index_lines(struct jcc_source *source)
{
    size_t capacity = 0;
    const char *end = source->text + source->length;
    if (!jcc_grow(&source->line_starts, &capacity, 1, sizeof *source->line_starts))
        return false;
    source->line_starts[source->line_count++] = 0;
    for (const char *at = source->text; at < end && (at = memchr(at, '\n', (size_t)(end - at))); at++) {
        if (!jcc_grow(&source->line_starts, &capacity, source->line_count + 1, sizeof *source->line_starts))
            return false;
        source->line_starts[source->line_count++] = (size_t)(at - source->text) + 1;
    }
    return true;
}

bool jcc_source_position(struct jcc_source *source, size_t offset, uint32_t *line, uint32_t *column)
{
    if (!source->line_starts && !index_lines(source))
        return false;
    size_t low = 0, high = source->line_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (source->line_starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    *line = (uint32_t)low + 1;
    *column = (uint32_t)(offset - source->line_starts[low]) + 1;
    return true;
}

void jcc_source_report(struct jcc_source *source, struct jcc_diagnostics *diagnostics, enum jcc_severity severity, size_t offset,
                       const char *message)
{
    uint32_t line = 0, column = 0, user = 0;
    if (!jcc_source_position(source, offset, &line, &column)) {
        diagnostics->failed = true;
        return;
    }
    const char *file = jcc_source_line(source, line, &user);
    jcc_diagnostics_add(diagnostics, severity, file, user, column, message);
}
