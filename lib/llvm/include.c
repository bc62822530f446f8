// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L
#include "include.h"

#include "scan.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MAX 64 // an include that includes itself ends here
#define TOTAL_MAX ((size_t)1 << 30)

bool jcc_include_wanted(const char *text, size_t length)
{
    const char *end = text + length;
    for (const char *at = text; at < end && (at = memchr(at, '.', (size_t)(end - at))); at++)
        if (end - at > 7 && (at[1] | 32) == 'i' && (at[2] | 32) == 'n' && (at[3] | 32) == 'c' &&
            ((at[4] | 32) == 'l' || (at[4] | 32) == 'b'))
            return true;
    return false;
}

static bool add_file(struct jcc_source *source, const char *name, uint32_t *index)
{
    for (size_t k = 0; k < source->file_count; k++)
        if (!strcmp(source->files[k], name)) {
            *index = (uint32_t)k;
            return true;
        }
    if (!jcc_grow(&source->files, &source->file_capacity, source->file_count + 1, sizeof *source->files))
        return false;
    char *copy = strdup(name);
    if (!copy)
        return false;
    *index = (uint32_t)source->file_count;
    source->files[source->file_count++] = copy;
    return true;
}

static bool add_run(struct jcc_source *source, uint32_t first, uint32_t line, uint32_t file)
{
    if (!jcc_grow(&source->runs, &source->run_capacity, source->run_count + 1, sizeof *source->runs))
        return false;
    source->runs[source->run_count++] = (struct jcc_line_run){first, line, file};
    return true;
}

enum jcc_status jcc_include_none(struct jcc_source *source, const char *name)
{
    uint32_t file;
    return add_file(source, name, &file) && add_run(source, 1, 1, file) ? JCC_OK : JCC_ERROR_NO_MEMORY;
}

struct resolver {
    struct jcc_source *source;
    const struct jcc_assemble_request *request;
    struct jcc_diagnostics *diagnostics;
    uint32_t line; // of the text built so far, from 1
    int depth;
    enum jcc_status status;
};

static void append(struct resolver *r, const char *data, size_t length)
{
    for (const char *at = data, *end = data + length; at < end && (at = memchr(at, '\n', (size_t)(end - at))); at++)
        r->line++;
    if (r->source->owned.length + length > TOTAL_MAX)
        r->status = JCC_ERROR_LIMIT;
    else
        jcc_text_append(&r->source->owned, data, length);
}

// What a path leads to.
enum found { FOUND_NOTHING, FOUND_FILE, FOUND_FOLDER, FOUND_OTHER };

static const char *const refusals[] = {
    [FOUND_NOTHING] = "could not find file",
    [FOUND_FOLDER] = "cannot include a folder,",
    [FOUND_OTHER] = "cannot include what is no regular file,",
};

// Whether the device PATH has nothing to read, as /dev/null has not; one that has is not waited for.
static bool is_empty_device(const char *path)
{
    char byte;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool empty = fd >= 0 && read(fd, &byte, 1) == 0;
    if (fd >= 0)
        close(fd);
    return empty;
}

static enum found look(const char *path)
{
    struct stat st;
    if (stat(path, &st))
        return FOUND_NOTHING;
    if (S_ISREG(st.st_mode) || (S_ISCHR(st.st_mode) && is_empty_device(path)))
        return FOUND_FILE;
    return S_ISDIR(st.st_mode) ? FOUND_FOLDER : FOUND_OTHER;
}

// The path of NAME, as the assembler searches it, or NULL; *FOUND then is the first thing of that name, which is no file. The caller frees it.
static char *search(const struct resolver *r, const char *name, enum found *found)
{
    *found = look(name);
    if (*found == FOUND_FILE)
        return strdup(name);
    for (size_t k = 0; name[0] != '/' && k < r->request->include_count; k++) {
        struct jcc_text path = {0};
        jcc_text_format(&path, "%s/%s", r->request->include[k], name);
        if (path.failed)
            return NULL;
        enum found here = look(path.data);
        if (here == FOUND_FILE)
            return path.data;
        if (*found == FOUND_NOTHING)
            *found = here;
        jcc_text_free(&path);
    }
    return NULL;
}

static char *read_whole(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    struct jcc_text text = {0};
    char block[65536];
    size_t n;
    while ((n = fread(block, 1, sizeof block, file)) > 0 && text.length <= TOTAL_MAX)
        jcc_text_append(&text, block, n);
    bool bad = ferror(file) || text.failed || text.length > TOTAL_MAX;
    fclose(file);
    if (!bad)
        jcc_text_append(&text, "", 0); // NUL even when empty
    if (bad || text.failed) {
        jcc_text_free(&text);
        return NULL;
    }
    *length = text.length;
    return text.data;
}

// The string operand of an .include or .incbin statement, unescaped only as far as file names need; NULL when it is none.
static char *file_operand(const struct jcc_scan *scan, const struct jcc_statement *statement, const char **behind)
{
    size_t length;
    const char *at = jcc_statement_operands(scan, statement, &length), *end = at + length;
    if (length < 2 || *at != '"')
        return NULL;
    char *name = malloc(length);
    size_t n = 0;
    for (at++; name && at < end && *at != '"'; at++) {
        if (*at == '\\' && at + 1 < end)
            at++;
        name[n++] = *at;
    }
    if (!name || at == end) {
        free(name);
        return NULL;
    }
    name[n] = '\0';
    *behind = at + 1;
    return name;
}

static void error_at(struct resolver *r, uint32_t file, const char *text, const char *at, const char *what, const char *name)
{
    uint32_t line = 1;
    const char *start = text;
    for (const char *p = text; (p = memchr(p, '\n', (size_t)(at - p))); line++)
        start = ++p;
    struct jcc_text message = {0};
    jcc_text_format(&message, "%s '%s'", what, name);
    jcc_diagnostics_add(r->diagnostics, JCC_SEVERITY_ERROR, r->source->files[file], line, (uint32_t)(at - start) + 1,
                        message.failed ? what : message.data);
    jcc_text_free(&message);
    r->status = JCC_ERROR_SOURCE;
}

static void expand(struct resolver *r, const char *text, size_t length, const char *name);

// The line of AT, when FROM stands on LINE.
static uint32_t line_of(const char *at, uint32_t line, const char *from)
{
    for (const char *p = from; p < at && (p = memchr(p, '\n', (size_t)(at - p))); p++)
        line++;
    return line;
}

// Put in what an .include or .incbin at STATEMENT stands for; true when the statement was replaced.
static bool replace(struct resolver *r, const struct jcc_scan *scan, const struct jcc_statement *statement, uint32_t file, bool conditional)
{
    const char *behind = NULL;
    char *name = file_operand(scan, statement, &behind);
    if (!name || strchr(name, '\\')) { // \argument: inside a macro's body, so only LLVM can say
        free(name);
        return false;
    }
    enum found found;
    char *path = search(r, name, &found);
    bool done = false;
    if (!path && !conditional) {
        error_at(r, file, scan->text, scan->text + statement->begin, refusals[found], name);
    } else if (path && statement->directive == JCC_DIRECTIVE_INCBIN) {
        append(r, ".incbin \"", 9);
        for (const char *c = path; *c; c++) {
            if (*c == '"' || *c == '\\')
                append(r, "\\", 1);
            append(r, c, 1);
        }
        append(r, "\"", 1);
        append(r, behind, (size_t)(scan->text + statement->end - behind));
        done = true;
    } else if (path) {
        size_t length;
        char *text = r->depth < DEPTH_MAX ? read_whole(path, &length) : NULL;
        if (!text)
            error_at(r, file, scan->text, scan->text + statement->begin,
                     r->depth < DEPTH_MAX ? "could not read file" : "includes nest too deep at", path);
        else if (!(r->status = jcc_blank_nuls(text, length)))
            expand(r, text, length, path);
        free(text);
        done = true;
    }
    free(path);
    free(name);
    return done;
}

static void expand(struct resolver *r, const char *text, size_t length, const char *name)
{
    uint32_t file;
    if (!add_file(r->source, name, &file) || !add_run(r->source, r->line, 1, file)) {
        r->status = JCC_ERROR_NO_MEMORY;
        return;
    }
    struct jcc_scan scan;
    r->status = memchr(text, '\0', length) ? JCC_ERROR_SOURCE : jcc_scan_text(&scan, text, length);
    if (r->status) {
        if (r->status == JCC_ERROR_SOURCE)
            error_at(r, file, text, (const char *)memchr(text, '\0', length), "NUL byte in file", name);
        else
            jcc_scan_free(&scan);
        return;
    }
    r->depth++;
    const char *copied = text, *counted = text;
    uint32_t line = 1;
    int conditionals = 0;
    for (size_t k = 0; k < scan.count && !r->status; k++) {
        const struct jcc_statement *s = &scan.statements[k];
        if (s->type != JCC_STATEMENT_DIRECTIVE)
            continue;
        if (s->directive == JCC_DIRECTIVE_IF || s->directive == JCC_DIRECTIVE_MACRO)
            conditionals++;
        else if ((s->directive == JCC_DIRECTIVE_ENDIF || s->directive == JCC_DIRECTIVE_MACRO_END) && conditionals)
            conditionals--;
        if (s->directive != JCC_DIRECTIVE_INCLUDE && s->directive != JCC_DIRECTIVE_INCBIN)
            continue;
        append(r, copied, (size_t)(text + s->begin - copied));
        copied = text + s->begin;
        if (s->directive == JCC_DIRECTIVE_INCLUDE)
            append(r, "\n", 1);
        if (replace(r, &scan, s, file, conditionals > 0))
            copied = text + s->end;
        line = line_of(text + s->end, line, counted);
        counted = text + s->end;
        if (s->directive != JCC_DIRECTIVE_INCLUDE || r->status)
            continue;
        // Back in this file: the rest of the line that the directive stood on.
        append(r, "\n", 1);
        if (!add_run(r->source, r->line, line, file))
            r->status = JCC_ERROR_NO_MEMORY;
    }
    if (!r->status)
        append(r, copied, (size_t)(text + length - copied));
    r->depth--;
    jcc_scan_free(&scan);
}

enum jcc_status jcc_include_resolve(struct jcc_source *source, const struct jcc_assemble_request *request, const char *name,
                                    struct jcc_diagnostics *diagnostics)
{
    struct resolver r = {.source = source, .request = request, .diagnostics = diagnostics, .line = 1};
    expand(&r, source->text, source->length, name);
    if (source->owned.failed || diagnostics->failed)
        return JCC_ERROR_NO_MEMORY;
    if (r.status)
        return r.status;
    source->text = source->owned.data ? source->owned.data : "";
    source->length = source->owned.length;
    return JCC_OK;
}
