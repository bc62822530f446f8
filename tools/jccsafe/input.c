// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L
#include "input.h"
#include "output.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_CAPACITY ((size_t)64 * 1024)

const char *input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

int input_open(const char *path, struct stat *status)
{
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0 || fstat(fd, status) != 0) {
        message(input_name(path), "%s", strerror(errno));
    } else if (S_ISDIR(status->st_mode)) {
        message(input_name(path), "%s", strerror(EISDIR));
    } else {
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

// Room for one byte more than CAPACITY, the final NUL.
static bool grow(struct input *input, size_t capacity)
{
    char *bytes = realloc(input->bytes, capacity + 1);
    if (bytes == NULL)
        return false;
    input->bytes = bytes;
    return true;
}

// 0, or an errno: EFBIG over LIMIT.
static int read_all(int fd, size_t limit, struct input *input)
{
    struct stat status;
    size_t capacity = FIRST_CAPACITY;
    // The size is a guess: a file may grow, and pipes have none.
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        if ((uintmax_t)status.st_size > limit)
            return EFBIG;
        capacity = (size_t)status.st_size + 1;
    }
    if (!grow(input, capacity))
        return ENOMEM;
    for (;;) {
        ssize_t got = read(fd, input->bytes + input->size, capacity - input->size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno;
        if (got == 0)
            break;
        input->size += (size_t)got;
        if (input->size > limit)
            return EFBIG;
        if (input->size < capacity)
            continue;
        capacity = capacity <= limit / 2 ? capacity * 2 : limit + 1;
        if (!grow(input, capacity))
            return ENOMEM;
    }
    input->bytes[input->size] = '\0';
    return 0;
}

bool input_read_fd(int fd, const char *path, size_t limit, struct input *input)
{
    memset(input, 0, sizeof *input);
    int error = read_all(fd, limit, input);
    close(fd);
    if (error == 0)
        return true;
    if (error == EFBIG)
        message(input_name(path), "larger than %zu MiB, which is the limit", limit >> 20);
    else
        message(input_name(path), "%s", strerror(error));
    input_free(input);
    return false;
}

bool input_read(const char *path, size_t limit, struct input *input)
{
    struct stat status;
    int fd = input_open(path, &status);
    return fd >= 0 && input_read_fd(fd, path, limit, input);
}

void input_free(struct input *input)
{
    free(input->bytes);
    memset(input, 0, sizeof *input);
}
