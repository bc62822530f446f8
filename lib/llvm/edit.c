// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "edit.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

// A section whose contents are symbol numbers in a variable-length code, ULEB128 (what .addrsig makes).
#define SHT_LLVM_ADDRSIG_TYPE 0x6fff4c03u

// The place and width of each field that is read or written, by class.
struct field {
    uint8_t at, width;
};

struct jcc_edit_class {
    struct field shoff, shnum, shstrndx;                             // of the file header
    uint8_t header;                                                  // size of a section header
    struct field type, name, flags, offset, size, link, info, entry; // of a section header
    uint8_t symbol;                                                  // size
    struct field symbol_name, symbol_section, symbol_info;
    struct field r_offset, r_info, r_addend;
    uint8_t r_shift; // of the symbol in r_info
};

#define FIELD(type, member)                                                                                                                \
    {                                                                                                                                      \
        offsetof(type, member), sizeof(((type *)0)->member)                                                                                \
    }
#define CLASS(BITS, SHIFT)                                                                                                                 \
    {                                                                                                                                      \
        FIELD(Elf##BITS##_Ehdr, e_shoff), FIELD(Elf##BITS##_Ehdr, e_shnum), FIELD(Elf##BITS##_Ehdr, e_shstrndx), sizeof(Elf##BITS##_Shdr), \
            FIELD(Elf##BITS##_Shdr, sh_type), FIELD(Elf##BITS##_Shdr, sh_name), FIELD(Elf##BITS##_Shdr, sh_flags),                         \
            FIELD(Elf##BITS##_Shdr, sh_offset), FIELD(Elf##BITS##_Shdr, sh_size), FIELD(Elf##BITS##_Shdr, sh_link),                        \
            FIELD(Elf##BITS##_Shdr, sh_info), FIELD(Elf##BITS##_Shdr, sh_entsize), sizeof(Elf##BITS##_Sym),                                \
            FIELD(Elf##BITS##_Sym, st_name), FIELD(Elf##BITS##_Sym, st_shndx), FIELD(Elf##BITS##_Sym, st_info),                            \
            FIELD(Elf##BITS##_Rela, r_offset), FIELD(Elf##BITS##_Rela, r_info), FIELD(Elf##BITS##_Rela, r_addend), SHIFT                   \
    }

static const struct jcc_edit_class elf32 = CLASS(32, 8);
static const struct jcc_edit_class elf64 = CLASS(64, 32);

static uint64_t get(const uint8_t *base, struct field f)
{
    uint64_t value = 0; // little-endian, as x86 is
    memcpy(&value, base + f.at, f.width);
    return value;
}

static void set(uint8_t *base, struct field f, uint64_t value)
{
    memcpy(base + f.at, &value, f.width);
}

static uint8_t *header(const struct jcc_edit *e, uint32_t index)
{
    return e->table + (size_t)index * e->fields->header;
}

static uint8_t *contents(const struct jcc_edit *e, const uint8_t *h)
{
    return e->image + get(h, e->fields->offset);
}

bool jcc_edit_open(struct jcc_edit *e, void *image, size_t size)
{
    uint8_t *bytes = image;
    if (size < sizeof(Elf32_Ehdr) || memcmp(bytes, ELFMAG, SELFMAG))
        return false;
    *e = (struct jcc_edit){.image = bytes, .size = size, .fields = bytes[EI_CLASS] == ELFCLASS64 ? &elf64 : &elf32};
    uint64_t table = get(bytes, e->fields->shoff);
    if (!table || table >= size)
        return false;
    e->table = bytes + table;
    e->count = (uint32_t)get(bytes, e->fields->shnum);
    if (!e->count) // more than fit: the first header's size is their number
        e->count = (uint32_t)get(e->table, e->fields->size);
    return true;
}

// ---- a section

static uint32_t shifted(uint32_t index, uint32_t gone)
{
    return index > gone ? index - 1 : index;
}

static void shift_words(uint8_t *bytes, uint64_t size, uint64_t from, uint32_t gone)
{
    for (uint64_t at = from; at + 4 <= size; at += 4) {
        uint32_t word;
        memcpy(&word, bytes + at, 4);
        word = shifted(word, gone);
        memcpy(bytes + at, &word, 4);
    }
}

static void shift_symbols(const struct jcc_edit *e, uint8_t *bytes, uint64_t size, uint32_t gone)
{
    const struct field section = e->fields->symbol_section;
    for (uint64_t at = 0; at + e->fields->symbol <= size; at += e->fields->symbol) {
        uint64_t index = get(bytes + at, section);
        if (index < SHN_LORESERVE)
            set(bytes + at, section, shifted((uint32_t)index, gone));
    }
}

static void shift_section(const struct jcc_edit *e, uint8_t *h, uint32_t gone)
{
    const struct jcc_edit_class *f = e->fields;
    set(h, f->link, shifted((uint32_t)get(h, f->link), gone));
    uint64_t size = get(h, f->size);
    switch (get(h, f->type)) {
    case SHT_REL:
    case SHT_RELA: set(h, f->info, shifted((uint32_t)get(h, f->info), gone)); break;
    case SHT_GROUP: shift_words(contents(e, h), size, 4, gone); break;
    case SHT_SYMTAB_SHNDX: shift_words(contents(e, h), size, 0, gone); break;
    case SHT_SYMTAB: shift_symbols(e, contents(e, h), size, gone); break;
    default: break;
    }
}

static uint32_t find_section(const struct jcc_edit *e, const char *name)
{
    const struct jcc_edit_class *f = e->fields;
    uint32_t names = (uint32_t)get(e->image, f->shstrndx);
    if (names == SHN_XINDEX)
        names = (uint32_t)get(e->table, f->link);
    const char *strings = (const char *)contents(e, header(e, names));
    for (uint32_t k = 1; k < e->count; k++)
        if (!strcmp(strings + get(header(e, k), f->name), name))
            return k;
    return 0;
}

void jcc_edit_drop_section(struct jcc_edit *e, const char *name)
{
    const struct jcc_edit_class *f = e->fields;
    uint32_t gone = find_section(e, name);
    if (!gone)
        return;
    bool table_is_last = e->table + (size_t)e->count * f->header == e->image + e->size;
    memmove(header(e, gone), header(e, gone + 1), (size_t)(e->count - gone - 1) * f->header);
    e->count--;
    for (uint32_t k = 1; k < e->count; k++)
        shift_section(e, header(e, k), gone);
    if (get(e->image, f->shstrndx) == SHN_XINDEX)
        set(e->table, f->link, shifted((uint32_t)get(e->table, f->link), gone));
    else
        set(e->image, f->shstrndx, shifted((uint32_t)get(e->image, f->shstrndx), gone));
    if (get(e->image, f->shnum))
        set(e->image, f->shnum, e->count);
    else
        set(e->table, f->size, e->count);
    if (table_is_last)
        e->size -= f->header;
}

// ---- symbols

// Keep the entries of SIZE bytes at BYTES whose number has a new one.
static uint64_t compact(uint8_t *bytes, uint64_t size, size_t entry, const uint32_t *number)
{
    uint64_t kept = 0;
    for (uint64_t k = 0; k * entry < size; k++)
        if (number[k] != UINT32_MAX)
            memmove(bytes + entry * kept++, bytes + entry * k, entry);
    return kept * entry;
}

// Give the ULEB128 symbol numbers of SIZE bytes at BYTES their new ones, which are never longer. Returns what they take now.
static uint64_t renumber_leb(uint8_t *bytes, uint64_t size, const uint32_t *number, size_t count)
{
    uint64_t out = 0;
    for (uint64_t at = 0; at < size;) {
        uint64_t value = 0;
        uint8_t byte = 0x80;
        for (unsigned shift = 0; byte & 0x80 && at < size && shift < 63; shift += 7) {
            byte = bytes[at++];
            value |= (uint64_t)(byte & 0x7f) << shift;
        }
        value = value < count ? number[value] : value;
        for (; value > 0x7f; value >>= 7)
            bytes[out++] = (uint8_t)(value | 0x80);
        bytes[out++] = (uint8_t)value;
    }
    return out;
}

static void renumber(const struct jcc_edit *e, uint8_t *h, const uint32_t *number, size_t count)
{
    const struct jcc_edit_class *f = e->fields;
    uint8_t *bytes = contents(e, h);
    uint64_t size = get(h, f->size), entry = get(h, f->entry);
    switch (get(h, f->type)) {
    case SHT_REL:
    case SHT_RELA:
        for (uint64_t at = 0; at + entry <= size; at += entry) {
            uint64_t info = get(bytes + at, f->r_info), low = ((uint64_t)1 << f->r_shift) - 1;
            set(bytes + at, f->r_info, (uint64_t)number[info >> f->r_shift] << f->r_shift | (info & low));
        }
        break;
    case SHT_GROUP: set(h, f->info, number[get(h, f->info)]); break;
    case SHT_LLVM_ADDRSIG_TYPE: set(h, f->size, renumber_leb(bytes, size, number, count)); break;
    case SHT_SYMTAB_SHNDX: set(h, f->size, compact(bytes, size, 4, number)); break;
    case SHT_SYMTAB: {
        uint64_t locals = get(h, f->info);
        while (locals && number[locals - 1] == UINT32_MAX)
            locals--;
        set(h, f->info, locals ? number[locals - 1] + 1 : 0);
        set(h, f->size, compact(bytes, size, f->symbol, number));
        break;
    }
    default: break;
    }
}

enum jcc_status jcc_edit_drop_empty_files(struct jcc_edit *e)
{
    const struct jcc_edit_class *f = e->fields;
    uint8_t *table = NULL;
    for (uint32_t k = 1; k < e->count; k++)
        if (get(header(e, k), f->type) == SHT_SYMTAB)
            table = header(e, k);
    if (!table)
        return JCC_OK;
    size_t count = (size_t)get(table, f->size) / f->symbol;
    const uint8_t *symbols = contents(e, table);
    uint32_t *number = malloc((count + 1) * sizeof *number);
    if (!number)
        return JCC_ERROR_NO_MEMORY;
    uint32_t kept = 0;
    for (size_t k = 0; k < count; k++) {
        const uint8_t *symbol = symbols + k * f->symbol;
        bool gone = ELF64_ST_TYPE(get(symbol, f->symbol_info)) == STT_FILE && !get(symbol, f->symbol_name);
        number[k] = gone ? UINT32_MAX : kept++;
    }
    for (uint32_t k = 1; kept < count && k < e->count; k++)
        renumber(e, header(e, k), number, count);
    free(number);
    return JCC_OK;
}

// ---- relocations

static void retype_section(const struct jcc_edit *e, const uint8_t *h, const uint8_t *code, jcc_edit_type_fn type_of, void *context)
{
    const struct jcc_edit_class *f = e->fields;
    uint8_t *bytes = contents(e, h);
    uint64_t size = get(h, f->size), entry = get(h, f->entry), low = ((uint64_t)1 << f->r_shift) - 1;
    bool with_addend = get(h, f->type) == SHT_RELA;
    for (uint64_t at = 0; at + entry <= size; at += entry) {
        uint64_t info = get(bytes + at, f->r_info);
        struct jcc_edit_relocation r = {.code = contents(e, code),
                                        .size = get(code, f->size),
                                        .offset = get(bytes + at, f->r_offset),
                                        .addend = with_addend ? (int32_t)get(bytes + at, f->r_addend) : 0,
                                        .type = (uint32_t)(info & low)};
        set(bytes + at, f->r_info, (info & ~low) | type_of(context, &r));
    }
}

void jcc_edit_retype(struct jcc_edit *e, jcc_edit_type_fn type_of, void *context)
{
    const struct jcc_edit_class *f = e->fields;
    for (uint32_t k = 1; k < e->count; k++) {
        const uint8_t *h = header(e, k);
        uint64_t type = get(h, f->type), of = get(h, f->info);
        if ((type == SHT_REL || type == SHT_RELA) && of && of < e->count && get(header(e, (uint32_t)of), f->flags) & SHF_EXECINSTR)
            retype_section(e, h, header(e, (uint32_t)of), type_of, context);
    }
}
