// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What .eh_frame and .gcc_except_table share. Formats: the Linux Standard Base 5.0, Core, chapter 10.6 (.eh_frame); DWARF 5, 6.4 (call
// frame instructions); the Itanium C++ ABI's "Exception Handling Tables" as GCC lays them out.
#ifndef JCC_ELF_PROOF_FRAMES_H
#define JCC_ELF_PROOF_FRAMES_H

#include "proof.h"
#include "reader.h"

// Pointer encodings (LSB 5.0 Core, 10.5.1): a format in the low half, what it counts from in bits 4 to 6.
#define JCC_ENCODING_OMIT     0xffu
#define JCC_ENCODING_RELATIVE 0x70u
#define JCC_ENCODING_PC       0x10u

// One side of the comparison of a section.
struct jcc_table_side {
    const struct jcc_object *object;
    const struct jcc_section *section;
    struct jcc_reader reader;
    size_t reloc; // the next of the section's
};

struct jcc_pointer {
    const struct jcc_reloc *reloc; // NULL: none
    uint64_t value;                // of the field
};

// How a comparison ends. Whatever has not the form that is expected proves nothing, but is no difference either.
enum jcc_reading { JCC_READ_SAME, JCC_READ_DIFFERENT, JCC_READ_UNKNOWN };

// Bytes of a pointer of ENCODING; 0: none that is known here.
unsigned jcc_pointer_size(const struct jcc_object *object, uint8_t encoding);
// The pointer that comes next. False when it cannot be read, or when a relocation stands before it that nobody has read.
bool jcc_pointer_read(struct jcc_table_side *side, uint8_t encoding, struct jcc_pointer *pointer);

// A function's exception table, as a frame names it.
struct jcc_landing_table {
    struct jcc_twin *code; // that the function is in
    uint64_t plain_function;
    uint64_t padded_function;
    uint32_t twin; // the sections that the table is in
    uint64_t plain;
    uint64_t padded; // where it begins
};

// proof_lsda.c: all COUNT tables of one section, sorted by plain. Fills TWIN's matches when they are the same.
enum jcc_status jcc_prove_landing_tables(struct jcc_proving *proving, struct jcc_twin *twin, const struct jcc_landing_table *tables,
                                         size_t count);
// proof_cfi.c: call frame instructions from the readers' places up to END_A and END_B. CODE is NULL for what has no places.
struct jcc_frame_code {
    const struct jcc_twin *code;
    uint64_t plain; // where the function begins
    uint64_t padded;
    uint64_t unit; // code alignment factor
    enum jcc_mode mode;
};
enum jcc_reading jcc_compare_cfi(struct jcc_reader *a, size_t end_a, struct jcc_reader *b, size_t end_b,
                                 const struct jcc_frame_code *where);

#endif
