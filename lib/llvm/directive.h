// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of each directive: what it does to the place where the next byte goes.
#ifndef JCC_LLVM_DIRECTIVE_H
#define JCC_LLVM_DIRECTIVE_H

#include <stddef.h>
#include <stdint.h>

enum jcc_directive {
    JCC_DIRECTIVE_UNKNOWN = 0, // may add bytes: measured by marks around it
    JCC_DIRECTIVE_NOTHING,     // adds no byte and moves nothing
    JCC_DIRECTIVE_RELOC,       // adds no byte, but speaks of a place
    JCC_DIRECTIVE_CFI,         // .cfi_*: adds no byte here
    JCC_DIRECTIVE_CFI_START,
    JCC_DIRECTIVE_CFI_END,
    JCC_DIRECTIVE_LINE,  // .loc, .line, .file and kin
    JCC_DIRECTIVE_DATA1, // comma-separated values of one byte
    JCC_DIRECTIVE_DATA2,
    JCC_DIRECTIVE_DATA4,
    JCC_DIRECTIVE_DATA8,
    JCC_DIRECTIVE_DATA,  // adds bytes, how many is not known from the text alone: strings, floats, uleb128, .fill
    JCC_DIRECTIVE_SPACE, // .skip, .space, .zero: first operand is a size
    JCC_DIRECTIVE_ORG,
    JCC_DIRECTIVE_ALIGN,   // .align, .balign and kin: operand in bytes
    JCC_DIRECTIVE_P2ALIGN, // operand is the power
    JCC_DIRECTIVE_TEXT,    // section switches
    JCC_DIRECTIVE_SECTION_DATA,
    JCC_DIRECTIVE_BSS,
    JCC_DIRECTIVE_SECTION,
    JCC_DIRECTIVE_PUSHSECTION,
    JCC_DIRECTIVE_POPSECTION,
    JCC_DIRECTIVE_PREVIOUS,
    JCC_DIRECTIVE_SUBSECTION,
    JCC_DIRECTIVE_SET,    // .set, .equ, .equiv
    JCC_DIRECTIVE_CODE,   // .code16, .code32, .code64
    JCC_DIRECTIVE_SYNTAX, // .intel_syntax, .att_syntax
    JCC_DIRECTIVE_INTEL,
    JCC_DIRECTIVE_BUNDLE, // .bundle_*
    JCC_DIRECTIVE_INCLUDE,
    JCC_DIRECTIVE_INCBIN,
    JCC_DIRECTIVE_MACRO, // opens a body that ends with MACRO_END
    JCC_DIRECTIVE_MACRO_END,
    JCC_DIRECTIVE_REPEAT, // .rept, .irp, .irpc: body ends with REPEAT_END
    JCC_DIRECTIVE_REPEAT_END,
    JCC_DIRECTIVE_IF,   // .if and kin
    JCC_DIRECTIVE_ELSE, // .else, .elseif
    JCC_DIRECTIVE_ENDIF,
    JCC_DIRECTIVE_NOT_FLAT, // anything else that makes text from text
    JCC_DIRECTIVE_END,      // .end: the rest is not read
};

// Find NAME (with its dot) by its lower-case spelling.
enum jcc_directive jcc_directive_find(const char *name, size_t length);

// Bytes of one value of a DATAn directive, else 0.
unsigned jcc_directive_unit(enum jcc_directive directive);

#endif
