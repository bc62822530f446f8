// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options from tables: "--name=value", "--name value", "-x value", "-xvalue" and flags.
#ifndef OPTIONS_H
#define OPTIONS_H

#include "arguments.h"
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct option {
    const char *name;  // with its dashes
    const char *value; // what --help calls its value; NULL: it takes none; in brackets: it may be left out, and SET gets NULL
    const char *help;
    // Called in the order of the command line; VALUE is NULL for a flag. False: refused, and a message has said why.
    bool (*set)(void *context, const char *value);
};

// Options that fill the same struct.
struct option_group {
    const struct option *options;
    size_t count;
    void *context;
};

struct command_line {
    const char *command;  // its name
    const char *operands; // as --help writes them
    const char *summary;  // what it does, one or more lines
    const struct option_group *groups;
    size_t group_count;
};

enum parsed { PARSED_OK, PARSED_HELP, PARSED_BAD };

// Apply all options in ARGUMENTS and move the operands to its front: *OPERANDS gets their number. "--" ends the options, "-" is an
// operand. --help (then the help has been printed) and --color are known to every command. On PARSED_BAD a message has been printed.
enum parsed options_parse(const struct command_line *line, struct arguments *arguments, size_t *operands);

#endif
