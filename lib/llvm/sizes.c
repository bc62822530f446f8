// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // memmem
#include "sizes.h"

#include "compat.h"

#include <stdlib.h>
#include <string.h>

// More than any source repeats or fills; LLVM takes hours, or all memory, long before it gives up.
#define REPEAT_MAX ((uint64_t)1 << 24)
#define FILL_MAX   ((uint64_t)1 << 31)
#define NOBITS_MAX ((uint64_t)1 << 46)

static const char too_big[] = "the size is out of proportion";

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

static const char *wrong_alignment(const struct jcc_statement *s, const char *name, uint64_t number)
{
    if (JCC_WIDE_FILL_IS_FATAL && (name[s->name_length - 1] | 32) != 'n') // .balignw, .p2alignl and kin
        return "an alignment filled with more than bytes ends this LLVM wherever its size is uneven";
    // LLVM says so, and fills two gibibytes for it.
    return number > (s->directive == JCC_DIRECTIVE_P2ALIGN ? 31 : (uint64_t)1 << 31) ? "invalid alignment value" : NULL;
}

// .fill writes in one go, .dcb and .ds value by value.
static const char *wrong_fill(const struct jcc_statement *s, const char *name, uint64_t number, bool sized)
{
    bool fill = s->name_length == 5 && !memcmp(name, ".fill", 5);
    bool values = (s->name_length >= 4 && !memcmp(name, ".dcb", 4)) || (s->name_length >= 3 && !memcmp(name, ".ds", 3));
    return (fill && number > (sized ? FILL_MAX / 8 : FILL_MAX)) || (values && number > REPEAT_MAX) ? too_big : NULL;
}

const char *jcc_sizes_wrong(const struct jcc_scan *scan, const struct jcc_statement *s, bool nobits)
{
    size_t length;
    const char *at = jcc_statement_operands(scan, s, &length), *name = scan->text + s->name;
    uint64_t number = leading_number(at, length);
    switch (s->directive) {
    case JCC_DIRECTIVE_REPEAT: return (name[1] | 32) == 'r' && number > REPEAT_MAX ? "too many repetitions" : NULL;
    case JCC_DIRECTIVE_ALIGN:
    case JCC_DIRECTIVE_P2ALIGN: return wrong_alignment(s, name, number);
    case JCC_DIRECTIVE_SPACE: return number > (nobits ? NOBITS_MAX : FILL_MAX) ? too_big : NULL;
    case JCC_DIRECTIVE_UNKNOWN:
    case JCC_DIRECTIVE_DATA: return wrong_fill(s, name, number, memchr(at, ',', length) != NULL);
    default: return NULL;
    }
}
