// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lessons.h"

#include <string.h>

// What stands for every symbol. Undefined, so that no length depends on its place.
#define SYMBOL "jccsafe.s"

// But for this one, whose relocations are of kinds of their own.
#define GOT "_GLOBAL_OFFSET_TABLE_"

struct form {
    struct jcc_text *out;
    const char *at, *end;
    const struct jcc_names *symbols;
    bool symbol_seen; // in this operand
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t word_length(const char *at, const char *end)
{
    const char *begin = at;
    while (at < end && jcc_is_name_char(*at))
        at++;
    return (size_t)(at - begin);
}

static bool is_local_reference(const char *at, size_t length)
{
    if (length < 2 || (at[length - 1] != 'f' && at[length - 1] != 'b'))
        return false;
    for (size_t k = 0; k + 1 < length; k++)
        if (!is_digit(at[k]))
            return false;
    return true;
}

static bool put_symbol(struct form *f, const char *at, size_t length)
{
    if (f->symbol_seen || (length == 1 && *at == '.') || jcc_names_get(f->symbols, at, length) & JCC_SYMBOL_ABSOLUTE)
        return false;
    f->symbol_seen = true;
    bool got = length == sizeof GOT - 1 && !memcmp(at, GOT, length);
    jcc_text_append(f->out, got ? GOT : SYMBOL, got ? length : sizeof SYMBOL - 1);
    return true;
}

static void copy(struct form *f, size_t length)
{
    jcc_text_append(f->out, f->at, length);
    f->at += length;
}

// One token of the operands. False: not to be had without the place.
static bool take_token(struct form *f)
{
    char c = *f->at;
    if (c == ' ' || c == '\t') {
        while (f->at < f->end && (*f->at == ' ' || *f->at == '\t'))
            f->at++;
        jcc_text_append(f->out, " ", 1);
        return true;
    }
    if (c == '%' || c == '@') { // a register, a specifier
        copy(f, 1 + word_length(f->at + 1, f->end));
        return true;
    }
    if (c == '{') { // {%k1}, {z}, {rn-sae}
        const char *close = memchr(f->at, '}', (size_t)(f->end - f->at));
        copy(f, close ? (size_t)(close - f->at) + 1 : (size_t)(f->end - f->at));
        return true;
    }
    if (c == '$') {
        copy(f, 1);
        return true;
    }
    if (is_digit(c) || jcc_is_name_start(c)) {
        size_t length = word_length(f->at, f->end);
        if (is_digit(c) && !is_local_reference(f->at, length)) {
            copy(f, length);
            return true;
        }
        bool known = put_symbol(f, f->at, length);
        f->at += length;
        return known;
    }
    if (c == ',')
        f->symbol_seen = false;
    copy(f, 1);
    return c != '"' && c != '\'' && c != '/' && c != '\\' && c != '=';
}

bool jcc_canonical(struct jcc_text *out, const struct jcc_scan *scan, const struct jcc_statement *s, const struct jcc_names *symbols)
{
    const char *end = scan->text + s->end, *name = scan->text + s->name;
    struct form f = {.out = out, .at = name + s->name_length, .end = end, .symbols = symbols};
    jcc_text_append(out, scan->text + s->begin, (size_t)(f.at - (scan->text + s->begin)));
    while (f.at < f.end)
        if (!take_token(&f))
            return false;
    return true;
}
