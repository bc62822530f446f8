// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An opened ELF file, as the parts of this room share it.
#ifndef JCC_ELF_FILE_H
#define JCC_ELF_FILE_H

#include "image.h"
#include <gelf.h>
#include <jccsafe/elf.h>
#include <libelf.h>

// What the file header says, once every table it points to is known to lie inside the image.
struct jcc_header {
    bool wide; // ELFCLASS64
    uint16_t type;
    uint16_t machine;
    size_t sections;      // 0: no section headers
    size_t section_names; // index of their string table; 0: none
};

// A symbol that jcc_elf_locate may name. Once sorted, by code, address and rank: of several at one address the last is the best.
struct jcc_label {
    uint32_t code;
    uint32_t rank;
    uint64_t address;
    uint64_t size;
    bool is_sized; // it names a function or an object; else size is 0
    const char *name;
};

struct jcc_elf {
    struct jcc_image image;
    struct jcc_header header;
    Elf *libelf;
    struct jcc_elf_code *code;
    size_t code_count;
    char (*segment_names)[32]; // "segment N"; NULL when code comes from sections
    struct jcc_label *labels;
    size_t label_count;
    bool labels_sorted;
};

// A string table: its last byte is NUL.
struct jcc_strings {
    const char *text;
    size_t size;
};

// Check IMAGE's file header and what it points to, before libelf sees any of it, and have the tables read.
enum jcc_status jcc_header_read(struct jcc_image *image, struct jcc_header *header);

// Section header INDEX, known to lie inside the image together with the bytes it names.
enum jcc_status jcc_section_header(const struct jcc_elf *elf, size_t index, GElf_Shdr *section);
// The bytes of SECTION, read; an empty run for a section without any.
enum jcc_status jcc_section_bytes(const struct jcc_elf *elf, const GElf_Shdr *section, const uint8_t **bytes, size_t *size);
// Section INDEX as a string table. JCC_ERROR_FORMAT when it is none; index 0 gives the empty table.
enum jcc_status jcc_section_strings(const struct jcc_elf *elf, size_t index, struct jcc_strings *strings);
// The string at OFFSET, NULL when it is outside.
const char *jcc_string(const struct jcc_strings *strings, uint64_t offset);

// Names may share their bytes in a string table, so that a small file has room for names without end. What all names of one kind may come
// to, in file sizes: linkers share the ends of names, and no more than doubles their length by that.
#define JCC_NAME_BUDGET 16u
// Take NAME's length out of *BUDGET; false when it is used up.
bool jcc_name_charge(uint64_t *budget, const char *name);

// A symbol table, with the section that holds section indices too large for a symbol.
struct jcc_symbol_table {
    Elf_Data *symbols;
    Elf_Data *extended; // NULL: none
    struct jcc_strings strings;
    size_t count;
    size_t section; // index of the table itself; 0: the file has none of that type
};

// The first symbol table of TYPE (SHT_SYMTAB or SHT_DYNSYM). One that is not there is no error: count is 0.
enum jcc_status jcc_symbol_table_read(const struct jcc_elf *elf, uint32_t type, struct jcc_symbol_table *table);
// Symbol INDEX of TABLE into *SYMBOL, and its section index, SHN_XINDEX resolved (SHN_ABS and the like stay), into *SECTION.
bool jcc_symbol_get(const struct jcc_symbol_table *table, size_t index, GElf_Sym *symbol, uint32_t *section);

// Where functions and objects begin and end in each run of code: an instruction begins there, whatever data stands before it.
struct jcc_starts {
    size_t *offsets; // from the run's begin, rising
    size_t *first;   // index of each run's first, and behind the last run their number
};

enum jcc_status jcc_starts_read(const jcc_elf *elf, struct jcc_starts *starts);
void jcc_starts_free(struct jcc_starts *starts);

// Collect what jcc_elf_locate knows.
enum jcc_status jcc_labels_read(struct jcc_elf *elf);

#endif
