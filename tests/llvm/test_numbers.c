// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers in operands: what is learned of one instruction is used for others whose numbers are as long. Every length holds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"

static const char *const numbers[] = {
    "0",   "1",     "2",     "3",     "8",     "63",    "64",    "127",    "128",    "129",    "200",         "255",        "256",
    "257", "32767", "32768", "65407", "65408", "65535", "65536", "0x7f",   "0x80",   "0x1000", "010",         "2147483647", "2147483648",
    "-1",  "-2",    "-8",    "-127",  "-128",  "-129",  "-256",  "-32768", "-32769", "-65536", "-2147483648", "4294967295", "4294967296"};

struct form {
    const char *text; // N stands for the number
    const char *least, *most;
};

static const struct form forms[] = {
    {"movl N(%rax), %ecx", "-2147483648", "2147483647"},
    {"movl N(%rbp), %ecx", "-2147483648", "2147483647"},
    {"movq %rcx, N(%r13,%rdx,8)", "-2147483648", "2147483647"},
    {"leaq N(,%rdx,4), %rcx", "-2147483648", "2147483647"},
    {"movl $N, N(%rsp)", "-2147483648", "2147483647"},
    {"movl %fs:N(%rax), %ecx", "-2147483648", "2147483647"},
    {"jmp *N(%rax)", "-2147483648", "2147483647"},
    {"leaq variable+N(%rip), %rcx", "0", "2147483647"},
    {"leaq variable-N(%rip), %rcx", "0", "2147483647"},
    {"movl $variable+N, %ecx", "0", "2147483647"},
    {"vmovups N(%rax), %ymm1", "-2147483648", "2147483647"},
    {"vmovups N(%rax), %zmm1", "-2147483648", "2147483647"},
    {"addl $N, %ecx", "-2147483648", "2147483648"},
    {"addq $N, %rcx", "-2147483648", "2147483647"},
    {"andl $N, N(%rdi)", "-2147483648", "2147483647"},
    {"cmpw $N, %cx", "-32768", "65535"},
    {"cmpb $N, %cl", "-128", "255"},
    {"testl $N, %eax", "-2147483648", "4294967295"},
    {"imull $N, %ecx, %edx", "-2147483648", "2147483648"},
    {"movq $N, %rcx", "-2147483648", "4294967296"},
    {"movabsq $N, %rcx", "-2147483648", "4294967296"},
    {"pushq $N", "-2147483648", "2147483647"},
    {"shll $N, %ecx", "0", "255"},
    {"rolq $N, N(%rax)", "0", "255"},
    {"int $N", "0", "255"},
    {"btl $N, %ecx", "0", "127"},
    {"enter $N, $3", "0", "32767"},
    {"psrldq $N, %xmm1", "0", "255"},
};

static void add(struct jcc_text *text, const struct form *form, const char *number)
{
    long long value = strtoll(number, NULL, 0);
    if (value < strtoll(form->least, NULL, 0) || value > strtoll(form->most, NULL, 0))
        return;
    for (const char *at = form->text; *at; at++) {
        if (*at == 'N')
            jcc_text_string(text, number);
        else
            jcc_text_append(text, at, 1);
    }
    jcc_text_string(text, "\n\tjne 1b\n");
}

static void every_number_is_as_long_as_it_was_learned(void **state)
{
    (void)state;
    struct jcc_text text = {0};
    jcc_text_string(&text, ".text\n.p2align 5\n");
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        jcc_text_string(&text, "1:\n");
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
            add(&text, &forms[k], numbers[n]);
    }
    struct jcc_assemble_request request = rig_request(text.data);
    request.verify = JCC_VERIFY_PLAN;
    struct rig held = rig_assemble_request(&request);
    request.verify = JCC_VERIFY_FULL;
    struct rig proved = rig_assemble_request(&request);
    assert_int_equal(held.status, JCC_OK);
    assert_int_equal(held.result.totals.affected, 0);
    assert_true(held.result.totals.held_instructions > 1000); // or the plan was not believed
    assert_int_equal(held.result.totals.held_instructions, proved.result.totals.proved_instructions);
    assert_int_equal(held.result.object_size, proved.result.object_size);
    assert_memory_equal(held.result.object, proved.result.object, held.result.object_size);
    rig_free(&held);
    rig_free(&proved);
    jcc_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_is_as_long_as_it_was_learned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
