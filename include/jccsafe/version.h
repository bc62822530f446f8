// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The version of these headers and, by jcc_version(), of the library that is linked. CMake and the
// package files read the three numbers from here; they stand nowhere else.
#ifndef JCCSAFE_VERSION_H
#define JCCSAFE_VERSION_H

#include <jccsafe/export.h>

#define JCC_VERSION_MAJOR 0
#define JCC_VERSION_MINOR 1
#define JCC_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

// The linked core library's version as "MAJOR.MINOR.PATCH": a string constant, never NULL.
JCC_API const char *jcc_version(void);

#ifdef __cplusplus
}
#endif
#endif
