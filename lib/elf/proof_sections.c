// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proof.h"
#include <stdlib.h>
#include <string.h>

static size_t next_compared(const struct jcc_object *object, size_t index)
{
    while (index < object->section_count && object->sections[index].part == JCC_PART_NONE)
        index++;
    return index;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

// What of two sections differs, apart from their contents; NULL: nothing.
static const char *compare_attributes(const struct jcc_section *a, const struct jcc_section *b)
{
    if (strcmp(a->name, b->name) != 0)
        return "section name or order";
    if (a->header.sh_type != b->header.sh_type)
        return "section type";
    if (a->header.sh_flags != b->header.sh_flags)
        return "section flags";
    if (!same_text(a->group, b->group))
        return "section group";
    if (a->header.sh_entsize != b->header.sh_entsize)
        return "section entry size";
    // Code that keeps off a boundary must be aligned to it.
    bool aligned =
        a->part == JCC_PART_CODE ? a->header.sh_addralign <= b->header.sh_addralign : a->header.sh_addralign == b->header.sh_addralign;
    return aligned || a->part == JCC_PART_DEBUG ? NULL : "section alignment";
}

// Sections that are ordered by another must be so by the same one.
static bool same_link(const struct jcc_object *plain, const struct jcc_section *a, const struct jcc_object *padded,
                      const struct jcc_section *b)
{
    uint32_t to_a = a->header.sh_link, to_b = b->header.sh_link;
    if (!(a->header.sh_flags & SHF_LINK_ORDER))
        return true;
    if (to_a >= plain->section_count || to_b >= padded->section_count || to_a == 0 || to_b == 0)
        return to_a == to_b;
    return plain->sections[to_a].twin == padded->sections[to_b].twin;
}

enum jcc_status jcc_twins_make(struct jcc_proving *proving)
{
    struct jcc_object *plain = &proving->plain, *padded = &proving->padded;
    proving->twins = calloc(plain->section_count + 1, sizeof *proving->twins);
    if (!proving->twins)
        return JCC_ERROR_NO_MEMORY;
    size_t m = next_compared(plain, 1), n = next_compared(padded, 1);
    while (m < plain->section_count && n < padded->section_count) {
        struct jcc_section *a = &plain->sections[m], *b = &padded->sections[n];
        const char *what = compare_attributes(a, b);
        if (what)
            return jcc_differ(proving, a->name, 0, 0, what);
        a->twin = b->twin = (uint32_t)proving->twin_count;
        proving->twins[proving->twin_count++] = (struct jcc_twin){
            .plain = a, .padded = b, .same = a->size == b->size && (a->size == 0 || memcmp(a->bytes, b->bytes, a->size) == 0)};
        m = next_compared(plain, m + 1), n = next_compared(padded, n + 1);
    }
    if (m < plain->section_count || n < padded->section_count)
        return jcc_differ(proving, m < plain->section_count ? plain->sections[m].name : padded->sections[n].name, 0, 0,
                          "section on one side alone");
    for (size_t t = 0; t < proving->twin_count; t++)
        if (!same_link(plain, proving->twins[t].plain, padded, proving->twins[t].padded))
            return jcc_differ(proving, proving->twins[t].plain->name, 0, 0, "section that it is ordered by");
    return JCC_OK;
}
