// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "write.h"

#include <jccsafe/padding.h>
#include <stdlib.h>

// In the order in which edits of one place are written.
enum edit_type {
    EDIT_PAD = 0,     // behind a statement
    EDIT_ANCHOR = 1,  // before the section's first statement: its alignment
    EDIT_BEFORE = 2,  // a pad before a statement
    EDIT_PREFIX = 3,  // before a statement
    EDIT_LONG = 4,    // before a statement: {disp32}
    EDIT_REPLACE = 5, // an alignment directive, by its fill
};

struct edit {
    uint32_t at, end; // of the text: what is replaced; equal for an insertion
    uint32_t count;   // bytes
    uint8_t type;
    uint8_t fill; // enum jcc_fill
    uint8_t byte;
};

struct edits {
    struct edit *list;
    size_t count, capacity;
    bool failed;
};

static void add(struct edits *e, struct edit edit)
{
    if (!jcc_grow(&e->list, &e->capacity, e->count + 1, sizeof *e->list)) {
        e->failed = true;
        return;
    }
    e->list[e->count++] = edit;
}

static int by_place(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (int)x->type - (int)y->type;
}

// A jump that the plan holds long: LLVM would make it short where it fits. What was written long is long already.
static bool wants_disp32(const struct jcc_measure *m, const struct jcc_code *code, size_t k)
{
    const struct jcc_layout_item *item = &code->items[k];
    const struct jcc_statement *s = &m->scan->statements[code->sources[k].last];
    if (item->type != JCC_ITEM_INSN || !code->sources[k].relative || (item->kind != JCC_KIND_JCC && item->kind != JCC_KIND_JMP))
        return false;
    if (s->type != JCC_STATEMENT_INSN || m->scan->text[s->begin] == '{')
        return false;
    return !(item->flags & JCC_ITEM_RELAX) || code->places[k].length > item->length;
}

static void collect(struct edits *e, const struct jcc_measure *m, const struct jcc_code *code)
{
    const struct jcc_statement *first = &m->scan->statements[code->first_statement];
    add(e, (struct edit){.at = first->begin, .end = first->begin, .count = code->largest_align, .type = EDIT_ANCHOR});
    for (size_t k = 0; k < code->count; k++) {
        const struct jcc_layout_place *place = &code->places[k];
        const struct jcc_item_source *source = &code->sources[k];
        const struct jcc_statement *s = &m->scan->statements[source->first];
        if (place->pad)
            add(e, (struct edit){.at = source->anchor,
                                 .end = source->anchor,
                                 .count = place->pad,
                                 .type = source->anchor_is_before ? EDIT_BEFORE : EDIT_PAD,
                                 .fill = JCC_FILL_NOPS});
        if (place->prefixes)
            add(e, (struct edit){.at = s->begin,
                                 .end = s->begin,
                                 .count = place->prefixes,
                                 .type = EDIT_PREFIX,
                                 .fill = JCC_FILL_BYTE,
                                 .byte = source->prefix});
        if (code->items[k].type == JCC_ITEM_ALIGN) {
            add(e, (struct edit){.at = s->begin,
                                 .end = s->end,
                                 .count = place->length,
                                 .type = EDIT_REPLACE,
                                 .fill = source->fill,
                                 .byte = source->fill_byte});
        } else if (wants_disp32(m, code, k)) {
            const struct jcc_statement *last = &m->scan->statements[source->last];
            add(e, (struct edit){.at = last->begin, .end = last->begin, .type = EDIT_LONG});
        }
    }
}

// As .ascii's octal escape: LLVM reads a string in one go, and each value of .byte as an expression.
static void append_byte(struct jcc_text *out, uint8_t byte)
{
    char text[] = {'\\', (char)('0' + (byte >> 6)), (char)('0' + (byte >> 3 & 7)), (char)('0' + (byte & 7))};
    jcc_text_append(out, text, sizeof text);
}

// An alignment to megabytes: what can be said in one directive of *COUNT bytes is; *COUNT gets what is left, to be written first.
static void count_long_fill(const struct jcc_measure *m, const struct edit *edit, uint32_t *count, struct jcc_text *fill)
{
    bool nops = edit->fill == JCC_FILL_NOPS;
    if (*count < JCC_LONG_FILL || (nops && m->mode != JCC_MODE_64))
        return;
    if (nops) // 0f 1f 84 00 00 00 00 00, of which .fill takes the low four from its value and has the others zero
        jcc_text_format(fill, ".fill %u, 8, 0x841f0f", *count / 8);
    else
        jcc_text_format(fill, ".fill %u, 1, %u", *count, edit->fill == JCC_FILL_BYTE ? edit->byte : 0x90u);
    *count = nops ? *count % 8 : 0;
}

static void append_bytes(struct jcc_text *out, const struct jcc_measure *m, const struct edit *edit)
{
    uint8_t bytes[256];
    uint32_t count = edit->count;
    struct jcc_text fill = {0};
    count_long_fill(m, edit, &count, &fill);
    for (uint32_t left = count; left;) {
        uint32_t n = left < sizeof bytes ? left : (uint32_t)sizeof bytes;
        if (edit->fill == JCC_FILL_NOPS)
            jcc_nops(m->mode, bytes, n);
        jcc_text_append(out, ".ascii \"", 8);
        for (uint32_t k = 0; k < n; k++)
            append_byte(out, edit->fill == JCC_FILL_NOPS ? bytes[k] : edit->fill == JCC_FILL_BYTE ? edit->byte : 0x90);
        jcc_text_append(out, "\"", 1);
        left -= n;
        if (left || fill.length)
            jcc_text_append(out, "; ", 2);
    }
    jcc_text_append(out, fill.data, fill.length);
    out->failed |= fill.failed;
    jcc_text_free(&fill);
}

static void append_edit(struct jcc_text *out, const struct jcc_measure *m, const struct edit *edit)
{
    switch (edit->type) {
    case EDIT_PAD:
        jcc_text_append(out, "; ", 2);
        append_bytes(out, m, edit);
        break;
    case EDIT_ANCHOR: jcc_text_format(out, ".balign %u; ", edit->count); break;
    case EDIT_BEFORE:
    case EDIT_PREFIX:
        append_bytes(out, m, edit);
        jcc_text_append(out, "; ", 2);
        break;
    case EDIT_LONG: jcc_text_append(out, "{disp32} ", 9); break;
    case EDIT_REPLACE: append_bytes(out, m, edit); break;
    default: break;
    }
}

enum jcc_status jcc_write_plan(struct jcc_text *out, const struct jcc_measure *m)
{
    struct edits e = {0};
    for (size_t k = 0; k < m->code_count; k++)
        if (m->codes[k].planned)
            collect(&e, m, &m->codes[k]);
    if (e.count)
        qsort(e.list, e.count, sizeof *e.list, by_place);
    jcc_text_reserve(out, m->scan->length + e.count * 24);
    size_t copied = 0;
    for (size_t k = 0; k < e.count && !e.failed; k++) {
        jcc_text_append(out, m->scan->text + copied, e.list[k].at - copied);
        append_edit(out, m, &e.list[k]);
        copied = e.list[k].end;
    }
    jcc_text_append(out, m->scan->text + copied, m->scan->length - copied);
    free(e.list);
    return e.failed || out->failed ? JCC_ERROR_NO_MEMORY : JCC_OK;
}
