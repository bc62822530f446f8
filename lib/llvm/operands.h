// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands of directives, read as far as their sizes need it.
#ifndef JCC_LLVM_OPERANDS_H
#define JCC_LLVM_OPERANDS_H

#include "scan.h"

#include <stdbool.h>
#include <stdint.h>

// The operands of an alignment directive: ALIGN in bytes, a power of two up to 1 GiB; FILL when HAS_FILL; SKIP, the largest fill, 0 for no bound. False when one is no constant.
bool jcc_operands_alignment(const struct jcc_scan *scan, const struct jcc_statement *statement, uint64_t *align, uint64_t *fill,
                            bool *has_fill, uint64_t *skip);

enum jcc_constant {
    JCC_CONSTANT = 0,
    JCC_NO_CONSTANT = 1,              // something else stands there
    JCC_CONSTANT_DIVIDED_BY_ZERO = 2, // its value, as the next one's, is none
    JCC_CONSTANT_OVERFLOWS = 3,       // the least number divided by -1, which ends LLVM
};

// A constant at *AT, followed by a comma, which is passed over, or the end.
enum jcc_constant jcc_operands_constant(const char **at, const char *end, int64_t *value);

// A constant term of a sum at *AT: a number, a product of some, constants in parentheses. False, with *AT where it was: it is none.
bool jcc_operands_term(const char **at, const char *end, int64_t *value);

// How many comma-separated values a data directive has.
uint32_t jcc_operands_count(const struct jcc_scan *scan, const struct jcc_statement *statement);

#endif
