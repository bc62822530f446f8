// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operands.h"

#include <stdlib.h>

// A plain number at *AT, in any of C's notations, followed by a comma or the end. False: something else stands there.
static bool literal(const char **at, const char *end, uint64_t *value)
{
    char digits[24];
    size_t n = 0;
    while (*at < end && (**at == ' ' || **at == '\t'))
        ++*at;
    while (*at < end && n + 1 < sizeof digits && **at != ',' && **at != ' ' && **at != '\t')
        digits[n++] = *(*at)++;
    digits[n] = '\0';
    while (*at < end && (**at == ' ' || **at == '\t'))
        ++*at;
    if (*at < end && *(*at)++ != ',')
        return false;
    char *behind;
    *value = strtoull(digits, &behind, 0);
    return n && !*behind && digits[0] != '-';
}

bool jcc_operands_alignment(const struct jcc_scan *scan, const struct jcc_statement *s, uint64_t *align, uint64_t *fill, bool *has_fill,
                            uint64_t *skip)
{
    size_t length;
    const char *at = jcc_statement_operands(scan, s, &length), *end = at + length;
    char last = scan->text[s->name + s->name_length - 1] | 32;
    if (last == 'w' || last == 'l')
        return false; // fills of two and four bytes
    if (!literal(&at, end, align))
        return false;
    *has_fill = false;
    *skip = 0;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (at < end && *at == ',')
        at++; // no fill given
    else if (at < end && !(*has_fill = literal(&at, end, fill)))
        return false;
    if (at < end && !literal(&at, end, skip))
        return false;
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
        else if (at[k] == '\'' && !quoted && k + 1 < length)
            k++;
        else if (at[k] == '(' && !quoted)
            depth++;
        else if (at[k] == ')' && !quoted)
            depth--;
        n += at[k] == ',' && !quoted && !depth;
    }
    return n;
}
