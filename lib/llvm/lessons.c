// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // memmem
#include "lessons.h"

#include "emitted.h"

#include <elf.h>
#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

// A book is closed and begun anew beyond either: some 16 MiB.
#define BOOK_FORMS_MAX   ((size_t)8 << 20)
#define BOOK_LESSONS_MAX ((size_t)1 << 17)

#define NO_LESSON UINT32_MAX

struct jcc_lesson {
    uint32_t form, length; // in the book's forms
    uint32_t statement;    // where it was first met; while it is learned
    struct jcc_seen seen;
};

void jcc_lesson_book_free(struct jcc_lesson_book *book)
{
    jcc_text_free(&book->forms);
    free(book->list);
    free(book->slots);
    *book = (struct jcc_lesson_book){0};
}

void jcc_lessons_free(struct jcc_lessons *l)
{
    jcc_names_free(&l->symbols);
    free(l->of_statement);
    *l = (struct jcc_lessons){0};
}

static size_t slot_of(const struct jcc_lesson_book *book, const char *form, size_t length)
{
    size_t slot = jcc_hash(form, length) & (book->slot_count - 1);
    for (; book->slots[slot]; slot = (slot + 1) & (book->slot_count - 1)) {
        const struct jcc_lesson *lesson = &book->list[book->slots[slot] - 1];
        if (lesson->length == length && !memcmp(book->forms.data + lesson->form, form, length))
            break;
    }
    return slot;
}

static bool grow_slots(struct jcc_lesson_book *book)
{
    if (book->count * 2 < book->slot_count)
        return true;
    size_t wanted = book->slot_count ? book->slot_count * 2 : 1024;
    uint32_t *slots = calloc(wanted, sizeof *slots);
    if (!slots)
        return false;
    free(book->slots);
    book->slots = slots;
    book->slot_count = wanted;
    for (size_t k = 0; k < book->count; k++)
        book->slots[slot_of(book, book->forms.data + book->list[k].form, book->list[k].length)] = (uint32_t)k + 1;
    return true;
}

// The lesson of the form that begins at byte FORM of the book, its last; the form is taken back when it is known.
static uint32_t lesson_of(struct jcc_lesson_book *book, size_t form, size_t statement)
{
    size_t length = book->forms.length - form;
    if (!grow_slots(book) || !jcc_grow(&book->list, &book->capacity, book->count + 1, sizeof *book->list))
        return NO_LESSON;
    size_t slot = slot_of(book, book->forms.data + form, length);
    if (book->slots[slot]) {
        book->forms.length = form;
        return book->slots[slot] - 1;
    }
    book->list[book->count] = (struct jcc_lesson){.form = (uint32_t)form, .length = (uint32_t)length, .statement = (uint32_t)statement};
    book->slots[slot] = (uint32_t)++book->count;
    return (uint32_t)book->count - 1;
}

static enum jcc_status note_symbols(struct jcc_lessons *l)
{
    const struct jcc_scan *scan = l->scan;
    for (size_t k = 0; k < scan->count; k++) {
        const struct jcc_statement *s = &scan->statements[k];
        uint32_t trait = 0;
        if (s->type == JCC_STATEMENT_ASSIGN || (s->type == JCC_STATEMENT_DIRECTIVE && s->directive == JCC_DIRECTIVE_SET))
            trait = JCC_SYMBOL_ABSOLUTE;
        else if (s->type == JCC_STATEMENT_DIRECTIVE && s->directive == JCC_DIRECTIVE_NOTHING &&
                 (jcc_statement_is(scan, s, ".globl") || jcc_statement_is(scan, s, ".global") || jcc_statement_is(scan, s, ".weak")))
            trait = JCC_SYMBOL_GLOBAL;
        else if (s->type == JCC_STATEMENT_DIRECTIVE && jcc_statement_is(scan, s, ".type") &&
                 memmem(scan->text + s->begin, s->end - s->begin, "gnu_", 4))
            trait = JCC_SYMBOL_GLOBAL; // @gnu_indirect_function, @gnu_unique_object
        else
            continue;
        size_t length, n;
        const char *name, *at = jcc_statement_operands(scan, s, &length);
        if (s->type == JCC_STATEMENT_ASSIGN) {
            at = scan->text + s->begin;
            length = s->end - s->begin;
        }
        struct jcc_lexer lexer = {at, at + length};
        if (!jcc_lexer_name(&lexer, &name, &n))
            continue;
        const char *value;
        size_t value_length;
        if (trait == JCC_SYMBOL_ABSOLUTE && jcc_lexer_name(&lexer, &value, &value_length) && !memchr(at, '-', length))
            trait = JCC_SYMBOL_ALIAS;
        if (!jcc_names_put(&l->symbols, name, n, trait))
            return JCC_ERROR_NO_MEMORY;
    }
    return JCC_OK;
}

static enum jcc_status find_forms(struct jcc_lessons *l)
{
    const struct jcc_scan *scan = l->scan;
    struct jcc_lesson_book *book = l->book;
    for (size_t run = 0; run < l->sections->run_count; run++) {
        if (!l->sections->list[l->sections->runs[run].section].code)
            continue;
        size_t end = jcc_sections_run_end(l->sections, scan, run);
        for (size_t k = l->sections->runs[run].first; k < end; k++) {
            const struct jcc_statement *s = &scan->statements[k];
            size_t form = book->forms.length;
            if (s->type != JCC_STATEMENT_INSN && s->type != JCC_STATEMENT_PREFIX)
                continue;
            for (; s->type == JCC_STATEMENT_PREFIX && k + 1 < end; s = &scan->statements[++k]) {
                jcc_text_append(&book->forms, scan->text + s->begin, s->end - s->begin);
                jcc_text_append(&book->forms, "; ", 2);
            }
            if (s->type != JCC_STATEMENT_INSN || !jcc_canonical(&book->forms, scan, s, &l->symbols)) {
                book->forms.length = form;
                return JCC_ERROR_UNSUPPORTED;
            }
            l->of_statement[k] = book->forms.failed ? NO_LESSON : lesson_of(book, form, k);
            if (l->of_statement[k] == NO_LESSON)
                return JCC_ERROR_NO_MEMORY;
        }
    }
    return JCC_OK;
}

// What the lessons from FIRST on became in OBJECT's .text, one behind the other.
static enum jcc_status read_lessons(struct jcc_lessons *l, size_t first, const struct jcc_emitted *object)
{
    const struct jcc_emitted_section *text = NULL;
    for (size_t k = 1; k < object->section_count && !text; k++)
        if (object->sections[k].flags & SHF_EXECINSTR)
            text = &object->sections[k];
    if (!text)
        return JCC_ERROR_UNSUPPORTED;
    size_t at = 0, size = (size_t)text->size, relocation = 0, relocations = jcc_emitted_relocation_count(object, text);
    for (size_t k = first; k < l->book->count; k++) {
        struct jcc_lesson *lesson = &l->book->list[k];
        const struct jcc_statement *s = &l->scan->statements[lesson->statement];
        if (at >= size || !jcc_see_statement(l->scan, s, l->mode, text->bytes + at, size - at, &lesson->seen))
            return JCC_ERROR_UNSUPPORTED;
        at += lesson->seen.length;
        for (; relocation < relocations; relocation++) {
            struct jcc_emitted_relocation r = jcc_emitted_relocation(object, text, relocation);
            if (r.offset >= at)
                break;
            lesson->seen.relocation = r.type;
        }
    }
    return at == size ? JCC_OK : JCC_ERROR_UNSUPPORTED;
}

static enum jcc_status assemble_forms(struct jcc_lessons *l, size_t first, struct jcc_session *session, enum jcc_target target)
{
    struct jcc_lesson_book *book = l->book;
    struct jcc_text text = {0};
    struct jcc_diagnostics aside = {0};
    struct jcc_emitted object = {0};
    LLVMMemoryBufferRef buffer = NULL;
    jcc_text_reserve(&text, book->forms.length - book->list[first].form + (book->count - first) + 8);
    jcc_text_append(&text, ".text\n", 6);
    for (size_t k = first; k < book->count; k++) {
        jcc_text_append(&text, book->forms.data + book->list[k].form, book->list[k].length);
        jcc_text_append(&text, "\n", 1);
    }
    enum jcc_status status = text.failed ? JCC_ERROR_NO_MEMORY : JCC_OK;
    if (!status)
        status = jcc_session_run(session, target, JCC_PASS_OBJECT, text.data, text.length, &aside, &buffer);
    if (status == JCC_ERROR_SOURCE)
        status = JCC_ERROR_UNSUPPORTED; // the whole source will tell
    if (!status)
        status = jcc_emitted_open(&object, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    if (!status)
        status = read_lessons(l, first, &object);
    jcc_emitted_close(&object);
    if (buffer)
        LLVMDisposeMemoryBuffer(buffer);
    jcc_diagnostics_clear(&aside);
    jcc_text_free(&text);
    return status;
}

enum jcc_status jcc_lessons_learn(struct jcc_lessons *l, struct jcc_session *session, enum jcc_target target)
{
    if (l->book->forms.length > BOOK_FORMS_MAX || l->book->count > BOOK_LESSONS_MAX || l->book->forms.failed)
        jcc_lesson_book_free(l->book);
    size_t first = l->book->count;
    l->of_statement = malloc((l->scan->count + 1) * sizeof *l->of_statement);
    enum jcc_status status = l->of_statement ? note_symbols(l) : JCC_ERROR_NO_MEMORY;
    if (!status)
        status = find_forms(l);
    if (!status && l->book->count > first)
        status = assemble_forms(l, first, session, target);
    if (status) // nothing half learned may stay
        jcc_lesson_book_free(l->book);
    return status;
}

// Whether the statement's operand is one symbol and nothing else: its name.
static bool is_symbol_alone(const struct jcc_lessons *l, const struct jcc_statement *s, const char **name, size_t *length)
{
    size_t operands;
    const char *at = jcc_statement_operands(l->scan, s, &operands);
    struct jcc_lexer lexer = {at, at + operands};
    return jcc_lexer_name(&lexer, name, length) && *name == at && *length == operands && !(*length == 1 && *at == '.');
}

// A branch by its operand: short when it goes to a place of its own section, else held by a relocation.
static bool see_branch(const struct jcc_lessons *l, uint32_t section, size_t index, struct jcc_seen *seen)
{
    const struct jcc_statement *s = &l->scan->statements[index];
    size_t length, operands;
    const char *name, *at = jcc_statement_operands(l->scan, s, &operands);
    bool may_grow = seen->insn.kind == JCC_KIND_JCC || seen->insn.kind == JCC_KIND_JMP;
    if (l->scan->text[s->begin] == '{')
        return false;
    if (!is_symbol_alone(l, s, &name, &length)) // sym@PLT is as learned; sym+4 and .+4 take the place
        return memchr(at, '@', operands) && !memchr(at, '+', operands) && !memchr(at, '-', operands);
    uint32_t label = jcc_source_labels_find(l->labels, name, length, index), trait = jcc_names_get(&l->symbols, name, length);
    if (label == JCC_NO_LABEL)
        return !trait && !(seen->insn.flags & JCC_INSN_SHORT_ONLY);
    if (trait & JCC_SYMBOL_GLOBAL || l->labels->list[label].section != section)
        return !(seen->insn.flags & JCC_INSN_SHORT_ONLY);
    seen->relocation = 0;
    if (may_grow && seen->insn.imm_size == 4) {
        unsigned grow = seen->insn.kind == JCC_KIND_JCC ? 4 : 3; // 0f 8x rel32 for 7x rel8, e9 rel32 for eb rel8
        seen->insn.length = (uint8_t)(seen->insn.length - grow);
        seen->length -= grow;
        seen->insn.imm_size = 1;
    }
    return true;
}

bool jcc_see_lesson(const struct jcc_lessons *l, uint32_t section, size_t index, struct jcc_seen *seen)
{
    *seen = l->book->list[l->of_statement[index]].seen;
    if (seen->insn.flags & JCC_INSN_RIP_RELATIVE && !seen->relocation)
        return false; // 28(%rip): counted from the instruction's place
    return !(seen->insn.flags & JCC_INSN_RELATIVE) || see_branch(l, section, index, seen);
}
