// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A growing text with a sticky error: after memory ran out every append does nothing, and failed is set.
#ifndef JCC_LLVM_TEXT_H
#define JCC_LLVM_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct jcc_text {
    char *data; // ends in NUL once anything was appended
    size_t length;
    size_t capacity;
    bool failed;
};

// The same as jcc_text_append, which needs no call where there is room.
void jcc_text_grow_and_append(struct jcc_text *text, const char *data, size_t length);

static inline void jcc_text_append(struct jcc_text *text, const char *data, size_t length)
{
    if (text->failed || length >= text->capacity - text->length) {
        jcc_text_grow_and_append(text, data, length);
        return;
    }
    if (length)
        memcpy(text->data + text->length, data, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void jcc_text_string(struct jcc_text *text, const char *string);
#if defined(__GNUC__) || defined(__clang__)
__attribute__((format(printf, 2, 3)))
#endif
void jcc_text_format(struct jcc_text *text, const char *format, ...);
// Make room for LENGTH bytes in all.
void jcc_text_reserve(struct jcc_text *text, size_t length);
void jcc_text_free(struct jcc_text *text);

// Grow *ARRAY of elements of SIZE bytes so that it holds at least NEED; false when memory ran out, *ARRAY is then unchanged.
bool jcc_grow(void *array, size_t *capacity, size_t need, size_t size);

#endif
