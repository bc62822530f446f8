// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <jccsafe/cpu.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MODELS    0x100
#define STEPPINGS 0x10
#define ALL_16    0xffff

// What is expected of GenuineIntel family 6, as a set of steppings (bit N: stepping N) for each model
// that has any; every pair of model and stepping that is not here, so each row's neighbours too, is unaffected.
static const struct {
    uint32_t model, documented, probable;
} expected[] = {
    {0x4e, 1u << 3, 0},
    {0x55, 1u << 4 | 1u << 7, 0},
    {0x5e, 1u << 3, 0},
    {0x8e, 1u << 9 | 1u << 0xa | 1u << 0xb | 1u << 0xc, 0},
    {0x9e, 1u << 9 | 1u << 0xa | 1u << 0xb | 1u << 0xd, 1u << 0xc},
    {0xa5, 0, ALL_16},
    {0xa6, 1u << 0, 0},
    {0xae, 1u << 0xa, 0},
};

static enum jcc_cpu_affected expected_of(uint32_t model, uint32_t stepping)
{
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        if (expected[i].model != model)
            continue;
        if (expected[i].documented >> stepping & 1)
            return JCC_CPU_DOCUMENTED;
        if (expected[i].probable >> stepping & 1)
            return JCC_CPU_PROBABLE;
    }
    return JCC_CPU_NO;
}

static void every_model_and_stepping_of_intel_family_6_is_classified(void **state)
{
    (void)state;
    unsigned documented = 0, probable = 0;
    for (uint32_t model = 0; model < MODELS; model++) {
        for (uint32_t stepping = 0; stepping < STEPPINGS; stepping++) {
            enum jcc_cpu_affected affected = jcc_cpu_classify("GenuineIntel", 6, model, stepping);
            assert_int_equal(affected, expected_of(model, stepping));
            documented += affected == JCC_CPU_DOCUMENTED;
            probable += affected == JCC_CPU_PROBABLE;
        }
    }
    assert_int_equal(documented, 14);
    assert_int_equal(probable, 17);
}

static void numbers_beyond_what_cpuid_can_say_are_unaffected(void **state)
{
    (void)state;
    assert_int_equal(jcc_cpu_classify("GenuineIntel", 6, 0x14e, 3), JCC_CPU_NO);
    assert_int_equal(jcc_cpu_classify("GenuineIntel", 6, 0x4e, 0x13), JCC_CPU_NO);
    assert_int_equal(jcc_cpu_classify("GenuineIntel", UINT32_MAX, 0x4e, 3), JCC_CPU_NO);
}

static void another_family_or_vendor_is_unaffected_whatever_its_model(void **state)
{
    (void)state;
    static const char *const vendors[] = {
        "AuthenticAMD", "HygonGenuine", "CentaurHauls", "  Shanghai  ", "GenuineIntel ", "genuineintel", "G"};
    for (uint32_t family = 0; family < 0x10f; family++) {
        if (family != 6)
            assert_int_equal(jcc_cpu_classify("GenuineIntel", family, 0x5e, 3), JCC_CPU_NO);
    }
    for (size_t i = 0; i < sizeof vendors / sizeof vendors[0]; i++)
        assert_int_equal(jcc_cpu_classify(vendors[i], 6, 0x5e, 3), JCC_CPU_NO);
}

static void without_a_vendor_the_answer_is_unknown(void **state)
{
    (void)state;
    assert_int_equal(jcc_cpu_classify(NULL, 6, 0x5e, 3), JCC_CPU_UNKNOWN);
    assert_int_equal(jcc_cpu_classify("", 6, 0x5e, 3), JCC_CPU_UNKNOWN);
}

// CPUID leaf 1 EAX as real CPUs return it.
static void signatures_give_full_family_model_and_stepping(void **state)
{
    (void)state;
    static const struct {
        uint32_t eax, family, model, stepping;
    } cases[] = {
        {0x000506e3, 6, 0x5e, 3},           // Skylake S
        {0x00050654, 6, 0x55, 4},           // Skylake SP
        {0x000806ec, 6, 0x8e, 0xc},         // Comet Lake U
        {0x000906ed, 6, 0x9e, 0xd},         // Coffee Lake Refresh
        {0x000a0660, 6, 0xa6, 0},           // Comet Lake U
        {0x00000f43, 0xf, 4, 3},            // Pentium 4: family f, extended family 0
        {0x00a20f10, 0x19, 0x21, 0},        // Zen 3: both extended fields are added
        {0x00000543, 5, 4, 3},              // Pentium MMX
        {0x0ff00543, 5, 4, 3},              // extended fields mean nothing in family 5
        {0xf0000000, 0, 0, 0},              // reserved bits
        {0x0ff00fff & ~0xffu, 0x10e, 0, 0}, // the largest family
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t family = 0, model = 0, stepping = 0;
        jcc_cpu_signature(cases[i].eax, &family, &model, &stepping);
        assert_int_equal(family, cases[i].family);
        assert_int_equal(model, cases[i].model);
        assert_int_equal(stepping, cases[i].stepping);
    }
}

static void verdicts_have_names(void **state)
{
    (void)state;
    assert_string_equal(jcc_cpu_affected_name(JCC_CPU_NO), "no");
    assert_string_equal(jcc_cpu_affected_name(JCC_CPU_DOCUMENTED), "documented");
    assert_string_equal(jcc_cpu_affected_name(JCC_CPU_PROBABLE), "probable");
    assert_string_equal(jcc_cpu_affected_name(JCC_CPU_UNKNOWN), "unknown");
    assert_string_equal(jcc_cpu_affected_name((enum jcc_cpu_affected)4), "unknown");
    assert_string_equal(jcc_cpu_affected_name((enum jcc_cpu_affected) - 1), "unknown");
}

static void reading_wants_a_struct_of_this_version_or_a_later_one(void **state)
{
    (void)state;
    struct jcc_cpu cpu = {.size = sizeof cpu - 1};
    assert_int_equal(jcc_cpu_read(NULL), JCC_ERROR_ARGUMENT);
    assert_int_equal(jcc_cpu_read(&cpu), JCC_ERROR_ARGUMENT);
    cpu.size = 0;
    assert_int_equal(jcc_cpu_read(&cpu), JCC_ERROR_ARGUMENT);
    struct {
        struct jcc_cpu known;
        uint64_t later;
    } longer = {.known.size = sizeof longer, .later = 77};
    cpu.size = sizeof cpu;
    assert_int_equal(jcc_cpu_read(&longer.known), jcc_cpu_read(&cpu));
    assert_int_equal(longer.known.size, sizeof longer.known);
    assert_string_equal(longer.known.vendor, cpu.vendor);
    assert_int_equal(longer.later, 77);
}

// The value of /proc/cpuinfo's first line whose key is KEY, its newline cut off.
static bool cpuinfo(const char *key, char *value, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (file == NULL)
        return false;
    char line[4096];
    bool found = false;
    while (!found && fgets(line, sizeof line, file) != NULL) {
        size_t length = strlen(key);
        if (strncmp(line, key, length) != 0 || strchr("\t ", line[length]) == NULL)
            continue;
        const char *colon = strchr(line, ':');
        // "model" is the start of "model name" as well.
        if (colon == NULL || strspn(line + length, "\t ") != (size_t)(colon - line) - length)
            continue;
        snprintf(value, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        found = true;
    }
    fclose(file);
    return found;
}

static void assert_cpuinfo_says(const char *key, int base, uint32_t value)
{
    char text[64];
    if (cpuinfo(key, text, sizeof text))
        assert_int_equal(strtoul(text, NULL, base), value);
}

static void what_is_read_agrees_with_proc_cpuinfo(void **state)
{
    (void)state;
    struct jcc_cpu cpu = {.size = sizeof cpu};
    enum jcc_status status = jcc_cpu_read(&cpu);
    assert_int_equal(cpu.size, sizeof cpu);
#if defined(__x86_64__) || defined(__i386__)
    assert_int_equal(status, JCC_OK);
    assert_int_equal(strlen(cpu.vendor), 12);
    char text[64];
    if (cpuinfo("vendor_id", text, sizeof text))
        assert_string_equal(cpu.vendor, text);
    assert_cpuinfo_says("cpu family", 10, cpu.family);
    assert_cpuinfo_says("model", 10, cpu.model);
    assert_cpuinfo_says("stepping", 10, cpu.stepping);
    if (cpuinfo("microcode", text, sizeof text))
        assert_true(cpu.has_microcode);
    assert_cpuinfo_says("microcode", 16, cpu.microcode);
    char flags[4096];
    if (cpuinfo("flags", flags, sizeof flags))
        assert_int_equal(cpu.hypervisor, strstr(flags, " hypervisor") != NULL);
#else
    assert_int_equal(status, JCC_ERROR_UNSUPPORTED);
    assert_string_equal(cpu.vendor, "");
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_and_stepping_of_intel_family_6_is_classified),
        cmocka_unit_test(numbers_beyond_what_cpuid_can_say_are_unaffected),
        cmocka_unit_test(another_family_or_vendor_is_unaffected_whatever_its_model),
        cmocka_unit_test(without_a_vendor_the_answer_is_unknown),
        cmocka_unit_test(signatures_give_full_family_model_and_stepping),
        cmocka_unit_test(verdicts_have_names),
        cmocka_unit_test(reading_wants_a_struct_of_this_version_or_a_later_one),
        cmocka_unit_test(what_is_read_agrees_with_proc_cpuinfo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
