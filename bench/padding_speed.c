// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// padding_speed [CALLS]: what jcc_padding costs an emitter, and whether it mispredicts.
//
// The calls are chained as an emitter's are: where the next unit stands depends on the padding before it. So this is the
// latency of a call, and no compiler can do several at once. The same loop without the call is printed beside it.
//
// Mispredicted branches are counted by the CPU where the kernel lets a process ask. Virtual machines often have no counter;
// there a simulated predictor serves:
//   valgrind --tool=cachegrind --branch-sim=yes --cachegrind-out-file=out ./padding_speed 1000000 && cg_annotate out
// The mispredictions of chain_padding and chain_alone are then to be the same.
#define _GNU_SOURCE
#include <errno.h>
#include <jccsafe/padding.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__linux__)
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#define LENGTHS       4096 // too many for a predictor to learn by heart
#define CALLS_DEFAULT 200000000ul
#define BATCHES       2000 // short ones, some of which nothing else interrupts

// Kept apart, so that the simulated counts come by function.
__attribute__((noinline)) static uint64_t chain_padding(const struct jcc_policy *policy, const uint8_t *lengths, unsigned long calls)
{
    uint64_t at = 0;
    for (unsigned long i = 0; i < calls; i++) {
        uint32_t length = lengths[i % LENGTHS];
        at = (at + length) + jcc_padding(policy, at, length);
    }
    return at;
}

__attribute__((noinline)) static uint64_t chain_alone(const uint8_t *lengths, unsigned long calls)
{
    uint64_t at = 0;
    for (unsigned long i = 0; i < calls; i++) {
        at += lengths[i % LENGTHS];
        // Else the additions would be done several at once.
        __asm__ volatile("" : "+r"(at));
    }
    return at;
}

// Lengths as they come in compiled code, in an order that repeats only after LENGTHS (xorshift, fixed seed).
static void fill_lengths(uint8_t *lengths)
{
    static const uint8_t common[] = {1, 2, 2, 2, 2, 3, 4, 4, 5, 5, 5, 5, 6, 6, 8, 12};
    uint32_t state = 2463534242u;
    for (size_t i = 0; i < LENGTHS; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        lengths[i] = common[state % sizeof common];
    }
}

// A descriptor of this process's count of mispredicted branches; -1 with errno where there is none.
static int open_counter(void)
{
#if defined(__linux__)
    struct perf_event_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_HARDWARE;
    attr.config = PERF_COUNT_HW_BRANCH_MISSES;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
#else
    errno = ENOSYS;
    return -1;
#endif
}

static uint64_t read_counter(int counter)
{
    uint64_t value = 0;
#if defined(__linux__)
    if (counter >= 0 && read(counter, &value, sizeof value) != (ssize_t)sizeof value)
        value = 0;
#endif
    return value;
}

static double now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// Of the batches of one loop.
struct measured {
    double best_ns; // of the fastest batch: what else runs on the machine only ever adds
    uint64_t misses;
    uint64_t end; // address reached
};

static struct measured measure(bool padded, const struct jcc_policy *policy, const uint8_t *lengths, unsigned long calls, int counter)
{
    struct measured measured = {.best_ns = HUGE_VAL};
    uint64_t before = read_counter(counter);
    for (int batch = 0; batch < BATCHES; batch++) {
        double start = now_ns();
        measured.end = padded ? chain_padding(policy, lengths, calls) : chain_alone(lengths, calls);
        double took = now_ns() - start;
        measured.best_ns = took < measured.best_ns ? took : measured.best_ns;
    }
    measured.misses = read_counter(counter) - before;
    return measured;
}

static void print_line(const char *what, const struct measured *measured, int counter, unsigned long calls)
{
    printf("%-22s %6.3f ns", what, measured->best_ns / (double)calls);
    if (counter >= 0)
        printf("  %10.6f mispredictions", (double)measured->misses / (double)calls / BATCHES);
    putchar('\n');
}

int main(int argc, char **argv)
{
    unsigned long calls = (argc > 1 ? strtoul(argv[1], NULL, 10) : CALLS_DEFAULT) / BATCHES;
    if (calls == 0) {
        fprintf(stderr, "padding_speed: CALLS must be a number, and at least %d\n", BATCHES);
        return 2;
    }
    static uint8_t lengths[LENGTHS];
    fill_lengths(lengths);
    struct jcc_policy policy = jcc_policy_full();
    int counter = open_counter();
    int no_counter = errno;

    struct measured padded = measure(true, &policy, lengths, calls, counter);
    struct measured plain = measure(false, &policy, lengths, calls, counter);
    printf("fastest of %d batches of %lu chained calls, per call:\n", BATCHES, calls);
    print_line("jcc_padding and loop", &padded, counter, calls);
    print_line("the loop alone", &plain, counter, calls);
    if (counter < 0)
        printf("mispredictions: not available (%s)\n", strerror(no_counter));
    printf("padding: %.3f bytes a unit\n", (double)(padded.end - plain.end) / (double)calls);
    return 0;
}
