// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What padding may do to an object is proved. The padder here is GNU as, which shares nothing with this project.
#include "elf_test.h"

// Assemble SOURCE plainly and padded: different code, the same program.
static void assert_padding_proved(const char *options, const char *source)
{
    char padded_options[512];
    snprintf(padded_options, sizeof padded_options, PADDED "%s", options);
    struct bytes plain = assemble(options, source), padded = assemble(padded_options, source);
    assert_true(plain.size != padded.size || memcmp(plain.data, padded.data, plain.size) != 0);
    assert_proved(plain, padded);
    assert_proved(plain, plain);
    free(plain.data);
    free(padded.data);
}

// Assembly text that pushes every branch over a boundary somewhere: BODY between two runs of instructions that are padded.
static const char *in_code(const char *body)
{
    static char text[8192];
    snprintf(text, sizeof text,
             "  .text\n"
             "  .globl f, g\n"
             "  .type f, @function\n"
             "f: .cfi_startproc\n"
             "  .nops 25\n"
             "1: mov 8(%%rsp), %%rcx\n"
             "  cmp %%rcx, %%rdx\n"
             "  je 1b\n"
             "  .rept 6\n"
             "  mov $0x11223344, %%ecx\n"
             "  add %%rcx, %%rdx\n"
             "  jne 2f\n"
             "  call g@PLT\n"
             "  .endr\n"
             "2: ret\n"
             "  .cfi_endproc\n"
             "  .size f, .-f\n"
             "  .p2align 4\n"
             "%s\n"
             "  .text\n"
             "  .p2align 4\n"
             "g: .rept 4\n"
             "  mov %%rax, 0x1234(%%rdx,%%rcx,4)\n"
             "  test %%eax, %%eax\n"
             "  jns 3f\n"
             "  jmp *(%%rax)\n"
             "  .endr\n"
             "3: ret\n",
             body);
    return text;
}

static const char *const bodies[] = {
    "",
    // jumps that grow, and those that cannot
    "h: .rept 20\n  jne 5f\n  inc %eax\n  jmp h\n  .endr\n5: jrcxz 6f\n  loop 5b\n6: ret\n",
    // a branch over a prefix, as the GNU C library does; one into a no-operation
    "h: je 5f+1\n  .rept 20\n  jne 5f\n  inc %eax\n  .endr\n5: lock incl (%rax)\n  jmp 6f+1\n6: .byte 0x66, 0x90\n",
    // every way to name a place of code
    "h: .cfi_startproc\n  ret\n  .cfi_endproc\n  .data\n  .quad f, h, h+1, 2b\n  .long g - ., f - .\n",
    "h: lea table(%rip), %rax\n  jmp *%rax\n5: ret\n6: ret\n  .section .rodata\ntable: .long 5b-table, 6b-table, 1b-table, 2b-table\n"
    "other: .long 6b-other, f-other\n  .text\n  lea other(%rip), %rdx\n",
    "h: mov $f, %edi\n  movabs $2b, %rax\n  lea 2b(%rip), %rbx\n  push $1b\n  cmpl $5, 2b(%rip)\n",
    "  .section .text.cold,\"ax\",@progbits\nh: jmp 2b\n  jne f\n  call g\n  lea 2b(%rip), %rax\n",
    // data in code that says so
    "  .type k, @object\n  .size k, 24\nk: .quad 0x9090909090909090, f, -1\n  lea k(%rip), %rax\n",
    // frames of all kinds
    "h: .cfi_startproc\n  push %rbp\n  .cfi_def_cfa_offset 16\n  .cfi_offset 6, -16\n  mov %rsp, %rbp\n  .cfi_def_cfa_register 6\n  .rept "
    "20\n"
    "  cmp %eax, %ecx\n  je 7f\n  call g@PLT\n  .endr\n7: .cfi_remember_state\n  leave\n  .cfi_def_cfa 7, 8\n  ret\n  .cfi_restore_state\n"
    "  .cfi_escape 0x2e, 0x10\n  .cfi_escape 0x0f, 3, 0x77, 8, 6\n  jmp 7b\n  .cfi_endproc\n",
    "h: .cfi_startproc simple\n  .cfi_signal_frame\n  .cfi_def_cfa 7, 8\n  .rept 300\n  test %eax, %eax\n  je g\n  .endr\n  .cfi_undefined "
    "16\n  ret\n"
    "  .cfi_endproc\n",
    // long fills, which GNU as jumps over
    "  .p2align 8\nh: ret\n  .p2align 7\n  nop\n  .p2align 6\n  ret\n",
    // prefixes
    "h: .rept 8\n  mov %fs:(%rax), %ecx\n  vmovaps %ymm1, 64(%rsp)\n  lock incl (%rax)\n  rep movsb\n  add %fs:v@tpoff, %eax\n  jne h\n  "
    ".endr\n"
    "  .section .tbss,\"awT\",@nobits\nv: .zero 4\n",
    // linkers match these byte by byte
    "h: .rept 8\n  data16 lea v@tlsgd(%rip), %rdi\n  .value 0x6666\n  rex64 call __tls_get_addr@PLT\n  lea v@tlsld(%rip), %rdi\n"
    "  call __tls_get_addr@PLT\n  jne h\n  .endr\n",
    "h: lea _GLOBAL_OFFSET_TABLE_(%rip), %rbx\n  call *g@GOTPCREL(%rip)\n  mov f@GOTPCREL(%rip), %rax\n  jmp *f@GOTPCREL(%rip)\n",
    // a label before which the assembler may put padding in one object and not in the other
    "  .globl h\nh: endbr64\n  jmp 2b\n  .quad h\n",
    // symbols of all kinds
    "  .weak w\n  .hidden x\n  .local y\n  .comm z, 8, 8\nw: nop\nx: ret\ny: ret\n  .set alias, w\n  .type i, @gnu_indirect_function\ni: "
    "ret\n  .size i, .-i\n",
    // sections of all kinds
    "  .section .text.a,\"axG\",@progbits,a,comdat\n  .weak a\na: jmp f\n  .section .rodata.str1.1,\"aMS\",@progbits,1\n  .string \"x\"\n"
    "  .section .init_array,\"aw\",@init_array\n  .quad f\n  .section .note.GNU-stack,\"\",@progbits\n  .bss\n  .zero 64\n",
};

static void what_gnu_as_pads_is_the_same(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof bodies / sizeof *bodies; n++)
        assert_padding_proved("", in_code(bodies[n]));
}

static void so_it_is_for_x32(void **state)
{
    (void)state;
    assert_padding_proved("--x32", in_code(bodies[1]));
    assert_padding_proved("--x32", in_code(bodies[7]));
}

static void so_it_is_for_i386_where_addends_stand_in_the_code(void **state)
{
    (void)state;
    static const char source[] = "  .globl f\n"
                                 "  .type f, @function\n"
                                 "f: .cfi_startproc\n"
                                 "  .rept 30\n"
                                 "  cmpl $f, 8(%ebp)\n"
                                 "  je 1f\n"
                                 "  call g@PLT\n"
                                 "  movl 1f(,%eax,4), %ecx\n"
                                 "  .endr\n"
                                 "1: ret\n"
                                 "  .cfi_endproc\n"
                                 "  .size f, .-f\n"
                                 "  .p2align 6\n"
                                 "h: call 2f\n"
                                 "2: pop %ebx\n"
                                 "  add $_GLOBAL_OFFSET_TABLE_+(.-2b), %ebx\n"
                                 "  .rept 9\n"
                                 "  test %eax, %eax\n"
                                 "  jne 1b\n"
                                 "  .endr\n"
                                 "  lea 1b@GOTOFF(%ebx), %eax\n"
                                 "  .section .text.b,\"ax\",@progbits\n"
                                 "  jmp 1b\n"
                                 "  .section .rodata\n"
                                 "  .long 1b, 2b, f, 1b@GOTOFF, 2b - .\n";
    assert_padding_proved("--32", source);
}

static const char c_source[] =
    "extern int ext(int); extern void g1(void), g2(void); __thread int tls; extern __thread int etls;\n"
    "static int __attribute__((noinline)) sw(int x) { switch (x) { case 0: return ext(1); case 1: g1(); return 2; case 2: return ext(x) + "
    "7;\n"
    " case 3: g2(); return 9; case 4: return ext(5) ^ 3; case 5: return 77; case 6: g1(); g2(); return 8; case 9: return ext(9); } return "
    "-1; }\n"
    "int cg(int n) { static void *const t[] = {&&a, &&b, &&c}; goto *t[n % 3]; a: n += ext(n); if (n > 100) return n; goto *t[n % 3];\n"
    " b: n -= 3; g1(); goto *t[(n + 1) % 3]; c: return n * 2 + ext(3); }\n"
    "double fl(double a, double b) { return a < b ? a * 3.14 + b : a > 7 ? b / 2 : a + b; }\n"
    "int (*fp[3])(int) = {sw, ext, cg};\n"
    "int many(int c, char **v) { int s = 0; for (int i = 0; i < c * 30; i++) { s += sw(i % 11); if (s & 1) s += fp[i % 3](i);\n"
    " for (int j = 0; j < i; j++) if (v[0][j % 3] == 'x' && s > j) s ^= j; } return s + tls + etls; }\n";

static const char cpp_source[] =
    "extern void out(const char *), boom(int); struct A { A(); ~A(); virtual int f(int x); int m; };\n"
    "template <class T> int gen(T x) { A a; try { boom((int)x); a.f(2); } catch (T &y) { return (int)y; } catch (const char *s) { out(s); "
    "throw; }\n"
    " catch (...) { A b; return b.f(3); } return 0; }\n"
    "int run(int n) { A a, b; for (int i = 0; i < n; i++) { A c; try { if (i & 1) boom(i); else b.f(gen(i) + gen(2.5)); }\n"
    " catch (A &e) { out(\"A\"); a.f(e.m); } catch (int) { continue; } } return a.f(gen('x')); }\n"
    "void quiet() noexcept { run(3); }\n"
    "int A::f(int x) { switch (x) { case 1: return run(1); case 2: quiet(); return 2; case 3: return 9; case 4: throw 5; case 5: return m; "
    "case 7: boom(8); }\n"
    " return x; }\n";

static void assert_compiled_padding_proved(const char *compiler, const char *language, const char *source)
{
    static const char *const options[] = {"-O0 -g",
                                          "-O1 -fPIC",
                                          "-O2",
                                          "-O2 -g -fPIC -ffunction-sections -fdata-sections",
                                          "-O3 -fno-pic -march=skylake-avx512",
                                          "-O3 -fcf-protection -fPIE",
                                          "-Os -g",
                                          "-O2 -mcmodel=large",
                                          "-O2 -fno-asynchronous-unwind-tables -falign-functions=64",
                                          "-O1 -fstack-protector-all -fpatchable-function-entry=3,1"};
    for (size_t n = 0; n < sizeof options / sizeof *options; n++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments, "-x %s %s", language, options[n]);
        struct bytes text = compile(compiler, arguments, source);
        if (!text.data) {
            if (n == 0)
                skip();
            continue; // an option that this compiler does not know
        }
        assert_padding_proved("", (const char *)text.data);
        free(text.data);
    }
}

static void compiled_c_is_the_same_padded(void **state)
{
    (void)state;
    assert_compiled_padding_proved("gcc", "c", c_source);
}

static void compiled_cpp_with_exceptions_is_the_same_padded(void **state)
{
    (void)state;
    assert_compiled_padding_proved("g++", "c++", cpp_source);
}

// What clang makes for its own assembler, GNU as mostly takes: .addrsig apart, jump tables relative to their start.
static void clangs_c_is_the_same_padded(void **state)
{
    (void)state;
    assert_compiled_padding_proved("clang -fno-integrated-as", "c", c_source);
}

static void the_counts_say_what_was_compared(void **state)
{
    (void)state;
    static const char source[] = "f: .cfi_startproc\n  .rept 15\n  mov %eax, %ecx\n  .endr\n  jmp f\n  call g\n  nop\n  push %rax\n  "
                                 ".cfi_adjust_cfa_offset 8\n  ret\n"
                                 "  .cfi_endproc\n  .data\n  .quad f, 5\n";
    struct bytes plain = assemble("", source), padded = assemble(PADDED, source);
    struct jcc_elf_proof proof;
    assert_int_equal(prove_bytes(plain, padded, false, &proof), JCC_OK);
    assert_int_equal(proof.instructions, 19);
    assert_int_equal(proof.relocations, 3); // g, f, and the frame's function
    assert_int_equal(proof.sections, 4);    // .text, .data, .bss, .eh_frame
    assert_int_equal(proof.sections_remapped, 1);
    assert_int_equal(proof.sections_open, 0);
    free(plain.data);
    free(padded.data);
}

static void marks_of_the_plain_object_are_left_out(void **state)
{
    (void)state;
    struct bytes plain = assemble("", "f: .nops 31\njcc.mark.1: jmp f\njcc.mark.2: ret\n"),
                 padded = assemble(PADDED, "f: .nops 31\n jmp f\n ret\n");
    jcc_elf *a = open_bytes(plain), *b = open_bytes(padded);
    assert_int_equal(jcc_elf_prove(a, b, "jcc.mark.", NULL, NULL, NULL), JCC_OK);
    assert_int_equal(jcc_elf_prove(a, b, "jcc.mark.1", NULL, NULL, NULL), JCC_ERROR_DIFFERENT);
    assert_int_equal(jcc_elf_prove(a, b, NULL, NULL, NULL, NULL), JCC_ERROR_DIFFERENT);
    // In the padded object there is nothing to leave out.
    assert_int_equal(jcc_elf_prove(b, a, "jcc.mark.", NULL, NULL, NULL), JCC_ERROR_DIFFERENT);
    jcc_elf_close(a);
    jcc_elf_close(b);
    free(plain.data);
    free(padded.data);
}

struct asked {
    unsigned count;
    char section[64];
    bool answer;
};

static bool ask(void *context, const char *section, uint64_t plain_size, uint64_t padded_size)
{
    struct asked *asked = context;
    asked->count++;
    snprintf(asked->section, sizeof asked->section, "%s %llu %llu", section, (unsigned long long)plain_size,
             (unsigned long long)padded_size);
    return asked->answer;
}

static void a_difference_of_labels_in_data_is_for_the_caller_to_know(void **state)
{
    (void)state;
    static const char source[] =
        "f: .rept 15\n  mov %eax, %ecx\n  .endr\n  jmp f\n1: ret\n  .section .sizes,\"a\",@progbits\n  .uleb128 1b-f\n  .long 1b-f\n";
    struct bytes plain = assemble("", source), padded = assemble(PADDED, source);
    jcc_elf *a = open_bytes(plain), *b = open_bytes(padded);
    struct jcc_elf_proof proof = {.size = sizeof proof};
    struct asked asked = {.answer = true};
    assert_int_equal(jcc_elf_prove(a, b, NULL, ask, &asked, &proof), JCC_OK);
    assert_int_equal(asked.count, 1);
    assert_string_equal(asked.section, ".sizes 5 5");
    assert_int_equal(proof.sections_open, 1);
    asked.answer = false;
    assert_int_equal(jcc_elf_prove(a, b, NULL, ask, &asked, &proof), JCC_ERROR_DIFFERENT);
    assert_string_equal(proof.difference.section, ".sizes");
    assert_int_equal(jcc_elf_prove(a, b, NULL, NULL, NULL, &proof), JCC_ERROR_DIFFERENT);
    jcc_elf_close(a);
    jcc_elf_close(b);
    free(plain.data);
    free(padded.data);
}

// What this version knows is filled in, and the size says so.
static void of_a_later_versions_proof_the_rest_is_left_alone(void **state)
{
    (void)state;
    struct bytes object = assemble("", "f: ret\n");
    jcc_elf *elf = open_bytes(object);
    struct {
        struct jcc_elf_proof known;
        uint64_t later;
    } longer = {.known.size = sizeof longer, .later = 77};
    assert_int_equal(jcc_elf_prove(elf, elf, NULL, NULL, NULL, &longer.known), JCC_OK);
    assert_int_equal(longer.known.size, sizeof longer.known);
    assert_int_equal(longer.known.instructions, 1);
    assert_int_equal(longer.later, 77);
    assert_int_equal(jcc_elf_prove(NULL, elf, NULL, NULL, NULL, &longer.known), JCC_ERROR_ARGUMENT);
    assert_int_equal(longer.known.instructions, 0);
    jcc_elf_close(elf);
    free(object.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_gnu_as_pads_is_the_same),
        cmocka_unit_test(so_it_is_for_x32),
        cmocka_unit_test(so_it_is_for_i386_where_addends_stand_in_the_code),
        cmocka_unit_test(compiled_c_is_the_same_padded),
        cmocka_unit_test(compiled_cpp_with_exceptions_is_the_same_padded),
        cmocka_unit_test(clangs_c_is_the_same_padded),
        cmocka_unit_test(the_counts_say_what_was_compared),
        cmocka_unit_test(marks_of_the_plain_object_are_left_out),
        cmocka_unit_test(a_difference_of_labels_in_data_is_for_the_caller_to_know),
        cmocka_unit_test(of_a_later_versions_proof_the_rest_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
