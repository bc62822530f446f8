// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _DEFAULT_SOURCE // getentropy
#define _XOPEN_SOURCE   700
#include "outfile.h"
#include "output.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Where nobody guesses a name, two attempts are one more than needed.
#define ATTEMPTS  8
#define TEMPORARY ".jccsafe-%016llx.tmp"
#define NAME_SIZE 40 // of TEMPORARY, written out
#define LINKS_MAX 40 // one behind the other, as many as Linux follows

static const int fatal_signals[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGXFSZ};
#define FATAL_SIGNALS (sizeof fatal_signals / sizeof fatal_signals[0])

// What a signal must remove. Set and cleared while the signals are blocked.
static char *volatile unfinished;

static void remove_and_die(int signal_number)
{
    if (unfinished != NULL)
        unlink(unfinished);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

// A signal that our parent has us ignore (nohup) stays ignored.
static void catch_signals(void)
{
    static bool done;
    if (done)
        return;
    done = true;
    for (size_t i = 0; i < FATAL_SIGNALS; i++) {
        struct sigaction old, action = {.sa_handler = remove_and_die};
        sigemptyset(&action.sa_mask);
        if (sigaction(fatal_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(fatal_signals[i], &action, NULL);
    }
}

static void block_signals(int how)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < FATAL_SIGNALS; i++)
        sigaddset(&set, fatal_signals[i]);
    sigprocmask(how, &set, NULL);
}

static bool write_all(int fd, const unsigned char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(fd, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

// Closes FD; some file systems tell only then that the bytes did not fit.
static bool write_and_close(int fd, const void *bytes, size_t size)
{
    bool ok = write_all(fd, bytes, size);
    int error = errno;
    if (close(fd) != 0 && ok) {
        ok = false;
        error = errno;
    }
    errno = error;
    return ok;
}

// A path in TARGET's folder that nobody can have foreseen; NULL with errno.
static char *temporary_beside(const char *target)
{
    const char *slash = strrchr(target, '/');
    size_t folder = slash != NULL ? (size_t)(slash - target) + 1 : 0;
    unsigned long long random;
    char *path = malloc(folder + NAME_SIZE);
    if (path == NULL)
        return NULL;
    if (getentropy(&random, sizeof random) != 0) {
        free(path);
        return NULL;
    }
    memcpy(path, target, folder);
    snprintf(path + folder, NAME_SIZE, TEMPORARY, random);
    return path;
}

// Creates the temporary file and makes it known to the signal handler. -1 with errno.
static int open_temporary(const char *target)
{
    catch_signals();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        char *path = temporary_beside(target);
        if (path == NULL)
            return -1;
        block_signals(SIG_BLOCK);
        // The umask, and a default ACL of the folder, decide the mode, as for any new file.
        int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        int error = errno;
        if (fd >= 0)
            unfinished = path;
        else
            free(path);
        block_signals(SIG_UNBLOCK);
        errno = error;
        if (fd >= 0 || error != EEXIST)
            return fd;
    }
    return -1;
}

// Rename the temporary file to TARGET, or remove it when OK is false.
static bool finish_temporary(const char *target, bool ok)
{
    block_signals(SIG_BLOCK);
    int error = errno;
    if (ok && rename(unfinished, target) != 0) {
        ok = false;
        error = errno;
    }
    if (!ok)
        unlink(unfinished);
    free(unfinished);
    unfinished = NULL;
    block_signals(SIG_UNBLOCK);
    errno = error;
    return ok;
}

// Where the symbolic link LINK points to, from where we are; it is freed. NULL with errno.
static char *follow(char *link)
{
    char to[PATH_MAX], *next = NULL;
    ssize_t length = readlink(link, to, sizeof to);
    const char *slash = strrchr(link, '/');
    size_t folder = slash != NULL && length > 0 && to[0] != '/' ? (size_t)(slash - link) + 1 : 0;
    if (length == (ssize_t)sizeof to)
        errno = ENAMETOOLONG;
    else if (length >= 0)
        next = malloc(folder + (size_t)length + 1);
    if (next != NULL) {
        memcpy(next, link, folder);
        memcpy(next + folder, to, (size_t)length);
        next[folder + (size_t)length] = '\0';
    }
    int error = errno;
    free(link);
    errno = error;
    return next;
}

// Where PATH leads to through symbolic links, so that they stay: a file that is there, or the name of one to be made. Free it.
// NULL with errno.
static char *resolve(const char *path)
{
    char *target = realpath(path, NULL);
    if (target != NULL || errno == ELOOP)
        return target;
    struct stat status;
    target = strdup(path);
    for (int links = 0; target != NULL && lstat(target, &status) == 0 && S_ISLNK(status.st_mode); links++) {
        target = follow(target);
        if (links == LINKS_MAX) {
            free(target);
            errno = ELOOP;
            return NULL;
        }
    }
    return target;
}

static bool replace(const char *path, const void *bytes, size_t size)
{
    char *target = resolve(path);
    if (target == NULL) {
        message(path, "%s", strerror(errno));
        return false;
    }
    int fd = open_temporary(target);
    bool ok = fd >= 0 && finish_temporary(target, write_and_close(fd, bytes, size));
    if (fd < 0) {
        int error = errno;
        const char *slash = strrchr(target, '/');
        int folder = slash == NULL ? 1 : slash == target ? 1 : (int)(slash - target);
        message(path, "no file can be made in '%.*s': %s", folder, slash != NULL ? target : ".", strerror(error));
    } else if (!ok) {
        message(path, "%s", strerror(errno));
    }
    free(target);
    return ok;
}

// FD's name is NAME. Closes it.
static bool write_into(int fd, const char *name, const void *bytes, size_t size)
{
    bool ok = fd >= 0 && write_and_close(fd, bytes, size);
    if (!ok)
        message(name, "%s", strerror(errno));
    return ok;
}

bool outfile_write(const char *path, const void *bytes, size_t size)
{
    struct stat status;
    if (strcmp(path, "-") == 0)
        return write_into(dup(STDOUT_FILENO), "standard output", bytes, size);
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return write_into(open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY), path, bytes, size);
    return replace(path, bytes, size);
}

void outfile_remove(const char *path)
{
    struct stat status;
    char *target = realpath(path, NULL);
    if (target != NULL && strcmp(path, "-") != 0 && stat(target, &status) == 0 && S_ISREG(status.st_mode))
        unlink(target);
    free(target);
}

bool outfile_is(const char *path, const struct stat *status)
{
    struct stat out;
    return strcmp(path, "-") != 0 && S_ISREG(status->st_mode) && stat(path, &out) == 0 && out.st_dev == status->st_dev &&
           out.st_ino == status->st_ino;
}
