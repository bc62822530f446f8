// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which instructions take redundant prefixes. A prefix is the only help there is: the instruction stands between data and an affected
// jump, and a no-operation is dearer than anything.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"

static const char variable[] = ".section .tbss,\"awT\",@nobits\n.globl v\nv: .zero 4\n";

// How many bytes INSTRUCTION grew by: it stands right before an affected jmp, and a pad may stand nowhere.
static unsigned growth(const char *instruction, enum jcc_target target, uint32_t limit)
{
    struct jcc_text text = {0};
    jcc_text_format(&text, ".globl f\na: %s\nb: ret\n%s", instruction, variable);
    struct rig measured = rig_assemble_as(text.data, jcc_policy_off(), target);
    unsigned length = (unsigned)(rig_symbol(&measured, "b") - rig_symbol(&measured, "a"));
    rig_free(&measured);
    jcc_text_free(&text);

    // Behind sti no pad stands, and between instruction and jmp is where a pad would: dear beyond measure.
    jcc_text_string(&text, ".p2align 5\n");
    rig_data(&text, 31 - length - 1);
    jcc_text_format(&text, "sti\na: %s\nb: jmp f\n%s", instruction, variable);
    static const struct jcc_layout_prices prices = {.nop = 1000000, .prefix = 0};
    struct jcc_assemble_request request = rig_request(text.data);
    request.target = target;
    request.prices = &prices;
    request.policy.kinds = JCC_KIND_BIT(JCC_KIND_JMP);
    request.policy.prefix_limit = limit;
    struct rig rig = rig_assemble_request(&request);
    assert_int_equal(rig.status, JCC_OK);
    assert_int_equal(rig.result.totals.affected_plain, 1);
    assert_int_equal(rig.result.totals.affected, 0);
    unsigned grown = (unsigned)(rig_symbol(&rig, "b") - rig_symbol(&rig, "a")) - length;
    assert_int_equal(grown, rig.result.totals.prefix_bytes + rig.result.totals.pad_bytes);
    assert_true(!rig.result.totals.prefix_bytes || !rig.result.totals.pad_bytes);
    grown = (unsigned)rig.result.totals.prefix_bytes;
    rig_free(&rig);
    jcc_text_free(&text);
    return grown;
}

static void assert_grows(const char *const *instructions, size_t count, enum jcc_target target, bool want)
{
    for (size_t k = 0; k < count; k++) {
        unsigned grown = growth(instructions[k], target, 5);
        if ((grown > 0) != want)
            fail_msg("%s takes %u prefixes", instructions[k], grown);
    }
}

#define GROWS(list, target, want) assert_grows(list, sizeof(list) / sizeof *(list), target, want)

static void ordinary_instructions_take_prefixes(void **state)
{
    (void)state;
    static const char *const list[] = {
        "movl %eax, %ebx",    "movq %rax, (%rbx)",    "addq $5, %r9",   "vpaddd %zmm1, %zmm2, %zmm3", "vaddps %xmm0, %xmm1, %xmm2",
        "leaq f(%rip), %rax", "imull $7, %ecx, %edx", "btl %eax, %ecx", "movb $1, %cs:(%rax)"};
    GROWS(list, JCC_TARGET_X86_64, true);
    static const char *const list32[] = {"movl %eax, %ebx", "movl (%ebp), %ebx", "movl (%esp), %ebx"};
    GROWS(list32, JCC_TARGET_I386, true);
    static const char *const list_x32[] = {"movl %eax, %ebx", "movl (%eax), %r9d"};
    GROWS(list_x32, JCC_TARGET_X32, true);
}

static void branches_take_none(void **state)
{
    (void)state;
    static const char *const list[] = {"jrcxz b", "jecxz b",    "loop b",      "loope b",           "xbegin b", "je b",   "jmp b",
                                       "call g",  "call *%rax", "jmp *(%rax)", "notrack jmp *%rax", "ret",      "ret $8", "lret"};
    GROWS(list, JCC_TARGET_X86_64, false);
}

static void instructions_with_a_meaning_of_their_own_take_none(void **state)
{
    (void)state;
    static const char *const list[] = {"endbr64",   "nop",         "nopw (%rax)",      "nopl 0x200(%rax,%rax,1)",   "pause", "syscall",
                                       "rep movsb", "repne scasb", "lock incl (%rax)", "xacquire lock incl (%rax)", "cli",   "hlt",
                                       "int3",      "ud2"};
    GROWS(list, JCC_TARGET_X86_64, false);
}

static void thread_local_accesses_take_none(void **state)
{
    (void)state;
    static const char *const list[] = {
        "movq %fs:0, %rax",       "movl %gs:8(%rax), %ecx",   "movq v@gottpoff(%rip), %rax", "addq v@gottpoff(%rip), %rax",
        "movl %fs:v@tpoff, %eax", "leaq v@tpoff(%rax), %rdx", "leaq v@dtpoff(%rax), %rdx",   "leaq v@tlsdesc(%rip), %rax",
        "movq $v@tpoff, %rax"};
    GROWS(list, JCC_TARGET_X86_64, false);
    static const char *const list32[] = {"movl v@indntpoff, %eax", "movl v@gotntpoff(%ebx), %eax", "leal v@ntpoff(%eax), %eax",
                                         "movl %gs:0, %eax"};
    GROWS(list32, JCC_TARGET_I386, false);
}

static void what_has_a_prefix_written_by_hand_takes_none(void **state)
{
    (void)state;
    static const char *const list[] = {"cs\nmovl %eax, %ebx", ".byte 0x2e\nmovl %eax, %ebx", "data16\nmovl %eax, %ebx",
                                       ".byte 0x48\nmovl %eax, %ebx"};
    GROWS(list, JCC_TARGET_X86_64, false);
}

static void no_more_prefixes_than_the_policy_allows(void **state)
{
    (void)state;
    assert_int_equal(growth("movl %eax, %ebx", JCC_TARGET_X86_64, 0), 0);
    assert_int_equal(growth("movl %eax, %ebx", JCC_TARGET_X86_64, 1), 1);
    // The jmp ends one byte beyond the boundary less two: one byte helps no one, it takes as many as bring the jmp past it.
    assert_true(growth("movl %eax, %ebx", JCC_TARGET_X86_64, 5) <= 5);
    // 15 bytes are the end: 14 and 15 bytes long.
    assert_true(growth("movabsq $0x1122334455667788, %rax", JCC_TARGET_X86_64, 5) <= 5);
    assert_int_equal(growth("addq $0x11223344, %cs:0x11223344(%r8,%r9,4)", JCC_TARGET_X86_64, 5) <= 2, 1);
}

// The byte is one that changes nothing: 2e in 64-bit code, the default segment's in 32-bit code.
static void the_prefix_is_one_that_means_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *instruction;
        enum jcc_target target;
        uint8_t byte;
    } cases[] = {
        {"movl (%rax), %ebx", JCC_TARGET_X86_64, 0x2e}, {"movl (%rsp), %ebx", JCC_TARGET_X86_64, 0x2e},
        {"movl (%eax), %ebx", JCC_TARGET_I386, 0x3e},   {"movl (%esp), %ebx", JCC_TARGET_I386, 0x36},
        {"movl 4(%ebp), %ebx", JCC_TARGET_I386, 0x36},  {"movl (%eax), %ebx", JCC_TARGET_X32, 0x2e},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct jcc_text text = {0};
        jcc_text_format(&text, ".p2align 5\n.skip 25, 0x90\nsti\na: %s\n.skip 0\njmp f", cases[k].instruction);
        struct jcc_assemble_request request = rig_request(text.data);
        request.target = cases[k].target;
        struct rig rig = rig_assemble_request(&request);
        assert_int_equal(rig.status, JCC_OK);
        rig_assert_clean(&rig);
        assert_true(rig.result.totals.prefix_bytes > 0);
        assert_int_equal(*rig_bytes_at(&rig, ".text", "a"), cases[k].byte);
        rig_free(&rig);
        jcc_text_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ordinary_instructions_take_prefixes),
        cmocka_unit_test(branches_take_none),
        cmocka_unit_test(instructions_with_a_meaning_of_their_own_take_none),
        cmocka_unit_test(thread_local_accesses_take_none),
        cmocka_unit_test(what_has_a_prefix_written_by_hand_takes_none),
        cmocka_unit_test(no_more_prefixes_than_the_policy_allows),
        cmocka_unit_test(the_prefix_is_one_that_means_nothing),
    };
    return RIG_RUN(tests);
}
