// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The units of a measured section, by its statements: what no data before them can hide.
#ifndef JCC_LLVM_UNITS_H
#define JCC_LLVM_UNITS_H

#include "measure.h"

struct jcc_unit {
    uint32_t begin, end; // offsets
    size_t first;        // the item that it begins with: before the one asked for where two met over an alignment
    size_t items;        // from the one asked for on: 2 for a pair; 0: no unit of the policy's kinds begins there
    enum jcc_kind kind;
};

// The unit that begins at item K, where the section's items stand at PLACES. The second of a pair is to be passed over, not asked for.
struct jcc_unit jcc_unit_at(const struct jcc_policy *policy, const struct jcc_code *code, const struct jcc_layout_place *places, size_t k);

// Where CODE's items stand in the plain object, to be freed; NULL when memory ran out.
struct jcc_layout_place *jcc_plain_places(const struct jcc_code *code);

#endif
