// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "verify.h"

#include "hold.h"
#include "planner.h"

#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

void jcc_verify_blame_all(struct jcc_measure *m)
{
    for (size_t k = 0; k < m->code_count; k++)
        m->codes[k].planned = false;
}

// The planned section called NAME, when there is just one, else all of them.
static void blame(struct jcc_measure *m, const char *name)
{
    struct jcc_code *found = NULL;
    size_t count = 0;
    for (size_t k = 0; k < m->code_count; k++)
        if (m->codes[k].planned && !strcmp(m->codes[k].object->name, name)) {
            found = &m->codes[k];
            count++;
        }
    if (count == 1)
        found->planned = false;
    else
        jcc_verify_blame_all(m);
}

// Whether the statements of section RUN hold a value computed from two places: it follows the code.
static bool has_difference(const struct jcc_measure *m, size_t run)
{
    size_t end = jcc_sections_run_end(m->sections, m->scan, run);
    for (size_t k = m->sections->runs[run].first; k < end; k++) {
        const struct jcc_statement *s = &m->scan->statements[k];
        size_t length, n;
        if (s->type != JCC_STATEMENT_DIRECTIVE)
            continue;
        const char *name, *at = jcc_statement_operands(m->scan, s, &length);
        struct jcc_lexer lexer = {at, at + length};
        if (length && memchr(at, '-', length) && jcc_lexer_name(&lexer, &name, &n))
            return true;
    }
    return false;
}

// The proof's question: may this section differ? Its source is the same text, so it may where that text speaks of places.
static bool follows_code(void *context, const char *section, uint64_t plain_size, uint64_t padded_size)
{
    const struct jcc_measure *m = context;
    (void)plain_size;
    (void)padded_size;
    for (size_t run = 0; run < m->sections->run_count; run++) {
        const struct jcc_section *s = &m->sections->list[m->sections->runs[run].section];
        if (s->name_length == strlen(section) && !memcmp(s->name, section, s->name_length) && has_difference(m, run))
            return true;
    }
    return !strcmp(section, ".eh_frame") || !strcmp(section, ".debug_frame"); // made by the assembler from .cfi_*
}

static bool sizes_are_as_planned(struct jcc_measure *m, LLVMMemoryBufferRef padded)
{
    struct jcc_emitted object = {0};
    bool opened = !jcc_emitted_open(&object, LLVMGetBufferStart(padded), LLVMGetBufferSize(padded)), same = opened;
    for (size_t k = 0; opened && k < m->code_count; k++) {
        struct jcc_code *code = &m->codes[k];
        size_t index = (size_t)(code->object - m->object->sections);
        if (!code->planned)
            continue;
        const struct jcc_layout_place *last = &code->places[code->count - 1];
        if (index < object.section_count && object.sections[index].size == (uint64_t)last->offset + last->length)
            continue;
        code->planned = false;
        same = false;
    }
    jcc_emitted_close(&object);
    return same;
}

static bool may_run_data(const struct jcc_measure *m)
{
    for (size_t k = 0; k < m->code_count; k++)
        if (m->codes[k].planned && jcc_planner_may_run_data(&m->codes[k]))
            return true;
    return false;
}

// Whether PADDED holds against the plan, statement by statement. An object alone does not tell data between instructions from
// code, nor what an immediate was computed from; the plan does, unless the data may be run.
static bool holds(struct jcc_job *job, struct jcc_measure *m, LLVMMemoryBufferRef padded)
{
    if (may_run_data(m))
        return false;
    struct jcc_emitted object = {0};
    const struct jcc_emitted_section **plain = malloc((m->code_count + 1) * sizeof *plain);
    if (!plain)
        return false;
    for (size_t k = 0; k < m->code_count; k++)
        plain[k] = m->codes[k].object;
    bool held = !jcc_emitted_open(&object, LLVMGetBufferStart(padded), LLVMGetBufferSize(padded)) && jcc_hold_match(m, &object) &&
                jcc_hold(m, &job->totals.held_instructions);
    for (size_t k = 0; k < m->code_count; k++)
        m->codes[k].object = plain[k];
    free(plain);
    jcc_emitted_close(&object);
    return held;
}

enum jcc_status jcc_verify(struct jcc_job *job, struct jcc_measure *m, LLVMMemoryBufferRef plain, LLVMMemoryBufferRef padded)
{
    if (!sizes_are_as_planned(m, padded))
        return JCC_ERROR_DIFFERENT;
    jcc_elf *a = NULL, *b = NULL;
    struct jcc_elf_proof proof = {.size = sizeof proof};
    enum jcc_status status = jcc_elf_open_memory(LLVMGetBufferStart(plain), LLVMGetBufferSize(plain), &a);
    if (!status)
        status = jcc_elf_open_memory(LLVMGetBufferStart(padded), LLVMGetBufferSize(padded), &b);
    if (!status)
        status = jcc_elf_prove(a, b, JCC_MARK_PREFIX, follows_code, m, &proof);
    job->totals.held_instructions = 0;
    bool held = status == JCC_ERROR_DIFFERENT && job->request->verify == JCC_VERIFY_PLAN && holds(job, m, padded);
    if (status == JCC_ERROR_DIFFERENT && !held)
        blame(m, proof.difference.section);
    job->totals.proved_instructions = status ? 0 : proof.instructions;
    jcc_elf_close(a);
    jcc_elf_close(b);
    return held ? JCC_OK : status;
}
