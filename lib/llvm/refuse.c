// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "refuse.h"

#include "compat.h"
#include "deadly.h"
#include "labels.h"
#include "sections.h"
#include "sizes.h"
#include "taken.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

// LLVM reads parentheses and signs by recursion, and ends with the stack.
#define NESTING_MAX 2048

struct refuser {
    const struct jcc_scan *scan;
    struct jcc_source *source;
    struct jcc_diagnostics *diagnostics;
    const struct jcc_labels *labels;
    struct jcc_text *rest;
    bool intel;
    bool nobits;     // in a section without bytes
    bool any_nobits; // there was one
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
    r->misleading |= s->directive == JCC_DIRECTIVE_REPEAT || s->directive == JCC_DIRECTIVE_IF || s->directive == JCC_DIRECTIVE_ELSE;
}

// `.irp x,v=`: LLVM looks for a macro's parameter v, and there is no macro (SIGSEGV in 14, 19 and 22).
static bool names_a_parameter(const char *at, size_t length)
{
    const char *end = at + length, *comma = memchr(at, ',', length);
    for (at = comma ? comma + 1 : end; at < end; at++) {
        while (at < end && (*at == ' ' || *at == '\t' || *at == ','))
            at++;
        const char *begin = at, *behind = jcc_skip_name(at, end);
        at = jcc_skip_blanks(behind, end);
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

// LLVM writes its own tables into a section of the text's that has their name, whatever its type: no reader finds them then.
static void look_at_section(struct refuser *r, const struct jcc_statement *s)
{
    static const char *const tables[] = {".symtab", ".strtab"};
    size_t length;
    const char *at = jcc_statement_operands(r->scan, s, &length), *end = at + length;
    if (at < end && *at == '"')
        at++;
    size_t name = (size_t)(jcc_skip_name(at, end) - at);
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
        if (name == strlen(tables[k]) && !memcmp(at, tables[k], name) && (at + name == end || !strchr("-/@#;", at[name]))) {
            refuse(r, s, "a section of this name is the assembler's own");
            r->misleading = true;
        }
}

static void look_at(struct refuser *r, size_t index)
{
    const struct jcc_statement *s = &r->scan->statements[index];
    const char *wrong = jcc_sizes_wrong(r->scan, s, r->nobits);
    if (wrong)
        refuse(r, s, wrong);
    else if (s->type == JCC_STATEMENT_INSN)
        look_at_branch(r, s);
    else if (s->type == JCC_STATEMENT_ASSIGN)
        look_at_place(r, index);
    if (s->type != JCC_STATEMENT_DIRECTIVE)
        return;
    size_t length;
    const char *at = jcc_statement_operands(r->scan, s, &length);
    const char *name = r->scan->text + s->name;
    switch (s->directive) {
    case JCC_DIRECTIVE_INTEL: r->intel = true; break;
    case JCC_DIRECTIVE_SYNTAX: r->intel = false; break;
    case JCC_DIRECTIVE_BUNDLE:
        if (JCC_BUNDLES_ARE_FATAL)
            refuse(r, s, "instruction bundles are not supported");
        break;
    case JCC_DIRECTIVE_SECTION:
    case JCC_DIRECTIVE_PUSHSECTION: look_at_section(r, s); break;
    case JCC_DIRECTIVE_REPEAT:
        if ((name[1] | 32) == 'i' && names_a_parameter(at, length))
            refuse(r, s, "a value list cannot name a parameter");
        break;
    default: break;
    }
    r->nobits = jcc_sizes_nobits(r->scan, s, r->nobits);
    r->any_nobits |= r->nobits;
    if (s->directive == JCC_DIRECTIVE_POPSECTION || s->directive == JCC_DIRECTIVE_PREVIOUS)
        r->nobits = r->any_nobits; // it may be one of them
}

// Whether parentheses, and signs before a term, stand deeper in each other than LLVM can read.
static bool is_too_deep(const char *at, const char *end)
{
    uint32_t open = 0, signs = 0;
    if (end - at < NESTING_MAX)
        return false;
    for (; at < end && open + signs < NESTING_MAX; at++) {
        if (*at == '"')
            for (at++; at + 1 < end && *at != '"'; at++)
                at += *at == '\\' && at + 2 < end;
        else if (*at == '(' || *at == '[')
            open++;
        else if ((*at == ')' || *at == ']') && open)
            open--;
        else if (*at == '-' || *at == '+' || *at == '~' || *at == '!')
            signs++;
        else if (*at != ' ' && *at != '\t')
            signs = 0;
    }
    return at < end;
}

enum jcc_status jcc_refuse_deadly(struct jcc_job *job, struct jcc_text *rest)
{
    const struct jcc_scan *scan = &job->scan;
    struct refuser r = {.scan = scan, .source = &job->source, .diagnostics = &job->diagnostics, .labels = &job->labels, .rest = rest};
    struct jcc_deadly deadly = {.scan = scan, .sections = &job->sections, .labels = &job->labels};
    struct jcc_taken taken = {0};
    for (size_t k = 0; k < scan->count; k++) {
        const char *wrong = NULL;
        if (!scan->flat && !jcc_taken_next(&taken, scan, &scan->statements[k]))
            continue; // what is not assembled is as good as a comment, and a macro's body depends on its arguments
        if (is_too_deep(scan->text + scan->statements[k].begin, scan->text + scan->statements[k].end))
            wrong = "expression nested too deeply";
        else if (scan->flat)
            wrong = jcc_deadly_wrong(&deadly, k);
        if (wrong)
            refuse(&r, &scan->statements[k], wrong);
        else
            look_at(&r, k);
    }
    jcc_deadly_free(&deadly);
    if (r.misleading || rest->failed)
        jcc_text_free(rest);
    return deadly.no_memory ? JCC_ERROR_NO_MEMORY : r.refused ? JCC_ERROR_SOURCE : JCC_OK;
}
