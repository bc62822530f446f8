// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "file.h"
#include <string.h>

static enum jcc_status read_identity(struct jcc_image *image, struct jcc_header *header)
{
    const uint8_t *ident = image->bytes;
    if (image->size < EI_NIDENT)
        return JCC_ERROR_FORMAT;
    enum jcc_status status = jcc_image_need(image, 0, EI_NIDENT);
    if (status != JCC_OK)
        return status;
    if (memcmp(ident, ELFMAG, SELFMAG) != 0 || ident[EI_VERSION] != EV_CURRENT)
        return JCC_ERROR_FORMAT;
    if (ident[EI_CLASS] != ELFCLASS32 && ident[EI_CLASS] != ELFCLASS64)
        return JCC_ERROR_FORMAT;
    if (ident[EI_DATA] == ELFDATA2MSB)
        return JCC_ERROR_UNSUPPORTED;
    if (ident[EI_DATA] != ELFDATA2LSB)
        return JCC_ERROR_FORMAT;
    header->wide = ident[EI_CLASS] == ELFCLASS64;
    return JCC_OK;
}

// The file header of either class, as that of ELF64.
static enum jcc_status read_file_header(struct jcc_image *image, const struct jcc_header *header, Elf64_Ehdr *file)
{
    size_t size = header->wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
    enum jcc_status status = jcc_image_need(image, 0, size);
    if (status != JCC_OK)
        return status;
    if (header->wide) {
        memcpy(file, image->bytes, sizeof *file);
        return JCC_OK;
    }
    Elf32_Ehdr narrow;
    memcpy(&narrow, image->bytes, sizeof narrow);
    *file = (Elf64_Ehdr){.e_type = narrow.e_type,
                         .e_machine = narrow.e_machine,
                         .e_version = narrow.e_version,
                         .e_phoff = narrow.e_phoff,
                         .e_shoff = narrow.e_shoff,
                         .e_phentsize = narrow.e_phentsize,
                         .e_phnum = narrow.e_phnum,
                         .e_shentsize = narrow.e_shentsize,
                         .e_shnum = narrow.e_shnum,
                         .e_shstrndx = narrow.e_shstrndx};
    return JCC_OK;
}

// Section header 0, which holds the counts that are too large for the file header.
static enum jcc_status read_first_section(struct jcc_image *image, bool wide, uint64_t offset, Elf64_Shdr *first)
{
    enum jcc_status status = jcc_image_need(image, offset, wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr));
    if (status != JCC_OK)
        return status;
    if (wide) {
        memcpy(first, image->bytes + offset, sizeof *first);
        return JCC_OK;
    }
    Elf32_Shdr narrow;
    memcpy(&narrow, image->bytes + offset, sizeof narrow);
    *first = (Elf64_Shdr){.sh_size = narrow.sh_size, .sh_link = narrow.sh_link, .sh_info = narrow.sh_info};
    return JCC_OK;
}

static enum jcc_status read_tables(struct jcc_image *image, struct jcc_header *header, const Elf64_Ehdr *file)
{
    size_t section_size = header->wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
    size_t segment_size = header->wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
    Elf64_Shdr first = {0};
    if (file->e_shoff == 0 && file->e_shnum != 0)
        return JCC_ERROR_FORMAT;
    if (file->e_shoff != 0) {
        if (file->e_shentsize != section_size)
            return JCC_ERROR_FORMAT;
        enum jcc_status status = read_first_section(image, header->wide, file->e_shoff, &first);
        if (status != JCC_OK)
            return status;
        uint64_t count = file->e_shnum ? file->e_shnum : first.sh_size;
        uint64_t names = file->e_shstrndx == SHN_XINDEX ? first.sh_link : file->e_shstrndx;
        if (count > image->size / section_size || (count != 0 && names >= count))
            return JCC_ERROR_FORMAT;
        if ((status = jcc_image_need(image, file->e_shoff, count * section_size)) != JCC_OK)
            return status;
        header->sections = (size_t)count;
        header->section_names = count ? (size_t)names : 0;
    }
    uint64_t segments = file->e_phnum == PN_XNUM ? first.sh_info : file->e_phnum;
    if (file->e_phoff == 0 || segments == 0)
        return JCC_OK;
    if (file->e_phentsize != segment_size || segments > image->size / segment_size)
        return JCC_ERROR_FORMAT;
    return jcc_image_need(image, file->e_phoff, segments * segment_size);
}

enum jcc_status jcc_header_read(struct jcc_image *image, struct jcc_header *header)
{
    *header = (struct jcc_header){0};
    Elf64_Ehdr file;
    enum jcc_status status = read_identity(image, header);
    if (status != JCC_OK || (status = read_file_header(image, header, &file)) != JCC_OK)
        return status;
    if (file.e_version != EV_CURRENT)
        return JCC_ERROR_FORMAT;
    // x86-64 in a 32-bit container is x32.
    if (file.e_machine != EM_X86_64 && !(file.e_machine == EM_386 && !header->wide))
        return JCC_ERROR_UNSUPPORTED;
    header->type = file.e_type;
    header->machine = file.e_machine;
    return read_tables(image, header, &file);
}
