// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of an object that LLVM has just made, read where they lie. LLVM's own output is trusted to
// be well formed; files from elsewhere are lib/elf's business.
#ifndef JCC_LLVM_EMITTED_H
#define JCC_LLVM_EMITTED_H

#include <jccsafe/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jcc_emitted_section {
    const char *name;
    const uint8_t *bytes;
    uint64_t size;
    uint64_t flags;
    uint64_t alignment;
    uint32_t type;
    uint32_t relocations; // index of its relocation section, 0: none
};

struct jcc_emitted {
    const uint8_t *image;
    size_t size;
    bool is64;
    struct jcc_emitted_section *sections;
    size_t section_count;
    uint32_t symbols;    // index of .symtab, 0: none
    const char *strings; // .strtab
};

struct jcc_emitted_relocation {
    uint64_t offset;
    uint32_t type;
    uint32_t symbol;
};

struct jcc_emitted_symbol {
    const char *name;
    uint64_t value;
    uint32_t section;
    uint8_t type; // STT_FUNC and kin
    uint8_t binding;
};

enum jcc_status jcc_emitted_open(struct jcc_emitted *object, const void *image, size_t size);
void jcc_emitted_close(struct jcc_emitted *object);

size_t jcc_emitted_relocation_count(const struct jcc_emitted *object, const struct jcc_emitted_section *section);
struct jcc_emitted_relocation jcc_emitted_relocation(const struct jcc_emitted *object, const struct jcc_emitted_section *section,
                                                     size_t index);
size_t jcc_emitted_symbol_count(const struct jcc_emitted *object);
struct jcc_emitted_symbol jcc_emitted_symbol(const struct jcc_emitted *object, size_t index);

#endif
