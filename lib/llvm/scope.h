// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weigh functions as the request wants them weighed, and leave alone what the policy's scope does not take in.
#ifndef JCC_LLVM_SCOPE_H
#define JCC_LLVM_SCOPE_H

#include "functions.h"
#include "measure.h"
#include "wanted.h"

#include <jccsafe/assemble.h>

// What a request says of functions, made ready for all sections of a text.
struct jcc_scoping {
    const struct jcc_assemble_request *request;
    struct jcc_function_labels functions;
    struct jcc_wanted wanted;
    struct jcc_names weights; // one more than the weight
};

// MEASURE's labels must have their items, and outlive SCOPE, as REQUEST must. JCC_ERROR_NO_MEMORY. To be closed whatever the status is.
enum jcc_status jcc_scope_open(struct jcc_scoping *scope, const struct jcc_measure *measure, const struct jcc_assemble_request *request);
void jcc_scope_close(struct jcc_scoping *scope);

// Make each item of CODE outside the scope exempt and unpadded. The weights must be those of the loops; function weights multiply them. JCC_ERROR_NO_MEMORY.
enum jcc_status jcc_scope_apply(struct jcc_scoping *scope, struct jcc_code *code);

#endif
