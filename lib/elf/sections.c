// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "file.h"
#include <string.h>

enum jcc_status jcc_section_header(const struct jcc_elf *elf, size_t index, GElf_Shdr *section)
{
    Elf_Scn *handle = index < elf->header.sections ? elf_getscn(elf->libelf, index) : NULL;
    if (!handle || !gelf_getshdr(handle, section))
        return JCC_ERROR_FORMAT;
    if (section->sh_type == SHT_NULL || section->sh_type == SHT_NOBITS)
        return JCC_OK;
    return jcc_inside(section->sh_offset, section->sh_size, elf->image.size) ? JCC_OK : JCC_ERROR_FORMAT;
}

enum jcc_status jcc_section_bytes(const struct jcc_elf *elf, const GElf_Shdr *section, const uint8_t **bytes, size_t *size)
{
    *bytes = elf->image.bytes;
    *size = 0;
    if (section->sh_type == SHT_NULL || section->sh_type == SHT_NOBITS || section->sh_size == 0)
        return JCC_OK;
    enum jcc_status status = jcc_image_need(&elf->image, section->sh_offset, section->sh_size);
    if (status != JCC_OK)
        return status;
    *bytes = elf->image.bytes + section->sh_offset;
    *size = (size_t)section->sh_size;
    return JCC_OK;
}

enum jcc_status jcc_section_strings(const struct jcc_elf *elf, size_t index, struct jcc_strings *strings)
{
    *strings = (struct jcc_strings){"", 1};
    if (index == SHN_UNDEF)
        return JCC_OK;
    GElf_Shdr section;
    const uint8_t *bytes;
    size_t size;
    enum jcc_status status = jcc_section_header(elf, index, &section);
    if (status != JCC_OK)
        return status;
    if (section.sh_type != SHT_STRTAB || (section.sh_flags & SHF_COMPRESSED))
        return JCC_ERROR_FORMAT;
    if ((status = jcc_section_bytes(elf, &section, &bytes, &size)) != JCC_OK || size == 0)
        return status;
    if (bytes[size - 1] != 0)
        return JCC_ERROR_FORMAT;
    *strings = (struct jcc_strings){(const char *)bytes, size};
    return JCC_OK;
}

const char *jcc_string(const struct jcc_strings *strings, uint64_t offset)
{
    return offset < strings->size ? strings->text + offset : NULL;
}

bool jcc_name_charge(uint64_t *budget, const char *name)
{
    uint64_t length = strlen(name) + 1;
    if (length > *budget)
        return false;
    *budget -= length;
    return true;
}
