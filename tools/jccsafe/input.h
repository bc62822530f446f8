// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A whole file, or standard input, in memory.
#ifndef INPUT_H
#define INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

struct input {
    char *bytes; // never NULL after success, and a NUL stands behind the last
    size_t size;
};

// How PATH is named in messages and reports: "-" is "<stdin>".
const char *input_name(const char *path);
// Open PATH for reading ("-": standard input) and say what it is. -1: a message has been printed; a directory is refused.
int input_open(const char *path, struct stat *status);
// Read all of PATH; over LIMIT bytes it is refused. False: a message has been printed.
bool input_read(const char *path, size_t limit, struct input *input);
// The same of an open FD, which is closed.
bool input_read_fd(int fd, const char *path, size_t limit, struct input *input);
void input_free(struct input *input);

#endif
