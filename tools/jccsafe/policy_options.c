// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "policy_options.h"
#include "output.h"
#include <stdlib.h>
#include <string.h>

static bool set_policy(void *context, const char *value)
{
    struct policy_options *options = context;
    if (jcc_policy_named(value, &options->preset) == JCC_OK)
        return true;
    message(NULL, "--policy=%s: must be full, clang or off", value);
    return false;
}

static bool set_kinds(void *context, const char *value)
{
    struct policy_options *options = context;
    options->has_kinds = true;
    if (jcc_kinds_parse(value, &options->kinds) == JCC_OK)
        return true;
    message(NULL, "--align-branch=%s: must be one or more of jcc, fused, jmp, call, ret and indirect, joined by '+'", value);
    return false;
}

// A decimal number and nothing else.
static bool parse_number(const char *text, uint32_t *number)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || value > UINT32_MAX)
        return false;
    *number = (uint32_t)value;
    return true;
}

static bool set_boundary(void *context, const char *value)
{
    struct policy_options *options = context;
    struct jcc_policy policy = jcc_policy_full();
    if (parse_number(value, &policy.boundary) && jcc_policy_check(&policy) == JCC_OK) {
        options->has_boundary = true;
        options->boundary = policy.boundary;
        return true;
    }
    message(NULL, "--align-branch-boundary=%s: must be 0 (off) or a power of two from %u to %u", value, JCC_BOUNDARY_MIN, JCC_BOUNDARY_MAX);
    return false;
}

static bool set_prefix_limit(void *context, const char *value)
{
    struct policy_options *options = context;
    struct jcc_policy policy = jcc_policy_full();
    if (parse_number(value, &policy.prefix_limit) && jcc_policy_check(&policy) == JCC_OK) {
        options->has_prefix_limit = true;
        options->prefix_limit = policy.prefix_limit;
        return true;
    }
    message(NULL, "--align-branch-prefix-size=%s: must be a number from 0 to %u", value, JCC_PREFIX_LIMIT_MAX);
    return false;
}

static const struct option policy_table[] = {
    {"--policy", "full|clang|off", "every kind (default); jcc, fused and jmp; or none", set_policy},
    {"--align-branch", "KINDS", "these kinds: jcc, fused, jmp, call, ret, indirect, joined by '+'", set_kinds},
    {"--align-branch-boundary", "N", "bytes: a power of two from 16 to 256 (default 32); 0 is off", set_boundary},
    {"--align-branch-prefix-size", "N", "prefixes an instruction may have in all, 0 to 5 (default 5)", set_prefix_limit},
};

struct policy_options policy_options_default(void)
{
    struct policy_options options;
    memset(&options, 0, sizeof options);
    options.preset = jcc_policy_full();
    return options;
}

struct option_group policy_option_group(struct policy_options *options)
{
    return (struct option_group){policy_table, sizeof policy_table / sizeof policy_table[0], options};
}

struct jcc_policy policy_of(const struct policy_options *options)
{
    struct jcc_policy policy = options->preset;
    if (options->has_kinds)
        policy.kinds = options->kinds;
    if (options->has_boundary)
        policy.boundary = options->boundary;
    if (options->has_prefix_limit)
        policy.prefix_limit = options->prefix_limit;
    return policy;
}
