// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The proof's parts and what they share. docs/proof.md says what is proved and why that is enough.
#ifndef JCC_ELF_PROOF_H
#define JCC_ELF_PROOF_H

#include "object.h"
#include "places.h"

// A place of a .gcc_except_table in both objects: where a function's table begins.
struct jcc_match {
    uint64_t plain;
    uint64_t padded;
};

// How far behind the field of a relocation its instruction ends, where the field is a branch's or a rip-relative displacement, which
// counts from there; 0 for another field of an instruction.
#define JCC_REACH_DATA 0xffu

// A section of the plain object and the one that it is held against.
struct jcc_twin {
    const struct jcc_section *plain;
    const struct jcc_section *padded;
    bool same;                    // equal bytes
    bool open;                    // the caller knows why they differ
    struct jcc_places plain_code; // of code
    struct jcc_places padded_code;
    uint8_t *reach;            // of code, for each relocation: JCC_REACH_DATA, or see there
    struct jcc_match *matches; // of .gcc_except_table, in rising order, once it is proved
    size_t match_count;
};

// A place of a data section of the plain object that something names: a table may begin there.
struct jcc_reference {
    uint32_t twin;
    uint64_t offset;
};

struct jcc_proving {
    struct jcc_object plain;
    struct jcc_object padded;
    struct jcc_twin *twins;
    size_t twin_count;
    uint64_t *name_budget;            // bytes of symbols' names that may still be compared
    bool moved;                       // some code is not byte for byte the same
    struct jcc_reference *references; // see jcc_prove_tables; made when first wanted
    size_t reference_count;
    const char *ignore_prefix;
    jcc_elf_open_fn open;
    void *context;
    struct jcc_elf_proof *result;
};

// JCC_ERROR_DIFFERENT, with what is said about it.
enum jcc_status jcc_differ(struct jcc_proving *proving, const char *section, uint64_t plain, uint64_t padded, const char *what);
// TWIN holds what the objects alone do not prove: ask the caller. JCC_OK, or JCC_ERROR_DIFFERENT for WHAT.
enum jcc_status jcc_leave_open(struct jcc_proving *proving, struct jcc_twin *twin, uint64_t plain, uint64_t padded, const char *what);

static inline const struct jcc_reloc *jcc_relocs_of(const struct jcc_object *object, const struct jcc_section *section)
{
    return object->relocs + section->first_reloc;
}

// The twins that SYMBOL of OBJECT is defined in, NULL: none.
static inline struct jcc_twin *jcc_home_twin(const struct jcc_proving *proving, const struct jcc_object *object,
                                             const struct jcc_symbol *symbol)
{
    const struct jcc_section *home = jcc_symbol_home(object, symbol);
    return home && home->twin != JCC_NO_TWIN ? &proving->twins[home->twin] : NULL;
}

// proof_code.c: the same instructions in the same order. Fills TWIN's places and reach.
enum jcc_status jcc_prove_code(struct jcc_proving *proving, struct jcc_twin *twin);
// proof_target.c: the same relocation at the same place, but for what it leads to.
bool jcc_same_symbol(const struct jcc_proving *proving, uint32_t plain, uint32_t padded);
// Whether PLAIN_OFFSET and PADDED_OFFSET of TWIN are one place that is come to by address.
bool jcc_same_place(const struct jcc_twin *twin, uint64_t plain_offset, uint64_t padded_offset);
// Whether two relocations lead to one place: symbol, and addend under the move of code. REACH: see struct jcc_twin.
bool jcc_same_target(const struct jcc_proving *proving, const struct jcc_reloc *plain, const struct jcc_reloc *padded, unsigned reach);
// The relocations of a code section, once all code and tables have been compared.
enum jcc_status jcc_prove_code_relocs(struct jcc_proving *proving, struct jcc_twin *twin);
// proof_frames.c: .eh_frame, and every .gcc_except_table that it names.
enum jcc_status jcc_prove_frames(struct jcc_proving *proving);
// proof_data.c: a section that is neither.
enum jcc_status jcc_prove_data(struct jcc_proving *proving, struct jcc_twin *twin);
enum jcc_status jcc_prove_data_relocs(struct jcc_proving *proving, struct jcc_twin *twin);
// proof_tables.c: the differences of code labels in data, as in jump tables.
enum jcc_status jcc_prove_tables(struct jcc_proving *proving, struct jcc_twin *twin);
// proof_symbols.c
enum jcc_status jcc_prove_symbols(struct jcc_proving *proving);
// proof_sections.c: the same sections with the same attributes. Makes the twins.
enum jcc_status jcc_twins_make(struct jcc_proving *proving);

#endif
