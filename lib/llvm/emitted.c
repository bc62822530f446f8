// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emitted.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

// One header, in the wider of the two classes.
static Elf64_Shdr header(const struct jcc_emitted *object, uint64_t table, uint32_t index)
{
    Elf64_Shdr wide;
    if (object->is64) {
        memcpy(&wide, object->image + table + (uint64_t)index * sizeof wide, sizeof wide);
        return wide;
    }
    Elf32_Shdr narrow;
    memcpy(&narrow, object->image + table + (uint64_t)index * sizeof narrow, sizeof narrow);
    return (Elf64_Shdr){narrow.sh_name, narrow.sh_type, narrow.sh_flags, narrow.sh_addr,      narrow.sh_offset,
                        narrow.sh_size, narrow.sh_link, narrow.sh_info,  narrow.sh_addralign, narrow.sh_entsize};
}

static bool read_sections(struct jcc_emitted *object, uint64_t table, uint32_t count, uint32_t names)
{
    object->sections = calloc(count ? count : 1, sizeof *object->sections);
    if (!object->sections)
        return false;
    object->section_count = count;
    const char *strings = (const char *)object->image + header(object, table, names).sh_offset;
    for (uint32_t k = 0; k < count; k++) {
        Elf64_Shdr h = header(object, table, k);
        struct jcc_emitted_section *s = &object->sections[k];
        s->name = strings + h.sh_name;
        s->bytes = object->image + h.sh_offset;
        s->size = k ? h.sh_size : 0;
        s->flags = h.sh_flags;
        s->alignment = h.sh_addralign;
        s->type = h.sh_type;
        if (h.sh_type == SHT_SYMTAB) {
            object->symbols = k;
            object->strings = (const char *)object->image + header(object, table, h.sh_link).sh_offset;
        }
        if ((h.sh_type == SHT_RELA || h.sh_type == SHT_REL) && h.sh_info < count)
            object->sections[h.sh_info].relocations = k;
    }
    return true;
}

enum jcc_status jcc_emitted_open(struct jcc_emitted *object, const void *image, size_t size)
{
    *object = (struct jcc_emitted){.image = image, .size = size};
    if (size < sizeof(Elf32_Ehdr) || memcmp(image, ELFMAG, SELFMAG))
        return JCC_ERROR_LLVM;
    object->is64 = object->image[EI_CLASS] == ELFCLASS64;
    uint64_t table;
    uint32_t count, names;
    if (object->is64) {
        Elf64_Ehdr e;
        memcpy(&e, image, sizeof e);
        table = e.e_shoff, count = e.e_shnum, names = e.e_shstrndx;
    } else {
        Elf32_Ehdr e;
        memcpy(&e, image, sizeof e);
        table = e.e_shoff, count = e.e_shnum, names = e.e_shstrndx;
    }
    // More than 65,279 sections: their number and the string table's stand in the first header.
    if (table && (!count || names == SHN_XINDEX)) {
        Elf64_Shdr first = header(object, table, 0);
        count = count ? count : (uint32_t)first.sh_size;
        names = names == SHN_XINDEX ? first.sh_link : names;
    }
    return read_sections(object, table, count, names) ? JCC_OK : JCC_ERROR_NO_MEMORY;
}

void jcc_emitted_close(struct jcc_emitted *object)
{
    free(object->sections);
    *object = (struct jcc_emitted){0};
}

static size_t relocation_size(const struct jcc_emitted *object, const struct jcc_emitted_section *table)
{
    if (table->type == SHT_RELA)
        return object->is64 ? sizeof(Elf64_Rela) : sizeof(Elf32_Rela);
    return object->is64 ? sizeof(Elf64_Rel) : sizeof(Elf32_Rel);
}

size_t jcc_emitted_relocation_count(const struct jcc_emitted *object, const struct jcc_emitted_section *section)
{
    if (!section->relocations)
        return 0;
    const struct jcc_emitted_section *table = &object->sections[section->relocations];
    return (size_t)table->size / relocation_size(object, table);
}

struct jcc_emitted_relocation jcc_emitted_relocation(const struct jcc_emitted *object, const struct jcc_emitted_section *section,
                                                     size_t index)
{
    const struct jcc_emitted_section *table = &object->sections[section->relocations];
    const uint8_t *at = table->bytes + index * relocation_size(object, table);
    if (object->is64) {
        Elf64_Rel r; // the addend of a Rela stands behind
        memcpy(&r, at, sizeof r);
        return (struct jcc_emitted_relocation){r.r_offset, (uint32_t)ELF64_R_TYPE(r.r_info), (uint32_t)ELF64_R_SYM(r.r_info)};
    }
    Elf32_Rel r;
    memcpy(&r, at, sizeof r);
    return (struct jcc_emitted_relocation){r.r_offset, (uint32_t)ELF32_R_TYPE(r.r_info), (uint32_t)ELF32_R_SYM(r.r_info)};
}

size_t jcc_emitted_symbol_count(const struct jcc_emitted *object)
{
    size_t entry = object->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    return object->symbols ? (size_t)object->sections[object->symbols].size / entry : 0;
}

struct jcc_emitted_symbol jcc_emitted_symbol(const struct jcc_emitted *object, size_t index)
{
    const struct jcc_emitted_section *table = &object->sections[object->symbols];
    if (object->is64) {
        Elf64_Sym s;
        memcpy(&s, table->bytes + index * sizeof s, sizeof s);
        return (struct jcc_emitted_symbol){object->strings + s.st_name, s.st_value, s.st_shndx, ELF32_ST_TYPE(s.st_info),
                                           ELF32_ST_BIND(s.st_info)};
    }
    Elf32_Sym s;
    memcpy(&s, table->bytes + index * sizeof s, sizeof s);
    return (struct jcc_emitted_symbol){object->strings + s.st_name, s.st_value, s.st_shndx, ELF32_ST_TYPE(s.st_info),
                                       ELF32_ST_BIND(s.st_info)};
}
