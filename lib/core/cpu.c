// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <jccsafe/cpu.h>
#include <string.h>

#define ANY_STEPPING UINT32_MAX
#define INTEL_FAMILY 6u

struct row {
    uint32_t model;
    uint32_t stepping;
    enum jcc_cpu_affected affected;
};

// GenuineIntel, family 6. Documented: "Mitigations for Jump Conditional Code Erratum", revision 1.0, November 2019, section
// 4. Probable: not there, but other projects that carry the list treat them as affected.
static const struct row rows[] = {
    {0x4e, 0x3, JCC_CPU_DOCUMENTED},        // Skylake U, Y
    {0x55, 0x4, JCC_CPU_DOCUMENTED},        // Skylake SP, X, W
    {0x55, 0x7, JCC_CPU_DOCUMENTED},        // Cascade Lake
    {0x5e, 0x3, JCC_CPU_DOCUMENTED},        // Skylake S, H, Xeon E3 v5
    {0x8e, 0x9, JCC_CPU_DOCUMENTED},        // Kaby Lake U, Y; Amber Lake Y
    {0x8e, 0xa, JCC_CPU_DOCUMENTED},        // Coffee Lake U
    {0x8e, 0xb, JCC_CPU_DOCUMENTED},        // Whiskey Lake U
    {0x8e, 0xc, JCC_CPU_DOCUMENTED},        // Comet, Whiskey and Amber Lake
    {0x9e, 0x9, JCC_CPU_DOCUMENTED},        // Kaby Lake S, H, X, Xeon E3 v6
    {0x9e, 0xa, JCC_CPU_DOCUMENTED},        // Coffee Lake S, H, Xeon E
    {0x9e, 0xb, JCC_CPU_DOCUMENTED},        // Coffee Lake S
    {0x9e, 0xc, JCC_CPU_PROBABLE},          // Coffee Lake S: XMRig's list
    {0x9e, 0xd, JCC_CPU_DOCUMENTED},        // Coffee Lake Refresh
    {0xa5, ANY_STEPPING, JCC_CPU_PROBABLE}, // Comet Lake S, H: HotSpot's list
    {0xa6, 0x0, JCC_CPU_DOCUMENTED},        // Comet Lake U
    {0xae, 0xa, JCC_CPU_DOCUMENTED},        // Kaby Lake Refresh U
};

static const char *const affected_names[] = {
    [JCC_CPU_NO] = "no",
    [JCC_CPU_DOCUMENTED] = "documented",
    [JCC_CPU_PROBABLE] = "probable",
    [JCC_CPU_UNKNOWN] = "unknown",
};

enum jcc_cpu_affected jcc_cpu_classify(const char *vendor, uint32_t family, uint32_t model, uint32_t stepping)
{
    if (vendor == NULL || vendor[0] == '\0')
        return JCC_CPU_UNKNOWN;
    if (strcmp(vendor, "GenuineIntel") != 0 || family != INTEL_FAMILY)
        return JCC_CPU_NO;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].model == model && (rows[i].stepping == stepping || rows[i].stepping == ANY_STEPPING))
            return rows[i].affected;
    }
    return JCC_CPU_NO;
}

void jcc_cpu_signature(uint32_t eax, uint32_t *family, uint32_t *model, uint32_t *stepping)
{
    uint32_t base = eax >> 8 & 0xf;
    uint32_t extended_family = eax >> 20 & 0xff;
    uint32_t extended_model = eax >> 16 & 0xf;
    // The SDM adds the extended family in family f alone, and the extended model in families 6 and f.
    *family = base == 0xf ? base + extended_family : base;
    *model = (eax >> 4 & 0xf) | (base == 0x6 || base == 0xf ? extended_model << 4 : 0);
    *stepping = eax & 0xf;
}

const char *jcc_cpu_affected_name(enum jcc_cpu_affected affected)
{
    size_t index = (size_t)affected;
    return affected_names[index < sizeof affected_names / sizeof affected_names[0] ? index : JCC_CPU_UNKNOWN];
}
