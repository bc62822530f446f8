// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loop_nops FILE...: for each, the no-operations in its code that are executed, and those among them in innermost loops: loops that have no
// other in them, each as jcc_layout_weights finds it in the decoded branches. A no-operation behind a jmp, ret and the like is not executed,
// and one in front of a loop's first instruction is not in it, if the branch back skips it.
#define _GNU_SOURCE
#include "../tests/decoder/sections.h"
#include <jccsafe/insn.h>
#include <jccsafe/layout.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct counts {
    uint64_t instructions;
    uint64_t innermost; // of them in innermost loops
    uint64_t live_nops;
    uint64_t innermost_nops;
};

// One section, as items for the planner: what it reads of them is where branches lead and where control does not fall through.
struct code {
    struct jcc_layout_item *items;
    uint64_t *targets; // address that each item's branch goes to, if it is one
    uint32_t *item_at; // of each byte: the item that begins there, plus 1
    uint32_t count;
};

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) {
        fputs("loop_nops: no memory\n", stderr);
        exit(1);
    }
    return memory;
}

static void add_item(struct code *code, const struct section *section, size_t at, const struct jcc_insn *insn, bool dead)
{
    struct jcc_layout_item *item = &code->items[code->count];
    bool is_branch = (insn->flags & JCC_INSN_RELATIVE) && insn->kind != JCC_KIND_CALL;
    *item = (struct jcc_layout_item){
        .length = insn->length,
        .kind = insn->kind,
        .flags = dead ? JCC_ITEM_DEAD : 0,
        .target = JCC_LAYOUT_NO_TARGET,
        .weight = (insn->flags & JCC_INSN_NOP) != 0, // until the targets are known, a note
    };
    if (is_branch)
        code->targets[code->count] = jcc_insn_target(section->mode, insn, section->bytes + at, at);
    else
        code->targets[code->count] = UINT64_MAX;
    code->item_at[at] = ++code->count;
}

static void decode(struct code *code, const struct section *section)
{
    bool falls = true; // control may come from the instruction before; a run of no-operations passes on what it gets
    for (size_t at = 0; at < section->size;) {
        struct jcc_insn insn;
        if (jcc_insn_decode(section->mode, section->bytes + at, section->size - at, &insn) != JCC_OK) {
            at++;
            continue;
        }
        add_item(code, section, at, &insn, !falls);
        if (!(insn.flags & JCC_INSN_NOP) || falls)
            falls = !(insn.flags & JCC_INSN_ENDS_FLOW);
        at += insn.length;
    }
}

static void find_targets(struct code *code, size_t size)
{
    for (uint32_t i = 0; i < code->count; i++) {
        if (code->targets[i] >= size || !code->item_at[code->targets[i]])
            continue;
        code->items[i].target = code->item_at[code->targets[i]] - 1;
        code->items[i].flags |= JCC_ITEM_RELAX;
    }
}

static void count_section(void *context, const struct section *section)
{
    struct counts *counts = context;
    struct code code = {
        .items = allocate(section->size, sizeof *code.items),
        .targets = allocate(section->size, sizeof *code.targets),
        .item_at = allocate(section->size, sizeof *code.item_at),
    };
    decode(&code, section);
    find_targets(&code, section->size);
    bool *is_nop = allocate(code.count, sizeof *is_nop);
    uint32_t *scratch = allocate(code.count, sizeof *scratch);
    for (uint32_t i = 0; i < code.count; i++)
        is_nop[i] = code.items[i].weight != 0;
    jcc_layout_weights(code.items, code.count, scratch);
    for (uint32_t i = 0; i < code.count; i++) {
        bool live = is_nop[i] && !(code.items[i].flags & JCC_ITEM_DEAD);
        bool innermost = code.items[i].flags & JCC_ITEM_INNERMOST;
        counts->live_nops += live;
        counts->innermost_nops += live && innermost;
        counts->innermost += innermost;
    }
    counts->instructions += code.count;
    free(code.items);
    free(code.targets);
    free(code.item_at);
    free(is_nop);
    free(scratch);
}

int main(int argc, char **argv)
{
    for (int k = 1; k < argc; k++) {
        struct counts counts = {0};
        if (!each_section(argv[k], count_section, &counts)) {
            fprintf(stderr, "loop_nops: %s: cannot be read\n", argv[k]);
            return 1;
        }
        printf("%s: insns=%llu innermost_insns=%llu live_nops=%llu innermost_live_nops=%llu\n", argv[k],
               (unsigned long long)counts.instructions, (unsigned long long)counts.innermost, (unsigned long long)counts.live_nops,
               (unsigned long long)counts.innermost_nops);
    }
    return argc > 1 ? 0 : 2;
}
