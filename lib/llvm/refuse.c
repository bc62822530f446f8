// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "refuse.h"

#include "labels.h"
#include "sections.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

// More than any source repeats or fills; LLVM takes hours, or all memory, long before it gives up.
#define REPEAT_MAX ((uint64_t)1 << 24)
#define FILL_MAX   ((uint64_t)1 << 36)

struct refuser {
    const struct jcc_scan *scan;
    struct jcc_source *source;
    struct jcc_diagnostics *diagnostics;
    const struct jcc_labels *labels;
    struct jcc_text *rest;
    bool intel;
    bool misleading; // what is left without the refused statements would not be what the user wrote
    size_t refused;
};

static void refuse(struct refuser *r, const struct jcc_statement *s, const char *message)
{
    jcc_source_report(r->source, r->diagnostics, JCC_SEVERITY_ERROR, s->begin, message);
    if (!r->refused++)
        jcc_text_append(r->rest, r->scan->text, r->scan->length);
    if (!r->rest->failed)
        memset(r->rest->data + s->begin, ' ', s->end - s->begin);
    r->misleading |= s->directive == JCC_DIRECTIVE_REPEAT;
}

// A leading plain number, or 0.
static uint64_t leading_number(const char *at, size_t length)
{
    char digits[32];
    size_t n = length < sizeof digits - 1 ? length : sizeof digits - 1;
    memcpy(digits, at, n);
    digits[n] = '\0';
    char *behind;
    if (!n || digits[0] < '0' || digits[0] > '9')
        return 0;
    uint64_t value = strtoull(digits, &behind, 0);
    while (*behind == ' ' || *behind == '\t')
        behind++;
    return *behind == '\0' || *behind == ',' ? value : 0;
}

// `.irp x,v=`: LLVM looks for a macro's parameter v, and there is no macro (SIGSEGV in 14, 19 and 22).
static bool names_a_parameter(const char *at, size_t length)
{
    const char *end = at + length, *comma = memchr(at, ',', length);
    for (at = comma ? comma + 1 : end; at < end; at++) {
        while (at < end && (*at == ' ' || *at == '\t' || *at == ','))
            at++;
        const char *begin = at;
        while (at < end && jcc_is_name_char(*at))
            at++;
        const char *behind = at;
        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
        if (at < end && behind > begin && jcc_is_name_start(*begin) && *at == '=' && !(at + 1 < end && at[1] == '='))
            return true;
        while (at < end && *at != ',') {
            if (*at == '"')
                for (at++; at < end && *at != '"'; at++)
                    ;
            if (at < end)
                at++;
        }
    }
    return false;
}

static bool is_branch(const char *name, size_t length)
{
    return (name[0] | 32) == 'j' || (length >= 4 && (!strncmp(name, "call", 4) || !strncmp(name, "loop", 4)));
}

static bool is_relative_only(const char *name, size_t length)
{
    return !(length >= 4 && !strncmp(name, "call", 4)) && !(length >= 3 && !strncmp(name, "jmp", 3));
}

// AT&T has no bracketed branch operand; LLVM takes `jne [f]` for a jump to f. A conditional jump has no absolute target in an object either.
static void look_at_branch(struct refuser *r, const struct jcc_statement *s)
{
    const char *name = r->scan->text + s->name;
    size_t length;
    if (r->intel || !is_branch(name, s->name_length))
        return;
    const char *at = jcc_statement_operands(r->scan, s, &length);
    if (length && *at == '[')
        refuse(r, s, "a branch operand has no brackets in AT&T syntax");
    else if (length >= 2 && at[0] == '0' && (at[1] | 32) == 'x' && !memchr(at, '(', length) && is_relative_only(name, s->name_length) &&
             !strncmp(name, "loop", 4))
        refuse(r, s, "a loop to an absolute address cannot be encoded in an object");
}

// `. = expression` with a symbol that is not known yet ends LLVM 14 and 19.
static void look_at_place(struct refuser *r, size_t index)
{
    const struct jcc_statement *s = &r->scan->statements[index];
    if (s->name_length != 1 || r->scan->text[s->name] != '.')
        return;
    size_t length, n;
    const char *name, *at = jcc_statement_operands(r->scan, s, &length);
    struct jcc_lexer lexer = {at, at + length};
    while (jcc_lexer_name(&lexer, &name, &n)) {
        if (n == 1 && *name == '.')
            continue;
        uint32_t label = jcc_source_labels_find(r->labels, name, n, index);
        bool known = label != JCC_NO_LABEL && r->labels->list[label].statement < index;
        for (size_t k = 0; !known && k < index; k++) {
            const struct jcc_statement *other = &r->scan->statements[k];
            const char *other_name = r->scan->text + other->name;
            size_t other_length = other->name_length;
            if (other->type == JCC_STATEMENT_DIRECTIVE && other->directive == JCC_DIRECTIVE_SET)
                other_name = jcc_statement_operands(r->scan, other, &other_length);
            else if (other->type != JCC_STATEMENT_ASSIGN)
                continue;
            known = other_length >= n && !memcmp(other_name, name, n) && (other_length == n || !jcc_is_name_char(other_name[n]));
        }
        if (!known) {
            refuse(r, s, "'.' is set from a symbol that is not defined before");
            return;
        }
    }
}

static void look_at(struct refuser *r, size_t index)
{
    const struct jcc_statement *s = &r->scan->statements[index];
    if (s->type == JCC_STATEMENT_INSN) {
        look_at_branch(r, s);
        return;
    }
    if (s->type == JCC_STATEMENT_ASSIGN) {
        look_at_place(r, index);
        return;
    }
    if (s->type != JCC_STATEMENT_DIRECTIVE)
        return;
    size_t length;
    const char *at = jcc_statement_operands(r->scan, s, &length);
    const char *name = r->scan->text + s->name;
    switch (s->directive) {
    case JCC_DIRECTIVE_INTEL: r->intel = true; break;
    case JCC_DIRECTIVE_SYNTAX: r->intel = false; break;
    case JCC_DIRECTIVE_REPEAT:
        if ((name[1] | 32) == 'i' && names_a_parameter(at, length))
            refuse(r, s, "a value list cannot name a parameter");
        else if ((name[1] | 32) == 'r' && leading_number(at, length) > REPEAT_MAX)
            refuse(r, s, "too many repetitions");
        break;
    case JCC_DIRECTIVE_SPACE:
    case JCC_DIRECTIVE_DATA:
        if (at != r->scan->text && leading_number(at, length) > FILL_MAX)
            refuse(r, s, "the size is out of proportion");
        break;
    default: // .fill is among the unknown
        if (s->name_length == 5 && !strncmp(name, ".fill", 5) && leading_number(at, length) > FILL_MAX)
            refuse(r, s, "the size is out of proportion");
        break;
    }
}

// Labels as the text spells them; those that only a macro's expansion makes are not among them.
static enum jcc_status read_labels(const struct jcc_scan *scan, struct jcc_sections *sections, struct jcc_labels *labels)
{
    *labels = (struct jcc_labels){0};
    enum jcc_status status = jcc_sections_read(sections, scan);
    return status ? status : jcc_source_labels_read(labels, scan, sections);
}

static bool has_place_assignment(const struct jcc_scan *scan)
{
    for (size_t k = 0; k < scan->count; k++)
        if (scan->statements[k].type == JCC_STATEMENT_ASSIGN && scan->statements[k].name_length == 1 &&
            scan->text[scan->statements[k].name] == '.')
            return true;
    return false;
}

enum jcc_status jcc_refuse_deadly(const struct jcc_scan *scan, struct jcc_source *source, struct jcc_diagnostics *diagnostics,
                                  struct jcc_text *rest)
{
    struct jcc_sections sections = {0};
    struct jcc_labels labels = {0};
    enum jcc_status status = has_place_assignment(scan) ? read_labels(scan, &sections, &labels) : JCC_OK;
    struct refuser r = {.scan = scan, .source = source, .diagnostics = diagnostics, .labels = &labels, .rest = rest};
    for (size_t k = 0; !status && k < scan->count; k++)
        look_at(&r, k);
    jcc_source_labels_free(&labels);
    jcc_sections_free(&sections);
    if (r.misleading || rest->failed)
        jcc_text_free(rest);
    return status ? status : r.refused ? JCC_ERROR_SOURCE : JCC_OK;
}

// ---- constructs left open

struct open_construct {
    size_t statement;
    enum jcc_directive directive;
};

static enum jcc_directive opener_of(enum jcc_directive closer)
{
    switch (closer) {
    case JCC_DIRECTIVE_MACRO_END: return JCC_DIRECTIVE_MACRO;
    case JCC_DIRECTIVE_REPEAT_END: return JCC_DIRECTIVE_REPEAT;
    case JCC_DIRECTIVE_ENDIF: return JCC_DIRECTIVE_IF;
    case JCC_DIRECTIVE_CFI_END: return JCC_DIRECTIVE_CFI_START;
    case JCC_DIRECTIVE_POPSECTION: return JCC_DIRECTIVE_PUSHSECTION;
    default: return JCC_DIRECTIVE_UNKNOWN;
    }
}

static bool opens(enum jcc_directive d)
{
    return d == JCC_DIRECTIVE_MACRO || d == JCC_DIRECTIVE_REPEAT || d == JCC_DIRECTIVE_IF || d == JCC_DIRECTIVE_CFI_START ||
           d == JCC_DIRECTIVE_PUSHSECTION;
}

static bool is_body(enum jcc_directive d)
{
    return d == JCC_DIRECTIVE_MACRO || d == JCC_DIRECTIVE_REPEAT;
}

// What is open at the end of the text, in order; inside a macro's or a repeat's body only such bodies count.
static bool find_open(const struct jcc_scan *scan, struct open_construct **stack, size_t *depth)
{
    size_t capacity = 0, bodies = 0;
    for (size_t k = 0; k < scan->count; k++) {
        const struct jcc_statement *s = &scan->statements[k];
        enum jcc_directive d = (enum jcc_directive)s->directive;
        if (s->type != JCC_STATEMENT_DIRECTIVE || (bodies && !is_body(d) && !is_body(opener_of(d))))
            continue;
        if (opens(d)) {
            if (!jcc_grow(stack, &capacity, *depth + 1, sizeof **stack))
                return false;
            (*stack)[(*depth)++] = (struct open_construct){k, d};
            bodies += is_body(d);
        }
        enum jcc_directive opener = opener_of(d);
        for (size_t n = *depth; opener != JCC_DIRECTIVE_UNKNOWN && n-- > 0;) {
            if ((*stack)[n].directive != opener)
                continue;
            bodies -= is_body(opener);
            memmove(*stack + n, *stack + n + 1, (*depth - n - 1) * sizeof **stack);
            --*depth;
            break;
        }
    }
    return true;
}

// LLVM's own words for the same thing, which name the end of the text or nothing.
static bool is_about_open(const char *message)
{
    return strstr(message, "no matching '.endm") || strstr(message, "no matching '.endr") || strstr(message, "unmatched .ifs") ||
           strstr(message, "Unfinished frame");
}

static void drop(struct jcc_diagnostics *diagnostics, bool (*about)(const char *message))
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

enum jcc_status jcc_report_open(const struct jcc_scan *scan, struct jcc_source *source, bool failed, struct jcc_diagnostics *diagnostics)
{
    struct open_construct *stack = NULL;
    size_t depth = 0;
    bool ok = find_open(scan, &stack, &depth);
    if (ok && depth && failed)
        drop(diagnostics, is_about_open);
    for (size_t k = 0; ok && k < depth; k++) {
        const struct jcc_statement *s = &scan->statements[stack[k].statement];
        struct jcc_text message = {0};
        jcc_text_format(&message, "%.*s is never closed", (int)s->name_length, scan->text + s->name);
        jcc_source_report(source, diagnostics, failed ? JCC_SEVERITY_ERROR : JCC_SEVERITY_WARNING, s->begin,
                          message.failed ? "never closed" : message.data);
        jcc_text_free(&message);
    }
    free(stack);
    return ok && !diagnostics->failed ? JCC_OK : JCC_ERROR_NO_MEMORY;
}

// ---- undefined labels

static bool is_about_undefined(const char *message)
{
    return strstr(message, "Undefined temporary symbol") != NULL;
}

static bool is_local(const char *name, size_t length)
{
    return (length > 2 && name[0] == '.' && name[1] == 'L') || (length && name[0] >= '0' && name[0] <= '9');
}

static bool is_assigned(const struct jcc_scan *scan, const char *name, size_t length)
{
    for (size_t k = 0; k < scan->count; k++) {
        const struct jcc_statement *s = &scan->statements[k];
        size_t n = s->name_length;
        const char *at = scan->text + s->name;
        if (s->type == JCC_STATEMENT_DIRECTIVE && s->directive == JCC_DIRECTIVE_SET) {
            size_t operands;
            at = jcc_statement_operands(scan, s, &operands);
            for (n = 0; n < operands && jcc_is_name_char(at[n]); n++)
                ;
        } else if (s->type != JCC_STATEMENT_ASSIGN) {
            continue;
        }
        if (n == length && !memcmp(at, name, length))
            return true;
    }
    return false;
}

static size_t report_uses(const struct jcc_scan *scan, const struct jcc_labels *labels, struct jcc_source *source,
                          struct jcc_diagnostics *diagnostics)
{
    size_t found = 0, length, n;
    for (size_t k = 0; k < scan->count; k++) {
        const struct jcc_statement *s = &scan->statements[k];
        bool uses =
            s->type == JCC_STATEMENT_INSN || (s->type == JCC_STATEMENT_DIRECTIVE &&
                                              (jcc_directive_unit((enum jcc_directive)s->directive) || s->directive == JCC_DIRECTIVE_DATA));
        const char *name, *at = jcc_statement_operands(scan, s, &length);
        struct jcc_lexer lexer = {at, at + length};
        while (uses && jcc_lexer_name(&lexer, &name, &n)) {
            if (!is_local(name, n) || memchr(name, '\\', n) || jcc_source_labels_find(labels, name, n, k) != JCC_NO_LABEL ||
                is_assigned(scan, name, n))
                continue;
            struct jcc_text message = {0};
            jcc_text_format(&message, "undefined local label '%.*s'", (int)n, name);
            jcc_source_report(source, diagnostics, JCC_SEVERITY_ERROR, (size_t)(name - scan->text),
                              message.failed ? "undefined local label" : message.data);
            jcc_text_free(&message);
            found++;
        }
    }
    return found;
}

enum jcc_status jcc_report_undefined(const struct jcc_scan *scan, struct jcc_source *source, struct jcc_diagnostics *diagnostics)
{
    bool any = false;
    for (size_t k = 0; k < diagnostics->count; k++)
        any |= is_about_undefined(diagnostics->list[k].message);
    if (!any)
        return JCC_OK;
    struct jcc_sections sections = {0};
    struct jcc_labels labels = {0};
    enum jcc_status status = read_labels(scan, &sections, &labels);
    if (!status && report_uses(scan, &labels, source, diagnostics))
        drop(diagnostics, is_about_undefined);
    jcc_source_labels_free(&labels);
    jcc_sections_free(&sections);
    return status ? status : diagnostics->failed ? JCC_ERROR_NO_MEMORY : JCC_OK;
}
