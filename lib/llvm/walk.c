// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One section of the plain object, walked beside the statements that made it.
#include "compat.h"
#include "lessons.h"
#include "operands.h"
#include "walker.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

// The longest run of data that is looked at as prefixes written by hand.
#define HAND_PREFIX_MAX 4

static void start_gap(struct jcc_walker *w, uint32_t end)
{
    w->anchor = w->dead_anchor = end;
    w->label_seen = w->cfi_after_label = w->label_in_data = false;
    w->joined = false;
}

static uint16_t site_flags(const struct jcc_walker *w, const struct jcc_insn *next)
{
    if (!w->code->count || w->joined || w->in_tls || w->before_is_data || !w->before_is_insn)
        return 0;
    const struct jcc_insn *b = &w->before;
    if (b->flags & JCC_INSN_ENDS_FLOW)
        return JCC_ITEM_SITE | JCC_ITEM_DEAD;
    if (b->flags & JCC_INSN_SHADOW || w->cfi_after_label)
        return 0;
    if (next && b->flags & JCC_INSN_NOP && next->flags & JCC_INSN_NOP)
        return 0; // room for a call that is patched in (-fpatchable-function-entry)
    if (next && next->flags & JCC_INSN_ENDBR)
        return 0; // setjmp returns to it, and an indirect jump must find it first
    bool call = b->kind == JCC_KIND_CALL || b->kind == JCC_KIND_INDIRECT;
    if (call && w->label_in_data)
        return 0; // the label is the return address that the data speaks of
    return JCC_ITEM_SITE;
}

// FLAGS of an item that begins with statement FIRST, as regions in which nothing is added have it. *BEFORE: its pad must stand behind the
// region's last comment, so right before the statement.
static uint16_t keep_region(struct jcc_walker *w, size_t first, uint16_t flags, bool *before)
{
    bool off = w->m->scan->mark_count && jcc_scan_is_off(w->m->scan, first), was_off = w->was_off && w->code->count;
    w->was_off = off;
    if (off)
        return (uint16_t)(was_off ? (flags & ~JCC_ITEM_SITE) | JCC_ITEM_PINNED | JCC_ITEM_EXEMPT : flags | JCC_ITEM_EXEMPT);
    if (!was_off)
        return flags;
    bool may_grow = w->code->items[w->code->count - 1].flags & JCC_ITEM_RELAX;
    *before = flags & JCC_ITEM_SITE && !w->label_seen && !may_grow;
    if (!*before)
        flags &= (uint16_t)~JCC_ITEM_SITE;
    return may_grow ? flags | JCC_ITEM_PINNED : flags; // the last of the region may not grow either
}

static struct jcc_layout_item *add_item(struct jcc_walker *w, size_t first, size_t last, uint32_t at, uint16_t flags)
{
    struct jcc_code *c = w->code;
    if (!jcc_grow(&c->items, &c->item_capacity, c->count + 1, sizeof *c->items) ||
        !jcc_grow(&c->sources, &c->source_capacity, c->count + 1, sizeof *c->sources)) {
        w->no_memory = true;
        return NULL;
    }
    if (!c->count)
        c->first_statement = (uint32_t)first;
    struct jcc_layout_item *item = &c->items[c->count];
    bool before_statement = false;
    flags = keep_region(w, first, flags, &before_statement);
    *item = (struct jcc_layout_item){.target = JCC_LAYOUT_NO_TARGET, .weight = 1, .flags = flags};
    uint32_t anchor = before_statement           ? w->m->scan->statements[first].begin
                      : !(flags & JCC_ITEM_SITE) ? JCC_NO_ANCHOR
                      : flags & JCC_ITEM_DEAD    ? w->dead_anchor
                                                 : w->anchor;
    c->sources[c->count] = (struct jcc_item_source){
        .first = (uint32_t)first, .last = (uint32_t)last, .plain = at, .anchor = anchor, .anchor_is_before = before_statement};
    c->count++;
    return item;
}

static bool starts_tls_sequence(const struct jcc_walker *w, uint32_t type)
{
    return w->m->mode == JCC_MODE_64 ? type == R_X86_64_TLSGD || type == R_X86_64_TLSLD : type == R_386_TLS_GD || type == R_386_TLS_LDM;
}

// Relocations whose instruction a linker knows by its bytes, prefixes and all.
static bool is_matched_by_linkers(const struct jcc_walker *w, uint32_t type)
{
    if (w->m->mode == JCC_MODE_64)
        return starts_tls_sequence(w, type) || type == R_X86_64_GOTTPOFF || type == R_X86_64_GOTPC32_TLSDESC ||
               type == R_X86_64_TLSDESC_CALL || type == R_X86_64_TPOFF32 || type == R_X86_64_TPOFF64 || type == R_X86_64_DTPOFF32 ||
               type == R_X86_64_DTPOFF64;
    return starts_tls_sequence(w, type) || (type >= R_386_TLS_TPOFF && type <= R_386_TLS_LE) ||
           (type >= R_386_TLS_GD_32 && type <= R_386_TLS_DESC);
}

// `addl $_GLOBAL_OFFSET_TABLE_, %ebx` counts from its own first byte and finds there what the call right before it returned: the two, and
// a pop between them, keep together.
static bool counts_from_call(const struct jcc_walker *w, const struct jcc_insn *insn, uint32_t relocation)
{
    if (insn->flags & JCC_INSN_RIP_RELATIVE)
        return false;
    return w->m->mode == JCC_MODE_64 ? relocation == R_X86_64_GOTPC32 || relocation == R_X86_64_GOTPC64 : relocation == R_386_GOTPC;
}

// Take the sites of the item last added and of the instruction before it.
static void keep_to_call(struct jcc_walker *w)
{
    struct jcc_layout_item *item = &w->code->items[w->code->count - 1];
    item->flags &= (uint16_t) ~(JCC_ITEM_SITE | JCC_ITEM_DEAD);
    item->prefix_room = 0;
    if (w->code->count < 2 || item[-1].type != JCC_ITEM_INSN || item[-1].kind != JCC_KIND_NONE)
        return;
    if (!(item[-1].flags & JCC_ITEM_DEAD))
        item[-1].flags &= (uint16_t)~JCC_ITEM_SITE;
    item[-1].prefix_room = 0;
}

static bool fuses(const struct jcc_insn *first, const struct jcc_insn *second)
{
    return second->kind == JCC_KIND_JCC && first->pair != JCC_PAIR_NONE && jcc_pair_fuses((enum jcc_pair)first->pair, second->condition);
}

// Make the item a jump that may change its length, when its target is a place of this object. One that LLVM made long need not be: it does not take
// growth back that an alignment has made needless. WRITTEN: the source says which form it has.
static void set_branch(struct jcc_layout_item *item, const struct jcc_insn *insn, uint32_t relocation, bool written)
{
    if (!(insn->flags & JCC_INSN_RELATIVE) || relocation)
        return;
    if (insn->flags & JCC_INSN_SHORT_ONLY) {
        item->flags |= JCC_ITEM_SHORT_ONLY;
    } else if ((insn->kind == JCC_KIND_JCC || insn->kind == JCC_KIND_JMP) && insn->imm_size != 2) {
        unsigned grow = insn->kind == JCC_KIND_JCC ? 4 : 3; // 0f 8x rel32 for 7x rel8, e9 rel32 for eb rel8
        bool is_long = insn->imm_size != 1;
        item->flags |= is_long && written ? JCC_ITEM_RELAX | JCC_ITEM_LONG : JCC_ITEM_RELAX;
        item->length = is_long ? insn->length - grow : insn->length;
        item->long_length = (uint8_t)(item->length + grow);
    }
}

// Whether the source says which form the jump has: {disp32} jmp, jmp.d32, or bytes before it.
static bool form_is_written(const struct jcc_walker *w, const struct jcc_statement *s, bool hand_written)
{
    const char *text = w->m->scan->text;
    return hand_written || text[s->begin] == '{' || memchr(text + s->name, '.', s->name_length);
}

// The jump last added fuses with the instruction before the alignments between them, where these come to nothing.
static void fuse_over_alignments(struct jcc_walker *w)
{
    struct jcc_layout_item *item = &w->code->items[w->code->count - 1];
    uint16_t exempt = item->flags & JCC_ITEM_EXEMPT;
    while ((--item)->type == JCC_ITEM_ALIGN) {
        item->flags |= JCC_ITEM_FUSES;
        item->flags &= (uint16_t)~JCC_ITEM_SITE;
    }
    item->flags |= exempt;
}

static void take_instruction(struct jcc_walker *w, size_t index)
{
    const struct jcc_statement *s = &w->m->scan->statements[index];
    size_t first = w->pending != SIZE_MAX ? w->pending : index;
    uint32_t at = w->pending != SIZE_MAX ? w->pending_at : w->at;
    w->pending = SIZE_MAX;
    struct jcc_seen seen;
    if (!(w->object ? jcc_see_bytes(w, index, at, &seen) : jcc_see_lesson(w->m->lessons, w->code->section, index, &seen))) {
        w->lost = true;
        return;
    }
    const struct jcc_insn insn = seen.insn;
    const uint32_t relocation = seen.relocation;
    uint16_t flags = site_flags(w, &insn);
    bool pair = w->before_is_insn && w->code->count && fuses(&w->before, &insn);
    struct jcc_layout_item *item = add_item(w, first, index, at, pair ? 0 : flags);
    if (!item)
        return;
    item->length = seen.length;
    item->kind = insn.kind;
    bool tls = starts_tls_sequence(w, relocation);
    bool hand_written = first != index;
    if (!hand_written && !w->in_tls && !(item->flags & JCC_ITEM_EXEMPT) && !is_matched_by_linkers(w, relocation) &&
        insn.kind == JCC_KIND_NONE && !(insn.flags & JCC_INSN_NOP))
        item->prefix_room = (uint8_t)jcc_prefix_room(&insn, w->m->policy->prefix_limit);
    w->code->sources[w->code->count - 1].prefix = insn.prefix_byte;
    w->code->sources[w->code->count - 1].relative = (insn.flags & JCC_INSN_RELATIVE) && !relocation;
    w->code->sources[w->code->count - 1].doubtful = (insn.flags & JCC_INSN_DOUBTFUL_PAIR) != 0;
    w->code->sources[w->code->count - 1].near = (insn.flags & JCC_INSN_RIP_RELATIVE) && !relocation;
    set_branch(item, &insn, relocation, form_is_written(w, s, hand_written));
    if (counts_from_call(w, &insn, relocation))
        keep_to_call(w);
    if (pair) {
        item[-1].flags |= JCC_ITEM_PAIR;
        item[-1].prefix_room = 0;
        item[-1].flags |= item->flags & JCC_ITEM_EXEMPT;
    }
    if (w->before_is_align && fuses(&w->before, &insn) && !(item->flags & JCC_ITEM_SITE))
        fuse_over_alignments(w);
    if (tls)
        w->in_tls = true;
    else if (w->in_tls && (insn.kind == JCC_KIND_CALL || insn.kind == JCC_KIND_INDIRECT))
        w->in_tls = false;
    w->before = insn;
    w->before_is_insn = true;
    w->before_is_align = w->before_is_data = false;
    w->at = at + seen.length;
    start_gap(w, s->end);
}

// Whether [at, at + length) is nothing but prefix bytes.
static bool is_prefixes(const struct jcc_walker *w, uint32_t at, uint32_t length)
{
    static const uint8_t prefixes[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf0, 0xf2, 0xf3};
    if (!w->bytes || !length || length > HAND_PREFIX_MAX || at + length > w->size)
        return false;
    for (uint32_t k = 0; k < length; k++) {
        uint8_t b = w->bytes[at + k];
        if (!memchr(prefixes, b, sizeof prefixes) && !(w->m->mode == JCC_MODE_64 && (b & 0xf0) == 0x40))
            return false;
    }
    return true;
}

// Whether the next statement of this section after INDEX is an instruction or more prefixes, with no label before it.
static bool instruction_follows(const struct jcc_walker *w, size_t index)
{
    const struct jcc_scan *scan = w->m->scan;
    if (index + 1 >= scan->count)
        return false;
    const struct jcc_statement *next = &scan->statements[index + 1];
    return next->type == JCC_STATEMENT_INSN || next->type == JCC_STATEMENT_PREFIX ||
           (next->type == JCC_STATEMENT_DIRECTIVE && jcc_directive_unit((enum jcc_directive)next->directive));
}

static void take_data(struct jcc_walker *w, size_t index, uint32_t length)
{
    const struct jcc_statement *s = &w->m->scan->statements[index];
    if (length > w->size - w->at) {
        w->lost = true;
        return;
    }
    if (!length) { // it only keeps its place, for what its size is measured from
        struct jcc_layout_item *empty = add_item(w, index, index, w->at, 0);
        if (empty)
            empty->type = JCC_ITEM_DATA;
        w->anchor = w->dead_anchor = s->end;
        return;
    }
    if (is_prefixes(w, w->at, length) && instruction_follows(w, index)) {
        if (w->pending == SIZE_MAX) {
            w->pending = index;
            w->pending_at = w->at;
        }
        w->at += length;
        return;
    }
    if (w->pending != SIZE_MAX) { // prefixes before more data: all of it is data
        size_t first = w->pending;
        uint32_t at = w->pending_at;
        w->pending = SIZE_MAX;
        struct jcc_layout_item *waiting = add_item(w, first, index, at, 0);
        if (!waiting)
            return;
        waiting->type = JCC_ITEM_DATA;
        waiting->length = w->at - at;
    }
    struct jcc_insn insn;
    bool whole = w->bytes && jcc_insn_decode(w->m->mode, w->bytes + w->at, length, &insn) == JCC_OK && insn.length == length &&
                 insn.kind == JCC_KIND_RET;
    uint16_t flags = site_flags(w, NULL);
    if (!w->bytes && !(flags & JCC_ITEM_DEAD) && !w->before_is_data) { // control may run into it: an instruction made by hand
        w->lost = true;
        return;
    }
    // Without a label between, data behind a jump or a trap is found by its distance from that.
    bool may_move = whole || (flags & JCC_ITEM_DEAD && w->label_seen);
    struct jcc_layout_item *item = add_item(w, index, index, w->at, may_move ? flags : 0);
    if (!item)
        return;
    item->length = length;
    item->type = whole ? JCC_ITEM_INSN : JCC_ITEM_DATA; // `.byte 0xf3,0xc3` is rep ret
    item->kind = whole ? JCC_KIND_RET : JCC_KIND_NONE;
    w->before_is_insn = whole;
    w->before_is_align = false;
    w->before_is_data = !whole;
    if (whole)
        w->before = insn;
    w->at += length;
    start_gap(w, s->end);
}

static void take_alignment(struct jcc_walker *w, size_t index)
{
    const struct jcc_statement *s = &w->m->scan->statements[index];
    uint64_t align, fill = 0, skip;
    bool has_fill;
    if (!jcc_operands_alignment(w->m->scan, s, &align, &fill, &has_fill, &skip)) {
        w->lost = true;
        return;
    }
    if (!w->bytes && skip >= align) { // LLVM warns of it
        w->lost = true;
        return;
    }
    if (align == 1)
        return; // nothing, wherever it stands
    uint32_t gap = (uint32_t)(-(uint64_t)w->at & (align - 1));
    if (skip && gap > skip)
        gap = 0;
    if (gap > w->size - w->at) {
        w->lost = true;
        return;
    }
    uint16_t flags = site_flags(w, NULL);
    bool dead = w->before_is_insn && w->before.flags & JCC_INSN_ENDS_FLOW && !w->label_seen;
    // Two alignments in a row: what flows into the first flows into the second.
    if (w->code->count && w->code->items[w->code->count - 1].type == JCC_ITEM_ALIGN && !w->label_seen)
        dead = (w->code->items[w->code->count - 1].flags & JCC_ITEM_DEAD) != 0;
    struct jcc_layout_item *item = add_item(w, index, index, w->at, (uint16_t)(flags | (dead ? JCC_ITEM_DEAD : 0)));
    if (!item)
        return;
    item->type = JCC_ITEM_ALIGN;
    item->length = (uint32_t)align;
    item->max_skip = (uint32_t)(skip < align ? skip : 0);
    struct jcc_item_source *source = &w->code->sources[w->code->count - 1];
    if (has_fill && fill != 0x90) {
        source->fill = JCC_FILL_BYTE;
        source->fill_byte = (uint8_t)fill;
    } else if (has_fill) {
        // Kept as written where nobody executes it, and where this LLVM keeps it.
        source->fill = dead || JCC_FILL_0X90_IS_LITERAL ? JCC_FILL_NOP_BYTE : JCC_FILL_NOPS;
    }
    if (align > w->code->largest_align)
        w->code->largest_align = (uint32_t)align;
    w->before_is_align = w->before_is_insn || (w->before_is_align && item[-1].type == JCC_ITEM_ALIGN);
    w->before_is_insn = w->before_is_data = false;
    w->at += gap;
    start_gap(w, s->end);
}

// What stands between two items.
static void pass(struct jcc_walker *w, size_t index)
{
    const struct jcc_statement *s = &w->m->scan->statements[index];
    if (s->type == JCC_STATEMENT_LABEL) {
        uint32_t label = jcc_source_labels_of_statement(w->m->labels, index);
        w->m->labels->list[label].item = (uint32_t)w->code->count;
        w->label_seen = true;
        w->label_in_data |= w->m->labels->list[label].data_refers;
        if (w->pending != SIZE_MAX)
            w->lost = true; // a label between a prefix and its instruction
    } else if (s->directive == JCC_DIRECTIVE_CFI) {
        if (w->label_seen)
            w->cfi_after_label = true;
        else
            w->anchor = s->end;
    }
}

static void take_marked(struct jcc_walker *w, size_t index)
{
    const uint32_t *marked = w->m->marked;
    size_t low = 0, high = w->m->marked_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (marked[middle] < index)
            low = middle + 1;
        else
            high = middle;
    }
    if (!w->bytes || low == w->m->marked_count || marked[low] != index || w->m->marks[2 * low] != w->at ||
        w->m->marks[2 * low + 1] < w->at) {
        w->lost = true;
        return;
    }
    take_data(w, index, w->m->marks[2 * low + 1] - w->m->marks[2 * low]);
}

static void take_statement(struct jcc_walker *w, size_t index)
{
    const struct jcc_statement *s = &w->m->scan->statements[index];
    if (s->type == JCC_STATEMENT_INSN) {
        take_instruction(w, index);
    } else if (s->type == JCC_STATEMENT_PREFIX) {
        if (w->pending == SIZE_MAX) {
            w->pending = index;
            w->pending_at = w->at;
        }
    } else if (s->type == JCC_STATEMENT_ASSIGN && s->name_length == 1 && w->m->scan->text[s->name] == '.') {
        take_marked(w, index);
    } else if (s->type != JCC_STATEMENT_DIRECTIVE) {
        pass(w, index);
    } else {
        switch (s->directive) {
        case JCC_DIRECTIVE_ALIGN:
        case JCC_DIRECTIVE_P2ALIGN: take_alignment(w, index); break;
        case JCC_DIRECTIVE_DATA1:
        case JCC_DIRECTIVE_DATA2:
        case JCC_DIRECTIVE_DATA4:
        case JCC_DIRECTIVE_DATA8:
            take_data(w, index, jcc_operands_count(w->m->scan, s) * jcc_directive_unit((enum jcc_directive)s->directive));
            break;
        case JCC_DIRECTIVE_UNKNOWN:
        case JCC_DIRECTIVE_DATA:
        case JCC_DIRECTIVE_SPACE:
        case JCC_DIRECTIVE_ORG:
        case JCC_DIRECTIVE_INCBIN: take_marked(w, index); break;
        default: pass(w, index); break;
        }
    }
}

enum jcc_status jcc_walk(struct jcc_measure *m, struct jcc_code *code)
{
    const struct jcc_emitted *object = m->object;
    struct jcc_walker w = {.m = m, .object = object, .code = code, .size = INT32_MAX, .pending = SIZE_MAX, .joined = true};
    if (object && code->object->size > INT32_MAX)
        return JCC_OK; // not followed
    if (object) {
        w.bytes = code->object->bytes;
        w.size = (uint32_t)code->object->size;
        w.relocations = jcc_emitted_relocation_count(object, code->object);
        if (w.relocations)
            w.here = jcc_emitted_relocation(object, code->object, 0);
    }
    const struct jcc_sections *all = m->sections;
    int32_t subsection = -1;
    for (uint32_t k = all->order_start[code->section]; k < all->order_start[code->section + 1]; k++) {
        size_t run = all->order[k], end = jcc_sections_run_end(all, m->scan, run);
        if (all->runs[run].subsection != subsection)
            w.joined = true;
        subsection = all->runs[run].subsection;
        for (size_t s = all->runs[run].first; s < end && !w.lost && !w.no_memory; s++)
            take_statement(&w, s);
    }
    code->size = w.at;
    code->followed = !w.lost && (!object || w.at == w.size) && w.pending == SIZE_MAX;
    return w.no_memory ? JCC_ERROR_NO_MEMORY : JCC_OK;
}
