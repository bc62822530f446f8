// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Find affected units in a run of machine code.
#ifndef JCCSAFE_CHECK_H
#define JCCSAFE_CHECK_H

#include <jccsafe/export.h>
#include <jccsafe/insn.h>
#include <jccsafe/policy.h>
#include <jccsafe/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// How a conditional jump right behind an instruction that it can fuse with is judged:
// - as a pair, from the first instruction's begin, where the policy names fused;
// - as a lone jcc where it names jcc but not fused, as GNU as does, and counted as jcc then;
// - a pair that may not fuse (add, sub or and with a memory destination: the manuals disagree) counts as a jcc. Where the policy
//   names fused and the pair is affected, but no jcc is reported for it, that is a doubtful finding.

// One affected unit.
struct jcc_finding {
    uint64_t address; // of the unit's first byte (for a pair: of its first instruction)
    uint8_t length;   // bytes of the whole unit
    uint8_t kind;     // enum jcc_kind; JCC_KIND_FUSED for a doubtful pair
    bool ends;        // it ends on the boundary; false: it crosses it
    bool doubtful;    // a doubtful pair, see above
};

struct jcc_check_totals {
    uint64_t instructions;
    uint64_t undecoded;                // bytes that are no instruction; decoding went on at the next byte, which is no part of a pair
    uint64_t units[JCC_KIND_COUNT];    // by kind, affected or not
    uint64_t affected[JCC_KIND_COUNT]; // by kind, but for doubtful findings
    uint64_t doubtful;                 // doubtful findings, counted here alone
};

// Called for each finding, in rising order of address. Return false to stop the check.
typedef bool (*jcc_finding_fn)(void *context, const struct jcc_finding *finding);

// Check LENGTH bytes at CODE as if they stood at ADDRESS. Units of kinds that POLICY does not name
// are counted in units but not judged. Adds to *TOTALS (which the caller zeroes first; NULL: not wanted)
// and calls EACH (NULL: not wanted) with CONTEXT. Decoding is linear from the first byte.
// JCC_OK also when there are findings; JCC_ERROR_ARGUMENT for NULL CODE with LENGTH not 0 or an unknown mode; a policy's
// own status when it is not sound. Nothing is allocated; any number of threads.
JCC_API enum jcc_status jcc_check(const struct jcc_policy *policy, enum jcc_mode mode, uint64_t address, const uint8_t *code, size_t length,
                                  jcc_finding_fn each, void *context, struct jcc_check_totals *totals);

// The same, where instructions are known to begin at START_COUNT offsets STARTS from CODE, as functions do and what stands behind data: rising, equal ones
// and such beyond LENGTH being of no use. Decoding comes to each of them: where an instruction would lie across one, its bytes up to there count as undecoded.
// JCC_ERROR_ARGUMENT also for NULL STARTS with START_COUNT not 0.
JCC_API enum jcc_status jcc_check_from(const struct jcc_policy *policy, enum jcc_mode mode, uint64_t address, const uint8_t *code,
                                       size_t length, const size_t *starts, size_t start_count, jcc_finding_fn each, void *context,
                                       struct jcc_check_totals *totals);

#ifdef __cplusplus
}
#endif
#endif
