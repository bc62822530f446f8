// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the planner's parts share. docs/planning.md tells how they work together.
//
// The items are read as steps. A step is a gap (plain instructions and data, where pads and prefixes may go) and the
// thing the gap ends at: a unit, an alignment or the end. Within a gap only the number of added bytes matters,
// so that the dynamic program has a row a step, not a row an item. Steps are kept in blocks of a fixed number: the unit of
// what is remembered between rounds and of what is planned again.
#ifndef JCCSAFE_CORE_LAYOUT_PLAN_H
#define JCCSAFE_CORE_LAYOUT_PLAN_H

#include <jccsafe/layout.h>
#include <stdbool.h>

// The modulus of the offsets that the program tells apart: the boundary, or the largest alignment up to this.
#define LAYOUT_MODULUS_MAX 256u

// Costs are whole numbers held in doubles, exact up to 2^53: SSE2 has a minimum for doubles, and none for integers of enough bits.
// A tenth of a byte is 256, and a byte adds 1 more, so that of two plans of the same cost the one with fewer bytes is cheaper.
#define LAYOUT_TENTH 256.0
#define LAYOUT_BYTE  (10.0 * LAYOUT_TENTH + 1.0)
// An affected unit that could not be helped: 2^44, more than whatever helping it could cost.
#define LAYOUT_RESIDUAL 17592186044416.0
// Bounds of one no-operation's and of one prefix's price in tenths, so that no sum of them comes near a residual's.
#define LAYOUT_NOP_PRICE_MAX    (1u << 28)
#define LAYOUT_PREFIX_PRICE_MAX (1u << 24)

// Steps of a block at most.
#define LAYOUT_BLOCK_STEPS_MAX 64u

// Entries that one inner loop over a row takes: a constant, so that compilers turn it into vector code at -O2 too. Every modulus is a multiple.
#define LAYOUT_LANES 8u
// Rows to work in, each twice as long as the modulus and a little more, as loops take whole lanes.
#define LAYOUT_SPARE_ROWS 4u

#define LAYOUT_NO_ITEM UINT32_MAX
// A section may have no more bytes (jcc_layout_plan).
#define LAYOUT_BYTES_MAX INT32_MAX

// What the rounds have decided about an item; never taken back, or the rounds might not end.
enum layout_mark {
    MARK_LONG = 1 << 0,       // RELAX: long
    MARK_NO_PAD = 1 << 1,     // no pad before it: a short branch would not reach
    MARK_NO_PREFIX = 1 << 2,  // no prefix on it: the same
    MARK_NEAR_FIXED = 1 << 3, // it stands between a short-only branch and its target
    MARK_LEVEL = 1 << 4,      // twice: how much was done already to keep this branch in reach, two bits, see layout_reach.c
};
#define MARK_LEVEL_MASK (3u * MARK_LEVEL)

enum layout_stop { STOP_END, STOP_UNIT, STOP_ALIGN };

struct layout_step {
    uint32_t first;   // item at which the gap begins
    uint32_t stop;    // item at which it ends: of the unit or alignment; count for the end
    uint32_t next;    // first item of the next step
    uint32_t site;    // item before which a pad is cheapest; LAYOUT_NO_ITEM
    double nop_price; // of a no-operation there; 0 where it is not executed
    uint16_t bytes;   // of the gap, unpadded, modulo the modulus
    uint8_t room;     // prefix bytes that the gap can take, at most modulus - 1
    uint8_t length;   // of the unit
    uint8_t kind;     // enum layout_stop
};

// A run of steps.
struct layout_block {
    uint32_t first_item;
    uint32_t first_step;
    uint32_t offset; // at which the last walk entered it
    uint32_t end;    // at which it left it
    bool dirty;      // an item in it changed: its steps and costs are not what they were
    bool stale;      // its costs changed: the last walk's choices in it may be wrong
    bool far_align;  // it holds an alignment that skips and is beyond the modulus: each walk must choose again
};

struct layout_plan {
    const struct jcc_layout_item *items;
    struct jcc_layout_place *places;
    uint32_t count;
    uint32_t boundary; // 0: nothing is planned
    uint32_t kinds;
    uint32_t prefix_limit;
    uint32_t nop_max;
    double nop_price;    // tenths
    double prefix_price; // of the unit above
    uint32_t modulus;
    uint32_t block_steps; // steps of a full block
    uint64_t bytes;       // of the section as placed last
    uint8_t *marks;       // enum layout_mark of each item
    uint32_t *branches;   // RELAX not yet long and SHORT_ONLY, as item indices, rising
    uint32_t branch_count;
    uint32_t held;     // to the items before this one nothing is added any more
    uint32_t patience; // bytes: a jump that misses its target by no more may still come to reach, and does not grow yet
    uint32_t rounds;
    struct layout_step *steps;
    struct layout_block *blocks; // and one more, which stands for the end
    uint32_t block_count;
    double *costs;                    // for each block, and for the end: least cost from there on, by offset, the least of them 0
    double *spare;                    // LAYOUT_SPARE_ROWS rows to work in
    double *rows;                     // for each step, or for those of the block worked on: least cost from its stop on
    bool solved;                      // costs hold those of an earlier round
    bool keeps_rows;                  // rows has those of all steps; else of one block
    uint32_t loaded;                  // that block
    uint8_t nops[LAYOUT_MODULUS_MAX]; // no-operations that so many bytes take
};

static inline bool layout_on(const struct layout_plan *plan)
{
    return plan->boundary != 0;
}

static inline double *layout_costs(const struct layout_plan *plan, uint32_t block)
{
    return plan->costs + (size_t)block * plan->modulus;
}

static inline size_t layout_spare_stride(uint32_t modulus)
{
    return 2 * (size_t)modulus + LAYOUT_LANES;
}

// Of the steps of BLOCK, which is loaded, one behind the other: least cost from its stop on, by the stop's offset.
static inline double *layout_rows(const struct layout_plan *plan, uint32_t block)
{
    return plan->rows + (size_t)(plan->keeps_rows ? plan->blocks[block].first_step : 0) * plan->modulus;
}

// ---- layout_check.c
// The argument errors of jcc_layout_plan that concern single items.
enum jcc_status layout_check_items(const struct jcc_layout_item *items, uint32_t count);

// ---- layout_step.c
// How many items the unit that begins at item INDEX has: 0 when none begins there that is to be kept off the boundary.
unsigned layout_unit_items(const struct layout_plan *plan, uint32_t index);
// Bytes of an instruction or data item, without prefixes, in the form it has now.
uint32_t layout_item_bytes(const struct layout_plan *plan, uint32_t index);
bool layout_site_allowed(const struct layout_plan *plan, uint32_t index);
uint32_t layout_prefix_room(const struct layout_plan *plan, uint32_t index);
// A no-operation's price at item INDEX, in the unit of LAYOUT_TENTH.
double layout_nop_price(const struct layout_plan *plan, uint32_t index);
// The step that begins at item FIRST.
struct layout_step layout_step_at(const struct layout_plan *plan, uint32_t first);
// Cut the items into blocks.
void layout_cut(struct layout_plan *plan);
// The block that item INDEX is in.
struct layout_block *layout_block_of(const struct layout_plan *plan, uint32_t index);

// The instruction that fuses with the conditional jump at item JUMP where the alignments between them come to nothing, as one unit to be kept off
// the boundary; LAYOUT_NO_ITEM: there is none.
uint32_t layout_fuses_from(const struct layout_plan *plan, uint32_t jump);

// ---- layout_row.c: one step of the dynamic program. A row has a cost for each offset.
// What it costs to add ADDED bytes in the gap of STEP; *PREFIXES gets how many of them are prefixes. Infinite when it cannot be done.
double layout_added_price(const struct layout_plan *plan, const struct layout_step *step, uint32_t added, uint32_t *prefixes);
// BEHIND has the costs behind STEP, for twice as many offsets as the modulus; AT_STOP gets those at its stop. Returns those at
// its first item, in a spare row, for twice as many offsets again: BEHIND of the step before.
const double *layout_row_back(const struct layout_plan *plan, const struct layout_step *step, const double *behind, double *at_stop);
// OUT gets the MODULUS entries of IN, and then once more.
void layout_row_double(double *restrict out, const double *restrict in, uint32_t modulus);
double layout_row_least(const double *row, uint32_t modulus);

// ---- layout_dp.c
// Bring the costs of all blocks up to date.
void layout_solve(struct layout_plan *plan);
// See to it that the rows of BLOCK, whose costs are up to date, are there.
void layout_load(struct layout_plan *plan, uint32_t block);

// ---- layout_place.c
// Walk from the first item to the last by the costs, and give each its place. JCC_ERROR_LIMIT.
enum jcc_status layout_walk(struct layout_plan *plan);
// Judge each unit where it stands; set residuals and the sums of TOTALS.
void layout_judge(struct layout_plan *plan, struct jcc_layout_totals *totals);

// ---- layout_reach.c
// List the branches, and make long each that would not reach even with nothing added and no alignment filled.
void layout_reach_start(struct layout_plan *plan);
// Do something about the branches that do not reach as placed. False: all reach, or cannot be helped.
bool layout_reach_settle(struct layout_plan *plan);

#endif
