// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line that says what is being worked on, where standard error is a terminal and after about a second. Drawn from a timer
// signal, since the work is single calls into the library.
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>

// Say "VERB FILE" from a second on until progress_stop. Cheap to call for each of many files: the second runs on.
void progress_start(const char *verb, const char *file);
void progress_stop(void);
// Take the line away before something else is printed; it comes back with the next second.
void progress_clear(void);

#endif
