// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A random assembly source for x86-64, the same on every machine for one seed. It assembles plainly, and nothing in it keeps
// its branches from being planned but what the planner must find out for itself.
#ifndef JCCSAFE_TESTS_RANDOM_SOURCE_H
#define JCCSAFE_TESTS_RANDOM_SOURCE_H

#include "text.h"

#include <stdbool.h>
#include <stdint.h>

struct random_source {
    uint64_t state;
    struct jcc_text text;
    unsigned labels;  // L0 .. defined in all
    unsigned defined; // so far
    unsigned numeric; // `9:` labels so far
    bool dead;        // control does not run from the statement before into here
    bool data;        // data may stand between instructions
};

static inline uint32_t random_below(struct random_source *r, uint32_t bound)
{
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u); // splitmix64

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) % bound);
}

static inline const char *random_of(struct random_source *r, const char *const *list, uint32_t count)
{
    return list[random_below(r, count)];
}
#define RANDOM_OF(r, list) random_of(r, list, (uint32_t)(sizeof(list) / sizeof *(list)))

static inline void random_instruction(struct random_source *r)
{
    static const char *const list[] = {"movl %eax, %ebx",
                                       "movq %rax, 8(%rsp)",
                                       "movq $0x12345678, 0x11223344(%rax,%rcx,8)",
                                       "pushq %rbp",
                                       "popq %r12",
                                       "xorl %edx, %edx",
                                       "leaq 16(%rdi,%rsi), %rax",
                                       "movabsq $0x1122334455667788, %r10",
                                       "cli",
                                       "nop",
                                       "nopl 8(%rax)",
                                       "vpaddd %ymm1, %ymm2, %ymm3",
                                       "vmovdqu64 64(%rdi), %zmm7",
                                       "movss %xmm0, (%rdi)",
                                       "pause",
                                       "lock incl (%rdi)",
                                       "lock\ndecl (%rsi)",
                                       "rep movsb",
                                       "rep; stosq",
                                       "movq %fs:0, %rax",
                                       "movq ext@GOTPCREL(%rip), %rdi",
                                       "leaq ext(%rip), %rsi",
                                       "movq x@gottpoff(%rip), %rcx",
                                       "fstcw (%rsp)",
                                       "fildl (%rax)",
                                       "endbr64",
                                       "imull $1000, %ecx, %ecx",
                                       "cmovne %rax, %rbx",
                                       "setb %al",
                                       "syscall",
                                       "data16; nop",
                                       "testl %eax, %eax",
                                       "cmpq %rax, 8(%rdx)",
                                       "movb $1, %cs:(%rax)",
                                       "sti; nop"};
    jcc_text_format(&r->text, "\t%s\n", RANDOM_OF(r, list));
    r->dead = false;
}

static inline void random_target(struct random_source *r)
{
    if (r->numeric && !random_below(r, 6))
        jcc_text_string(&r->text, "9b\n");
    else
        jcc_text_format(&r->text, "L%u\n", random_below(r, r->labels));
}

static inline void random_branch(struct random_source *r)
{
    static const char *const conditions[] = {"o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g"};
    static const char *const firsts[] = {"testl %eax, %eax",  "cmpq $100, %rcx",     "cmpb $1, (%rdi)", "andl $7, %edx",
                                         "addq %rax, %rbx",   "subl $4, %esi",       "incl %ecx",       "decq %rdi",
                                         "addl %eax, (%rsi)", "cmpl %eax, x0(%rip)", "testb $3, %dil",  "cmpq %rax, %r11"};
    static const char *const ends[] = {"ret", "jmp ext@PLT", "jmp *%rax", "jmp *ext@GOTPCREL(%rip)", "rep ret", "ud2", "jmp *8(,%rax,8)"};
    static const char *const calls[] = {"call ext@PLT", "call ext", "call *%rcx", "call *ext@GOTPCREL(%rip)", "call *16(%rax)"};
    switch (random_below(r, 10)) {
    case 0:
        jcc_text_format(&r->text, "\t%s\n", RANDOM_OF(r, ends));
        r->dead = true;
        return;
    case 1: jcc_text_format(&r->text, "\t%s\n", RANDOM_OF(r, calls)); break;
    case 2: jcc_text_format(&r->text, "\tcall "), random_target(r); break;
    case 3:
        jcc_text_format(&r->text, "\tjmp "), random_target(r);
        r->dead = true;
        return;
    case 4:
    case 5: jcc_text_format(&r->text, "\tj%s ", RANDOM_OF(r, conditions)), random_target(r); break;
    default: jcc_text_format(&r->text, "\t%s\n\tj%s ", RANDOM_OF(r, firsts), RANDOM_OF(r, conditions)), random_target(r); break;
    }
    r->dead = false;
}

static inline void random_alignment(struct random_source *r)
{
    static const char *const list[] = {".p2align 4",       ".p2align 5", ".p2align 4,,10", ".p2align 3", ".balign 16",
                                       ".p2align 4, 0x90", ".align 8",   ".p2align 6,,20", ".p2align 0"};
    static const char *const filled[] = {".p2align 4, 0xcc", ".balign 32, 0", ".p2align 3, 0xf4, 5"};
    if (r->data && r->dead && !random_below(r, 3)) // bytes that are no no-operations
        jcc_text_format(&r->text, "\t%s\n", RANDOM_OF(r, filled));
    else
        jcc_text_format(&r->text, "\t%s\n", RANDOM_OF(r, list));
}

static inline void random_data(struct random_source *r)
{
    static const char *const list[] = {".byte 1, 2, 3",    ".long 0x90909090", ".quad ext, ext + 8", ".ascii \"a;b\\0#\"",
                                       ".skip 7, 0xcc",    ".zero 5",          ".uleb128 1000",      ".fill 3, 2, 7",
                                       ".byte 0xf3, 0xc3", ".value 0x6666",    ".byte 0x66"};
    if (!r->dead)
        jcc_text_string(&r->text, "\tret\n");
    jcc_text_format(&r->text, "\t%s\n", RANDOM_OF(r, list));
    jcc_text_string(&r->text, "\tcld\n"); // so that nothing is read as a prefix of a label's instruction
    r->dead = false;
}

static inline void random_elsewhere(struct random_source *r)
{
    unsigned a = random_below(r, r->labels), b = random_below(r, r->labels);
    switch (random_below(r, 5)) {
    case 0: jcc_text_format(&r->text, "\t.pushsection .rodata\n\t.quad L%u\n\t.popsection\n", a); break;
    case 1: jcc_text_format(&r->text, "\t.section .data\n\t.long 1, L%u-.\n\t.text\n", a); break;
    case 2: jcc_text_format(&r->text, "\t.pushsection .text.cold,\"ax\",@progbits\n\tcall ext\n\tjmp L%u\n\t.popsection\n", a); break;
    case 3: jcc_text_format(&r->text, "\t.pushsection __ex,\"a\"\n\t.long L%u-., L%u-.\n\t.popsection\n", a, b); break;
    default: jcc_text_format(&r->text, "\t.set alias%u, L%u\n", (unsigned)r->text.length, a); break;
    }
}

// One more statement, or a few.
static inline void random_statement(struct random_source *r)
{
    uint32_t what = random_below(r, 100);
    if (what < 8 && r->defined < r->labels)
        jcc_text_format(&r->text, "L%u:\n", r->defined++), r->dead = false;
    else if (what < 10)
        jcc_text_string(&r->text, "9:\n"), r->numeric++, r->dead = false;
    else if (what < 50)
        random_instruction(r);
    else if (what < 84)
        random_branch(r);
    else if (what < 90)
        random_alignment(r);
    else if (what < 93 && r->data)
        random_data(r);
    else if (what < 96)
        random_elsewhere(r);
    else if (what < 98)
        jcc_text_format(&r->text, "8: decl %%ecx; %s 8b # short\n", random_below(r, 2) ? "loop" : "jrcxz"), r->dead = false;
    else
        jcc_text_string(&r->text, "\t/* a;b\n */ xchgl %ecx, %eax; cmpl %eax, %ecx; jne 9f; 9: movl %ecx, (%rsp) // c\n"), r->numeric++,
            r->dead = false;
}

// Free it with jcc_text_free(&source.text).
static inline struct random_source random_source(uint64_t seed, unsigned statements, bool data)
{
    struct random_source r = {.state = seed, .labels = 1 + statements / 10, .data = data};
    jcc_text_string(&r.text, "\t.file \"random.c\"\n\t.text\n\t.globl f\n\t.type f, @function\nf:\n");
    for (unsigned k = 0; k < statements; k++)
        random_statement(&r);
    while (r.defined < r.labels)
        jcc_text_format(&r.text, "L%u: ret\n", r.defined++);
    jcc_text_string(&r.text, "\t.size f, .-f\n\t.comm x0, 4\n\t.section .tbss,\"awT\",@nobits\n\t.globl x\nx: .zero 8\n");
    return r;
}

#endif
