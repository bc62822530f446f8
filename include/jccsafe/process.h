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

// Switch LLVM's branch alignment on as POLICY says, then emit a few bytes and look: JCC_OK only when they came out padded.
// prefix_limit is given to LLVM as -x86-pad-max-prefix-size. LLVM's kinds mean slightly other things than GNU as's, and are always a superset.
// Global, not thread-safe. JCC_ERROR_CONFLICT: LLVM 14 was switched on with another policy
// (each option can be given once there), or kinds would have to be taken back (LLVM only adds); JCC_ERROR_LLVM: it had no effect;
// JCC_ERROR_POLICY. The same policy again is JCC_OK and does nothing; off is jcc_process_disable.
JCC_API enum jcc_status jcc_process_enable(const struct jcc_policy *policy);

// Switch it off again. JCC_OK also when it never was on. JCC_ERROR_UNSUPPORTED on LLVM 14, which cannot. Global, not thread-safe.
JCC_API enum jcc_status jcc_process_disable(void);

// Whether jcc_process_enable is in force, and with which policy (POLICY may be NULL). Global state is read.
JCC_API bool jcc_process_enabled(struct jcc_policy *policy);

#ifdef __cplusplus
}
#endif
#endif
