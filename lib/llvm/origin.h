// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where each statement of an expanded text comes from. A comment behind each statement of the source says where it begins;
// LLVM carries comments along while it expands macros and repeats, so in what it prints they stand behind what became of the statement.
#ifndef JCC_LLVM_ORIGIN_H
#define JCC_LLVM_ORIGIN_H

#include "scan.h"
#include "text.h"

#define JCC_NO_ORIGIN UINT32_MAX

// Append the text of SCAN with those comments, each on its statement's own line.
void jcc_origin_mark(struct jcc_text *out, const struct jcc_scan *scan);

// The offset in the source's text, which is SOURCE's, of what statement INDEX of EXPANDED came from; JCC_NO_ORIGIN.
uint32_t jcc_origin_find(const struct jcc_scan *source, const struct jcc_scan *expanded, size_t index);

// Give EXPANDED the regions of SOURCE in which nothing is added: LLVM prints other comments where it likes. False when memory ran out.
bool jcc_origin_regions(const struct jcc_scan *source, struct jcc_scan *expanded);

#endif
