// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline assembly as real programs have it: loops on local labels, string instructions, locked ones, asm goto, short branches
// that have no long form, and tables that name instructions by address, as kernels fix up faults with.
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

__attribute__((noinline)) static uint64_t collatz(uint64_t n)
{
    uint64_t steps = 0;
    __asm__ volatile("1: cmpq $1, %[n]\n\t"
                     "je 3f\n\t"
                     "incq %[steps]\n\t"
                     "testb $1, %b[n]\n\t"
                     "jne 2f\n\t"
                     "shrq %[n]\n\t"
                     "jmp 1b\n"
                     "2: leaq 1(%[n],%[n],2), %[n]\n\t"
                     "jmp 1b\n"
                     "3:"
                     : [n] "+q"(n), [steps] "+r"(steps)
                     :
                     : "cc");
    return steps;
}

__attribute__((noinline)) static unsigned counted(unsigned long n)
{
    unsigned sum = 0;
    __asm__ volatile("jrcxz 2f\n"
                     "1: leal 1(%[sum],%[sum],4), %[sum]\n\t"
                     "rorl $3, %[sum]\n\t"
                     "xorl %%ecx, %[sum]\n\t"
                     "loop 1b\n"
                     "2:"
                     : [sum] "+r"(sum), "+c"(n)
                     :
                     : "cc");
    return sum;
}

__attribute__((noinline)) static void copy(void *to, const void *from, size_t n)
{
    __asm__ volatile("rep\n\tmovsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

__attribute__((noinline)) static int classify(unsigned x)
{
    __asm__ goto("testl %0, %0; js %l[negative]; cmpl $9, %0; ja %l[big]; lock; addl $1, (%1); jmp %l[done]"
                 :
                 : "r"(x), "r"(&(int){0})
                 : "cc", "memory"
                 : negative, big, done);
done:
    return 1;
negative:
    return -1;
big:
    return 2;
}

// The table: where an instruction may fault, and where to go on. The labels must be exactly at their instructions.
struct fixup {
    uint64_t fault;
    uint64_t go_on;
};
extern const struct fixup __start_fixups[], __stop_fixups[]; // the linker's names for the section's ends

__attribute__((noinline)) static int try_to_read(const int *from, int *value)
{
    int failed = 1;
    __asm__ volatile("1: movl (%[from]), %[value]\n\t"
                     "xorl %[failed], %[failed]\n"
                     "2:\n\t"
                     ".pushsection fixups,\"aw\",@progbits\n\t"
                     ".balign 8\n\t"
                     ".quad 1b, 2b\n\t"
                     ".popsection"
                     : [value] "=&r"(*value), [failed] "+r"(failed)
                     : [from] "r"(from)
                     : "cc", "memory");
    return !failed;
}

__attribute__((noinline)) static int try_to_divide(int a, int b, int *quotient)
{
    int failed = 1;
    __asm__ volatile("cltd\n"
                     "1: idivl %[b]\n\t"
                     "movl $0, %[failed]\n"
                     "2:\n\t"
                     ".pushsection fixups,\"aw\",@progbits\n\t"
                     ".balign 8\n\t"
                     ".quad 1b, 2b\n\t"
                     ".popsection"
                     : "=&a"(*quotient), [failed] "+r"(failed)
                     : "0"(a), [b] "r"(b)
                     : "cc", "edx");
    return !failed;
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    (void)info;
    greg_t *at = &((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    for (const struct fixup *fixup = __start_fixups; fixup < __stop_fixups; fixup++) {
        if (fixup->fault == (uint64_t)*at) {
            *at = (greg_t)fixup->go_on;
            return;
        }
    }
    signal(number, SIG_DFL); // no such instruction: die of it
}

int main(void)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO};
    action.sa_sigaction = on_fault;
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGFPE, &action, NULL);

    uint64_t steps = 0;
    for (uint64_t n = 1; n < 2000; n++)
        steps += collatz(n);
    char text[40] = "";
    copy(text, "copied by a string instruction", 31);
    printf("%llu %08x %08x %s\n", (unsigned long long)steps, counted(0), counted(1000), text);
    printf("%d %d %d\n", classify(3), classify(70), classify(0x80000000u));
    int value = 0, good = 77, failures = 0;
    for (int i = 0; i < 50; i++) {
        failures += !try_to_read(i % 3 ? &good : (const int *)(uintptr_t)16, &value);
        failures += !try_to_divide(1000, i % 5, &value);
    }
    printf("%d %d\n", failures, value);
    return 0;
}
