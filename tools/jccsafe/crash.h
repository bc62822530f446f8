// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM ends the process over some sources (assemble.h): what the command then says, and how it ends.
#ifndef CRASH_H
#define CRASH_H

// From now on a crash is told as one of FILE, and the command exits with EXIT_TROUBLE, as for any other trouble, with no output written.
void crash_guard(const char *file);

#endif
