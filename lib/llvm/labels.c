// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "labels.h"

#include "text.h"

#include <stdlib.h>
#include <string.h>

static uint32_t hash(const char *name, size_t length)
{
    uint32_t h = 2166136261u; // FNV-1a
    for (size_t k = 0; k < length; k++)
        h = (h ^ (unsigned char)name[k]) * 16777619u;
    return h;
}

// A label's name without quotes.
static const char *name_of(const struct jcc_labels *labels, const struct jcc_label *label, size_t *length)
{
    const struct jcc_statement *s = &labels->scan->statements[label->statement];
    const char *name = labels->scan->text + s->name;
    *length = s->name_length;
    if (*length >= 2 && *name == '"') {
        *length -= 2;
        return name + 1;
    }
    return name;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static uint64_t number_of(const char *name, size_t length)
{
    uint64_t value = 0;
    for (size_t k = 0; k < length && is_digit(name[k]); k++)
        value = value * 10 + (uint64_t)(name[k] - '0');
    return value;
}

struct numeric {
    uint64_t number;
    uint32_t label;
};

static int by_number_and_place(const void *a, const void *b)
{
    const struct numeric *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->label < y->label ? -1 : x->label > y->label;
}

static bool sort_numeric(struct jcc_labels *labels)
{
    struct numeric *all = malloc((labels->numeric_count + 1) * sizeof *all);
    labels->numeric = malloc((labels->numeric_count + 1) * sizeof *labels->numeric);
    if (!all || !labels->numeric) {
        free(all);
        return false;
    }
    size_t n = 0;
    for (size_t k = 0; k < labels->count; k++) {
        size_t length;
        const char *name = name_of(labels, &labels->list[k], &length);
        if (length && is_digit(*name))
            all[n++] = (struct numeric){number_of(name, length), (uint32_t)k};
    }
    qsort(all, n, sizeof *all, by_number_and_place);
    for (size_t k = 0; k < n; k++)
        labels->numeric[k] = all[k].label;
    free(all);
    return true;
}

static bool hash_names(struct jcc_labels *labels)
{
    labels->slot_count = 64;
    while (labels->slot_count < labels->count * 2)
        labels->slot_count *= 2;
    labels->slots = calloc(labels->slot_count, sizeof *labels->slots);
    if (!labels->slots)
        return false;
    for (size_t k = 0; k < labels->count; k++) {
        size_t length;
        const char *name = name_of(labels, &labels->list[k], &length);
        if (length && is_digit(*name))
            continue;
        size_t slot = hash(name, length) & (labels->slot_count - 1);
        while (labels->slots[slot])
            slot = (slot + 1) & (labels->slot_count - 1);
        labels->slots[slot] = (uint32_t)k + 1;
    }
    return true;
}

enum jcc_status jcc_source_labels_read(struct jcc_labels *labels, const struct jcc_scan *scan, const struct jcc_sections *sections)
{
    *labels = (struct jcc_labels){.scan = scan};
    for (size_t run = 0; run < sections->run_count; run++) {
        size_t end = jcc_sections_run_end(sections, scan, run);
        for (size_t k = sections->runs[run].first; k < end; k++) {
            if (scan->statements[k].type != JCC_STATEMENT_LABEL)
                continue;
            if (!jcc_grow(&labels->list, &labels->capacity, labels->count + 1, sizeof *labels->list))
                return JCC_ERROR_NO_MEMORY;
            labels->list[labels->count++] = (struct jcc_label){.statement = (uint32_t)k, .section = sections->runs[run].section};
            labels->numeric_count += is_digit(scan->text[scan->statements[k].name]);
        }
    }
    return hash_names(labels) && sort_numeric(labels) ? JCC_OK : JCC_ERROR_NO_MEMORY;
}

void jcc_source_labels_free(struct jcc_labels *labels)
{
    free(labels->list);
    free(labels->slots);
    free(labels->numeric);
    *labels = (struct jcc_labels){0};
}

// 1f, 2b: the nearest label of that number behind or before STATEMENT.
static uint32_t find_numeric(const struct jcc_labels *labels, const char *name, size_t length, size_t statement)
{
    uint64_t number = number_of(name, length);
    bool forward = name[length - 1] == 'f';
    size_t low = 0, high = labels->numeric_count; // first entry that is behind (number, statement)
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct jcc_label *label = &labels->list[labels->numeric[middle]];
        size_t n;
        const char *text = name_of(labels, label, &n);
        uint64_t other = number_of(text, n);
        if (other < number || (other == number && label->statement <= statement))
            low = middle + 1;
        else
            high = middle;
    }
    if (!forward && !low--)
        return JCC_NO_LABEL;
    if (low >= labels->numeric_count)
        return JCC_NO_LABEL;
    size_t n;
    const char *text = name_of(labels, &labels->list[labels->numeric[low]], &n);
    return number_of(text, n) == number ? labels->numeric[low] : JCC_NO_LABEL;
}

uint32_t jcc_source_labels_find(const struct jcc_labels *labels, const char *name, size_t length, size_t statement)
{
    if (!length)
        return JCC_NO_LABEL;
    if (is_digit(*name))
        return find_numeric(labels, name, length, statement);
    for (size_t slot = hash(name, length) & (labels->slot_count - 1); labels->slots[slot]; slot = (slot + 1) & (labels->slot_count - 1)) {
        size_t n;
        const char *other = name_of(labels, &labels->list[labels->slots[slot] - 1], &n);
        if (n == length && !memcmp(other, name, length))
            return labels->slots[slot] - 1;
    }
    return JCC_NO_LABEL;
}

uint32_t jcc_source_labels_of_statement(const struct jcc_labels *labels, size_t statement)
{
    size_t low = 0, high = labels->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (labels->list[middle].statement < statement)
            low = middle + 1;
        else
            high = middle;
    }
    return low < labels->count && labels->list[low].statement == statement ? (uint32_t)low : JCC_NO_LABEL;
}

enum jcc_status jcc_source_labels_of(const struct jcc_scan *scan, struct jcc_sections *sections, struct jcc_labels *labels)
{
    *labels = (struct jcc_labels){0};
    enum jcc_status status = jcc_sections_read(sections, scan);
    return status ? status : jcc_source_labels_read(labels, scan, sections);
}
