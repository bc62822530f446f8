// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thread-local variables: own, of another file, initialised and not, in several threads.
#include "tls.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define THREADS 4
#define TURNS   10000

static __thread int own = 5;
static __thread char text[24];
__thread unsigned seen_from_afar = 1000;

static void *work(void *argument)
{
    long number = (long)argument;
    long sum = 0;
    for (int i = 0; i < TURNS; i++) {
        own += (int)number;
        tls_shared ^= own;
        sum += tls_bump((int)number) + tls_shared;
        seen_from_afar++;
        if (own % 7 == 3)
            sum -= *tls_address_of_shared();
    }
    snprintf(text, sizeof text, "%ld: %d %u", number, own, tls_peek());
    static char lines[THREADS + 1][40];
    snprintf(lines[number], sizeof lines[number], "%s %ld %d", text, sum, tls_address_of_shared() == &tls_shared);
    return lines[number];
}

int main(void)
{
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++) {
        void *line;
        pthread_join(threads[i], &line);
        puts(line);
    }
    puts(work((void *)0));
    return own == 5 && tls_peek() == 1000 + TURNS ? 0 : 1;
}
