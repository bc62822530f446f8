// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _XOPEN_SOURCE 700
#include "crash.h"
#include "output.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// LLVM aborts where it gives up; the others are its faults. A sanitizer has handlers of its own for some, which stay.
static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};

// A stack that has run out is no place for a handler.
static char stack[1 << 16];

// Written beforehand: a handler can do little but write.
static char text[1024];
static size_t length;

static void tell_and_exit(int number)
{
    (void)number;
    if (write(STDERR_FILENO, text, length) < 0)
        length = 0; // nobody is there to be told
    _exit(EXIT_TROUBLE);
}

void crash_guard(const char *file)
{
    snprintf(text, sizeof text, "jccsafe: %.800s: the assembler crashed over this source; no object is written\n", file);
    length = strlen(text);
    for (size_t k = 0; k + 1 < length; k++)
        if ((unsigned char)text[k] < ' ' || text[k] == 0x7f)
            text[k] = '?'; // as message() keeps them from the terminal
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    int flags = sigaltstack(&other, NULL) == 0 ? SA_ONSTACK : 0;
    for (size_t k = 0; k < sizeof signals / sizeof signals[0]; k++) {
        struct sigaction old, action = {.sa_handler = tell_and_exit, .sa_flags = flags};
        sigemptyset(&action.sa_mask);
        if (sigaction(signals[k], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(signals[k], &action, NULL);
    }
}
