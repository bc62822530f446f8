// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's own options, for the whole process, and the engines that they exclude each other with. Each test runs in a process of its own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"
#include "compat.h"

#include <jccsafe/process.h>
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"while LLVM's options are off, its engine is refused", switched_off, NULL, NULL, NULL},
        {"while they are on, the planner is refused and LLVM pads in one pass", switched_on, NULL, NULL, NULL},
        {"they can be put off again, but on LLVM 14", and_off_again, NULL, NULL, NULL},
        {"kinds may be added but not taken back", other_policies, NULL, NULL, NULL},
        {"a policy that pads nothing or makes no sense is refused", policies_that_make_no_sense, NULL, NULL, NULL},
        {"each kind takes effect alone", every_kind, NULL, NULL, NULL},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
