// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "file.h"
#include <stdlib.h>
#include <string.h>

// Section INDEX's entries as libelf sees them, once their size is known to be the one of TYPE.
static enum jcc_status read_entries(const struct jcc_elf *elf, size_t index, Elf_Type type, const GElf_Shdr *section, Elf_Data **data,
                                    size_t *count)
{
    size_t entry = gelf_fsize(elf->libelf, type, 1, EV_CURRENT);
    const uint8_t *bytes;
    size_t size;
    if (entry == 0 || section->sh_entsize != entry || section->sh_size % entry != 0 || (section->sh_flags & SHF_COMPRESSED))
        return JCC_ERROR_FORMAT;
    enum jcc_status status = jcc_section_bytes(elf, section, &bytes, &size);
    if (status != JCC_OK)
        return status;
    *count = size / entry;
    *data = NULL;
    if (size == 0)
        return JCC_OK;
    *data = elf_getdata(elf_getscn(elf->libelf, index), NULL);
    return *data && (*data)->d_buf && (*data)->d_size == size ? JCC_OK : JCC_ERROR_FORMAT;
}

static enum jcc_status find_extended(const struct jcc_elf *elf, struct jcc_symbol_table *table)
{
    for (size_t index = 1; index < elf->header.sections; index++) {
        GElf_Shdr section;
        size_t count;
        enum jcc_status status = jcc_section_header(elf, index, &section);
        if (status != JCC_OK)
            return status;
        if (section.sh_type != SHT_SYMTAB_SHNDX || section.sh_link != table->section)
            continue;
        if ((status = read_entries(elf, index, ELF_T_WORD, &section, &table->extended, &count)) != JCC_OK)
            return status;
        return count == table->count ? JCC_OK : JCC_ERROR_FORMAT;
    }
    return JCC_OK;
}

enum jcc_status jcc_symbol_table_read(const struct jcc_elf *elf, uint32_t type, struct jcc_symbol_table *table)
{
    *table = (struct jcc_symbol_table){.strings = {"", 1}};
    for (size_t index = 1; index < elf->header.sections; index++) {
        GElf_Shdr section;
        enum jcc_status status = jcc_section_header(elf, index, &section);
        if (status != JCC_OK)
            return status;
        if (section.sh_type != type)
            continue;
        if ((status = jcc_section_strings(elf, section.sh_link, &table->strings)) != JCC_OK)
            return status;
        if ((status = read_entries(elf, index, ELF_T_SYM, &section, &table->symbols, &table->count)) != JCC_OK)
            return status;
        table->section = index;
        return find_extended(elf, table);
    }
    return JCC_OK;
}

bool jcc_symbol_get(const struct jcc_symbol_table *table, size_t index, GElf_Sym *symbol, uint32_t *section)
{
    Elf32_Word extended = 0;
    if (index >= table->count || !gelf_getsymshndx(table->symbols, table->extended, (int)index, symbol, &extended))
        return false;
    *section = symbol->st_shndx == SHN_XINDEX && table->extended ? extended : symbol->st_shndx;
    return true;
}

// ---- places

// Among labels at one address people look for the function, then for what other files see.
static uint32_t rank_of(const GElf_Sym *symbol)
{
    unsigned type = GELF_ST_TYPE(symbol->st_info), binding = GELF_ST_BIND(symbol->st_info);
    uint32_t rank = type == STT_FUNC || type == STT_GNU_IFUNC ? 8 : type == STT_OBJECT ? 4 : 0;
    return rank + (binding == STB_GLOBAL ? 2 : binding == STB_WEAK ? 1 : 0);
}

static int by_place(const void *left, const void *right)
{
    const struct jcc_label *a = left, *b = right;
    if (a->code != b->code)
        return a->code < b->code ? -1 : 1;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    // The first in the alphabet is the best of equals, so that the answer does not hang on the sort.
    return -strcmp(a->name, b->name);
}

// Which code run each section is, one more than its index; 0: none.
static uint32_t *runs_by_section(const struct jcc_elf *elf)
{
    uint32_t *runs = calloc(elf->header.sections, sizeof *runs);
    for (size_t n = 0; runs && n < elf->code_count; n++)
        runs[elf->code[n].index] = (uint32_t)n + 1;
    return runs;
}

static bool names_a_place(const GElf_Sym *symbol, const char *name)
{
    unsigned type = GELF_ST_TYPE(symbol->st_info);
    return name && *name && (type == STT_NOTYPE || type == STT_OBJECT || type == STT_FUNC || type == STT_GNU_IFUNC);
}

static enum jcc_status collect(struct jcc_elf *elf, const struct jcc_symbol_table *table, const uint32_t *runs)
{
    uint64_t budget = elf->image.size * (uint64_t)JCC_NAME_BUDGET;
    elf->labels = malloc(table->count * sizeof *elf->labels);
    if (!elf->labels)
        return JCC_ERROR_NO_MEMORY;
    for (size_t n = 0; n < table->count; n++) {
        GElf_Sym symbol;
        uint32_t section;
        if (!jcc_symbol_get(table, n, &symbol, &section))
            return JCC_ERROR_FORMAT;
        const char *name = jcc_string(&table->strings, symbol.st_name);
        if (section >= elf->header.sections || !runs[section] || !names_a_place(&symbol, name))
            continue;
        if (!jcc_name_charge(&budget, name))
            return JCC_ERROR_FORMAT;
        bool sized = GELF_ST_TYPE(symbol.st_info) != STT_NOTYPE;
        elf->labels[elf->label_count++] = (struct jcc_label){.code = runs[section] - 1,
                                                             .rank = rank_of(&symbol),
                                                             .address = symbol.st_value,
                                                             .size = sized ? symbol.st_size : 0,
                                                             .is_sized = sized,
                                                             .name = name};
    }
    return JCC_OK;
}

enum jcc_status jcc_labels_read(struct jcc_elf *elf)
{
    struct jcc_symbol_table table;
    if (elf->header.sections == 0 || elf->code_count == 0)
        return JCC_OK;
    enum jcc_status status = jcc_symbol_table_read(elf, SHT_SYMTAB, &table);
    // A stripped library keeps its dynamic symbols.
    if (status == JCC_OK && table.count == 0)
        status = jcc_symbol_table_read(elf, SHT_DYNSYM, &table);
    if (status != JCC_OK || table.count == 0)
        return status;
    uint32_t *runs = runs_by_section(elf);
    status = runs ? collect(elf, &table, runs) : JCC_ERROR_NO_MEMORY;
    free(runs);
    return status;
}

// A proof opens objects of 100,000 marks and never asks for a place, so the labels are sorted when the first is asked for.
static void sort_labels(const struct jcc_elf *elf)
{
    if (elf->labels_sorted)
        return;
    // Every jcc_elf was allocated by open_image, so none is constant; and one thread at a time uses it.
    struct jcc_elf *own = (struct jcc_elf *)(uintptr_t)elf;
    qsort(own->labels, own->label_count, sizeof *own->labels, by_place);
    own->labels_sorted = true;
}

JCC_API struct jcc_elf_place jcc_elf_locate(const jcc_elf *elf, size_t code, uint64_t address)
{
    // The difference, because a run may end where addresses do.
    if (!elf || code >= elf->code_count || address - elf->code[code].address > elf->code[code].size)
        return (struct jcc_elf_place){NULL, address};
    size_t low = 0, high = elf->label_count;
    if (high > 0)
        sort_labels(elf);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct jcc_label *label = &elf->labels[middle];
        if (label->code < code || (label->code == code && label->address <= address))
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0 && elf->labels[low - 1].code == code)
        return (struct jcc_elf_place){elf->labels[low - 1].name, address - elf->labels[low - 1].address};
    return (struct jcc_elf_place){NULL, address - elf->code[code].address};
}
