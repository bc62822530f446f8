// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "file.h"
#include <stdlib.h>

struct start {
    size_t code;
    size_t offset;
};

static int by_place(const void *left, const void *right)
{
    const struct start *a = left, *b = right;
    if (a->code != b->code)
        return a->code < b->code ? -1 : 1;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static size_t collect(const jcc_elf *elf, struct start *list)
{
    size_t count = 0;
    for (size_t n = 0; n < elf->label_count; n++) {
        const struct jcc_label *label = &elf->labels[n];
        const struct jcc_elf_code *code = &elf->code[label->code];
        uint64_t offset = label->address - code->address;
        if (!label->is_sized || offset > code->size)
            continue;
        list[count++] = (struct start){label->code, (size_t)offset};
        if (label->size != 0 && label->size < code->size - offset)
            list[count++] = (struct start){label->code, (size_t)(offset + label->size)};
    }
    return count;
}

enum jcc_status jcc_starts_read(const jcc_elf *elf, struct jcc_starts *starts)
{
    size_t room = 2 * elf->label_count + 1;
    struct start *list = malloc(room * sizeof *list);
    *starts =
        (struct jcc_starts){.offsets = malloc(room * sizeof *starts->offsets), .first = calloc(elf->code_count + 1, sizeof *starts->first)};
    if (!list || !starts->offsets || !starts->first) {
        free(list);
        jcc_starts_free(starts);
        return JCC_ERROR_NO_MEMORY;
    }
    size_t count = collect(elf, list);
    qsort(list, count, sizeof *list, by_place);
    for (size_t n = 0, code = 0; code <= elf->code_count; code++) {
        starts->first[code] = n;
        for (; n < count && list[n].code == code; n++)
            starts->offsets[n] = list[n].offset;
    }
    free(list);
    return JCC_OK;
}

void jcc_starts_free(struct jcc_starts *starts)
{
    free(starts->offsets);
    free(starts->first);
    *starts = (struct jcc_starts){0};
}
