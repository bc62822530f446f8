// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proof_code.h"
#include <string.h>

static const struct jcc_reloc *relocs_of(const struct jcc_walk *walk, const struct jcc_item *item)
{
    return jcc_relocs_of(walk->object, walk->section) + item->reloc;
}

static bool has_reloc_at(const struct jcc_walk *walk, const struct jcc_item *item, unsigned field)
{
    const struct jcc_reloc *relocs = relocs_of(walk, item);
    for (size_t n = 0; n < item->reloc_count; n++)
        if (relocs[n].offset == item->offset + field && jcc_reloc_kind(walk->object->elf->header.machine, relocs[n].type).size != 0)
            return true;
    return false;
}

static int64_t signed_field(const uint8_t *bytes, unsigned size)
{
    uint64_t value = 0, sign = UINT64_C(1) << (8 * size - 1);
    for (unsigned n = 0; n < size; n++)
        value |= (uint64_t)bytes[n] << (8 * n);
    return (int64_t)((value ^ sign) - sign);
}

// Whether the relocations of X and Y stand at the same fields, with the same types. An instruction's fields are found
// from its end: prefixes come in front.
static const char *compare_relocs(const struct jcc_walk *plain, const struct jcc_item *x, const struct jcc_walk *padded,
                                  const struct jcc_item *y)
{
    if (x->reloc_count != y->reloc_count)
        return "relocation on one side alone";
    const struct jcc_reloc *p = relocs_of(plain, x), *q = relocs_of(padded, y);
    for (size_t n = 0; n < x->reloc_count; n++) {
        if (p[n].type != q[n].type)
            return "relocation type";
        if (x->offset + x->size - p[n].offset != y->offset + y->size - q[n].offset)
            return "place of a relocation";
    }
    return NULL;
}

// Whether padding may have put the first EXTRA bytes of Y in front of X: see jcc_prefix_room. Looser than that, because
// GNU as puts prefixes on fs, gs, lock and rep as well, where they change nothing either.
static bool redundant(const struct jcc_walk *plain, const struct jcc_item *x, const struct jcc_item *y, size_t extra)
{
    const struct jcc_reloc *relocs = relocs_of(plain, x);
    for (size_t n = 0; n < extra; n++)
        if (y->bytes[n] != x->insn.prefix_byte)
            return false;
    for (size_t n = 0; n < x->reloc_count; n++)
        if (jcc_reloc_kind(plain->object->elf->header.machine, relocs[n].type).flags & JCC_RELOC_TLS)
            return false;
    return x->insn.kind == JCC_KIND_NONE && !(x->insn.flags & (JCC_INSN_RELATIVE | JCC_INSN_ENDBR | JCC_INSN_NOP));
}

// A copy of ITEM from its byte SKIP on, without the fields that are compared by meaning.
static void copy_fixed(const struct jcc_walk *walk, const struct jcc_item *item, size_t skip, bool rip, uint8_t *copy)
{
    const struct jcc_reloc *relocs = relocs_of(walk, item);
    memcpy(copy, item->bytes, item->size);
    if (rip)
        memset(copy + item->insn.disp_offset, 0, item->insn.disp_size);
    for (size_t n = 0; n < item->reloc_count && walk->object->addends_in_fields; n++) {
        size_t field = (size_t)(relocs[n].offset - item->offset);
        size_t size = jcc_reloc_kind(walk->object->elf->header.machine, relocs[n].type).size;
        memset(copy + field, 0, size < item->size - field ? size : item->size - field);
    }
    memmove(copy, copy + skip, item->size - skip);
}

static const char *name_difference(const struct jcc_insn *insn, const uint8_t *x, const uint8_t *y)
{
    size_t at = 0;
    while (x[at] == y[at])
        at++;
    if (at <= insn->opcode_offset)
        return "instruction";
    if (insn->disp_size && at >= insn->disp_offset && at < (size_t)insn->disp_offset + insn->disp_size)
        return "displacement";
    return insn->imm_size && at >= insn->imm_offset ? "immediate" : "operand";
}

static const char *compare_plain(const struct jcc_walk *plain, const struct jcc_item *x, const struct jcc_walk *padded,
                                 const struct jcc_item *y, struct jcc_jump *jump, size_t *jumps)
{
    size_t extra = (size_t)y->insn.prefixes - x->insn.prefixes;
    if (y->insn.prefixes < x->insn.prefixes || y->size < x->size)
        return "instruction";
    if (y->size - x->size != extra)
        return "instruction";
    if (extra != 0 && !redundant(plain, x, y, extra))
        return "prefix";
    bool rip = (x->insn.flags & JCC_INSN_RIP_RELATIVE) && !has_reloc_at(plain, x, x->insn.disp_offset);
    if (rip) {
        int64_t from = signed_field(x->bytes + x->insn.disp_offset, x->insn.disp_size);
        int64_t onto = signed_field(y->bytes + extra + x->insn.disp_offset, x->insn.disp_size);
        *jump = (struct jcc_jump){x->offset, y->offset, x->offset + x->size + (uint64_t)from, y->offset + y->size + (uint64_t)onto, true};
        *jumps = 1;
    }
    if (memcmp(x->bytes, y->bytes + extra, x->size) == 0)
        return NULL;
    uint8_t fixed_x[JCC_INSN_MAX], fixed_y[JCC_INSN_MAX];
    // The same fields in both, or the bytes around them differ anyway.
    copy_fixed(plain, x, 0, rip, fixed_x);
    copy_fixed(padded, y, extra, rip && (y->insn.flags & JCC_INSN_RIP_RELATIVE), fixed_y);
    return memcmp(fixed_x, fixed_y, x->size) == 0 ? NULL : name_difference(&x->insn, fixed_x, fixed_y);
}

// Bytes of a branch before its opcode: prefixes. The long jcc has an opcode of two bytes.
static size_t head_of(const struct jcc_insn *insn)
{
    return insn->opcode_offset - (size_t)(insn->kind == JCC_KIND_JCC && insn->imm_size > 1);
}

static const char *compare_branches(const struct jcc_walk *plain, const struct jcc_item *x, const struct jcc_walk *padded,
                                    const struct jcc_item *y, struct jcc_jump *jump, size_t *jumps)
{
    const struct jcc_insn *a = &x->insn, *b = &y->insn;
    if (a->kind != b->kind || a->condition != b->condition || !(b->flags & JCC_INSN_RELATIVE))
        return "instruction";
    if (a->kind == JCC_KIND_JMP || a->kind == JCC_KIND_JCC) {
        if (head_of(a) != head_of(b) || memcmp(x->bytes, y->bytes, head_of(a)) != 0)
            return "prefix of a branch";
    } else if (a->imm_offset != b->imm_offset || memcmp(x->bytes, y->bytes, a->imm_offset) != 0) {
        return "instruction";
    }
    bool reloc = has_reloc_at(plain, x, a->imm_offset);
    if (reloc != has_reloc_at(padded, y, b->imm_offset))
        return "place of a relocation";
    if (!reloc) {
        *jump = (struct jcc_jump){x->offset, y->offset, jcc_insn_target(plain->mode, a, x->bytes, x->offset),
                                  jcc_insn_target(padded->mode, b, y->bytes, y->offset), false};
        *jumps = 1;
    }
    return NULL;
}

const char *jcc_compare_items(const struct jcc_walk *plain, const struct jcc_item *x, const struct jcc_walk *padded,
                              const struct jcc_item *y, struct jcc_jump *jump, size_t *jumps)
{
    *jumps = 0;
    if (x->raw != y->raw)
        return "instruction";
    bool addend = plain->object->addends_in_fields && x->reloc_count != 0;
    if (x->raw && (x->size != y->size || (!addend && memcmp(x->bytes, y->bytes, x->size) != 0)))
        return "data in code";
    const char *what = NULL;
    if (!x->raw)
        what = x->insn.flags & JCC_INSN_RELATIVE ? compare_branches(plain, x, padded, y, jump, jumps)
                                                 : compare_plain(plain, x, padded, y, jump, jumps);
    return what ? what : compare_relocs(plain, x, padded, y);
}
