// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// jccsafe: the command. Which subcommand is meant; all else is theirs.
#include "arguments.h"
#include "commands.h"
#include "gnu_as.h"
#include "output.h"
#include "suggest.h"
#include <jccsafe/elf.h>
#include <jccsafe/version.h>
#include <stdio.h>
#include <string.h>

#if JCCSAFE_HAVE_LLVM
#include <jccsafe/assemble.h>
#endif

struct command {
    const char *name;
    const char *summary;
    int (*run)(struct arguments *arguments);
};

static const struct command commands[] = {
    {"as", "assemble a .s file so that no branch is affected", command_as},
    {"check", "look for affected branches in objects, executables, libraries and archives", command_check},
    {"cpu", "say whether this CPU is affected", command_cpu},
};
#define COMMANDS (sizeof commands / sizeof commands[0])

static int print_help(struct arguments *arguments)
{
    (void)arguments;
    puts("Usage: jccsafe COMMAND [OPTION]... [FILE]...\n"
         "x86 code whose branches neither cross nor end on a 32-byte boundary (Intel's JCC erratum).\n\n"
         "Commands:");
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-11s%s\n", commands[i].name, commands[i].summary);
    puts("\nOptions:\n"
         "  --help     print this help; 'jccsafe COMMAND --help' prints that of a command\n"
         "  --version  print the version, and those of the libraries used\n\n"
         "@FILE stands for the words in FILE. Exit status: 0 clean, 1 findings or errors in the source,\n"
         "2 wrong usage, or input or output that failed.");
    return EXIT_CLEAN;
}

static int print_version(struct arguments *arguments)
{
    (void)arguments;
    printf("jccsafe %s\n", jcc_version());
#if JCCSAFE_HAVE_LLVM
    printf("LLVM %s\n", jcc_llvm_version());
#else
    puts("LLVM none");
#endif
    printf("libelf %s\n", jcc_elf_library_version());
    return EXIT_CLEAN;
}

// Known in the place of a command, but not listed among them.
static const struct command global_options[] = {
    {"--help", NULL, print_help},
    {"--version", NULL, print_version},
    {"-h", NULL, print_help},
    {"help", NULL, print_help},
};
#define GLOBAL_OPTIONS (sizeof global_options / sizeof global_options[0])

static const struct command *find(const struct command *table, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    }
    return NULL;
}

static int complain_unknown(const char *name)
{
    struct suggestion best = suggest_for(name, strlen(name));
    for (size_t i = 0; i < COMMANDS; i++)
        suggest_consider(&best, commands[i].name);
    for (size_t i = 0; i < GLOBAL_OPTIONS; i++)
        suggest_consider(&best, global_options[i].name);
    const char *what = name[0] == '-' ? "option" : "command";
    if (best.name != NULL)
        message(NULL, "unknown %s '%s'; did you mean '%s'?", what, name, best.name);
    else
        message(NULL, "unknown %s '%s'; 'jccsafe --help' lists them", what, name);
    return EXIT_TROUBLE;
}

static int dispatch(struct arguments *arguments)
{
    if (arguments->count == 0) {
        message(NULL, "no command; 'jccsafe --help' lists them");
        return EXIT_TROUBLE;
    }
    const char *name = arguments->list[0];
    const struct command *command = find(commands, COMMANDS, name);
    if (command == NULL)
        command = find(global_options, GLOBAL_OPTIONS, name);
    if (command == NULL)
        return complain_unknown(name);
    arguments_shift(arguments);
    return command->run(arguments);
}

// Whether the command is called by the name of GNU as, as x86_64-linux-gnu-as too.
static bool is_called_as(const char *word)
{
    const char *slash = strrchr(word, '/'), *name = slash != NULL ? slash + 1 : word;
    size_t length = strlen(name);
    return strcmp(name, "as") == 0 || (length > 3 && strcmp(name + length - 3, "-as") == 0);
}

int main(int argc, char **argv)
{
    struct arguments arguments;
    output_start();
    int status = EXIT_TROUBLE;
    if (arguments_expand(argc > 0 ? (size_t)argc - 1 : 0, argv + 1, &arguments))
        status = argc > 0 && is_called_as(argv[0]) ? command_gnu_as(&arguments) : dispatch(&arguments);
    arguments_free(&arguments);
    return output_finish(status);
}
