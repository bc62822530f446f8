// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "taken.h"

#include "operands.h"

// A part of a conditional: assembled; not, but a later one may be; not, as an earlier one was; not known.
enum branch { TAKEN, NOT_YET, DONE, UNKNOWN };

static enum branch judge(const struct jcc_scan *scan, const struct jcc_statement *s)
{
    size_t length;
    const char *at = jcc_statement_operands(scan, s, &length), *end = at + length;
    int64_t value;
    bool plain = jcc_statement_is(scan, s, ".if") || jcc_statement_is(scan, s, ".ifne");
    if (!plain || jcc_operands_constant(&at, end, &value) != JCC_CONSTANT)
        return UNKNOWN;
    return value ? TAKEN : NOT_YET;
}

static enum branch other(enum branch before, bool has_condition)
{
    switch (before) {
    case TAKEN: return DONE;
    case NOT_YET: return has_condition ? UNKNOWN : TAKEN;
    default: return before;
    }
}

bool jcc_taken_next(struct jcc_taken *t, const struct jcc_scan *scan, const struct jcc_statement *s)
{
    enum jcc_directive directive = s->type == JCC_STATEMENT_DIRECTIVE ? (enum jcc_directive)s->directive : JCC_DIRECTIVE_UNKNOWN;
    if (directive == JCC_DIRECTIVE_MACRO)
        t->macros++;
    else if (directive == JCC_DIRECTIVE_MACRO_END && t->macros)
        t->macros--;
    if (t->macros)
        return false;
    if (directive == JCC_DIRECTIVE_IF) {
        if (t->depth < JCC_TAKEN_DEPTH_MAX)
            t->branch[t->depth] = (uint8_t)judge(scan, s);
        t->depth++;
    } else if (directive == JCC_DIRECTIVE_ELSE && t->depth && t->depth <= JCC_TAKEN_DEPTH_MAX) {
        uint8_t *branch = &t->branch[t->depth - 1];
        *branch = (uint8_t)other((enum branch) * branch, !jcc_statement_is(scan, s, ".else"));
    } else if (directive == JCC_DIRECTIVE_ENDIF && t->depth) {
        t->depth--;
    }
    bool sure = t->depth <= JCC_TAKEN_DEPTH_MAX;
    for (size_t k = 0; sure && k < t->depth; k++)
        sure = t->branch[k] == TAKEN;
    return sure;
}
