// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each branch goes to, and which distances the source fixes.
#include "measure.h"

#include <stdlib.h>
#include <string.h>

struct pins {
    const struct jcc_measure *m;
    struct jcc_code *code;
    int32_t *change; // at each item: how many pinned spans begin less how many end
    bool *entered;   // at each item: a branch of this section goes to it
    bool lost;       // something is not followed without a plain object
};

// Items behind FROM up to TO keep their distances.
static void pin(struct pins *p, uint32_t from, uint32_t to)
{
    if (from > to) {
        uint32_t swap = from;
        from = to;
        to = swap;
    }
    if (to >= p->code->count)
        to = (uint32_t)p->code->count - 1;
    if (from >= to)
        return;
    p->change[from + 1]++;
    p->change[to + 1]--;
}

// The item that holds plain offset OFFSET: the first that begins there, else the one around it; count at the section's end.
static uint32_t item_at(const struct jcc_code *code, uint32_t offset)
{
    size_t low = 0, high = code->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (code->sources[middle].plain < offset)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < code->count && code->sources[low].plain == offset)
        return (uint32_t)low;
    return offset >= code->size || !low ? (uint32_t)code->count : (uint32_t)low - 1;
}

static uint32_t place_of(const struct jcc_code *code, uint32_t item)
{
    return item < code->count ? code->sources[item].plain : code->size;
}

// Keep the distance from item FROM to TARGET, an offset in the plain section; one that lies inside an item takes that in.
static void pin_place(struct pins *p, uint32_t from, int64_t target)
{
    if (target < 0 || target > p->code->size)
        return;
    uint32_t goal = item_at(p->code, (uint32_t)target);
    pin(p, from, goal);
    if (goal < p->code->count && place_of(p->code, goal) != target)
        pin(p, from, goal + 1);
}

// The first label of this section that the statement's operands name, or JCC_NO_LABEL; *PLAIN tells that they are that name alone.
static uint32_t operand_label(const struct pins *p, uint32_t statement, bool *plain)
{
    const struct jcc_statement *s = &p->m->scan->statements[statement];
    size_t length, n;
    const char *name, *operands = jcc_statement_operands(p->m->scan, s, &length);
    struct jcc_lexer lexer = {operands, operands + length};
    *plain = false;
    if (!jcc_lexer_name(&lexer, &name, &n))
        return JCC_NO_LABEL;
    bool quoted = name > operands && name[-1] == '"';
    *plain = n + 2 * quoted == length && !(n == 1 && *name == '.');
    uint32_t label = jcc_source_labels_find(p->m->labels, name, n, statement);
    return label != JCC_NO_LABEL && p->m->labels->list[label].section == p->code->section ? label : JCC_NO_LABEL;
}

// A relative branch without relocation.
static void resolve_branch(struct pins *p, uint32_t index)
{
    struct jcc_layout_item *item = &p->code->items[index];
    const struct jcc_item_source *source = &p->code->sources[index];
    bool plain;
    uint32_t label = operand_label(p, source->last, &plain);
    bool movable = item->flags & (JCC_ITEM_RELAX | JCC_ITEM_SHORT_ONLY);
    if (plain && !movable)
        return;             // a call: LLVM resolves the name
    if (!p->code->object) { // the lessons know branches to labels of this section alone
        item->target = label != JCC_NO_LABEL ? p->m->labels->list[label].item : JCC_LAYOUT_NO_TARGET;
        return;
    }
    const uint8_t *bytes = p->code->object->bytes + source->plain;
    struct jcc_insn insn;
    if (jcc_insn_decode(p->m->mode, bytes, p->code->size - source->plain, &insn))
        return;
    uint64_t wide = jcc_insn_target(p->m->mode, &insn, bytes, source->plain);
    uint32_t target = wide > p->code->size ? p->code->size : (uint32_t)wide;
    if (plain && label != JCC_NO_LABEL && place_of(p->code, p->m->labels->list[label].item) == target) {
        item->target = p->m->labels->list[label].item;
        return;
    }
    uint32_t goal = item_at(p->code, target);
    item->target = goal;
    if (plain)
        return; // another name for a place: `.set alias, label`
    // .+N, label+N: the bytes between are counted by hand.
    pin(p, label != JCC_NO_LABEL ? p->m->labels->list[label].item : index, goal);
    if (place_of(p->code, goal) != target) { // into the middle of an instruction
        pin(p, index, goal < p->code->count ? goal + 1 : goal);
        item->flags &= (uint16_t) ~(JCC_ITEM_RELAX | JCC_ITEM_SHORT_ONLY);
        item->target = JCC_LAYOUT_NO_TARGET;
    }
}

// A rip-relative operand without relocation: LLVM resolved a name, or the text counts the bytes itself.
static void pin_near(struct pins *p, uint32_t index)
{
    const struct jcc_statement *s = &p->m->scan->statements[p->code->sources[index].last];
    size_t length, n;
    const char *name, *operands = jcc_statement_operands(p->m->scan, s, &length);
    struct jcc_lexer lexer = {operands, operands + length};
    if (!p->code->object || (jcc_lexer_name(&lexer, &name, &n) && !(n == 1 && *name == '.')))
        return;
    uint32_t at = p->code->sources[index].plain;
    const uint8_t *bytes = p->code->object->bytes + at;
    struct jcc_insn insn;
    int32_t displacement;
    if (jcc_insn_decode(p->m->mode, bytes, p->code->size - at, &insn) || insn.disp_size != sizeof displacement)
        return;
    memcpy(&displacement, bytes + insn.disp_offset, sizeof displacement);
    int64_t target = (int64_t)at + insn.length + displacement;
    pin_place(p, index, target);
}

static bool in_order_of_text(const struct jcc_code *code)
{
    for (size_t k = 1; k < code->count; k++)
        if (code->sources[k].first < code->sources[k - 1].first)
            return false;
    return true;
}

// The item that STATEMENT is of, or the next one behind it. ORDERED: the items stand in the order of the text.
static uint32_t item_of_statement(const struct jcc_code *code, uint32_t statement, bool ordered)
{
    size_t low = 0, high = code->count;
    while (ordered && low < high) {
        size_t middle = (low + high) / 2;
        if (code->sources[middle].last < statement)
            low = middle + 1;
        else
            high = middle;
    }
    if (ordered)
        return (uint32_t)low;
    uint32_t next = (uint32_t)code->count;
    for (uint32_t k = 0; k < code->count; k++) {
        if (code->sources[k].first <= statement && statement <= code->sources[k].last)
            return k;
        if (code->sources[k].first > statement && (next == code->count || code->sources[k].first < code->sources[next].first))
            next = k;
    }
    return next;
}

// Places counted from labels. False: one of them is counted in a way that is not followed.
static bool pin_distances(struct pins *p)
{
    const struct jcc_distances *all = &p->m->distances;
    size_t k, end;
    jcc_distances_of(all, p->code->section, &k, &end);
    if (k < end && !p->code->object)
        return false; // where such a place is takes the object
    bool ordered = k < end && in_order_of_text(p->code);
    for (; k < end; k++) {
        const struct jcc_distance *d = &all->list[k];
        if (!d->known)
            return false;
        uint32_t from = d->label == JCC_NO_LABEL ? item_of_statement(p->code, d->statement, ordered) : p->m->labels->list[d->label].item;
        pin_place(p, from, (int64_t)place_of(p->code, from) + d->bytes);
    }
    return true;
}

// Whether control runs from item INDEX into the next one; through alignments too.
static bool falls_through(const struct jcc_code *code, const struct jcc_measure *m, uint32_t index)
{
    struct jcc_insn insn;
    while (index && code->items[index].type == JCC_ITEM_ALIGN)
        index--;
    const struct jcc_layout_item *item = &code->items[index];
    return item->type == JCC_ITEM_INSN &&
           !jcc_insn_decode(m->mode, code->object->bytes + code->sources[index].plain, code->size - code->sources[index].plain, &insn) &&
           !(insn.flags & JCC_INSN_ENDS_FLOW);
}

// Branches written as data that control runs into: they pin everything up to their target. Returns the last item of the run of data at INDEX.
static uint32_t pin_data(struct pins *p, uint32_t index)
{
    const struct jcc_code *code = p->code;
    uint32_t last = index;
    while (last + 1 < code->count && code->items[last + 1].type == JCC_ITEM_DATA)
        last++;
    bool entered = false;
    for (uint32_t k = index; k <= last && !entered; k++)
        entered = p->entered[k];
    if (!code->object) { // the walk takes no data then that control could run into
        p->lost |= entered;
        return last;
    }
    if (!entered && index && !falls_through(code, p->m, index - 1))
        return last;
    uint32_t at = code->sources[index].plain, end = code->sources[last].plain + code->items[last].length;
    struct jcc_insn insn;
    for (; at < end && !jcc_insn_decode(p->m->mode, code->object->bytes + at, code->size - at, &insn); at += insn.length) {
        if (!(insn.flags & JCC_INSN_RELATIVE))
            continue;
        uint64_t target = jcc_insn_target(p->m->mode, &insn, code->object->bytes + at, at);
        if (target < code->size && (target < code->sources[index].plain || target >= end))
            pin(p, item_at(code, at), item_at(code, (uint32_t)target));
    }
    return last;
}

// A directive whose size is computed from places: what lies between may not change.
static void pin_size(struct pins *p, uint32_t index)
{
    uint32_t statement = p->code->sources[index].first;
    const struct jcc_statement *s = &p->m->scan->statements[statement];
    bool assigns_place = s->type == JCC_STATEMENT_ASSIGN;
    if (!assigns_place && (s->type != JCC_STATEMENT_DIRECTIVE || jcc_directive_unit((enum jcc_directive)s->directive)))
        return;
    size_t length, n;
    const char *name, *operands = jcc_statement_operands(p->m->scan, s, &length);
    struct jcc_lexer lexer = {operands, operands + length};
    bool any = false;
    while (jcc_lexer_name(&lexer, &name, &n)) {
        uint32_t label = jcc_source_labels_find(p->m->labels, name, n, statement);
        if (label == JCC_NO_LABEL || p->m->labels->list[label].section != p->code->section)
            continue;
        pin(p, p->m->labels->list[label].item, index);
        any = true;
    }
    if (!any && (assigns_place || s->directive == JCC_DIRECTIVE_ORG))
        pin(p, 0, index); // from the section's start
}

static void resolve_instructions(struct pins *p)
{
    for (uint32_t k = 0; k < p->code->count; k++) {
        const struct jcc_layout_item *item = &p->code->items[k];
        if (p->code->sources[k].relative)
            resolve_branch(p, k);
        else if (p->code->sources[k].near)
            pin_near(p, k);
        if (item->target < p->code->count)
            p->entered[item->target] = true;
    }
}

static void resolve_data(struct pins *p)
{
    for (size_t k = 0; k < p->m->labels->count; k++) {
        const struct jcc_label *label = &p->m->labels->list[k];
        if (label->section == p->code->section && label->entered && label->item < p->code->count)
            p->entered[label->item] = true;
    }
    for (uint32_t k = 0; k < p->code->count; k++) {
        if (p->code->items[k].type != JCC_ITEM_DATA)
            continue;
        uint32_t last = pin_data(p, k);
        for (; k < last; k++)
            pin_size(p, k);
        pin_size(p, k);
    }
}

enum jcc_status jcc_targets_resolve(struct jcc_measure *m, struct jcc_code *code)
{
    struct pins p = {m, code, calloc(code->count + 2, sizeof *p.change), calloc(code->count + 1, sizeof *p.entered), false};
    bool ok = p.change && p.entered;
    if (ok) {
        resolve_instructions(&p);
        resolve_data(&p);
        code->followed = pin_distances(&p) && !p.lost;
    }
    int32_t depth = 0;
    for (uint32_t k = 0; ok && k < code->count; k++) {
        depth += p.change[k];
        if (depth > 0)
            code->items[k].flags |= JCC_ITEM_PINNED;
    }
    free(p.change);
    free(p.entered);
    return ok ? JCC_OK : JCC_ERROR_NO_MEMORY;
}
