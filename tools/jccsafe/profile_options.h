// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of `jccsafe as` that have to do with a profile.
#ifndef PROFILE_OPTIONS_H
#define PROFILE_OPTIONS_H

#include "options.h"
#include "profile.h"
#include <jccsafe/assemble.h>

struct profile_options {
    const char *path; // NULL: no profile
    bool weighs;      // it weighs functions; else it is the scope
    bool has_use, has_share;
    unsigned share;                      // per cent
    struct profile profile;              // where it is the scope: its names as fnmatch() patterns that stand for nothing else
    struct jcc_function_weight *weights; // one for each, where it weighs; else NULL
};

struct profile_options profile_options_default(void);
struct option_group profile_option_group(struct profile_options *options);
// Read the profile, if there is one. False after a message.
bool profile_options_read(struct profile_options *options);
void profile_options_free(struct profile_options *options);

#endif
