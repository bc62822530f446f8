// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// .gcc_except_table: for each function its call sites (code ranges with a landing pad and an action), chains of actions, and, counted
// backwards from a base, the types that they catch; behind the base, lists of types that may pass.
#include "proof_frames.h"
#include <stdlib.h>
#include <string.h>

// Tables begin on multiples of this at most; what lies between two is filled with zeros.
#define FILL_MAX 15u

struct side {
    struct jcc_table_side in;
    uint8_t type_encoding;
    uint8_t site_encoding;
    uint64_t base;    // of the types; 0: there are none
    uint64_t actions; // where the call sites end
};

struct comparison {
    struct jcc_proving *proving;
    const struct jcc_landing_table *table;
    struct side a, b;
    uint8_t *seen;       // bits: see seen_before
    uint64_t action_end; // behind the last byte of the actions that are reached, from the actions' start
    uint64_t types;      // as many are reached
    uint64_t lists;      // bytes behind the base that are reached
    const char *what;
};

static enum jcc_reading differ(struct comparison *comparison, const char *what)
{
    comparison->what = what;
    return JCC_READ_DIFFERENT;
}

static bool read_header(struct side *side)
{
    struct jcc_reader *reader = &side->in.reader;
    // Landing pads counted from elsewhere than the function's start are not known here.
    if (jcc_read_number(reader, 1) != JCC_ENCODING_OMIT)
        return false;
    side->type_encoding = (uint8_t)jcc_read_number(reader, 1);
    if (side->type_encoding != JCC_ENCODING_OMIT) {
        uint64_t distance = jcc_read_uleb(reader);
        side->base = reader->at + distance;
        if (reader->bad || distance > reader->size - reader->at)
            return false;
    }
    side->site_encoding = (uint8_t)jcc_read_number(reader, 1);
    uint64_t length = jcc_read_uleb(reader);
    side->actions = reader->at + length;
    return !reader->bad && length <= reader->size - reader->at && (side->base == 0 || side->actions <= side->base);
}

static uint64_t read_distance(struct side *side)
{
    unsigned size = jcc_pointer_size(side->in.object, side->site_encoding);
    if (side->site_encoding == 0x01)
        return jcc_read_uleb(&side->in.reader);
    side->in.reader.bad |= size == 0 || side->site_encoding > 0x0f;
    return jcc_read_number(&side->in.reader, size);
}

// ---- actions

// Whether the byte OFFSET behind the actions' start was read before as the first of an action or of a list's entry.
static bool seen_before(struct comparison *comparison, uint64_t offset)
{
    uint8_t bit = (uint8_t)(1u << (offset % 8)), *byte = &comparison->seen[offset / 8];
    bool seen = *byte & bit;
    *byte |= bit;
    return seen;
}

// The list of types that begins OFFSET bytes behind the base. Lists may share their ends.
static enum jcc_reading follow_list(struct comparison *comparison, uint64_t offset)
{
    const struct side *a = &comparison->a;
    struct jcc_reader reader = a->in.reader;
    if (a->base == 0 || offset >= reader.size - a->base)
        return JCC_READ_UNKNOWN;
    reader.at = (size_t)(a->base + offset);
    for (uint64_t type = 1; type != 0 && !reader.bad && !seen_before(comparison, reader.at - a->actions);) {
        type = jcc_read_uleb(&reader);
        comparison->types = type > comparison->types ? type : comparison->types;
        uint64_t end = reader.at - a->base;
        comparison->lists = end > comparison->lists ? end : comparison->lists;
    }
    return reader.bad ? JCC_READ_UNKNOWN : JCC_READ_SAME;
}

// Every action of the chain that begins at ACTION, an offset from the actions' start.
static enum jcc_reading follow_actions(struct comparison *comparison, uint64_t action)
{
    const struct side *a = &comparison->a;
    uint64_t limit = a->base ? a->base : a->in.reader.size;
    for (;;) {
        struct jcc_reader reader = a->in.reader;
        if (action >= limit - a->actions)
            return JCC_READ_UNKNOWN;
        if (seen_before(comparison, action))
            return JCC_READ_SAME;
        reader.at = (size_t)(a->actions + action);
        int64_t filter = jcc_read_sleb(&reader);
        uint64_t from = reader.at - a->actions;
        int64_t next = jcc_read_sleb(&reader);
        uint64_t end = reader.at - a->actions;
        comparison->action_end = end > comparison->action_end ? end : comparison->action_end;
        if (filter > 0 && (uint64_t)filter > comparison->types)
            comparison->types = (uint64_t)filter;
        enum jcc_reading reading = filter < 0 ? follow_list(comparison, (uint64_t) - (filter + 1)) : JCC_READ_SAME;
        if (reader.bad || reading != JCC_READ_SAME)
            return JCC_READ_UNKNOWN;
        if (next == 0)
            return JCC_READ_SAME;
        action = from + (uint64_t)next;
    }
}

// ---- call sites

static enum jcc_reading compare_site(struct comparison *comparison)
{
    const struct jcc_landing_table *table = comparison->table;
    const struct jcc_places *plain = &table->code->plain_code, *padded = &table->code->padded_code;
    uint64_t begin_a = read_distance(&comparison->a), begin_b = read_distance(&comparison->b);
    uint64_t size_a = read_distance(&comparison->a), size_b = read_distance(&comparison->b);
    uint64_t pad_a = read_distance(&comparison->a), pad_b = read_distance(&comparison->b);
    uint64_t action_a = jcc_read_uleb(&comparison->a.in.reader), action_b = jcc_read_uleb(&comparison->b.in.reader);
    if (comparison->a.in.reader.bad || comparison->b.in.reader.bad)
        return JCC_READ_UNKNOWN;
    begin_a += table->plain_function, begin_b += table->padded_function;
    if (!jcc_places_equal(plain, begin_a, padded, begin_b) || !jcc_places_equal(plain, begin_a + size_a, padded, begin_b + size_b))
        return differ(comparison, "range of a call site");
    if ((pad_a == 0) != (pad_b == 0) ||
        (pad_a != 0 && !jcc_places_entry_equal(plain, table->plain_function + pad_a, padded, table->padded_function + pad_b)))
        return differ(comparison, "landing pad of a call site");
    if (action_a != action_b)
        return differ(comparison, "action of a call site");
    return action_a == 0 ? JCC_READ_SAME : follow_actions(comparison, action_a - 1);
}

static enum jcc_reading compare_sites(struct comparison *comparison)
{
    struct jcc_reader *a = &comparison->a.in.reader, *b = &comparison->b.in.reader;
    while (a->at < comparison->a.actions && b->at < comparison->b.actions) {
        enum jcc_reading reading = compare_site(comparison);
        if (reading != JCC_READ_SAME)
            return reading;
    }
    if (a->at > comparison->a.actions || b->at > comparison->b.actions)
        return JCC_READ_UNKNOWN;
    return a->at == comparison->a.actions && b->at == comparison->b.actions ? JCC_READ_SAME : differ(comparison, "number of call sites");
}

// ---- types

static enum jcc_reading compare_bytes(struct comparison *comparison, uint64_t from_a, uint64_t from_b, uint64_t size, const char *what)
{
    const struct jcc_reader *a = &comparison->a.in.reader, *b = &comparison->b.in.reader;
    if (!jcc_inside(from_a, size, a->size) || !jcc_inside(from_b, size, b->size))
        return JCC_READ_UNKNOWN;
    return size == 0 || memcmp(a->bytes + from_a, b->bytes + from_b, (size_t)size) == 0 ? JCC_READ_SAME : differ(comparison, what);
}

// The relocations of the table are all of types; those of types that nothing reaches are compared as well.
static enum jcc_reading compare_type_relocs(struct comparison *comparison)
{
    struct jcc_table_side *a = &comparison->a.in, *b = &comparison->b.in;
    const struct jcc_reloc *plain = jcc_relocs_of(a->object, a->section), *padded = jcc_relocs_of(b->object, b->section);
    for (;; a->reloc++, b->reloc++) {
        bool has_a = a->reloc < a->section->reloc_count && plain[a->reloc].offset < a->reader.size;
        bool has_b = b->reloc < b->section->reloc_count && padded[b->reloc].offset < b->reader.size;
        if (!has_a && !has_b)
            return JCC_READ_SAME;
        if (has_a != has_b)
            return differ(comparison, "number of relocations of an exception table");
        const struct jcc_reloc *x = &plain[a->reloc], *y = &padded[b->reloc];
        if (x->offset < comparison->a.actions || x->offset >= comparison->a.base || y->offset < comparison->b.actions)
            return JCC_READ_UNKNOWN;
        if (comparison->a.base - x->offset != comparison->b.base - y->offset || x->type != y->type)
            return differ(comparison, "type that an exception table names");
        // Code as a type would make the difference of labels of it.
        const struct jcc_twin *home = jcc_home_twin(comparison->proving, a->object, &a->object->symbols[x->symbol]);
        if (home && home->plain->part == JCC_PART_CODE)
            return JCC_READ_UNKNOWN;
        if (!jcc_same_target(comparison->proving, x, y, 0))
            return differ(comparison, "type that an exception table names");
        comparison->proving->result->relocations++;
    }
}

static enum jcc_reading compare_types(struct comparison *comparison)
{
    const struct side *a = &comparison->a, *b = &comparison->b;
    unsigned size = a->base ? jcc_pointer_size(a->in.object, a->type_encoding) : 0;
    if (comparison->types && (size == 0 || comparison->types > (a->base - a->actions) / size))
        return JCC_READ_UNKNOWN;
    uint64_t bytes = comparison->types * size;
    // The actions and the types must not overlap, or the one would be compared as the other.
    if (comparison->action_end > (a->base ? a->base - bytes - a->actions : a->in.reader.size - a->actions))
        return JCC_READ_UNKNOWN;
    if (b->base && bytes > b->base - b->actions)
        return JCC_READ_UNKNOWN;
    enum jcc_reading reading = compare_bytes(comparison, a->actions, b->actions, comparison->action_end, "action of an exception table");
    if (reading == JCC_READ_SAME)
        reading = compare_bytes(comparison, a->base - bytes, b->base - bytes, bytes, "type that an exception table names");
    if (reading == JCC_READ_SAME)
        reading = compare_bytes(comparison, a->base, b->base, comparison->lists, "list of types of an exception table");
    return reading == JCC_READ_SAME ? compare_type_relocs(comparison) : reading;
}

// Whether nothing but a fill of zeros lies from AT to END.
static bool only_fill(const struct jcc_section *section, uint64_t at, uint64_t end)
{
    if (at > end || end - at > FILL_MAX)
        return false;
    while (at < end && section->bytes[at] == 0)
        at++;
    return at == end;
}

// Actions that nothing reaches, fill, and types that nothing reaches: all of it must be the same but for the fill's length.
static bool same_unreached(const struct comparison *comparison)
{
    const struct side *a = &comparison->a, *b = &comparison->b;
    uint64_t types = a->base ? comparison->types * jcc_pointer_size(a->in.object, a->type_encoding) : 0;
    uint64_t at_a = a->actions + comparison->action_end, end_a = a->base - types;
    uint64_t at_b = b->actions + comparison->action_end, end_b = b->base - types;
    if (a->base == 0)
        return true;
    while (at_a < end_a && at_b < end_b && a->in.section->bytes[at_a] == b->in.section->bytes[at_b])
        at_a++, at_b++;
    while (at_a < end_a && at_b < end_b && a->in.section->bytes[end_a - 1] == b->in.section->bytes[end_b - 1])
        end_a--, end_b--;
    return only_fill(a->in.section, at_a, end_a) && only_fill(b->in.section, at_b, end_b) && (at_a == end_a || at_b == end_b);
}

static uint64_t end_of(const struct comparison *comparison, const struct side *side)
{
    return side->base ? side->base + comparison->lists : side->actions + comparison->action_end;
}

static enum jcc_reading compare_table(struct comparison *comparison)
{
    struct side *a = &comparison->a, *b = &comparison->b;
    if (!read_header(a) || !read_header(b))
        return JCC_READ_UNKNOWN;
    if (a->type_encoding != b->type_encoding || a->site_encoding != b->site_encoding)
        return differ(comparison, "encoding of an exception table");
    enum jcc_reading reading = compare_sites(comparison);
    if (reading == JCC_READ_SAME)
        reading = compare_types(comparison);
    if (reading != JCC_READ_SAME)
        return reading;
    bool covered = same_unreached(comparison) && only_fill(a->in.section, end_of(comparison, a), a->in.reader.size) &&
                   only_fill(b->in.section, end_of(comparison, b), b->in.reader.size);
    return covered ? JCC_READ_SAME : JCC_READ_UNKNOWN;
}

// Table N of COUNT. Each may extend to where the next begins, and no further.
static enum jcc_reading compare_nth(struct comparison *comparison, const struct jcc_twin *twin, const struct jcc_landing_table *tables,
                                    size_t count, size_t n)
{
    struct jcc_reader *a = &comparison->a.in.reader, *b = &comparison->b.in.reader;
    a->at = (size_t)tables[n].plain, b->at = (size_t)tables[n].padded;
    a->size = n + 1 < count ? (size_t)tables[n + 1].plain : twin->plain->size;
    b->size = n + 1 < count ? (size_t)tables[n + 1].padded : twin->padded->size;
    if (a->at >= a->size || a->size > twin->plain->size || b->size > twin->padded->size)
        return JCC_READ_UNKNOWN;
    if (b->at >= b->size)
        return differ(comparison, "order of exception tables");
    comparison->table = &tables[n];
    comparison->action_end = comparison->types = comparison->lists = 0;
    comparison->a.base = comparison->b.base = 0;
    memset(comparison->seen, 0, (a->size - a->at) / 8 + 1);
    return compare_table(comparison);
}

enum jcc_status jcc_prove_landing_tables(struct jcc_proving *proving, struct jcc_twin *twin, const struct jcc_landing_table *tables,
                                         size_t count)
{
    const struct jcc_section *x = twin->plain, *y = twin->padded;
    struct comparison comparison = {.proving = proving,
                                    .a.in = {&proving->plain, x, jcc_reader_of(x->bytes, x->size), 0},
                                    .b.in = {&proving->padded, y, jcc_reader_of(y->bytes, y->size), 0},
                                    .seen = calloc(x->size / 8 + 1, 1)};
    struct jcc_match *matches = malloc(count * sizeof *matches);
    enum jcc_status status = comparison.seen && matches ? JCC_OK : JCC_ERROR_NO_MEMORY;
    enum jcc_reading reading = only_fill(x, 0, tables[0].plain) && only_fill(y, 0, tables[0].padded) ? JCC_READ_SAME : JCC_READ_UNKNOWN;
    for (size_t n = 0; status == JCC_OK && reading == JCC_READ_SAME && n < count; n++) {
        reading = compare_nth(&comparison, twin, tables, count, n);
        matches[n] = (struct jcc_match){tables[n].plain, tables[n].padded};
    }
    uint64_t at_a = comparison.a.in.reader.at, at_b = comparison.b.in.reader.at;
    if (status == JCC_OK && reading == JCC_READ_DIFFERENT)
        status = jcc_differ(proving, x->name, at_a, at_b, comparison.what);
    else if (status == JCC_OK && reading == JCC_READ_UNKNOWN)
        status = jcc_leave_open(proving, twin, at_a, at_b, "exception tables in a form that is not known");
    if (status == JCC_OK && reading == JCC_READ_SAME && !twin->matches) {
        twin->matches = matches, twin->match_count = count;
        proving->result->sections_remapped += !twin->same;
        matches = NULL;
    }
    free(matches);
    free(comparison.seen);
    return status;
}
