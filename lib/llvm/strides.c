// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "strides.h"

#include <string.h>

// How many labels and directives are passed over between a label and what it names.
#define NAMED_SEARCH_MAX 16u

// How far behind an address its use is looked for, in statements.
#define RECKONING_MAX 24u

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

// The end of the word that ends before AT, blanks passed over: BEGIN or behind it.
static const char *back_over_spaces(const char *begin, const char *at)
{
    while (at > begin && (jcc_is_blank(at[-1])))
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
    const char *inside = jcc_skip_blanks(open + 1, end);
    if (end - inside >= 4 && (!memcmp(inside, "%rip", 4) || !memcmp(inside, "%eip", 4)))
        return NAMES_ELSEWHERE;
    return memchr(inside, '%', (size_t)(end - inside)) ? look_up(m, name, (size_t)(behind - name), statement) : NAMES_ELSEWHERE;
}

// `$a-b`, of two labels of code.
static bool is_distance(const struct jcc_measure *m, const char *at, const char *end, size_t statement)
{
    if (*at != '$')
        return false;
    const char *first = jcc_skip_blanks(at + 1, end), *first_end = jcc_skip_name(first, end), *minus = jcc_skip_blanks(first_end, end);
    if (minus == end || *minus != '-' || first_end == first)
        return false;
    const char *second = jcc_skip_blanks(minus + 1, end), *second_end = jcc_skip_name(second, end);
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

static bool contains(const char *at, size_t length, const char *word, size_t word_length)
{
    for (const char *end = at + length; at < end; at++) {
        at = memchr(at, *word, (size_t)(end - at));
        if (!at)
            return false;
        bool ends = (size_t)(end - at) == word_length || ((size_t)(end - at) > word_length && !jcc_is_name_char(at[word_length]));
        if (ends && !memcmp(at, word, word_length))
            return true;
    }
    return false;
}

static bool is_named(const struct jcc_measure *m, const struct jcc_statement *s, const char *mnemonic)
{
    return s->name_length >= 3 && !memcmp(m->scan->text + s->name, mnemonic, 3);
}

// Whether label NAME, whose address statement K takes, is where the distance to the global offset table is counted from, nearby:
// `movabsq $_GLOBAL_OFFSET_TABLE_-label, %r11` of -mcmodel=large. What is added then makes the table's address, and no code's.
static bool leads_to_got(const struct jcc_measure *m, const char *name, size_t length, size_t k)
{
    static const char from[] = "$_GLOBAL_OFFSET_TABLE_-";
    size_t n = k > RECKONING_MAX ? k - RECKONING_MAX : 0;
    for (; n < m->scan->count && n <= k + RECKONING_MAX; n++) {
        size_t size;
        const char *at = jcc_statement_operands(m->scan, &m->scan->statements[n], &size);
        if (m->scan->statements[n].type == JCC_STATEMENT_INSN && size > sizeof from - 1 + length && !memcmp(at, from, sizeof from - 1) &&
            !memcmp(at + sizeof from - 1, name, length) && !jcc_is_name_char(at[sizeof from - 1 + length]))
            return true;
    }
    return false;
}

// `leaq label(%rip), %rdx`, statement K, an address that is added to before control jumps through a register, with no label or other branch in between.
static bool reckons_on(const struct jcc_measure *m, size_t k, size_t last)
{
    size_t length;
    const char *operands = jcc_statement_operands(m->scan, &m->scan->statements[k], &length), *end = operands + length;
    const char *open = memchr(operands, '(', length), *close = open ? memchr(open, ')', (size_t)(end - open)) : NULL;
    const char *target = close ? memchr(close, '%', (size_t)(end - close)) : NULL;
    if (!target || close - open != 5 || memcmp(open, "(%rip", 5) != 0)
        return false;
    const char *name = open;
    while (name > operands && jcc_is_name_char(name[-1]))
        name--;
    if (name != operands || look_up(m, name, (size_t)(open - name), k) != NAMES_INSTRUCTION ||
        leads_to_got(m, name, (size_t)(open - name), k))
        return false;
    size_t target_length = (size_t)(jcc_skip_name(target + 1, end) - target);
    bool added = false;
    for (size_t n = k + 1; n < last && n <= k + RECKONING_MAX; n++) {
        const struct jcc_statement *s = &m->scan->statements[n];
        if (s->type == JCC_STATEMENT_LABEL)
            return false;
        if (s->type != JCC_STATEMENT_INSN)
            continue;
        const char *at = jcc_statement_operands(m->scan, s, &length);
        if (is_indirect_jump(m, s, at, length))
            return added;
        if ((m->scan->text[s->name] | 32) == 'j' || is_named(m, s, "cal") || is_named(m, s, "ret"))
            return false;
        added |= (is_lea(m, s) || is_named(m, s, "add") || is_named(m, s, "sub")) && contains(at, length, target, target_length);
    }
    return false;
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
            if (named == NAMES_INSTRUCTION || (open && is_lea(m, s) && reckons_on(m, k, last)))
                return true;
            jump |= is_indirect_jump(m, s, at, length);
            reckoned |= (named == NAMES_DATA && is_lea(m, s)) || (length && is_distance(m, at, end, k));
        }
    }
    return reckoned && jump;
}
