// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout_plan.h"
#include <math.h>
#include <string.h>

// Entries that one inner loop takes: a constant, so that compilers turn it into vector code at -O2 too. Every modulus is a multiple.
#define LANES 16u

#define ROW_MAX (2 * LAYOUT_MODULUS_MAX)

void layout_row_mirror(double *row, uint32_t modulus)
{
    memcpy(row + modulus, row, modulus * sizeof *row);
}

struct spread {
    double least;
    double most;
};

static struct spread row_spread(const double *row, uint32_t modulus)
{
    double least[LANES], most[LANES];
    struct spread spread;

    memcpy(least, row, sizeof least);
    memcpy(most, row, sizeof most);
    for (uint32_t x = LANES; x < modulus; x += LANES)
        for (uint32_t lane = 0; lane < LANES; lane++) {
            double value = row[x + lane];

            least[lane] = value < least[lane] ? value : least[lane];
            most[lane] = value > most[lane] ? value : most[lane];
        }
    spread.least = least[0];
    spread.most = most[0];
    for (uint32_t lane = 1; lane < LANES; lane++) {
        spread.least = least[lane] < spread.least ? least[lane] : spread.least;
        spread.most = most[lane] > spread.most ? most[lane] : spread.most;
    }
    return spread;
}

void layout_row_normalise(double *row, uint32_t modulus)
{
    double least = row_spread(row, modulus).least;

    for (uint32_t x = 0; x < modulus; x += LANES)
        for (uint32_t lane = 0; lane < LANES; lane++)
            row[x + lane] -= least;
}

// OUT[x] = the lesser of IN[x] and FAR[x] + PRICE. FAR is IN shifted, or another row.
static void fold(double *restrict out, const double *restrict in, const double *restrict far, double price, uint32_t modulus)
{
    for (uint32_t x = 0; x < modulus; x += LANES)
        for (uint32_t lane = 0; lane < LANES; lane++) {
            double moved = far[x + lane] + price;

            out[x + lane] = moved < in[x + lane] ? moved : in[x + lane];
        }
    layout_row_mirror(out, modulus);
}

// The least over 0 <= e < WIDTH of IN[x + e] + e * PRICE, for each x, by doubling the width. WIDTH is 1 to modulus.
// The result is in one of the SPARE rows, or IN itself for a width of 1.
static const double *window(const double *in, uint32_t width, double price, uint32_t modulus, double spare[2][ROW_MAX])
{
    uint32_t done = 1;
    unsigned turn = 0;

    while (done < width) {
        uint32_t shift = width - done < done ? width - done : done;

        fold(spare[turn], in, in + shift, price * shift, modulus);
        in = spare[turn];
        turn ^= 1;
        done += shift;
    }
    return in;
}

// Let up to STEP's room of prefixes be added: ROW is replaced.
static void allow_prefixes(const struct layout_plan *plan, const struct layout_step *step, double *row)
{
    double spare[2][ROW_MAX];
    struct spread spread = row_spread(row, plan->modulus);
    double price = LAYOUT_BYTE + plan->prefix_price;

    if (step->room == 0 || spread.most - spread.least <= price)
        return;
    memcpy(row, window(row, step->room + 1, price, plan->modulus, spare), 2 * plan->modulus * sizeof *row);
}

// Let a pad be added where it is not executed.
static void allow_dead_pad(const struct layout_plan *plan, double *row)
{
    double spare[2][ROW_MAX];

    memcpy(row, window(row, plan->modulus, LAYOUT_BYTE, plan->modulus, spare), 2 * plan->modulus * sizeof *row);
}

// Let an executed pad be added: one no-operation more as long as that makes anything cheaper.
static void allow_live_pad(const struct layout_plan *plan, const struct layout_step *step, double *row)
{
    uint32_t modulus = plan->modulus;
    uint32_t longest = plan->nop_max < modulus - 1 ? plan->nop_max : modulus - 1;
    double price = step->nop_price + LAYOUT_BYTE;
    double spare[2][ROW_MAX], sum[ROW_MAX];

    for (unsigned nops = plan->nops[modulus - 1]; nops > 0; nops--) {
        struct spread spread = row_spread(row, modulus);
        const double *behind;

        if (spread.most - spread.least <= price)
            return;
        behind = window(row, longest, LAYOUT_BYTE, modulus, spare);
        fold(sum, row, behind + 1, price, modulus);
        memcpy(row, sum, 2 * modulus * sizeof *row);
    }
}

static void allow_added(const struct layout_plan *plan, const struct layout_step *step, double *row)
{
    bool site = step->site != LAYOUT_NO_ITEM;

    if (site && step->nop_price == 0) {
        allow_dead_pad(plan, row);
        return;
    }
    allow_prefixes(plan, step, row);
    if (site)
        allow_live_pad(plan, step, row);
}

double layout_added_price(const struct layout_plan *plan, const struct layout_step *step, uint32_t added, uint32_t *prefixes)
{
    double bytes = LAYOUT_BYTE * added, best = INFINITY;
    bool site = step->site != LAYOUT_NO_ITEM;
    uint32_t nops_most = site ? plan->nops[added] : 0;

    *prefixes = 0;
    if (site && step->nop_price == 0)
        return bytes;
    for (uint32_t nops = 0; nops <= nops_most; nops++) {
        uint32_t padded = nops * plan->nop_max < added ? nops * plan->nop_max : added;
        double price = bytes + step->nop_price * nops + plan->prefix_price * (added - padded);

        if (added - padded > step->room || price > best)
            continue;
        best = price;
        *prefixes = added - padded;
    }
    return best;
}

// The costs at a unit's first byte: those at its end, and more where it is affected. Nothing helps a unit as long as the boundary.
static void stop_at_unit(const struct layout_plan *plan, const struct layout_step *step, const double *behind, double *at_stop)
{
    uint32_t modulus = plan->modulus, boundary = plan->boundary;

    memcpy(at_stop, behind + (step->length & (modulus - 1)), modulus * sizeof *at_stop);
    if (step->length >= boundary)
        return;
    for (uint32_t x = 0; x < modulus; x += boundary)
        for (uint32_t y = boundary - step->length; y < boundary; y++)
            at_stop[x + y] += LAYOUT_RESIDUAL;
}

// An alignment beyond the modulus: what is filled is known up to a multiple of the modulus, and that part is priced. Whether one
// that skips fills at all is not known: taken as not.
static void stop_at_far_align(const struct layout_plan *plan, const struct jcc_layout_item *align, double nop_price, const double *behind,
                              double *at_stop)
{
    bool skips = align->max_skip != 0 && align->max_skip < align->length - 1;

    for (uint32_t x = 0; x < plan->modulus; x++) {
        uint32_t fill = (plan->modulus - x) & (plan->modulus - 1);

        at_stop[x] = skips ? behind[x] : behind[0] + LAYOUT_BYTE * fill + nop_price * plan->nops[fill];
    }
}

static void stop_at_align(const struct layout_plan *plan, const struct layout_step *step, const double *behind, double *at_stop)
{
    const struct jcc_layout_item *align = &plan->items[step->stop];
    double nop_price = layout_nop_price(plan, step->stop);

    if (align->length > plan->modulus) {
        stop_at_far_align(plan, align, nop_price, behind, at_stop);
        return;
    }
    for (uint32_t x = 0; x < plan->modulus; x++) {
        uint32_t fill = (0u - x) & (align->length - 1);

        if (align->max_skip != 0 && fill > align->max_skip)
            fill = 0;
        at_stop[x] = behind[x + fill] + LAYOUT_BYTE * fill + nop_price * plan->nops[fill];
    }
}

void layout_row_back(const struct layout_plan *plan, const struct layout_step *step, const double *behind, double *at_stop,
                     double *at_first)
{
    uint32_t modulus = plan->modulus;
    double row[ROW_MAX];

    switch (step->kind) {
    case STOP_END: memcpy(at_stop, behind, modulus * sizeof *at_stop); break;
    case STOP_UNIT: stop_at_unit(plan, step, behind, at_stop); break;
    case STOP_ALIGN: stop_at_align(plan, step, behind, at_stop); break;
    }
    layout_row_mirror(at_stop, modulus);
    memcpy(row, at_stop, 2 * modulus * sizeof *row);
    allow_added(plan, step, row);
    memcpy(at_first, row + (step->bytes & (modulus - 1)), modulus * sizeof *at_first);
    layout_row_mirror(at_first, modulus);
}
