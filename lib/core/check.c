// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "insn_brief.h"
#include <jccsafe/check.h>
#include <jccsafe/padding.h>

struct check {
    uint32_t boundary; // 0: nothing is judged
    uint32_t kinds;
    jcc_finding_fn each;
    void *context;
    struct jcc_check_totals *totals;
};

// The instruction before, while it can be the first of a pair.
struct first {
    uint64_t address;
    uint8_t pair; // enum jcc_pair
    bool doubtful;
};

static bool judged(const struct check *check, enum jcc_kind kind)
{
    return check->boundary != 0 && (check->kinds & JCC_KIND_BIT(kind));
}

static bool report(const struct check *check, enum jcc_kind kind, uint64_t address, unsigned length, bool doubtful)
{
    if (!check->each)
        return true;
    struct jcc_finding finding = {
        .address = address,
        .length = (uint8_t)length,
        .kind = (uint8_t)kind,
        .ends = ((address + length) & (check->boundary - 1)) == 0,
        .doubtful = doubtful,
    };
    return check->each(check->context, &finding);
}

// Count a unit, judge it, and report it when it is affected. False: stop.
static bool judge(const struct check *check, enum jcc_kind kind, uint64_t address, unsigned length)
{
    check->totals->units[kind]++;
    if (!judged(check, kind) || !jcc_affected(check->boundary, address, length))
        return true;
    check->totals->affected[kind]++;
    return report(check, kind, address, length, false);
}

// A jump at ADDRESS behind FIRST, with which it may fuse: the pair or the lone jump, as the policy and the manuals have it.
static bool judge_pair(const struct check *check, const struct first *first, uint64_t address, unsigned length)
{
    unsigned whole = (unsigned)(address - first->address) + length;
    if (!first->doubtful) {
        bool alone = !judged(check, JCC_KIND_FUSED) && judged(check, JCC_KIND_JCC);
        return alone ? judge(check, JCC_KIND_JCC, address, length) : judge(check, JCC_KIND_FUSED, first->address, whole);
    }
    bool affected_alone = judged(check, JCC_KIND_JCC) && jcc_affected(check->boundary, address, length);
    if (affected_alone || !judged(check, JCC_KIND_FUSED) || !jcc_affected(check->boundary, first->address, whole))
        return judge(check, JCC_KIND_JCC, address, length);
    check->totals->units[JCC_KIND_JCC]++;
    check->totals->doubtful++;
    return report(check, JCC_KIND_FUSED, first->address, whole, true);
}

// Walk the code. Inlined once for each mode, which is a constant in it then.
static inline void walk(const struct check *check, enum jcc_mode mode, uint64_t address, const uint8_t *code, size_t length)
{
    struct first first = {0};
    uint64_t instructions = 0;
    for (size_t at = 0; at < length;) {
        struct jcc_brief insn = jcc_brief_decode(mode, code + at, length - at);
        if (insn.length == 0) {
            check->totals->undecoded++;
            first.pair = JCC_PAIR_NONE;
            at++;
            continue;
        }
        instructions++;
        if (insn.kind != JCC_KIND_NONE) {
            bool pair = insn.kind == JCC_KIND_JCC && jcc_pair_fuses((enum jcc_pair)first.pair, insn.condition);
            bool go_on = pair ? judge_pair(check, &first, address + at, insn.length)
                              : judge(check, (enum jcc_kind)insn.kind, address + at, insn.length);
            if (!go_on)
                break;
        }
        first = (struct first){.address = address + at, .pair = insn.pair, .doubtful = insn.doubtful};
        at += insn.length;
    }
    check->totals->instructions += instructions;
}

enum jcc_status jcc_check(const struct jcc_policy *policy, enum jcc_mode mode, uint64_t address, const uint8_t *code, size_t length,
                          jcc_finding_fn each, void *context, struct jcc_check_totals *totals)
{
    enum jcc_status status = jcc_policy_check(policy);
    if (status != JCC_OK)
        return status;
    if (!code && length != 0)
        return JCC_ERROR_ARGUMENT;
    struct jcc_check_totals unwanted = {0};
    struct check check = {policy->boundary, policy->kinds, each, context, totals ? totals : &unwanted};
    switch (mode) {
    case JCC_MODE_64: walk(&check, JCC_MODE_64, address, code, length); return JCC_OK;
    case JCC_MODE_32: walk(&check, JCC_MODE_32, address, code, length); return JCC_OK;
    case JCC_MODE_16: walk(&check, JCC_MODE_16, address, code, length); return JCC_OK;
    }
    return JCC_ERROR_ARGUMENT;
}
