// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions with jumps of every distance, among them many at the edge of what a short one reaches.
#include <stdint.h>
#include <stdio.h>

static uint32_t state = 12345;

static uint32_t next(void)
{
    return state = state * 1664525u + 1013904223u;
}

// A block whose length grows by a few bytes with N, and which leaves by a jump over the rest.
#define STEP(n)                                                                                                                            \
    if ((x >> (n) % 29 & 7) == (n) % 8) {                                                                                                  \
        sum = sum * 3 + (n);                                                                                                               \
        if (sum & 1u << (n) % 31)                                                                                                          \
            goto out_##n;                                                                                                                  \
        sum ^= x + 0x1234567u * (n);                                                                                                       \
    }
#define FOUR(n) STEP(n##0) STEP(n##1) STEP(n##2) STEP(n##3)
#define OUT(n)                                                                                                                             \
    out_##n : sum += 1u + (n);                                                                                                             \
    if (sum % ((n) + 3) == 0)                                                                                                              \
        goto middle;
#define FOUR_OUT(n) OUT(n##0) OUT(n##1) OUT(n##2) OUT(n##3)

__attribute__((noinline)) static uint32_t tangle(uint32_t x, uint32_t sum)
{
    unsigned turns = 0;
    FOUR(1);
    FOUR(2);
    FOUR(3);
    FOUR(4);
    FOUR(5);
    FOUR(6);
    FOUR(7);
    FOUR(8);
middle:
    if (++turns > 3)
        return sum;
    FOUR(9);
    FOUR(10);
    FOUR(11);
    FOUR(12);
    FOUR(13);
    FOUR(14);
    FOUR_OUT(1);
    FOUR_OUT(2);
    FOUR_OUT(3);
    FOUR_OUT(4);
    FOUR_OUT(5);
    FOUR_OUT(6);
    FOUR_OUT(7);
    FOUR_OUT(8);
    FOUR_OUT(9);
    FOUR_OUT(10);
    FOUR_OUT(11);
    FOUR_OUT(12);
    FOUR_OUT(13);
    FOUR_OUT(14);
    return sum ^ turns;
}

// Short loops and short jumps, so near their limit of 127 bytes that a pad can push them out of it.
__attribute__((noinline)) static uint32_t loops(uint32_t n)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += i;
        if (sum & 1)
            sum = sum * 0x01000193u ^ 0x811c9dc5u;
        if (sum & 2)
            sum = sum * 0x01000193u ^ 0x811c9dc5u;
        if (sum & 4)
            sum = sum * 0x01000193u ^ 0x811c9dc5u;
        if (sum & 8)
            sum = sum * 0x01000193u ^ 0x811c9dc5u;
        if (sum & 16)
            sum = sum * 0x01000193u ^ 0x811c9dc5u;
        if (sum & 32)
            sum = sum * 0x01000193u ^ 0x811c9dc5u;
    }
    return sum;
}

int main(void)
{
    uint32_t sum = 0;
    for (int i = 0; i < 20000; i++)
        sum = tangle(next(), sum);
    printf("%08x %08x\n", sum, loops(100000));
    return 0;
}
