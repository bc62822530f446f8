// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ar archives as GNU, LLVM and BSD tools write them. libelf knows no thin archives, so all kinds are read here.
#define _POSIX_C_SOURCE 200809L
#include "image.h"
#include <ar.h>
#include <errno.h>
#include <jccsafe/elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char thin_magic[SARMAG + 1] = "!<thin>\n";

struct archive {
    const char *path;
    struct jcc_image image;
    bool thin;
    const char *names; // of the member "//", NULL: none
    size_t names_size;
};

// What a member's header comes to.
struct member {
    char name[4096];
    bool special;    // a symbol table or the table of names
    bool outside;    // of a thin archive: the bytes are the file's that name names
    uint64_t origin; // with outside: where the member's header stands in that file, which is an archive itself; 0: it is none
    uint64_t offset; // of the bytes, else
    uint64_t size;
    uint64_t next; // offset of the next header
};

JCC_API bool jcc_archive_is(const void *image, size_t size)
{
    return image && size >= SARMAG && (memcmp(image, ARMAG, SARMAG) == 0 || memcmp(image, thin_magic, SARMAG) == 0);
}

// A number of decimal digits, followed by nothing but spaces; WIDTH bytes in all. *USED (NULL: all must be used) gets the digits' count.
static bool parse_number(const char *text, size_t width, uint64_t *number, size_t *used)
{
    size_t n = 0;
    *number = 0;
    for (; n < width && text[n] >= '0' && text[n] <= '9'; n++) {
        if (*number > (UINT64_MAX - 9) / 10)
            return false;
        *number = *number * 10 + (uint64_t)(text[n] - '0');
    }
    if (n == 0)
        return false;
    if (used) {
        *used = n;
        return true;
    }
    while (n < width && text[n] == ' ')
        n++;
    return n == width;
}

static enum jcc_status set_name(struct member *member, const char *text, size_t length)
{
    if (length == 0 || length >= sizeof member->name || memchr(text, 0, length))
        return JCC_ERROR_FORMAT;
    memcpy(member->name, text, length);
    member->name[length] = 0;
    return JCC_OK;
}

// "/123", or "/123:456" in a thin archive: a place in the table of names, and one in the archive so named.
static enum jcc_status name_from_table(const struct archive *archive, const char *text, size_t width, struct member *member)
{
    uint64_t place;
    size_t used, length = 0;
    if (!parse_number(text, width, &place, &used) || place >= archive->names_size)
        return JCC_ERROR_FORMAT;
    if (used < width && text[used] == ':' && !parse_number(text + used + 1, width - used - 1, &member->origin, NULL))
        return JCC_ERROR_FORMAT;
    const char *name = archive->names + place;
    while (place + length < archive->names_size && name[length] != '\n' && name[length] != 0)
        length++;
    if (length > 0 && name[length - 1] == '/')
        length--;
    return set_name(member, name, length);
}

// "#1/12": the name is the first 12 of the member's bytes, filled up with NUL.
static enum jcc_status name_from_body(const struct archive *archive, const char *text, size_t width, struct member *member)
{
    uint64_t length;
    if (!parse_number(text, width, &length, NULL) || length > member->size)
        return JCC_ERROR_FORMAT;
    const char *name = (const char *)archive->image.bytes + member->offset;
    member->offset += length, member->size -= length;
    return set_name(member, name, strnlen(name, (size_t)length));
}

static enum jcc_status name_from_header(const struct archive *archive, const char *text, size_t width, struct member *member)
{
    static const char *const symbol_tables[] = {"/", "/SYM64/", "__.SYMDEF", "__.SYMDEF SORTED", "//"};
    size_t length = width;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    for (size_t n = 0; n < sizeof symbol_tables / sizeof *symbol_tables; n++)
        if (strlen(symbol_tables[n]) == length && memcmp(symbol_tables[n], text, length) == 0) {
            member->special = true;
            return set_name(member, text, length);
        }
    member->outside = archive->thin;
    if (text[0] == '/')
        return name_from_table(archive, text + 1, width - 1, member);
    if (length > 3 && memcmp(text, "#1/", 3) == 0 && !archive->thin)
        return name_from_body(archive, text + 3, width - 3, member);
    if (text[length - (length > 0)] == '/')
        length--;
    return set_name(member, text, length);
}

static enum jcc_status read_member(struct archive *archive, uint64_t offset, struct member *member)
{
    enum jcc_status status = jcc_image_need(&archive->image, offset, sizeof(struct ar_hdr));
    if (status != JCC_OK)
        return status;
    struct ar_hdr header;
    memcpy(&header, archive->image.bytes + offset, sizeof header);
    *member = (struct member){.offset = offset + sizeof header};
    if (memcmp(header.ar_fmag, ARFMAG, sizeof header.ar_fmag) != 0 ||
        !parse_number(header.ar_size, sizeof header.ar_size, &member->size, NULL))
        return JCC_ERROR_FORMAT;
    // In a thin archive only the archive's own tables have bytes.
    bool body = !archive->thin || (header.ar_name[0] == '/' && (header.ar_name[1] < '0' || header.ar_name[1] > '9'));
    uint64_t stored = body ? member->size : 0;
    if ((status = jcc_image_need(&archive->image, member->offset, stored)) != JCC_OK)
        return status;
    member->next = member->offset + stored + (stored & 1); // each header stands on an even offset
    if ((status = name_from_header(archive, header.ar_name, sizeof header.ar_name, member)) != JCC_OK)
        return status;
    if (strcmp(member->name, "//") == 0 && member->special) {
        archive->names = (const char *)archive->image.bytes + member->offset;
        archive->names_size = (size_t)member->size;
    }
    return JCC_OK;
}

static enum jcc_status archive_open(struct archive *archive, const char *path)
{
    *archive = (struct archive){.path = path};
    enum jcc_status status = jcc_image_open(&archive->image, path, JCC_IMAGE_FILE);
    if (status != JCC_OK)
        return status;
    status = jcc_image_need(&archive->image, 0, archive->image.size < SARMAG ? archive->image.size : SARMAG);
    if (status == JCC_OK && !jcc_archive_is(archive->image.bytes, archive->image.size))
        status = JCC_ERROR_FORMAT;
    if (status == JCC_OK)
        archive->thin = memcmp(archive->image.bytes, thin_magic, SARMAG) == 0;
    return status;
}

static void archive_close(struct archive *archive)
{
    int reason = errno;
    jcc_image_close(&archive->image);
    errno = reason;
}

// A member's file, named from the folder of the archive at PATH; the caller frees it.
static char *beside(const char *path, const char *name)
{
    const char *slash = name[0] == '/' ? NULL : strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0, length = strlen(name) + 1;
    char *joined = malloc(folder + length);
    if (joined) {
        memcpy(joined, path, folder);
        memcpy(joined + folder, name, length);
    }
    return joined;
}

static enum jcc_status hand_over_file(const char *path, const char *name, jcc_archive_member_fn each, void *context, bool *more)
{
    struct jcc_image image;
    enum jcc_status status = jcc_image_open(&image, path, JCC_IMAGE_FILE);
    if (status == JCC_OK)
        status = jcc_image_need(&image, 0, image.size);
    if (status == JCC_OK)
        *more = each(context, name, image.bytes, image.size);
    int reason = errno;
    jcc_image_close(&image);
    errno = reason;
    return status;
}

// The member whose header stands at ORIGIN of the archive at PATH, which is not thin: ar flattens those.
static enum jcc_status hand_over_nested(const char *path, uint64_t origin, jcc_archive_member_fn each, void *context, bool *more)
{
    struct archive archive;
    struct member member = {.next = SARMAG};
    enum jcc_status status = archive_open(&archive, path);
    if (status == JCC_OK && archive.thin)
        status = JCC_ERROR_FORMAT;
    // The table of names comes before all that it names.
    for (bool special = true; status == JCC_OK && special && member.next < origin; special = member.special)
        status = read_member(&archive, member.next, &member);
    if (status == JCC_OK)
        status = read_member(&archive, origin, &member);
    if (status == JCC_OK)
        *more = each(context, member.name, archive.image.bytes + member.offset, (size_t)member.size);
    archive_close(&archive);
    return status;
}

static enum jcc_status hand_over(struct archive *archive, const struct member *member, jcc_archive_member_fn each, void *context,
                                 bool *more)
{
    if (!member->outside) {
        *more = each(context, member->name, archive->image.bytes + member->offset, (size_t)member->size);
        return JCC_OK;
    }
    char *path = beside(archive->path, member->name);
    if (!path)
        return JCC_ERROR_NO_MEMORY;
    enum jcc_status status = member->origin ? hand_over_nested(path, member->origin, each, context, more)
                                            : hand_over_file(path, member->name, each, context, more);
    free(path);
    return status;
}

JCC_API enum jcc_status jcc_archive_walk(const char *path, jcc_archive_member_fn each, void *context)
{
    if (!path || !each)
        return JCC_ERROR_ARGUMENT;
    struct archive archive;
    struct member member = {.next = SARMAG};
    bool more = true;
    enum jcc_status status = archive_open(&archive, path);
    while (status == JCC_OK && more && member.next < archive.image.size) {
        status = read_member(&archive, member.next, &member);
        if (status == JCC_OK && !member.special)
            status = hand_over(&archive, &member, each, context, &more);
    }
    archive_close(&archive);
    return status;
}
