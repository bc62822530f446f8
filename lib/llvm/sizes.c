// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // memmem
#include "sizes.h"

#include "compat.h"
#include "operands.h"

#include <string.h>
#include <strings.h>

// More than any source repeats or fills; LLVM takes hours, or all memory, long before it gives up.
#define REPEAT_MAX ((int64_t)1 << 24)
#define FILL_MAX   ((int64_t)1 << 31)
#define NOBITS_MAX ((int64_t)1 << 46)
#define NOPS_MAX   ((int64_t)1 << 24)
#define FILE_MAX   ((int64_t)1 << 20) // LLVM keeps a table of all up to the greatest

static const char too_big[] = "the size is out of proportion";

static bool names_nobits(const char *at, size_t length)
{
    static const char *const names[] = {".bss", ".tbss", ".lbss", "\".bss", "\".tbss", "\".lbss", ".gnu.linkonce.b"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (length >= strlen(names[k]) && !memcmp(at, names[k], strlen(names[k])))
            return true;
    return memmem(at, length, "nobits", 6) != NULL;
}

bool jcc_sizes_nobits(const struct jcc_scan *scan, const struct jcc_statement *s, bool nobits)
{
    size_t length;
    const char *at = jcc_statement_operands(scan, s, &length);
    switch (s->directive) {
    case JCC_DIRECTIVE_BSS: return true;
    case JCC_DIRECTIVE_SECTION:
    case JCC_DIRECTIVE_PUSHSECTION: return names_nobits(at, length);
    case JCC_DIRECTIVE_TEXT:
    case JCC_DIRECTIVE_SECTION_DATA:
    case JCC_DIRECTIVE_POPSECTION:
    case JCC_DIRECTIVE_PREVIOUS: return false;
    default: return nobits;
    }
}

static const char *wrong_alignment(const struct jcc_statement *s, const char *name, int64_t number)
{
    if (JCC_WIDE_FILL_IS_FATAL && (name[s->name_length - 1] | 32) != 'n') // .balignw, .p2alignl and kin
        return "an alignment filled with more than bytes ends this LLVM wherever its size is uneven";
    // LLVM says so, and fills two gibibytes for it, or never ends.
    return number < 0 || number > (s->directive == JCC_DIRECTIVE_P2ALIGN ? 31 : (int64_t)1 << 31) ? "invalid alignment value" : NULL;
}

// .fill writes in one go, .dcb and .ds value by value.
static const char *wrong_fill(const struct jcc_scan *scan, const struct jcc_statement *s, const char *name, int64_t number, bool sized)
{
    bool fill = jcc_statement_is(scan, s, ".fill");
    bool values = (s->name_length >= 4 && !strncasecmp(name, ".dcb", 4)) || (s->name_length >= 3 && !strncasecmp(name, ".ds", 3));
    if (fill && number < 0)
        return "a negative number of repetitions";
    if (jcc_statement_is(scan, s, ".nops") && number > NOPS_MAX)
        return too_big;
    return (fill && number > (sized ? FILL_MAX / 8 : FILL_MAX)) || (values && number > REPEAT_MAX) ? too_big : NULL;
}

// A division in one of the operands, as far as all before it is constant.
static const char *wrong_division(const struct jcc_statement *s, const char *at, const char *end)
{
    // By zero LLVM says so itself, but where it needs the value only when it writes the object.
    bool late = s->type == JCC_STATEMENT_ASSIGN || s->directive == JCC_DIRECTIVE_SET || s->directive == JCC_DIRECTIVE_UNKNOWN;
    while (at < end) {
        int64_t value;
        const char *comma = memchr(at, ',', (size_t)(end - at));
        while (at < end && (*at == '$' || *at == '=' || jcc_is_blank(*at)))
            at++;
        enum jcc_constant constant = jcc_operands_constant(&at, end, &value);
        if (constant == JCC_CONSTANT_OVERFLOWS)
            return "the division overflows";
        if (constant == JCC_CONSTANT_DIVIDED_BY_ZERO && late)
            return "division by zero";
        at = comma ? comma + 1 : end;
    }
    return NULL;
}

// The first operand of `.file 1 "name"`.
static const char *wrong_file(const char *at, const char *end)
{
    int64_t number;
    bool numbered = at < end && *at >= '0' && *at <= '9';
    return numbered && (!jcc_operands_term(&at, end, &number) || number > FILE_MAX) ? "the file's number is out of proportion" : NULL;
}

const char *jcc_sizes_wrong(const struct jcc_scan *scan, const struct jcc_statement *s, bool nobits)
{
    size_t length;
    const char *at = jcc_statement_operands(scan, s, &length), *end = at + length, *name = scan->text + s->name;
    bool directive = s->type == JCC_STATEMENT_DIRECTIVE, sized = directive && memchr(at, ',', length);
    if (memchr(at, '/', length) || (directive && memchr(at, '%', length))) {
        const char *wrong = wrong_division(s, at, end);
        if (wrong)
            return wrong;
    }
    if (!directive || s->directive == JCC_DIRECTIVE_NOTHING)
        return NULL;
    if (s->directive == JCC_DIRECTIVE_LINE)
        return jcc_statement_is(scan, s, ".file") ? wrong_file(at, end) : NULL;
    int64_t number;
    if (jcc_operands_constant(&at, end, &number) != JCC_CONSTANT)
        number = 0;
    switch (s->directive) {
    case JCC_DIRECTIVE_REPEAT: return (name[1] | 32) == 'r' && number > REPEAT_MAX ? "too many repetitions" : NULL;
    case JCC_DIRECTIVE_ALIGN:
    case JCC_DIRECTIVE_P2ALIGN: return wrong_alignment(s, name, number);
    case JCC_DIRECTIVE_SPACE: return number > (nobits ? NOBITS_MAX : FILL_MAX) ? too_big : NULL;
    case JCC_DIRECTIVE_TEXT:
    case JCC_DIRECTIVE_SECTION_DATA:
    case JCC_DIRECTIVE_SUBSECTION: return number < 0 || number > JCC_SUBSECTION_MAX ? "the subsection's number is out of range" : NULL;
    case JCC_DIRECTIVE_UNKNOWN:
    case JCC_DIRECTIVE_DATA: return wrong_fill(scan, s, name, number, sized);
    default: return NULL;
    }
}
