// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What -finstrument-functions calls; the counts are printed at the end.
#include <stdio.h>

static unsigned long entered, left, mixed;

void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);

void __cyg_profile_func_enter(void *function, void *site)
{
    entered++;
    mixed += function == site;
}

void __cyg_profile_func_exit(void *function, void *site)
{
    left++;
    mixed += function == site;
}

__attribute__((destructor)) static void tell(void)
{
    printf("entered %lu, left %lu, mixed %lu\n", entered, left, mixed);
}
