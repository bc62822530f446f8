// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that depends on LLVM's major version.
#ifndef JCC_LLVM_COMPAT_H
#define JCC_LLVM_COMPAT_H

#include <llvm-c/Core.h>
#include <llvm/Config/llvm-config.h>

#if LLVM_VERSION_MAJOR < 14 || LLVM_VERSION_MAJOR > 22
#error "jccsafe supports LLVM 14 to 22"
#endif

#define JCC_LLVM_MAJOR          LLVM_VERSION_MAJOR
#define JCC_LLVM_HEADER_VERSION LLVM_VERSION_STRING

// LLVMGetVersion exists from 16 on.
#define JCC_HAVE_LLVM_GET_VERSION (LLVM_VERSION_MAJOR >= 16)

// Whether `.p2align 4, 0x90` is filled with single 0x90 bytes, as written, and not with long no-operations.
#define JCC_FILL_0X90_IS_LITERAL (LLVM_VERSION_MAJOR >= 20)

// Whether `.balignw` and kin end the process where the fill is no multiple of their unit. Seen in 14 to 19, not in 22.
#define JCC_WIDE_FILL_IS_FATAL (LLVM_VERSION_MAJOR < 22)

// The greatest number of a subsection. Older ones end the process over a greater one.
#define JCC_SUBSECTION_MAX (LLVM_VERSION_MAJOR < 19 ? 8192 : INT32_MAX)

// Whether LLVM knows instruction bundles. It ends the process over each thing that is wrong with one.
#define JCC_BUNDLES_ARE_FATAL (LLVM_VERSION_MAJOR < 22)

// Whether a branch-align option, once given, can be given again with another value.
#define JCC_OPTIONS_CAN_CHANGE (LLVM_VERSION_MAJOR >= 15)

// Whether LLVM's C interface writes R_X86_64_GOTPCRELX and its kin, as LLVM's own assembler does on each major.
#define JCC_RELAXES_GOT (LLVM_VERSION_MAJOR >= 16)

#endif
