// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options that make a policy, the same for every command that takes one.
#ifndef POLICY_OPTIONS_H
#define POLICY_OPTIONS_H

#include "options.h"
#include <jccsafe/policy.h>

struct policy_options {
    struct jcc_policy preset;
    // Each goes over the preset's, wherever on the command line it stands.
    bool has_kinds, has_boundary, has_prefix_limit;
    uint32_t kinds, boundary, prefix_limit;
};

// To begin with: the full policy.
struct policy_options policy_options_default(void);
// --policy and --align-branch*.
struct option_group policy_option_group(struct policy_options *options);
// What the options come to; sound always.
struct jcc_policy policy_of(const struct policy_options *options);

#endif
