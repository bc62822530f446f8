// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <jccsafe/layout.h>
#include <stdbool.h>
#include <string.h>

// The weight is the depth and 1, up to this. It grows slowly because a byte is paid for whether it is executed or not: 8 times a level, which is nearer
// to how often loops run, made sqlite half a per cent larger, and most of what it took out of the loops these weights do, too.
#define WEIGHT_MAX 5u

// In an innermost loop, where most time is spent: at the default price a no-operation there costs as much as 31 bytes do. At 32 bytes, to move the loop
// by a whole boundary would always be better.
#define WEIGHT_INNERMOST 45u

// Items that are looked at in all to find out which backward branches close a loop, as a multiple of the number of items:
// keeps the time linear. What is beyond is taken as no loop.
#define BUDGET_PER_ITEM 64u

static bool is_branch(const struct jcc_layout_item *item)
{
    return item->type == JCC_ITEM_INSN && (item->flags & (JCC_ITEM_RELAX | JCC_ITEM_SHORT_ONLY));
}

// Where an indirect jump goes to is not known: to whatever nothing falls into, if it stands in a loop that is entered from above. (Where
// the head is not, it may be a function's start, which other functions jump to.)
static bool jumps_anywhere(const struct jcc_layout_item *items, uint32_t head, uint32_t index, uint32_t last)
{
    bool is_jump = items[index].kind == JCC_KIND_INDIRECT && index < last && (items[index + 1].flags & JCC_ITEM_DEAD);

    return is_jump && !(items[head].flags & JCC_ITEM_DEAD);
}

// A backward branch closes a loop where control comes from its target, the head, to it. It does not where it leads from a block
// at the function's end back into the middle, or calls an earlier function as its last act. So follow control
// from HEAD on, forwards, as far as item LAST. Returns the last branch to HEAD that it comes to, plus 1; 0: none.
// MARKS are words of any value but HEAD + 1 from HEAD on.
static uint32_t find_loop_end(const struct jcc_layout_item *items, uint32_t head, uint32_t last, uint32_t *marks, uint64_t *budget)
{
    uint32_t farthest = head, end = 0;
    bool reached = true, anywhere = false;

    for (uint32_t i = head; i <= last && *budget > 0; i++, --*budget) {
        const struct jcc_layout_item *item = &items[i];

        if (i > head && (item->flags & JCC_ITEM_DEAD))
            reached = anywhere;
        if (marks[i] == head + 1)
            reached = true;
        if (!reached) {
            if (farthest < i)
                break;
            continue;
        }
        anywhere |= jumps_anywhere(items, head, i, last);
        if (!is_branch(item))
            continue;
        if (item->target == head)
            end = i + 1;
        if (item->target > i && item->target <= last) {
            marks[item->target] = head + 1;
            farthest = item->target > farthest ? item->target : farthest;
        }
    }
    return end;
}

// Set each head's weight to its loop's last item, plus 1, and all others to 0.
static void find_loops(struct jcc_layout_item *items, uint32_t count, uint32_t *marks)
{
    uint64_t budget = (uint64_t)BUDGET_PER_ITEM * count;

    for (uint32_t i = 0; i < count; i++)
        items[i].weight = 0;
    for (uint32_t i = 0; i < count; i++)
        if (is_branch(&items[i]) && items[i].target <= i)
            items[items[i].target].weight = i + 1;
    memset(marks, 0, count * sizeof *marks);
    for (uint32_t i = 0; i < count; i++)
        if (items[i].weight != 0)
            items[i].weight = find_loop_end(items, i, items[i].weight - 1, marks, &budget);
}

// Whether no other loop begins in the one from HEAD to item LAST; the weights from HEAD on are as find_loops leaves them.
static bool is_innermost(const struct jcc_layout_item *items, uint32_t head, uint32_t last)
{
    for (uint32_t i = head + 1; i <= last; i++)
        if (items[i].weight != 0)
            return false;
    return true;
}

static uint16_t loop_flags(uint16_t flags, bool in_loop, bool in_innermost)
{
    flags &= (uint16_t) ~(JCC_ITEM_LOOP | JCC_ITEM_INNERMOST);
    return (uint16_t)(flags | (in_loop ? JCC_ITEM_LOOP : 0) | (in_innermost ? JCC_ITEM_INNERMOST : 0));
}

void jcc_layout_weights(struct jcc_layout_item *items, size_t count, uint32_t *scratch)
{
    uint32_t *ending = scratch; // loops that end at the item
    uint32_t depth = 0, depth_before = 0;
    size_t inner_end = 0; // item behind the innermost loop that was begun last

    if (count == 0)
        return;
    find_loops(items, (uint32_t)count, scratch);
    memset(ending, 0, count * sizeof *ending);
    for (size_t i = 0; i < count; i++)
        if (items[i].weight != 0)
            ending[items[i].weight - 1]++;
    for (size_t i = 0; i < count; i++) {
        uint32_t end = items[i].weight, lesser;
        bool runs_each_time = i < inner_end; // a pad before the head stands in front of the loop

        if (end != 0) {
            depth++;
            if (is_innermost(items, (uint32_t)i, end - 1))
                inner_end = end;
        }
        lesser = depth < depth_before ? depth : depth_before;
        items[i].weight = lesser + 1 < WEIGHT_MAX ? lesser + 1 : WEIGHT_MAX;
        if (runs_each_time && items[i].weight < WEIGHT_INNERMOST)
            items[i].weight = WEIGHT_INNERMOST;
        items[i].flags = loop_flags(items[i].flags, depth != 0, i < inner_end);
        depth_before = depth;
        depth -= ending[i];
    }
}
