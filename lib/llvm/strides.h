// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that is entered at a place which a program reckons, as index times the bytes of each copy of an unrolled loop's body: its sizes
// are part of the program, and nothing in the text says which.
#ifndef JCC_LLVM_STRIDES_H
#define JCC_LLVM_STRIDES_H

#include "measure.h"

// Whether SECTION has, in an instruction's operand, the place of an instruction plus a register (`leal .Lentry(%edx,%ecx), %edx`), or adds to one
// right before it jumps there (`leaq .Lentry(%rip), %rdx; leaq (%rdx,%rcx,4), %rdx; jmp *%rdx`); or, together with an
// indirect jump, that of data in code, or the distance of two places as an immediate (`addl $.Lentry-.Lhere, %edx`).
bool jcc_strides_any(const struct jcc_measure *measure, uint32_t section);

#endif
