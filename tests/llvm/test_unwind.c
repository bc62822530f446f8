// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The unwind table says the same of every instruction, padded or not: read here by a small interpreter of .eh_frame.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm_rig.h"

#include <jccsafe/insn.h>

#define ROWS_MAX 512

// The canonical frame address: a register and an offset.
struct cfa {
    uint64_t reg, offset;
};

struct row {
    uint64_t address;
    struct cfa cfa;
};

struct table {
    struct row rows[ROWS_MAX];
    size_t count;
    uint64_t end[8]; // of each frame
    size_t frames;
};

static uint64_t uleb(const uint8_t **at)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = *(*at)++;
        value |= (uint64_t)(byte & 127) << shift;
        if (!(byte & 128))
            return value;
    }
}

static void add_row(struct table *t, uint64_t address, struct cfa cfa)
{
    assert_true(t->count < ROWS_MAX);
    t->rows[t->count++] = (struct row){address, cfa};
}

// Run the instructions in [at, end) from ADDRESS on.
static void run(struct table *t, const uint8_t *at, const uint8_t *end, uint64_t address, struct cfa cfa)
{
    struct cfa saved[8];
    size_t depth = 0;
    add_row(t, address, cfa);
    while (at < end) {
        uint8_t op = *at++;
        uint16_t delta;
        if (op >> 6 == 1) { // DW_CFA_advance_loc
            address += op & 63;
        } else if (op >> 6 == 2) { // DW_CFA_offset
            uleb(&at);
        } else if (op >> 6 == 3 || !op) { // DW_CFA_restore, DW_CFA_nop
        } else if (op == 2) {             // DW_CFA_advance_loc1
            address += *at++;
        } else if (op == 3) { // DW_CFA_advance_loc2
            memcpy(&delta, at, 2);
            address += delta, at += 2;
        } else if (op == 0xa) { // DW_CFA_remember_state
            saved[depth++] = cfa;
        } else if (op == 0xb) { // DW_CFA_restore_state
            cfa = saved[--depth];
        } else if (op == 0xc) { // DW_CFA_def_cfa
            cfa.reg = uleb(&at), cfa.offset = uleb(&at);
        } else if (op == 0xd) { // DW_CFA_def_cfa_register
            cfa.reg = uleb(&at);
        } else if (op == 0xe) { // DW_CFA_def_cfa_offset
            cfa.offset = uleb(&at);
        } else {
            fail_msg("DW_CFA 0x%x", op);
        }
        add_row(t, address, cfa);
    }
}

// All frames of .eh_frame in order. Their begins are relocated against .text: the addend is the place.
static struct table read_table(const struct rig *rig)
{
    struct table t = {.count = 0};
    const struct jcc_emitted_section *s = rig_section(rig, ".eh_frame");
    const struct jcc_emitted_section *relocations = &rig->object.sections[s->relocations];
    for (uint64_t at = 0; at + 4 <= s->size;) {
        uint32_t length, id;
        memcpy(&length, s->bytes + at, 4);
        memcpy(&id, s->bytes + at + 4, 4);
        if (id) {
            uint32_t range;
            int64_t begin = -1;
            memcpy(&range, s->bytes + at + 12, 4);
            for (uint64_t r = 0; r < relocations->size; r += 24) { // Elf64_Rela
                uint64_t offset;
                memcpy(&offset, relocations->bytes + r, 8);
                if (offset == at + 8)
                    memcpy(&begin, relocations->bytes + r + 16, 8);
            }
            assert_true(begin >= 0);
            assert_int_equal(s->bytes[at + 16], 0); // no augmentation data
            run(&t, s->bytes + at + 17, s->bytes + at + 4 + length, (uint64_t)begin, (struct cfa){7, 8});
            t.end[t.frames++] = (uint64_t)begin + range;
        }
        at += 4 + length;
    }
    return t;
}

static struct cfa at_address(const struct table *t, uint64_t address)
{
    struct cfa cfa = {0, 0};
    uint64_t best = 0;
    for (size_t k = 0; k < t->count; k++)
        if (t->rows[k].address <= address && t->rows[k].address >= best)
            best = t->rows[k].address, cfa = t->rows[k].cfa;
    return cfa;
}

// What the table says of each instruction that is no no-operation; returns how many there are.
static size_t states(const struct rig *rig, struct cfa *out, size_t capacity)
{
    struct table t = read_table(rig);
    const struct jcc_emitted_section *s = rig_section(rig, ".text");
    size_t n = 0;
    for (uint64_t at = 0; at < s->size;) {
        struct jcc_insn insn;
        assert_int_equal(jcc_insn_decode(JCC_MODE_64, s->bytes + at, (size_t)(s->size - at), &insn), JCC_OK);
        if (!(insn.flags & JCC_INSN_NOP) && n < capacity)
            out[n++] = at_address(&t, at);
        at += insn.length;
    }
    return n;
}

static void assert_same_rows(const char *body)
{
    for (unsigned fill = 0; fill < 32; fill++) {
        struct jcc_text text = {0};
        jcc_text_string(&text, ".p2align 5\n");
        rig_nops(&text, fill);
        jcc_text_string(&text, body);
        struct rig plain = rig_plain(text.data), rig = rig_assemble(text.data);
        rig_assert_clean(&rig);
        struct cfa want[64], got[64];
        size_t n = states(&plain, want, 64);
        assert_true(n > 4);
        assert_int_equal(states(&rig, got, 64), n);
        for (size_t k = 0; k < n; k++)
            if (want[k].reg != got[k].reg || want[k].offset != got[k].offset)
                fail_msg("fill %u: instruction %u: r%u+%u, not r%u+%u", fill, (unsigned)k, (unsigned)got[k].reg, (unsigned)got[k].offset,
                         (unsigned)want[k].reg, (unsigned)want[k].offset);
        rig_free(&plain);
        rig_free(&rig);
        jcc_text_free(&text);
    }
}

static void pushes_and_pops_keep_their_rows(void **state)
{
    (void)state;
    assert_same_rows("f: .cfi_startproc\n"
                     "pushq %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset %rbp, -16\n"
                     "movq %rsp, %rbp\n.cfi_def_cfa_register %rbp\n"
                     "testl %edi, %edi\nje 1f\n"
                     "call g\n"
                     "1: popq %rbp\n.cfi_def_cfa %rsp, 8\n"
                     "ret\n.cfi_endproc\n.size f, .-f\n");
}

static void a_state_that_is_restored_behind_a_jump_begins_at_its_label(void **state)
{
    (void)state;
    assert_same_rows("f: .cfi_startproc\n"
                     "pushq %rbx\n.cfi_def_cfa_offset 16\n.cfi_remember_state\n"
                     "cmpl $3, %edi\njne 2f\n"
                     "popq %rbx\n.cfi_def_cfa_offset 8\n"
                     "jmp g\n"
                     "2: .cfi_restore_state\n"
                     "jmp *%rax\n"
                     ".p2align 4\n"
                     "3: call g\n"
                     "popq %rbx\n.cfi_def_cfa_offset 8\n"
                     "ret\n.cfi_endproc\n.size f, .-f\n");
}

// Control runs into the label, and the row of .cfi_def_cfa_offset begins there: a pad before it would get the wrong row.
static void a_label_that_a_row_begins_at_is_not_moved_from_the_instruction_before(void **state)
{
    (void)state;
    assert_same_rows("f: .cfi_startproc\n"
                     "pushq %rbx\n"
                     "1: .cfi_def_cfa_offset 16\n"
                     "cmpl $3, %edi\njne 2f\n"
                     "pushq $1\n"
                     "2: .cfi_def_cfa_offset 24\n"
                     "call g\naddq $16, %rsp\n"
                     "3: .cfi_def_cfa_offset 8\n"
                     "ret\n.cfi_endproc\n");
}

static void a_pad_behind_a_jump_stays_inside_its_frame(void **state)
{
    (void)state;
    for (unsigned fill = 0; fill < 32; fill++) {
        struct jcc_text text = {0};
        jcc_text_string(&text, ".p2align 5\n.cfi_startproc\n");
        rig_data(&text, fill);
        jcc_text_string(&text, "f: jmp g\n.cfi_endproc\nh: .cfi_startproc\ncall g\ncall g\njmp g\n.cfi_endproc\ne:\n");
        struct rig rig = rig_assemble(text.data);
        struct table t = read_table(&rig);
        assert_int_equal(t.frames, 2);
        assert_int_equal(t.end[0], rig_symbol(&rig, "h"));
        assert_int_equal(t.end[1], rig_symbol(&rig, "e"));
        rig_free(&rig);
        jcc_text_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pushes_and_pops_keep_their_rows),
        cmocka_unit_test(a_state_that_is_restored_behind_a_jump_begins_at_its_label),
        cmocka_unit_test(a_label_that_a_row_begins_at_is_not_moved_from_the_instruction_before),
        cmocka_unit_test(a_pad_behind_a_jump_stays_inside_its_frame),
    };
    return RIG_RUN(tests);
}
