// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arguments.h"
#include "input.h"
#include "output.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// A file that names itself must come to an end.
#define FILES_MAX 1000
#define BYTES_MAX ((size_t)16 * 1024 * 1024) // of all response files together

struct expansion {
    struct arguments *arguments;
    unsigned files;
    size_t bytes;
};

// Takes WORD over.
static bool append(struct arguments *arguments, char *word)
{
    if (arguments->count == arguments->capacity) {
        size_t capacity = arguments->capacity == 0 ? 16 : arguments->capacity * 2;
        char **list = realloc(arguments->list, capacity * sizeof *list);
        if (list == NULL) {
            free(word);
            message(NULL, "out of memory");
            return false;
        }
        arguments->list = list;
        arguments->capacity = capacity;
    }
    arguments->list[arguments->count++] = word;
    return true;
}

// The next word of [*AT, END) without its quotes and backslashes; NULL when none is left. It is never longer than its source, so it is
// written over it. *FULL gets the end of the word.
static char *next_word(char **at, char *end, char **full)
{
    char *from = *at, quote = '\0';
    while (from < end && isspace((unsigned char)*from))
        from++;
    if (from == end)
        return NULL;
    char *word = from, *to = from;
    for (; from < end && (quote != '\0' || !isspace((unsigned char)*from)); from++) {
        if (*from == '\\' && from + 1 < end)
            *to++ = *++from;
        else if (quote != '\0' ? *from == quote : *from == '\'' || *from == '"')
            quote = quote != '\0' ? '\0' : *from;
        else
            *to++ = *from;
    }
    *at = from;
    *full = to;
    return word;
}

static bool add_word(struct expansion *expansion, const char *word, size_t length);

static bool add_file(struct expansion *expansion, const char *path)
{
    struct input input;
    if (expansion->files++ == FILES_MAX) {
        message(path, "too many response files (over %d)", FILES_MAX);
        return false;
    }
    if (!input_read(path, BYTES_MAX - expansion->bytes, &input))
        return false;
    expansion->bytes += input.size;
    bool ok = true;
    char *at = input.bytes, *end = at + input.size, *word, *word_end;
    while (ok && (word = next_word(&at, end, &word_end)) != NULL)
        ok = add_word(expansion, word, (size_t)(word_end - word));
    input_free(&input);
    return ok;
}

static bool add_word(struct expansion *expansion, const char *word, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy == NULL) {
        message(NULL, "out of memory");
        return false;
    }
    memcpy(copy, word, length);
    copy[length] = '\0';
    if (copy[0] != '@' || copy[1] == '\0')
        return append(expansion->arguments, copy);
    bool ok = add_file(expansion, copy + 1);
    free(copy);
    return ok;
}

bool arguments_expand(size_t count, char *const *words, struct arguments *arguments)
{
    struct expansion expansion = {.arguments = arguments};
    memset(arguments, 0, sizeof *arguments);
    for (size_t i = 0; i < count; i++) {
        if (!add_word(&expansion, words[i], strlen(words[i])))
            return false;
    }
    return true;
}

void arguments_shift(struct arguments *arguments)
{
    free(arguments->list[0]);
    arguments->count--;
    memmove(arguments->list, arguments->list + 1, arguments->count * sizeof arguments->list[0]);
}

void arguments_free(struct arguments *arguments)
{
    for (size_t i = 0; i < arguments->count; i++)
        free(arguments->list[i]);
    free(arguments->list);
    memset(arguments, 0, sizeof *arguments);
}
