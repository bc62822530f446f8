// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L
#include "profile.h"
#include "output.h"
#include "profile_callgrind.h"
#include "profile_counts.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The words of a line that tell: the last two of all, or of those before the last that begins with a parenthesis.
struct words {
    char *first;
    char *second;
    bool file; // a parenthesis follows
};

static struct words split(char *line)
{
    struct words words = {0};
    char *before = NULL, *last = NULL, *save;
    for (char *word = strtok_r(line, " \t", &save); word != NULL; word = strtok_r(NULL, " \t", &save)) {
        if (word[0] == '(' && before != NULL)
            words = (struct words){before, last, true};
        before = last;
        last = word;
    }
    return words.file ? words : (struct words){before, last, false};
}

static bool consists_of(const char *text, const char *characters)
{
    return text[strspn(text, characters)] == '\0';
}

// Perf writes [unknown] where it has no name.
static bool is_bracketed(const char *name, size_t length)
{
    return length >= 2 && name[0] == '[' && name[length - 1] == ']';
}

// "… ADDRESS SYMBOL[+0xOFFSET] (FILE)", one sample each, or "COUNT NAME". Other lines are passed over. False: out of memory.
static bool take_sample(struct counts *counts, char *line)
{
    struct words words = split(line);
    if (words.first == NULL || words.second == NULL)
        return true;
    bool count = !words.file && consists_of(words.first, "0123456789");
    // Without the file a word is taken for an address when it is too long for anything else.
    bool sample = !count && consists_of(words.first, "0123456789abcdef") && (words.file || strlen(words.first) > 8);
    if (!count && !sample)
        return true;
    const char *plus = sample ? strstr(words.second, "+0x") : NULL;
    size_t length = plus != NULL ? (size_t)(plus - words.second) : strlen(words.second);
    if (is_bracketed(words.second, length))
        return true;
    size_t index = counts_index(counts, words.second, length);
    if (index == COUNTS_NONE)
        return false;
    counts_add(counts, index, count ? strtoull(words.first, NULL, 10) : 1);
    return true;
}

static int by_count(const void *a, const void *b)
{
    const struct counted *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return strcmp(x->name, y->name);
}

// Takes names over from COUNTS, whose slots are of no use from then on.
static bool keep_hot(struct counts *counts, unsigned percent, struct profile *profile)
{
    double total = 0, held = 0;
    if (counts->count != 0)
        qsort(counts->list, counts->count, sizeof counts->list[0], by_count);
    for (size_t k = 0; k < counts->count; k++)
        total += (double)counts->list[k].count;
    profile->hot = calloc(counts->count + 1, sizeof profile->hot[0]);
    profile->counts = calloc(counts->count + 1, sizeof profile->counts[0]);
    if (profile->hot == NULL || profile->counts == NULL)
        return false;
    for (size_t k = 0; k < counts->count && counts->list[k].count != 0 && held * 100 < total * percent; k++) {
        held += (double)counts->list[k].count;
        profile->counts[profile->count] = counts->list[k].count;
        profile->hot[profile->count++] = counts->list[k].name;
        counts->list[k].name = NULL;
    }
    return true;
}

// False: out of memory. *ERROR is 0, or why the file could not be read.
static bool read_lines(FILE *file, struct counts *counts, int *error)
{
    struct callgrind callgrind = callgrind_start(counts);
    bool is_callgrind = false, ok = true;
    char *line = NULL;
    size_t capacity = 0;
    while (ok && getline(&line, &capacity, file) > 0) {
        line[strcspn(line, "\r\n")] = '\0';
        is_callgrind |= callgrind_is(line);
        if (is_callgrind)
            ok = callgrind_line(&callgrind, line);
        else if (line[0] != '#')
            ok = take_sample(counts, line);
    }
    *error = ferror(file) ? errno : 0;
    free(line);
    callgrind_end(&callgrind);
    return ok;
}

bool profile_read(const char *path, unsigned percent, struct profile *profile)
{
    *profile = (struct profile){0};
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        message(path, "%s", strerror(errno));
        return false;
    }
    struct counts counts = {0};
    int error;
    bool memory = read_lines(file, &counts, &error);
    fclose(file);
    memory = memory && keep_hot(&counts, percent, profile);
    counts_free(&counts);
    if (error != 0)
        message(path, "%s", strerror(error));
    else if (!memory)
        message(path, "out of memory");
    else if (profile->count == 0)
        message(path, "no function with a count in it");
    return error == 0 && memory && profile->count != 0;
}

void profile_free(struct profile *profile)
{
    for (size_t k = 0; k < profile->count; k++)
        free(profile->hot[k]);
    free(profile->hot);
    free(profile->counts);
    *profile = (struct profile){0};
}
