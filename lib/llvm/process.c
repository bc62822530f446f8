// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat.h"
#include "emitted.h"
#include "session.h"
#include "text.h"

#include <elf.h>
#include <jccsafe/check.h>
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
    uint32_t kinds_given; // LLVM only adds kinds, so these stay for ever
    bool given;
} state;

// LLVM's names for a kind of ours. Its `indirect` is jmp alone, its `call` takes in indirect calls, its `fused` does nothing without `jcc`.
static const char *const llvm_kinds[JCC_KIND_COUNT] = {
    [JCC_KIND_JCC] = "jcc",   [JCC_KIND_FUSED] = "jcc+fused", [JCC_KIND_JMP] = "jmp",
    [JCC_KIND_CALL] = "call", [JCC_KIND_RET] = "ret",         [JCC_KIND_INDIRECT] = "indirect+call",
};

// For each kind a unit that ends on the boundary unless LLVM pads it.
static const char *const probes[JCC_KIND_COUNT] = {
    [JCC_KIND_JCC] = "jo 1f; 1:",  [JCC_KIND_FUSED] = "cmpl %eax, %ecx; jne 1f; 1:",
    [JCC_KIND_JMP] = "jmp 1f; 1:", [JCC_KIND_CALL] = "call jccsafe_probe",
    [JCC_KIND_RET] = "ret",        [JCC_KIND_INDIRECT] = "call *%rax",
};

static const uint8_t probe_lengths[JCC_KIND_COUNT] = {
    [JCC_KIND_JCC] = 2, [JCC_KIND_FUSED] = 4, [JCC_KIND_JMP] = 2, [JCC_KIND_CALL] = 5, [JCC_KIND_RET] = 1, [JCC_KIND_INDIRECT] = 2,
};

static void write_probe(struct jcc_text *text, const struct jcc_policy *policy)
{
    jcc_text_format(text, ".text\n");
    for (int k = JCC_KIND_NONE + 1; k < JCC_KIND_COUNT; k++)
        if (policy->kinds & JCC_KIND_BIT(k))
            jcc_text_format(text, ".balign %u\n.rept %u\n.byte 0x90\n.endr\nmovl %%eax, %%eax\n%s\n", policy->boundary,
                            policy->boundary - 2 - probe_lengths[k], probes[k]);
}

// Emit, and look: whether LLVM pads as POLICY wants it now.
static enum jcc_status is_padded(const struct jcc_policy *policy, bool *padded)
{
    struct jcc_session session = {0};
    struct jcc_diagnostics diagnostics = {0};
    struct jcc_text text = {0};
    LLVMMemoryBufferRef buffer = NULL;
    struct jcc_emitted object = {0};
    write_probe(&text, policy);
    enum jcc_status status = text.failed ? JCC_ERROR_NO_MEMORY : JCC_OK;
    if (!status)
        status = jcc_session_run(&session, JCC_TARGET_X86_64, JCC_PASS_OBJECT, text.data, text.length, &diagnostics, &buffer);
    if (!status)
        status = jcc_emitted_open(&object, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    struct jcc_check_totals totals = {0};
    for (size_t k = 1; !status && k < object.section_count; k++)
        if (object.sections[k].flags & SHF_EXECINSTR)
            status = jcc_check(policy, JCC_MODE_64, 0, object.sections[k].bytes, (size_t)object.sections[k].size, NULL, NULL, &totals);
    uint64_t affected = 0;
    for (int k = 0; k < JCC_KIND_COUNT; k++)
        affected += totals.affected[k];
    *padded = !status && !affected;
    jcc_emitted_close(&object);
    if (buffer)
        LLVMDisposeMemoryBuffer(buffer);
    jcc_text_free(&text);
    jcc_diagnostics_clear(&diagnostics);
    jcc_session_close(&session);
    return status == JCC_ERROR_SOURCE ? JCC_ERROR_LLVM : status;
}

static void give_options(const struct jcc_policy *policy)
{
    char boundary[64], kinds[128] = "-x86-align-branch=", prefixes[64];
    snprintf(boundary, sizeof boundary, "-x86-align-branch-boundary=%u", policy->boundary);
    snprintf(prefixes, sizeof prefixes, "-x86-pad-max-prefix-size=%u", policy->prefix_limit);
    bool any = false;
    for (int k = JCC_KIND_NONE + 1; k < JCC_KIND_COUNT; k++) {
        if (!(policy->kinds & JCC_KIND_BIT(k)))
            continue;
        size_t n = strlen(kinds);
        snprintf(kinds + n, sizeof kinds - n, "%s%s", any ? "+" : "", llvm_kinds[k]);
        any = true;
    }
    const char *arguments[] = {"jccsafe", boundary, kinds, prefixes};
    LLVMParseCommandLineOptions(sizeof arguments / sizeof *arguments, arguments, NULL);
}

static bool same_policy(const struct jcc_policy *a, const struct jcc_policy *b)
{
    return a->boundary == b->boundary && a->kinds == b->kinds && a->prefix_limit == b->prefix_limit;
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
    if (state.given && (!JCC_OPTIONS_CAN_CHANGE || (state.kinds_given & ~policy->kinds)))
        return JCC_ERROR_CONFLICT;
    bool padded = false;
    status = is_padded(policy, &padded);
    if (status)
        return status;
    if (!padded) { // else the host has set them: on LLVM 14 once more would print an error
        give_options(policy);
        state.given = true;
        state.kinds_given |= policy->kinds;
        status = is_padded(policy, &padded);
    }
    if (status || !padded)
        return status ? status : JCC_ERROR_LLVM;
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
    const char *arguments[] = {"jccsafe", "-x86-align-branch-boundary=0"};
    LLVMParseCommandLineOptions(2, arguments, NULL);
    atomic_store(&state.on, false);
    return JCC_OK;
}

bool jcc_process_enabled(struct jcc_policy *policy)
{
    bool on = atomic_load(&state.on);
    if (on && policy)
        *policy = state.policy;
    return on;
}
