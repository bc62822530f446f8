// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout_plan.h"
#include <jccsafe/padding.h>
#include <math.h>
#include <string.h>

#define LANES LAYOUT_LANES

struct spread {
    double least;
    double most;
};

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

// In two strands, so that a processor need not wait for each comparison.
static struct spread row_spread(const double *row, uint32_t modulus)
{
    double least_even = row[0], least_odd = row[1], most_even = row[0], most_odd = row[1];

    for (uint32_t x = 2; x < modulus; x += 2) {
        least_even = lesser(row[x], least_even);
        least_odd = lesser(row[x + 1], least_odd);
        most_even = greater(row[x], most_even);
        most_odd = greater(row[x + 1], most_odd);
    }
    return (struct spread){lesser(least_even, least_odd), greater(most_even, most_odd)};
}

double layout_row_least(const double *row, uint32_t modulus)
{
    return row_spread(row, modulus).least;
}

void layout_row_double(double *restrict out, const double *restrict in, uint32_t modulus)
{
    double *restrict again = out + modulus;

    for (const double *end = in + modulus; in != end; in += LANES, out += LANES, again += LANES)
        for (unsigned lane = 0; lane < LANES; lane++)
            out[lane] = again[lane] = in[lane];
}

// OUT[x] = the lesser of IN[x] and FAR[x] + PRICE, for at least ENTRIES entries. FAR is IN shifted, or another row.
static void fold(double *restrict out, const double *restrict in, const double *restrict far, double price, uint32_t entries)
{
    for (uint32_t x = 0; x < entries; x += LANES, in += LANES, far += LANES, out += LANES)
        for (unsigned lane = 0; lane < LANES; lane++) {
            double moved = far[lane] + price;

            out[lane] = moved < in[lane] ? moved : in[lane];
        }
}

// A spare row that is neither A nor B nor C.
static double *unused(const struct layout_plan *plan, const double *a, const double *b, const double *c)
{
    double *row = plan->spare;

    while (row == a || row == b || row == c)
        row += layout_spare_stride(plan->modulus);
    return row;
}

// The least over 0 <= e < WIDTH of IN[x + e] + e * PRICE, for ENTRIES entries from x = 0 on, by doubling the width; IN has
// ENTRIES + WIDTH - 1 of them, and stays. WIDTH is at least 1.
static const double *window(const struct layout_plan *plan, const double *in, uint32_t width, double price, uint32_t entries)
{
    const double *row = in;

    for (uint32_t done = 1; done < width;) {
        uint32_t shift = width - done < done ? width - done : done;
        double *out = unused(plan, in, row, NULL);

        done += shift;
        fold(out, row, row + shift, price * shift, entries + width - done);
        row = out;
    }
    return row;
}

// What a pad of NOPS no-operations costs at least, beyond which it is of no use: a shorter one, or more prefixes where those are
// cheaper than a no-operation, would do as well.
static double cheapest_pad(const struct layout_plan *plan, const struct layout_step *step, uint32_t nops, uint32_t longest)
{
    bool prefixes_cheaper = plan->prefix_price * longest <= step->nop_price;
    uint32_t bytes = (nops - 1) * longest + 1 + (prefixes_cheaper ? step->room : 0);

    return step->nop_price * nops + LAYOUT_BYTE * bytes;
}

// Let a pad be added where it is executed, of one no-operation, two, and so on. ROW has MODULUS entries, prefixes being allowed already.
static const double *allow_live_pad(const struct layout_plan *plan, const struct layout_step *step, const double *row)
{
    uint32_t modulus = plan->modulus;
    uint32_t longest = plan->nop_max < modulus - 1 ? plan->nop_max : modulus - 1;
    struct spread spread = row_spread(row, modulus);
    const double *last;
    double *twice, *last_twice;

    if (spread.most - spread.least <= cheapest_pad(plan, step, 1, longest))
        return row;
    twice = unused(plan, row, NULL, NULL);
    layout_row_double(twice, row, modulus);
    // Whatever their number, only the last no-operation is of any length.
    last = window(plan, twice, longest, LAYOUT_BYTE, modulus);
    last_twice = unused(plan, twice, last, NULL);
    layout_row_double(last_twice, last, modulus);
    row = twice;
    for (uint32_t nops = 1; nops <= plan->nops[modulus - 1]; nops++) {
        uint32_t shift = (nops - 1) * longest + 1;
        double *out = unused(plan, row, last_twice, NULL);

        if (spread.most - spread.least <= cheapest_pad(plan, step, nops, longest))
            break;
        fold(out, row, last_twice + shift, step->nop_price * nops + LAYOUT_BYTE * shift, modulus);
        row = out;
    }
    return row;
}

// Let what may be added in STEP's gap be added: from the costs by the stop's offset, ROW of twice the modulus, to those by where
// the stop would be unpadded, of once.
static const double *allow_added(const struct layout_plan *plan, const struct layout_step *step, const double *row)
{
    bool site = step->site != LAYOUT_NO_ITEM;

    if (site && step->nop_price == 0)
        return window(plan, row, plan->modulus, LAYOUT_BYTE, plan->modulus);
    row = window(plan, row, step->room + 1u, LAYOUT_BYTE + plan->prefix_price, plan->modulus);
    return site ? allow_live_pad(plan, step, row) : row;
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

// Whether the alignment at item INDEX may come to nothing at an offset of X modulo the modulus: beyond that one that skips may at each.
static bool may_close(const struct layout_plan *plan, uint32_t index, uint32_t x)
{
    const struct jcc_layout_item *align = &plan->items[index];
    uint32_t fill = (0u - x) & (align->length - 1) & (plan->modulus - 1);

    return fill == 0 || (align->max_skip != 0 && (fill > align->max_skip || align->length > plan->modulus));
}

// STEP stops at the first of some alignments that FUSE: where all come to nothing, and the two around them meet, more where they are affected as one,
// unless the jump is alone too.
static void add_fused(const struct layout_plan *plan, const struct layout_step *step, double *at_stop)
{
    uint32_t jump = step->stop, first, before, length;

    while (plan->items[jump].flags & JCC_ITEM_FUSES)
        jump++;
    if (jump == step->stop || (plan->items[step->stop - 1].flags & JCC_ITEM_FUSES))
        return;
    first = layout_fuses_from(plan, jump);
    if (first == LAYOUT_NO_ITEM)
        return;
    before = layout_item_bytes(plan, first);
    length = layout_item_bytes(plan, jump);
    for (uint32_t x = 0; x < plan->modulus && before + length < plan->boundary; x++) {
        bool alone = (plan->kinds & JCC_KIND_BIT(JCC_KIND_JCC)) && jcc_affected(plan->boundary, x, length);
        bool meet = !alone && jcc_affected(plan->boundary, plan->modulus + x - before, before + length);

        for (uint32_t align = step->stop; meet && align < jump; align++)
            meet = may_close(plan, align, x);
        if (meet)
            at_stop[x] += LAYOUT_RESIDUAL;
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

const double *layout_row_back(const struct layout_plan *plan, const struct layout_step *step, const double *behind, double *at_stop)
{
    uint32_t modulus = plan->modulus;
    double *stop = unused(plan, behind, NULL, NULL), *first;
    const double *added;

    switch (step->kind) {
    case STOP_UNIT: stop_at_unit(plan, step, behind, at_stop); break;
    case STOP_ALIGN:
        stop_at_align(plan, step, behind, at_stop);
        add_fused(plan, step, at_stop);
        break;
    default: memcpy(at_stop, behind, modulus * sizeof *at_stop); break;
    }
    layout_row_double(stop, at_stop, modulus);
    added = allow_added(plan, step, stop);
    // Turned by the gap's bytes.
    first = unused(plan, added, NULL, NULL);
    memcpy(first, added + step->bytes, (modulus - step->bytes) * sizeof *first);
    memcpy(first + (modulus - step->bytes), added, step->bytes * sizeof *first);
    memcpy(first + modulus, first, modulus * sizeof *first);
    return first;
}
