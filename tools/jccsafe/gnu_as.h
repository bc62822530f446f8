// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GNU_AS_H
#define GNU_AS_H

#include "arguments.h"

// What the command does when it is called `as`: it takes GNU as's options. Returns an exit status.
int command_gnu_as(struct arguments *words);

#endif
