// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proof_code.h"

// Where decoding from WALK->at must end: data is not decoded. *RAW: it is data already.
static size_t limit(struct jcc_walk *walk, bool *raw)
{
    if (walk->section->data_count == 0) { // then there may be no array at all to point into
        *raw = false;
        return walk->section->size;
    }
    const struct jcc_data_range *ranges = walk->object->data + walk->section->first_data;
    while (walk->data < walk->section->data_count && ranges[walk->data].end <= walk->at)
        walk->data++;
    *raw = walk->data < walk->section->data_count && ranges[walk->data].begin <= walk->at;
    return walk->data < walk->section->data_count && !*raw ? (size_t)ranges[walk->data].begin : walk->section->size;
}

// mov of a register to itself, lea 0(%reg),%reg with or without an index of none: what GNU as fills i386 alignments with.
// In 64-bit code they would clear the upper half.
static bool idles_in_32(const struct jcc_insn *insn, const uint8_t *bytes)
{
    for (unsigned n = 0; n < insn->prefixes; n++)
        if (bytes[n] != 0x2e && bytes[n] != 0x3e && bytes[n] != 0x26 && bytes[n] != 0x36)
            return false;
    if (insn->opcode_offset != insn->prefixes || insn->modrm_offset == 0)
        return false;
    uint8_t opcode = bytes[insn->opcode_offset], modrm = bytes[insn->modrm_offset];
    uint8_t mod = modrm >> 6, reg = modrm >> 3 & 7, base = modrm & 7;
    if (opcode == 0x89 || opcode == 0x8b)
        return mod == 3 && reg == base;
    if (opcode != 0x8d || mod == 3 || (mod == 0 && (base == 5)))
        return false;
    if (base == 4) {
        uint8_t sib = bytes[insn->modrm_offset + 1];
        base = sib & 7;
        if ((sib >> 3 & 7) != 4 || (mod == 0 && base == 5))
            return false;
    }
    for (unsigned n = 0; n < insn->disp_size; n++)
        if (bytes[insn->disp_offset + n] != 0)
            return false;
    return reg == base;
}

static bool idles(enum jcc_mode mode, const struct jcc_insn *insn, const uint8_t *bytes)
{
    return (insn->flags & JCC_INSN_NOP) || (mode == JCC_MODE_32 && idles_in_32(insn, bytes));
}

static size_t relocs_before(const struct jcc_walk *walk, size_t from, size_t end)
{
    const struct jcc_reloc *relocs = jcc_relocs_of(walk->object, walk->section);
    size_t count = 0;
    while (from + count < walk->section->reloc_count && relocs[from + count].offset < end)
        count++;
    return count;
}

// Data is taken a byte at a time, but for a field with a relocation.
static size_t raw_size(const struct jcc_walk *walk)
{
    const struct jcc_reloc *reloc = jcc_relocs_of(walk->object, walk->section) + walk->reloc;
    if (walk->reloc == walk->section->reloc_count || reloc->offset != walk->at)
        return 1;
    size_t size = jcc_reloc_kind(walk->object->elf->header.machine, reloc->type).size;
    return size == 0 || size > walk->section->size - walk->at ? 1 : size;
}

bool jcc_walk_next(struct jcc_walk *walk, struct jcc_item *item)
{
    item->gap = false;
    while (walk->at < walk->section->size) {
        size_t end = limit(walk, &item->raw);
        item->offset = walk->at;
        item->bytes = walk->section->bytes + walk->at;
        item->raw = item->raw || jcc_insn_decode(walk->mode, item->bytes, end - walk->at, &item->insn) != JCC_OK;
        item->size = item->raw ? raw_size(walk) : item->insn.length;
        item->reloc = walk->reloc;
        item->reloc_count = relocs_before(walk, walk->reloc, walk->at + item->size);
        walk->at += item->size;
        // A no-operation with a relocation means something to somebody.
        bool counts = item->raw || item->reloc_count != 0 || !idles(walk->mode, &item->insn, item->bytes);
        jcc_places_mark(counts ? walk->places->counted : walk->places->passed, item->offset);
        walk->reloc += item->reloc_count;
        if (counts)
            return true;
        item->gap = true;
    }
    return false;
}

bool jcc_walk_fills(const struct jcc_walk *walk, const struct jcc_item *item, size_t least)
{
    if (item->raw || item->insn.kind != JCC_KIND_JMP || item->reloc_count != 0)
        return false;
    uint64_t target = jcc_insn_target(walk->mode, &item->insn, item->bytes, item->offset);
    struct jcc_walk ahead = *walk;
    if (target > walk->section->size || target < walk->at + least)
        return false;
    while (ahead.at < target) {
        struct jcc_insn insn;
        bool raw;
        const uint8_t *bytes = ahead.section->bytes + ahead.at;
        size_t end = limit(&ahead, &raw);
        if (raw || jcc_insn_decode(ahead.mode, bytes, end - ahead.at, &insn) != JCC_OK || !idles(ahead.mode, &insn, bytes) ||
            relocs_before(&ahead, ahead.reloc, ahead.at + insn.length) != 0)
            return false;
        ahead.at += insn.length;
    }
    return ahead.at == target;
}

bool jcc_walk_pass(struct jcc_walk *walk, struct jcc_item *item)
{
    jcc_places_unmark(walk->places->counted, item->offset);
    jcc_places_mark(walk->places->passed, item->offset);
    bool more = jcc_walk_next(walk, item);
    item->gap = true;
    return more;
}
