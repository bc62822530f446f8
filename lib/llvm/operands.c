// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operands.h"

#include <stdlib.h>

// A constant expression, cut short where it holds anything but numbers and operators.
struct reader {
    const char *at;
    const char *end;
    unsigned depth; // of parentheses and signs
    bool failed;
    enum jcc_constant wrong; // what a division has come to
};

#define DEPTH_MAX 64

static void skip_blanks(struct reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t'))
        r->at++;
}

static uint64_t number(struct reader *r)
{
    char digits[24];
    size_t n = 0;
    while (r->at < r->end && n + 1 < sizeof digits && jcc_is_name_char(*r->at))
        digits[n++] = *r->at++;
    digits[n] = '\0';
    char *behind;
    uint64_t value = strtoull(digits, &behind, 0);
    r->failed |= !n || *behind || digits[0] < '0' || digits[0] > '9';
    return value;
}

static uint64_t expression(struct reader *r, int least);

static uint64_t operand(struct reader *r)
{
    skip_blanks(r);
    if (r->failed || r->at == r->end || r->depth == DEPTH_MAX) {
        r->failed = true;
        return 0;
    }
    char c = *r->at;
    if (c != '(' && c != '-' && c != '+' && c != '~')
        return number(r);
    r->at++;
    r->depth++;
    uint64_t value = c == '(' ? expression(r, 1) : operand(r);
    r->depth--;
    if (c == '(') {
        skip_blanks(r);
        r->failed |= r->at == r->end || *r->at++ != ')';
    }
    return c == '-' ? 0 - value : c == '~' ? ~value : value;
}

// As LLVM and GNU as rank them on ELF: multiplication and shifts over bits over sums. 0: no operator.
static int rank(const struct reader *r)
{
    if (r->at == r->end)
        return 0;
    bool twice = r->at + 1 < r->end && r->at[1] == *r->at;
    switch (*r->at) {
    case '*':
    case '/':
    case '%': return 3;
    case '<':
    case '>': return twice ? 3 : 0;
    case '|':
    case '&':
    case '^': return twice ? 0 : 2;
    case '+':
    case '-': return 1;
    default: return 0;
    }
}

static uint64_t divide(struct reader *r, char sign, int64_t a, int64_t b)
{
    if (!b)
        r->wrong = JCC_CONSTANT_DIVIDED_BY_ZERO;
    else if (a == INT64_MIN && b == -1)
        r->wrong = JCC_CONSTANT_OVERFLOWS;
    r->failed |= r->wrong != JCC_CONSTANT;
    return r->failed ? 0 : (uint64_t)(sign == '/' ? a / b : a % b);
}

static uint64_t apply(struct reader *r, char sign, uint64_t a, uint64_t b)
{
    r->failed |= (sign == '<' || sign == '>') && b > 63;
    if (r->failed)
        return 0;
    switch (sign) {
    case '*': return a * b;
    case '/':
    case '%': return divide(r, sign, (int64_t)a, (int64_t)b);
    case '<': return a << b;
    case '>': return a >> b;
    case '|': return a | b;
    case '&': return a & b;
    case '^': return a ^ b;
    case '+': return a + b;
    default: return a - b;
    }
}

// Operators of LEAST rank and higher.
static uint64_t expression(struct reader *r, int least)
{
    uint64_t value = operand(r);
    for (;;) {
        skip_blanks(r);
        int ranked = rank(r);
        if (r->failed || !ranked || ranked < least)
            return value;
        char sign = *r->at;
        r->at += sign == '<' || sign == '>' ? 2 : 1;
        uint64_t right = expression(r, ranked + 1);
        value = apply(r, sign, value, right);
    }
}

bool jcc_operands_term(const char **at, const char *end, int64_t *value)
{
    struct reader r = {.at = *at, .end = end};
    uint64_t term = expression(&r, 2);
    if (r.failed || (int64_t)term < INT32_MIN || (int64_t)term > INT32_MAX)
        return false;
    *at = r.at;
    *value = (int64_t)term;
    return true;
}

enum jcc_constant jcc_operands_constant(const char **at, const char *end, int64_t *value)
{
    struct reader r = {.at = *at, .end = end};
    *value = (int64_t)expression(&r, 1);
    skip_blanks(&r);
    if (!r.failed && r.at < end && *r.at++ != ',')
        r.failed = true;
    *at = r.at;
    return r.wrong != JCC_CONSTANT ? r.wrong : r.failed ? JCC_NO_CONSTANT : JCC_CONSTANT;
}

static bool literal(const char **at, const char *end, uint64_t *value)
{
    int64_t constant;
    bool ok = jcc_operands_constant(at, end, &constant) == JCC_CONSTANT && constant >= 0;
    *value = (uint64_t)constant;
    return ok;
}

bool jcc_operands_alignment(const struct jcc_scan *scan, const struct jcc_statement *s, uint64_t *align, uint64_t *fill, bool *has_fill,
                            uint64_t *skip)
{
    size_t length;
    const char *at = jcc_statement_operands(scan, s, &length), *end = at + length;
    char last = scan->text[s->name + s->name_length - 1] | 32;
    if (last == 'w' || last == 'l')
        return false;                                // fills of two and four bytes
    if (!literal(&at, end, align) || end[-1] == ',') // the latter is an error, which LLVM must find
        return false;
    *has_fill = false;
    *skip = 0;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (at < end && *at == ',')
        at++; // no fill given
    else if (at < end && !(*has_fill = literal(&at, end, fill)))
        return false;
    bool has_skip = at < end;
    if (has_skip && (!literal(&at, end, skip) || !*skip || at < end))
        return false; // none is an error too
    if (s->directive == JCC_DIRECTIVE_P2ALIGN) {
        if (*align > 30)
            return false;
        *align = (uint64_t)1 << *align;
    }
    *align = *align ? *align : 1;
    return !(*align & (*align - 1)) && *align <= (uint64_t)1 << 30;
}

uint32_t jcc_operands_count(const struct jcc_scan *scan, const struct jcc_statement *s)
{
    size_t length;
    const char *at = jcc_statement_operands(scan, s, &length);
    if (!length)
        return 0;
    uint32_t n = 1;
    bool quoted = false;
    int depth = 0;
    for (size_t k = 0; k < length; k++) {
        if (at[k] == '"')
            quoted = !quoted;
        else if (at[k] == '\\' && quoted)
            k++;
        else if (at[k] == '\'' && !quoted)
            k += k + 1 < length && at[k + 1] == '\\' ? 3 : 2; // to the closing quote
        else if (at[k] == '(' && !quoted)
            depth++;
        else if (at[k] == ')' && !quoted)
            depth--;
        n += k < length && at[k] == ',' && !quoted && !depth;
    }
    return n;
}
