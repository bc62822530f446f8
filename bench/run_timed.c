// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// run_timed RUNS COMMAND... [, COMMAND...]...: run each command RUNS times, in turns and each turn in another order, so that what else the machine does,
// and what the one before leaves behind, meets all of them alike. Prints a line for each: the medians of its processor time (user and system) and of its wall time in
// seconds, and the most memory it had at once, in KiB. The commands' own output is thrown away.
#define _GNU_SOURCE // wait4
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define COMMANDS_MAX 16
#define RUNS_MAX     99

struct command {
    char **words;
    double processor[RUNS_MAX]; // seconds
    double wall[RUNS_MAX];
    long peak; // KiB
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static void become(char **words)
{
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
        _exit(127);
    execvp(words[0], words);
    _exit(127);
}

// False when it could not be run, or did not end with 0.
static int run(struct command *command, int turn)
{
    struct rusage used;
    int status;
    double start = now();
    pid_t child = fork();
    if (child == 0)
        become(command->words);
    if (child < 0 || wait4(child, &status, 0, &used) != child)
        return 0;
    command->wall[turn] = now() - start;
    command->processor[turn] = seconds(used.ru_utime) + seconds(used.ru_stime);
    if (used.ru_maxrss > command->peak)
        command->peak = used.ru_maxrss;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

// Split ARGV at "," into commands; returns how many, 0 when there are none, too many, or an empty one.
static int split(char **argv, struct command *commands)
{
    int count = 0;
    for (char **word = argv; *word;) {
        if (count == COMMANDS_MAX || !strcmp(*word, ","))
            return 0;
        commands[count++].words = word;
        while (*word && strcmp(*word, ",") != 0)
            word++;
        if (*word)
            *word++ = NULL;
    }
    return count;
}

// Another order each time, the same ones on every machine (splitmix64).
static void shuffle(int *order, int count, uint64_t *state)
{
    for (int k = count - 1; k > 0; k--) {
        uint64_t z = (*state += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        int other = (int)((z ^ (z >> 31)) % (uint64_t)(k + 1)), kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
}

int main(int argc, char **argv)
{
    static struct command commands[COMMANDS_MAX];
    int order[COMMANDS_MAX];
    uint64_t state = 1;
    int runs = argc > 1 ? atoi(argv[1]) : 0;
    int count = argc > 2 ? split(argv + 2, commands) : 0;
    if (runs < 1 || runs > RUNS_MAX || count == 0) {
        fprintf(stderr, "usage: run_timed RUNS COMMAND... [, COMMAND...]...\n");
        return 2;
    }
    for (int k = 0; k < count; k++)
        order[k] = k;
    for (int turn = 0; turn < runs; turn++) {
        shuffle(order, count, &state);
        for (int k = 0; k < count; k++) {
            if (!run(&commands[order[k]], turn)) {
                fprintf(stderr, "run_timed: %s failed\n", commands[order[k]].words[0]);
                return 1;
            }
        }
    }
    for (int k = 0; k < count; k++)
        printf("%.3f %.3f %ld\n", median(commands[k].processor, runs), median(commands[k].wall, runs), commands[k].peak);
    return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
