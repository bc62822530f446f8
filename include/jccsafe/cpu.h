// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is this CPU affected? The pure classification, and apart from it the reading of the machine.
#ifndef JCCSAFE_CPU_H
#define JCCSAFE_CPU_H

#include <jccsafe/export.h>
#include <jccsafe/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum jcc_cpu_affected {
    JCC_CPU_NO = 0,         // another vendor, or a model that Intel's list does not hold
    JCC_CPU_DOCUMENTED = 1, // family, model and stepping stand in Intel's list of November 2019
    JCC_CPU_PROBABLE = 2,   // not in the list, but other projects treat it as affected
    JCC_CPU_UNKNOWN = 3,    // the machine could not be read, or is not x86
};

struct jcc_cpu {
    size_t size;        // sizeof, set by the caller; a larger one is lowered to this version's (status.h)
    char vendor[13];    // CPUID leaf 0: "GenuineIntel"; "" when it could not be read
    bool hypervisor;    // CPUID leaf 1, ECX bit 31: model and microcode may be another machine's
    bool has_microcode; // microcode below holds a value
    uint32_t family;    // extended family added, as the SDM says
    uint32_t model;     // extended model included
    uint32_t stepping;
    uint32_t microcode; // revision, from /sys or /proc/cpuinfo
};

// The classification alone: pure. VENDOR is CPUID's twelve characters; NULL or "" gives UNKNOWN.
JCC_API enum jcc_cpu_affected jcc_cpu_classify(const char *vendor, uint32_t family, uint32_t model, uint32_t stepping);

// Read the CPU this thread runs on into *CPU. JCC_ERROR_ARGUMENT for NULL or a size that is too small,
// JCC_ERROR_UNSUPPORTED where there is no CPUID. A microcode revision that the system does not tell
// is no error.
JCC_API enum jcc_status jcc_cpu_read(struct jcc_cpu *cpu);

// Full family and model from CPUID leaf 1's EAX (SDM volume 2, CPUID, "Version Information"). Pure.
JCC_API void jcc_cpu_signature(uint32_t eax, uint32_t *family, uint32_t *model, uint32_t *stepping);

// "no", "documented", "probable" or "unknown"; "unknown" for any other value. Never NULL.
JCC_API const char *jcc_cpu_affected_name(enum jcc_cpu_affected affected);

#ifdef __cplusplus
}
#endif
#endif
