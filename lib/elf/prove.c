// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proof.h"
#include <stdio.h>
#include <stdlib.h>

// What the names of all relocations' symbols may come to, in sizes of the plain file. A relocation takes 24 bytes, so this is room for
// names of 24 KB throughout; a made file of one endless name is refused in time.
#define RELOCATION_NAME_BUDGET 1024u

enum jcc_status jcc_differ(struct jcc_proving *proving, const char *section, uint64_t plain, uint64_t padded, const char *what)
{
    struct jcc_elf_difference *difference = &proving->result->difference;
    snprintf(difference->section, sizeof difference->section, "%s", section);
    snprintf(difference->what, sizeof difference->what, "%s", what);
    difference->plain = plain;
    difference->padded = padded;
    return JCC_ERROR_DIFFERENT;
}

enum jcc_status jcc_leave_open(struct jcc_proving *proving, struct jcc_twin *twin, uint64_t plain, uint64_t padded, const char *what)
{
    if (twin->open)
        return JCC_OK;
    proving->result->sections_open++;
    uint64_t plain_size = twin->plain->header.sh_size, padded_size = twin->padded->header.sh_size;
    twin->open = proving->open && proving->open(proving->context, twin->plain->name, plain_size, padded_size);
    return twin->open ? JCC_OK : jcc_differ(proving, twin->plain->name, plain, padded, what);
}

// What the file headers say beyond the sections.
static enum jcc_status compare_files(struct jcc_proving *proving)
{
    GElf_Ehdr a, b;
    if (!gelf_getehdr(proving->plain.elf->libelf, &a) || !gelf_getehdr(proving->padded.elf->libelf, &b))
        return JCC_ERROR_FORMAT;
    bool same = a.e_machine == b.e_machine && a.e_flags == b.e_flags && a.e_ident[EI_CLASS] == b.e_ident[EI_CLASS] &&
                a.e_ident[EI_OSABI] == b.e_ident[EI_OSABI] && a.e_ident[EI_ABIVERSION] == b.e_ident[EI_ABIVERSION];
    return same ? JCC_OK : jcc_differ(proving, "", 0, 0, "machine, class, ABI or flags of the file");
}

// ELF files hold either kind of relocation in theory; in an object of one program they are of one kind.
static enum jcc_status compare_relocation_form(struct jcc_proving *proving)
{
    bool some = proving->plain.reloc_count && proving->padded.reloc_count;
    if (some && proving->plain.addends_in_fields != proving->padded.addends_in_fields)
        return jcc_differ(proving, "", 0, 0, "form of relocations");
    return JCC_OK;
}

static enum jcc_status for_each(struct jcc_proving *proving, bool code, enum jcc_status (*prove)(struct jcc_proving *, struct jcc_twin *))
{
    enum jcc_status status = JCC_OK;
    for (size_t n = 0; status == JCC_OK && n < proving->twin_count; n++)
        if ((proving->twins[n].plain->part == JCC_PART_CODE) == code)
            status = prove(proving, &proving->twins[n]);
    return status;
}

// Code first, because the places of everything else are found by it; tables before what points into them.
static enum jcc_status prove(struct jcc_proving *proving)
{
    enum jcc_status status = compare_files(proving);
    if (status == JCC_OK)
        status = compare_relocation_form(proving);
    if (status == JCC_OK)
        status = jcc_twins_make(proving);
    if (status == JCC_OK)
        status = for_each(proving, true, jcc_prove_code);
    for (size_t n = 0; n < proving->twin_count; n++)
        proving->moved |= proving->twins[n].plain->part == JCC_PART_CODE && !proving->twins[n].same;
    if (status == JCC_OK)
        status = jcc_prove_frames(proving);
    if (status == JCC_OK)
        status = for_each(proving, false, jcc_prove_data);
    if (status == JCC_OK)
        status = for_each(proving, false, jcc_prove_data_relocs);
    if (status == JCC_OK)
        status = for_each(proving, true, jcc_prove_code_relocs);
    if (status == JCC_OK)
        status = jcc_prove_symbols(proving);
    proving->result->sections = (uint32_t)proving->twin_count;
    return status;
}

static void release(struct jcc_proving *proving)
{
    for (size_t n = 0; n < proving->twin_count; n++) {
        jcc_places_free(&proving->twins[n].plain_code);
        jcc_places_free(&proving->twins[n].padded_code);
        free(proving->twins[n].reach);
        free(proving->twins[n].matches);
    }
    free(proving->twins);
    free(proving->references);
    jcc_object_free(&proving->plain);
    jcc_object_free(&proving->padded);
}

JCC_API enum jcc_status jcc_elf_prove(const jcc_elf *plain, const jcc_elf *padded, const char *ignore_prefix, jcc_elf_open_fn open,
                                      void *context, struct jcc_elf_proof *proof)
{
    if (proof && proof->size < sizeof *proof)
        return JCC_ERROR_ARGUMENT;
    struct jcc_elf_proof result = {.size = sizeof result};
    if (proof)
        *proof = result;
    if (!jcc_elf_is_object(plain) || !jcc_elf_is_object(padded))
        return JCC_ERROR_ARGUMENT;
    uint64_t name_budget = plain->image.size * (uint64_t)RELOCATION_NAME_BUDGET;
    struct jcc_proving proving = {
        .ignore_prefix = ignore_prefix, .open = open, .context = context, .name_budget = &name_budget, .result = &result};
    enum jcc_status status = jcc_object_read(plain, &proving.plain);
    if (status == JCC_OK)
        status = jcc_object_read(padded, &proving.padded);
    if (status == JCC_OK)
        status = prove(&proving);
    release(&proving);
    if (proof)
        *proof = result;
    return status;
}
