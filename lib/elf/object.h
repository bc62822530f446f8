// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole of a relocatable object, as the proof compares it.
#ifndef JCC_ELF_OBJECT_H
#define JCC_ELF_OBJECT_H

#include "file.h"

// How a section takes part in the proof.
enum jcc_part {
    JCC_PART_NONE,  // symbols, strings, relocations: compared by what they mean
    JCC_PART_DEBUG, // may differ
    JCC_PART_CODE,
    JCC_PART_FRAMES, // .eh_frame
    JCC_PART_LSDA,   // .gcc_except_table
    JCC_PART_GROUP,
    JCC_PART_ADDRSIG, // .llvm_addrsig: indices of symbols
    JCC_PART_DATA
};

struct jcc_section {
    GElf_Shdr header;
    const char *name;
    const char *group;    // signature of the group it is a member of, NULL: none
    const uint8_t *bytes; // of length size
    size_t size;          // 0 for SHT_NOBITS
    enum jcc_part part;
    uint32_t twin;      // index among the proof's twins; JCC_NO_TWIN
    size_t first_reloc; // of the object's
    size_t reloc_count; // in rising order of offset
    size_t first_data;  // of the object's
    size_t data_count;  // in rising order, apart from each other
};
#define JCC_NO_TWIN UINT32_MAX

struct jcc_reloc {
    uint64_t offset;
    int64_t addend; // of SHT_REL: read from the field
    uint32_t type;
    uint32_t symbol; // index into the object's, known to be inside
};

// Bytes of a code section that a symbol of type STT_OBJECT says are data.
struct jcc_data_range {
    uint32_t section;
    uint64_t begin;
    uint64_t end;
};

struct jcc_symbol {
    const char *name;
    uint64_t value;
    uint64_t size;
    uint32_t section; // index of a section of the object, or SHN_ABS and the like with JCC_SPECIAL added
    uint8_t info;
    uint8_t other;
};
#define JCC_SPECIAL 0x80000000u

struct jcc_object {
    const struct jcc_elf *elf;
    struct jcc_section *sections; // by section index
    size_t section_count;
    struct jcc_symbol *symbols; // by symbol index; 0 is the empty one
    size_t symbol_count;
    size_t symbol_table;      // index of the section that they are of; 0: there is none
    struct jcc_reloc *relocs; // section after section
    size_t reloc_count;
    struct jcc_data_range *data; // section after section
    size_t data_count;
    bool addends_in_fields; // SHT_REL
};

// Read all of ELF, an object. On failure OBJECT holds nothing.
enum jcc_status jcc_object_read(const struct jcc_elf *elf, struct jcc_object *object);
void jcc_object_free(struct jcc_object *object);

// Part of jcc_object_read.
enum jcc_status jcc_data_ranges_read(struct jcc_object *object);

// The section that SYMBOL is defined in, NULL: none.
static inline const struct jcc_section *jcc_symbol_home(const struct jcc_object *object, const struct jcc_symbol *symbol)
{
    return symbol->section == SHN_UNDEF || (symbol->section & JCC_SPECIAL) ? NULL : &object->sections[symbol->section];
}

// What a relocation type is.
enum jcc_reloc_flag {
    JCC_RELOC_PC = 1 << 0,       // less the place of its field
    JCC_RELOC_TLS = 1 << 1,      // linkers rewrite its instruction by pattern
    JCC_RELOC_SEQUENCE = 1 << 2, // and the one behind it with it
    JCC_RELOC_KNOWN = 1 << 3,
};

struct jcc_reloc_kind {
    uint8_t size; // bytes of its field
    uint8_t flags;
};

// The kind of relocation TYPE of MACHINE; no flag set: not known.
struct jcc_reloc_kind jcc_reloc_kind(uint16_t machine, uint32_t type);

#endif
