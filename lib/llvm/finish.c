// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // memmem
#include "finish.h"

#include "compat.h"
#include "edit.h"
#include "got.h"

#include <string.h>

static const char stack_note[] = ".note.GNU-stack";

static bool source_names_note(const struct jcc_scan *scan)
{
    for (size_t k = 0; k < scan->count; k++) {
        const struct jcc_statement *s = &scan->statements[k];
        if (s->type == JCC_STATEMENT_DIRECTIVE && (s->directive == JCC_DIRECTIVE_SECTION || s->directive == JCC_DIRECTIVE_PUSHSECTION) &&
            memmem(scan->text + s->begin, s->end - s->begin, stack_note, sizeof stack_note - 1))
            return true;
    }
    return false;
}

enum jcc_status jcc_finish(struct jcc_text *out, const void *image, size_t size, const struct jcc_scan *scan)
{
    jcc_text_append(out, image, size);
    if (out->failed)
        return JCC_ERROR_NO_MEMORY;
    struct jcc_edit edit;
    if (!jcc_edit_open(&edit, out->data, out->length))
        return JCC_ERROR_LLVM;
    if (!source_names_note(scan))
        jcc_edit_drop_section(&edit, stack_note);
    if (!JCC_RELAXES_GOT)
        jcc_got_retype(&edit);
    enum jcc_status status = jcc_edit_drop_empty_files(&edit);
    out->length = edit.size;
    return status;
}
