// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources that end LLVM, or keep it busy for ever: each is refused beforehand with its line, or assembled.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"
#include "compat.h"

static void assert_refused_at(const char *text, uint32_t line)
{
    struct jcc_assemble_request request = rig_request(text);
    struct rig rig = rig_assemble_request(&request);
    if (rig.status != JCC_ERROR_SOURCE)
        fail_msg("not refused:\n%s", text);
    bool named = false;
    for (size_t k = 0; k < rig.result.diagnostic_count; k++)
        named |= rig.result.diagnostics[k].line == line && rig.result.diagnostics[k].severity == JCC_SEVERITY_ERROR;
    if (!named) {
        rig_print(&rig);
        fail_msg("line %u is not named:\n%s", line, text);
    }
    rig_free(&rig);
}

static void value_lists_that_name_a_parameter(void **state)
{
    (void)state;
    assert_refused_at("nop\n.irp reg,first=\nnop\n.endr\n", 2);
    assert_refused_at("nop\n.irpc reg,first=\nnop\n.endr\n", 2);
    assert_refused_at("nop\n.irp reg, a, b =\nnop\n.endr\n", 2);
    struct rig rig = rig_assemble(".irp x, 1, 2, (a==b), \"c=d\"\nnop\n.endr\n");
    assert_int_equal(rig_section(&rig, ".text")->size, 4);
    rig_free(&rig);
}

static void places_set_from_what_is_not_known(void **state)
{
    (void)state;
    assert_refused_at("nop\n. = later\nnop\nlater:\n", 2);
    assert_refused_at("nop\n. = undefined_sym\n", 2);
    assert_refused_at("nop\n. = a - b\n", 2);
    struct rig rig = rig_assemble("known: nop\n. = known + 9\nx = 3\n. = known + 9 + x\nret\n");
    assert_int_equal(rig_section(&rig, ".text")->size, 13);
    rig_free(&rig);
}

static void repetitions_and_sizes_without_end(void **state)
{
    (void)state;
    assert_refused_at("nop\n.rept 100000000\nnop\n.endr\n", 2);
    assert_refused_at("nop\n.rept 0xffffffffffff\nnop\n.endr\n", 2);
    assert_refused_at("nop\n.skip 0x100000000000\n", 2);
    assert_refused_at("nop\n.space 1000000000000\n", 2);
    assert_refused_at("nop\n.fill 1000000000000\n", 2);
    assert_refused_at("nop\n.zero 1000000000000\n", 2);
    assert_refused_at("nop\n.fill 400000000, 8\n", 2);
    assert_refused_at("nop\n.dcb.l 0xffffffff, 1\n", 2);
    assert_refused_at("nop\n.ds.b 0xffffffff\n", 2);
    assert_refused_at("nop\n.skip 1<<40\n", 2);
    assert_refused_at("nop\n.FILL (1 << 20) * (1 << 20)\n", 2);
    assert_refused_at("nop\n.nops 0x10000000000\n", 2);
    assert_refused_at("nop\n.file 100000000 \"x\"\n", 2);
    assert_refused_at("nop\n.file 5000000000 \"x\"\n", 2);
    assert_refused_at(".bss\n.zero 10000000000\n.data\n.zero 10000000000\n", 4);
    struct rig rig = rig_assemble(".octa 0x08090a0b0c0d0e0f0001020304050607\n.quad 0xffffffffffffffff\n.rept 1000\nnop\n.endr\n");
    assert_int_equal(rig_section(&rig, ".text")->size, 1024);
    rig_free(&rig);
    rig = rig_assemble(".bss\n.zero 10000000000\n.section .x,\"aw\",@nobits\n.skip 20000000000\n"); // takes no byte
    assert_int_equal(rig_section(&rig, ".bss")->size, 10000000000);
    rig_free(&rig);
}

// LLVM calls them invalid, and goes on to fill two gibibytes.
static void alignments_out_of_proportion(void **state)
{
    (void)state;
    assert_refused_at("nop\n.p2align 40\nret\n", 2);
    assert_refused_at("nop\n.balign 0x100000000\nret\n", 2);
    assert_refused_at("nop\n.align -1\nret\n", 2);
    assert_refused_at("nop\n.p2align 4-5\nret\n", 2);
    struct rig rig = rig_assemble(".p2align 12\nnop\n.balign 4096\nret\n");
    assert_int_equal(rig_section(&rig, ".text")->alignment, 4096);
    rig_free(&rig);
}

// Byte by byte, the text of such a fill is four times as long.
static void long_fill_takes_one_directive(void **state)
{
    (void)state;
    static const char text[] =
        "f: call g\nje f\n.p2align 13,0xcc\nret\n.p2align 14\nret\n.p2align 15,,100\njmp f\n.p2align 13,0x90\ncall f\n"
        ".p2align 12\njne f\n";
    for (int verify = JCC_VERIFY_PLAN; verify <= JCC_VERIFY_FULL; verify++)
        for (int target = 0; target <= JCC_TARGET_X32; target++) {
            struct jcc_assemble_request request = rig_request(text);
            request.verify = (enum jcc_verify)verify;
            request.target = (enum jcc_target)target;
            struct rig rig = rig_assemble_request(&request);
            assert_int_equal(rig.status, JCC_OK);
            assert_int_equal(rig.result.totals.llvm_passes, 1 + (verify == JCC_VERIFY_FULL));
            rig_assert_same_as(&rig, text, (enum jcc_target)target);
            rig_free(&rig);
        }
}

static void instruction_bundles(void **state)
{
    (void)state;
    assert_refused_at("nop\n.bundle_lock\n", 2);
    assert_refused_at("nop\n.bundle_unlock\n", 2);
    assert_refused_at("nop\n.bundle_align_mode 5\n.bundle_lock\nret\n", 2);
}

static void alignments_filled_with_more_than_bytes(void **state)
{
    (void)state;
    static const char *const list[] = {"nop\n.balignw 4, 0x9090\nret\n", "nop\n.p2alignl 4, 0x12345678\nret\n", "nop\n.balignl 4\nret\n"};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        if (JCC_WIDE_FILL_IS_FATAL)
            assert_refused_at(list[k], 2);
        else {
            struct rig rig = rig_assemble(list[k]);
            rig_free(&rig);
        }
    }
}

static void repetitions_fewer_than_none(void **state)
{
    (void)state;
    assert_refused_at("nop\n.fill -1\n", 2);
    assert_refused_at("nop\n.fill 0-1, 1, 0\nnop\n", 2);
}

static void divisions_without_a_result(void **state)
{
    (void)state;
    assert_refused_at("nop\n.byte -9223372036854775808 / -1\n", 2);
    assert_refused_at("nop\n.quad 1, -9223372036854775808 % -1\n", 2);
    assert_refused_at("nop\nmovabsq $(-9223372036854775808/-1), %rax\n", 2);
    assert_refused_at("nop\nx = (1-9223372036854775808-1)/(0-1)\n", 2);
    assert_refused_at("nop\n.set x, 1/0\n", 2);
    assert_refused_at("nop\n.uleb128 1/0\n", 2);
    struct rig rig = rig_assemble(".byte -128 / -1, -7 / 2 + 3, 255 % 16\n.if -4/2 == -2\nnop\n.endif\n");
    const struct jcc_emitted_section *text = rig_section(&rig, ".text");
    assert_int_equal(text->size, 4);
    assert_memory_equal(text->bytes, "\x80\x00\x0f\x90", 4);
    rig_free(&rig);
}

static void sizes_that_are_not_absolute(void **state)
{
    (void)state;
    assert_refused_at("f: ret\n.size f, .-typo\n", 2);
    assert_refused_at("f: ret\n.size f, undefined\n", 2);
    assert_refused_at("f: ret\n.data\n.size f, .-f\n", 3);
    assert_refused_at("f: ret\n.data\nx: .long 1\n.size x, (x + 1) - (f - 2)\n", 4);
    assert_refused_at("f: ret\n.SIZE f, .-typo\n", 2);
    assert_refused_at("nop\n.uleb128 x-y\n", 2);
    assert_refused_at("f: ret\n.data\n.sleb128 1, .-f\n", 3);
    struct rig rig = rig_assemble("f: ret\n1: nop\n.size f, .-f\n.size \"f\", (1b - f) + 1\nend = .\n.size f, end-f\n"
                                  "g = f\n.size g, .-g\n.data\n.size f, 1b-f\n.uleb128 1b-f, 1b - (f - 3)\n");
    assert_int_equal(rig_section(&rig, ".text")->size, 2);
    rig_free(&rig);
    rig = rig_assemble("a: ret\n.size b, .-b\n.size b, c-d\n"); // b is nowhere else
    rig_free(&rig);
}

static void what_a_condition_or_a_macro_holds_is_left_to_llvm(void **state)
{
    (void)state;
    static const char *const never[] = {
        ".set z,1/0", ".fill -1", ".balign -1", ".skip 1<<40", ".section .symtab", ".irp x,a=\n.endr", ".rept 100000000\nnop\n.endr"};
    for (size_t k = 0; k < sizeof never / sizeof *never; k++) {
        char text[200];
        snprintf(text, sizeof text, ".if 0\n%s\n.endif\n.macro m\n%s\n.endm\nz = 0\n.if z\n%s\n.else\nret\n.endif\n", never[k], never[k],
                 never[k]);
        struct rig rig = rig_assemble(text);
        assert_int_equal(rig_section(&rig, ".text")->size, 1);
        rig_free(&rig);
    }
    assert_refused_at(".if 0\n.else\n.skip 1<<40\n.endif\n", 3);
    assert_refused_at(".if 1\n.skip 1<<40\n.endif\n", 2);
}

static void room_without_bytes_after_a_stay_elsewhere(void **state)
{
    (void)state;
    struct rig rig =
        rig_assemble(".section .room,\"aw\",@nobits\n.pushsection .text\nret\n.popsection\n.zero 1<<33\n.text\n.previous\n.zero 1\n");
    assert_int_equal(rig_section(&rig, ".room")->size, (UINT64_C(1) << 33) + 1);
    rig_free(&rig);
}

static void common_symbols_that_do_not_agree(void **state)
{
    (void)state;
    assert_refused_at(".comm x, 4, 4\n.comm x, 8, 8\n", 2);
    assert_refused_at(".comm x, 4, 4\n.comm y, 4, 4\n.comm x, 4\n", 3);
    struct rig rig = rig_assemble(".comm x, 4, 4\n.comm y, 8\n.comm x,0x4,2+2\n.comm y,8,1\n.set s,8\n.comm y,s\nret\n");
    rig_free(&rig);
}

static void weak_references_to_themselves(void **state)
{
    (void)state;
    assert_refused_at("nop\n.weakref a, a\n.long a\n", 2);
}

static void subsections_out_of_range(void **state)
{
    (void)state;
    assert_refused_at("nop\n.subsection -1\nnop\n", 2);
    assert_refused_at("nop\n.text 10000000000\nnop\n", 2);
    struct rig rig = rig_assemble(".text 1\nnop\n.subsection 8192\nret\n.text\nret\n");
    assert_int_equal(rig_section(&rig, ".text")->size, 3);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(value_lists_that_name_a_parameter),
        cmocka_unit_test(places_set_from_what_is_not_known),
        cmocka_unit_test(repetitions_and_sizes_without_end),
        cmocka_unit_test(alignments_out_of_proportion),
        cmocka_unit_test(long_fill_takes_one_directive),
        cmocka_unit_test(instruction_bundles),
        cmocka_unit_test(alignments_filled_with_more_than_bytes),
        cmocka_unit_test(repetitions_fewer_than_none),
        cmocka_unit_test(divisions_without_a_result),
        cmocka_unit_test(sizes_that_are_not_absolute),
        cmocka_unit_test(what_a_condition_or_a_macro_holds_is_left_to_llvm),
        cmocka_unit_test(room_without_bytes_after_a_stay_elsewhere),
        cmocka_unit_test(common_symbols_that_do_not_agree),
        cmocka_unit_test(weak_references_to_themselves),
        cmocka_unit_test(subsections_out_of_range),
    };
    return RIG_RUN(tests);
}
