// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edit an object that LLVM has just made, in place: take out a section or a symbol, and renumber what
// speaks of those behind it; give a relocation another type. LLVM's own output is trusted to be well formed.
#ifndef JCC_LLVM_EDIT_H
#define JCC_LLVM_EDIT_H

#include <jccsafe/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jcc_edit_class; // where the fields lie in ELF32 and in ELF64

struct jcc_edit {
    uint8_t *image;
    size_t size;
    const struct jcc_edit_class *fields;
    uint8_t *table; // section headers
    uint32_t count; // of them
};

// False when IMAGE is no ELF object with section headers.
bool jcc_edit_open(struct jcc_edit *edit, void *image, size_t size);

// Take out the section called NAME, when there is one. It must have no symbol, no relocation and no contents.
void jcc_edit_drop_section(struct jcc_edit *edit, const char *name);

// Take out each STT_FILE symbol without a name. JCC_ERROR_NO_MEMORY.
enum jcc_status jcc_edit_drop_empty_files(struct jcc_edit *edit);

// A relocation of code.
struct jcc_edit_relocation {
    const uint8_t *code; // the section it is of, of SIZE bytes
    uint64_t size;
    uint64_t offset;
    int32_t addend; // 0 where the code holds it
    uint32_t type;
};
// The type that it is to have.
typedef uint32_t (*jcc_edit_type_fn)(void *context, const struct jcc_edit_relocation *relocation);

// Ask TYPE_OF about each relocation of executable sections.
void jcc_edit_retype(struct jcc_edit *edit, jcc_edit_type_fn type_of, void *context);

#endif
