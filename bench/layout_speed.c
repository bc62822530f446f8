// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// layout_speed [INSTRUCTIONS [BOUNDARY [TIMES]]]: how long the planner takes for a made-up section with the mix of a compiler's output: a unit
// every four or five instructions, half of them pairs, an alignment every thirteen, loops, and jumps of which a part must be long.
// Prints the best of TIMES runs.
#define _POSIX_C_SOURCE 200809L
#include <jccsafe/layout.h>
#include <jccsafe/padding.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PREFIX_ROOM    3u
#define ALIGN_BYTES    16u
#define ALIGN_SKIP     10u // as gcc -O2 writes them: .p2align 4,,10
#define SHORT_JUMP     2u
#define LONG_JUMP      5u
#define LONG_COND_JUMP 6u
#define CALL_BYTES     5u

struct section {
    struct jcc_layout_item *items;
    uint32_t count;
    uint64_t seed;
};

static uint32_t below(struct section *section, uint32_t bound)
{
    section->seed = section->seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((section->seed >> 33) % bound);
}

static struct jcc_layout_item *add(struct section *section, unsigned type, uint32_t length, unsigned kind)
{
    struct jcc_layout_item *item = &section->items[section->count++];

    memset(item, 0, sizeof *item);
    item->type = (uint8_t)type;
    item->length = length;
    item->kind = (uint8_t)kind;
    item->flags = JCC_ITEM_SITE;
    item->target = JCC_LAYOUT_NO_TARGET;
    item->weight = 1;
    return item;
}

static void add_plain(struct section *section)
{
    static const uint8_t lengths[] = {2, 2, 3, 3, 3, 4, 4, 5, 5, 7};

    add(section, JCC_ITEM_INSN, lengths[below(section, 10)], JCC_KIND_NONE)->prefix_room = PREFIX_ROOM;
}

// A jump some way forth or, one in six, back; the target is set right at the end, when the count is known.
static void add_jump(struct section *section, unsigned kind, bool second)
{
    uint32_t here = section->count;
    uint32_t distance = 1 + below(section, below(section, 3) == 0 ? 200 : 25);
    struct jcc_layout_item *item = add(section, JCC_ITEM_INSN, SHORT_JUMP, kind);

    item->flags = JCC_ITEM_RELAX | (second ? 0 : JCC_ITEM_SITE);
    item->long_length = kind == JCC_KIND_JMP ? LONG_JUMP : LONG_COND_JUMP;
    item->target = below(section, 6) == 0 ? (here > distance ? here - distance : 0) : here + distance;
}

static void add_unit(struct section *section)
{
    uint32_t what = below(section, 100);

    if (what < 45) {
        struct jcc_layout_item *first = add(section, JCC_ITEM_INSN, 2 + below(section, 4), JCC_KIND_NONE);

        first->flags |= JCC_ITEM_PAIR;
        add_jump(section, JCC_KIND_JCC, true);
    } else if (what < 52) {
        add_jump(section, JCC_KIND_JCC, false);
    } else if (what < 70) {
        add_jump(section, JCC_KIND_JMP, false);
    } else if (what < 95) {
        add(section, JCC_ITEM_INSN, CALL_BYTES, JCC_KIND_CALL);
    } else {
        add(section, JCC_ITEM_INSN, 1, JCC_KIND_RET);
    }
}

static bool ends_flow(const struct jcc_layout_item *item)
{
    return item->kind == JCC_KIND_JMP || item->kind == JCC_KIND_RET;
}

static void fill(struct section *section, uint32_t instructions)
{
    uint32_t made = 0;

    while (made < instructions) {
        uint32_t before = section->count, what = below(section, 1000);

        if (what < 240) {
            add_unit(section);
        } else if (what < 310) {
            add(section, JCC_ITEM_ALIGN, ALIGN_BYTES, JCC_KIND_NONE)->max_skip = below(section, 3) == 0 ? 0 : ALIGN_SKIP;
            add_plain(section);
            section->items[section->count - 1].flags &= (uint16_t)~JCC_ITEM_SITE;
        } else {
            add_plain(section);
        }
        if (before > 0 && ends_flow(&section->items[before - 1]))
            section->items[before].flags |= JCC_ITEM_DEAD;
        made += section->count - before - (section->items[before].type == JCC_ITEM_ALIGN);
    }
    for (uint32_t i = 0; i < section->count; i++)
        if (section->items[i].target != JCC_LAYOUT_NO_TARGET && section->items[i].target > section->count)
            section->items[i].target = section->count;
}

static double now_ms(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int run(struct section *section, const struct jcc_policy *policy, unsigned times)
{
    size_t size = jcc_layout_workspace(policy, section->count);
    void *workspace = malloc(size);
    struct jcc_layout_place *places = malloc(section->count * sizeof *places);
    uint32_t *scratch = malloc((section->count + (size_t)1) * sizeof *scratch);
    struct jcc_layout_totals totals = {0};
    enum jcc_status status = workspace && places && scratch ? JCC_OK : JCC_ERROR_NO_MEMORY;
    double best = 0, best_weights = 0;

    for (unsigned k = 0; k < times && status == JCC_OK; k++) {
        double start = now_ms(), weighed, planned;

        jcc_layout_weights(section->items, section->count, scratch);
        weighed = now_ms();
        status = jcc_layout_plan(policy, NULL, JCC_NOP_MAX, section->items, section->count, places, workspace, size, &totals);
        planned = now_ms();
        best_weights = k == 0 || weighed - start < best_weights ? weighed - start : best_weights;
        best = k == 0 || planned - weighed < best ? planned - weighed : best;
    }
    free(scratch);
    free(places);
    free(workspace);
    if (status != JCC_OK) {
        fprintf(stderr, "layout_speed: %s\n", jcc_status_message(status));
        return 1;
    }
    printf("items %u  units %llu  bytes %llu  pad bytes %llu  prefix bytes %llu  live no-operations %llu\n", (unsigned)section->count,
           (unsigned long long)totals.units, (unsigned long long)totals.bytes, (unsigned long long)totals.pad_bytes,
           (unsigned long long)totals.prefix_bytes, (unsigned long long)totals.live_nops);
    printf("residuals %llu  grown %u  rounds %u  workspace %zu bytes\n", (unsigned long long)totals.residuals, (unsigned)totals.grown,
           (unsigned)totals.rounds, size);
    printf("plan %.2f ms, %.1f ns/item  weights %.2f ms\n", best, best * 1e6 / section->count, best_weights);
    return 0;
}

int main(int argc, char **argv)
{
    unsigned long instructions = argc > 1 ? strtoul(argv[1], NULL, 10) : 200000;
    unsigned long boundary = argc > 2 ? strtoul(argv[2], NULL, 10) : JCC_BOUNDARY_INTEL;
    unsigned long times = argc > 3 ? strtoul(argv[3], NULL, 10) : 5;
    struct jcc_policy policy = jcc_policy_full();
    struct section section = {.seed = 1};
    int failed;

    policy.boundary = (uint32_t)boundary;
    if (instructions == 0 || instructions > 100000000 || times == 0 || jcc_policy_check(&policy) != JCC_OK) {
        fprintf(stderr, "usage: layout_speed [INSTRUCTIONS [BOUNDARY [TIMES]]]\n");
        return 2;
    }
    section.items = malloc((2 * instructions + 4) * sizeof *section.items);
    if (section.items == NULL) {
        fprintf(stderr, "layout_speed: out of memory\n");
        return 1;
    }
    fill(&section, (uint32_t)instructions);
    failed = run(&section, &policy, (unsigned)times);
    free(section.items);
    return failed;
}
