// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L
#include "intel.h"

#include <string.h>
#include <strings.h>

// Text between two places.
struct span {
    const char *at, *end;
};

static bool is_word(struct span s, const char *word)
{
    return (size_t)(s.end - s.at) == strlen(word) && !strncasecmp(s.at, word, strlen(word));
}

// The name that S begins with, behind a register's %, and S moved behind it and the blanks that follow.
static struct span take_name(struct span *s)
{
    s->at += s->at < s->end && *s->at == '%';
    struct span name = {s->at, jcc_skip_name(s->at, s->end)};
    s->at = jcc_skip_blanks(name.end, s->end);
    return name;
}

// Whether NAME is a general register, or the instruction pointer, of BITS 32 or 64.
static bool is_register(struct span name, unsigned bits)
{
    static const char *const old[] = {"ax", "bx", "cx", "dx", "si", "di", "bp", "sp", "ip"};
    if (name.end - name.at < 2)
        return false;
    char first = (char)(*name.at | 32);
    struct span rest = {name.at + 1, name.end};
    for (size_t k = 0; k < sizeof old / sizeof *old; k++)
        if (is_word(rest, old[k]))
            return first == (bits == 32 ? 'e' : 'r');
    if (bits == 32 && (rest.end[-1] | 32) != 'd')
        return false;
    rest.end -= bits == 32;
    for (const char *c = rest.at; c < rest.end; c++)
        if (*c < '0' || *c > '9')
            return false;
    return first == 'r' && rest.end > rest.at;
}

// `DWORD PTR` and the like at S, which is moved behind it.
static bool take_size(struct span *s, const char *size)
{
    struct span rest = *s, name = take_name(&rest), ptr = take_name(&rest);
    if ((size && !is_word(name, size)) || !is_word(ptr, "ptr"))
        return false;
    *s = rest;
    return true;
}

static void append(struct jcc_text *out, struct span s)
{
    jcc_text_append(out, s.at, (size_t)(s.end - s.at));
}

static bool rewrite_movsx(struct jcc_text *out, struct span before, struct span name, struct span operands)
{
    struct span rest = operands, to = take_name(&rest);
    if (!is_word(name, "movsx") || !is_register(to, 64) || rest.at == rest.end || *rest.at != ',')
        return false;
    rest.at = jcc_skip_blanks(rest.at + 1, rest.end);
    struct span from = rest, register_name = take_name(&from);
    if (!take_size(&rest, "dword") && !(from.at == from.end && is_register(register_name, 32)))
        return false;
    append(out, before);
    jcc_text_string(out, "movsxd ");
    append(out, operands);
    return true;
}

static bool rewrite_offset(struct jcc_text *out, struct span before, struct span name, struct span operands)
{
    for (const char *at = operands.at; at < operands.end; at++) {
        struct span rest = {at, operands.end}, offset = take_name(&rest), flat = take_name(&rest);
        if (!is_word(offset, "offset") || !is_word(flat, "flat") || rest.at == rest.end || *rest.at != ':')
            continue;
        append(out, before);
        append(out, name);
        jcc_text_string(out, " ");
        append(out, (struct span){operands.at, offset.end});
        jcc_text_string(out, " ");
        append(out, (struct span){rest.at + 1, operands.end});
        return true;
    }
    return false;
}

// Whether memory operand S, behind its size, has a register, or a form that is not to be judged here.
static bool has_register(struct span s)
{
    while (s.at < s.end) {
        struct span name = take_name(&s);
        if (name.end > name.at && (is_register(name, 64) || is_register(name, 32)))
            return true;
        if (name.end == name.at && (*s.at == ':' || *s.at == '"' || *s.at == '@'))
            return true;
        s.at += name.end == name.at;
    }
    return false;
}

// S without the brackets around it, when it has such.
static bool take_brackets(struct span *s)
{
    if (s->end - s->at < 2 || *s->at != '[' || s->end[-1] != ']')
        return false;
    *s = (struct span){jcc_skip_blanks(s->at + 1, s->end - 1), s->end - 1};
    return true;
}

static bool rewrite_branch(struct jcc_text *out, struct span before, struct span name, struct span operands, struct span syntax)
{
    if (!is_word(name, "jmp") && !is_word(name, "call"))
        return false;
    struct span inner = operands;
    bool outer = take_brackets(&inner);
    struct span place = inner;
    if (!take_size(&place, NULL))
        return false;
    bool absolute = !has_register(place);
    if (absolute) {
        take_brackets(&place);
        absolute = !memchr(place.at, '[', (size_t)(place.end - place.at));
    }
    if (!outer && !absolute)
        return false;
    if (absolute)
        jcc_text_string(out, ".att_syntax; ");
    append(out, before);
    append(out, name);
    jcc_text_string(out, absolute ? " *" : " ");
    append(out, absolute ? place : inner);
    if (absolute) {
        jcc_text_string(out, "; .intel_syntax ");
        append(out, syntax);
    }
    return true;
}

bool jcc_intel_rewrite(struct jcc_text *out, const struct jcc_scan *scan, const struct jcc_statement *s, const char *syntax,
                       size_t syntax_length)
{
    const char *text = scan->text;
    size_t length;
    const char *at = jcc_statement_operands(scan, s, &length);
    struct span before = {text + s->begin, text + s->name}, name = {text + s->name, text + s->name + s->name_length};
    struct span operands = {at, at + length};
    return rewrite_branch(out, before, name, operands, (struct span){syntax, syntax + syntax_length}) ||
           rewrite_movsx(out, before, name, operands) || rewrite_offset(out, before, name, operands);
}
