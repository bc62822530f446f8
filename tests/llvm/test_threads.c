// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eight threads, an assembler and a policy each: their objects are those of one thread alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"
#include "random_source.h"

#include <pthread.h>

#define THREADS 8
#define ROUNDS  12
#define SOURCES 3

struct worker {
    pthread_t thread;
    const struct jcc_assemble_request *requests;
    const struct rig *want;
    unsigned wrong; // counted, because cmocka's assertions are the main thread's
};

static struct jcc_policy policy_of(unsigned k)
{
    struct jcc_policy policies[] = {jcc_policy_full(), jcc_policy_clang(), jcc_policy_off(), jcc_policy_full()};
    struct jcc_policy policy = policies[k % 4];
    if (k >= 4 && policy.boundary)
        policy.boundary = k % 2 ? 64 : 16;
    if (k == 3)
        policy.prefix_limit = 0;
    return policy;
}

static bool is_same(const struct jcc_assemble_result *a, const struct jcc_assemble_result *b)
{
    return a->object_size == b->object_size && (!a->object_size || !memcmp(a->object, b->object, a->object_size)) &&
           a->diagnostic_count == b->diagnostic_count && a->residual_count == b->residual_count &&
           !memcmp(&a->totals, &b->totals, offsetof(struct jcc_assemble_totals, flattened)) && // padding bytes stand behind it alone
           a->totals.flattened == b->totals.flattened;
}

static void *work(void *context)
{
    struct worker *w = context;
    jcc_assembler *assembler;
    if (jcc_assembler_create(&assembler)) {
        w->wrong++;
        return NULL;
    }
    for (int k = 0; k < ROUNDS; k++) {
        struct jcc_assemble_result result = {.size = sizeof result};
        enum jcc_status status = jcc_assemble(assembler, &w->requests[k % SOURCES], &result);
        w->wrong += status != w->want[k % SOURCES].status || (k >= SOURCES && !is_same(&result, &w->want[k % SOURCES].result));
        jcc_assemble_result_free(&result);
    }
    jcc_assembler_destroy(assembler);
    return NULL;
}

static void eight_threads_do_as_one(void **state)
{
    (void)state;
    struct random_source sources[SOURCES] = {random_source(77, 600, false), random_source(78, 300, true)};
    jcc_text_string(&sources[2].text, ".macro m a\n bogus \\a\n.endm\nm 1\njmp .Lx\n");
    struct jcc_assemble_request requests[THREADS][SOURCES];
    struct rig want[THREADS][SOURCES];
    struct worker workers[THREADS];
    for (unsigned t = 0; t < THREADS; t++)
        for (unsigned s = 0; s < SOURCES; s++) {
            requests[t][s] = rig_request(sources[s].text.data);
            requests[t][s].policy = policy_of(t);
            // What an assembler has learned saves it a pass, so the second time is the one to compare with.
            jcc_assembler *assembler;
            assert_int_equal(jcc_assembler_create(&assembler), JCC_OK);
            struct jcc_assemble_result first = {.size = sizeof first};
            jcc_assemble(assembler, &requests[t][s], &first);
            jcc_assemble_result_free(&first);
            want[t][s] = (struct rig){.result = {.size = sizeof first}};
            want[t][s].status = jcc_assemble(assembler, &requests[t][s], &want[t][s].result);
            jcc_assembler_destroy(assembler);
            assert_int_equal(want[t][s].status, s == 2 ? JCC_ERROR_SOURCE : JCC_OK);
        }
    for (unsigned t = 0; t < THREADS; t++) {
        workers[t] = (struct worker){.requests = requests[t], .want = want[t]};
        assert_int_equal(pthread_create(&workers[t].thread, NULL, work, &workers[t]), 0);
    }
    for (unsigned t = 0; t < THREADS; t++) {
        assert_int_equal(pthread_join(workers[t].thread, NULL), 0);
        if (workers[t].wrong)
            fail_msg("thread %u: %u results of %d are wrong", t, workers[t].wrong, ROUNDS);
    }
    for (unsigned t = 0; t < THREADS; t++)
        for (unsigned s = 0; s < SOURCES; s++)
            rig_free(&want[t][s]);
    for (unsigned s = 0; s < SOURCES; s++)
        jcc_text_free(&sources[s].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_threads_do_as_one),
    };
    return RIG_RUN(tests);
}
