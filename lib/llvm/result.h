// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The caller's result: object, diagnostics and residuals in memory of their own.
#ifndef JCC_LLVM_RESULT_H
#define JCC_LLVM_RESULT_H

#include "assembler.h"
#include "text.h"

// Fill RESULT from JOB; OBJECT (NULL after a failure) becomes the result's. JCC_ERROR_NO_MEMORY: RESULT owns nothing then.
enum jcc_status jcc_result_fill(struct jcc_assemble_result *result, struct jcc_job *job, struct jcc_text *object);

#endif
