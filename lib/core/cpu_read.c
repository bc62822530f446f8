// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reading of the machine; what it means is cpu.c's.
#include <jccsafe/cpu.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#define HAVE_CPUID 1
#include <cpuid.h>
#else
#define HAVE_CPUID 0
#endif

#if HAVE_CPUID
#if defined(__linux__)
#include <stdio.h>
#include <stdlib.h>

// A revision as the kernel writes it, "0x5003604" and a newline.
static bool parse_revision(const char *text, uint32_t *revision)
{
    char *end;
    unsigned long value = strtoul(text, &end, 16);
    if (end == text || (*end != '\n' && *end != '\0') || value > UINT32_MAX)
        return false;
    *revision = (uint32_t)value;
    return true;
}

// /proc/cpuinfo has a line "microcode<tab>: 0x5003604" for each CPU; they agree.
static bool parse_cpuinfo_line(const char *line, uint32_t *revision)
{
    static const char key[] = "microcode";
    if (strncmp(line, key, sizeof key - 1) != 0)
        return false;
    line += sizeof key - 1;
    line += strspn(line, " \t");
    return *line == ':' && parse_revision(line + 1, revision);
}

static bool search_file(const char *path, bool (*parse)(const char *, uint32_t *), uint32_t *revision)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    // Longer than the lines wanted; the pieces of a longer line (flags) are no match.
    char line[256];
    bool found = false;
    while (!found && fgets(line, sizeof line, file) != NULL)
        found = parse(line, revision);
    fclose(file);
    return found;
}

static bool read_microcode(uint32_t *revision)
{
    // The first is absent in most virtual machines; the second tells what the hypervisor shows.
    return search_file("/sys/devices/system/cpu/cpu0/microcode/version", parse_revision, revision) ||
           search_file("/proc/cpuinfo", parse_cpuinfo_line, revision);
}
#else
static bool read_microcode(uint32_t *revision)
{
    (void)revision;
    return false;
}
#endif

static enum jcc_status read_cpuid(struct jcc_cpu *cpu)
{
    unsigned eax, ebx, ecx, edx;
    if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx))
        return JCC_ERROR_UNSUPPORTED;
    memcpy(cpu->vendor, &ebx, sizeof ebx);
    memcpy(cpu->vendor + 4, &edx, sizeof edx);
    memcpy(cpu->vendor + 8, &ecx, sizeof ecx);
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
        return JCC_ERROR_UNSUPPORTED;
    jcc_cpu_signature(eax, &cpu->family, &cpu->model, &cpu->stepping);
    cpu->hypervisor = (ecx >> 31 & 1) != 0;
    cpu->has_microcode = read_microcode(&cpu->microcode);
    return JCC_OK;
}
#endif

enum jcc_status jcc_cpu_read(struct jcc_cpu *cpu)
{
    if (cpu == NULL || cpu->size < sizeof *cpu)
        return JCC_ERROR_ARGUMENT;
    memset(cpu, 0, sizeof *cpu);
    cpu->size = sizeof *cpu;
#if HAVE_CPUID
    return read_cpuid(cpu);
#else
    return JCC_ERROR_UNSUPPORTED;
#endif
}
