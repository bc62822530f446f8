// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jump tables: dense, sparse and nested switches, driven by pseudo-random numbers.
#include <stdint.h>
#include <stdio.h>

#define ROUNDS 200000

static uint32_t state = 2463534242u;

static uint32_t next(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

__attribute__((noinline)) static uint32_t dense(uint32_t selector, uint32_t x)
{
    switch (selector % 24) {
    case 0: return x + 1;
    case 1: return x ^ 0x55555555u;
    case 2: return x * 3;
    case 3: return x >> 1;
    case 4: return x << 3 | x >> 29;
    case 5: return ~x;
    case 6: return x > 1000 ? x - 1000 : x + 77;
    case 7: return x % 1021;
    case 8: x += 5; // falls through
    case 9: return x * x;
    case 10: return x & 0xff00ff00u;
    case 11: return x | 1;
    case 12: return (x & 1) ? x / 3 : x / 5;
    case 13: return -x;
    case 14: return x - (x >> 7);
    case 15: return x ^ x >> 16;
    case 17: return 17;
    case 18: return x + 0x12345;
    case 19: return x * 0x9e3779b1u;
    case 20: return x ? 32u - (uint32_t)__builtin_clz(x) : 99;
    case 21: return x < 0x80000000u;
    case 22: return dense(x % 16, x >> 3);
    default: return x ^ 0xdeadbeefu;
    }
}

__attribute__((noinline)) static const char *sparse(uint32_t x)
{
    switch (x % 100003) {
    case 7: return "seven";
    case 99: return "ninety-nine";
    case 1000: return "thousand";
    case 4096: return "page";
    case 31337: return "elite";
    case 65535: return "words";
    case 65536: return "more";
    case 99999: return "last";
    default: return NULL;
    }
}

enum token { SPACE, DIGIT, LETTER, OPEN, CLOSE, SIGN, OTHER };

static enum token token_of(char c)
{
    switch (c) {
    case ' ':
    case '\t':
    case '\n': return SPACE;
    case '0' ... '9': return DIGIT;
    case 'a' ... 'z':
    case 'A' ... 'Z':
    case '_': return LETTER;
    case '(':
    case '[':
    case '{': return OPEN;
    case ')':
    case ']':
    case '}': return CLOSE;
    case '+':
    case '-':
    case '*':
    case '/': return SIGN;
    default: return OTHER;
    }
}

// A state machine: one switch inside another.
__attribute__((noinline)) static unsigned scan(const char *text)
{
    unsigned mode = 0, depth = 0, words = 0, numbers = 0, errors = 0;
    for (; *text; text++) {
        enum token token = token_of(*text);
        switch (mode) {
        case 0:
            switch (token) {
            case DIGIT: mode = 1, numbers++; break;
            case LETTER: mode = 2, words++; break;
            case OPEN: depth++; break;
            case CLOSE: depth ? depth-- : errors++; break;
            case OTHER: errors++; break;
            default: break;
            }
            break;
        case 1:
            switch (token) {
            case DIGIT: break;
            case LETTER: errors++, mode = 3; break;
            default: mode = 0, text--; break;
            }
            break;
        case 2: mode = token == LETTER || token == DIGIT ? 2 : (text--, 0); break;
        case 3: mode = token == SPACE ? 0 : 3; break;
        }
    }
    return depth << 24 | words << 16 | numbers << 8 | errors;
}

int main(void)
{
    uint32_t sum = 1;
    unsigned hits = 0;
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t r = next();
        sum = dense(r, sum + r);
        const char *name = sparse(r);
        if (name) {
            hits++;
            if (hits < 10)
                puts(name);
        }
    }
    printf("%08x %u %08x\n", sum, hits, scan("int main(void) { return (3 + x_1) * 99z 4 ? [12] : f(a, b1, 2c); } )"));
    return 0;
}
