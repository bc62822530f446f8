// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suggest.h"
#include <string.h>

// Longer words are nobody's spelling of an option.
#define WORD_MAX 64

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

// Edits that turn A into B: a letter more, less or another, two neighbours swapped (optimal string alignment).
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][WORD_MAX + 1];
    size_t *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= b_length; j++)
        last[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        now[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            now[j] = least(least(now[j - 1], last[j]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
        size_t *free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[b_length];
}

struct suggestion suggest_for(const char *word, size_t length)
{
    // A third of the letters wrong is still a misspelling; more is another word.
    return (struct suggestion){.word = word, .length = length, .name = NULL, .distance = length / 3 + 1};
}

void suggest_consider(struct suggestion *best, const char *name)
{
    size_t length = strlen(name);
    if (best->length > WORD_MAX || length > WORD_MAX)
        return;
    size_t distance = edit_distance(best->word, best->length, name, length);
    if (distance < best->distance) {
        best->distance = distance;
        best->name = name;
    }
}
