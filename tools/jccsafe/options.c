// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options.h"
#include "output.h"
#include "suggest.h"
#include <stdio.h>
#include <string.h>

#define HELP_COLUMN 34

static bool set_color(void *context, const char *value)
{
    static const struct {
        const char *name;
        enum color_when when;
    } choices[] = {{"auto", COLOR_AUTO}, {"always", COLOR_ALWAYS}, {"never", COLOR_NEVER}};
    (void)context;
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        if (strcmp(value, choices[i].name) == 0) {
            output_color(choices[i].when);
            return true;
        }
    }
    message(NULL, "--color=%s: must be auto, always or never", value);
    return false;
}

static bool set_help(void *context, const char *value)
{
    (void)value;
    *(bool *)context = true;
    return true;
}

static const struct option common_options[] = {
    {"--color", "auto|always|never", "colour messages and findings (auto: on a terminal, but for NO_COLOR)", set_color},
    {"--help", NULL, "print this help", set_help},
};

// Whether ARGUMENT is OPTION, perhaps with a value joined to it: *VALUE is where that begins, else NULL.
static bool matches(const struct option *option, const char *argument, const char **value)
{
    size_t length = strlen(option->name);
    bool is_long = option->name[1] == '-';
    *value = NULL;
    if (strncmp(argument, option->name, length) != 0)
        return false;
    if (argument[length] == '\0')
        return true;
    if (is_long && argument[length] == '=')
        *value = argument + length + 1;
    else if (!is_long && option->value != NULL)
        *value = argument + length;
    return *value != NULL;
}

struct match {
    const struct option *option;
    void *context;
    const char *value;
};

static bool find_in_group(const struct option_group *group, const char *argument, struct match *match)
{
    for (size_t i = 0; i < group->count; i++) {
        if (matches(&group->options[i], argument, &match->value)) {
            match->option = &group->options[i];
            match->context = group->context;
            return true;
        }
    }
    return false;
}

static void suggest_from_group(struct suggestion *best, const struct option_group *group)
{
    for (size_t i = 0; i < group->count; i++)
        suggest_consider(best, group->options[i].name);
}

static void complain_unknown(const struct command_line *line, const struct option_group *common, const char *argument)
{
    // Only the name is misspelt, not its value.
    int length = (int)strcspn(argument, "=");
    struct suggestion best = suggest_for(argument, (size_t)length);
    for (size_t i = 0; i < line->group_count; i++)
        suggest_from_group(&best, &line->groups[i]);
    suggest_from_group(&best, common);
    if (best.name != NULL)
        message(NULL, "unknown option '%.*s'; did you mean '%s'?", length, argument, best.name);
    else
        message(NULL, "unknown option '%.*s'; 'jccsafe %s --help' lists them", length, argument, line->command);
}

static bool is_optional(const struct option *option)
{
    return option->value != NULL && option->value[0] == '[';
}

static bool apply(struct match *match, const struct arguments *arguments, size_t *index)
{
    const struct option *option = match->option;
    if (option->value == NULL && match->value != NULL) {
        message(NULL, "option '%s' takes no value", option->name);
        return false;
    }
    if (option->value != NULL && match->value == NULL && !is_optional(option)) {
        if (*index + 1 >= arguments->count) {
            message(NULL, "option '%s' needs a value: %s", option->name, option->value);
            return false;
        }
        match->value = arguments->list[++*index];
    }
    return option->set(match->context, match->value);
}

static void print_option(const struct option *option)
{
    int width = printf("  %s", option->name);
    if (option->value != NULL)
        width += printf("%s%s", is_optional(option) ? "" : option->name[1] == '-' ? "=" : " ", option->value);
    if (width >= HELP_COLUMN) {
        putchar('\n');
        width = 0;
    }
    printf("%*s%s\n", HELP_COLUMN - width, "", option->help);
}

static void print_help(const struct command_line *line, const struct option_group *common)
{
    printf("Usage: jccsafe %s [OPTION]...%s%s\n", line->command, line->operands[0] != '\0' ? " " : "", line->operands);
    printf("%s\n\nOptions:\n", line->summary);
    for (size_t g = 0; g <= line->group_count; g++) {
        const struct option_group *group = g < line->group_count ? &line->groups[g] : common;
        for (size_t i = 0; i < group->count; i++)
            print_option(&group->options[i]);
    }
}

static bool find(const struct command_line *line, const struct option_group *common, const char *argument, struct match *match)
{
    for (size_t i = 0; i < line->group_count; i++) {
        if (find_in_group(&line->groups[i], argument, match))
            return true;
    }
    return find_in_group(common, argument, match);
}

enum parsed options_parse(const struct command_line *line, struct arguments *arguments, size_t *operands)
{
    bool help = false, ended = false;
    const struct option_group common = {common_options, sizeof common_options / sizeof common_options[0], &help};
    size_t count = 0;
    for (size_t i = 0; i < arguments->count; i++) {
        char *argument = arguments->list[i];
        if (!ended && strcmp(argument, "--") == 0) {
            ended = true;
            continue;
        }
        if (ended || argument[0] != '-' || argument[1] == '\0') {
            // A swap: what goes back is done with, but stays in the list, which owns it.
            arguments->list[i] = arguments->list[count];
            arguments->list[count++] = argument;
            continue;
        }
        struct match match;
        if (!find(line, &common, argument, &match)) {
            complain_unknown(line, &common, argument);
            return PARSED_BAD;
        }
        if (!apply(&match, arguments, &i))
            return PARSED_BAD;
    }
    *operands = count;
    if (help)
        print_help(line, &common);
    return help ? PARSED_HELP : PARSED_OK;
}
