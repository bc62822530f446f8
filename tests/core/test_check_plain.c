// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// jcc_check is written for speed. Here it is written again for simplicity, over jcc_insn_decode, and the two must say the
// same of real libraries and of random bytes, under every kind of policy.
#define _GNU_SOURCE
#include "code.h"
#include "decoder/libraries.h"
#include "decoder/random_code.h"
#include <jccsafe/check.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// Findings as one number, and their count: there are too many to keep.
struct digest {
    uint64_t hash, count, last;
};

static bool take(void *context, const struct jcc_finding *finding)
{
    struct digest *digest = context;
    assert_true(digest->count == 0 || finding->address > digest->last);
    const uint64_t parts[] = {finding->address, finding->length, finding->kind, finding->ends, finding->doubtful};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        digest->hash = (digest->hash ^ parts[k]) * UINT64_C(0x100000001b3); // FNV-1a, a word at a time
    digest->last = finding->address;
    digest->count++;
    return true;
}

#define STARTS_MAX 16u

// Where instructions are known to begin.
struct starts {
    size_t list[STARTS_MAX];
    size_t count;
};

static bool straddles(const struct jcc_policy *policy, enum jcc_kind kind, uint64_t begin, uint64_t end)
{
    return policy->boundary != 0 && policy->kinds >> kind & 1 && begin / policy->boundary != end / policy->boundary;
}

static void unit(const struct jcc_policy *policy, enum jcc_kind kind, uint64_t begin, uint64_t end, struct jcc_check_totals *totals,
                 struct digest *digest)
{
    totals->units[kind]++;
    if (!straddles(policy, kind, begin, end))
        return;
    totals->affected[kind]++;
    struct jcc_finding finding = {begin, (uint8_t)(end - begin), (uint8_t)kind, end % policy->boundary == 0, false};
    take(digest, &finding);
}

// The header's words, one after another.
static void pair(const struct jcc_policy *policy, bool doubtful, uint64_t begin, uint64_t jump, uint64_t end,
                 struct jcc_check_totals *totals, struct digest *digest)
{
    bool names_jcc = policy->boundary != 0 && policy->kinds & JCC_KIND_BIT(JCC_KIND_JCC);
    bool names_fused = policy->boundary != 0 && policy->kinds & JCC_KIND_BIT(JCC_KIND_FUSED);
    if (!doubtful && (names_fused || !names_jcc)) {
        unit(policy, JCC_KIND_FUSED, begin, end, totals, digest);
        return;
    }
    unit(policy, JCC_KIND_JCC, jump, end, totals, digest);
    if (doubtful && straddles(policy, JCC_KIND_FUSED, begin, end) && !straddles(policy, JCC_KIND_JCC, jump, end)) {
        totals->doubtful++;
        struct jcc_finding finding = {begin, (uint8_t)(end - begin), JCC_KIND_FUSED, end % policy->boundary == 0, true};
        take(digest, &finding);
    }
}

// Whether one of the starts lies inside an instruction of SIZE bytes at AT.
static bool holds_start(const struct starts *starts, size_t at, size_t size)
{
    for (size_t k = 0; k < starts->count; k++)
        if (starts->list[k] > at && starts->list[k] < at + size)
            return true;
    return false;
}

static void plain_check(const struct jcc_policy *policy, enum jcc_mode mode, uint64_t address, const uint8_t *code, size_t length,
                        const struct starts *starts, struct jcc_check_totals *totals, struct digest *digest)
{
    struct jcc_insn before = {0}, insn;
    bool lost = false; // up to the next start
    for (size_t at = 0; at < length;) {
        lost &= !holds_start(starts, at - 1, 2);
        lost |= jcc_insn_decode(mode, code + at, length - at, &insn) == JCC_OK && holds_start(starts, at, insn.length);
        if (lost || jcc_insn_decode(mode, code + at, length - at, &insn) != JCC_OK) {
            totals->undecoded++;
            before = (struct jcc_insn){0};
            at++;
            continue;
        }
        totals->instructions++;
        uint64_t begin = address + at, end = begin + insn.length;
        if (insn.kind == JCC_KIND_JCC && jcc_pair_fuses((enum jcc_pair)before.pair, insn.condition))
            pair(policy, before.flags & JCC_INSN_DOUBTFUL_PAIR, begin - before.length, begin, end, totals, digest);
        else if (insn.kind != JCC_KIND_NONE)
            unit(policy, (enum jcc_kind)insn.kind, begin, end, totals, digest);
        before = insn;
        at += insn.length;
    }
}

static void agree_from(const struct jcc_policy *policy, enum jcc_mode mode, uint64_t address, const uint8_t *code, size_t length,
                       const struct starts *starts)
{
    struct jcc_check_totals fast = {0}, plain = {0}, silent = {0};
    struct digest fast_digest = {0}, plain_digest = {0};
    plain_check(policy, mode, address, code, length, starts, &plain, &plain_digest);
    assert_int_equal(jcc_check_from(policy, mode, address, code, length, starts->list, starts->count, take, &fast_digest, &fast), JCC_OK);
    assert_int_equal(jcc_check_from(policy, mode, address, code, length, starts->list, starts->count, NULL, NULL, &silent), JCC_OK);
    assert_memory_equal(&fast, &plain, sizeof fast);
    assert_memory_equal(&silent, &plain, sizeof silent);
    assert_int_equal(fast_digest.count, plain_digest.count);
    assert_true(fast_digest.hash == plain_digest.hash);
}

static void agree(const struct jcc_policy *policy, enum jcc_mode mode, uint64_t address, const uint8_t *code, size_t length)
{
    struct starts none = {.count = 0};
    agree_from(policy, mode, address, code, length, &none);
}

// Rising, some equal, some at the ends and beyond.
static struct starts random_starts(uint64_t *random, size_t length)
{
    struct starts starts = {.count = random_next(random) % STARTS_MAX};
    for (size_t k = 0, at = 0; k < starts.count; k++)
        starts.list[k] = at += random_next(random) % (1 + 2 * length / starts.count);
    return starts;
}

#define LONGEST 6000u // more than two batches of lib/core/check_scan.h

static void on_random_bytes_under_random_policies(void **state)
{
    (void)state;
    uint64_t random = 1;
    uint8_t code[LONGEST];
    for (unsigned k = 0; k < 6000; k++) {
        size_t length = random_next(&random) % (k % 8 ? 80 : LONGEST), at = 0;
        while (at < length) {
            size_t part = 1 + random_next(&random) % 24;
            part = part < length - at ? part : length - at;
            random_code(&random, code + at, part);
            at += part;
        }
        struct jcc_policy policy = jcc_policy_full();
        uint64_t draw = random_next(&random);
        policy.boundary = k % 5 == 0 ? 0 : JCC_BOUNDARY_MIN << (draw & 3);
        policy.kinds = k % 2 ? JCC_KINDS_ALL : (uint32_t)(draw >> 2) & JCC_KINDS_ALL;
        agree(&policy, (enum jcc_mode)(k % 3), draw >> 20, code, length);
        struct starts starts = random_starts(&random, length);
        agree_from(&policy, (enum jcc_mode)(k % 3), draw >> 20, code, length, &starts);
    }
}

// Pairs and jumps close together, which random bytes seldom are.
static void on_code_that_is_nearly_all_pairs(void **state)
{
    (void)state;
    static const char *const parts[] = {"39 c8", "85 c0",    "01 00",    "48 29 44 24 08", "ff c0",    "74 00",         "0f 8f 0 0 0 0",
                                        "78 00", "72 00",    "90",       "83 f8 01",       "66 39 c8", "3b 05 0 0 0 0", "06",
                                        "eb 00", "f0 01 00", "67 39 00", "4c 3b 7c 24 08"};
    uint64_t random = 2;
    for (unsigned k = 0; k < 4000; k++) {
        uint8_t code[LONGEST];
        size_t length = 0, want = 40 + random_next(&random) % (k % 16 ? 100 : LONGEST - 60);
        while (length < want)
            length += code_from_hex(parts[random_next(&random) % (sizeof parts / sizeof parts[0])], code + length, sizeof code - length);
        struct jcc_policy policy = jcc_policy_full();
        policy.kinds = (uint32_t)random_next(&random) & JCC_KINDS_ALL;
        struct starts starts = random_starts(&random, length);
        agree(&policy, (enum jcc_mode)(k % 2), random_next(&random) & 0xfff, code, length);
        agree_from(&policy, (enum jcc_mode)(k % 2), random_next(&random) & 0xfff, code, length, &starts);
    }
}

static void check_section(void *context, const struct section *section)
{
    uint64_t *bytes = context;
    struct jcc_policy full = jcc_policy_full(), jcc_alone = jcc_policy_full();
    jcc_alone.kinds = JCC_KIND_BIT(JCC_KIND_JCC);
    agree(&full, section->mode, section->address, section->bytes, section->size);
    agree(&jcc_alone, section->mode, section->address, section->bytes, section->size);
    *bytes += section->size;
}

static void on_the_libraries_here(void **state)
{
    (void)state;
    each_library(check_section);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_random_bytes_under_random_policies),
        cmocka_unit_test(on_code_that_is_nearly_all_pairs),
        cmocka_unit_test(on_the_libraries_here),
    };
    return cmocka_run_group_tests_name("jcc_check agrees with a plain loop", tests, NULL, NULL);
}
