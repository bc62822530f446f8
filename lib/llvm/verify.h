// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hold the padded object against the plan and the plain object.
#ifndef JCC_LLVM_VERIFY_H
#define JCC_LLVM_VERIFY_H

#include "assembler.h"

// JCC_OK: PADDED is PLAIN but for padding. JCC_ERROR_DIFFERENT: it is not; the section to blame, or every one, is then no longer planned.
enum jcc_status jcc_verify(struct jcc_job *job, struct jcc_measure *measure, LLVMMemoryBufferRef plain, LLVMMemoryBufferRef padded);

// Take every section out of the plan.
void jcc_verify_blame_all(struct jcc_measure *measure);

#endif
