// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads from the global offset table that a linker may turn into direct ones: R_X86_64_GOTPCRELX and its kin. GNU as and
// LLVM's own assembler write these types; LLVM's C interface up to LLVM 15 leaves the old ones, with which a linker
// relaxes nothing and refuses the TLS sequences of -fno-plt.
#ifndef JCC_LLVM_GOT_H
#define JCC_LLVM_GOT_H

#include "edit.h"

// Give the loads of the object the types that LLVM 16 and later give them.
void jcc_got_retype(struct jcc_edit *edit);

#endif
