// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One assembler, used again and again: no call sees what an earlier one left behind.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"

#include <unistd.h>

static const char code[] =
    ".p2align 5\n.globl f\nf: movl %eax, %ebx\ncall g\ncall g\ncall g\ncall g\ncall g\ntestl %eax, %eax\nje f\njmp g\n";

static void assert_assembles(jcc_assembler *assembler, const struct jcc_assemble_request *request, const struct rig *want)
{
    struct jcc_assemble_result result = {.size = sizeof result};
    assert_int_equal(jcc_assemble(assembler, request, &result), JCC_OK);
    assert_int_equal(result.object_size, want->result.object_size);
    assert_memory_equal(result.object, want->result.object, result.object_size);
    jcc_assemble_result_free(&result);
}

static void assert_fails(jcc_assembler *assembler, const struct jcc_assemble_request *request, enum jcc_status want)
{
    struct jcc_assemble_result result = {.size = sizeof result};
    assert_int_equal(jcc_assemble(assembler, request, &result), want);
    assert_null(result.object);
    assert_int_equal(result.object_size, 0);
    jcc_assemble_result_free(&result);
}

static jcc_assembler *open_assembler(void)
{
    jcc_assembler *assembler;
    assert_int_equal(jcc_assembler_create(&assembler), JCC_OK);
    return assembler;
}

static void every_source_starts_in_att_syntax(void **state)
{
    (void)state;
    struct jcc_assemble_request att = rig_request(code), intel = rig_request(".intel_syntax noprefix\nx: mov eax, 1\n jmp x\n ret\n");
    struct rig want = rig_assemble_request(&att), want_intel = rig_assemble_request(&intel);
    jcc_assembler *assembler = open_assembler();
    for (int k = 0; k < 3; k++) {
        assert_assembles(assembler, &intel, &want_intel);
        assert_assembles(assembler, &att, &want);
    }
    jcc_assembler_destroy(assembler);
    rig_free(&want);
    rig_free(&want_intel);
}

static void an_error_leaves_nothing_behind(void **state)
{
    (void)state;
    struct jcc_assemble_request good = rig_request(code), off = good, odd = good;
    struct rig want = rig_assemble_request(&good);
    static const char *const bad[] = {"bogus\n",
                                      "jmp .Lnowhere\n",
                                      ".if 1\n",
                                      ".macro m\n",
                                      ".macro m\nnop\n.endm\nm\nbogus\n",
                                      ".section .data\n.intel_syntax noprefix\nmov 1,\n",
                                      ".cfi_startproc\n",
                                      ".include \"no such file\"\n"};
    odd.policy.boundary = 33;
    off.size = 8;
    jcc_assembler *assembler = open_assembler();
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct jcc_assemble_request request = rig_request(bad[k]);
        struct jcc_assemble_result result = {.size = sizeof result};
        enum jcc_status status = jcc_assemble(assembler, &request, &result);
        assert_true(status == JCC_ERROR_SOURCE || status == JCC_OK);
        assert_true((status == JCC_OK) == (result.object != NULL));
        jcc_assemble_result_free(&result);
        assert_fails(assembler, &odd, JCC_ERROR_POLICY);
        assert_fails(assembler, &off, JCC_ERROR_ARGUMENT);
        assert_assembles(assembler, &good, &want);
    }
    jcc_assembler_destroy(assembler);
    rig_free(&want);
}

static void targets_and_policies_take_turns(void **state)
{
    (void)state;
    struct jcc_assemble_request requests[5];
    struct rig want[5];
    for (int k = 0; k < 5; k++) {
        requests[k] = rig_request(code);
        requests[k].target = (enum jcc_target)(k % 3);
        if (k == 3)
            requests[k].policy = jcc_policy_clang();
        if (k == 4)
            requests[k].policy = jcc_policy_off();
        want[k] = rig_assemble_request(&requests[k]);
        assert_int_equal(want[k].status, JCC_OK);
    }
    jcc_assembler *assembler = open_assembler();
    for (int k = 0; k < 40; k++)
        assert_assembles(assembler, &requests[k * 3 % 5], &want[k * 3 % 5]);
    jcc_assembler_destroy(assembler);
    for (int k = 0; k < 5; k++)
        rig_free(&want[k]);
}

static void a_result_outlives_its_assembler_and_its_source(void **state)
{
    (void)state;
    char text[] = "\tjmp .Lnowhere # \n", name[] = "a.s";
    struct jcc_assemble_request request = rig_request(text);
    request.name = name;
    jcc_assembler *assembler = open_assembler();
    struct jcc_assemble_result result = {.size = sizeof result};
    assert_int_equal(jcc_assemble(assembler, &request, &result), JCC_ERROR_SOURCE);
    jcc_assembler_destroy(assembler);
    memset(text, 'x', sizeof text);
    memset(name, 'x', sizeof name);
    assert_int_equal(result.diagnostic_count, 1);
    assert_string_equal(result.diagnostics[0].file, "a.s");
    assert_non_null(strstr(result.diagnostics[0].message, ".Lnowhere"));
    jcc_assemble_result_free(&result);
    jcc_assemble_result_free(&result);
}

static long resident_kibibytes(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*d %ld", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

// LLVM itself grows by up to 53 bytes a call.
static void memory_stays_flat_over_ten_thousand_calls(void **state)
{
    (void)state;
    static const char macros[] = ".macro m a\n movl $\\a, %eax\n call g\n.endm\n.rept 3\n m 1\n.endr\n je g\n";
    struct jcc_assemble_request requests[] = {rig_request(code), rig_request("bogus\n"), rig_request(macros), rig_request("ret\n"),
                                              rig_request("f: jmp .Lx\n.byte 1\n")};
    jcc_assembler *assembler = open_assembler();
    long before = 0;
    const int calls = rig_verify == JCC_VERIFY_PLAN ? 11000 : 2000;
    for (int k = 0; k < calls; k++) {
        struct jcc_assemble_result result = {.size = sizeof result};
        jcc_assemble(assembler, &requests[k % 5], &result);
        jcc_assemble_result_free(&result);
        if (k == 999)
            before = resident_kibibytes();
    }
    long grown = resident_kibibytes() - before;
    print_message("%d calls: %ld KiB more\n", calls - 1000, grown);
    if (before) // without a sanitizer, which keeps what is freed
        assert_true(grown < 4096 || getenv("ASAN_OPTIONS"));
    jcc_assembler_destroy(assembler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_source_starts_in_att_syntax),         cmocka_unit_test(an_error_leaves_nothing_behind),
        cmocka_unit_test(targets_and_policies_take_turns),           cmocka_unit_test(a_result_outlives_its_assembler_and_its_source),
        cmocka_unit_test(memory_stays_flat_over_ten_thousand_calls),
    };
    return RIG_RUN(tests);
}
