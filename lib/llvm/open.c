// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "refuse.h"

#include "text.h"

#include <stdlib.h>
#include <string.h>

struct open_construct {
    size_t statement;
    enum jcc_directive directive;
};

static enum jcc_directive opener_of(enum jcc_directive closer)
{
    switch (closer) {
    case JCC_DIRECTIVE_MACRO_END: return JCC_DIRECTIVE_MACRO;
    case JCC_DIRECTIVE_REPEAT_END: return JCC_DIRECTIVE_REPEAT;
    case JCC_DIRECTIVE_ENDIF: return JCC_DIRECTIVE_IF;
    case JCC_DIRECTIVE_CFI_END: return JCC_DIRECTIVE_CFI_START;
    case JCC_DIRECTIVE_POPSECTION: return JCC_DIRECTIVE_PUSHSECTION;
    default: return JCC_DIRECTIVE_UNKNOWN;
    }
}

static bool opens(enum jcc_directive d)
{
    return d == JCC_DIRECTIVE_MACRO || d == JCC_DIRECTIVE_REPEAT || d == JCC_DIRECTIVE_IF || d == JCC_DIRECTIVE_CFI_START ||
           d == JCC_DIRECTIVE_PUSHSECTION;
}

static bool is_body(enum jcc_directive d)
{
    return d == JCC_DIRECTIVE_MACRO || d == JCC_DIRECTIVE_REPEAT;
}

// What is open at the end of the text, in order; inside a macro's or a repeat's body only such bodies count.
static bool find_open(const struct jcc_scan *scan, struct open_construct **stack, size_t *depth)
{
    size_t capacity = 0, bodies = 0;
    for (size_t k = 0; k < scan->count; k++) {
        const struct jcc_statement *s = &scan->statements[k];
        enum jcc_directive d = (enum jcc_directive)s->directive;
        if (s->type != JCC_STATEMENT_DIRECTIVE || (bodies && !is_body(d) && !is_body(opener_of(d))))
            continue;
        if (opens(d)) {
            if (!jcc_grow(stack, &capacity, *depth + 1, sizeof **stack))
                return false;
            (*stack)[(*depth)++] = (struct open_construct){k, d};
            bodies += is_body(d);
        }
        enum jcc_directive opener = opener_of(d);
        for (size_t n = *depth; opener != JCC_DIRECTIVE_UNKNOWN && n-- > 0;) {
            if ((*stack)[n].directive != opener)
                continue;
            bodies -= is_body(opener);
            memmove(*stack + n, *stack + n + 1, (*depth - n - 1) * sizeof **stack);
            --*depth;
            break;
        }
    }
    return true;
}

// LLVM's own words for the same thing, which name the end of the text or nothing.
static bool is_about_open(const char *message)
{
    return strstr(message, "no matching '.endm") || strstr(message, "no matching '.endr") || strstr(message, "unmatched .ifs") ||
           strstr(message, "Unfinished frame");
}

enum jcc_status jcc_report_open(const struct jcc_scan *scan, struct jcc_source *source, bool failed, struct jcc_diagnostics *diagnostics)
{
    struct open_construct *stack = NULL;
    size_t depth = 0;
    bool ok = find_open(scan, &stack, &depth);
    if (ok && depth && failed)
        jcc_diagnostics_drop(diagnostics, is_about_open);
    for (size_t k = 0; ok && k < depth; k++) {
        const struct jcc_statement *s = &scan->statements[stack[k].statement];
        struct jcc_text message = {0};
        jcc_text_format(&message, "%.*s is never closed", (int)s->name_length, scan->text + s->name);
        jcc_source_report(source, diagnostics, failed ? JCC_SEVERITY_ERROR : JCC_SEVERITY_WARNING, s->begin,
                          message.failed ? "never closed" : message.data);
        jcc_text_free(&message);
    }
    free(stack);
    return ok && !diagnostics->failed ? JCC_OK : JCC_ERROR_NO_MEMORY;
}
