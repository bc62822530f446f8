// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat.h"
#include "in_force.h"
#include "session.h"

#include <jccsafe/process.h>
#include <llvm-c/Core.h>
#include <llvm-c/Support.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

// What was asked of LLVM in this process. The options themselves live in LLVM.
static struct {
    atomic_bool on;
    struct jcc_policy policy;
    uint32_t kinds_given; // in LLVM's meaning. It only adds kinds, so these stay for ever
    bool given;
} state;

// What a kind of ours is in LLVM's meaning, by the names that both have: its `indirect` is jmp alone, its `call` takes in indirect calls, and its
// `fused` does nothing without `jcc`.
static const uint32_t llvm_kinds[JCC_KIND_COUNT] = {
    [JCC_KIND_JCC] = JCC_KIND_BIT(JCC_KIND_JCC), [JCC_KIND_FUSED] = JCC_KIND_BIT(JCC_KIND_JCC) | JCC_KIND_BIT(JCC_KIND_FUSED),
    [JCC_KIND_JMP] = JCC_KIND_BIT(JCC_KIND_JMP), [JCC_KIND_CALL] = JCC_KIND_BIT(JCC_KIND_CALL),
    [JCC_KIND_RET] = JCC_KIND_BIT(JCC_KIND_RET), [JCC_KIND_INDIRECT] = JCC_KIND_BIT(JCC_KIND_INDIRECT) | JCC_KIND_BIT(JCC_KIND_CALL),
};

static uint32_t in_llvm(uint32_t kinds)
{
    uint32_t set = 0;
    for (int k = JCC_KIND_NONE + 1; k < JCC_KIND_COUNT; k++)
        set |= kinds & JCC_KIND_BIT(k) ? llvm_kinds[k] : 0;
    return set;
}

static bool is_as(const struct jcc_in_force *now, const struct jcc_policy *policy)
{
    return now->boundary == policy->boundary && now->kinds == in_llvm(policy->kinds) && now->prefix_limit == policy->prefix_limit;
}

static void give_options(const struct jcc_policy *policy)
{
    char boundary[64], kinds[128] = "-x86-align-branch=", prefixes[64];
    snprintf(boundary, sizeof boundary, "-x86-align-branch-boundary=%u", policy->boundary);
    snprintf(prefixes, sizeof prefixes, "-x86-pad-max-prefix-size=%u", policy->prefix_limit);
    uint32_t set = in_llvm(policy->kinds);
    const char *plus = "";
    for (int k = JCC_KIND_NONE + 1; k < JCC_KIND_COUNT; k++) {
        if (!(set & JCC_KIND_BIT(k)))
            continue;
        size_t n = strlen(kinds);
        snprintf(kinds + n, sizeof kinds - n, "%s%s", plus, jcc_kind_name((enum jcc_kind)k));
        plus = "+";
    }
    const char *arguments[] = {"jccsafe", boundary, kinds, prefixes};
    LLVMParseCommandLineOptions(sizeof arguments / sizeof *arguments, arguments, NULL);
}

static void put_off(void)
{
    const char *arguments[] = {"jccsafe", "-x86-align-branch-boundary=0"};
    LLVMParseCommandLineOptions(2, arguments, NULL);
    atomic_store(&state.on, false);
}

static bool same_policy(const struct jcc_policy *a, const struct jcc_policy *b)
{
    return a->boundary == b->boundary && a->kinds == b->kinds && a->prefix_limit == b->prefix_limit;
}

// Whether LLVM can come from what it does NOW to POLICY. Its kinds only grow, also those that were given and are not in force.
static bool can_become(const struct jcc_in_force *now, const struct jcc_policy *policy)
{
    if ((state.kinds_given | now->kinds) & ~in_llvm(policy->kinds))
        return false;
    return JCC_OPTIONS_CAN_CHANGE || !(state.given || now->boundary);
}

static enum jcc_status change_to(const struct jcc_policy *policy)
{
    struct jcc_in_force now;
    give_options(policy);
    state.given = true;
    state.kinds_given |= in_llvm(policy->kinds);
    enum jcc_status status = jcc_in_force_read(&now);
    if (!status && !is_as(&now, policy)) // a host may have given kinds, and no boundary: nothing showed them before
        status = now.kinds & ~in_llvm(policy->kinds) ? JCC_ERROR_CONFLICT : JCC_ERROR_LLVM;
    if (status && JCC_OPTIONS_CAN_CHANGE)
        put_off();
    return status;
}

enum jcc_status jcc_process_enable(const struct jcc_policy *policy)
{
    enum jcc_status status = jcc_policy_check(policy);
    if (!status)
        status = jcc_session_check();
    if (status)
        return status;
    if (!policy->boundary || !policy->kinds)
        return JCC_ERROR_POLICY;
    if (atomic_load(&state.on) && same_policy(&state.policy, policy))
        return JCC_OK;
    struct jcc_in_force now;
    status = jcc_in_force_read(&now);
    if (!status && !is_as(&now, policy)) // else a host has given the same: on LLVM 14 once more would print an error
        status = can_become(&now, policy) ? change_to(policy) : JCC_ERROR_CONFLICT;
    if (status)
        return status;
    state.policy = *policy;
    state.policy.size = sizeof state.policy;
    atomic_store(&state.on, true);
    return JCC_OK;
}

enum jcc_status jcc_process_disable(void)
{
    if (!atomic_load(&state.on))
        return JCC_OK;
    if (!JCC_OPTIONS_CAN_CHANGE)
        return JCC_ERROR_UNSUPPORTED;
    put_off();
    return JCC_OK;
}

bool jcc_process_enabled(struct jcc_policy *policy)
{
    bool on = atomic_load(&state.on);
    if (on && policy)
        *policy = state.policy;
    return on;
}
