// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weigh functions as the request wants them weighed, and leave alone what the policy's scope does not take in.
#ifndef JCC_LLVM_SCOPE_H
#define JCC_LLVM_SCOPE_H

#include "measure.h"

#include <jccsafe/assemble.h>

// Make each item of CODE outside the scope exempt and unpadded. The weights must be those of the loops; function weights multiply them. JCC_ERROR_NO_MEMORY.
enum jcc_status jcc_scope_apply(const struct jcc_measure *measure, struct jcc_code *code, const struct jcc_assemble_request *request);

#endif
