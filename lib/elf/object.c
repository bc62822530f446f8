// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "object.h"
#include <stdlib.h>
#include <string.h>

// Section types that elf.h of this libelf may not have.
#define SHT_LLVM_ADDRSIG_  0x6fff4c03u
#define SHT_CREL_          0x40000014u // LLVM's compact relocations
#define SHT_X86_64_UNWIND_ 0x70000001u

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static enum jcc_part part_of(const GElf_Shdr *header, const char *name)
{
    switch (header->sh_type) {
    case SHT_NULL:
    case SHT_SYMTAB:
    case SHT_SYMTAB_SHNDX:
    case SHT_RELA:
    case SHT_REL: return JCC_PART_NONE;
    case SHT_STRTAB: return header->sh_flags & SHF_ALLOC ? JCC_PART_DATA : JCC_PART_NONE;
    case SHT_GROUP: return JCC_PART_GROUP;
    case SHT_LLVM_ADDRSIG_: return JCC_PART_ADDRSIG;
    case SHT_NOBITS: return JCC_PART_DATA;
    default: break;
    }
    if (header->sh_flags & SHF_EXECINSTR)
        return JCC_PART_CODE;
    if (!(header->sh_flags & SHF_ALLOC) && (starts_with(name, ".debug_") || starts_with(name, ".zdebug_")))
        return JCC_PART_DEBUG;
    if (header->sh_type == SHT_X86_64_UNWIND_ || strcmp(name, ".eh_frame") == 0)
        return JCC_PART_FRAMES;
    if (starts_with(name, ".gcc_except_table"))
        return JCC_PART_LSDA;
    return JCC_PART_DATA;
}

static enum jcc_status read_sections(struct jcc_object *object)
{
    const struct jcc_elf *elf = object->elf;
    struct jcc_strings names;
    uint64_t total = 0, budget = elf->image.size * (uint64_t)JCC_NAME_BUDGET;
    enum jcc_status status = jcc_section_strings(elf, elf->header.section_names, &names);
    if (status != JCC_OK)
        return status;
    object->section_count = elf->header.sections;
    object->sections = calloc(object->section_count + 1, sizeof *object->sections);
    if (!object->sections)
        return JCC_ERROR_NO_MEMORY;
    for (size_t n = 0; n < object->section_count; n++) {
        struct jcc_section *section = &object->sections[n];
        section->twin = JCC_NO_TWIN;
        if (n == 0)
            continue;
        if ((status = jcc_section_header(elf, n, &section->header)) != JCC_OK ||
            (status = jcc_section_bytes(elf, &section->header, &section->bytes, &section->size)) != JCC_OK)
            return status;
        section->name = jcc_string(&names, section->header.sh_name);
        // Sections of an object do not overlap; that also bounds all that is done a section.
        total += section->size;
        if (!section->name || !jcc_name_charge(&budget, section->name) || total > elf->image.size)
            return JCC_ERROR_FORMAT;
        if (section->header.sh_type == SHT_CREL_)
            return JCC_ERROR_UNSUPPORTED;
        section->part = part_of(&section->header, section->name);
    }
    return JCC_OK;
}

static enum jcc_status read_symbols(struct jcc_object *object)
{
    struct jcc_symbol_table table;
    uint64_t budget = object->elf->image.size * (uint64_t)JCC_NAME_BUDGET;
    enum jcc_status status = jcc_symbol_table_read(object->elf, SHT_SYMTAB, &table);
    if (status != JCC_OK)
        return status;
    object->symbol_table = table.section;
    object->symbol_count = table.count;
    object->symbols = calloc(table.count + 1, sizeof *object->symbols);
    if (!object->symbols)
        return JCC_ERROR_NO_MEMORY;
    for (size_t n = 0; n < table.count; n++) {
        GElf_Sym entry;
        uint32_t section;
        if (!jcc_symbol_get(&table, n, &entry, &section))
            return JCC_ERROR_FORMAT;
        bool special = entry.st_shndx >= SHN_LORESERVE && entry.st_shndx != SHN_XINDEX;
        struct jcc_symbol *symbol = &object->symbols[n];
        *symbol = (struct jcc_symbol){.name = jcc_string(&table.strings, entry.st_name),
                                      .value = entry.st_value,
                                      .size = entry.st_size,
                                      .section = special ? section | JCC_SPECIAL : section,
                                      .info = entry.st_info,
                                      .other = entry.st_other};
        // The table's sh_info tells linkers where the local symbols end.
        bool local = GELF_ST_BIND(entry.st_info) == STB_LOCAL, among_locals = n < object->sections[table.section].header.sh_info;
        if (!symbol->name || !jcc_name_charge(&budget, symbol->name) || (!special && section >= object->section_count) ||
            local != among_locals)
            return JCC_ERROR_FORMAT;
    }
    return JCC_OK;
}

// The groups' members learn the signature. A group lists section indices behind one word of flags.
static enum jcc_status read_groups(struct jcc_object *object)
{
    uint64_t budget = object->elf->image.size * (uint64_t)JCC_NAME_BUDGET;
    for (size_t n = 1; n < object->section_count; n++) {
        struct jcc_section *group = &object->sections[n];
        if (group->part != JCC_PART_GROUP)
            continue;
        if (group->header.sh_info >= object->symbol_count || group->size % 4 != 0)
            return JCC_ERROR_FORMAT;
        const struct jcc_symbol *signature = &object->symbols[group->header.sh_info];
        // GNU as names a group without a symbol of its own by a section symbol.
        bool by_section = GELF_ST_TYPE(signature->info) == STT_SECTION && jcc_symbol_home(object, signature);
        group->group = by_section ? jcc_symbol_home(object, signature)->name : signature->name;
        for (size_t at = 4; at < group->size; at += 4) {
            uint32_t member;
            memcpy(&member, group->bytes + at, sizeof member);
            if (member >= object->section_count || !jcc_name_charge(&budget, group->group))
                return JCC_ERROR_FORMAT;
            object->sections[member].group = group->group;
        }
    }
    return JCC_OK;
}

// ---- relocations

static enum jcc_status addend_in_field(const struct jcc_object *object, const struct jcc_section *target, struct jcc_reloc *reloc)
{
    unsigned size = jcc_reloc_kind(object->elf->header.machine, reloc->type).size;
    const uint8_t *field = target->bytes + reloc->offset;
    if (!jcc_inside(reloc->offset, size, target->size))
        return JCC_ERROR_FORMAT;
    uint64_t value = 0;
    for (unsigned n = 0; n < size; n++)
        value |= (uint64_t)field[n] << (8 * n);
    unsigned unused = 64 - 8 * size;
    reloc->addend = size == 0 || size == 8 ? (int64_t)value : (int64_t)(value << unused) >> unused;
    return JCC_OK;
}

// The relocations of section INDEX, appended to the object's.
static enum jcc_status read_relocs_of(struct jcc_object *object, size_t index)
{
    const struct jcc_section *section = &object->sections[index];
    const struct jcc_section *target = &object->sections[section->header.sh_info];
    const struct jcc_elf *elf = object->elf;
    bool explicit = section->header.sh_type == SHT_RELA;
    size_t entry = gelf_fsize(elf->libelf, explicit ? ELF_T_RELA : ELF_T_REL, 1, EV_CURRENT);
    if (section->header.sh_entsize != entry || section->size % entry != 0 || section->header.sh_link != object->symbol_table)
        return JCC_ERROR_FORMAT;
    if (section->size == 0 || target->part == JCC_PART_DEBUG)
        return JCC_OK;
    Elf_Data *data = elf_getdata(elf_getscn(elf->libelf, index), NULL);
    if (!data || !data->d_buf || data->d_size != section->size)
        return JCC_ERROR_FORMAT;
    object->addends_in_fields = !explicit;
    for (size_t n = 0; n < section->size / entry; n++) {
        GElf_Rela rela = {0};
        GElf_Rel rel;
        if (explicit ? !gelf_getrela(data, (int)n, &rela) : !gelf_getrel(data, (int)n, &rel))
            return JCC_ERROR_FORMAT;
        if (!explicit)
            rela.r_offset = rel.r_offset, rela.r_info = rel.r_info;
        struct jcc_reloc *reloc = &object->relocs[object->reloc_count++];
        *reloc = (struct jcc_reloc){.offset = rela.r_offset,
                                    .addend = rela.r_addend,
                                    .type = (uint32_t)GELF_R_TYPE(rela.r_info),
                                    .symbol = (uint32_t)GELF_R_SYM(rela.r_info)};
        if (reloc->symbol >= object->symbol_count || !jcc_inside(reloc->offset, 1, target->size))
            return JCC_ERROR_FORMAT;
        enum jcc_status status = explicit ? JCC_OK : addend_in_field(object, target, reloc);
        if (status != JCC_OK)
            return status;
    }
    return JCC_OK;
}

// Those at one offset keep their order, which psABIs give a meaning to: so a merge sort, and none for what is in order, as it mostly is.
static void sort_relocs(struct jcc_reloc *relocs, size_t count, struct jcc_reloc *scratch)
{
    bool sorted = true;
    for (size_t n = 1; n < count && sorted; n++)
        sorted = relocs[n - 1].offset <= relocs[n].offset;
    if (sorted)
        return;
    size_t half = count / 2, left = 0, right = half;
    sort_relocs(relocs, half, scratch);
    sort_relocs(relocs + half, count - half, scratch);
    for (size_t n = 0; n < count; n++)
        scratch[n] = right == count || (left < half && relocs[left].offset <= relocs[right].offset) ? relocs[left++] : relocs[right++];
    memcpy(relocs, scratch, count * sizeof *relocs);
}

static bool holds_relocs(const struct jcc_section *section)
{
    return section->header.sh_type == SHT_RELA || section->header.sh_type == SHT_REL;
}

static enum jcc_status read_relocs(struct jcc_object *object)
{
    // The smallest entry, an Elf32_Rel, has eight bytes.
    size_t bytes = 0;
    for (size_t n = 1; n < object->section_count; n++)
        bytes += holds_relocs(&object->sections[n]) ? object->sections[n].size : 0;
    object->relocs = calloc(bytes / sizeof(Elf32_Rel) + 1, sizeof *object->relocs);
    struct jcc_reloc *scratch = calloc(bytes / sizeof(Elf32_Rel) + 1, sizeof *scratch);
    enum jcc_status status = object->relocs && scratch ? JCC_OK : JCC_ERROR_NO_MEMORY;
    for (size_t n = 1; status == JCC_OK && n < object->section_count; n++) {
        if (!holds_relocs(&object->sections[n]))
            continue;
        size_t target = object->sections[n].header.sh_info, first = object->reloc_count;
        if (target == 0 || target >= object->section_count || object->sections[target].part == JCC_PART_NONE ||
            object->sections[target].reloc_count != 0) {
            status = JCC_ERROR_FORMAT;
            break;
        }
        status = read_relocs_of(object, n);
        object->sections[target].first_reloc = first;
        object->sections[target].reloc_count = object->reloc_count - first;
        sort_relocs(object->relocs + first, object->reloc_count - first, scratch);
    }
    free(scratch);
    return status;
}

enum jcc_status jcc_object_read(const struct jcc_elf *elf, struct jcc_object *object)
{
    *object = (struct jcc_object){.elf = elf};
    enum jcc_status status = read_sections(object);
    if (status == JCC_OK)
        status = read_symbols(object);
    if (status == JCC_OK)
        status = read_groups(object);
    if (status == JCC_OK)
        status = read_relocs(object);
    if (status == JCC_OK)
        status = jcc_data_ranges_read(object);
    if (status != JCC_OK)
        jcc_object_free(object);
    return status;
}

void jcc_object_free(struct jcc_object *object)
{
    free(object->sections);
    free(object->symbols);
    free(object->relocs);
    free(object->data);
    *object = (struct jcc_object){0};
}
