// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan.h"

#include "text.h"

#include <stdlib.h>
#include <string.h>

const char *jcc_skip_quoted(const char *at, const char *end)
{
    if (*at == '\'') {
        at++;
        if (at < end && *at == '\\')
            at++;
        if (at < end && *at != '\n')
            at++;
        return at < end && *at == '\'' ? at + 1 : at;
    }
    for (at++; at < end && *at != '"'; at++)
        if (*at == '\\' && at + 1 < end)
            at++;
    return at < end ? at + 1 : at;
}

static const char *skip_block_comment(const char *at, const char *end)
{
    for (at += 2; at + 1 < end; at++)
        if (at[0] == '*' && at[1] == '/')
            return at + 2;
    return end;
}

static bool starts_comment(const char *at, const char *end)
{
    return *at == '#' || (*at == '/' && at + 1 < end && (at[1] == '/' || at[1] == '*'));
}

// What the words of a comment open or close.
static const struct {
    const char *words;
    bool off;
} region_words[] = {{"jccsafe: off", true}, {"jccsafe: on", false}, {"noautopadding", true}, {"autopadding", false}};

// Note the comment [AT, END) when its first words open or close a region, from statement STATEMENT on.
static void note_region(struct jcc_scan *scan, const char *at, const char *end, size_t statement)
{
    while (at < end && (jcc_is_blank(*at) || *at == '#' || *at == '/' || *at == '*'))
        at++;
    for (size_t k = 0; k < sizeof region_words / sizeof *region_words; k++) {
        size_t n = strlen(region_words[k].words);
        if ((size_t)(end - at) < n || memcmp(at, region_words[k].words, n) || (at + n < end && jcc_is_name_char(at[n])))
            continue;
        if (!jcc_grow(&scan->marks, &scan->mark_capacity, scan->mark_count + 1, sizeof *scan->marks))
            scan->failed = true;
        else
            scan->marks[scan->mark_count++] = (struct jcc_region_mark){(uint32_t)statement, region_words[k].off};
        return;
    }
}

// One past the comment at AT; a line comment ends before its newline. STATEMENT is the next one's index.
static const char *skip_comment(struct jcc_scan *scan, const char *at, const char *end, size_t statement)
{
    const char *begin = at;
    if (*at == '/' && at[1] == '*') {
        at = skip_block_comment(at, end);
    } else {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline : end;
    }
    note_region(scan, begin, at, statement);
    return at;
}

// What a byte means inside a statement: 0, it is nothing special.
static const uint8_t special[256] = {['\n'] = 1, [';'] = 1, ['#'] = 1, ['/'] = 1, ['"'] = 1, ['\''] = 1};

// From AT to where the statement's own text ends; *NEXT gets the place behind its comment and separator.
static const char *statement_end(struct jcc_scan *scan, const char *at, const char *end, const char **next)
{
    const char *last = at; // one past the last byte that is no blank
    for (;;) {
        const char *from = at, *behind;
        while (at < end && !special[(unsigned char)*at])
            at++;
        for (behind = at; behind > from && jcc_is_blank(behind[-1]);)
            behind--;
        if (behind > from)
            last = behind;
        if (at == end || *at == '\n' || *at == ';') {
            *next = at < end ? at + 1 : at;
            return last;
        }
        if (*at == '"' || *at == '\'') {
            last = at = jcc_skip_quoted(at, end);
        } else if (starts_comment(at, end)) {
            at = skip_comment(scan, at, end, scan->count + 1);
        } else {
            last = ++at; // a slash alone: division
        }
    }
}

// Blanks, comments and separators before the next statement.
static const char *skip_to_statement(struct jcc_scan *scan, const char *at, const char *end)
{
    while (at < end) {
        if (jcc_is_blank(*at) || *at == '\n' || *at == ';')
            at++;
        else if (starts_comment(at, end))
            at = skip_comment(scan, at, end, scan->count);
        else
            break;
    }
    return at;
}

static const char *skip_name(const char *at, const char *end)
{
    while (at < end && (jcc_is_name_char(*at) || *at == '@'))
        at++;
    return at;
}

static const char prefix_names[][9] = {"addr16", "addr32",  "bnd", "cs",   "data16", "data32", "ds",   "es",       "fs",       "gs",
                                       "lock",   "notrack", "rep", "repe", "repne",  "repnz",  "repz", "xacquire", "xrelease", "ss"};

static bool is_prefix_name(const char *name, size_t length)
{
    if (length >= 3 && !memcmp(name, "rex", 3) && (length == 3 || name[3] == '.' || name[3] == '6'))
        return true;
    if (length < 2 || length >= sizeof prefix_names[0])
        return false;
    for (size_t k = 0; k < sizeof prefix_names / sizeof *prefix_names; k++)
        if (prefix_names[k][0] == name[0] && prefix_names[k][length] == '\0' && !memcmp(prefix_names[k], name, length))
            return true;
    return false;
}

// Only these letters start a prefix; most mnemonics are done after one look.
static bool may_start_prefix(char c)
{
    return c == 'a' || c == 'b' || c == 'c' || c == 'd' || c == 'e' || c == 'f' || c == 'g' || c == 'l' || c == 'n' || c == 'r' ||
           c == 's' || c == 'x' || c == '{';
}

// Set the type and name of a statement that starts with prefixes or {pseudo prefixes}.
static void name_instruction(const char *text, struct jcc_statement *statement)
{
    const char *at = text + statement->begin, *end = text + statement->end;
    statement->type = JCC_STATEMENT_INSN;
    bool any = false;
    while (at < end) {
        if (*at == '{') {
            while (at < end && *at != '}')
                at++;
            at = jcc_skip_blanks(at < end ? at + 1 : at, end);
            continue;
        }
        const char *behind = skip_name(at, end);
        if (behind == at) {
            break;
        }
        statement->name = (uint32_t)(at - text);
        statement->name_length = (uint16_t)(behind - at > UINT16_MAX ? UINT16_MAX : behind - at);
        if (!may_start_prefix(*at) || !is_prefix_name(at, (size_t)(behind - at)))
            return;
        any = true;
        at = jcc_skip_blanks(behind, end);
    }
    statement->type = any ? JCC_STATEMENT_PREFIX : JCC_STATEMENT_OPAQUE;
}

static bool note_directive(struct jcc_scan *scan, enum jcc_directive directive)
{
    switch (directive) {
    case JCC_DIRECTIVE_MACRO:
    case JCC_DIRECTIVE_MACRO_END:
    case JCC_DIRECTIVE_REPEAT:
    case JCC_DIRECTIVE_REPEAT_END:
    case JCC_DIRECTIVE_IF:
    case JCC_DIRECTIVE_ELSE:
    case JCC_DIRECTIVE_ENDIF:
    case JCC_DIRECTIVE_NOT_FLAT:
    case JCC_DIRECTIVE_INCLUDE: scan->flat = false; break;
    case JCC_DIRECTIVE_CODE: scan->names_modes = true; break;
    case JCC_DIRECTIVE_END: return false;
    default: break;
    }
    return true;
}

static bool add(struct jcc_scan *scan, const struct jcc_statement *statement)
{
    if (!jcc_grow(&scan->statements, &scan->capacity, scan->count + 1, sizeof *scan->statements))
        return false;
    scan->statements[scan->count++] = *statement;
    return true;
}

// A label at AT: its name's length, with *COLON on the colon; 0 when there is none.
static size_t label_at(const char *at, const char *end, const char **colon)
{
    const char *behind;
    if (*at == '"')
        behind = jcc_skip_quoted(at, end);
    else if (*at >= '0' && *at <= '9')
        for (behind = at; behind < end && *behind >= '0' && *behind <= '9';)
            behind++;
    else
        behind = skip_name(at, end);
    if (behind == at)
        return 0;
    *colon = jcc_skip_blanks(behind, end);
    return *colon < end && **colon == ':' ? (size_t)(behind - at) : 0;
}

// Give STATEMENT, whose begin and end are set, its type and name. False: nothing behind it is read.
static bool classify(struct jcc_scan *scan, struct jcc_statement *statement)
{
    const char *text = scan->text, *at = text + statement->begin, *end = text + statement->end;
    const char *behind = *at == '"' ? jcc_skip_quoted(at, end) : skip_name(at, end);
    statement->name = statement->begin;
    statement->name_length = (uint16_t)(behind - at > UINT16_MAX ? UINT16_MAX : behind - at);
    statement->directive = JCC_DIRECTIVE_UNKNOWN;
    const char *sign = jcc_skip_blanks(behind, end);
    if (behind > at && sign < end && *sign == '=') {
        statement->type = JCC_STATEMENT_ASSIGN;
        return true;
    }
    if (*at == '.' && behind > at) {
        statement->type = JCC_STATEMENT_DIRECTIVE;
        statement->directive = (uint8_t)jcc_directive_find(at, (size_t)(behind - at));
        return note_directive(scan, (enum jcc_directive)statement->directive);
    }
    if (*at != '{' && !jcc_is_name_start(*at)) {
        statement->type = JCC_STATEMENT_OPAQUE;
        scan->flat = false; // a macro's \@ or worse: let LLVM say
        return true;
    }
    name_instruction(text, statement);
    return true;
}

enum jcc_status jcc_scan_text(struct jcc_scan *scan, const char *text, size_t length)
{
    *scan = (struct jcc_scan){.text = text, .length = length, .flat = true};
    if (length >= UINT32_MAX)
        return JCC_ERROR_LIMIT;
    const char *at = text, *end = text + length;
    while ((at = skip_to_statement(scan, at, end)) < end) {
        struct jcc_statement statement = {.begin = (uint32_t)(at - text), .directive = JCC_DIRECTIVE_UNKNOWN};
        const char *colon = NULL;
        size_t label = label_at(at, end, &colon);
        bool more = true;
        if (label) {
            statement.type = JCC_STATEMENT_LABEL;
            statement.name = statement.begin;
            statement.name_length = (uint16_t)(label > UINT16_MAX ? UINT16_MAX : label);
            at = colon + 1;
            statement.end = (uint32_t)(at - text);
        } else {
            const char *next;
            statement.end = (uint32_t)(statement_end(scan, at, end, &next) - text);
            if (statement.end == statement.begin)
                statement.end++;
            more = classify(scan, &statement);
            at = next;
        }
        if (!add(scan, &statement))
            return JCC_ERROR_NO_MEMORY;
        if (!more)
            break;
    }
    return scan->failed ? JCC_ERROR_NO_MEMORY : JCC_OK;
}

void jcc_scan_free(struct jcc_scan *scan)
{
    free(scan->statements);
    free(scan->marks);
    *scan = (struct jcc_scan){0};
}

bool jcc_scan_has_other_mode(const struct jcc_scan *scan, unsigned bits)
{
    const char *own = bits == 64 ? ".code64" : ".code32";
    for (size_t k = 0; scan->names_modes && k < scan->count; k++) {
        const struct jcc_statement *s = &scan->statements[k];
        if (s->type == JCC_STATEMENT_DIRECTIVE && s->directive == JCC_DIRECTIVE_CODE &&
            (s->name_length != strlen(own) || memcmp(scan->text + s->name, own, s->name_length)))
            return true;
    }
    return false;
}

bool jcc_scan_is_off(const struct jcc_scan *scan, size_t index)
{
    size_t low = 0, high = scan->mark_count; // the first mark behind INDEX
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (scan->marks[middle].statement <= index)
            low = middle + 1;
        else
            high = middle;
    }
    return low && scan->marks[low - 1].off;
}

const char *jcc_statement_operands(const struct jcc_scan *scan, const struct jcc_statement *statement, size_t *length)
{
    const char *end = scan->text + statement->end;
    const char *at = jcc_skip_blanks(scan->text + statement->name + statement->name_length, end);
    *length = (size_t)(end - at);
    return at;
}

bool jcc_statement_is(const struct jcc_scan *scan, const struct jcc_statement *s, const char *name)
{
    const char *at = scan->text + s->name;
    size_t k = 0;
    if (s->type != JCC_STATEMENT_DIRECTIVE)
        return false;
    while (k < s->name_length && (at[k] >= 'A' && at[k] <= 'Z' ? at[k] + 32 : at[k]) == name[k])
        k++;
    return k == s->name_length && !name[k];
}

bool jcc_lexer_name(struct jcc_lexer *lexer, const char **name, size_t *length)
{
    const char *at = lexer->at, *end = lexer->end;
    while (at < end) {
        if (*at == '"') {
            const char *behind = jcc_skip_quoted(at, end);
            *name = at + 1;
            *length = (size_t)(behind - at) >= 2 ? (size_t)(behind - at) - 2 : 0;
            lexer->at = behind;
            return true;
        }
        if (*at == '\'') {
            at = jcc_skip_quoted(at, end);
        } else if (*at == '/' && at + 1 < end && at[1] == '*') {
            at = skip_block_comment(at, end);
        } else if (*at == '%' || *at == '@') {
            at = skip_name(at + 1, end);
        } else if (*at >= '0' && *at <= '9') {
            const char *begin = at;
            while (at < end && *at >= '0' && *at <= '9')
                at++;
            if (at < end && (*at == 'f' || *at == 'b') && !(at + 1 < end && jcc_is_name_char(at[1]))) {
                *name = begin;
                *length = (size_t)(++at - begin);
                lexer->at = at;
                return true;
            }
            at = skip_name(at, end);
        } else if (jcc_is_name_start(*at) && *at != '$') { // a leading $ is AT&T's immediate sign
            *name = at;
            while (at < end && jcc_is_name_char(*at))
                at++;
            *length = (size_t)(at - *name);
            lexer->at = at;
            return true;
        } else {
            at++;
        }
    }
    lexer->at = at;
    return false;
}
