// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM-C as an exact assembler: text in, object or expanded text out.
#ifndef JCC_LLVM_SESSION_H
#define JCC_LLVM_SESSION_H

#include "diagnostics.h"

#include <jccsafe/assemble.h>
#include <jccsafe/status.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>

#define JCC_TARGET_COUNT 3

// Target machines are made when first asked for and kept; everything else lives for one pass.
struct jcc_session {
    LLVMTargetMachineRef machine[JCC_TARGET_COUNT];
    unsigned dwarf_version; // of the text's line table; 0: LLVM's own. LLVM 14 must be told of 5 before it reads `.file 0`
};

enum jcc_pass {
    JCC_PASS_OBJECT = 0,
    JCC_PASS_TEXT = 1, // the text again, with macros, repeats and conditionals expanded
};

// Whether this LLVM has an x86 target that can assemble.
enum jcc_status jcc_session_check(void);
void jcc_session_close(struct jcc_session *session);

// Run one pass over LENGTH bytes at TEXT.
// JCC_OK with *BUFFER, which the caller disposes of; JCC_ERROR_SOURCE when LLVM diagnosed an error; JCC_ERROR_LLVM.
enum jcc_status jcc_session_run(struct jcc_session *session, enum jcc_target target, enum jcc_pass pass, const char *text, size_t length,
                                struct jcc_diagnostics *diagnostics, LLVMMemoryBufferRef *buffer);

#endif
