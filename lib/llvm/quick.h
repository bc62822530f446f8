// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine without a plain object: lengths from lessons, and the finished object held against the plan.
#ifndef JCC_LLVM_QUICK_H
#define JCC_LLVM_QUICK_H

#include "assembler.h"

// Sets job->object. JCC_ERROR_UNSUPPORTED: the source takes the full path, nothing was kept.
enum jcc_status jcc_job_plan_quick(struct jcc_job *job);

#endif
