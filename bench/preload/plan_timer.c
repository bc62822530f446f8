// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LD_PRELOAD=plan_timer.so jccsafe as ...: prints, at the end, the processor time that planning took (weights and plans; not the layouts that only
// count the plain program's units), the process's in all, and the one by the other.
#define _GNU_SOURCE // RTLD_NEXT
#include <dlfcn.h>
#include <jccsafe/layout.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double planning;

static double processor(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// The next definition of NAME, as a pointer to a function of any type.
static void (*next(const char *name))(void)
{
    union {
        void *object;
        void (*function)(void);
    } found = {dlsym(RTLD_NEXT, name)};
    if (!found.object)
        abort();
    return found.function;
}

void jcc_layout_weights(struct jcc_layout_item *items, size_t count, uint32_t *scratch)
{
    void (*weights)(struct jcc_layout_item *, size_t, uint32_t *);
    weights = (void (*)(struct jcc_layout_item *, size_t, uint32_t *))next("jcc_layout_weights");
    double start = processor();
    weights(items, count, scratch);
    planning += processor() - start;
}

enum jcc_status jcc_layout_plan(const struct jcc_policy *policy, const struct jcc_layout_prices *prices, unsigned nop_max,
                                const struct jcc_layout_item *items, size_t count, struct jcc_layout_place *places, void *workspace,
                                size_t workspace_size, struct jcc_layout_totals *totals)
{
    enum jcc_status (*plan)(const struct jcc_policy *, const struct jcc_layout_prices *, unsigned, const struct jcc_layout_item *, size_t,
                            struct jcc_layout_place *, void *, size_t, struct jcc_layout_totals *);
    plan = (enum jcc_status(*)(const struct jcc_policy *, const struct jcc_layout_prices *, unsigned, const struct jcc_layout_item *,
                               size_t, struct jcc_layout_place *, void *, size_t, struct jcc_layout_totals *))next("jcc_layout_plan");
    double start = processor();
    enum jcc_status status = plan(policy, prices, nop_max, items, count, places, workspace, workspace_size, totals);
    if (policy->boundary != 0 && policy->kinds != 0)
        planning += processor() - start;
    return status;
}

__attribute__((destructor)) static void print(void)
{
    double all = processor();
    fprintf(stderr, "planning %.4f s of %.4f s: %.3f\n", planning, all, planning / all);
}
