// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// .include and .incbin, resolved before LLVM sees the text: its C API has no search path.
#ifndef JCC_LLVM_INCLUDE_H
#define JCC_LLVM_INCLUDE_H

#include "source.h"

// Whether the text names either directive at all.
bool jcc_include_wanted(const char *text, size_t length);

// The map for a text with nothing to resolve: one run.
enum jcc_status jcc_include_none(struct jcc_source *source, const char *name);

// Put the text of each .include in its place, and the path found in each .incbin. A file is searched in the
// working directory, then in the request's folders. One inside a conditional that cannot be found is left to LLVM.
enum jcc_status jcc_include_resolve(struct jcc_source *source, const struct jcc_assemble_request *request, const char *name,
                                    struct jcc_diagnostics *diagnostics);

#endif
