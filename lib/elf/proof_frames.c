// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// .eh_frame: a sequence of records, each the description of a function (FDE) or what several of them have in common (CIE).
#include "proof_frames.h"
#include <stdlib.h>
#include <string.h>

// Length, mark, version, empty augmentation, two factors, return register.
#define CIE_SIZE_MIN 13u

// A CIE of both objects.
struct cie {
    size_t plain; // where it begins
    size_t padded;
    uint64_t unit;    // code alignment factor
    uint8_t pointers; // encoding of a function's place
    uint8_t tables;   // encoding of its exception table's place; JCC_ENCODING_OMIT: it has none
    bool augmented;   // its FDEs have augmentation data
    bool understood;  // nothing in its augmentation is unknown
};

struct frames {
    struct jcc_proving *proving;
    struct jcc_twin *twin;
    struct jcc_table_side a, b;
    struct cie *cies;
    size_t cie_count;
    struct jcc_landing_table *tables;
    size_t table_count;
    const char *what; // is different
};

unsigned jcc_pointer_size(const struct jcc_object *object, uint8_t encoding)
{
    static const uint8_t sizes[16] = {[0x2] = 2, [0x3] = 4, [0x4] = 8, [0xa] = 2, [0xb] = 4, [0xc] = 8};
    unsigned format = encoding & 0x0f;
    return format ? sizes[format] : object->elf->header.wide ? 8 : 4;
}

bool jcc_pointer_read(struct jcc_table_side *side, uint8_t encoding, struct jcc_pointer *pointer)
{
    const struct jcc_reloc *relocs = jcc_relocs_of(side->object, side->section);
    unsigned size = jcc_pointer_size(side->object, encoding);
    size_t at = side->reader.at;
    bool more = side->reloc < side->section->reloc_count;
    *pointer = (struct jcc_pointer){.value = jcc_read_number(&side->reader, size)};
    if (size == 0 || side->reader.bad || (more && relocs[side->reloc].offset < at))
        return false;
    if (more && relocs[side->reloc].offset == at)
        pointer->reloc = &relocs[side->reloc++];
    return !pointer->reloc || jcc_reloc_kind(side->object->elf->header.machine, pointer->reloc->type).size == size;
}

static enum jcc_reading differ(struct frames *frames, const char *what)
{
    frames->what = what;
    return JCC_READ_DIFFERENT;
}

// ---- CIE

struct common {
    struct cie cie;
    uint8_t version;
    const char *augmentation;
    int64_t data_unit;
    uint64_t return_register;
    uint8_t handler_encoding;
    struct jcc_pointer handler;
};

static void read_augmentation(struct jcc_table_side *side, struct common *common)
{
    uint64_t size = jcc_read_uleb(&side->reader);
    size_t end = side->reader.at + (size_t)size;
    common->cie.augmented = true;
    for (const char *letter = common->augmentation + 1; *letter && !side->reader.bad; letter++) {
        switch (*letter) {
        case 'L': common->cie.tables = (uint8_t)jcc_read_number(&side->reader, 1); break;
        case 'R': common->cie.pointers = (uint8_t)jcc_read_number(&side->reader, 1); break;
        case 'P':
            common->handler_encoding = (uint8_t)jcc_read_number(&side->reader, 1);
            common->cie.understood &= jcc_pointer_read(side, common->handler_encoding, &common->handler);
            break;
        case 'S': break; // a signal frame
        default: common->cie.understood = false; return;
        }
    }
    common->cie.understood &= side->reader.at == end;
}

static bool read_common(struct jcc_table_side *side, struct common *common)
{
    struct jcc_reader *reader = &side->reader;
    *common = (struct common){.cie = {.tables = JCC_ENCODING_OMIT, .understood = true}, .handler_encoding = JCC_ENCODING_OMIT};
    common->version = (uint8_t)jcc_read_number(reader, 1);
    common->augmentation = (const char *)reader->bytes + reader->at;
    while (jcc_read_number(reader, 1) != 0) {
    }
    if (reader->bad || (common->version != 1 && common->version != 3))
        return false;
    common->cie.unit = jcc_read_uleb(reader);
    common->data_unit = jcc_read_sleb(reader);
    common->return_register = common->version == 1 ? jcc_read_number(reader, 1) : jcc_read_uleb(reader);
    if (common->augmentation[0] == 'z')
        read_augmentation(side, common);
    else
        common->cie.understood = common->augmentation[0] == 0;
    return !reader->bad && common->cie.understood;
}

static bool same_pointer(const struct frames *frames, const struct jcc_pointer *x, const struct jcc_pointer *y)
{
    if (!x->reloc || !y->reloc)
        return !x->reloc && !y->reloc && x->value == y->value;
    return x->reloc->type == y->reloc->type && jcc_same_target(frames->proving, x->reloc, y->reloc, 0);
}

static enum jcc_reading compare_cie(struct frames *frames, size_t plain, size_t end_a, size_t padded, size_t end_b)
{
    struct common x, y;
    if (!read_common(&frames->a, &x) || !read_common(&frames->b, &y))
        return JCC_READ_UNKNOWN;
    if (x.version != y.version || strcmp(x.augmentation, y.augmentation) != 0 || x.cie.unit != y.cie.unit || x.data_unit != y.data_unit ||
        x.return_register != y.return_register || x.cie.pointers != y.cie.pointers || x.cie.tables != y.cie.tables ||
        x.handler_encoding != y.handler_encoding)
        return differ(frames, "what call frames have in common");
    if (!same_pointer(frames, &x.handler, &y.handler))
        return differ(frames, "personality routine of call frames");
    x.cie.plain = plain, x.cie.padded = padded;
    frames->cies[frames->cie_count++] = x.cie;
    const struct jcc_frame_code nowhere = {.unit = x.cie.unit};
    enum jcc_reading reading = jcc_compare_cfi(&frames->a.reader, end_a, &frames->b.reader, end_b, &nowhere);
    return reading == JCC_READ_DIFFERENT ? differ(frames, "initial call frame instructions") : reading;
}

// ---- FDE

static const struct cie *find_cie(const struct frames *frames, size_t plain, size_t padded)
{
    size_t low = 0, high = frames->cie_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (frames->cies[middle].plain < plain)
            low = middle + 1;
        else
            high = middle;
    }
    return low < frames->cie_count && frames->cies[low].plain == plain && frames->cies[low].padded == padded ? &frames->cies[low] : NULL;
}

// Where POINTER, which both objects relocate, leads to in either, and the twins it is in. NULL: in none.
static struct jcc_twin *locate(const struct frames *frames, const struct jcc_pointer *x, const struct jcc_pointer *y, uint64_t *plain,
                               uint64_t *padded)
{
    const struct jcc_proving *proving = frames->proving;
    if (!x->reloc || !y->reloc || x->reloc->type != y->reloc->type || !jcc_same_symbol(proving, x->reloc->symbol, y->reloc->symbol))
        return NULL;
    const struct jcc_symbol *a = &proving->plain.symbols[x->reloc->symbol], *b = &proving->padded.symbols[y->reloc->symbol];
    *plain = a->value + (uint64_t)x->reloc->addend;
    *padded = b->value + (uint64_t)y->reloc->addend;
    return jcc_home_twin(proving, &proving->plain, a);
}

static enum jcc_reading compare_table_pointer(struct frames *frames, const struct cie *cie, const struct jcc_frame_code *where,
                                              struct jcc_twin *code)
{
    struct jcc_pointer x, y;
    struct jcc_landing_table table = {.code = code, .plain_function = where->plain, .padded_function = where->padded};
    if (!jcc_pointer_read(&frames->a, cie->tables, &x) || !jcc_pointer_read(&frames->b, cie->tables, &y))
        return JCC_READ_UNKNOWN;
    if (!x.reloc && !y.reloc && x.value == 0 && y.value == 0)
        return JCC_READ_SAME;
    struct jcc_twin *home = locate(frames, &x, &y, &table.plain, &table.padded);
    if (!home)
        return differ(frames, "exception table of a call frame");
    if (home->plain->part != JCC_PART_LSDA)
        return same_pointer(frames, &x, &y) ? JCC_READ_UNKNOWN : differ(frames, "exception table of a call frame");
    table.twin = home->plain->twin;
    frames->tables[frames->table_count++] = table;
    return JCC_READ_SAME;
}

static enum jcc_reading compare_augmentation(struct frames *frames, const struct cie *cie, const struct jcc_frame_code *where,
                                             struct jcc_twin *code)
{
    if (!cie->augmented)
        return JCC_READ_SAME;
    uint64_t size_a = jcc_read_uleb(&frames->a.reader), size_b = jcc_read_uleb(&frames->b.reader);
    uint64_t end_a = frames->a.reader.at + size_a, end_b = frames->b.reader.at + size_b;
    enum jcc_reading reading = cie->tables == JCC_ENCODING_OMIT ? JCC_READ_SAME : compare_table_pointer(frames, cie, where, code);
    if (reading == JCC_READ_SAME && (frames->a.reader.at != end_a || frames->b.reader.at != end_b))
        return JCC_READ_UNKNOWN;
    return reading;
}

static enum jcc_reading compare_fde(struct frames *frames, const struct cie *cie, size_t end_a, size_t end_b)
{
    struct jcc_pointer x, y;
    struct jcc_frame_code where = {.unit = cie->unit, .mode = jcc_elf_mode(frames->proving->plain.elf)};
    if (!jcc_pointer_read(&frames->a, cie->pointers, &x) || !jcc_pointer_read(&frames->b, cie->pointers, &y))
        return JCC_READ_UNKNOWN;
    struct jcc_twin *code = locate(frames, &x, &y, &where.plain, &where.padded);
    if (!code)
        return x.reloc && y.reloc ? differ(frames, "function of a call frame") : JCC_READ_UNKNOWN;
    if (code->plain->part != JCC_PART_CODE)
        return JCC_READ_UNKNOWN;
    where.code = code;
    if (!jcc_places_bound_equal(&code->plain_code, where.plain, &code->padded_code, where.padded))
        return differ(frames, "function of a call frame");
    // The range is a size, in the pointer's format without what it counts from.
    if (!jcc_pointer_read(&frames->a, cie->pointers & 0x0f, &x) || !jcc_pointer_read(&frames->b, cie->pointers & 0x0f, &y) || x.reloc ||
        y.reloc)
        return JCC_READ_UNKNOWN;
    if (!jcc_places_bound_equal(&code->plain_code, where.plain + x.value, &code->padded_code, where.padded + y.value))
        return differ(frames, "end of a call frame's function");
    enum jcc_reading reading = compare_augmentation(frames, cie, &where, code);
    if (reading == JCC_READ_SAME) {
        reading = jcc_compare_cfi(&frames->a.reader, end_a, &frames->b.reader, end_b, &where);
        if (reading == JCC_READ_DIFFERENT)
            return differ(frames, "call frame instructions, or their places");
    }
    return reading;
}

// ---- records

struct record {
    size_t begin;
    size_t end;
    uint64_t cie; // of an FDE: where its CIE begins
    bool common;  // a CIE
    bool empty;   // the end mark
};

static bool next_record(struct jcc_table_side *side, struct record *record)
{
    struct jcc_reader *reader = &side->reader;
    *record = (struct record){.begin = reader->at};
    uint64_t length = jcc_read_number(reader, 4);
    record->end = reader->at;
    record->empty = length == 0;
    if (reader->bad || length == 0)
        return !reader->bad;
    // 0xffffffff would be the 64-bit format, which no compiler uses here; it fails this too.
    if (length > reader->size - reader->at)
        return false;
    record->end = reader->at + (size_t)length;
    size_t field = reader->at;
    uint64_t back = jcc_read_number(reader, 4);
    record->common = back == 0;
    record->cie = field - back;
    return !reader->bad && reader->at <= record->end;
}

static enum jcc_reading compare_records(struct frames *frames)
{
    while (!jcc_reader_ended(&frames->a.reader) && !jcc_reader_ended(&frames->b.reader)) {
        struct record x, y;
        if (!next_record(&frames->a, &x) || !next_record(&frames->b, &y))
            return JCC_READ_UNKNOWN;
        if (x.common != y.common || x.empty != y.empty)
            return differ(frames, "order of call frames");
        enum jcc_reading reading = JCC_READ_SAME;
        if (x.common) {
            reading = compare_cie(frames, x.begin, x.end, y.begin, y.end);
        } else if (!x.empty) {
            const struct cie *cie = find_cie(frames, (size_t)x.cie, (size_t)y.cie);
            reading = cie ? compare_fde(frames, cie, x.end, y.end) : JCC_READ_UNKNOWN;
        }
        if (reading != JCC_READ_SAME)
            return reading;
        frames->a.reader.at = x.end, frames->b.reader.at = y.end;
    }
    if (frames->a.reader.at != frames->a.reader.size || frames->b.reader.at != frames->b.reader.size)
        return differ(frames, "number of call frames");
    return frames->a.reloc == frames->twin->plain->reloc_count && frames->b.reloc == frames->twin->padded->reloc_count ? JCC_READ_SAME
                                                                                                                       : JCC_READ_UNKNOWN;
}

static int by_place(const void *left, const void *right)
{
    const struct jcc_landing_table *a = left, *b = right;
    if (a->twin != b->twin)
        return a->twin < b->twin ? -1 : 1;
    return a->plain < b->plain ? -1 : a->plain > b->plain;
}

static enum jcc_status prove_tables(struct frames *frames)
{
    enum jcc_status status = JCC_OK;
    qsort(frames->tables, frames->table_count, sizeof *frames->tables, by_place);
    for (size_t first = 0, end; status == JCC_OK && first < frames->table_count; first = end) {
        for (end = first + 1; end < frames->table_count && frames->tables[end].twin == frames->tables[first].twin;)
            end++;
        status = jcc_prove_landing_tables(frames->proving, &frames->proving->twins[frames->tables[first].twin], frames->tables + first,
                                          end - first);
    }
    return status;
}

static enum jcc_status prove_section(struct jcc_proving *proving, struct jcc_twin *twin)
{
    struct frames frames = {.proving = proving,
                            .twin = twin,
                            .a = {&proving->plain, twin->plain, jcc_reader_of(twin->plain->bytes, twin->plain->size), 0},
                            .b = {&proving->padded, twin->padded, jcc_reader_of(twin->padded->bytes, twin->padded->size), 0}};
    // A relocation for each exception table at least, and so many bytes for each CIE.
    frames.tables = malloc((twin->plain->reloc_count + 1) * sizeof *frames.tables);
    frames.cies = malloc((twin->plain->size / CIE_SIZE_MIN + 1) * sizeof *frames.cies);
    if (!frames.tables || !frames.cies) {
        free(frames.tables);
        free(frames.cies);
        return JCC_ERROR_NO_MEMORY;
    }
    enum jcc_reading reading = compare_records(&frames);
    enum jcc_status status = JCC_OK;
    if (reading == JCC_READ_DIFFERENT)
        status = jcc_differ(proving, twin->plain->name, frames.a.reader.at, frames.b.reader.at, frames.what);
    else if (reading == JCC_READ_UNKNOWN)
        status = jcc_leave_open(proving, twin, frames.a.reader.at, frames.b.reader.at, "call frames in a form that is not known");
    else
        status = prove_tables(&frames);
    if (reading == JCC_READ_SAME) {
        proving->result->sections_remapped += !twin->same;
        proving->result->relocations += twin->plain->reloc_count;
    }
    free(frames.cies);
    free(frames.tables);
    return status;
}

enum jcc_status jcc_prove_frames(struct jcc_proving *proving)
{
    enum jcc_status status = JCC_OK;
    // Where no code has moved, sections are compared as they stand.
    for (size_t n = 0; proving->moved && status == JCC_OK && n < proving->twin_count; n++)
        if (proving->twins[n].plain->part == JCC_PART_FRAMES)
            status = prove_section(proving, &proving->twins[n]);
    return status;
}
