// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check_scan.h"
#include <jccsafe/check.h>
#include <jccsafe/padding.h>

struct check {
    uint32_t boundary; // 1 when nothing is judged
    uint32_t kinds;    // judged; empty when nothing is
    bool pairs;        // a pair is one unit: not so where its jump is to be judged alone
    jcc_finding_fn each;
    void *context;
    struct jcc_check_totals *totals;
};

static struct check check_for(const struct jcc_policy *policy, jcc_finding_fn each, void *context, struct jcc_check_totals *totals)
{
    uint32_t kinds = policy->boundary ? policy->kinds : 0;
    return (struct check){
        .boundary = policy->boundary ? policy->boundary : 1,
        .kinds = kinds,
        .pairs = (kinds & JCC_KIND_BIT(JCC_KIND_FUSED)) || !(kinds & JCC_KIND_BIT(JCC_KIND_JCC)),
        .each = each,
        .context = context,
        .totals = totals,
    };
}

// 1 or 0.
static unsigned judged(const struct check *check, enum jcc_kind kind)
{
    return check->kinds >> kind & 1;
}

// False: stop.
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

// A jump of LENGTH bytes at ADDRESS right behind an instruction of BEFORE bytes with which it may fuse. It counts as a jcc; only
// where none is reported, the pair is looked at. False: stop.
static bool judge_doubtful(const struct check *check, uint64_t address, unsigned length, unsigned before)
{
    check->totals->units[JCC_KIND_JCC]++;
    if (judged(check, JCC_KIND_JCC) && jcc_affected(check->boundary, address, length)) {
        check->totals->affected[JCC_KIND_JCC]++;
        return report(check, JCC_KIND_JCC, address, length, false);
    }
    if (!judged(check, JCC_KIND_FUSED) || !jcc_affected(check->boundary, address - before, before + length))
        return true;
    check->totals->doubtful++;
    return report(check, JCC_KIND_FUSED, address - before, before + length, true);
}

// Judge the units of a batch whose first byte stands at ADDRESS. False: stop. A mispredicted branch costs as much as
// a dozen instructions here: so a pair is found, counted and judged by arithmetic.
static bool judge_batch(const struct check *check, const struct jcc_scan *scan, uint64_t address)
{
    for (uint32_t k = 0; k < scan->unit_count; k++) {
        jcc_scan_unit unit = scan->units[k];
        uint64_t begin = address + (unit & 0xffff);
        unsigned length = unit >> JCC_SCAN_LENGTH & 15, before = unit >> JCC_SCAN_BEFORE & 15;
        unsigned kind = unit >> JCC_SCAN_KIND & 7, condition = unit >> JCC_SCAN_CONDITION & 15;
        unsigned first = jcc_scan_pair((uint32_t)(unit >> JCC_SCAN_FIRST));
        unsigned fuses = (kind == JCC_KIND_JCC) & (jcc_fusing[first & JCC_ROLE_PAIR] >> condition) & (before != 0);
        if (fuses & first / JCC_ROLE_DOUBTFUL) {
            if (!judge_doubtful(check, begin, length, before))
                return false;
            continue;
        }
        fuses &= check->pairs;
        before *= fuses;
        begin -= before;
        length += before;
        kind += fuses * (JCC_KIND_FUSED - JCC_KIND_JCC);
        unsigned affected = judged(check, (enum jcc_kind)kind) & (unsigned)jcc_affected(check->boundary, begin, length);
        check->totals->units[kind]++;
        check->totals->affected[kind] += affected;
        if (affected && check->each && !report(check, (enum jcc_kind)kind, begin, length, false))
            return false;
    }
    return true;
}

enum jcc_status jcc_check(const struct jcc_policy *policy, enum jcc_mode mode, uint64_t address, const uint8_t *code, size_t length,
                          jcc_finding_fn each, void *context, struct jcc_check_totals *totals)
{
    return jcc_check_from(policy, mode, address, code, length, NULL, 0, each, context, totals);
}

enum jcc_status jcc_check_from(const struct jcc_policy *policy, enum jcc_mode mode, uint64_t address, const uint8_t *code, size_t length,
                               const size_t *starts, size_t start_count, jcc_finding_fn each, void *context,
                               struct jcc_check_totals *totals)
{
    enum jcc_status status = jcc_policy_check(policy);
    if (status != JCC_OK)
        return status;
    if ((!code && length != 0) || (!starts && start_count != 0) || mode > JCC_MODE_16)
        return JCC_ERROR_ARGUMENT;
    struct jcc_check_totals unwanted = {0};
    struct check check = check_for(policy, each, context, totals ? totals : &unwanted);
    struct jcc_scan scan;
    jcc_scan_begin(&scan, code, length, starts, start_count);
    while (jcc_scan_next(&scan, mode)) {
        check.totals->instructions += scan.instructions;
        check.totals->undecoded += scan.undecoded;
        if (!judge_batch(&check, &scan, address + scan.base))
            break;
    }
    return JCC_OK;
}
