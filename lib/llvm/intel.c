// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L
#include "intel.h"

#include "assigned.h"

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

// `DWORD PTR` at S, which is moved behind it.
static bool take_size(struct span *s, const char *size)
{
    struct span rest = *s, name = take_name(&rest), ptr = take_name(&rest);
    if (!is_word(name, size) || !is_word(ptr, "ptr"))
        return false;
    *s = rest;
    return true;
}

// Whether NAME may be a register of any kind, or an operator: names with digits behind these letters count, too.
static bool is_reserved(struct span name)
{
    static const char *const words[] = {
        "al",    "ah",      "ax",      "eax",     "rax", "bl",   "bh",     "bx",    "ebx",  "rbx",    "cl",    "ch",    "cx",    "ecx",
        "rcx",   "dl",      "dh",      "dx",      "edx", "rdx",  "si",     "sil",   "esi",  "rsi",    "di",    "dil",   "edi",   "rdi",
        "bp",    "bpl",     "ebp",     "rbp",     "sp",  "spl",  "esp",    "rsp",   "ip",   "eip",    "rip",   "eiz",   "riz",   "cs",
        "ds",    "es",      "fs",      "gs",      "ss",  "st",   "and",    "or",    "xor",  "not",    "shl",   "shr",   "mod",   "eq",
        "ne",    "lt",      "le",      "gt",      "ge",  "near", "far",    "short", "byte", "word",   "dword", "qword", "fword", "tbyte",
        "oword", "xmmword", "ymmword", "zmmword", "ptr", "flat", "offset", "dup",   "type", "length", "size",  "high",  "low",   "this"};
    static const char *const numbered[] = {"r", "mm", "xmm", "ymm", "zmm", "tmm", "k", "cr", "dr", "tr", "bnd"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (is_word(name, words[k]))
            return true;
    const char *letters = name.at;
    while (letters < name.end && !(*letters >= '0' && *letters <= '9'))
        letters++;
    for (size_t k = 0; k < sizeof numbered / sizeof *numbered && letters < name.end; k++)
        if (is_word((struct span){name.at, letters}, numbered[k]))
            return true;
    return false;
}

bool jcc_intel_names_register(const struct jcc_scan *scan, const struct jcc_statement *s)
{
    const char *name;
    size_t length;
    struct span value = {.end = scan->text + s->end};
    if (!jcc_assigned_parts(scan, s, &name, &length, &value.at))
        return false;
    value.at = jcc_skip_blanks(value.at, value.end);
    return is_reserved(take_name(&value));
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

// `16+x@tpoff`: LLVM takes the symbol first alone.
static void append_symbol_first(struct jcc_text *out, struct span s)
{
    const char *at = s.at;
    while (at < s.end && *at >= '0' && *at <= '9')
        at++;
    if (at == s.at || at == s.end || *at != '+' || at + 1 == s.end || !jcc_is_name_start(at[1])) {
        append(out, s);
        return;
    }
    append(out, (struct span){at + 1, s.end});
    jcc_text_string(out, "+");
    append(out, (struct span){s.at, at});
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
        append_symbol_first(out, (struct span){rest.at + 1, operands.end});
        return true;
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

// Whether S is a symbol, with a number or without, as gcc writes a pointer in memory; anything else is not to be judged here.
static bool is_place(struct span s)
{
    take_brackets(&s);
    s.at = jcc_skip_blanks(s.at, s.end);
    if (s.at == s.end || !jcc_is_name_start(*s.at) || *s.at == '$')
        return false;
    struct span name = take_name(&s);
    if (is_reserved(name) || s.at == s.end)
        return !is_reserved(name);
    if (*s.at != '+' && *s.at != '-')
        return false;
    const char *digits = jcc_skip_blanks(s.at + 1, s.end), *at = digits;
    while (at < s.end && *at >= '0' && *at <= '9')
        at++;
    return at > digits && jcc_skip_blanks(at, s.end) == s.end;
}

static bool rewrite_branch(struct jcc_text *out, const struct jcc_intel *intel, struct span before, struct span name, struct span operands)
{
    if (!is_word(name, "jmp") && !is_word(name, "call"))
        return false;
    struct span inner = operands;
    bool outer = take_brackets(&inner);
    struct span place = inner;
    if (!take_size(&place, intel->is_32 ? "dword" : "qword"))
        return false;
    bool absolute = !intel->renames && is_place(place);
    if (!outer && !absolute)
        return false;
    if (absolute) {
        take_brackets(&place);
        jcc_text_string(out, ".att_syntax; ");
    }
    append(out, before);
    append(out, name);
    jcc_text_string(out, absolute ? " *" : " ");
    append(out, absolute ? place : inner);
    if (absolute) {
        jcc_text_string(out, "; .intel_syntax ");
        jcc_text_append(out, intel->syntax, intel->length);
    }
    return true;
}

bool jcc_intel_rewrite(struct jcc_text *out, const struct jcc_scan *scan, const struct jcc_statement *s, const struct jcc_intel *intel)
{
    const char *text = scan->text;
    size_t length;
    const char *at = jcc_statement_operands(scan, s, &length);
    struct span before = {text + s->begin, text + s->name}, name = {text + s->name, text + s->name + s->name_length};
    struct span operands = {at, at + length};
    return rewrite_branch(out, intel, before, name, operands) || rewrite_movsx(out, before, name, operands) ||
           rewrite_offset(out, before, name, operands);
}
