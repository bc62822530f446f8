// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profile_options.h"
#include "output.h"
#include <stdlib.h>
#include <string.h>

// What is left to "cold" is a hundredth of the time.
#define SHARE_DEFAULT 99

// What a no-operation in the hottest function weighs, times one in a function that the profile does not have.
#define WEIGHT_MAX 64u

static bool set_profile(void *context, const char *value)
{
    struct profile_options *options = context;
    options->path = value;
    return true;
}

static bool set_profile_share(void *context, const char *value)
{
    struct profile_options *options = context;
    char *end;
    unsigned long share = strtoul(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end != '\0' || share < 1 || share > 100) {
        message(NULL, "--profile-share=%s: must be a percentage from 1 to 100", value);
        return false;
    }
    options->has_share = true;
    options->share = (unsigned)share;
    return true;
}

static bool set_profile_use(void *context, const char *value)
{
    struct profile_options *options = context;
    options->has_use = true;
    options->weighs = strcmp(value, "weights") == 0;
    if (!options->weighs && strcmp(value, "scope") != 0) {
        message(NULL, "--profile-use=%s: must be scope or weights", value);
        return false;
    }
    return true;
}

static const struct option profile_table[] = {
    {"--profile", "FILE", "pad the functions that are hot in this profile alone: callgrind's, perf script's, or COUNT NAME lines",
     set_profile},
    {"--profile-use", "scope|weights", "pad them alone (default), or pad all code and keep no-operations out of them", set_profile_use},
    {"--profile-share", "N", "hot is what holds N per cent of the profile's counts (default 99)", set_profile_share},
};

struct profile_options profile_options_default(void)
{
    return (struct profile_options){.share = SHARE_DEFAULT};
}

struct option_group profile_option_group(struct profile_options *options)
{
    return (struct option_group){profile_table, sizeof profile_table / sizeof profile_table[0], options};
}

static bool weigh(struct profile_options *options)
{
    const struct profile *profile = &options->profile;
    options->weights = calloc(profile->count, sizeof options->weights[0]);
    for (size_t k = 0; options->weights != NULL && k < profile->count; k++) {
        double share = (double)profile->counts[k] / (double)profile->counts[0]; // the hottest comes first
        uint32_t weight = (uint32_t)(share * WEIGHT_MAX);
        options->weights[k] = (struct jcc_function_weight){profile->hot[k], weight > 1 ? weight : 1};
    }
    return options->weights != NULL;
}

// NAME with a backslash before each character that fnmatch() reads in another way.
static char *escape(const char *name)
{
    char *escaped = malloc(2 * strlen(name) + 1), *to = escaped;
    for (; escaped != NULL && *name != '\0'; name++) {
        if (strchr("*?[\\", *name) != NULL)
            *to++ = '\\';
        *to++ = *name;
    }
    if (escaped != NULL)
        *to = '\0';
    return escaped;
}

static bool escape_all(struct profile *profile)
{
    for (size_t k = 0; k < profile->count; k++) {
        char *escaped = escape(profile->hot[k]);
        if (escaped == NULL)
            return false;
        free(profile->hot[k]);
        profile->hot[k] = escaped;
    }
    return true;
}

bool profile_options_read(struct profile_options *options)
{
    if (options->path == NULL && (options->has_use || options->has_share)) {
        message(NULL, "%s needs --profile", options->has_use ? "--profile-use" : "--profile-share");
        return false;
    }
    if (options->path == NULL)
        return true;
    if (!profile_read(options->path, options->share, &options->profile))
        return false;
    if (options->weighs ? weigh(options) : escape_all(&options->profile))
        return true;
    message(NULL, "out of memory");
    return false;
}

void profile_options_free(struct profile_options *options)
{
    free(options->weights);
    profile_free(&options->profile);
}
