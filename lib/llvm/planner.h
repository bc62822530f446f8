// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sections of a measured text, planned one by one.
#ifndef JCC_LLVM_PLANNER_H
#define JCC_LLVM_PLANNER_H

#include "measure.h"

#include <jccsafe/assemble.h>

// Plan each section that was followed and has a unit, at REQUEST's prices and in its scope; one that passes the planner's limits is left plain.
enum jcc_status jcc_planner_run(struct jcc_measure *measure, const struct jcc_assemble_request *request);

// Whether CODE holds data and branches to computed addresses: then the data may be code made by hand that no label tells of, and only the proof against a
// plain object can say.
bool jcc_planner_may_run_data(const struct jcc_code *code);

// Whether any section is planned.
bool jcc_planner_any(const struct jcc_measure *measure);

// Into TOTALS: what the plan puts in.
void jcc_planner_count_pads(const struct jcc_measure *measure, struct jcc_assemble_totals *totals);

// Into TOTALS: affected units and code bytes of the plain program, by its layout alone.
enum jcc_status jcc_planner_count_plain(const struct jcc_measure *measure, struct jcc_assemble_totals *totals);

#endif
