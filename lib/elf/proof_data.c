// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proof.h"
#include "reader.h"
#include <stdlib.h>
#include <string.h>

// ---- contents

static size_t first_difference(const struct jcc_section *a, const struct jcc_section *b)
{
    size_t at = 0;
    while (at < a->size && at < b->size && a->bytes[at] == b->bytes[at])
        at++;
    return at;
}

// Where the sections differ outside the fields that hold addends; SIZE_MAX: nowhere. Their sizes are equal.
static size_t first_fixed_difference(const struct jcc_proving *proving, const struct jcc_twin *twin)
{
    const struct jcc_reloc *relocs = jcc_relocs_of(&proving->plain, twin->plain);
    size_t covered = 0, next = 0;
    for (size_t at = 0; at < twin->plain->size; at++) {
        for (; next < twin->plain->reloc_count && relocs[next].offset <= at; next++) {
            size_t end = (size_t)relocs[next].offset + jcc_reloc_kind(proving->plain.elf->header.machine, relocs[next].type).size;
            covered = end > covered ? end : covered;
        }
        if (at >= covered && twin->plain->bytes[at] != twin->padded->bytes[at])
            return at;
    }
    return SIZE_MAX;
}

static enum jcc_status prove_bytes(struct jcc_proving *proving, struct jcc_twin *twin)
{
    const struct jcc_section *a = twin->plain, *b = twin->padded;
    size_t at = SIZE_MAX;
    if (a->header.sh_size != b->header.sh_size)
        at = first_difference(a, b);
    else if (!twin->same)
        at = proving->plain.addends_in_fields ? first_fixed_difference(proving, twin) : first_difference(a, b);
    return at == SIZE_MAX ? JCC_OK : jcc_leave_open(proving, twin, at, at, "bytes that hang on the layout, or differ");
}

// What a section is in both objects alike: the index of its twins, or of those that it relocates, twice that and one more.
static uint64_t identity(const struct jcc_object *object, uint32_t index)
{
    const struct jcc_section *section = &object->sections[index];
    if (section->twin != JCC_NO_TWIN)
        return (uint64_t)section->twin * 2;
    bool relocates = section->header.sh_type == SHT_RELA || section->header.sh_type == SHT_REL;
    return relocates ? (uint64_t)object->sections[section->header.sh_info].twin * 2 + 1 : UINT64_MAX;
}

// The members of a group, behind a word of flags.
static bool same_members(const struct jcc_proving *proving, const struct jcc_twin *twin)
{
    for (size_t at = 4; at < twin->plain->size; at += 4) {
        uint32_t x, y;
        memcpy(&x, twin->plain->bytes + at, sizeof x);
        memcpy(&y, twin->padded->bytes + at, sizeof y);
        if (identity(&proving->plain, x) != identity(&proving->padded, y))
            return false;
    }
    return true;
}

static enum jcc_status prove_group(struct jcc_proving *proving, struct jcc_twin *twin)
{
    const struct jcc_section *a = twin->plain, *b = twin->padded;
    if (a->size < 4 || b->size < 4 || memcmp(a->bytes, b->bytes, 4) != 0)
        return jcc_differ(proving, a->name, 0, 0, "flags of a section group");
    if (a->size != b->size || !same_members(proving, twin))
        return jcc_differ(proving, a->name, 4, 4, "members of a section group");
    return JCC_OK;
}

// .llvm_addrsig: symbols whose address matters, as indices of the symbol table. Tools that renumber symbols take the link to the table
// away; linkers then do not read the section.
static enum jcc_status prove_addrsig(struct jcc_proving *proving, struct jcc_twin *twin)
{
    bool linked_a = twin->plain->header.sh_link == proving->plain.symbol_table;
    bool linked_b = twin->padded->header.sh_link == proving->padded.symbol_table;
    if (linked_a != linked_b)
        return jcc_differ(proving, twin->plain->name, 0, 0, "link of a section to the symbols");
    if (!linked_a)
        return prove_bytes(proving, twin);
    struct jcc_reader a = jcc_reader_of(twin->plain->bytes, twin->plain->size), b = jcc_reader_of(twin->padded->bytes, twin->padded->size);
    while (!jcc_reader_ended(&a) && !jcc_reader_ended(&b)) {
        size_t at_a = a.at, at_b = b.at;
        uint64_t x = jcc_read_uleb(&a), y = jcc_read_uleb(&b);
        if (a.bad || b.bad || x >= proving->plain.symbol_count || y >= proving->padded.symbol_count ||
            !jcc_same_symbol(proving, (uint32_t)x, (uint32_t)y))
            return jcc_differ(proving, twin->plain->name, at_a, at_b, "symbol whose address matters");
    }
    return a.at == a.size && b.at == b.size ? JCC_OK : jcc_differ(proving, twin->plain->name, a.at, b.at, "number of symbols");
}

enum jcc_status jcc_prove_data(struct jcc_proving *proving, struct jcc_twin *twin)
{
    switch (twin->plain->part) {
    case JCC_PART_GROUP: return prove_group(proving, twin);
    case JCC_PART_ADDRSIG: return prove_addrsig(proving, twin);
    case JCC_PART_DATA: return prove_bytes(proving, twin);
    case JCC_PART_LSDA:
        // Where code moves, what it holds moves too; equal bytes would prove nothing.
        if (twin->matches || twin->open)
            return JCC_OK;
        return proving->moved && twin->plain->size != 0
                   ? jcc_leave_open(proving, twin, 0, 0, "exception table that no frame leads to, or that cannot be read")
                   : prove_bytes(proving, twin);
    case JCC_PART_FRAMES: return proving->moved || twin->open ? JCC_OK : prove_bytes(proving, twin);
    case JCC_PART_NONE:
    case JCC_PART_DEBUG:
    case JCC_PART_CODE: break;
    }
    return JCC_OK;
}

// ---- relocations

// A field of data that counts from itself and leads into code: the difference of two labels. Those are for
// jcc_prove_tables, which looks at whole tables.
static bool belongs_to_table(const struct jcc_proving *proving, const struct jcc_reloc *reloc, struct jcc_reloc_kind kind)
{
    const struct jcc_twin *home = jcc_home_twin(proving, &proving->plain, &proving->plain.symbols[reloc->symbol]);
    return (kind.flags & JCC_RELOC_PC) && home && home->plain->part == JCC_PART_CODE;
}

enum jcc_status jcc_prove_data_relocs(struct jcc_proving *proving, struct jcc_twin *twin)
{
    const struct jcc_reloc *plain = jcc_relocs_of(&proving->plain, twin->plain), *padded = jcc_relocs_of(&proving->padded, twin->padded);
    bool proved =
        twin->open || twin->plain->part == JCC_PART_DEBUG || twin->matches || (twin->plain->part == JCC_PART_FRAMES && proving->moved);
    size_t count = twin->plain->reloc_count, tables = 0;
    if (proved)
        return JCC_OK;
    if (count != twin->padded->reloc_count)
        return jcc_differ(proving, twin->plain->name, 0, 0, "number of relocations");
    for (size_t n = 0; n < count; n++) {
        struct jcc_reloc_kind kind = jcc_reloc_kind(proving->plain.elf->header.machine, plain[n].type);
        const char *what = NULL;
        if (plain[n].offset != padded[n].offset)
            what = "place of a relocation";
        else if (plain[n].type != padded[n].type)
            what = "relocation type";
        else if (!(kind.flags & JCC_RELOC_KNOWN))
            what = "relocation of a type that is not known";
        else if (!jcc_same_symbol(proving, plain[n].symbol, padded[n].symbol))
            what = "symbol of a relocation";
        else if (belongs_to_table(proving, &plain[n], kind))
            tables++;
        else if (!jcc_same_target(proving, &plain[n], &padded[n], 0))
            what = "addend of a relocation";
        if (what)
            return jcc_differ(proving, twin->plain->name, plain[n].offset, padded[n].offset, what);
    }
    proving->result->relocations += count;
    return tables ? jcc_prove_tables(proving, twin) : JCC_OK;
}
