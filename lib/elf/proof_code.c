// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proof_code.h"
#include <stdlib.h>
#include <string.h>

// GNU as jumps over long fills: those of 88 bytes and more in 64-bit code, of 21 and more in 32-bit code, where its
// no-operations are shorter. A jump over less is nobody's padding.
static size_t least_jumped(enum jcc_mode mode)
{
    return mode == JCC_MODE_64 ? 64 : 16;
}

struct jumps {
    struct jcc_jump *list;
    size_t count;
    size_t capacity;
};

static bool reserve(struct jumps *jumps)
{
    if (jumps->count < jumps->capacity)
        return true;
    size_t capacity = jumps->capacity ? jumps->capacity * 2 : 1024;
    struct jcc_jump *list = realloc(jumps->list, capacity * sizeof *list);
    if (!list)
        return false;
    jumps->list = list, jumps->capacity = capacity;
    return true;
}

// Both walks one item on. A jump over a fill is passed over where the other side has none.
static void step(struct jcc_walk *plain, struct jcc_item *x, bool *has_x, struct jcc_walk *padded, struct jcc_item *y, bool *has_y)
{
    *has_x = jcc_walk_next(plain, x);
    *has_y = jcc_walk_next(padded, y);
    bool fills_x = *has_x && jcc_walk_fills(plain, x, 0), fills_y = *has_y && jcc_walk_fills(padded, y, 0);
    if (fills_x && !fills_y && jcc_walk_fills(plain, x, least_jumped(plain->mode)))
        *has_x = jcc_walk_pass(plain, x);
    else if (fills_y && !fills_x && jcc_walk_fills(padded, y, least_jumped(plain->mode)))
        *has_y = jcc_walk_pass(padded, y);
}

// Whether nothing may come between ITEM and the next: an interrupt shadow lasts one instruction, and linkers match the bytes of
// a TLS sequence.
static bool holds_next(const struct jcc_walk *walk, const struct jcc_item *item)
{
    const struct jcc_reloc *relocs = jcc_relocs_of(walk->object, walk->section) + item->reloc;
    for (size_t n = 0; n < item->reloc_count; n++)
        if (jcc_reloc_kind(walk->object->elf->header.machine, relocs[n].type).flags & JCC_RELOC_SEQUENCE)
            return true;
    return !item->raw && (item->insn.flags & JCC_INSN_SHADOW);
}

// For each relocation of ITEM: how far behind its field the instruction ends, where its value counts from that end.
static void note_reach(struct jcc_twin *twin, const struct jcc_walk *walk, const struct jcc_item *item)
{
    const struct jcc_reloc *relocs = jcc_relocs_of(walk->object, walk->section);
    for (size_t n = item->reloc; n < item->reloc + item->reloc_count; n++) {
        if (item->raw) {
            twin->reach[n] = JCC_REACH_DATA;
            continue;
        }
        size_t field = (size_t)(relocs[n].offset - item->offset);
        bool operand = (item->insn.flags & JCC_INSN_RIP_RELATIVE) && field == item->insn.disp_offset;
        bool branch = (item->insn.flags & JCC_INSN_RELATIVE) && field == item->insn.imm_offset;
        twin->reach[n] = operand || branch ? (uint8_t)(item->size - field) : 0;
    }
}

static enum jcc_status walk_both(struct jcc_proving *proving, struct jcc_twin *twin, struct jumps *jumps)
{
    enum jcc_mode mode = jcc_elf_mode(proving->plain.elf);
    struct jcc_walk plain = {.object = &proving->plain, .section = twin->plain, .places = &twin->plain_code, .mode = mode};
    struct jcc_walk padded = {.object = &proving->padded, .section = twin->padded, .places = &twin->padded_code, .mode = mode};
    struct jcc_item x, y;
    bool has_x, has_y, held = false;
    for (;;) {
        step(&plain, &x, &has_x, &padded, &y, &has_y);
        if (!has_x || !has_y)
            break;
        if (!reserve(jumps))
            return JCC_ERROR_NO_MEMORY;
        size_t jump;
        const char *what = jcc_compare_items(&plain, &x, &padded, &y, &jumps->list[jumps->count], &jump);
        if (!what && held && x.gap != y.gap)
            what = "no-operation where none may stand: in an interrupt shadow or a TLS sequence";
        if (what)
            return jcc_differ(proving, twin->plain->name, x.offset, y.offset, what);
        jumps->count += jump;
        held = holds_next(&plain, &x);
        note_reach(twin, &plain, &x);
        proving->result->instructions += !x.raw;
    }
    if (has_x != has_y)
        return jcc_differ(proving, twin->plain->name, has_x ? x.offset : plain.at, has_y ? y.offset : padded.at, "number of instructions");
    return JCC_OK;
}

static bool same_jump(const struct jcc_twin *twin, const struct jcc_jump *jump)
{
    // No assembler leaves a branch out of the section without a relocation: it is data, and was compared as it stands.
    if (jump->plain_to > twin->plain->size)
        return jump->plain_to - jump->plain_at == jump->padded_to - jump->padded_at;
    return jcc_places_equal(&twin->plain_code, jump->plain_to, &twin->padded_code, jump->padded_to);
}

enum jcc_status jcc_prove_code(struct jcc_proving *proving, struct jcc_twin *twin)
{
    struct jumps jumps = {0};
    enum jcc_mode mode = jcc_elf_mode(proving->plain.elf);
    twin->reach = calloc(twin->plain->reloc_count + 1, sizeof *twin->reach);
    if (!twin->reach || !jcc_places_create(&twin->plain_code, mode, twin->plain->bytes, twin->plain->size) ||
        !jcc_places_create(&twin->padded_code, mode, twin->padded->bytes, twin->padded->size))
        return JCC_ERROR_NO_MEMORY;
    enum jcc_status status = walk_both(proving, twin, &jumps);
    if (status == JCC_OK) {
        jcc_places_count(&twin->plain_code);
        jcc_places_count(&twin->padded_code);
    }
    for (size_t n = 0; status == JCC_OK && n < jumps.count; n++)
        if (!same_jump(twin, &jumps.list[n]))
            status = jcc_differ(proving, twin->plain->name, jumps.list[n].plain_at, jumps.list[n].padded_at,
                                jumps.list[n].rip ? "target of a rip-relative operand" : "branch target");
    free(jumps.list);
    return status;
}
