// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L
#include "profile.h"
#include "output.h"
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct function {
    char *name;
    uint64_t count;
};

// Functions by name while reading; callgrind's numbers lead to them.
struct reader {
    struct function *list;
    size_t count, capacity;
    char **numbered; // callgrind: name of "(N)"
    size_t numbered_count;
    bool callgrind;
    char *current;  // callgrind: the function that cost lines belong to
    bool skip_call; // the next cost line is a callee's
    bool no_memory;
};

static void add(struct reader *r, const char *name, size_t length, uint64_t count)
{
    // Lines of one function mostly follow one another.
    for (size_t k = r->count; k-- > 0;)
        if (strlen(r->list[k].name) == length && memcmp(r->list[k].name, name, length) == 0) {
            r->list[k].count += count;
            return;
        }
    if (r->count == r->capacity) {
        size_t wanted = r->capacity ? r->capacity * 2 : 64;
        struct function *list = realloc(r->list, wanted * sizeof *list);
        if (list == NULL) {
            r->no_memory = true;
            return;
        }
        r->list = list;
        r->capacity = wanted;
    }
    char *copy = strndup(name, length);
    if (copy == NULL)
        r->no_memory = true;
    else
        r->list[r->count++] = (struct function){copy, count};
}

// "(12) name" or "(12)": the name, remembered by its number.
static char *numbered_name(struct reader *r, const char *text)
{
    char *end;
    unsigned long number = text[0] == '(' ? strtoul(text + 1, &end, 10) : 0;
    if (text[0] != '(' || *end != ')' || number > 10000000)
        return NULL;
    if (number >= r->numbered_count) {
        char **list = realloc(r->numbered, (number + 1) * 2 * sizeof *list);
        if (list == NULL) {
            r->no_memory = true;
            return NULL;
        }
        memset(list + r->numbered_count, 0, ((number + 1) * 2 - r->numbered_count) * sizeof *list);
        r->numbered = list;
        r->numbered_count = (number + 1) * 2;
    }
    while (*++end == ' ')
        ;
    if (*end != '\0' && r->numbered[number] == NULL)
        r->numbered[number] = strdup(end);
    return r->numbered[number];
}

// A line of callgrind's format: "fn=(1) main", "calls=…", and cost lines "PLACE COST …".
static void take_callgrind(struct reader *r, char *line)
{
    if (strncmp(line, "fn=", 3) == 0) {
        r->current = numbered_name(r, line + 3);
    } else if (strncmp(line, "cfn=", 4) == 0) {
        numbered_name(r, line + 4);
    } else if (strncmp(line, "calls=", 6) == 0) {
        r->skip_call = true;
    } else if (isdigit((unsigned char)line[0]) || line[0] == '+' || line[0] == '-' || line[0] == '*') {
        const char *cost = strchr(line, ' ');
        if (!r->skip_call && r->current != NULL && cost != NULL)
            add(r, r->current, strlen(r->current), strtoull(cost, NULL, 10));
        r->skip_call = false;
    }
}

// "… ADDRESS SYMBOL[+0xOFFSET] (DSO)", one sample each, or "COUNT SYMBOL".
static void take_sample(struct reader *r, char *line)
{
    char *before = NULL, *last = NULL, *save;
    uint64_t count = 1;
    bool perf = false;
    for (char *word = strtok_r(line, " \t", &save); word != NULL; word = strtok_r(NULL, " \t", &save)) {
        if (word[0] == '(')
            break;
        before = last;
        last = word;
    }
    if (before == NULL || last == NULL)
        return;
    char *end;
    if (strlen(before) > 8 && strspn(before, "0123456789abcdef") == strlen(before))
        perf = true;
    else
        count = strtoull(before, &end, 10);
    if (!perf && *end != '\0')
        return;
    char *plus = strstr(last, "+0x");
    add(r, last, plus != NULL ? (size_t)(plus - last) : strlen(last), count);
}

static int by_count(const void *a, const void *b)
{
    const struct function *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return strcmp(x->name, y->name);
}

static bool keep_hot(struct reader *r, unsigned percent, struct profile *profile)
{
    uint64_t total = 0, held = 0;
    if (r->count != 0)
        qsort(r->list, r->count, sizeof r->list[0], by_count);
    for (size_t k = 0; k < r->count; k++)
        total += r->list[k].count;
    profile->hot = calloc(r->count + 1, sizeof profile->hot[0]);
    profile->counts = calloc(r->count + 1, sizeof profile->counts[0]);
    if (profile->hot == NULL || profile->counts == NULL)
        return false;
    for (size_t k = 0; k < r->count && (double)held * 100 < (double)total * percent; k++) {
        held += r->list[k].count;
        profile->counts[profile->count] = r->list[k].count;
        profile->hot[profile->count++] = r->list[k].name;
        r->list[k].name = NULL;
    }
    return true;
}

bool profile_read(const char *path, unsigned percent, struct profile *profile)
{
    *profile = (struct profile){0};
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        message(path, "%s", strerror(errno));
        return false;
    }
    struct reader r = {0};
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    while ((length = getline(&line, &capacity, file)) > 0 && !r.no_memory) {
        line[strcspn(line, "\r\n")] = '\0';
        r.callgrind |= strncmp(line, "# callgrind format", 18) == 0 || strncmp(line, "creator: callgrind", 18) == 0;
        if (r.callgrind)
            take_callgrind(&r, line);
        else if (line[0] != '#')
            take_sample(&r, line);
    }
    bool read = !ferror(file);
    fclose(file);
    free(line);
    bool ok = read && !r.no_memory && keep_hot(&r, percent, profile) && profile->count != 0;
    if (!ok)
        message(path, "%s",
                !read                                                            ? strerror(errno)
                : r.no_memory || profile->hot == NULL || profile->counts == NULL ? "out of memory"
                                                                                 : "no function with a count in it");
    for (size_t k = 0; k < r.count; k++)
        free(r.list[k].name);
    for (size_t k = 0; k < r.numbered_count; k++)
        free(r.numbered[k]);
    free(r.list);
    free(r.numbered);
    return ok;
}

void profile_free(struct profile *profile)
{
    for (size_t k = 0; k < profile->count; k++)
        free(profile->hot[k]);
    free(profile->hot);
    free(profile->counts);
    *profile = (struct profile){0};
}
