// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file's bytes, or a caller's. A file is read in the ranges that are asked for and no others: an
// executable's debug information is never touched. It is read, not mapped, because a mapped file that somebody
// cuts short meanwhile kills the process.
#ifndef JCC_ELF_IMAGE_H
#define JCC_ELF_IMAGE_H

#include <jccsafe/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jcc_image {
    const uint8_t *bytes; // valid where jcc_image_need was asked for them
    size_t size;
    uint8_t *owned; // NULL for a caller's bytes
    int file;       // -1: all bytes are there
};

enum jcc_image_source {
    JCC_IMAGE_FILE,        // a regular file alone
    JCC_IMAGE_FILE_OR_PIPE // a pipe as well, which is read to its end
};

// Open PATH. Nothing of a regular file is read yet. Never waits for a pipe that nobody writes to.
enum jcc_status jcc_image_open(struct jcc_image *image, const char *path, enum jcc_image_source source);
void jcc_image_borrow(struct jcc_image *image, const void *bytes, size_t size);
// Have SIZE bytes at OFFSET read. JCC_ERROR_FORMAT when they are not all inside the image.
enum jcc_status jcc_image_need(const struct jcc_image *image, uint64_t offset, uint64_t size);
// Everything that is needed has been asked for: let go of the file.
void jcc_image_finish(struct jcc_image *image);
void jcc_image_close(struct jcc_image *image);

// Whether SIZE bytes at OFFSET lie inside LIMIT bytes; whatever wraps does not.
static inline bool jcc_inside(uint64_t offset, uint64_t size, uint64_t limit)
{
    return offset <= limit && size <= limit - offset;
}

#endif
