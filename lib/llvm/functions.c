// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "functions.h"

#include <string.h>

bool jcc_functions_read(const struct jcc_scan *scan, struct jcc_names *functions)
{
    for (size_t k = 0; k < scan->count; k++) {
        const struct jcc_statement *s = &scan->statements[k];
        const char *directive = scan->text + s->name, *name;
        size_t length, n;
        if (s->type != JCC_STATEMENT_DIRECTIVE || s->directive != JCC_DIRECTIVE_NOTHING)
            continue;
        bool type = s->name_length == 5 && !memcmp(directive, ".type", 5), global = s->name_length == 6 && !memcmp(directive, ".globl", 6);
        const char *at = jcc_statement_operands(scan, s, &length);
        if (!global && !(type && length > 8 && !memcmp(at + length - 8, "function", 8)))
            continue;
        struct jcc_lexer lexer = {at, at + length};
        while (jcc_lexer_name(&lexer, &name, &n))
            if (!jcc_names_put(functions, name, n, 1))
                return false;
    }
    return true;
}
