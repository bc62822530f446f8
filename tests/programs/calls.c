// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every way in and out of a function: variable arguments, alloca, arrays of run-time size, function pointers, tail calls,
// deep recursion, large structs by value, setjmp and longjmp, weak functions that are not there.
#include <alloca.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void not_there(void) __attribute__((weak));

__attribute__((noinline)) static double sum_of(const char *types, ...)
{
    va_list list, again;
    double sum = 0;
    va_start(list, types);
    va_copy(again, list);
    for (const char *t = types; *t; t++) {
        switch (*t) {
        case 'i': sum += va_arg(list, int); break;
        case 'l': sum += (double)va_arg(list, long long); break;
        case 'd': sum += va_arg(list, double); break;
        case 'L': sum += (double)va_arg(list, long double); break;
        case 's': sum += (double)strlen(va_arg(list, const char *)); break;
        }
    }
    sum += va_arg(again, int);
    va_end(again);
    va_end(list);
    return sum;
}

__attribute__((noinline)) static unsigned on_the_stack(size_t n)
{
    unsigned *a = alloca(n * sizeof *a);
    unsigned char b[n + 1];
    for (size_t i = 0; i < n; i++) {
        a[i] = (unsigned)(i * i);
        b[i] = (unsigned char)(a[i] % 251);
    }
    b[n] = 0;
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++)
        sum = sum * 33 + a[n - 1 - i] + b[i];
    return n > 2 ? sum + on_the_stack(n / 2) : sum;
}

struct big {
    double d[9];
    int64_t i[5];
    char name[13];
};

__attribute__((noinline)) static struct big change(struct big big, int by)
{
    for (unsigned i = 0; i < 9; i++)
        big.d[i] = big.d[8 - i] + by;
    for (unsigned i = 0; i < 5; i++)
        big.i[i] ^= by << i;
    big.name[by % 12] = 'x';
    return big;
}

static int even(unsigned n);
static int odd(unsigned n)
{
    return n == 0 ? 0 : even(n - 1);
}
__attribute__((noinline)) static int even(unsigned n)
{
    return n == 0 ? 1 : odd(n - 1);
}

__attribute__((noinline)) static unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

static int by_value(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

static int by_digits(const void *a, const void *b)
{
    int x = *(const int *)a % 10, y = *(const int *)b % 10;
    return x == y ? by_value(a, b) : x - y;
}

static jmp_buf top;
static volatile int depth_reached;

__attribute__((noinline)) static void dive(int depth)
{
    char fill[40];
    memset(fill, depth, sizeof fill);
    depth_reached = depth;
    if (depth == 60)
        longjmp(top, 7);
    dive(depth + 1);
    printf("not reached %d\n", fill[3]);
}

__attribute__((noinline)) static long double series(long double x, int terms)
{
    long double sum = 0, term = 1;
    for (int i = 1; i <= terms; i++) {
        sum += term;
        term *= x / i;
    }
    return sum;
}

__attribute__((noinline)) static void strings(void)
{
    char text[64] = "";
    for (int i = 0; i < 9; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d,", i * i * i);
    char *copy = strdup(text);
    for (char *word = strtok(copy, ","); word; word = strtok(NULL, ","))
        printf("%ld ", strtol(word, NULL, 10) % 7);
    free(copy);
    printf("%d %d\n", (int)strlen(text), memcmp(text, "0,1,8", 5));
}

int main(void)
{
    printf("%.3f %.3f\n", sum_of("iiidsl", 1, -2, 3, 0.5, "five", 1ll << 40),
           sum_of("LdLiiiiiiii", 3.25L, 2.0, 1.5L, 1, 2, 3, 4, 5, 6, 7, 8));
    printf("%08x\n", on_the_stack(200));
    struct big big = {{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 4, 5}, "a dozen char"};
    for (int i = 1; i < 9; i++)
        big = change(big, i);
    printf("%.1f %lld %s\n", big.d[0] + big.d[8], (long long)(big.i[0] + big.i[4]), big.name);
    printf("%d %d %u\n", even(100), odd(77), ackermann(2, 9));
    int numbers[500];
    int (*const orders[])(const void *, const void *) = {by_value, by_digits};
    for (unsigned o = 0; o < 2; o++) {
        for (int i = 0; i < 500; i++)
            numbers[i] = (i * 7919 + 13) % 1009;
        qsort(numbers, 500, sizeof *numbers, orders[o]);
        printf("%d %d %d %d\n", numbers[0], numbers[100], numbers[250], numbers[499]);
    }
    int code = setjmp(top);
    if (code == 0)
        dive(1);
    printf("%d %d\n", code, depth_reached);
    printf("%.12Lf %.6f\n", series(1.0L, 25), sin(1.0) * pow(1.1, 3.0));
    strings();
    if (not_there)
        not_there();
    return 41;
}
