// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Byte strings that look like x86 code often enough to reach every opcode map: the same for every run.
#ifndef JCCSAFE_TESTS_DECODER_RANDOM_CODE_H
#define JCCSAFE_TESTS_DECODER_RANDOM_CODE_H

#include <stddef.h>
#include <stdint.h>

// SplitMix64 (Vigna): a state of one word, no bad seeds.
static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

// What comes after the prefixes: these bytes, each with the bits of FREE drawn at random.
static const struct lead {
    uint8_t length;
    uint8_t bytes[4], free[4];
} leads[] = {
    {0, {0}, {0}},                                        // the primary map
    {1, {0x0f}, {0}},                                     // 0F
    {2, {0x0f, 0x38}, {0, 0}},                            // 0F 38
    {2, {0x0f, 0x3a}, {0, 0}},                            // 0F 3A
    {2, {0x0f, 0x0f}, {0, 0}},                            // 3DNow!
    {2, {0xc5, 0xc0}, {0, 0x3f}},                         // VEX, two bytes
    {3, {0xc4, 0xc0, 0x00}, {0, 0x23, 0xff}},             // VEX, maps 0 to 3
    {3, {0xc4, 0xe0, 0x00}, {0, 0x1f, 0xff}},             // VEX, any map
    {3, {0x8f, 0xe8, 0x00}, {0, 0x13, 0x87}},             // XOP
    {4, {0x62, 0xf0, 0x04, 0x00}, {0, 0xf7, 0xfb, 0xff}}, // EVEX
    {4, {0x62, 0xf0, 0x7c, 0x08}, {0, 0x07, 0x83, 0xe7}}, // EVEX, the fields that are often unused at rest
    {4, {0x62, 0xf0, 0x00, 0x00}, {0, 0xff, 0xff, 0xff}}, // EVEX, reserved bits too
    {2, {0xd5, 0x00}, {0, 0xff}},                         // REX2
};

static inline void random_code(uint64_t *state, uint8_t *bytes, size_t length)
{
    static const uint8_t prefixes[] = {0x66, 0x66, 0x67, 0xf2, 0xf3, 0xf0, 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65, 0x48, 0x41, 0x4f, 0x66};
    for (size_t k = 0; k < length; k++)
        bytes[k] = (uint8_t)random_next(state);
    uint64_t draw = random_next(state);
    size_t at = 0;
    for (unsigned n = (draw & 7) < 4 ? 0 : (unsigned)(draw & 3); n > 0 && at < length; n--)
        bytes[at++] = prefixes[random_next(state) % sizeof prefixes];
    if ((draw >> 3 & 15) == 0) // many prefixes: the limit of 15 bytes
        while (at < length && at < (draw >> 8 & 15))
            bytes[at++] = prefixes[random_next(state) % sizeof prefixes];
    const struct lead *lead = &leads[(draw >> 16) % (sizeof leads / sizeof *leads)];
    for (unsigned k = 0; k < lead->length && at < length; k++, at++)
        bytes[at] = (uint8_t)(lead->bytes[k] | (bytes[at] & lead->free[k]));
}

#endif
