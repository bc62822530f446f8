// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One call of jcc_assemble, step by step: what the steps share.
#ifndef JCC_LLVM_ASSEMBLER_H
#define JCC_LLVM_ASSEMBLER_H

#include "diagnostics.h"
#include "labels.h"
#include "lessons.h"
#include "measure.h"
#include "scan.h"
#include "sections.h"
#include "session.h"
#include "source.h"

#include <jccsafe/assemble.h>
#include <jccsafe/elf.h>

struct jcc_assembler {
    struct jcc_session session;
    struct jcc_lesson_book books[JCC_TARGET_COUNT];
};

// A residual before its strings are copied into the result.
struct jcc_raw_residual {
    uint32_t text; // offset in the source's text, UINT32_MAX: not known
    enum jcc_kind kind;
    enum jcc_residual reason;
    char *section;
    size_t section_index; // of the object
    uint64_t offset;
};

// A pad, likewise; its names lie in the job's.
struct jcc_raw_pad {
    struct jcc_pad pad;
    uint32_t text;                    // UINT32_MAX: not known
    uint32_t section_at, function_at; // in pad_names; UINT32_MAX: none
};

struct jcc_job {
    struct jcc_session *session;
    struct jcc_lesson_book *books; // by target
    const struct jcc_assemble_request *request;
    struct jcc_policy policy;
    struct jcc_source source;
    struct jcc_scan scan; // of the source
    struct jcc_sections sections;
    struct jcc_labels labels;
    struct jcc_diagnostics diagnostics;
    LLVMMemoryBufferRef object; // the result so far
    struct jcc_raw_residual *residuals;
    size_t residual_count, residual_capacity;
    struct jcc_raw_pad *pads;
    size_t pad_count, pad_capacity;
    struct jcc_text pad_names; // each ends in NUL
    bool *functions_found;
    struct jcc_assemble_totals totals;
};

// One LLVM pass over TEXT, counted. *BUFFER is the caller's.
enum jcc_status jcc_job_pass(struct jcc_job *job, enum jcc_pass pass, const char *text, size_t length, struct jcc_diagnostics *diagnostics,
                             LLVMMemoryBufferRef *buffer);

// Assemble the source as it stands into job->object.
enum jcc_status jcc_job_plain(struct jcc_job *job);

// Measure, plan, write and verify: sets job->object (plan.c).
enum jcc_status jcc_job_plan(struct jcc_job *job);

// Count units in job->object, and list each affected one: with what MEASURE knows of it, or, when that is NULL, with REASON (residual.c).
enum jcc_status jcc_job_check(struct jcc_job *job, const struct jcc_measure *measure, enum jcc_residual reason);

// List the pads of MEASURE's plan (pads.c).
enum jcc_status jcc_job_list_pads(struct jcc_job *job, const struct jcc_measure *measure);

// Affected units and code bytes of OBJECT.
enum jcc_status jcc_job_count(const struct jcc_job *job, const void *image, size_t size, uint64_t *affected, uint64_t *bytes,
                              uint64_t *units);

// How the job's target is decoded.
enum jcc_mode jcc_job_mode(const struct jcc_job *job);

#endif
