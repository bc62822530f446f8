// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What LLVM would crash on, never end with, or report without a line.
#ifndef JCC_LLVM_REFUSE_H
#define JCC_LLVM_REFUSE_H

#include "assembler.h"
#include "scan.h"
#include "source.h"
#include "text.h"

// Before LLVM sees the text: statements that kill it or keep it busy for ever, and branch operands it takes for something else.
// JCC_ERROR_SOURCE with a diagnostic for each. *REST then gets the text with those statements blanked, for LLVM to find
// what else is wrong; it stays empty when that would mislead.
enum jcc_status jcc_refuse_deadly(struct jcc_job *job, struct jcc_text *rest);

// Each construct that the text leaves open, named with the line that opened it, as an error where LLVM failed
// (which drops LLVM's own word on it), else as a warning.
enum jcc_status jcc_report_open(const struct jcc_scan *scan, struct jcc_source *source, bool failed, struct jcc_diagnostics *diagnostics);

// After LLVM failed: each use of an undefined local label, in place of LLVM's "<unknown>:0: Undefined temporary symbol".
enum jcc_status jcc_report_undefined(const struct jcc_scan *scan, struct jcc_source *source, struct jcc_diagnostics *diagnostics);

#endif
