// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef COMMANDS_H
#define COMMANDS_H

#include "arguments.h"

// Each takes the words behind its name and returns an exit status.
int command_as(struct arguments *arguments);
int command_check(struct arguments *arguments);
int command_cpu(struct arguments *arguments);

#endif
