// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The executable sections of the libraries that the differential tests read, and where these are. It shares no code
// with lib/elf.
#ifndef JCCSAFE_TESTS_DECODER_SECTIONS_H
#define JCCSAFE_TESTS_DECODER_SECTIONS_H

#include <elf.h>
#include <fcntl.h>
#include <jccsafe/insn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct section {
    const char *file;
    const char *name;
    enum jcc_mode mode;
    uint64_t address;
    const uint8_t *bytes;
    size_t size;
};
typedef void (*section_fn)(void *context, const struct section *section);

// One reader for each ELF class.
#define DEFINE_WALK(BITS)                                                                                                                  \
    static inline bool walk_elf##BITS(const char *file, const uint8_t *image, size_t size, section_fn each, void *context)                 \
    {                                                                                                                                      \
        const Elf##BITS##_Ehdr *header = (const void *)image;                                                                              \
        if (size < sizeof *header || header->e_shoff > size || header->e_shnum > (size - header->e_shoff) / sizeof(Elf##BITS##_Shdr) ||    \
            header->e_shstrndx >= header->e_shnum)                                                                                         \
            return false;                                                                                                                  \
        if (header->e_machine != EM_X86_64 && header->e_machine != EM_386)                                                                 \
            return false;                                                                                                                  \
        enum jcc_mode mode = header->e_machine == EM_X86_64 ? JCC_MODE_64 : JCC_MODE_32;                                                   \
        const Elf##BITS##_Shdr *sections = (const void *)(image + header->e_shoff);                                                        \
        const char *names = (const char *)image + sections[header->e_shstrndx].sh_offset;                                                  \
        for (unsigned k = 0; k < header->e_shnum; k++) {                                                                                   \
            const Elf##BITS##_Shdr *s = &sections[k];                                                                                      \
            if (s->sh_type != SHT_PROGBITS || !(s->sh_flags & SHF_EXECINSTR))                                                              \
                continue;                                                                                                                  \
            if (s->sh_offset > size || s->sh_size > size - s->sh_offset)                                                                   \
                return false;                                                                                                              \
            struct section section = {file, names + s->sh_name, mode, s->sh_addr, image + s->sh_offset, s->sh_size};                       \
            each(context, &section);                                                                                                       \
        }                                                                                                                                  \
        return true;                                                                                                                       \
    }
DEFINE_WALK(32)
DEFINE_WALK(64)

// Calls EACH for each executable section of the x86 ELF file at PATH; false when it is none.
static inline bool each_section(const char *path, section_fn each, void *context)
{
    int fd = open(path, O_RDONLY);
    struct stat st;
    bool ok = fd >= 0 && fstat(fd, &st) == 0 && st.st_size > (off_t)sizeof(Elf64_Ehdr);
    size_t size = ok ? (size_t)st.st_size : 0;
    const uint8_t *image = ok ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    if (fd >= 0)
        close(fd);
    if (image == MAP_FAILED)
        return false;
    if (memcmp(image, ELFMAG, SELFMAG) != 0)
        ok = false;
    else if (image[EI_CLASS] == ELFCLASS64)
        ok = walk_elf64(path, image, size, each, context);
    else
        ok = walk_elf32(path, image, size, each, context);
    munmap((void *)(uintptr_t)image, size);
    return ok;
}

// Into PATH the WHICH-th (from 0) library in the loader's cache whose name starts with PREFIX, of those for x86-64 or for i386.
static inline bool find_library(const char *prefix, unsigned which, bool is64, char *path, size_t size)
{
    FILE *cache = popen("PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null", "r");
    char line[1024];
    bool found = false;
    while (cache && fgets(line, sizeof line, cache)) {
        const char *name = line + strspn(line, " \t"), *arrow = strstr(line, "=> ");
        bool wanted = is64 ? strstr(line, "x86-64") != NULL : !strstr(line, "x86-64") && !strstr(line, "x32");
        if (found || !arrow || !wanted || strncmp(name, prefix, strlen(prefix)) != 0 || which-- != 0)
            continue;
        snprintf(path, size, "%s", arrow + 3);
        path[strcspn(path, "\n")] = 0;
        found = true;
    }
    if (cache)
        pclose(cache);
    return found;
}

#endif
