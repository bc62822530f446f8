// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sections.h"

#include "text.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

// More operands than any .section has.
#define FIELDS_MAX 10

struct field {
    const char *at;
    size_t length;
};

struct place {
    uint32_t section;
    int32_t subsection;
};

struct pushed {
    struct place now, before;
    size_t statement;
};

struct reader {
    struct jcc_sections *sections;
    const struct jcc_scan *scan;
    struct place now, before;
    struct pushed *stack;
    size_t depth, stack_capacity;
    bool failed;
};

// Split the operands at their commas; quoted ones keep their quotes.
static size_t split(const char *at, size_t length, struct field *fields)
{
    const char *end = at + length;
    size_t n = 0;
    while (at < end && n < FIELDS_MAX) {
        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
        const char *begin = at;
        bool quoted = false;
        while (at < end && (quoted || *at != ',')) {
            if (*at == '"')
                quoted = !quoted;
            at += quoted && *at == '\\' && at + 1 < end ? 2 : 1;
        }
        const char *last = at;
        while (last > begin && (last[-1] == ' ' || last[-1] == '\t'))
            last--;
        fields[n++] = (struct field){begin, (size_t)(last - begin)};
        if (at < end)
            at++;
    }
    return n;
}

static struct field unquoted(struct field f)
{
    if (f.length >= 2 && f.at[0] == '"' && f.at[f.length - 1] == '"')
        return (struct field){f.at + 1, f.length - 2};
    return f;
}

static bool same(const char *a, size_t a_length, const char *b, size_t b_length)
{
    return a_length == b_length && (!a_length || !memcmp(a, b, a_length));
}

static bool starts_with(const struct jcc_section *s, const char *prefix)
{
    size_t n = strlen(prefix);
    return s->name_length >= n && !memcmp(s->name, prefix, n);
}

static bool is_named(const struct jcc_section *s, const char *name)
{
    return same(s->name, s->name_length, name, strlen(name));
}

static uint32_t hash(const struct jcc_section *s)
{
    uint32_t h = 2166136261u; // FNV-1a over name and group
    for (size_t k = 0; k < s->name_length; k++)
        h = (h ^ (unsigned char)s->name[k]) * 16777619u;
    for (size_t k = 0; k < s->group_length; k++)
        h = (h ^ (unsigned char)s->group[k]) * 16777619u;
    return h;
}

static bool same_section(const struct jcc_section *a, const struct jcc_section *b)
{
    return same(a->name, a->name_length, b->name, b->name_length) && same(a->group, a->group_length, b->group, b->group_length) &&
           same(a->unique, a->unique_length, b->unique, b->unique_length);
}

static void enter(struct jcc_sections *all, uint32_t index)
{
    size_t slot = hash(&all->list[index]) & (all->slot_count - 1);
    while (all->slots[slot])
        slot = (slot + 1) & (all->slot_count - 1);
    all->slots[slot] = index + 1;
}

static bool grow_hash(struct jcc_sections *all)
{
    if (all->count * 2 < all->slot_count)
        return true;
    size_t wanted = all->slot_count ? all->slot_count * 2 : 64;
    uint32_t *slots = calloc(wanted, sizeof *slots);
    if (!slots)
        return false;
    free(all->slots);
    all->slots = slots;
    all->slot_count = wanted;
    for (uint32_t k = 0; k < all->count; k++)
        enter(all, k);
    return true;
}

static uint32_t intern(struct reader *r, const struct jcc_section *wanted)
{
    struct jcc_sections *all = r->sections;
    if (!grow_hash(all) || !jcc_grow(&all->list, &all->capacity, all->count + 1, sizeof *all->list)) {
        r->failed = true;
        return 0;
    }
    for (size_t slot = hash(wanted) & (all->slot_count - 1); all->slots[slot]; slot = (slot + 1) & (all->slot_count - 1))
        if (same_section(&all->list[all->slots[slot] - 1], wanted))
            return all->slots[slot] - 1;
    struct jcc_section *s = &all->list[all->count++];
    *s = *wanted;
    s->debug = starts_with(s, ".debug") || starts_with(s, ".zdebug") || starts_with(s, ".eh_frame") || starts_with(s, ".gcc_except_table");
    enter(all, (uint32_t)(all->count - 1));
    return (uint32_t)(all->count - 1);
}

static uint32_t by_name(struct reader *r, const char *name, bool code)
{
    struct jcc_section s = {.name = name, .name_length = strlen(name), .code = code};
    return intern(r, &s);
}

static int32_t subsection_number(struct field f)
{
    int64_t value = 0;
    for (size_t k = 0; k < f.length && f.at[k] >= '0' && f.at[k] <= '9' && value < 100000; k++)
        value = value * 10 + (f.at[k] - '0');
    return (int32_t)value;
}

// Whether a section's flags, letters or a number, make it executable.
static bool says_code(struct field flags)
{
    char digits[24] = "", *behind;
    if (!flags.length || flags.length >= sizeof digits)
        return flags.length && memchr(flags.at, 'x', flags.length);
    memcpy(digits, flags.at, flags.length);
    unsigned long long number = strtoull(digits, &behind, 0);
    return *behind ? memchr(digits, 'x', flags.length) != NULL : number & SHF_EXECINSTR;
}

// The section that .section or .pushsection FIELDS name; *SUBSECTION gets its number.
static uint32_t named(struct reader *r, const struct field *fields, size_t n, int32_t *subsection)
{
    struct field name = n ? unquoted(fields[0]) : (struct field){"", 0};
    struct jcc_section s = {.name = name.at, .name_length = name.length};
    *subsection = 0;
    s.code = starts_with(&s, ".text.") || is_named(&s, ".text") || is_named(&s, ".init") || is_named(&s, ".fini");
    if (n > 1 && fields[1].length && fields[1].at[0] != '"') {
        *subsection = subsection_number(fields[1]);
        return intern(r, &s);
    }
    struct field flags = n > 1 ? unquoted(fields[1]) : (struct field){"", 0};
    bool merge = flags.length && memchr(flags.at, 'M', flags.length), group = flags.length && memchr(flags.at, 'G', flags.length);
    s.code |= says_code(flags); // what the name says stays
    size_t k = 3 + merge;
    if (group && k < n) {
        struct field g = unquoted(fields[k]);
        s.group = g.at;
        s.group_length = g.length;
    }
    for (k = 2; k + 1 < n; k++)
        if (same(fields[k].at, fields[k].length, "unique", 6)) {
            s.unique = fields[k + 1].at;
            s.unique_length = fields[k + 1].length;
        }
    return intern(r, &s);
}

static void switch_to(struct reader *r, size_t statement, uint32_t section, int32_t subsection)
{
    r->before = r->now;
    r->now = (struct place){section, subsection};
    struct jcc_sections *all = r->sections;
    if (!jcc_grow(&all->runs, &all->run_capacity, all->run_count + 1, sizeof *all->runs)) {
        r->failed = true;
        return;
    }
    all->runs[all->run_count++] = (struct jcc_section_run){(uint32_t)statement, section, subsection};
}

static void push(struct reader *r, size_t statement)
{
    if (!jcc_grow(&r->stack, &r->stack_capacity, r->depth + 1, sizeof *r->stack)) {
        r->failed = true;
        return;
    }
    r->stack[r->depth++] = (struct pushed){r->now, r->before, statement};
}

static void pop(struct reader *r, size_t statement)
{
    if (!r->depth)
        return; // LLVM diagnoses it
    struct pushed top = r->stack[--r->depth];
    switch_to(r, statement, top.now.section, top.now.subsection);
    r->before = top.before;
}

static void read_statement(struct reader *r, size_t index)
{
    const struct jcc_statement *s = &r->scan->statements[index];
    struct field fields[FIELDS_MAX];
    size_t length, n;
    const char *operands = jcc_statement_operands(r->scan, s, &length);
    int32_t subsection = 0;
    uint32_t section;
    n = split(operands, length, fields);
    switch (s->directive) {
    case JCC_DIRECTIVE_TEXT: switch_to(r, index, by_name(r, ".text", true), n ? subsection_number(fields[0]) : 0); break;
    case JCC_DIRECTIVE_SECTION_DATA: switch_to(r, index, by_name(r, ".data", false), n ? subsection_number(fields[0]) : 0); break;
    case JCC_DIRECTIVE_BSS: switch_to(r, index, by_name(r, ".bss", false), n ? subsection_number(fields[0]) : 0); break;
    case JCC_DIRECTIVE_SUBSECTION: switch_to(r, index, r->now.section, n ? subsection_number(fields[0]) : 0); break;
    case JCC_DIRECTIVE_PREVIOUS: switch_to(r, index, r->before.section, r->before.subsection); break;
    case JCC_DIRECTIVE_PUSHSECTION: push(r, index); // fall through
    case JCC_DIRECTIVE_SECTION:
        section = named(r, fields, n, &subsection);
        switch_to(r, index, section, subsection);
        break;
    case JCC_DIRECTIVE_POPSECTION: pop(r, index); break;
    default: break;
    }
}

// Counting sort by section; within one, runs of several subsections (rare) are ordered by insertion.
static bool order_runs(struct jcc_sections *all)
{
    all->order = malloc((all->run_count + 1) * sizeof *all->order);
    all->order_start = calloc(all->count + 2, sizeof *all->order_start);
    if (!all->order || !all->order_start)
        return false;
    uint32_t *start = all->order_start;
    for (size_t k = 0; k < all->run_count; k++)
        start[all->runs[k].section + 2]++;
    for (size_t k = 2; k < all->count + 2; k++)
        start[k] += start[k - 1];
    for (size_t k = 0; k < all->run_count; k++)
        all->order[start[all->runs[k].section + 1]++] = (uint32_t)k;
    for (size_t section = 0; section < all->count; section++)
        for (uint32_t k = start[section] + 1; k < start[section + 1]; k++) {
            uint32_t run = all->order[k], at = k;
            for (; at > start[section] && all->runs[all->order[at - 1]].subsection > all->runs[run].subsection; at--)
                all->order[at] = all->order[at - 1];
            all->order[at] = run;
        }
    return true;
}

enum jcc_status jcc_sections_read(struct jcc_sections *sections, const struct jcc_scan *scan)
{
    *sections = (struct jcc_sections){.open_push = SIZE_MAX};
    struct reader r = {.sections = sections, .scan = scan};
    uint32_t text = by_name(&r, ".text", true);
    switch_to(&r, 0, text, 0);
    r.before = r.now;
    for (size_t k = 0; k < scan->count && !r.failed; k++)
        if (scan->statements[k].directive >= JCC_DIRECTIVE_TEXT && scan->statements[k].directive <= JCC_DIRECTIVE_SUBSECTION)
            read_statement(&r, k);
    if (r.depth)
        sections->open_push = r.stack[r.depth - 1].statement;
    free(r.stack);
    if (!r.failed)
        r.failed = !order_runs(sections);
    return r.failed ? JCC_ERROR_NO_MEMORY : JCC_OK;
}

void jcc_sections_free(struct jcc_sections *sections)
{
    free(sections->list);
    free(sections->runs);
    free(sections->order);
    free(sections->order_start);
    free(sections->slots);
    *sections = (struct jcc_sections){0};
}

size_t jcc_sections_run_end(const struct jcc_sections *sections, const struct jcc_scan *scan, size_t run)
{
    return run + 1 < sections->run_count ? sections->runs[run + 1].first : scan->count;
}
