// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L
#include "profile_counts.h"
#include <stdlib.h>
#include <string.h>

static size_t hash(const char *name, size_t length)
{
    uint64_t h = UINT64_C(14695981039346656037); // FNV-1a
    for (size_t k = 0; k < length; k++)
        h = (h ^ (unsigned char)name[k]) * UINT64_C(1099511628211);
    return (size_t)(h ^ h >> 32);
}

// Where NAME's index stands, or would.
static size_t slot_of(const struct counts *counts, const char *name, size_t length)
{
    size_t slot = hash(name, length) & (counts->slot_count - 1);
    for (; counts->slots[slot] != 0; slot = (slot + 1) & (counts->slot_count - 1)) {
        const char *other = counts->list[counts->slots[slot] - 1].name;
        if (strncmp(other, name, length) == 0 && other[length] == '\0')
            break;
    }
    return slot;
}

// Room for one more: half of the slots stay empty.
static bool grow(struct counts *counts)
{
    if (counts->count < counts->capacity)
        return true;
    size_t capacity = counts->capacity == 0 ? 64 : counts->capacity * 2;
    struct counted *list = capacity <= UINT32_MAX / 2 ? realloc(counts->list, capacity * sizeof *list) : NULL;
    if (list == NULL)
        return false;
    counts->list = list;
    uint32_t *slots = calloc(capacity * 2, sizeof *slots);
    if (slots == NULL)
        return false;
    free(counts->slots);
    counts->slots = slots;
    counts->slot_count = capacity * 2;
    counts->capacity = capacity;
    for (size_t k = 0; k < counts->count; k++)
        slots[slot_of(counts, list[k].name, strlen(list[k].name))] = (uint32_t)k + 1;
    return true;
}

size_t counts_index(struct counts *counts, const char *name, size_t length)
{
    if (!grow(counts))
        return COUNTS_NONE;
    size_t slot = slot_of(counts, name, length);
    if (counts->slots[slot] == 0) {
        char *copy = strndup(name, length);
        if (copy == NULL)
            return COUNTS_NONE;
        counts->list[counts->count++] = (struct counted){copy, 0};
        counts->slots[slot] = (uint32_t)counts->count;
    }
    return counts->slots[slot] - 1;
}

void counts_add(struct counts *counts, size_t index, uint64_t count)
{
    uint64_t *sum = &counts->list[index].count;
    *sum = count > UINT64_MAX - *sum ? UINT64_MAX : *sum + count;
}

void counts_free(struct counts *counts)
{
    for (size_t k = 0; k < counts->count; k++)
        free(counts->list[k].name);
    free(counts->list);
    free(counts->slots);
    *counts = (struct counts){0};
}
