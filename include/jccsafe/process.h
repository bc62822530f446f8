// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's own branch alignment, for the whole process. The one part of jccsafe with global state, which is
// LLVM's: every later emission in this process by this libLLVM is padded, whoever asks for it. Call before other
// threads emit; objects emitted while the options change are wrong (LLVM reads them without a lock).
// JCC_ENGINE_PLAN is refused (JCC_ERROR_CONFLICT) while it is on: the two would pad twice.
#ifndef JCCSAFE_PROCESS_H
#define JCCSAFE_PROCESS_H

#include <jccsafe/export.h>
#include <jccsafe/policy.h>
#include <jccsafe/status.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// Switch LLVM's branch alignment on as POLICY says, then emit a few bytes and look: JCC_OK only when they came out padded at its boundary, for its
// kinds, and with as many prefixes (prefix_limit, given to LLVM as -x86-pad-max-prefix-size). LLVM's kinds mean slightly other things than GNU as's, and
// are always a superset. The scope is not looked at: LLVM pads all code.
// What the host has given LLVM itself counts: where that is what POLICY says nothing is given, else it is changed as one of ours would be.
// Global, not thread-safe. The same policy again is JCC_OK and does nothing.
// JCC_ERROR_CONFLICT, and LLVM pads as before: LLVM 14 pads by another policy (each option can be given once there), or kinds would have to be taken
// back (LLVM only adds; those given before a jcc_process_disable still bind). JCC_ERROR_LLVM: it had no effect, and is off now, but on LLVM 14.
// JCC_ERROR_POLICY: not sound, or with nothing to pad (boundary 0, or no kinds: that is jcc_process_disable). JCC_ERROR_ARGUMENT, JCC_ERROR_NO_MEMORY.
JCC_API enum jcc_status jcc_process_enable(const struct jcc_policy *policy);

// Switch it off again. JCC_OK also when jcc_process_enable never had it on: then nothing is done, whatever a host has set. Its kinds stay given (see
// JCC_ERROR_CONFLICT above). JCC_ERROR_UNSUPPORTED on LLVM 14, which cannot. Global, not thread-safe.
JCC_API enum jcc_status jcc_process_disable(void);

// Whether jcc_process_enable is in force, and with which policy (POLICY may be NULL). Global state is read.
JCC_API bool jcc_process_enabled(struct jcc_policy *policy);

#ifdef __cplusplus
}
#endif
#endif
