// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the tests of assembling: text is built, assembled and looked into. Needs cmocka, and lib/llvm's private emitted.h.
#ifndef JCCSAFE_TESTS_ASM_RIG_H
#define JCCSAFE_TESTS_ASM_RIG_H

#include "emitted.h"
#include "text.h"

#include <jccsafe/assemble.h>
#include <jccsafe/elf.h>
#include <jccsafe/padding.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One source assembled once.
struct rig {
    enum jcc_status status;
    struct jcc_assemble_result result;
    struct jcc_emitted object; // of the result, when there is one
};

// How objects are made sure of. RIG_RUN runs every test both ways.
static enum jcc_verify rig_verify;

#define RIG_RUN(tests)                                                                                                                     \
    (cmocka_run_group_tests_name("held", tests, rig_hold, NULL) + cmocka_run_group_tests_name("proved", tests, rig_prove, NULL))

static inline int rig_hold(void **state)
{
    (void)state;
    rig_verify = JCC_VERIFY_PLAN;
    return 0;
}

static inline int rig_prove(void **state)
{
    (void)state;
    rig_verify = JCC_VERIFY_FULL;
    return 0;
}

static inline struct jcc_assemble_request rig_request(const char *text)
{
    return (struct jcc_assemble_request){.size = sizeof(struct jcc_assemble_request),
                                         .text = text,
                                         .length = strlen(text),
                                         .name = "test.s",
                                         .policy = jcc_policy_full(),
                                         .verify = rig_verify};
}

static inline struct rig rig_assemble_request(const struct jcc_assemble_request *request)
{
    struct rig rig = {.result = {.size = sizeof rig.result}};
    jcc_assembler *assembler = NULL;
    assert_int_equal(jcc_assembler_create(&assembler), JCC_OK);
    rig.status = jcc_assemble(assembler, request, &rig.result);
    jcc_assembler_destroy(assembler);
    if (rig.result.object)
        assert_int_equal(jcc_emitted_open(&rig.object, rig.result.object, rig.result.object_size), JCC_OK);
    return rig;
}

static inline void rig_free(struct rig *rig)
{
    jcc_emitted_close(&rig->object);
    jcc_assemble_result_free(&rig->result);
}

static inline void rig_print(const struct rig *rig)
{
    print_error("%s\n", jcc_status_name(rig->status));
    for (size_t k = 0; k < rig->result.diagnostic_count; k++) {
        const struct jcc_diagnostic *d = &rig->result.diagnostics[k];
        print_error("%s:%u:%u: %d: %s\n", d->file, d->line, d->column, (int)d->severity, d->message);
    }
    for (size_t k = 0; k < rig->result.residual_count; k++) {
        const struct jcc_residual_unit *u = &rig->result.residuals[k];
        print_error("%s:%u: %s at %s+0x%lx: %s\n", u->file, u->line, jcc_kind_name(u->kind), u->section, (unsigned long)u->offset,
                    jcc_residual_name(u->reason));
    }
}

// TEXT assembled with POLICY for TARGET, which must go well.
static inline struct rig rig_assemble_as(const char *text, struct jcc_policy policy, enum jcc_target target)
{
    struct jcc_assemble_request request = rig_request(text);
    request.policy = policy;
    request.target = target;
    struct rig rig = rig_assemble_request(&request);
    if (rig.status != JCC_OK) {
        rig_print(&rig);
        fail_msg("does not assemble:\n%s", text);
    }
    return rig;
}

static inline struct rig rig_assemble(const char *text)
{
    return rig_assemble_as(text, jcc_policy_full(), JCC_TARGET_X86_64);
}

static inline struct rig rig_plain(const char *text)
{
    return rig_assemble_as(text, jcc_policy_off(), JCC_TARGET_X86_64);
}

// ---- looking into the object

static inline const struct jcc_emitted_section *rig_section(const struct rig *rig, const char *name)
{
    for (size_t k = 1; k < rig->object.section_count; k++)
        if (!strcmp(rig->object.sections[k].name, name))
            return &rig->object.sections[k];
    fail_msg("no section %s", name);
    return NULL;
}

static inline bool rig_find_symbol(const struct rig *rig, const char *name, struct jcc_emitted_symbol *symbol)
{
    for (size_t k = 1; k < jcc_emitted_symbol_count(&rig->object); k++) {
        *symbol = jcc_emitted_symbol(&rig->object, k);
        if (!strcmp(symbol->name, name))
            return true;
    }
    return false;
}

// Where label NAME stands in its section.
static inline uint64_t rig_symbol(const struct rig *rig, const char *name)
{
    struct jcc_emitted_symbol symbol;
    if (!rig_find_symbol(rig, name, &symbol))
        fail_msg("no symbol %s", name);
    return symbol.value;
}

// The bytes at label NAME, which stands in SECTION.
static inline const uint8_t *rig_bytes_at(const struct rig *rig, const char *section, const char *name)
{
    return rig_section(rig, section)->bytes + rig_symbol(rig, name);
}

// Affected units of every kind that the checker finds along the bytes.
static inline uint64_t rig_affected_by_bytes(const struct rig *rig)
{
    jcc_elf *elf;
    assert_int_equal(jcc_elf_open_memory(rig->result.object, rig->result.object_size, &elf), JCC_OK);
    struct jcc_policy policy = jcc_policy_full();
    struct jcc_elf_totals totals = {.size = sizeof totals};
    assert_int_equal(jcc_elf_check(elf, &policy, NULL, NULL, &totals), JCC_OK);
    jcc_elf_close(elf);
    uint64_t affected = 0;
    for (int kind = 0; kind < JCC_KIND_COUNT; kind++)
        affected += totals.check.affected[kind];
    return affected;
}

// The same, which is what the result says of itself too.
static inline uint64_t rig_affected(const struct rig *rig)
{
    uint64_t affected = rig_affected_by_bytes(rig);
    assert_int_equal(affected, rig->result.totals.affected);
    assert_int_equal(affected, rig->result.residual_count);
    return affected;
}

static inline void rig_assert_clean(const struct rig *rig)
{
    if (rig_affected(rig)) {
        rig_print(rig);
        fail_msg("%u affected units are left", (unsigned)rig->result.totals.affected);
    }
}

// RIG's object is that of TEXT, assembled plainly, but for padding: by the proof of lib/elf, however RIG was made sure of.
static inline void rig_assert_same_as(const struct rig *rig, const char *text, enum jcc_target target)
{
    struct rig plain = rig_assemble_as(text, jcc_policy_off(), target);
    jcc_elf *a, *b;
    assert_int_equal(jcc_elf_open_memory(plain.result.object, plain.result.object_size, &a), JCC_OK);
    assert_int_equal(jcc_elf_open_memory(rig->result.object, rig->result.object_size, &b), JCC_OK);
    struct jcc_elf_proof proof = {.size = sizeof proof};
    enum jcc_status status = jcc_elf_prove(a, b, NULL, NULL, NULL, &proof);
    if (status != JCC_OK)
        fail_msg("%s: %s at 0x%lx, plainly 0x%lx:\n%s", proof.difference.section, proof.difference.what,
                 (unsigned long)proof.difference.padded, (unsigned long)proof.difference.plain, text);
    jcc_elf_close(a);
    jcc_elf_close(b);
    rig_free(&plain);
}

static inline void rig_assert_same(const struct rig *rig, const char *text)
{
    rig_assert_same_as(rig, text, JCC_TARGET_X86_64);
}

// ---- building text

// COUNT bytes that no pad may follow: data.
static inline void rig_data(struct jcc_text *text, unsigned count)
{
    if (count)
        jcc_text_format(text, ".skip %u, 0x90\n", count);
}

// COUNT bytes of one-byte instructions, which take no prefix.
static inline void rig_nops(struct jcc_text *text, unsigned count)
{
    while (count--)
        jcc_text_string(text, "nop\n");
}

#endif
