// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lessons.h"

#include <string.h>

// What stands for every symbol. Undefined, so that no length depends on its place.
#define SYMBOL "jccsafe.s"

// But for this one, whose relocations are of kinds of their own.
#define GOT "_GLOBAL_OFFSET_TABLE_"

struct form {
    struct jcc_text *out;
    const char *begin, *at, *end; // of the operands
    const struct jcc_names *symbols;
    bool symbol_seen; // in this operand
    bool has_classes; // a number's class decides lengths, and not the number itself
    unsigned depth;   // of parentheses
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
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

// The greatest number of each class, and what stands for all of it: an immediate or displacement of either has the same length.
static const struct number_class {
    uint64_t last;
    const char *text;
} classes[] = {{0, "0"},        {1, "1"},         {127, "7"},       {128, "128"},          {255, "200"},
               {32767, "1000"}, {65407, "40000"}, {65535, "65535"}, {2147483647, "100000"}};

// The class of the decimal number at AT; NULL: none.
static const char *class_of(const char *at, size_t length)
{
    uint64_t value = 0;
    if (length > 10 || (*at == '0' && length > 1))
        return NULL;
    for (size_t k = 0; k < length; k++) {
        if (!is_digit(at[k]))
            return NULL;
        value = value * 10 + (uint64_t)(at[k] - '0');
    }
    for (size_t k = 0; k < sizeof classes / sizeof *classes; k++)
        if (value <= classes[k].last)
            return classes[k].text;
    return NULL;
}

static char char_at(const struct form *f, const char *at)
{
    return at >= f->begin && at < f->end ? *at : '\0';
}

// Whether the number of LENGTH characters here is a whole immediate, displacement, or addend of a symbol.
static bool is_whole(const struct form *f, size_t length)
{
    char before = char_at(f, f->at - 1), after = char_at(f, f->at + length);
    if (f->symbol_seen && (before == '+' || before == '-'))
        return after == '(' || after == ',' || after == '\0';
    if (before == '-')
        before = char_at(f, f->at - 2);
    if (before == '$')
        return after == ',' || after == '\0';
    return after == '(' && (before == '\0' || before == ' ' || before == '\t' || before == ',' || before == '*' || before == ':');
}

static bool put_class(struct form *f, size_t length)
{
    if (!f->has_classes || f->depth || !is_whole(f, length))
        return false;
    const char *text = class_of(f->at, length);
    if (!text)
        return false;
    jcc_text_string(f->out, text);
    f->at += length;
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
        copy(f, 1 + (size_t)(jcc_skip_name(f->at + 1, f->end) - (f->at + 1)));
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
        size_t length = (size_t)(jcc_skip_name(f->at, f->end) - f->at);
        if (is_digit(c) && !is_local_reference(f->at, length)) {
            if (!put_class(f, length))
                copy(f, length);
            return true;
        }
        bool known = put_symbol(f, f->at, length);
        f->at += length;
        return known;
    }
    if (c == ',' && !f->depth)
        f->symbol_seen = false;
    f->depth += c == '(';
    f->depth -= c == ')' && f->depth;
    copy(f, 1);
    return c != '"' && c != '\'' && c != '/' && c != '\\' && c != '=';
}

// EVEX scales displacements of a byte, int has a form of its own for 3, and {evex} and the like are for v instructions.
static bool has_classes(const char *name, size_t length, const char *begin)
{
    return *begin != '{' && length > 1 && (*name | 32) != 'v' && strncmp(name, "int", 3) != 0;
}

bool jcc_canonical(struct jcc_text *out, const struct jcc_scan *scan, const struct jcc_statement *s, const struct jcc_names *symbols)
{
    const char *end = scan->text + s->end, *name = scan->text + s->name;
    struct form f = {.out = out, .begin = name + s->name_length, .at = name + s->name_length, .end = end, .symbols = symbols};
    f.has_classes = has_classes(name, s->name_length, scan->text + s->begin);
    jcc_text_append(out, scan->text + s->begin, (size_t)(f.at - (scan->text + s->begin)));
    while (f.at < f.end)
        if (!take_token(&f))
            return false;
    return true;
}
