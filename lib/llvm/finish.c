// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // memmem
#include "finish.h"

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const char stack_note[] = ".note.GNU-stack";

static bool source_names_note(const struct jcc_scan *scan)
{
    for (size_t k = 0; k < scan->count; k++) {
        const struct jcc_statement *s = &scan->statements[k];
        if (s->type == JCC_STATEMENT_DIRECTIVE && (s->directive == JCC_DIRECTIVE_SECTION || s->directive == JCC_DIRECTIVE_PUSHSECTION) &&
            memmem(scan->text + s->begin, s->end - s->begin, stack_note, sizeof stack_note - 1))
            return true;
    }
    return false;
}

// An index of a section, once section GONE is taken out.
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

// The same code for both classes of ELF: NAME(64) and NAME(32) differ in the structs alone.
#define DEFINE_FOR_CLASS(BITS)                                                                                                             \
    static void shift_symbols_##BITS(uint8_t *bytes, uint64_t size, uint32_t gone)                                                         \
    {                                                                                                                                      \
        Elf##BITS##_Sym symbol;                                                                                                            \
        for (uint64_t at = 0; at + sizeof symbol <= size; at += sizeof symbol) {                                                           \
            memcpy(&symbol, bytes + at, sizeof symbol);                                                                                    \
            if (symbol.st_shndx >= SHN_LORESERVE)                                                                                          \
                continue;                                                                                                                  \
            symbol.st_shndx = (uint16_t)shifted(symbol.st_shndx, gone);                                                                    \
            memcpy(bytes + at, &symbol, sizeof symbol);                                                                                    \
        }                                                                                                                                  \
    }                                                                                                                                      \
                                                                                                                                           \
    static void shift_section_##BITS(uint8_t *image, Elf##BITS##_Shdr *h, uint32_t gone)                                                   \
    {                                                                                                                                      \
        h->sh_link = shifted(h->sh_link, gone);                                                                                            \
        if (h->sh_type == SHT_REL || h->sh_type == SHT_RELA)                                                                               \
            h->sh_info = shifted(h->sh_info, gone);                                                                                        \
        else if (h->sh_type == SHT_GROUP)                                                                                                  \
            shift_words(image + h->sh_offset, h->sh_size, 4, gone);                                                                        \
        else if (h->sh_type == SHT_SYMTAB_SHNDX)                                                                                           \
            shift_words(image + h->sh_offset, h->sh_size, 0, gone);                                                                        \
        else if (h->sh_type == SHT_SYMTAB)                                                                                                 \
            shift_symbols_##BITS(image + h->sh_offset, h->sh_size, gone);                                                                  \
    }                                                                                                                                      \
                                                                                                                                           \
    /* Take out the section called NAME; returns the image's new size. */                                                                  \
    static size_t drop_section_##BITS(uint8_t *image, size_t size, const char *name)                                                       \
    {                                                                                                                                      \
        Elf##BITS##_Ehdr e;                                                                                                                \
        Elf##BITS##_Shdr h, first, strings;                                                                                                \
        memcpy(&e, image, sizeof e);                                                                                                       \
        if (!e.e_shoff)                                                                                                                    \
            return size;                                                                                                                   \
        uint8_t *table = image + e.e_shoff;                                                                                                \
        memcpy(&first, table, sizeof first);                                                                                               \
        uint32_t count = e.e_shnum ? e.e_shnum : (uint32_t)first.sh_size;                                                                  \
        uint32_t names = e.e_shstrndx == SHN_XINDEX ? first.sh_link : e.e_shstrndx, gone = 0;                                              \
        memcpy(&strings, table + (size_t)names * sizeof strings, sizeof strings);                                                          \
        for (uint32_t k = 1; k < count && !gone; k++) {                                                                                    \
            memcpy(&h, table + (size_t)k * sizeof h, sizeof h);                                                                            \
            if (!strcmp((const char *)image + strings.sh_offset + h.sh_name, name))                                                        \
                gone = k;                                                                                                                  \
        }                                                                                                                                  \
        if (!gone)                                                                                                                         \
            return size;                                                                                                                   \
        uint8_t *place = table + (size_t)gone * sizeof h;                                                                                  \
        memmove(place, place + sizeof h, (size_t)(count - gone - 1) * sizeof h);                                                           \
        for (uint32_t k = 1; k + 1 < count; k++) {                                                                                         \
            memcpy(&h, table + (size_t)k * sizeof h, sizeof h);                                                                            \
            shift_section_##BITS(image, &h, gone);                                                                                         \
            memcpy(table + (size_t)k * sizeof h, &h, sizeof h);                                                                            \
        }                                                                                                                                  \
        if (e.e_shstrndx == SHN_XINDEX)                                                                                                    \
            first.sh_link = shifted(first.sh_link, gone);                                                                                  \
        else                                                                                                                               \
            e.e_shstrndx = (uint16_t)shifted(e.e_shstrndx, gone);                                                                          \
        if (e.e_shnum)                                                                                                                     \
            e.e_shnum--;                                                                                                                   \
        else                                                                                                                               \
            first.sh_size--;                                                                                                               \
        memcpy(table, &first, sizeof first);                                                                                               \
        memcpy(image, &e, sizeof e);                                                                                                       \
        return e.e_shoff + (uint64_t)count * sizeof h == size ? size - sizeof h : size;                                                    \
    }

DEFINE_FOR_CLASS(64)
DEFINE_FOR_CLASS(32)

enum jcc_status jcc_finish(struct jcc_text *out, const void *image, size_t size, const struct jcc_scan *scan)
{
    jcc_text_append(out, image, size);
    if (out->failed)
        return JCC_ERROR_NO_MEMORY;
    if (size < sizeof(Elf64_Ehdr) || memcmp(image, ELFMAG, SELFMAG))
        return JCC_ERROR_LLVM;
    if (source_names_note(scan))
        return JCC_OK;
    uint8_t *bytes = (uint8_t *)out->data;
    out->length = bytes[EI_CLASS] == ELFCLASS64 ? drop_section_64(bytes, size, stack_note) : drop_section_32(bytes, size, stack_note);
    return JCC_OK;
}
