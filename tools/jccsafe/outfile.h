// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An output file that is there whole or not at all.
#ifndef OUTFILE_H
#define OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

// Write SIZE bytes to PATH: into a new file beside it that then takes its name, so that neither an error nor a
// signal leaves part of an output, or destroys the old one. A symbolic link is followed. What is no regular file (/dev/null, a
// pipe) is written straight into, and "-" is standard output. False: a message has been printed.
bool outfile_write(const char *path, const void *bytes, size_t size);

// After an error in the source: remove the regular file that outfile_write would have replaced, as GNU as does, so that no
// build goes on with an old object.
void outfile_remove(const char *path);

// Whether writing PATH would replace the file that STATUS is of.
bool outfile_is(const char *path, const struct stat *status);

#endif
