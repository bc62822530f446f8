// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `.long target - table` in data, with target in code, becomes a relocation against the code section that counts from its field:
// its addend is the target's offset plus the field's distance from the table's label, and no object says where that label is. But
// tables are of use only to code that names their label, so the label is the last place before the field that anything names.
// `.long target - .` is the other form; there the label is the field. A table must be of one form as a whole.
#include "proof.h"
#include <stdlib.h>

static int by_place(const void *left, const void *right)
{
    const struct jcc_reference *a = left, *b = right;
    if (a->twin != b->twin)
        return a->twin < b->twin ? -1 : 1;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static bool is_data(const struct jcc_twin *twin)
{
    return twin && twin->plain->part == JCC_PART_DATA;
}

// Places that relocations name.
static void collect_relocs(struct jcc_proving *proving, const struct jcc_twin *twin)
{
    const struct jcc_reloc *relocs = jcc_relocs_of(&proving->plain, twin->plain);
    for (size_t n = 0; n < twin->plain->reloc_count; n++) {
        const struct jcc_symbol *symbol = &proving->plain.symbols[relocs[n].symbol];
        const struct jcc_twin *home = jcc_home_twin(proving, &proving->plain, symbol);
        unsigned reach = twin->reach && twin->reach[n] != JCC_REACH_DATA ? twin->reach[n] : 0;
        if (is_data(home))
            proving->references[proving->reference_count++] =
                (struct jcc_reference){home->plain->twin, symbol->value + (uint64_t)relocs[n].addend + reach};
    }
}

static enum jcc_status collect(struct jcc_proving *proving)
{
    if (proving->references)
        return JCC_OK;
    proving->references = malloc((proving->plain.reloc_count + proving->plain.symbol_count + 1) * sizeof *proving->references);
    if (!proving->references)
        return JCC_ERROR_NO_MEMORY;
    for (size_t n = 0; n < proving->twin_count; n++)
        collect_relocs(proving, &proving->twins[n]);
    for (size_t n = 1; n < proving->plain.symbol_count; n++) {
        const struct jcc_symbol *symbol = &proving->plain.symbols[n];
        const struct jcc_twin *home = jcc_home_twin(proving, &proving->plain, symbol);
        if (is_data(home) && GELF_ST_TYPE(symbol->info) != STT_SECTION)
            proving->references[proving->reference_count++] = (struct jcc_reference){home->plain->twin, symbol->value};
    }
    qsort(proving->references, proving->reference_count, sizeof *proving->references, by_place);
    return JCC_OK;
}

// The number of references to places before or at OFFSET of TWIN.
static size_t references_to(const struct jcc_proving *proving, uint32_t twin, uint64_t offset)
{
    const struct jcc_reference wanted = {twin, offset};
    size_t low = 0, high = proving->reference_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_place(&proving->references[middle], &wanted) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct entry {
    const struct jcc_reloc *plain;
    const struct jcc_reloc *padded;
};

static struct jcc_twin *home_of(const struct jcc_proving *proving, const struct jcc_reloc *reloc)
{
    return jcc_home_twin(proving, &proving->plain, &proving->plain.symbols[reloc->symbol]);
}

static bool in_table(const struct jcc_proving *proving, const struct jcc_reloc *reloc)
{
    const struct jcc_twin *home = home_of(proving, reloc);
    return (jcc_reloc_kind(proving->plain.elf->header.machine, reloc->type).flags & JCC_RELOC_PC) && home &&
           home->plain->part == JCC_PART_CODE;
}

// Whether the entry leads to one place if its label is DISTANCE bytes before its field.
static bool holds(const struct jcc_proving *proving, const struct entry *entry, uint64_t distance)
{
    uint64_t x = proving->plain.symbols[entry->plain->symbol].value + (uint64_t)entry->plain->addend - distance;
    uint64_t y = proving->padded.symbols[entry->padded->symbol].value + (uint64_t)entry->padded->addend - distance;
    return jcc_same_place(home_of(proving, entry->plain), x, y);
}

// Whether the entry is a named symbol less a label that something names: then both are what they were, as long as the addend is.
static bool anchored(const struct jcc_proving *proving, const struct entry *entry, uint32_t twin)
{
    const struct jcc_symbol *symbol = &proving->plain.symbols[entry->plain->symbol];
    uint64_t label = entry->plain->offset - (uint64_t)entry->plain->addend;
    size_t before = references_to(proving, twin, label);
    return GELF_ST_TYPE(symbol->info) != STT_SECTION && entry->plain->addend == entry->padded->addend && before > 0 &&
           proving->references[before - 1].twin == twin && proving->references[before - 1].offset == label;
}

enum form { FORM_TABLE, FORM_SELF, FORM_ANCHORED, FORM_COUNT };

// Whether the entries from FIRST up to END are all of FORM, LABEL being the last place before them that is named.
static bool is_of(const struct jcc_proving *proving, const struct jcc_twin *twin, size_t first, size_t end, enum form form, uint64_t label)
{
    const struct jcc_reloc *plain = jcc_relocs_of(&proving->plain, twin->plain), *padded = jcc_relocs_of(&proving->padded, twin->padded);
    for (size_t n = first; n < end; n++) {
        struct entry entry = {&plain[n], &padded[n]};
        if (!in_table(proving, &plain[n]))
            continue;
        bool good = form == FORM_TABLE  ? holds(proving, &entry, plain[n].offset - label)
                    : form == FORM_SELF ? holds(proving, &entry, 0)
                                        : holds(proving, &entry, 0) || anchored(proving, &entry, twin->plain->twin);
        if (!good)
            return false;
    }
    return true;
}

enum jcc_status jcc_prove_tables(struct jcc_proving *proving, struct jcc_twin *twin)
{
    const struct jcc_reloc *plain = jcc_relocs_of(&proving->plain, twin->plain), *padded = jcc_relocs_of(&proving->padded, twin->padded);
    uint32_t index = twin->plain->twin;
    enum jcc_status status = collect(proving);
    for (size_t first = 0, end; status == JCC_OK && first < twin->plain->reloc_count; first = end) {
        size_t before = references_to(proving, index, plain[first].offset);
        bool named = before > 0 && proving->references[before - 1].twin == index;
        bool last = before == proving->reference_count || proving->references[before].twin != index;
        for (end = first + 1; end < twin->plain->reloc_count; end++)
            if (!last && plain[end].offset >= proving->references[before].offset)
                break;
        bool proved = false;
        for (enum form form = named ? FORM_TABLE : FORM_SELF; !proved && form < FORM_COUNT; form++)
            proved = is_of(proving, twin, first, end, form, named ? proving->references[before - 1].offset : 0);
        if (!proved)
            status = jcc_leave_open(proving, twin, plain[first].offset, padded[first].offset, "difference of labels in code");
    }
    return status;
}
