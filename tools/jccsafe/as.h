// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `jccsafe as`: options in as.c, the work in as_run.c, what it says in as_report.c.
#ifndef AS_H
#define AS_H

#include <jccsafe/assemble.h>
#include <jccsafe/policy.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum as_report {
    AS_REPORT_NONE = 0,
    AS_REPORT_SUMMARY, // totals and residuals, on standard error
    AS_REPORT_TEXT,    // each pad too
    AS_REPORT_JSON,    // the same as JSON, on standard output
};

// A text that is put together.
struct as_text {
    char *bytes;
    size_t size;
};

// False after a message.
bool as_text_append(struct as_text *text, const char *bytes, size_t size);
void as_text_free(struct as_text *text);

enum as_warnings { AS_WARNINGS_PRINT, AS_WARNINGS_NONE, AS_WARNINGS_FATAL };

struct as_job {
    const char *in;  // "-": standard input
    const char *out; // "-": standard output
    struct jcc_policy policy;
    enum jcc_engine engine;
    enum jcc_target target;
    enum as_report report;
    bool prove;
    enum as_warnings warnings;
    unsigned dwarf_version;    // of line tables; 0: the default
    const char *const *inputs; // of which IN is the first: read as one source; NULL: IN alone
    size_t input_count;
    struct as_text before, after; // what is read before them and behind
    const char **include;         // owned by the options
    size_t include_count;
    bool has_scope;
    uint32_t scope;         // enum jcc_scope, where no functions are named
    const char **functions; // --function's, and then the profile's; owned by the options
    size_t function_count;
    size_t named_count;                  // of them, --function's
    struct jcc_function_weight *weights; // owned by the options
    size_t weight_count;
    bool has_prices;
    struct jcc_layout_prices prices;
};

// Returns an exit status.
int as_run(const struct as_job *job);

// All diagnostics, and on PRINTS what the source has printed; returns how many are errors, which warnings may be.
size_t as_print_diagnostics(const struct jcc_assemble_result *result, enum as_warnings warnings, FILE *prints);
// --report: a line of totals, one for each residual and, with PADS, one for each pad, on standard error. False when they could not be written.
bool as_print_report(const char *name, const struct jcc_assemble_result *result, bool pads);
// --report=json, on standard output. False after a message.
bool as_print_json(const char *name, const struct jcc_assemble_result *result);
// Whether the command was built with a JSON library.
bool as_has_json(void);

#endif
