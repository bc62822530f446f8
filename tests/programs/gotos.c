// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An interpreter with computed gotos: addresses of labels as data, in both forms that compilers know.
#include <stdint.h>
#include <stdio.h>

enum op { PUSH, ADD, SUB, MUL, DUP, SWAP, JUMP_IF, DROP, OVER, PRINT, HALT, OPS };

__attribute__((noinline)) static int64_t interpret(const int *code, int64_t argument)
{
    static void *const labels[OPS] = {
        [PUSH] = &&push, [ADD] = &&add,         [SUB] = &&sub,   [MUL] = &&mul,     [DUP] = &&dup,  [SWAP] = &&swap,
        [DROP] = &&drop, [JUMP_IF] = &&jump_if, [OVER] = &&over, [PRINT] = &&print, [HALT] = &&halt};
    int64_t stack[64], *top = stack, hold;
    const int *at = code;
    *top = argument;
    goto *labels[*at];
push:
    *++top = at[1];
    at += 2;
    goto *labels[*at];
add:
    top--, *top += top[1];
    goto *labels[*++at];
sub:
    top--, *top -= top[1];
    goto *labels[*++at];
mul:
    top--, *top *= top[1];
    goto *labels[*++at];
dup:
    top++, *top = top[-1];
    goto *labels[*++at];
swap:
    hold = *top, *top = top[-1], top[-1] = hold;
    goto *labels[*++at];
drop:
    top--;
    goto *labels[*++at];
over:
    top++, *top = top[-2];
    goto *labels[*++at];
jump_if:
    at = *top-- ? code + at[1] : at + 2;
    goto *labels[*at];
print:
    printf("%lld\n", (long long)*top);
    goto *labels[*++at];
halt:
    return *top;
}

// Differences of label addresses, as position-independent programs keep them.
__attribute__((noinline)) static unsigned by_difference(const unsigned char *text)
{
    static const int offsets[] = {&&zero - &&zero, &&one - &&zero, &&two - &&zero, &&three - &&zero};
    unsigned sum = 1;
    goto *(&&zero + offsets[*text & 3]);
zero:
    if (!*text)
        return sum;
    sum = sum * 31 + 7;
    goto *(&&zero + offsets[*++text & 3]);
one:
    sum ^= sum >> 3;
    goto *(&&zero + offsets[*++text & 3]);
two:
    sum += *text;
    goto *(&&zero + offsets[*++text & 3]);
three:
    sum = (sum << 5) | (sum >> 27);
    goto *(&&zero + offsets[*++text & 3]);
}

int main(void)
{
    // Factorial by a loop: (n acc) -> n! modulo 2^64, printing as it goes.
    static const int factorial[] = {PUSH, 1, OVER, MUL, SWAP, PUSH, 1, SUB, SWAP, PRINT, OVER, JUMP_IF, 2, HALT};
    printf("%lld\n", (long long)interpret(factorial, 12));
    int64_t sum = 0;
    static const int mix[] = {DUP, PUSH, 3, MUL, SWAP, PUSH, 7, ADD, MUL, DUP, PUSH, 2, SUB, DROP, HALT};
    for (int i = 0; i < 100000; i++)
        sum = sum * 5 + interpret(mix, i);
    printf("%lld %08x\n", (long long)sum, by_difference((const unsigned char *)"the quick brown fox jumps over the lazy dog"));
    return 0;
}
