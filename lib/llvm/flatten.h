// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A text in which each instruction statement assembles exactly once.
#ifndef JCC_LLVM_FLATTEN_H
#define JCC_LLVM_FLATTEN_H

#include "assembler.h"

struct jcc_flat {
    const struct jcc_scan *scan; // NULL: the source cannot be followed
    struct jcc_scan owned;       // of the expanded text
    LLVMMemoryBufferRef text;
    LLVMMemoryBufferRef plain; // of the source itself, when it had to be expanded
};

// The source as it is when it is flat, else as LLVM prints it with macros, repeats and conditionals expanded. JCC_ERROR_SOURCE when it does
// not assemble.
enum jcc_status jcc_flatten(struct jcc_job *job, struct jcc_flat *flat);
void jcc_flat_free(struct jcc_flat *flat);

// Whether two objects agree in every byte that is loaded, section by section.
bool jcc_flat_is_same(LLVMMemoryBufferRef source, LLVMMemoryBufferRef expanded);

#endif
