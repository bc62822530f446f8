// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <jccsafe/layout.h>
#include <stdbool.h>
#include <string.h>

// Weights of 1, 8, 64, 512 and 4096: shift by three bits a level, four levels at most.
#define LEVEL_SHIFT 3u
#define LEVELS_MAX  4u

static bool is_backward_branch(const struct jcc_layout_item *items, size_t index)
{
    const struct jcc_layout_item *item = &items[index];

    return item->type == JCC_ITEM_INSN && (item->flags & (JCC_ITEM_RELAX | JCC_ITEM_SHORT_ONLY)) && item->target <= index;
}

static uint32_t weight_of(uint32_t depth)
{
    return 1u << (LEVEL_SHIFT * (depth < LEVELS_MAX ? depth : LEVELS_MAX));
}

// A backward branch makes a loop of its target, the head, to itself; branches to the same head are one loop, to the last of them.
// Loops that overlap without nesting count one each where they overlap.
void jcc_layout_weights(struct jcc_layout_item *items, size_t count, uint32_t *scratch)
{
    uint32_t *last = scratch; // by head: its loop's last item, plus 1
    uint32_t depth = 0, depth_before = 0;

    if (count == 0)
        return;
    memset(last, 0, count * sizeof *last);
    for (size_t i = 0; i < count; i++)
        if (is_backward_branch(items, i))
            last[items[i].target] = (uint32_t)i + 1;
    // The weights hold meanwhile how many loops end at their item.
    for (size_t i = 0; i < count; i++)
        items[i].weight = 0;
    for (size_t head = 0; head < count; head++)
        if (last[head] != 0)
            items[last[head] - 1].weight++;
    for (size_t i = 0; i < count; i++) {
        uint32_t ending = items[i].weight;

        depth += last[i] != 0;
        items[i].weight = weight_of(depth < depth_before ? depth : depth_before);
        depth_before = depth;
        depth -= ending;
    }
}
