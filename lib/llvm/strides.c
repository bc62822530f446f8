// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "strides.h"

#include <string.h>

// How many labels and directives are passed over between a label and what it names.
#define NAMED_SEARCH_MAX 16u

enum named { NAMES_ELSEWHERE, NAMES_DATA, NAMES_INSTRUCTION };

// What NAME, in STATEMENT, is the label of. Data in code may be a table, or instructions written by hand. A label that data names, as `.long .Lcase-.Lbase`,
// is what a table's distances are counted from (C's `&&base + distances[i]`): these are right wherever code moves.
static enum named look_up(const struct jcc_measure *m, const char *name, size_t length, size_t statement)
{
    uint32_t label = jcc_source_labels_find(m->labels, name, length, statement);
    if (label == JCC_NO_LABEL || !m->sections->list[m->labels->list[label].section].code)
        return NAMES_ELSEWHERE;
    if (m->labels->list[label].data_refers)
        return NAMES_ELSEWHERE;
    size_t first = m->labels->list[label].statement + 1;
    for (size_t k = first; k < m->scan->count && k < first + NAMED_SEARCH_MAX; k++) {
        const struct jcc_statement *s = &m->scan->statements[k];
        if (s->type == JCC_STATEMENT_INSN || s->type == JCC_STATEMENT_PREFIX)
            return NAMES_INSTRUCTION;
        if (s->type == JCC_STATEMENT_DIRECTIVE && jcc_directive_unit((enum jcc_directive)s->directive))
            return NAMES_DATA;
    }
    return NAMES_ELSEWHERE;
}

static const char *skip_word(const char *at, const char *end)
{
    while (at < end && jcc_is_name_char(*at))
        at++;
    return at;
}

static const char *skip_spaces(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

// The end of the word that ends before AT, blanks passed over: BEGIN or behind it.
static const char *back_over_spaces(const char *begin, const char *at)
{
    while (at > begin && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at;
}

// What label has a register added in `label(%edx,%ecx)`; OPEN is at the parenthesis. Not from the instruction's own place, `label(%rip)`, nor of a difference, `a-b(%ecx)`.
static enum named added_to(const struct jcc_measure *m, const char *begin, const char *open, const char *end, size_t statement)
{
    const char *behind = back_over_spaces(begin, open), *name = behind;
    while (name > begin && jcc_is_name_char(name[-1]))
        name--;
    if (name == behind || !(jcc_is_name_start(*name) || behind[-1] == 'f' || behind[-1] == 'b'))
        return NAMES_ELSEWHERE;
    char before = name > begin ? name[-1] : ' ';
    if (before == '-' || before == '+' || before == '@' || before == '%')
        return NAMES_ELSEWHERE;
    const char *inside = skip_spaces(open + 1, end);
    if (end - inside >= 4 && (!memcmp(inside, "%rip", 4) || !memcmp(inside, "%eip", 4)))
        return NAMES_ELSEWHERE;
    return memchr(inside, '%', (size_t)(end - inside)) ? look_up(m, name, (size_t)(behind - name), statement) : NAMES_ELSEWHERE;
}

// `$a-b`, of two labels of code.
static bool is_distance(const struct jcc_measure *m, const char *at, const char *end, size_t statement)
{
    if (*at != '$')
        return false;
    const char *first = skip_spaces(at + 1, end), *first_end = skip_word(first, end), *minus = skip_spaces(first_end, end);
    if (minus == end || *minus != '-' || first_end == first)
        return false;
    const char *second = skip_spaces(minus + 1, end), *second_end = skip_word(second, end);
    return second_end > second && look_up(m, first, (size_t)(first_end - first), statement) != NAMES_ELSEWHERE &&
           look_up(m, second, (size_t)(second_end - second), statement) != NAMES_ELSEWHERE;
}

// Whether it takes an address, and does not load from it.
static bool is_lea(const struct jcc_measure *m, const struct jcc_statement *s)
{
    const char *name = m->scan->text + s->name;
    return s->name_length >= 3 && (name[0] | 32) == 'l' && (name[1] | 32) == 'e' && (name[2] | 32) == 'a';
}

static bool is_indirect_jump(const struct jcc_measure *m, const struct jcc_statement *s, const char *operands, size_t length)
{
    return (m->scan->text[s->name] | 32) == 'j' && length && *operands == '*';
}

bool jcc_strides_any(const struct jcc_measure *m, uint32_t section)
{
    bool reckoned = false, jump = false;
    for (size_t run = 0; run < m->sections->run_count; run++) {
        if (m->sections->runs[run].section != section)
            continue;
        size_t last = jcc_sections_run_end(m->sections, m->scan, run);
        for (size_t k = m->sections->runs[run].first; k < last; k++) {
            const struct jcc_statement *s = &m->scan->statements[k];
            if (s->type != JCC_STATEMENT_INSN)
                continue;
            size_t length;
            const char *at = jcc_statement_operands(m->scan, s, &length), *end = at + length;
            const char *open = memchr(at, '(', length);
            enum named named = open ? added_to(m, at, open, end, k) : NAMES_ELSEWHERE;
            if (named == NAMES_INSTRUCTION)
                return true;
            jump |= is_indirect_jump(m, s, at, length);
            reckoned |= (named == NAMES_DATA && is_lea(m, s)) || (length && is_distance(m, at, end, k));
        }
    }
    return reckoned && jump;
}
