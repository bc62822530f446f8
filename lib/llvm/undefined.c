// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "refuse.h"

#include "labels.h"
#include "sections.h"
#include "text.h"

#include <string.h>

static bool is_about_undefined(const char *message)
{
    return strstr(message, "Undefined temporary symbol") != NULL;
}

static bool is_local(const char *name, size_t length)
{
    return (length > 2 && name[0] == '.' && name[1] == 'L') || (length && name[0] >= '0' && name[0] <= '9');
}

static bool is_assigned(const struct jcc_scan *scan, const char *name, size_t length)
{
    for (size_t k = 0; k < scan->count; k++) {
        const struct jcc_statement *s = &scan->statements[k];
        size_t n = s->name_length;
        const char *at = scan->text + s->name;
        if (s->type == JCC_STATEMENT_DIRECTIVE && s->directive == JCC_DIRECTIVE_SET) {
            size_t operands;
            at = jcc_statement_operands(scan, s, &operands);
            for (n = 0; n < operands && jcc_is_name_char(at[n]); n++)
                ;
        } else if (s->type != JCC_STATEMENT_ASSIGN) {
            continue;
        }
        if (n == length && !memcmp(at, name, length))
            return true;
    }
    return false;
}

static size_t report_uses(const struct jcc_scan *scan, const struct jcc_labels *labels, struct jcc_source *source,
                          struct jcc_diagnostics *diagnostics)
{
    size_t found = 0, length, n;
    for (size_t k = 0; k < scan->count; k++) {
        const struct jcc_statement *s = &scan->statements[k];
        bool uses =
            s->type == JCC_STATEMENT_INSN || (s->type == JCC_STATEMENT_DIRECTIVE &&
                                              (jcc_directive_unit((enum jcc_directive)s->directive) || s->directive == JCC_DIRECTIVE_DATA));
        const char *name, *at = jcc_statement_operands(scan, s, &length);
        struct jcc_lexer lexer = {at, at + length};
        while (uses && jcc_lexer_name(&lexer, &name, &n)) {
            if (!is_local(name, n) || memchr(name, '\\', n) || jcc_source_labels_find(labels, name, n, k) != JCC_NO_LABEL ||
                is_assigned(scan, name, n))
                continue;
            struct jcc_text message = {0};
            jcc_text_format(&message, "undefined local label '%.*s'", (int)n, name);
            jcc_source_report(source, diagnostics, JCC_SEVERITY_ERROR, (size_t)(name - scan->text),
                              message.failed ? "undefined local label" : message.data);
            jcc_text_free(&message);
            found++;
        }
    }
    return found;
}

enum jcc_status jcc_report_undefined(const struct jcc_scan *scan, struct jcc_source *source, struct jcc_diagnostics *diagnostics)
{
    bool any = false;
    for (size_t k = 0; k < diagnostics->count; k++)
        any |= is_about_undefined(diagnostics->list[k].message);
    if (!any)
        return JCC_OK;
    struct jcc_sections sections = {0};
    struct jcc_labels labels = {0};
    enum jcc_status status = jcc_source_labels_of(scan, &sections, &labels);
    if (!status && report_uses(scan, &labels, source, diagnostics))
        jcc_diagnostics_drop(diagnostics, is_about_undefined);
    jcc_source_labels_free(&labels);
    jcc_sections_free(&sections);
    return status ? status : diagnostics->failed ? JCC_ERROR_NO_MEMORY : JCC_OK;
}
