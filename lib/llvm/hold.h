// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hold the finished object against the plan, where no plain object was made.
#ifndef JCC_LLVM_HOLD_H
#define JCC_LLVM_HOLD_H

#include "emitted.h"
#include "measure.h"

// Find each code's section in OBJECT, by name and order.
bool jcc_hold_match(struct jcc_measure *measure, const struct jcc_emitted *object);

// Whether every item of every planned section is in its object's section where the plan put it: each pad and fill with its bytes, each instruction with its length,
// kind and pair, each branch leading to its target. *COUNT gets the instructions held.
bool jcc_hold(const struct jcc_measure *measure, uint64_t *count);

#endif
