// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _XOPEN_SOURCE 700
#include "progress.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define PERIOD_S   1
#define LINE_MAX_B 72 // bytes: a line must not wrap, or it cannot be taken away

static const char erase[] = "\r\033[K";
static char line[LINE_MAX_B + sizeof erase];
static size_t line_length;
static volatile sig_atomic_t shown;
static bool running;

static void write_all(const char *text, size_t length)
{
    int saved = errno;
    // Nothing can be done about a terminal that does not take it.
    ssize_t ignored = write(STDERR_FILENO, text, length);
    (void)ignored;
    errno = saved;
}

// Only write() is called: the signal may come in the middle of LLVM.
static void draw(int signal_number)
{
    (void)signal_number;
    write_all(line, line_length);
    shown = 1;
}

static bool wanted(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term != NULL && strcmp(term, "dumb") != 0;
}

static void set_timer(time_t seconds)
{
    struct itimerval timer = {.it_interval = {.tv_sec = seconds}, .it_value = {.tv_sec = seconds}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void block_alarm(int how)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    sigprocmask(how, &set, NULL);
}

// Control characters and bytes beyond ASCII would make the line's width unknown.
static void set_line(const char *verb, const char *file)
{
    int length = snprintf(line, sizeof line, "%s%s %s", erase, verb, file);
    line_length = length < (int)sizeof line ? (size_t)length : sizeof line - 1;
    for (size_t i = sizeof erase - 1; i < line_length; i++) {
        if (line[i] < 0x20 || line[i] > 0x7e)
            line[i] = '?';
    }
}

void progress_start(const char *verb, const char *file)
{
    if (running) {
        block_alarm(SIG_BLOCK);
        set_line(verb, file);
        block_alarm(SIG_UNBLOCK);
        return;
    }
    if (!wanted())
        return;
    set_line(verb, file);
    struct sigaction action = {.sa_handler = draw, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGALRM, &action, NULL) != 0)
        return;
    running = true;
    set_timer(PERIOD_S);
}

void progress_clear(void)
{
    if (!shown)
        return;
    write_all(erase, sizeof erase - 1);
    shown = 0;
}

void progress_stop(void)
{
    if (!running)
        return;
    set_timer(0);
    running = false;
    progress_clear();
}
