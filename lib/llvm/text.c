// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool jcc_grow(void *array, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity)
        return true;
    size_t wanted = *capacity + *capacity / 2 + 16;
    if (wanted < need)
        wanted = need;
    if (wanted > SIZE_MAX / size)
        return false;
    void *old;
    memcpy(&old, array, sizeof old);
    void *grown = realloc(old, wanted * size);
    if (!grown)
        return false;
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}

void jcc_text_reserve(struct jcc_text *text, size_t length)
{
    if (text->failed)
        return;
    if (length == SIZE_MAX || !jcc_grow(&text->data, &text->capacity, length + 1, 1))
        text->failed = true;
}

void jcc_text_grow_and_append(struct jcc_text *text, const char *data, size_t length)
{
    if (length > SIZE_MAX / 2 - text->length) {
        text->failed = true;
        return;
    }
    jcc_text_reserve(text, text->length + length);
    if (text->failed)
        return;
    if (length)
        memcpy(text->data + text->length, data, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void jcc_text_string(struct jcc_text *text, const char *string)
{
    jcc_text_append(text, string, strlen(string));
}

void jcc_text_format(struct jcc_text *text, const char *format, ...)
{
    char small[256];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(small, sizeof small, format, arguments);
    va_end(arguments);
    if (n < 0) {
        text->failed = true;
    } else if ((size_t)n < sizeof small) {
        jcc_text_append(text, small, (size_t)n);
    } else {
        jcc_text_reserve(text, text->length + (size_t)n);
        if (text->failed)
            return;
        va_start(arguments, format);
        vsnprintf(text->data + text->length, (size_t)n + 1, format, arguments);
        va_end(arguments);
        text->length += (size_t)n;
    }
}

void jcc_text_free(struct jcc_text *text)
{
    free(text->data);
    *text = (struct jcc_text){0};
}
