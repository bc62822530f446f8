// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hold.h"

#include <elf.h>
#include <jccsafe/padding.h>
#include <string.h>

struct holder {
    const struct jcc_measure *m;
    const struct jcc_code *code;
    const uint8_t *bytes;
};

bool jcc_hold_match(struct jcc_measure *m, const struct jcc_emitted *object)
{
    size_t from = 1;
    for (size_t k = 0; k < m->code_count; k++) {
        const struct jcc_section *s = &m->sections->list[m->codes[k].section];
        const struct jcc_emitted_section *found = NULL;
        for (; from < object->section_count && !found; from++) {
            const struct jcc_emitted_section *o = &object->sections[from];
            if (o->type == SHT_PROGBITS && (o->flags & SHF_EXECINSTR) && strlen(o->name) == s->name_length &&
                !memcmp(o->name, s->name, s->name_length))
                found = o;
        }
        if (!found)
            return false;
        m->codes[k].object = found;
    }
    return true;
}

static bool are_nops(const struct holder *h, uint32_t at, uint32_t length)
{
    uint8_t expected[JCC_BOUNDARY_MAX];
    while (length) {
        uint32_t n = length < sizeof expected ? length : (uint32_t)sizeof expected;
        jcc_nops(h->m->mode, expected, n);
        if (memcmp(h->bytes + at, expected, n))
            return false;
        at += n;
        length -= n;
    }
    return true;
}

static bool are_bytes(const struct holder *h, uint32_t at, uint32_t length, uint8_t byte)
{
    for (uint32_t k = 0; k < length; k++)
        if (h->bytes[at + k] != byte)
            return false;
    return true;
}

static bool hold_fill(const struct holder *h, const struct jcc_item_source *source, const struct jcc_layout_place *place)
{
    if (source->fill == JCC_FILL_NOPS) {
        uint32_t first = place->length < JCC_LONG_FILL || h->m->mode != JCC_MODE_64 ? place->length : place->length % 8;
        bool ok = are_nops(h, place->offset, first);
        for (uint32_t k = first; ok && k < place->length; k += 8)
            ok = are_nops(h, place->offset + k, 8);
        return ok;
    }
    return are_bytes(h, place->offset, place->length, source->fill == JCC_FILL_BYTE ? source->fill_byte : 0x90);
}

static bool hold_target(const struct holder *h, const struct jcc_layout_item *item, const struct jcc_insn *insn, uint32_t at)
{
    if (item->target == JCC_LAYOUT_NO_TARGET)
        return true;
    const struct jcc_layout_place *last = &h->code->places[h->code->count - 1];
    uint64_t goal = item->target < h->code->count ? h->code->places[item->target].offset : (uint64_t)last->offset + last->length;
    return jcc_insn_target(h->m->mode, insn, h->bytes + at, at) == goal;
}

static bool hold_instruction(const struct holder *h, size_t k, struct jcc_insn *insn)
{
    const struct jcc_layout_item *item = &h->code->items[k];
    const struct jcc_layout_place *place = &h->code->places[k];
    uint32_t begin = place->offset + place->prefixes, length = place->length - place->prefixes;
    if (place->prefixes && !are_bytes(h, place->offset, place->prefixes, h->code->sources[k].prefix))
        return false;
    if (jcc_insn_decode(h->m->mode, h->bytes + begin, length, insn))
        return false;
    if (insn->length != length) // a wait and its instruction
        return insn->length == 1 && h->bytes[begin] == 0x9b;
    return insn->kind == item->kind && hold_target(h, item, insn, begin);
}

static bool hold_section(struct holder *h, uint64_t *count)
{
    const struct jcc_code *c = h->code;
    const struct jcc_layout_place *last = &c->places[c->count - 1];
    if (c->object->size != (uint64_t)last->offset + last->length || c->object->alignment < c->largest_align)
        return false;
    struct jcc_insn insn = {0}, before = {0};
    for (size_t k = 0; k < c->count; k++) {
        const struct jcc_layout_place *place = &c->places[k];
        if (place->pad && !are_nops(h, place->offset - place->pad, place->pad))
            return false;
        if (c->items[k].type == JCC_ITEM_ALIGN && !hold_fill(h, &c->sources[k], place))
            return false;
        bool is_insn = c->items[k].type == JCC_ITEM_INSN;
        if (is_insn && !hold_instruction(h, k, &insn))
            return false;
        bool pair = k && is_insn && c->items[k - 1].type == JCC_ITEM_INSN && insn.kind == JCC_KIND_JCC && !place->pad &&
                    before.pair != JCC_PAIR_NONE && jcc_pair_fuses((enum jcc_pair)before.pair, insn.condition);
        if (is_insn && k && pair != ((c->items[k - 1].flags & JCC_ITEM_PAIR) != 0))
            return false;
        before = is_insn ? insn : (struct jcc_insn){0};
        *count += is_insn;
    }
    return true;
}

bool jcc_hold(const struct jcc_measure *m, uint64_t *count)
{
    *count = 0;
    for (size_t k = 0; k < m->code_count; k++) {
        struct holder h = {m, &m->codes[k], m->codes[k].object->bytes};
        if (h.code->planned && !hold_section(&h, count))
            return false;
    }
    return true;
}
