// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a few functions one instruction at a time, and at each instruction, pads among them, walks the stack by the unwind
// tables: main must be found, with its frame where main itself says it is.
#define _GNU_SOURCE
#include <alloca.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unwind.h>

#define TRAP_FLAG 0x100

int main(void);

static volatile sig_atomic_t stepping;
static uintptr_t frame_of_main;
static unsigned steps, lost;

__attribute__((noinline)) static unsigned leaf(unsigned x, unsigned y)
{
    while (x > y)
        x -= y / 2 + 1;
    return x ^ y;
}

// More values alive over a call than there are registers that no callee saves, so all of those are pushed.
__attribute__((noinline)) static unsigned many(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f, unsigned g)
{
    unsigned h = leaf(a, b), i = leaf(c, d), j = leaf(e, f);
    if (h & 1)
        return leaf(h, i) + leaf(j, g) + a * b - c * d;
    return leaf(i, j) * leaf(g, h) + e * f + (a ^ c);
}

__attribute__((noinline)) static unsigned with_alloca(unsigned n)
{
    unsigned *values = alloca((n + 3) * sizeof *values), sum = 0;
    for (unsigned i = 0; i < n; i++)
        values[i] = many(i, n, i + 1, 3, sum, 5, i * 7);
    for (unsigned i = 0; i < n; i++)
        sum = sum * 17 + values[i];
    return sum;
}

__attribute__((noinline)) static unsigned recursive(unsigned n)
{
    volatile unsigned char room[56];
    memset((void *)room, (int)n, sizeof room);
    switch (n % 5) {
    case 0: return n == 0 ? room[7] : recursive(n - 1) + 3;
    case 1: return recursive(n - 1) ^ room[9];
    case 2: return with_alloca(n % 4) + recursive(n - 1);
    case 3: return leaf(n, 2) + recursive(n - 1);
    default: return many(n, 1, n, 2, n, 3, 9) - recursive(n - 1);
    }
}

static void *const stepped[] = {leaf, many, with_alloca, recursive};

struct walk {
    int main_seen;
    int frame_right;
};

// What _Unwind_GetCFA tells in a frame is the end of the frame below it: main's own is told by main's caller.
static _Unwind_Reason_Code look_for_main(struct _Unwind_Context *context, void *opaque)
{
    struct walk *walk = opaque;
    if (walk->main_seen) {
        walk->frame_right = _Unwind_GetCFA(context) == frame_of_main;
        return _URC_END_OF_STACK;
    }
    walk->main_seen = _Unwind_FindEnclosingFunction((void *)(_Unwind_GetIP(context) - 1)) == (void *)main;
    return _URC_NO_REASON;
}

static void on_trap(int number, siginfo_t *info, void *opaque)
{
    (void)number, (void)info;
    greg_t *registers = ((ucontext_t *)opaque)->uc_mcontext.gregs;
    if (stepping)
        registers[REG_EFL] |= TRAP_FLAG;
    else
        registers[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    void *function = _Unwind_FindEnclosingFunction((void *)registers[REG_RIP]);
    for (unsigned i = 0; i < sizeof stepped / sizeof *stepped; i++) {
        if (stepped[i] == function) {
            struct walk walk = {0, 0};
            _Unwind_Backtrace(look_for_main, &walk);
            steps++;
            lost += !walk.frame_right;
            if (!walk.frame_right && lost < 10)
                printf("lost at %#llx\n", (unsigned long long)registers[REG_RIP]);
        }
    }
}

int main(void)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO};
    action.sa_sigaction = on_trap;
    sigaction(SIGTRAP, &action, NULL);
    frame_of_main = (uintptr_t)__builtin_dwarf_cfa();
    stepping = 1;
    raise(SIGTRAP);
    unsigned sum = recursive(24);
    stepping = 0;
    raise(SIGTRAP);
    printf("%08x, %s steps, %u lost\n", sum, steps > 1000 ? "many" : "too few", lost);
    return lost != 0;
}
