// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where no pad may stand. Each rule is tried with a unit that is affected and only one gap where a pad would help: the gap that the
// rule forbids. The same source without what the rule is about shows that the gap is used otherwise.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"

// A unit of LENGTH bytes behind BEFORE bytes of BEFORE_TEXT crosses into the second 32 bytes. Only data stands before.
static struct rig assemble_at_boundary_as(const char *before_text, unsigned before, const char *unit, unsigned length, const char *rest,
                                          enum jcc_target target)
{
    struct jcc_text text = {0};
    jcc_text_string(&text, ".text\n.p2align 5\n");
    rig_data(&text, 32 - before - (length + 1) / 2);
    jcc_text_format(&text, "%s\n%s\n%s\n", before_text, unit, rest);
    struct rig rig = rig_assemble_as(text.data, jcc_policy_full(), target);
    assert_int_equal(rig.result.totals.affected_plain > 0, 1);
    jcc_text_free(&text);
    return rig;
}

static struct rig assemble_at_boundary(const char *before_text, unsigned before, const char *unit, unsigned length, const char *rest)
{
    return assemble_at_boundary_as(before_text, before, unit, length, rest, JCC_TARGET_X86_64);
}

static void assert_left_alone(struct rig rig)
{
    assert_int_equal(rig_affected(&rig), 1);
    assert_int_equal(rig.result.residuals[0].reason, JCC_RESIDUAL_NO_SITE);
    assert_int_equal(rig.result.totals.pads, 0);
    rig_free(&rig);
}

static void assert_padded(struct rig rig)
{
    rig_assert_clean(&rig);
    assert_int_equal(rig.result.totals.pads, 1);
    rig_free(&rig);
}

static void an_ordinary_gap_takes_a_pad(void **state)
{
    (void)state;
    assert_padded(assemble_at_boundary("cli", 1, "jmp f", 5, ""));
    assert_padded(assemble_at_boundary("call f", 5, "jmp f", 5, ""));
}

static void none_behind_what_holds_interrupts_off(void **state)
{
    (void)state;
    assert_left_alone(assemble_at_boundary("sti", 1, "jmp f", 5, ""));
    assert_left_alone(assemble_at_boundary("movl %eax, %ss", 2, "jmp f", 5, ""));
    assert_left_alone(assemble_at_boundary_as("popl %ss", 1, "jmp f", 5, "", JCC_TARGET_I386));
    assert_padded(assemble_at_boundary("movl %eax, %ds", 2, "jmp f", 5, ""));
}

static void none_between_a_call_and_a_return_address_that_data_names(void **state)
{
    (void)state;
    assert_left_alone(assemble_at_boundary("call f", 5, "r: jmp f", 5, ".data\n.quad r"));
    assert_left_alone(assemble_at_boundary("call *%rax", 2, "r: jmp f", 5, ".section .llvm_stackmaps,\"a\"\n.long r-.text"));
    assert_left_alone(assemble_at_boundary("call f", 5, "1: jmp f", 5, ".section __tab,\"a\"\n.quad 1b"));
    // What speaks of the code's places by itself is no such data.
    assert_padded(assemble_at_boundary("call f", 5, "r: jmp f", 5, ".section .debug_info,\"\"\n.quad r"));
    assert_padded(assemble_at_boundary("cli", 1, "r: jmp f", 5, ".data\n.quad r"));
}

static void none_before_endbr_that_control_runs_into(void **state)
{
    (void)state;
    // Affected is the ret; the call before endbr64 leaves one gap before the endbr64 and none behind the data.
    assert_left_alone(assemble_at_boundary_as("call setjmp\n endbr64\n.skip 1, 0x90", 10, "ret", 1, "", JCC_TARGET_X86_64));
    assert_padded(assemble_at_boundary_as("call setjmp\n cli\n cli\n cli\n cli\n.skip 1, 0x90", 10, "ret", 1, "", JCC_TARGET_X86_64));
    assert_left_alone(assemble_at_boundary_as("call setjmp\n endbr32\n.skip 1, 0x90", 10, "ret", 1, "", JCC_TARGET_I386));
}

static void none_behind_data_and_none_inside_what_data_makes(void **state)
{
    (void)state;
    assert_left_alone(assemble_at_boundary(".byte 0x90", 1, "jmp f", 5, ""));
    assert_left_alone(assemble_at_boundary(".ascii \"\\x90\"", 1, "jmp f", 5, ""));
    assert_left_alone(assemble_at_boundary(".long 0x90909090", 4, "jmp f", 5, ""));
}

static void none_between_a_prefix_and_its_instruction(void **state)
{
    (void)state;
    static const char *const prefixes[] = {"rep", "repne", "data16", "addr32", "cs", "ds", "rex64", "lock", ".byte 0x2e", ".byte 0x66"};
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++) {
        // The bytes of the prefix and its instruction are 4; the pad goes before the prefix, where an instruction ends.
        char before[64];
        snprintf(before, sizeof before, "cli\np: %s\nincl (%%rax)\nq:", prefixes[k]);
        struct rig rig = assemble_at_boundary(before, 4, "jmp f", 5, "");
        rig_assert_clean(&rig);
        const uint8_t *at = rig_bytes_at(&rig, ".text", "p");
        if (at[1] != 0xff || at[2] != 0x00)
            fail_msg("%s: torn from its instruction", prefixes[k]);
        rig_free(&rig);
    }
}

static void a_label_stays_on_the_alignment_before_it(void **state)
{
    (void)state;
    for (unsigned fill = 0; fill < 32; fill++) {
        struct jcc_text text = {0};
        rig_nops(&text, fill);
        jcc_text_string(&text, "jmp f\n.p2align 4\na: jne a\n call f\n.balign 8\nb: ret\n.p2align 4\nc: call f\n");
        struct rig rig = rig_assemble(text.data);
        rig_assert_clean(&rig);
        assert_int_equal(rig_symbol(&rig, "a") % 16, 0);
        assert_int_equal(rig_symbol(&rig, "b") % 8, 0);
        assert_int_equal(rig_symbol(&rig, "c") % 16, 0);
        rig_free(&rig);
        jcc_text_free(&text);
    }
}

static void none_inside_a_pair(void **state)
{
    (void)state;
    static const char *const pairs[] = {"cmpl %eax, %ecx\nj: jg f",
                                        "testq %rax, %rax\nj: js f",
                                        "addl $5, %ecx\nj: jb f",
                                        "subq (%rdi), %rax\nj: jae f",
                                        "andl %eax, %ecx\nj: jo f",
                                        "incl %eax\nj: jne f",
                                        "cmpl %eax, %ecx\n.p2align 0\nj: je f",
                                        "decq %rax\n.loc 1 2\nj: jle f"};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        for (unsigned fill = 0; fill < 32; fill++) {
            struct jcc_text text = {0};
            jcc_text_string(&text, ".file 1 \"a.c\"\n.p2align 5\n");
            rig_nops(&text, fill);
            jcc_text_format(&text, "%s\nret\n", pairs[k]);
            struct rig plain = rig_plain(text.data), rig = rig_assemble(text.data);
            rig_assert_clean(&rig);
            uint64_t jump = rig_symbol(&rig, "j"), length = rig_symbol(&plain, "j") - fill;
            assert_memory_equal(rig_section(&rig, ".text")->bytes + jump - length, rig_section(&plain, ".text")->bytes + fill, length);
            rig_free(&rig);
            rig_free(&plain);
            jcc_text_free(&text);
        }
}

// ---- dead pads

static void a_pad_behind_a_jump_belongs_to_its_function(void **state)
{
    (void)state;
    struct rig rig = assemble_at_boundary("f: .cfi_startproc\njmp h\n.cfi_endproc\n.size f, .-f\n", 5, "g: jmp h", 5, ".size g, .-g");
    rig_assert_clean(&rig);
    assert_int_equal(rig.result.totals.pads, 1);
    for (size_t k = 1; k < jcc_emitted_symbol_count(&rig.object); k++) {
        struct jcc_emitted_symbol symbol = jcc_emitted_symbol(&rig.object, k);
        const struct jcc_emitted_section *table = &rig.object.sections[rig.object.symbols];
        uint64_t size;
        memcpy(&size, table->bytes + k * 24 + 16, sizeof size); // st_size of an Elf64_Sym
        if (!strcmp(symbol.name, "f"))
            assert_int_equal(size, rig_symbol(&rig, "g") - rig_symbol(&rig, "f"));
    }
    rig_free(&rig);
}

static void none_where_what_follows_a_trap_is_read_as_data(void **state)
{
    (void)state;
    // `ud2; .word line`: the handler finds the word behind the ud2. With a label between, the data is found by its name.
    struct rig rig = assemble_at_boundary("b: ud2\n.short 0x1234\n", 4, "jmp f", 5, "");
    const uint8_t *at = rig_bytes_at(&rig, ".text", "b");
    assert_int_equal(at[2], 0x34);
    assert_int_equal(at[3], 0x12);
    rig_free(&rig);
}

// ---- thread-local storage

// -fpatchable-function-entry: a call is written over all of them, and its address is that of the first. A pad would be cheapest between them.
static void none_inside_a_run_of_no_operations(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 32; k++) {
        struct jcc_text text = {0};
        rig_data(&text, k);
        jcc_text_string(&text, "p: nop\nL: nop\nq: nopl 8(%rax,%rax)\nloop: decl %ecx\njne L\nret\n"
                               ".section __patchable_function_entries,\"a\"\n.quad p, q\n");
        struct rig rig = rig_assemble(text.data);
        rig_assert_clean(&rig);
        assert_memory_equal(rig_bytes_at(&rig, ".text", "p"), "\x90\x90\x0f\x1f\x44\x00\x08", 7);
        rig_free(&rig);
        jcc_text_free(&text);
    }
}

static void assert_sequence_kept(const char *sequence, const char *section_rest, enum jcc_target target)
{
    for (unsigned fill = 0; fill < 32; fill++) {
        struct jcc_text text = {0};
        jcc_text_string(&text, ".p2align 5\n");
        rig_nops(&text, fill);
        jcc_text_format(&text, "s: %s\ne: ret\n%s", sequence, section_rest);
        struct rig plain = rig_assemble_as(text.data, jcc_policy_off(), target);
        struct rig rig = rig_assemble_as(text.data, jcc_policy_full(), target);
        rig_assert_clean(&rig);
        uint64_t length = rig_symbol(&plain, "e") - rig_symbol(&plain, "s");
        assert_memory_equal(rig_bytes_at(&rig, ".text", "s"), rig_bytes_at(&plain, ".text", "s"), length);
        rig_free(&rig);
        rig_free(&plain);
        jcc_text_free(&text);
    }
}

static void a_tls_sequence_keeps_its_bytes(void **state)
{
    (void)state;
    static const char variable[] = ".section .tbss,\"awT\",@nobits\n.globl v\nv: .zero 4\n";
    assert_sequence_kept("data16 leaq v@tlsgd(%rip), %rdi\n.value 0x6666\nrex64\ncall __tls_get_addr@PLT", variable, JCC_TARGET_X86_64);
    assert_sequence_kept(".byte 0x66\nleaq v@tlsgd(%rip), %rdi\n.value 0x6666\nrex64\ncall __tls_get_addr@PLT", variable,
                         JCC_TARGET_X86_64);
    assert_sequence_kept(".byte 0x66\nleaq v@tlsgd(%rip), %rdi\n.byte 0x66\nrex64\ncall *__tls_get_addr@GOTPCREL(%rip)", variable,
                         JCC_TARGET_X86_64);
    assert_sequence_kept("leaq v@tlsld(%rip), %rdi\ncall __tls_get_addr@PLT", variable, JCC_TARGET_X86_64);
    assert_sequence_kept("leaq v@tlsgd(%rip), %rdi\n.value 0x6666\nrex64\ncall __tls_get_addr@PLT", variable, JCC_TARGET_X32);
    assert_sequence_kept("leal v@tlsgd(,%ebx,1), %eax\ncall ___tls_get_addr@PLT", variable, JCC_TARGET_I386);
    assert_sequence_kept("leal v@tlsldm(%ebx), %eax\ncall ___tls_get_addr@PLT", variable, JCC_TARGET_I386);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ordinary_gap_takes_a_pad),
        cmocka_unit_test(none_behind_what_holds_interrupts_off),
        cmocka_unit_test(none_between_a_call_and_a_return_address_that_data_names),
        cmocka_unit_test(none_before_endbr_that_control_runs_into),
        cmocka_unit_test(none_behind_data_and_none_inside_what_data_makes),
        cmocka_unit_test(none_between_a_prefix_and_its_instruction),
        cmocka_unit_test(a_label_stays_on_the_alignment_before_it),
        cmocka_unit_test(none_inside_a_pair),
        cmocka_unit_test(a_pad_behind_a_jump_belongs_to_its_function),
        cmocka_unit_test(none_inside_a_run_of_no_operations),
        cmocka_unit_test(none_where_what_follows_a_trap_is_read_as_data),
        cmocka_unit_test(a_tls_sequence_keeps_its_bytes),
    };
    return RIG_RUN(tests);
}
