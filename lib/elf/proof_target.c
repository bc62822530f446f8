// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proof.h"
#include <string.h>

bool jcc_same_symbol(const struct jcc_proving *proving, uint32_t plain, uint32_t padded)
{
    if (plain == 0 || padded == 0)
        return plain == padded;
    const struct jcc_symbol *a = &proving->plain.symbols[plain], *b = &proving->padded.symbols[padded];
    const struct jcc_twin *home = jcc_home_twin(proving, &proving->plain, a);
    if (a->info != b->info || a->other != b->other || home != jcc_home_twin(proving, &proving->padded, b))
        return false;
    if (!home && a->section != b->section)
        return false;
    if (home && GELF_ST_TYPE(a->info) == STT_SECTION)
        return true;
    return jcc_name_charge(proving->name_budget, a->name) && strcmp(a->name, b->name) == 0;
}

static bool same_match(const struct jcc_twin *twin, uint64_t plain, uint64_t padded)
{
    size_t low = 0, high = twin->match_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (twin->matches[middle].plain < plain)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < twin->match_count && twin->matches[low].plain == plain)
        return twin->matches[low].padded == padded;
    return (plain == 0 && padded == 0) || (plain == twin->plain->size && padded == twin->padded->size);
}

bool jcc_same_place(const struct jcc_twin *twin, uint64_t plain_offset, uint64_t padded_offset)
{
    if (twin->plain->part == JCC_PART_CODE)
        return jcc_places_entry_equal(&twin->plain_code, plain_offset, &twin->padded_code, padded_offset);
    if (twin->matches)
        return same_match(twin, plain_offset, padded_offset);
    return plain_offset == padded_offset || twin->open || twin->plain->part == JCC_PART_DEBUG;
}

bool jcc_same_target(const struct jcc_proving *proving, const struct jcc_reloc *plain, const struct jcc_reloc *padded, unsigned reach)
{
    if (!jcc_same_symbol(proving, plain->symbol, padded->symbol))
        return false;
    const struct jcc_symbol *a = &proving->plain.symbols[plain->symbol], *b = &proving->padded.symbols[padded->symbol];
    const struct jcc_twin *home = jcc_home_twin(proving, &proving->plain, a);
    if (!home)
        return plain->addend == padded->addend;
    // Into data the addend must be the same, not only the sum: in mergeable sections the symbol alone says which piece is meant.
    if (home->plain->part != JCC_PART_CODE && !home->matches)
        return home->open || (plain->addend == padded->addend && a->value == b->value);
    return jcc_same_place(home, a->value + (uint64_t)plain->addend + reach, b->value + (uint64_t)padded->addend + reach);
}

// A field that is no displacement of its instruction, with a relocation that counts from the field: it holds a difference, symbol
// less label, and the label is as far before the field as the addend says. Labels move with the code. DATA: the field is in data.
static bool same_difference(const struct jcc_proving *proving, const struct jcc_twin *twin, const struct jcc_reloc *plain,
                            const struct jcc_reloc *padded, bool data)
{
    if (!jcc_same_symbol(proving, plain->symbol, padded->symbol))
        return false;
    const struct jcc_symbol *a = &proving->plain.symbols[plain->symbol], *b = &proving->padded.symbols[padded->symbol];
    const struct jcc_twin *home = jcc_home_twin(proving, &proving->plain, a);
    // Where neither the label's section nor the symbol's has changed by a byte, the addend has no reason to.
    if (twin->same && (!home || home->same))
        return plain->addend == padded->addend && a->value == b->value;
    // With both ends in code the addend is the sum of two moves, which data says nothing about but for its common form, SYMBOL - .
    if (home && home->plain->part == JCC_PART_CODE)
        return data && jcc_same_target(proving, plain, padded, 0);
    if (home && (home->matches || a->value != b->value))
        return false;
    return jcc_places_equal(&twin->plain_code, plain->offset - (uint64_t)plain->addend, &twin->padded_code,
                            padded->offset - (uint64_t)padded->addend);
}

static bool same_operand(const struct jcc_proving *proving, const struct jcc_twin *twin, const struct jcc_reloc *plain,
                         const struct jcc_reloc *padded, struct jcc_reloc_kind kind, unsigned reach)
{
    if (!(kind.flags & JCC_RELOC_PC))
        return jcc_same_target(proving, plain, padded, 0);
    if (reach == 0 || reach == JCC_REACH_DATA)
        return same_difference(proving, twin, plain, padded, reach == JCC_REACH_DATA);
    return jcc_same_target(proving, plain, padded, reach);
}

enum jcc_status jcc_prove_code_relocs(struct jcc_proving *proving, struct jcc_twin *twin)
{
    const struct jcc_reloc *plain = jcc_relocs_of(&proving->plain, twin->plain), *padded = jcc_relocs_of(&proving->padded, twin->padded);
    for (size_t n = 0; n < twin->plain->reloc_count; n++) {
        struct jcc_reloc_kind kind = jcc_reloc_kind(proving->plain.elf->header.machine, plain[n].type);
        const char *what = NULL;
        if (!(kind.flags & JCC_RELOC_KNOWN))
            what = "relocation of a type that is not known";
        else if (!same_operand(proving, twin, &plain[n], &padded[n], kind, twin->reach[n]))
            what = "symbol or addend of a relocation";
        if (what)
            return jcc_differ(proving, twin->plain->name, plain[n].offset, padded[n].offset, what);
    }
    proving->result->relocations += twin->plain->reloc_count;
    return JCC_OK;
}
