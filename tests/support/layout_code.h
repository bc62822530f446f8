// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the tests of the planner that build a sequence item by item: each test gets a fresh one as its state.
#ifndef JCCSAFE_TESTS_LAYOUT_CODE_H
#define JCCSAFE_TESTS_LAYOUT_CODE_H

#include <layout_rig.h>

#define CODE_ITEMS_MAX 32u

// A sequence under construction, and the plan for it.
struct code {
    struct jcc_layout_item items[CODE_ITEMS_MAX];
    struct jcc_layout_place places[CODE_ITEMS_MAX];
    struct rig rig;
};

static inline struct code *new_code(void **state)
{
    struct code *code = *state;

    memset(code, 0, sizeof *code);
    code->rig = (struct rig){.policy = jcc_policy_full(),
                             .prices = JCC_LAYOUT_PRICES_DEFAULT,
                             .nop_max = JCC_NOP_MAX,
                             .items = code->items,
                             .places = code->places};
    return code;
}

static inline struct jcc_layout_item *add(struct code *code, unsigned type, uint32_t length, unsigned kind, unsigned flags)
{
    struct jcc_layout_item *item = &code->items[code->rig.count++];

    *item = (struct jcc_layout_item){.type = (uint8_t)type,
                                     .length = length,
                                     .kind = (uint8_t)kind,
                                     .flags = (uint16_t)flags,
                                     .target = JCC_LAYOUT_NO_TARGET,
                                     .weight = 1};
    return item;
}

static inline struct jcc_layout_item *add_data(struct code *code, uint32_t length)
{
    return add(code, JCC_ITEM_DATA, length, JCC_KIND_NONE, 0);
}

static inline struct jcc_layout_item *add_insn(struct code *code, uint32_t length, unsigned flags)
{
    return add(code, JCC_ITEM_INSN, length, JCC_KIND_NONE, flags);
}

static inline struct jcc_layout_item *add_unit(struct code *code, uint32_t length, unsigned kind, unsigned flags)
{
    return add(code, JCC_ITEM_INSN, length, kind, flags);
}

static inline struct jcc_layout_item *add_align(struct code *code, uint32_t align, unsigned flags)
{
    return add(code, JCC_ITEM_ALIGN, align, JCC_KIND_NONE, flags);
}

static inline struct jcc_layout_item *add_jump(struct code *code, unsigned kind, uint32_t target, unsigned flags)
{
    struct jcc_layout_item *item = add(code, JCC_ITEM_INSN, 2, kind, flags | JCC_ITEM_RELAX);

    item->long_length = kind == JCC_KIND_JCC ? 6 : 5;
    item->target = target;
    return item;
}

static inline struct jcc_layout_item *add_jrcxz(struct code *code, uint32_t target)
{
    struct jcc_layout_item *item = add(code, JCC_ITEM_INSN, 2, JCC_KIND_NONE, JCC_ITEM_SHORT_ONLY);

    item->target = target;
    return item;
}

static inline void plan(struct code *code)
{
    const char *broken;
    uint32_t where;

    assert_int_equal(rig_plan(&code->rig), JCC_OK);
    broken = rig_verify(&code->rig, &where);
    if (broken != NULL) {
        rig_print(&code->rig);
        fail_msg("item %u: %s", (unsigned)where, broken);
    }
}

static inline int code_set_up(void **state)
{
    *state = malloc(sizeof(struct code));
    return *state == NULL;
}

static inline int code_tear_down(void **state)
{
    free(*state);
    return 0;
}

#endif
