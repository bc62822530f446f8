// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The other file of tls.c: in the program, or in a shared library.
#include "tls.h"

__thread int tls_shared = 3;
static __thread long calls;
static __thread long total = 100;
static __thread short history[8];

// Several local ones in one function: the local-dynamic model asks for their module once.
int tls_bump(int by)
{
    calls++;
    total += by * (int)(calls & 3);
    history[calls & 7] = (short)total;
    return (int)(total + calls + history[(calls + 5) & 7]);
}

unsigned tls_peek(void)
{
    return seen_from_afar;
}

int *tls_address_of_shared(void)
{
    return &tls_shared;
}
