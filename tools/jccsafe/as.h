// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `jccsafe as`: options in as.c, the work in as_run.c, what it says in as_report.c.
#ifndef AS_H
#define AS_H

#include <jccsafe/assemble.h>
#include <jccsafe/policy.h>
#include <stdbool.h>
#include <stddef.h>

struct as_job {
    const char *in;  // "-": standard input
    const char *out; // "-": standard output
    struct jcc_policy policy;
    enum jcc_engine engine;
    enum jcc_target target;
    bool report;
    bool prove;
    const char **include; // owned by the options
    size_t include_count;
    uint32_t scope;         // enum jcc_scope
    const char **functions; // with JCC_SCOPE_FUNCTIONS; owned by the options
    size_t function_count;
};

// Returns an exit status.
int as_run(const struct as_job *job);

// All diagnostics; returns how many are errors.
size_t as_print_diagnostics(const struct jcc_assemble_result *result);
// --report: a line of totals, and one for each residual, on standard error.
void as_print_report(const char *name, const struct jcc_assemble_result *result);

#endif
