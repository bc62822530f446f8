// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "file.h"
#include <elfutils/version.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define TEXT_OF(number)    #number
#define VERSION_OF(number) "0." TEXT_OF(number)

JCC_API const char *jcc_elf_library_version(void)
{
    return VERSION_OF(_ELFUTILS_VERSION);
}

// Whether the code runs, which add up to TOTAL with this one, still fit the file. They overlap in no real file, and in a made
// one each of thousands of headers could name the whole of it.
static bool fits(const struct jcc_elf *elf, uint64_t size, uint64_t *total)
{
    *total += size;
    return *total <= elf->image.size;
}

static enum jcc_status code_from_sections(struct jcc_elf *elf)
{
    struct jcc_strings names;
    uint64_t total = 0;
    enum jcc_status status = jcc_section_strings(elf, elf->header.section_names, &names);
    if (status != JCC_OK)
        return status;
    elf->code = calloc(elf->header.sections, sizeof *elf->code);
    if (!elf->code)
        return JCC_ERROR_NO_MEMORY;
    for (size_t index = 1; index < elf->header.sections; index++) {
        GElf_Shdr section;
        if ((status = jcc_section_header(elf, index, &section)) != JCC_OK)
            return status;
        if (!(section.sh_flags & SHF_EXECINSTR) || section.sh_type == SHT_NULL || section.sh_type == SHT_NOBITS || section.sh_size == 0)
            continue;
        if (section.sh_flags & SHF_COMPRESSED)
            return JCC_ERROR_UNSUPPORTED;
        struct jcc_elf_code *code = &elf->code[elf->code_count++];
        *code = (struct jcc_elf_code){.name = jcc_string(&names, section.sh_name),
                                      .index = (uint32_t)index,
                                      .address = section.sh_addr,
                                      .alignment = section.sh_addralign};
        if (!code->name || !fits(elf, section.sh_size, &total))
            return JCC_ERROR_FORMAT;
        if ((status = jcc_section_bytes(elf, &section, &code->bytes, &code->size)) != JCC_OK)
            return status;
    }
    return JCC_OK;
}

static enum jcc_status code_from_segments(struct jcc_elf *elf)
{
    size_t count;
    uint64_t total = 0;
    if (elf_getphdrnum(elf->libelf, &count) != 0)
        return JCC_ERROR_FORMAT;
    if (count == 0)
        return JCC_OK;
    elf->code = calloc(count, sizeof *elf->code);
    elf->segment_names = calloc(count, sizeof *elf->segment_names);
    if (!elf->code || !elf->segment_names)
        return JCC_ERROR_NO_MEMORY;
    for (size_t index = 0; index < count; index++) {
        GElf_Phdr segment;
        if (!gelf_getphdr(elf->libelf, (int)index, &segment))
            return JCC_ERROR_FORMAT;
        if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X) || segment.p_filesz == 0)
            continue;
        enum jcc_status status = jcc_image_need(&elf->image, segment.p_offset, segment.p_filesz);
        if (status != JCC_OK)
            return status;
        if (!fits(elf, segment.p_filesz, &total))
            return JCC_ERROR_FORMAT;
        char *name = elf->segment_names[elf->code_count];
        snprintf(name, sizeof *elf->segment_names, "segment %zu", index);
        elf->code[elf->code_count++] = (struct jcc_elf_code){.name = name,
                                                             .index = (uint32_t)index,
                                                             .address = segment.p_vaddr,
                                                             .alignment = segment.p_align,
                                                             .bytes = elf->image.bytes + segment.p_offset,
                                                             .size = (size_t)segment.p_filesz};
    }
    return JCC_OK;
}

static enum jcc_status fill(struct jcc_elf *elf)
{
    enum jcc_status status = jcc_header_read(&elf->image, &elf->header);
    if (status != JCC_OK)
        return status;
    // The proof looks at all of an object; of anything else only code and symbols are wanted.
    if (elf->header.type == ET_REL && (status = jcc_image_need(&elf->image, 0, elf->image.size)) != JCC_OK)
        return status;
    if (elf_version(EV_CURRENT) == EV_NONE)
        return JCC_ERROR_UNSUPPORTED;
    errno = 0;
    // libelf does not write to it: it is opened for reading alone.
    elf->libelf = elf_memory((char *)(uintptr_t)elf->image.bytes, elf->image.size);
    if (!elf->libelf)
        return errno == ENOMEM ? JCC_ERROR_NO_MEMORY : JCC_ERROR_FORMAT;
    // Section header 0 alone only holds counts (a core file of more than 65,534 segments).
    status = elf->header.sections > 1 ? code_from_sections(elf) : code_from_segments(elf);
    return status == JCC_OK ? jcc_labels_read(elf) : status;
}

static enum jcc_status open_image(struct jcc_image image, jcc_elf **result)
{
    struct jcc_elf *elf = calloc(1, sizeof *elf);
    if (!elf) {
        jcc_image_close(&image);
        return JCC_ERROR_NO_MEMORY;
    }
    elf->image = image;
    enum jcc_status status = fill(elf);
    jcc_image_finish(&elf->image);
    if (status == JCC_OK) {
        *result = elf;
        return JCC_OK;
    }
    int reason = errno;
    jcc_elf_close(elf);
    errno = reason;
    return status;
}

JCC_API enum jcc_status jcc_elf_open(const char *path, jcc_elf **elf)
{
    if (!elf)
        return JCC_ERROR_ARGUMENT;
    *elf = NULL;
    if (!path)
        return JCC_ERROR_ARGUMENT;
    struct jcc_image image;
    enum jcc_status status = jcc_image_open(&image, path, JCC_IMAGE_FILE_OR_PIPE);
    return status == JCC_OK ? open_image(image, elf) : status;
}

JCC_API enum jcc_status jcc_elf_open_memory(const void *bytes, size_t size, jcc_elf **elf)
{
    if (!elf)
        return JCC_ERROR_ARGUMENT;
    *elf = NULL;
    if (!bytes)
        return JCC_ERROR_ARGUMENT;
    struct jcc_image image;
    jcc_image_borrow(&image, bytes, size);
    return open_image(image, elf);
}

JCC_API void jcc_elf_close(jcc_elf *elf)
{
    if (!elf)
        return;
    elf_end(elf->libelf);
    jcc_image_close(&elf->image);
    free(elf->code);
    free(elf->segment_names);
    free(elf->labels);
    free(elf);
}

JCC_API bool jcc_elf_is_object(const jcc_elf *elf)
{
    return elf && elf->header.type == ET_REL;
}

JCC_API enum jcc_mode jcc_elf_mode(const jcc_elf *elf)
{
    return elf && elf->header.machine == EM_386 ? JCC_MODE_32 : JCC_MODE_64;
}

JCC_API const struct jcc_elf_code *jcc_elf_code(const jcc_elf *elf, size_t *count)
{
    if (count)
        *count = elf ? elf->code_count : 0;
    return elf ? elf->code : NULL;
}
