// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _FILE_OFFSET_BITS 64
#define _POSIX_C_SOURCE   200809L
#include "image.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// What a pipe's buffer begins with; it doubles from there.
#define FIRST_BUFFER 65536u

static enum jcc_status read_all(int file, uint8_t **bytes, size_t *size)
{
    size_t capacity = FIRST_BUFFER, used = 0;
    uint8_t *buffer = malloc(capacity);
    if (!buffer)
        return JCC_ERROR_NO_MEMORY;
    for (;;) {
        if (used == capacity) {
            uint8_t *larger = capacity > SIZE_MAX / 2 ? NULL : realloc(buffer, capacity * 2);
            if (!larger) {
                free(buffer);
                return JCC_ERROR_NO_MEMORY;
            }
            buffer = larger, capacity *= 2;
        }
        ssize_t got = read(file, buffer + used, capacity - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            free(buffer);
            return JCC_ERROR_IO;
        }
        if (got == 0)
            break;
        used += (size_t)got;
    }
    *bytes = buffer, *size = used;
    return JCC_OK;
}

static enum jcc_status open_pipe(struct jcc_image *image, int file)
{
    // O_NONBLOCK kept open() from waiting; from here on the writer is waited for.
    int flags = fcntl(file, F_GETFL);
    if (flags < 0 || fcntl(file, F_SETFL, flags & ~O_NONBLOCK) < 0)
        return JCC_ERROR_IO;
    enum jcc_status status = read_all(file, &image->owned, &image->size);
    image->bytes = image->owned;
    return status;
}

static enum jcc_status open_regular(struct jcc_image *image, const struct stat *about)
{
    if ((uintmax_t)about->st_size > SIZE_MAX - 1)
        return JCC_ERROR_NO_MEMORY;
    image->size = (size_t)about->st_size;
    // Pages that are not read into cost nothing; one byte more so that an empty file is no special case.
    image->owned = calloc(image->size + 1, 1);
    image->bytes = image->owned;
    return image->owned ? JCC_OK : JCC_ERROR_NO_MEMORY;
}

static enum jcc_status open_kind(struct jcc_image *image, int file, enum jcc_image_source source, bool *keep)
{
    struct stat about;
    if (fstat(file, &about) != 0)
        return JCC_ERROR_IO;
    if (S_ISREG(about.st_mode)) {
        *keep = true;
        return open_regular(image, &about);
    }
    if (S_ISFIFO(about.st_mode) && source == JCC_IMAGE_FILE_OR_PIPE)
        return open_pipe(image, file);
    errno = S_ISDIR(about.st_mode) ? EISDIR : EINVAL;
    return JCC_ERROR_IO;
}

enum jcc_status jcc_image_open(struct jcc_image *image, const char *path, enum jcc_image_source source)
{
    *image = (struct jcc_image){.file = -1};
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0)
        return JCC_ERROR_IO;
    bool keep = false;
    enum jcc_status status = open_kind(image, file, source, &keep);
    if (status == JCC_OK && keep) {
        image->file = file;
        return JCC_OK;
    }
    int reason = errno;
    close(file);
    if (status != JCC_OK)
        jcc_image_close(image);
    errno = reason;
    return status;
}

void jcc_image_borrow(struct jcc_image *image, const void *bytes, size_t size)
{
    *image = (struct jcc_image){.bytes = bytes, .size = size, .file = -1};
}

enum jcc_status jcc_image_need(const struct jcc_image *image, uint64_t offset, uint64_t size)
{
    if (!jcc_inside(offset, size, image->size))
        return JCC_ERROR_FORMAT;
    for (size_t done = 0; image->file >= 0 && done < size;) {
        ssize_t got = pread(image->file, image->owned + offset + done, (size_t)size - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            // Zero: the file has been cut short since it was opened.
            errno = got < 0 ? errno : EIO;
            return JCC_ERROR_IO;
        }
        done += (size_t)got;
    }
    return JCC_OK;
}

void jcc_image_finish(struct jcc_image *image)
{
    if (image->file >= 0)
        close(image->file);
    image->file = -1;
}

void jcc_image_close(struct jcc_image *image)
{
    jcc_image_finish(image);
    free(image->owned);
    *image = (struct jcc_image){.file = -1};
}
