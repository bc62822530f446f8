// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's own options, for the whole process, and the engines that they exclude each other with. Each test runs in a process of its own.
#define _GNU_SOURCE // MAP_ANONYMOUS
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"
#include "compat.h"

#include <jccsafe/process.h>
#include <llvm-c/Support.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

// In a child there is no cmocka: the first thing that does not hold ends it with the line's number.
#define HOLDS(condition)                                                                                                                   \
    do {                                                                                                                                   \
        if (!(condition)) {                                                                                                                \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                                                        \
            _exit(1);                                                                                                                      \
        }                                                                                                                                  \
    } while (0)

static void in_a_process(void (*body)(void))
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        signal(SIGSEGV, SIG_DFL); // cmocka would go on with the next test
        body();
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static const char code[] =
    ".text\n.p2align 5\n.skip 30,0x90\nxorl %eax, %eax\nincl %ecx\njne 1f\n1: jmp 1b\n.p2align 5\nf: movl %eax, %ebx\nmovl %eax, %ebx\n"
    "movl %eax, %ebx\nmovl %eax, %ebx\nmovl %eax, %ebx\nmovl %eax, %ebx\nmovl %eax, %ebx\nmovl %eax, %ebx\nmovl %eax, %ebx\nmovl %eax, "
    "%ebx\n"
    "movl %eax, %ebx\nmovl %eax, %ebx\nmovl %eax, %ebx\nmovl %eax, %ebx\nincl %eax\njne f\nret\n";

static enum jcc_status assemble(enum jcc_engine engine, struct jcc_policy policy, struct jcc_assemble_totals *totals)
{
    jcc_assembler *assembler;
    struct jcc_assemble_request request = rig_request(code);
    struct jcc_assemble_result result = {.size = sizeof result};
    request.engine = engine;
    request.policy = policy;
    HOLDS(jcc_assembler_create(&assembler) == JCC_OK);
    enum jcc_status status = jcc_assemble(assembler, &request, &result);
    *totals = result.totals;
    HOLDS((status == JCC_OK) == (result.object != NULL));
    jcc_assemble_result_free(&result);
    jcc_assembler_destroy(assembler);
    return status;
}

static void run_switched_off(void)
{
    struct jcc_assemble_totals totals;
    HOLDS(!jcc_process_enabled(NULL));
    HOLDS(jcc_process_disable() == JCC_OK);
    HOLDS(assemble(JCC_ENGINE_LLVM, jcc_policy_full(), &totals) == JCC_ERROR_CONFLICT);
    HOLDS(assemble(JCC_ENGINE_AUTO, jcc_policy_full(), &totals) == JCC_OK && totals.engine == JCC_ENGINE_PLAN && totals.affected == 0);
    HOLDS(assemble(JCC_ENGINE_PLAN, jcc_policy_full(), &totals) == JCC_OK && totals.engine == JCC_ENGINE_PLAN && totals.affected_plain > 0);
}

static void run_switched_on(void)
{
    struct jcc_assemble_totals totals;
    struct jcc_policy full = jcc_policy_full(), seen;
    HOLDS(jcc_process_enable(&full) == JCC_OK);
    HOLDS(jcc_process_enabled(&seen));
    HOLDS(seen.boundary == full.boundary && seen.kinds == full.kinds && seen.prefix_limit == full.prefix_limit && seen.size == sizeof seen);
    HOLDS(jcc_process_enable(&full) == JCC_OK); // the same again does nothing
    HOLDS(assemble(JCC_ENGINE_PLAN, full, &totals) == JCC_ERROR_CONFLICT);
    HOLDS(assemble(JCC_ENGINE_LLVM, full, &totals) == JCC_OK);
    HOLDS(totals.engine == JCC_ENGINE_LLVM && totals.affected == 0 && totals.affected_plain == 0 && totals.llvm_passes == 1 &&
          totals.units == 4);
    HOLDS(assemble(JCC_ENGINE_AUTO, full, &totals) == JCC_OK && totals.engine == JCC_ENGINE_LLVM);
}

static void run_and_off_again(void)
{
    struct jcc_assemble_totals totals;
    struct jcc_policy full = jcc_policy_full();
    HOLDS(jcc_process_enable(&full) == JCC_OK);
    if (!JCC_OPTIONS_CAN_CHANGE) {
        HOLDS(jcc_process_disable() == JCC_ERROR_UNSUPPORTED);
        HOLDS(jcc_process_enabled(NULL));
        return;
    }
    HOLDS(jcc_process_disable() == JCC_OK);
    HOLDS(!jcc_process_enabled(NULL));
    HOLDS(assemble(JCC_ENGINE_LLVM, full, &totals) == JCC_ERROR_CONFLICT);
    HOLDS(assemble(JCC_ENGINE_PLAN, jcc_policy_off(), &totals) == JCC_OK && totals.affected == 0);
    HOLDS(assemble(JCC_ENGINE_AUTO, full, &totals) == JCC_OK && totals.engine == JCC_ENGINE_PLAN && totals.affected_plain > 0 &&
          totals.affected == 0);
    HOLDS(jcc_process_enable(&full) == JCC_OK);
    HOLDS(assemble(JCC_ENGINE_LLVM, full, &totals) == JCC_OK && totals.affected == 0);
}

static void run_other_policies(void)
{
    struct jcc_policy clang = jcc_policy_clang(), full = jcc_policy_full(), wide = full, less = full;
    wide.boundary = 64;
    less.kinds = JCC_KIND_BIT(JCC_KIND_JCC);
    HOLDS(jcc_process_enable(&clang) == JCC_OK);
    if (!JCC_OPTIONS_CAN_CHANGE) {
        HOLDS(jcc_process_enable(&full) == JCC_ERROR_CONFLICT); // each option can be given once
        HOLDS(jcc_process_enable(&clang) == JCC_OK);
        return;
    }
    HOLDS(jcc_process_enable(&full) == JCC_OK); // more kinds may be added
    HOLDS(jcc_process_enable(&clang) == JCC_ERROR_CONFLICT);
    HOLDS(jcc_process_enable(&less) == JCC_ERROR_CONFLICT);
    HOLDS(jcc_process_enable(&wide) == JCC_OK);
    struct jcc_policy seen;
    HOLDS(jcc_process_enabled(&seen) && seen.boundary == 64);
}

static void run_policies_that_make_no_sense(void)
{
    struct jcc_policy off = jcc_policy_off(), odd = jcc_policy_full(), none = jcc_policy_full();
    odd.boundary = 33;
    none.kinds = 0;
    HOLDS(jcc_process_enable(NULL) == JCC_ERROR_ARGUMENT);
    HOLDS(jcc_process_enable(&off) == JCC_ERROR_POLICY);
    HOLDS(jcc_process_enable(&odd) == JCC_ERROR_POLICY);
    HOLDS(jcc_process_enable(&none) == JCC_ERROR_POLICY);
    HOLDS(!jcc_process_enabled(NULL));
}

// A jump, a return, a call and a pair at every offset, and before each an instruction that has prefixes already: each boundary and each limit makes
// something else of it.
static void write_long_code(struct jcc_text *text)
{
    static const char *const units[] = {"jmp q", "ret", "call far", "cmpl $70000, 70000(%rax,%rcx,8); jne q"};
    jcc_text_string(text, "q:\n");
    for (unsigned offset = 0; offset < 64; offset++)
        for (size_t k = 0; k < sizeof units / sizeof *units; k++)
            jcc_text_format(text, ".p2align 6\n.rept %u\ncld\n.endr\nmovw %%fs:(%%eax), %%cx\n%s\n", offset, units[k]);
}

struct emission {
    size_t size;
    unsigned char bytes[1 << 17];
};

static void emit_long_code(struct emission *emission, struct jcc_policy policy)
{
    jcc_assembler *assembler;
    struct jcc_text text = {0};
    write_long_code(&text);
    HOLDS(!text.failed);
    struct jcc_assemble_request request = rig_request(text.data);
    struct jcc_assemble_result result = {.size = sizeof result};
    request.engine = JCC_ENGINE_LLVM;
    request.policy = policy;
    HOLDS(jcc_assembler_create(&assembler) == JCC_OK);
    HOLDS(jcc_assemble(assembler, &request, &result) == JCC_OK && result.object_size <= sizeof emission->bytes);
    emission->size = result.object_size;
    memcpy(emission->bytes, result.object, result.object_size);
    jcc_text_free(&text);
    jcc_assemble_result_free(&result);
    jcc_assembler_destroy(assembler);
}

// What a process that never was anything else makes under POLICY; so long as this one is not either.
static void emit_elsewhere(struct emission *emission, struct jcc_policy policy)
{
    struct emission *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    HOLDS(shared != MAP_FAILED);
    int status;
    pid_t child = fork();
    HOLDS(child >= 0);
    if (!child) {
        HOLDS(jcc_process_enable(&policy) == JCC_OK);
        emit_long_code(shared, policy);
        _exit(0);
    }
    HOLDS(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    *emission = *shared;
    munmap(shared, sizeof *shared);
}

static bool same_emission(const struct emission *a, const struct emission *b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static struct jcc_policy policy_with(uint32_t boundary, uint32_t prefix_limit)
{
    struct jcc_policy policy = jcc_policy_full();
    policy.boundary = boundary;
    policy.prefix_limit = prefix_limit;
    return policy;
}

static void run_another_policy_takes_effect(void)
{
    static const struct {
        uint32_t boundary, prefix_limit;
    } rows[] = {{32, 5}, {32, 0}, {16, 0}, {32, 0}, {32, 3}, {32, 4}, {32, 2}, {64, 2}, {16, 5}, {32, 5}, {256, 1}, {128, 1}};
    enum { COUNT = sizeof rows / sizeof *rows };
    static struct emission here, elsewhere[COUNT];
    for (size_t k = 0; k < COUNT; k++)
        emit_elsewhere(&elsewhere[k], policy_with(rows[k].boundary, rows[k].prefix_limit));
    for (size_t k = 0; k < COUNT; k++) {
        struct jcc_policy policy = policy_with(rows[k].boundary, rows[k].prefix_limit), seen;
        enum jcc_status status = jcc_process_enable(&policy);
        if (!JCC_OPTIONS_CAN_CHANGE && (rows[k].boundary != rows[0].boundary || rows[k].prefix_limit != rows[0].prefix_limit)) {
            HOLDS(status == JCC_ERROR_CONFLICT);
            HOLDS(jcc_process_enabled(&seen) && seen.boundary == rows[0].boundary && seen.prefix_limit == rows[0].prefix_limit);
            continue;
        }
        HOLDS(status == JCC_OK);
        HOLDS(jcc_process_enabled(&seen) && seen.boundary == policy.boundary && seen.prefix_limit == policy.prefix_limit);
        emit_long_code(&here, policy);
        HOLDS(same_emission(&here, &elsewhere[k]));
        HOLDS(!k || !same_emission(&here, &elsewhere[k - 1]));
    }
}

// As a host does that pads by itself: a driver with its user's -mllvm options.
static void give(const char *a, const char *b, const char *c)
{
    const char *arguments[] = {"host", a, b, c};
    LLVMParseCommandLineOptions(c ? 4 : b ? 3 : 2, arguments, NULL);
}

static void run_a_host_with_the_same_options(void)
{
    static struct emission here, elsewhere;
    struct jcc_policy policy = policy_with(32, 5), weaker = policy_with(32, 0);
    emit_elsewhere(&elsewhere, JCC_OPTIONS_CAN_CHANGE ? weaker : policy);
    give("-x86-align-branch-boundary=32", "-x86-align-branch=jcc+fused+jmp+call+ret+indirect", "-x86-pad-max-prefix-size=5");
    HOLDS(!jcc_process_enabled(NULL));
    HOLDS(jcc_process_enable(&policy) == JCC_OK && jcc_process_enabled(NULL));
    HOLDS(jcc_process_enable(&weaker) == (JCC_OPTIONS_CAN_CHANGE ? JCC_OK : JCC_ERROR_CONFLICT));
    policy = JCC_OPTIONS_CAN_CHANGE ? weaker : policy;
    emit_long_code(&here, policy);
    HOLDS(same_emission(&here, &elsewhere));
}

static void run_a_host_with_another_boundary(void)
{
    static struct emission here, elsewhere;
    struct jcc_policy policy = policy_with(32, 0);
    emit_elsewhere(&elsewhere, policy);
    give("-x86-align-branch-boundary=16", "-x86-align-branch=jcc+fused+jmp+call+ret+indirect", NULL);
    if (!JCC_OPTIONS_CAN_CHANGE) {
        HOLDS(jcc_process_enable(&policy) == JCC_ERROR_CONFLICT && !jcc_process_enabled(NULL));
        return;
    }
    HOLDS(jcc_process_enable(&policy) == JCC_OK);
    emit_long_code(&here, policy);
    HOLDS(same_emission(&here, &elsewhere));
}

static void run_a_host_with_more_kinds(void)
{
    struct jcc_policy clang = jcc_policy_clang();
    give("-x86-align-branch-boundary=32", "-x86-align-branch=jcc+fused+jmp+ret", "-x86-pad-max-prefix-size=5");
    HOLDS(jcc_process_enable(&clang) == JCC_ERROR_CONFLICT);
    HOLDS(!jcc_process_enabled(NULL));
}

// They show only once there is a boundary; then it is taken back where that can be.
static void run_a_host_with_more_kinds_and_no_boundary(void)
{
    struct jcc_policy clang = jcc_policy_clang();
    struct jcc_assemble_totals totals;
    give("-x86-align-branch=ret", NULL, NULL);
    if (!JCC_OPTIONS_CAN_CHANGE)
        return; // LLVM says on standard error that they are given twice, and keeps the first
    HOLDS(jcc_process_enable(&clang) == JCC_ERROR_CONFLICT);
    HOLDS(!jcc_process_enabled(NULL));
    HOLDS(assemble(JCC_ENGINE_PLAN, jcc_policy_full(), &totals) == JCC_OK && totals.affected_plain > 0 && totals.affected == 0);
}

static void run_a_host_that_aligns_within_32_bytes(void)
{
    struct jcc_policy full = jcc_policy_full();
    give("-x86-branches-within-32B-boundaries", NULL, NULL);
    HOLDS(jcc_process_enable(&full) == (JCC_OPTIONS_CAN_CHANGE ? JCC_OK : JCC_ERROR_CONFLICT));
}

static void run_kinds_bind_when_off(void)
{
    struct jcc_policy clang = jcc_policy_clang(), full = jcc_policy_full();
    HOLDS(jcc_process_enable(&full) == JCC_OK);
    if (!JCC_OPTIONS_CAN_CHANGE)
        return;
    HOLDS(jcc_process_disable() == JCC_OK);
    HOLDS(jcc_process_enable(&clang) == JCC_ERROR_CONFLICT && !jcc_process_enabled(NULL));
    HOLDS(jcc_process_enable(&full) == JCC_OK);
}

// A call through a register is LLVM's `call`, so INDIRECT takes that in.
static void run_indirect_calls(void)
{
    static const char calls[] = ".p2align 5\n.rept 30\ncld\n.endr\ncall *%rax\n.p2align 5\n.rept 30\ncld\n.endr\njmp *%rax\n";
    struct jcc_policy policy = jcc_policy_full();
    policy.kinds = JCC_KIND_BIT(JCC_KIND_INDIRECT);
    HOLDS(jcc_process_enable(&policy) == JCC_OK);
    jcc_assembler *assembler;
    struct jcc_assemble_request request = rig_request(calls);
    struct jcc_assemble_result result = {.size = sizeof result};
    request.engine = JCC_ENGINE_LLVM;
    request.policy = policy;
    HOLDS(jcc_assembler_create(&assembler) == JCC_OK);
    HOLDS(jcc_assemble(assembler, &request, &result) == JCC_OK && result.totals.units == 2 && result.totals.affected == 0);
    jcc_assemble_result_free(&result);
    jcc_assembler_destroy(assembler);
}

static void run_regions_are_warned_of(void)
{
    static const struct {
        const char *text;
        uint32_t line; // of the warning; 0: none
    } rows[] = {
        {"nop\n# jccsafe: off\nret\n# jccsafe: on\n", 3},
        {"#noautopadding\nret\n#autopadding\n#noautopadding\nret\n", 2},
        {"# jccsafe: on\nret\n# jccsafe: off\n", 0},
        {"ret\n", 0},
    };
    struct jcc_policy full = jcc_policy_full();
    HOLDS(jcc_process_enable(&full) == JCC_OK);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct jcc_assemble_request request = rig_request(rows[k].text);
        request.engine = JCC_ENGINE_AUTO;
        struct rig rig = rig_assemble_request(&request);
        HOLDS(rig.status == JCC_OK && rig.result.diagnostic_count == (rows[k].line != 0));
        HOLDS(!rows[k].line || rig.result.diagnostics[0].severity == JCC_SEVERITY_WARNING);
        HOLDS(!rows[k].line || rig.result.diagnostics[0].line == rows[k].line);
        rig_free(&rig);
    }
}

static void run_every_kind(void)
{
    for (int kind = JCC_KIND_NONE + 1; kind < JCC_KIND_COUNT; kind++) {
        struct jcc_policy policy = jcc_policy_full();
        policy.kinds = JCC_KIND_BIT(kind);
        // Kinds only add up in a process.
        pid_t child = fork();
        HOLDS(child >= 0);
        if (!child)
            _exit(jcc_process_enable(&policy) != JCC_OK);
        int status;
        HOLDS(waitpid(child, &status, 0) == child && WIFEXITED(status));
        if (WEXITSTATUS(status))
            fprintf(stderr, "kind %s\n", jcc_kind_name((enum jcc_kind)kind));
        HOLDS(WEXITSTATUS(status) == 0);
    }
}

#define TEST(name)                                                                                                                         \
    static void name(void **state)                                                                                                         \
    {                                                                                                                                      \
        (void)state;                                                                                                                       \
        in_a_process(run_##name);                                                                                                          \
    }

TEST(switched_off)
TEST(switched_on)
TEST(and_off_again)
TEST(other_policies)
TEST(policies_that_make_no_sense)
TEST(every_kind)
TEST(another_policy_takes_effect)
TEST(a_host_with_the_same_options)
TEST(a_host_with_another_boundary)
TEST(a_host_with_more_kinds)
TEST(a_host_with_more_kinds_and_no_boundary)
TEST(a_host_that_aligns_within_32_bytes)
TEST(kinds_bind_when_off)
TEST(indirect_calls)
TEST(regions_are_warned_of)

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"while LLVM's options are off, its engine is refused", switched_off, NULL, NULL, NULL},
        {"while they are on, the planner is refused and LLVM pads in one pass", switched_on, NULL, NULL, NULL},
        {"they can be put off again, but on LLVM 14", and_off_again, NULL, NULL, NULL},
        {"kinds may be added but not taken back", other_policies, NULL, NULL, NULL},
        {"a policy that pads nothing or makes no sense is refused", policies_that_make_no_sense, NULL, NULL, NULL},
        {"each kind takes effect alone", every_kind, NULL, NULL, NULL},
        {"a policy after another pads as in a process of its own, or is refused", another_policy_takes_effect, NULL, NULL, NULL},
        {"what a host has set is taken over, and changed where it can be", a_host_with_the_same_options, NULL, NULL, NULL},
        {"a host's other boundary is not taken for ours", a_host_with_another_boundary, NULL, NULL, NULL},
        {"a host's kinds are not taken back", a_host_with_more_kinds, NULL, NULL, NULL},
        {"a host's kinds that nothing showed leave the process unpadded", a_host_with_more_kinds_and_no_boundary, NULL, NULL, NULL},
        {"a host that aligns as clang does may get more kinds", a_host_that_aligns_within_32_bytes, NULL, NULL, NULL},
        {"kinds bind while the options are off", kinds_bind_when_off, NULL, NULL, NULL},
        {"indirect takes in calls through a register", indirect_calls, NULL, NULL, NULL},
        {"a region without padding, which LLVM does not keep, is warned of once", regions_are_warned_of, NULL, NULL, NULL},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
