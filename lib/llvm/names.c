// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "names.h"

#include "text.h"

#include <stdlib.h>
#include <string.h>

uint32_t jcc_hash(const char *at, size_t length)
{
    uint32_t h = 2166136261u; // FNV-1a
    for (size_t k = 0; k < length; k++)
        h = (h ^ (unsigned char)at[k]) * 16777619u;
    return h ^ h >> 15;
}

static size_t slot_of(const struct jcc_names *names, const char *at, size_t length)
{
    size_t slot = jcc_hash(at, length) & (names->slot_count - 1);
    for (; names->slots[slot]; slot = (slot + 1) & (names->slot_count - 1)) {
        const struct jcc_name *name = &names->list[names->slots[slot] - 1];
        if (name->length == length && !memcmp(name->at, at, length))
            break;
    }
    return slot;
}

static bool grow(struct jcc_names *names)
{
    if (names->count * 2 < names->slot_count)
        return true;
    size_t wanted = names->slot_count ? names->slot_count * 2 : 64;
    uint32_t *slots = calloc(wanted, sizeof *slots);
    if (!slots)
        return false;
    free(names->slots);
    names->slots = slots;
    names->slot_count = wanted;
    for (size_t k = 0; k < names->count; k++)
        names->slots[slot_of(names, names->list[k].at, names->list[k].length)] = (uint32_t)k + 1;
    return true;
}

bool jcc_names_put(struct jcc_names *names, const char *at, size_t length, uint32_t value)
{
    if (!grow(names) || !jcc_grow(&names->list, &names->capacity, names->count + 1, sizeof *names->list))
        return false;
    size_t slot = slot_of(names, at, length);
    if (names->slots[slot]) {
        names->list[names->slots[slot] - 1].value |= value;
        return true;
    }
    names->list[names->count++] = (struct jcc_name){at, length, value};
    names->slots[slot] = (uint32_t)names->count;
    return true;
}

uint32_t jcc_names_get(const struct jcc_names *names, const char *at, size_t length)
{
    if (!names->count)
        return 0;
    size_t slot = slot_of(names, at, length);
    return names->slots[slot] ? names->list[names->slots[slot] - 1].value : 0;
}

void jcc_names_free(struct jcc_names *names)
{
    free(names->list);
    free(names->slots);
    *names = (struct jcc_names){0};
}
