// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profile_callgrind.h"
#include <stdlib.h>
#include <string.h>

// More functions than any program has; a name with a greater number is only known where it is written out.
#define NUMBER_MAX 10000000u

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

struct callgrind callgrind_start(struct counts *counts)
{
    // What holds without a "positions:" and an "events:".
    return (struct callgrind){.counts = counts, .current = COUNTS_NONE, .positions = 1};
}

bool callgrind_is(const char *line)
{
    return strncmp(line, "# callgrind format", 18) == 0 || strncmp(line, "creator: callgrind", 18) == 0;
}

void callgrind_end(struct callgrind *reader)
{
    free(reader->numbered);
}

// What follows KEY at the begin of LINE, blanks skipped; NULL when it does not begin with KEY.
static const char *after(const char *line, const char *key)
{
    size_t length = strlen(key);
    return strncmp(line, key, length) == 0 ? line + length + strspn(line + length, " \t") : NULL;
}

// The number of the word "Ir", instructions executed, or else the first; and of all words.
static unsigned count_words(const char *text, unsigned *instructions)
{
    unsigned count = 0;
    *instructions = 0;
    for (; *text != '\0'; text += strspn(text, " \t")) {
        size_t length = strcspn(text, " \t");
        if (length == 2 && memcmp(text, "Ir", 2) == 0)
            *instructions = count;
        count++;
        text += length;
    }
    return count;
}

// "(12)" or "(12) name" gives 12 and where the name begins. Without compression the name may begin with a parenthesis: "(below main)".
static bool parse_number(const char *text, size_t *number, const char **name)
{
    char *end;
    if (text[0] != '(' || !is_digit(text[1]))
        return false;
    unsigned long value = strtoul(text + 1, &end, 10);
    if (*end != ')')
        return false;
    *number = value;
    *name = end + 1 + strspn(end + 1, " \t");
    return true;
}

static bool remember(struct callgrind *r, size_t number, size_t function)
{
    if (number > NUMBER_MAX)
        return true;
    if (number >= r->numbered_count) {
        size_t count = (number + 1) * 2;
        size_t *list = realloc(r->numbered, count * sizeof *list);
        if (list == NULL)
            return false;
        for (size_t k = r->numbered_count; k < count; k++)
            list[k] = COUNTS_NONE;
        r->numbered = list;
        r->numbered_count = count;
    }
    r->numbered[number] = function;
    return true;
}

// The function that "name", "(12) name" or "(12)" means, into *FUNCTION; COUNTS_NONE when it is not known. A recursion's level or a caller, which
// callgrind sets behind an apostrophe when asked to tell them apart, is no part of the name.
static bool find_function(struct callgrind *r, const char *text, size_t *function)
{
    size_t number = 0;
    const char *name = text;
    bool numbered = parse_number(text, &number, &name);
    *function = numbered && number < r->numbered_count ? r->numbered[number] : COUNTS_NONE;
    if (*name == '\0')
        return true;
    *function = COUNTS_NONE;
    if (strncmp(name, "???", 3) != 0) { // code that it found no name for
        *function = counts_index(r->counts, name, strcspn(name, "'"));
        if (*function == COUNTS_NONE)
            return false;
    }
    return !numbered || remember(r, number, *function);
}

// A cost line: positions, each a number or compressed to "+3", "-3" or "*", and then the costs, of which those at the end that are 0 may be missing.
static void take_cost(struct callgrind *r, const char *line)
{
    for (unsigned skip = r->positions + r->event; skip > 0; skip--) {
        line += strcspn(line, " \t");
        line += strspn(line, " \t");
    }
    if (is_digit(*line))
        counts_add(r->counts, r->current, strtoull(line, NULL, strncmp(line, "0x", 2) == 0 ? 16 : 10));
}

bool callgrind_line(struct callgrind *r, const char *line)
{
    const char *rest;
    size_t callee;
    unsigned unused;
    if ((rest = after(line, "fn=")) != NULL)
        return find_function(r, rest, &r->current);
    if ((rest = after(line, "cfn=")) != NULL) // a number may be given its name here
        return find_function(r, rest, &callee);
    if (after(line, "calls=") != NULL) {
        r->skip_call = true;
    } else if ((rest = after(line, "positions:")) != NULL) {
        r->positions = count_words(rest, &unused);
    } else if ((rest = after(line, "events:")) != NULL) {
        count_words(rest, &r->event);
    } else if (is_digit(line[0]) || line[0] == '+' || line[0] == '-' || line[0] == '*') {
        if (!r->skip_call && r->current != COUNTS_NONE)
            take_cost(r, line);
        r->skip_call = false;
    }
    return true;
}
