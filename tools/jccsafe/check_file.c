// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "input.h"
#include "output.h"
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Of what comes through a pipe, which must be held in memory. Regular files are mapped and have no limit of ours.
#define PIPE_MAX    ((size_t)2 << 30)
#define MAGIC_BYTES 8 // as many as tell an archive ("!<arch>\n") from an ELF file

// What a status means here, where the input is known to be ELF or not.
static int complain(const char *name, enum jcc_status status, const void *start, size_t size)
{
    bool is_elf = size >= 4 && memcmp(start, "\177ELF", 4) == 0;
    if (jcc_archive_is(start, size))
        message(name, "an archive inside an archive is not looked into");
    else if (status == JCC_ERROR_FORMAT)
        message(name, "%s", size == 0 ? "empty file" : is_elf ? "damaged ELF file" : "not an ELF file");
    else if (status == JCC_ERROR_UNSUPPORTED)
        message(name, "not for x86, or of a kind that jccsafe does not read");
    else if (status == JCC_ERROR_IO && errno != 0)
        message(name, "%s", strerror(errno));
    else
        message(name, "%s", jcc_status_message(status));
    return EXIT_TROUBLE;
}

struct walk {
    const struct check_job *job;
    const char *archive;
    int worst;
    bool has_code;
};

static void note(struct walk *walk, int status)
{
    walk->worst = status > walk->worst ? status : walk->worst;
}

static bool check_member(void *context, const char *name, const void *image, size_t size)
{
    struct walk *walk = context;
    size_t length = strlen(walk->archive) + strlen(name) + sizeof "()";
    char *full = malloc(length);
    if (full == NULL) {
        message(walk->archive, "%s", strerror(ENOMEM));
        note(walk, EXIT_TROUBLE);
        return false;
    }
    snprintf(full, length, "%s(%s)", walk->archive, name);
    jcc_elf *elf;
    bool has_code = false;
    enum jcc_status status = jcc_elf_open_memory(image, size, &elf);
    note(walk, status == JCC_OK ? check_elf(walk->job, full, elf, &has_code) : complain(full, status, image, size));
    walk->has_code |= has_code;
    jcc_elf_close(elf);
    free(full);
    return !output_failed();
}

// PATH leads to the archive called NAME. Members without code are usual in archives; an archive without any is not.
static int check_archive(const struct check_job *job, const char *name, const char *path)
{
    struct walk walk = {.job = job, .archive = name, .worst = EXIT_CLEAN};
    errno = 0;
    enum jcc_status status = jcc_archive_walk(path, check_member, &walk);
    if (status == JCC_ERROR_FORMAT)
        message(name, "damaged archive");
    else if (status == JCC_ERROR_IO)
        message(name, "a file that it consists of: %s", strerror(errno));
    else if (status != JCC_OK)
        message(name, "%s", jcc_status_message(status));
    else if (!walk.has_code && walk.worst == EXIT_CLEAN)
        message(name, "no code in any member");
    else
        return walk.worst;
    return EXIT_TROUBLE;
}

// Closes ELF. START are its first bytes.
static int check_opened(const struct check_job *job, const char *name, jcc_elf *elf, enum jcc_status status, const void *start, size_t size)
{
    if (status != JCC_OK)
        return complain(name, status, start, size);
    bool has_code;
    int result = check_elf(job, name, elf, &has_code);
    if (!has_code && result == EXIT_CLEAN) {
        message(name, "no code");
        result = EXIT_TROUBLE;
    }
    jcc_elf_close(elf);
    return result;
}

// The library walks archives by path, so one that came through a pipe is put into a file that has no name.
static int check_archive_image(const struct check_job *job, const char *name, const struct input *input)
{
    int result = EXIT_TROUBLE;
    FILE *file = tmpfile();
    if (file != NULL && fwrite(input->bytes, 1, input->size, file) == input->size && fflush(file) == 0) {
        char path[32];
        snprintf(path, sizeof path, "/dev/fd/%d", fileno(file));
        result = check_archive(job, name, path);
    } else {
        message(name, "temporary file: %s", strerror(errno));
    }
    if (file != NULL)
        fclose(file);
    return result;
}

static int check_pipe(const struct check_job *job, int fd, const char *path)
{
    const char *name = input_name(path);
    struct input input;
    if (!input_read_fd(fd, path, PIPE_MAX, &input))
        return EXIT_TROUBLE;
    int result;
    if (jcc_archive_is(input.bytes, input.size)) {
        result = check_archive_image(job, name, &input);
    } else {
        jcc_elf *elf;
        enum jcc_status status = jcc_elf_open_memory(input.bytes, input.size, &elf);
        result = check_opened(job, name, elf, status, input.bytes, input.size);
    }
    input_free(&input);
    return result;
}

int check_file(const struct check_job *job, const char *path)
{
    struct stat file;
    int fd = input_open(path, &file);
    if (fd < 0)
        return EXIT_TROUBLE;
    if (!S_ISREG(file.st_mode) || strcmp(path, "-") == 0)
        return check_pipe(job, fd, path);
    char start[MAGIC_BYTES];
    ssize_t got = read(fd, start, sizeof start);
    close(fd);
    size_t size = got > 0 ? (size_t)got : 0;
    if (jcc_archive_is(start, size))
        return check_archive(job, path, path);
    jcc_elf *elf;
    errno = 0;
    enum jcc_status status = jcc_elf_open(path, &elf);
    return check_opened(job, path, elf, status, start, size);
}
