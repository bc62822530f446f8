// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout_plan.h"
#include <jccsafe/insn.h>

// The others are for later versions to give a meaning.
#define FLAGS_KNOWN (2u * JCC_ITEM_FUSES - 1)

static bool insn_is_sound(const struct jcc_layout_item *item, uint32_t count)
{
    bool relax = item->flags & JCC_ITEM_RELAX;
    bool short_only = item->flags & JCC_ITEM_SHORT_ONLY;

    if (item->length == 0 || item->length > JCC_INSN_MAX)
        return false;
    if (item->kind >= JCC_KIND_COUNT || item->kind == JCC_KIND_FUSED)
        return false;
    if (relax && (item->long_length < item->length || item->long_length > JCC_INSN_MAX))
        return false;
    if ((relax || short_only) && item->target > count) // JCC_LAYOUT_NO_TARGET is beyond every count
        return false;
    return !(relax && short_only);
}

// A PAIR is what compares, and behind it a conditional jump that nothing may part from it.
static bool is_first_of_pair(const struct jcc_layout_item *item)
{
    return item->kind == JCC_KIND_NONE && !(item->flags & (JCC_ITEM_RELAX | JCC_ITEM_SHORT_ONLY));
}

static bool is_second_of_pair(const struct jcc_layout_item *item)
{
    return item->type == JCC_ITEM_INSN && item->kind == JCC_KIND_JCC && !(item->flags & (JCC_ITEM_SITE | JCC_ITEM_PAIR));
}

// An alignment that FUSES, or more of them, stands where the two of a pair would touch.
static bool is_between_pair(const struct jcc_layout_item *items, uint32_t index, uint32_t count)
{
    const struct jcc_layout_item *before = index > 0 ? &items[index - 1] : NULL, *behind = index + 1 < count ? &items[index + 1] : NULL;

    if (before == NULL || behind == NULL || (items[index].flags & JCC_ITEM_SITE))
        return false;
    if (before->type == JCC_ITEM_ALIGN ? !(before->flags & JCC_ITEM_FUSES) : before->type != JCC_ITEM_INSN || !is_first_of_pair(before))
        return false;
    return behind->type == JCC_ITEM_ALIGN ? behind->flags & JCC_ITEM_FUSES : is_second_of_pair(behind);
}

static bool item_is_sound(const struct jcc_layout_item *items, uint32_t index, uint32_t count)
{
    const struct jcc_layout_item *item = &items[index];
    const unsigned insn_only = JCC_ITEM_PAIR | JCC_ITEM_RELAX | JCC_ITEM_SHORT_ONLY;

    if (item->flags & ~FLAGS_KNOWN || item->reserved[0] || item->reserved[1])
        return false;
    if (item->type != JCC_ITEM_INSN && (item->flags & insn_only))
        return false;
    if ((item->flags & JCC_ITEM_FUSES) && (item->type != JCC_ITEM_ALIGN || !is_between_pair(items, index, count)))
        return false;
    switch (item->type) {
    case JCC_ITEM_INSN:
        if ((item->flags & JCC_ITEM_PAIR) && (!is_first_of_pair(item) || index + 1 == count || !is_second_of_pair(item + 1)))
            return false;
        return insn_is_sound(item, count);
    case JCC_ITEM_ALIGN: return item->length != 0 && (item->length & (item->length - 1)) == 0;
    case JCC_ITEM_DATA: return true;
    default: return false;
    }
}

enum jcc_status layout_check_items(const struct jcc_layout_item *items, uint32_t count)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (!item_is_sound(items, i, count))
            return JCC_ERROR_ARGUMENT;
        if (items[i].type != JCC_ITEM_ALIGN)
            bytes += items[i].length;
    }
    return bytes > LAYOUT_BYTES_MAX ? JCC_ERROR_LIMIT : JCC_OK;
}
