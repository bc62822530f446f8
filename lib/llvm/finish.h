// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Make of LLVM's object what an assembler makes of the source: without what the code generator adds, with the relocations
// that linkers relax.
#ifndef JCC_LLVM_FINISH_H
#define JCC_LLVM_FINISH_H

#include "scan.h"
#include "text.h"

#include <jccsafe/status.h>

// Append to OUT the object at IMAGE without the .note.GNU-stack that no statement of SCAN names, and without the STT_FILE
// symbol of the module, which has no name. JCC_ERROR_NO_MEMORY, JCC_ERROR_LLVM.
enum jcc_status jcc_finish(struct jcc_text *out, const void *image, size_t size, const struct jcc_scan *scan);

#endif
