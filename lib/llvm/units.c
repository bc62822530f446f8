// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "units.h"

#include <stdlib.h>

// The item that K, a jump, has met, with nothing left of the alignments between; K itself: none.
static size_t met(const struct jcc_code *code, const struct jcc_layout_place *places, size_t k)
{
    size_t first = k;
    while (first && code->items[first - 1].flags & JCC_ITEM_FUSES)
        first--;
    if (first == k || code->items[k].type != JCC_ITEM_INSN)
        return k;
    return places[first - 1].offset + places[first - 1].length == places[k].offset ? first - 1 : k;
}

struct jcc_unit jcc_unit_at(const struct jcc_policy *policy, const struct jcc_code *code, const struct jcc_layout_place *places, size_t k)
{
    const struct jcc_layout_item *item = &code->items[k];
    bool fused = policy->kinds & JCC_KIND_BIT(JCC_KIND_FUSED), pair = item->flags & JCC_ITEM_PAIR && k + 1 < code->count;
    size_t first = fused ? met(code, places, k) : k;
    bool doubtful = code->sources[first].doubtful;
    struct jcc_unit unit = {.first = first, .items = 1, .kind = JCC_KIND_FUSED};
    if (first == k && !(pair && fused && !doubtful)) {
        unit.kind = (enum jcc_kind)item->kind;
        unit.items = item->type == JCC_ITEM_INSN && policy->kinds & JCC_KIND_BIT(item->kind);
    } else if (first != k && doubtful) {
        unit.first = k;
        unit.kind = JCC_KIND_JCC;
        unit.items = (policy->kinds & JCC_KIND_BIT(JCC_KIND_JCC)) != 0;
    } else {
        unit.items = 1u + pair;
    }
    size_t last = k + (unit.items > 1);
    unit.begin = places[unit.first].offset;
    unit.end = places[last].offset + places[last].length;
    return unit;
}

struct jcc_layout_place *jcc_plain_places(const struct jcc_code *code)
{
    struct jcc_layout_place *places = calloc(code->count + 1, sizeof *places);
    for (size_t k = 0; places && k < code->count; k++) {
        uint32_t end = k + 1 < code->count ? code->sources[k + 1].plain : code->size;
        places[k].offset = code->sources[k].plain;
        places[k].length = end - places[k].offset;
    }
    return places;
}
