// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <jccsafe/policy.h>
#include <stdbool.h>
#include <string.h>

// What the first version of the struct had; it never shrinks.
#define POLICY_FIRST_SIZE (offsetof(struct jcc_policy, scope) + sizeof(uint32_t))

static const char *const kind_names[JCC_KIND_COUNT] = {
    [JCC_KIND_NONE] = "none", [JCC_KIND_JCC] = "jcc", [JCC_KIND_FUSED] = "fused",       [JCC_KIND_JMP] = "jmp",
    [JCC_KIND_CALL] = "call", [JCC_KIND_RET] = "ret", [JCC_KIND_INDIRECT] = "indirect",
};

static struct jcc_policy preset(uint32_t boundary, uint32_t kinds, uint32_t prefix_limit)
{
    struct jcc_policy policy;
    // The padding too, so that presets compare equal byte for byte.
    memset(&policy, 0, sizeof policy);
    policy.size = sizeof policy;
    policy.boundary = boundary;
    policy.kinds = kinds;
    policy.prefix_limit = prefix_limit;
    policy.scope = JCC_SCOPE_ALL;
    return policy;
}

struct jcc_policy jcc_policy_off(void)
{
    return preset(0, 0, 0);
}

struct jcc_policy jcc_policy_clang(void)
{
    return preset(JCC_BOUNDARY_INTEL, JCC_KINDS_CLANG, JCC_PREFIX_LIMIT_DEFAULT);
}

struct jcc_policy jcc_policy_full(void)
{
    return preset(JCC_BOUNDARY_INTEL, JCC_KINDS_ALL, JCC_PREFIX_LIMIT_DEFAULT);
}

static bool is_zero(const unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] != 0)
            return false;
    }
    return true;
}

static bool boundary_is_sound(uint32_t boundary)
{
    if (boundary == 0)
        return true;
    return boundary >= JCC_BOUNDARY_MIN && boundary <= JCC_BOUNDARY_MAX && (boundary & (boundary - 1)) == 0;
}

enum jcc_status jcc_policy_check(const struct jcc_policy *policy)
{
    if (policy == NULL || policy->size < POLICY_FIRST_SIZE || policy->size > JCC_POLICY_SIZE_MAX)
        return JCC_ERROR_ARGUMENT;
    if (policy->size > sizeof *policy && !is_zero((const unsigned char *)policy + sizeof *policy, policy->size - sizeof *policy))
        return JCC_ERROR_ARGUMENT;
    if (!boundary_is_sound(policy->boundary) || (policy->kinds & ~JCC_KINDS_ALL) != 0)
        return JCC_ERROR_POLICY;
    if (policy->prefix_limit > JCC_PREFIX_LIMIT_MAX || policy->scope > JCC_SCOPE_FUNCTIONS)
        return JCC_ERROR_POLICY;
    return JCC_OK;
}

enum jcc_status jcc_policy_named(const char *name, struct jcc_policy *policy)
{
    static const struct {
        const char *name;
        struct jcc_policy (*preset)(void);
    } presets[] = {{"off", jcc_policy_off}, {"clang", jcc_policy_clang}, {"full", jcc_policy_full}};

    if (name == NULL || policy == NULL)
        return JCC_ERROR_ARGUMENT;
    for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++) {
        if (strcmp(name, presets[i].name) == 0) {
            *policy = presets[i].preset();
            return JCC_OK;
        }
    }
    return JCC_ERROR_POLICY;
}

const char *jcc_kind_name(enum jcc_kind kind)
{
    size_t index = (size_t)kind;
    return kind_names[index < JCC_KIND_COUNT ? index : JCC_KIND_NONE];
}

// The kind whose name is the LENGTH characters at NAME; JCC_KIND_NONE when there is none.
static enum jcc_kind kind_named(const char *name, size_t length)
{
    for (unsigned kind = JCC_KIND_NONE + 1; kind < JCC_KIND_COUNT; kind++) {
        if (strlen(kind_names[kind]) == length && memcmp(kind_names[kind], name, length) == 0)
            return (enum jcc_kind)kind;
    }
    return JCC_KIND_NONE;
}

enum jcc_status jcc_kinds_parse(const char *list, uint32_t *kinds)
{
    if (list == NULL || kinds == NULL)
        return JCC_ERROR_ARGUMENT;
    if (*list == '\0') {
        *kinds = 0;
        return JCC_OK;
    }
    uint32_t set = 0;
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, "+");
        enum jcc_kind kind = kind_named(at, length);
        if (kind == JCC_KIND_NONE)
            return JCC_ERROR_POLICY;
        set |= JCC_KIND_BIT(kind);
        at += length;
        if (*at == '\0')
            break;
    }
    *kinds = set;
    return JCC_OK;
}
