// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GNU assembly text in, ELF object and diagnostics out, with no affected unit.
#ifndef JCCSAFE_ASSEMBLE_H
#define JCCSAFE_ASSEMBLE_H

#include <jccsafe/export.h>
#include <jccsafe/layout.h>
#include <jccsafe/policy.h>
#include <jccsafe/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// How units are kept off the boundary.
enum jcc_engine {
    // Measure, plan, write and verify. A section that cannot be followed is left plain, and its units are residuals.
    JCC_ENGINE_PLAN = 0,
    // LLVM's own branch alignment: one pass. The process must have switched it on (process.h), else JCC_ERROR_CONFLICT. LLVM pads by the policy that the
    // process has, all code alike: of the request's policy only boundary and kinds are looked at, to count and list what stays affected, and its scope,
    // functions, function_weights, prices and verify are not; regions (`jccsafe: off`, `noautopadding`) are not kept, and the first is warned of; no pad
    // is counted or listed.
    JCC_ENGINE_LLVM = 1,
    // PLAN while the process has not switched LLVM's options on, LLVM once it has.
    JCC_ENGINE_AUTO = 2,
};

// How the object of JCC_ENGINE_PLAN is made sure of.
enum jcc_verify {
    // Each distinct instruction statement is assembled once, in a small pass of its own, and the finished object is held against the plan: every
    // instruction, pad and branch where the plan has it, no unit affected. Where that cannot be done, or does not hold, as JCC_VERIFY_FULL.
    JCC_VERIFY_PLAN = 0,
    // The source is assembled plainly as well, and the finished object proved to be that program (jcc_elf_prove).
    JCC_VERIFY_FULL = 1,
};

// What the source is assembled for.
enum jcc_target {
    JCC_TARGET_X86_64 = 0,
    JCC_TARGET_I386 = 1,
    JCC_TARGET_X32 = 2,
};

enum jcc_severity {
    JCC_SEVERITY_ERROR = 0,
    JCC_SEVERITY_WARNING = 1,
    JCC_SEVERITY_NOTE = 2,  // belongs to the error or warning before it
    JCC_SEVERITY_PRINT = 3, // what a .print says, for standard output: no fault, and belongs to nothing before it
};

// Positions are the user's: of the source as given, or of the file that a line marker or an
// .include names. LINE and COLUMN count from 1; 0: not known.
struct jcc_diagnostic {
    enum jcc_severity severity;
    uint32_t line;
    uint32_t column;
    const char *file;
    const char *message; // one line, no severity in it
};

// A unit that is still affected.
struct jcc_residual_unit {
    const char *file;
    uint32_t line; // 0: not known
    enum jcc_kind kind;
    enum jcc_residual reason;
    const char *section;
    uint64_t offset; // of the unit in the section of the object
};

enum jcc_pad_type {
    JCC_PAD_NOP = 0,    // no-operations
    JCC_PAD_PREFIX = 1, // redundant prefixes
};

// A pad that was put in. Alignment fill is none.
struct jcc_pad {
    const char *file;
    uint32_t line;        // of the statement behind it; 0: not known
    const char *function; // what that statement belongs to (as JCC_SCOPE_FUNCTIONS has it); NULL: none
    const char *section;
    uint64_t offset; // of its first byte, in the section of the object
    uint32_t bytes;
    enum jcc_pad_type type;
    bool executed;        // control runs through it; a prefix always is
    enum jcc_kind unit;   // the next unit of the policy's kinds behind it, which it serves first; JCC_KIND_NONE: there is none
    uint64_t unit_offset; // of that unit
};

// An assembler: keeps LLVM's target machine and its own buffers, to be used again and again. Opaque.
// One thread at a time uses one; any number of them may live at once, with different policies.
typedef struct jcc_assembler jcc_assembler;

// *ASSEMBLER is NULL on failure: JCC_ERROR_NO_MEMORY, JCC_ERROR_LLVM (no X86 target in this LLVM), JCC_ERROR_ARGUMENT.
JCC_API enum jcc_status jcc_assembler_create(jcc_assembler **assembler);
// NULL is allowed. Results that were not freed stay valid.
JCC_API void jcc_assembler_destroy(jcc_assembler *assembler);

// How often a function runs, relative to others: its items weigh so many times what their loops make them (jcc_layout_weights).
struct jcc_function_weight {
    const char *name; // as JCC_SCOPE_FUNCTIONS has it; no pattern
    uint32_t weight;  // 0: a no-operation in it costs its bytes alone; at most JCC_FUNCTION_WEIGHT_MAX
};
#define JCC_FUNCTION_WEIGHT_MAX (1u << 20)

struct jcc_assemble_request {
    size_t size;      // sizeof, set by the caller; a larger one's tail must be zero (status.h)
    const char *text; // the source; need not end in NUL
    size_t length;    // bytes of text, at most 1 GiB (JCC_ERROR_LIMIT)
    const char *name; // as diagnostics name it; NULL: "<input>"
    struct jcc_policy policy;
    enum jcc_engine engine;
    enum jcc_target target;
    const char *const *include; // folders that .include and .incbin search, after the working directory; NULL when include_count is 0.
                                // None of them NULL
    size_t include_count;
    const struct jcc_layout_prices *prices; // NULL: the defaults
    enum jcc_verify verify;
    const char *const
        *functions; // with JCC_SCOPE_FUNCTIONS: names or fnmatch() patterns of the functions to pad, which are what a label of
                    // `.type name, @function`, or a global one, begins; NULL when function_count is 0, none of them NULL. Else not read
    size_t function_count;
    const struct jcc_function_weight *function_weights; // in any order; functions that are not there weigh 1; NULL when the count is 0
    size_t function_weight_count;
    unsigned dwarf_version; // of .debug_line, which .file and .loc make: 2 to 5; `.file 0` makes it 5. 0: LLVM's own choice
    bool list_pads;         // fill the result's pads
};

// What is "plain" is the program without padding. Where the object was held against the plan (held_instructions) that is reckoned, every jump as short
// as can be; else, and always with JCC_VERIFY_FULL, it is LLVM's plain object. JCC_ENGINE_LLVM makes none, and leaves 0.
struct jcc_assemble_totals {
    uint64_t units;            // of the policy's kinds, in the object
    uint64_t affected_plain;   // of them, in the plain program
    uint64_t affected;         // of them, in the object: what residuals lists
    uint64_t code_bytes_plain; // bytes of executable sections, in the plain program
    uint64_t code_bytes;
    uint64_t pads; // runs of no-operations
    uint64_t pad_bytes;
    uint64_t prefix_bytes;
    uint64_t proved_instructions; // compared by the proof; 0: the object is the plain one or no proof was made
    uint64_t held_instructions;   // held against the plan; 0: the full path was taken, or nothing was planned
    uint32_t llvm_passes;         // over the source; the lessons' small pass is not one
    uint32_t rounds;              // measure-plan-write rounds, 0 when nothing was planned
    enum jcc_engine engine;       // that made the object: PLAN or LLVM
    bool flattened;               // macros and the like had to be expanded first
};

struct jcc_assemble_result {
    size_t size;                 // sizeof, set by the caller; a larger one is lowered to this version's (status.h)
    const unsigned char *object; // NULL unless JCC_OK
    size_t object_size;
    const struct jcc_diagnostic *diagnostics; // warnings come with JCC_OK too
    size_t diagnostic_count;
    const struct jcc_residual_unit *residuals;
    size_t residual_count;
    const struct jcc_pad *pads; // with list_pads, in order of section and offset
    size_t pad_count;
    // Of each of the request's functions, whether the object has one that it names; NULL where they are not looked at.
    const bool *functions_found;
    struct jcc_assemble_totals totals;
    void *owner; // private
};

// Assemble. RESULT is overwritten, so free what an earlier call left in it before, and holds diagnostics after JCC_ERROR_SOURCE too; free it with
// jcc_assemble_result_free whatever the status is: also after JCC_ERROR_ARGUMENT it is empty, unless its own size is too small.
// JCC_ERROR_SOURCE: the text does not assemble, at least one diagnostic is an error; JCC_ERROR_POLICY;
// JCC_ERROR_ARGUMENT; JCC_ERROR_LIMIT; JCC_ERROR_NO_MEMORY; JCC_ERROR_CONFLICT; JCC_ERROR_LLVM. Whatever assembles plainly assembles: what cannot be padded is a residual.
// LLVM runs in the caller's process, with either engine, and is not isolated: a source that makes it crash ends the process, and one that it never ends with
// keeps the thread. What is known of such is refused with JCC_ERROR_SOURCE before LLVM sees it; that is not all there is. For sources of strangers use a process of its own.
JCC_API enum jcc_status jcc_assemble(jcc_assembler *assembler, const struct jcc_assemble_request *request,
                                     struct jcc_assemble_result *result);

// Free what RESULT owns and set it to zero but for its size, so that it can be used again. NULL and an all-zero result are allowed.
JCC_API void jcc_assemble_result_free(struct jcc_assemble_result *result);

// The linked libLLVM's version, as "19.1.7" (LLVM before 16 does not tell: then the headers' it was built with). Never NULL.
JCC_API const char *jcc_llvm_version(void);

#ifdef __cplusplus
}
#endif
#endif
