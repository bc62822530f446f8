// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// check_speed [FILE [ROUNDS [MIB]]]: jcc_check beside a plain loop of ZydisDecoderDecodeInstruction, one thread each, over the
// .text of FILE (without FILE: of the first libLLVM in the loader's cache), or its first MIB MiB.
//
// The two take turns, so that both meet the same machine; the median of ROUNDS (5) is what counts. The loop only decodes: it
// neither classifies nor judges.
#define _GNU_SOURCE
#include "../tests/decoder/sections.h"
#include <jccsafe/check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <Zydis/Zydis.h>

#define ROUNDS_DEFAULT 5
#define ROUNDS_MAX     101

struct text {
    enum jcc_mode mode;
    uint64_t address;
    uint8_t *bytes;
    size_t size;
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void copy_text(void *context, const struct section *section)
{
    struct text *text = context;
    if (strcmp(section->name, ".text") != 0 || text->bytes)
        return;
    text->bytes = malloc(section->size ? section->size : 1);
    if (!text->bytes)
        return;
    memcpy(text->bytes, section->bytes, section->size);
    text->size = section->size;
    text->mode = section->mode;
    text->address = section->address;
}

static uint64_t zydis_loop(const struct text *text)
{
    ZydisDecoder decoder;
    bool is64 = text->mode == JCC_MODE_64;
    ZydisDecoderInit(&decoder, is64 ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LEGACY_32,
                     is64 ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32);
    uint64_t instructions = 0;
    for (size_t at = 0; at < text->size;) {
        ZydisDecoderContext context;
        ZydisDecodedInstruction insn;
        if (ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, &context, text->bytes + at, text->size - at, &insn))) {
            at += insn.length;
            instructions++;
        } else {
            at++;
        }
    }
    return instructions;
}

static struct jcc_check_totals check(const struct text *text)
{
    struct jcc_policy policy = jcc_policy_full();
    struct jcc_check_totals totals = {0};
    if (jcc_check(&policy, text->mode, text->address, text->bytes, text->size, NULL, NULL, &totals) != JCC_OK)
        abort();
    return totals;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Prints one line; returns the median.
static double report(const char *name, double *times, size_t rounds, const struct text *text, uint64_t instructions)
{
    qsort(times, rounds, sizeof *times, by_size);
    double median = times[rounds / 2];
    printf("%-12s %8.3f s  (%.3f to %.3f)  %6.3f GB/s  %7.2f ns per instruction\n", name, median, times[0], times[rounds - 1],
           (double)text->size / median * 1e-9, median / (double)instructions * 1e9);
    return median;
}

int main(int argc, char **argv)
{
    char found[1024];
    const char *path = argc > 1 ? argv[1] : find_library("libLLVM", 0, true, found, sizeof found) ? found : NULL;
    size_t rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : ROUNDS_DEFAULT;
    if (!path || rounds < 1 || rounds > ROUNDS_MAX) {
        fprintf(stderr, "usage: check_speed [FILE [ROUNDS [MIB]]] (no libLLVM in the loader's cache: name a file)\n");
        return 2;
    }
    struct text text = {0};
    if (!each_section(path, copy_text, &text) || !text.bytes) {
        fprintf(stderr, "check_speed: %s: no x86 ELF file with a .text section\n", path);
        return 2;
    }
    if (argc > 3 && strtoul(argv[3], NULL, 10) << 20 < text.size)
        text.size = strtoul(argv[3], NULL, 10) << 20;

    double zydis_times[ROUNDS_MAX], check_times[ROUNDS_MAX];
    uint64_t instructions = 0;
    struct jcc_check_totals totals = check(&text);
    for (size_t k = 0; k < rounds; k++) {
        double start = seconds();
        instructions = zydis_loop(&text);
        zydis_times[k] = seconds() - start;
        start = seconds();
        totals = check(&text);
        check_times[k] = seconds() - start;
    }
    printf("%s: %zu bytes of .text, %llu instructions (Zydis: %llu)\n", path, text.size, (unsigned long long)totals.instructions,
           (unsigned long long)instructions);
    double slow = report("Zydis loop", zydis_times, rounds, &text, instructions);
    double fast = report("jcc_check", check_times, rounds, &text, totals.instructions);
    printf("jcc_check is %.1f times as fast (best against best: %.1f)\n", slow / fast, zydis_times[0] / check_times[0]);
    free(text.bytes);
    return 0;
}
