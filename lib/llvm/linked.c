// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "linked.h"

#include <string.h>

#define FIELDS_MAX 10 // more than any .section has

struct field {
    const char *at;
    size_t length;
};

// The operands of S, each with its quotes.
static size_t split(const struct jcc_scan *scan, const struct jcc_statement *s, struct field *fields)
{
    size_t length, n = 0;
    const char *at = jcc_statement_operands(scan, s, &length), *end = at + length;
    while (at < end && n < FIELDS_MAX) {
        at = jcc_skip_blanks(at, end);
        const char *behind = at < end && *at == '"' ? jcc_skip_quoted(at, end) : at, *last = behind;
        for (; behind < end && *behind != ','; behind++)
            last = jcc_is_blank(*behind) ? last : behind + 1;
        fields[n++] = (struct field){at, (size_t)(last - at)};
        at = behind + (behind < end);
    }
    return n;
}

bool jcc_linked_symbol(const struct jcc_scan *scan, const struct jcc_statement *s, const char **symbol, size_t *length)
{
    struct field fields[FIELDS_MAX];
    size_t n = split(scan, s, fields);
    if (n < 4 || !fields[1].length || fields[1].at[0] != '"' || !memchr(fields[1].at, 'o', fields[1].length))
        return false;
    if (n >= 6 && fields[n - 2].length == 6 && !memcmp(fields[n - 2].at, "unique", 6))
        n -= 2;
    *symbol = fields[n - 1].at;
    *length = fields[n - 1].length;
    return *length && jcc_is_name_start(**symbol);
}
