// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "as.h"
#include "output.h"
#include <stdlib.h>
#include <string.h>

bool as_text_append(struct as_text *text, const char *bytes, size_t size)
{
    char *grown = size < SIZE_MAX - text->size ? realloc(text->bytes, text->size + size + 1) : NULL;
    if (grown == NULL) {
        message(NULL, "out of memory");
        return false;
    }
    text->bytes = grown;
    if (size != 0)
        memcpy(grown + text->size, bytes, size);
    text->size += size;
    grown[text->size] = '\0';
    return true;
}

void as_text_free(struct as_text *text)
{
    free(text->bytes);
    *text = (struct as_text){0};
}
