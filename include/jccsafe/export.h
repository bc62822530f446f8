// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JCC_API marks what a jccsafe library exports; everything else in it is hidden.
#ifndef JCCSAFE_EXPORT_H
#define JCCSAFE_EXPORT_H

#if defined(__GNUC__) || defined(__clang__)
#define JCC_API __attribute__((visibility("default")))
#else
#define JCC_API
#endif

#endif
