// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "refuse.h"

#include "labels.h"
#include "names.h"
#include "sections.h"
#include "text.h"

#include <string.h>

// As LLVM says it, with the name behind.
static const char about[] = "Undefined temporary symbol";

static bool is_about_undefined(const char *message)
{
    return strstr(message, about) != NULL;
}

// The names in LLVM's messages; a number's label is .LtmpN there.
static bool read_names(const struct jcc_diagnostics *diagnostics, struct jcc_names *names, bool *numbers)
{
    for (size_t k = 0; k < diagnostics->count; k++) {
        const char *at = strstr(diagnostics->list[k].message, about);
        if (!at)
            continue;
        for (at += sizeof about - 1; *at == ' ';)
            at++;
        *numbers |= !strncmp(at, ".Ltmp", 5);
        if (!jcc_names_put(names, at, strlen(at), 1))
            return false;
    }
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Each use of one of NAMES, and with NUMBERS of a number that no label bears.
static size_t report_uses(const struct jcc_scan *scan, const struct jcc_labels *labels, const struct jcc_names *names, bool numbers,
                          struct jcc_source *source, struct jcc_diagnostics *diagnostics)
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
            if (is_digit(*name) ? !numbers || jcc_source_labels_find(labels, name, n, k) != JCC_NO_LABEL : !jcc_names_get(names, name, n))
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
    struct jcc_names names = {0};
    bool numbers = false;
    enum jcc_status status = jcc_source_labels_of(scan, &sections, &labels);
    if (!status && !read_names(diagnostics, &names, &numbers))
        status = JCC_ERROR_NO_MEMORY;
    if (!status && report_uses(scan, &labels, &names, numbers, source, diagnostics))
        jcc_diagnostics_drop(diagnostics, is_about_undefined);
    jcc_names_free(&names);
    jcc_source_labels_free(&labels);
    jcc_sections_free(&sections);
    return status ? status : diagnostics->failed ? JCC_ERROR_NO_MEMORY : JCC_OK;
}
