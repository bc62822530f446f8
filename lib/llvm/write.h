// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source once more, with the plan in it: pads and alignments as bytes, {disp32} on jumps that are
// held long, one alignment at the top of each planned section. LLVM has nothing left to decide.
#ifndef JCC_LLVM_WRITE_H
#define JCC_LLVM_WRITE_H

#include "measure.h"
#include "text.h"

// Append the text with the plan of every planned section. JCC_ERROR_NO_MEMORY.
enum jcc_status jcc_write_plan(struct jcc_text *out, const struct jcc_measure *measure);

#endif
