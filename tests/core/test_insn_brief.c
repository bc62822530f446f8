// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fast decoder of jcc_check says what jcc_insn_decode says, wherever it is set down.
#define _GNU_SOURCE
#include "code.h"
#include "decoder/libraries.h"
#include "decoder/random_code.h"
#include "insn_brief.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void agree(enum jcc_mode mode, const uint8_t *bytes, size_t length)
{
    struct jcc_insn insn = {0};
    bool decoded = jcc_insn_decode(mode, bytes, length, &insn) == JCC_OK;
    struct jcc_brief brief;
    switch (mode) { // constants, as in jcc_check
    case JCC_MODE_64: brief = jcc_brief_decode(JCC_MODE_64, bytes, length); break;
    case JCC_MODE_32: brief = jcc_brief_decode(JCC_MODE_32, bytes, length); break;
    default: brief = jcc_brief_decode(JCC_MODE_16, bytes, length); break;
    }
    bool same = brief.length == (decoded ? insn.length : 0);
    if (same && decoded)
        same = brief.kind == insn.kind && brief.pair == insn.pair && brief.doubtful == ((insn.flags & JCC_INSN_DOUBTFUL_PAIR) != 0) &&
               (brief.kind != JCC_KIND_JCC || brief.condition == insn.condition);
    if (same)
        return;
    char hex[3 * JCC_INSN_MAX + 1] = "";
    for (size_t k = 0; k < length && k < JCC_INSN_MAX; k++)
        snprintf(hex + 3 * k, 4, "%02x ", bytes[k]);
    fail_msg("mode %d, %s: length %u, kind %u, pair %u; the full decoder: %u, %u, %u", mode, hex, brief.length, brief.kind, brief.pair,
             insn.length, insn.kind, insn.pair);
}

#define STRING 24u

static void on_every_first_three_bytes_behind_each_common_prefix(void **state)
{
    (void)state;
    static const uint8_t prefixes[][3] = {{0}, {0x48}, {0x66}, {0x0f}, {0xf3, 0x0f}, {0x66, 0x0f}, {0xf2, 0x41, 0x0f}, {0x66, 0x48}};
    for (size_t p = 0; p < sizeof prefixes / sizeof prefixes[0]; p++) {
        unsigned at = 0;
        uint8_t bytes[STRING] = {0};
        while (at < 3 && prefixes[p][at]) {
            bytes[at] = prefixes[p][at];
            at++;
        }
        // Behind a prefix, the third byte matters only as a SIB byte: its base.
        unsigned step = at ? 5 : 1;
        for (unsigned value = 0; value < 1u << 24; value += step) {
            bytes[at] = (uint8_t)(value >> 16);
            bytes[at + 1] = (uint8_t)(value >> 8);
            bytes[at + 2] = (uint8_t)value;
            agree(value & 1 ? JCC_MODE_32 : JCC_MODE_64, bytes, sizeof bytes);
        }
    }
}

static void on_random_bytes_of_any_length(void **state)
{
    (void)state;
    uint64_t random = 20191112; // any number will do
    for (unsigned k = 0; k < 3000000; k++) {
        uint8_t bytes[STRING];
        random_code(&random, bytes, sizeof bytes);
        agree((enum jcc_mode)(k % 3), bytes, k % 7 ? sizeof bytes : random_next(&random) % sizeof bytes);
    }
}

static void at_every_byte(void *context, const struct section *section)
{
    uint64_t *bytes = context;
    for (size_t at = 0; at < section->size; at++)
        agree(section->mode, section->bytes + at, section->size - at);
    *bytes += section->size;
}

static void at_every_byte_of_the_libraries_here(void **state)
{
    (void)state;
    each_library(at_every_byte);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_every_first_three_bytes_behind_each_common_prefix),
        cmocka_unit_test(on_random_bytes_of_any_length),
        cmocka_unit_test(at_every_byte_of_the_libraries_here),
    };
    return cmocka_run_group_tests_name("the fast decoder agrees", tests, NULL, NULL);
}
