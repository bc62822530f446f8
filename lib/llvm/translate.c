// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // memmem
#include "translate.h"

#include "diagnostics.h"
#include "intel.h"
#include "labels.h"
#include "linked.h"
#include "sections.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

// What was seen of one section since its last .loc.
struct lines {
    bool any;         // there was one
    bool moved;       // bytes were added since
    bool may_move;    // an alignment was, which may come to nothing
    uint32_t label;   // number of the label before it
    uint64_t number;  // its view, when view is empty
    const char *view; // the symbol that holds its view, when that is an expression
    size_t view_length;
};

struct word {
    const char *at;
    size_t length;
};

// A numbered `.file`.
struct file {
    bool is_root; // number 0
    bool has_directory;
    struct word name; // with its quotes
    struct word sum;  // of MD5, when one is told
};

struct translator {
    const struct jcc_scan *scan;
    struct jcc_text out;
    size_t copied;
    struct lines *lines; // by section
    uint32_t labels;
    struct file root;
    const struct jcc_sections *sections;
    struct jcc_labels known; // of the text; read when first asked for
    bool knows_labels;
    enum jcc_status status;
    struct jcc_intel intel;
};

// What is to be done.
struct wanted {
    bool views;  // a .loc has one
    bool files;  // a numbered .file has the root's name
    bool others; // anything else
};

static void copy_to(struct translator *t, size_t offset)
{
    jcc_text_append(&t->out, t->scan->text + t->copied, offset - t->copied);
    t->copied = offset;
}

// The symbol or number behind ` view ` in a .loc: its place, or NULL.
static const char *find_view(const struct jcc_scan *scan, const struct jcc_statement *s, const char **word, size_t *length)
{
    static const char view[] = " view ";
    const char *begin = scan->text + s->begin, *end = scan->text + s->end;
    const char *at = memmem(begin, (size_t)(end - begin), view, sizeof view - 1);
    if (!at)
        return NULL;
    *word = at + sizeof view - 1;
    const char *behind = *word;
    while (behind < end && *behind != ' ' && *behind != '\t')
        behind++;
    *length = (size_t)(behind - *word);
    return at;
}

static void take_loc(struct translator *t, const struct jcc_statement *s, struct lines *l)
{
    const char *word = NULL;
    size_t length = 0;
    const char *view = find_view(t->scan, s, &word, &length);
    bool symbol = view && jcc_is_name_start(*word);
    bool reset = view && length == 2 && word[0] == '-' && word[1] == '0';
    bool unsure = l->any && !l->moved && l->may_move && !reset;
    uint32_t before = l->label;
    copy_to(t, s->begin);
    // A label for the next .loc to be measured from.
    l->label = t->labels++;
    jcc_text_format(&t->out, ".Ljccsafe.view.%u: ", l->label);
    copy_to(t, view ? (size_t)(view - t->scan->text) : s->end);
    if (view) {
        t->copied = (size_t)(word + length - t->scan->text);
        copy_to(t, s->end);
    }
    if (unsure && symbol) {
        // One more than the last where the alignment came to nothing, else 0; known once the layout is.
        jcc_text_format(&t->out, "; .set %.*s, (", (int)length, word);
        if (l->view)
            jcc_text_append(&t->out, l->view, l->view_length);
        else
            jcc_text_format(&t->out, "%llu", (unsigned long long)l->number);
        jcc_text_format(&t->out, " + 1) * (((.Ljccsafe.view.%u - .Ljccsafe.view.%u) == 0) & 1)", l->label, before);
        l->view = word;
        l->view_length = length;
    } else {
        bool same_place = l->any && !l->moved && !reset;
        if (!same_place || !l->view) {
            l->number = same_place ? l->number + 1 : 0;
            l->view = NULL;
            if (symbol)
                jcc_text_format(&t->out, "; .set %.*s, %llu", (int)length, word, (unsigned long long)l->number);
        } else if (symbol) {
            jcc_text_format(&t->out, "; .set %.*s, %.*s + 1", (int)length, word, (int)l->view_length, l->view);
            l->view = word;
            l->view_length = length;
        }
    }
    l->any = true;
    l->moved = l->may_move = false;
}

// One past the string that starts at AT; NULL when none does.
static const char *string_end(const char *at, const char *end)
{
    if (at == end || *at != '"')
        return NULL;
    for (at++; at < end && *at != '"'; at++)
        if (*at == '\\')
            at++;
    return at < end ? at + 1 : NULL;
}

static struct word word_at(const char *at, const char *end)
{
    const char *begin = at;
    while (at < end && *at != ' ' && *at != '\t')
        at++;
    return (struct word){begin, (size_t)(at - begin)};
}

static bool same_word(struct word a, struct word b)
{
    return a.length == b.length && (!a.length || !memcmp(a.at, b.at, a.length));
}

// `.file NUMBER ["DIRECTORY"] "NAME" [md5 SUM]`; false for `.file "NAME"`.
static bool read_file(const struct jcc_scan *scan, const struct jcc_statement *s, struct file *file)
{
    size_t length;
    const char *at = jcc_statement_operands(scan, s, &length), *end = at + length;
    struct word number = word_at(at, end);
    *file = (struct file){.is_root = number.length == 1 && *at == '0'};
    if (!number.length || *at < '0' || *at > '9')
        return false;
    for (at = jcc_skip_blanks(at + number.length, end); string_end(at, end); at = jcc_skip_blanks(at, end)) {
        const char *behind = string_end(at, end);
        file->has_directory = file->name.length != 0;
        file->name = (struct word){at, (size_t)(behind - at)};
        at = behind;
    }
    struct word md5 = word_at(at, end);
    if (md5.length == 3 && !memcmp(md5.at, "md5", 3))
        file->sum = word_at(jcc_skip_blanks(at + 3, end), end);
    return file->name.length != 0;
}

// Another spelling of the name: LLVM looks at that alone, and not at the directory.
static void take_file(struct translator *t, const struct jcc_statement *s)
{
    struct file file;
    if (!read_file(t->scan, s, &file))
        return;
    if (file.is_root)
        t->root = file;
    if (file.is_root || !same_word(file.name, t->root.name) || !same_word(file.sum, t->root.sum))
        return;
    const char *name = file.name.at + 1, *end = file.name.at + file.name.length, *slash = end - 1;
    while (slash > name && *slash != '/')
        slash--;
    copy_to(t, (size_t)(file.name.at - t->scan->text));
    if (!file.has_directory && slash > name)
        jcc_text_format(&t->out, "\"%.*s\" \"%.*s", (int)(slash - name), name, (int)(end - slash - 1), slash + 1);
    else
        jcc_text_format(&t->out, "\"%s%.*s", *name == '/' ? "/." : "./", (int)(end - name), name);
    t->copied = (size_t)(end - t->scan->text);
}

// Any number that the text does not use itself for these sections.
#define STRINGS_UNIQUE 4294967294u

// A section that LLVM has too, and knows better: see translate.h.
static bool is_own_strings(const struct jcc_scan *scan, const struct jcc_statement *s)
{
    static const char *const names[] = {".debug_line_str,", ".debug_str.dwo,"};
    size_t length;
    const char *at = jcc_statement_operands(scan, s, &length);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (length > strlen(names[k]) && !memcmp(at, names[k], strlen(names[k])))
            return !memmem(at, length, "unique", 6);
    return false;
}

// How .pushsection names SECTION: as the text does.
static struct word section_operands(const struct translator *t, uint32_t section)
{
    for (size_t run = 0; run < t->sections->run_count; run++) {
        const struct jcc_statement *s = &t->scan->statements[t->sections->runs[run].first];
        bool names = s->directive == JCC_DIRECTIVE_SECTION || s->directive == JCC_DIRECTIVE_PUSHSECTION;
        if (t->sections->runs[run].section == section && s->type == JCC_STATEMENT_DIRECTIVE && names) {
            struct word operands;
            operands.at = jcc_statement_operands(t->scan, s, &operands.length);
            return operands;
        }
    }
    return section ? (struct word){NULL, 0} : (struct word){".text", 5};
}

// A label of ours in the same section stands for one that comes later.
static void take_linked(struct translator *t, const struct jcc_statement *s)
{
    struct word symbol;
    if (!jcc_linked_symbol(t->scan, s, &symbol.at, &symbol.length) || t->status)
        return;
    if (!t->knows_labels)
        t->status = jcc_source_labels_read(&t->known, t->scan, t->sections);
    t->knows_labels = true;
    size_t index = (size_t)(s - t->scan->statements);
    uint32_t found = t->status ? JCC_NO_LABEL : jcc_source_labels_find(&t->known, symbol.at, symbol.length, index);
    if (found == JCC_NO_LABEL || t->known.list[found].statement < index)
        return;
    struct word section = section_operands(t, t->known.list[found].section);
    if (!section.at)
        return;
    uint32_t label = t->labels++;
    copy_to(t, s->begin);
    jcc_text_format(&t->out, ".pushsection %.*s; .Ljccsafe.link.%u: ; .popsection; ", (int)section.length, section.at, label);
    copy_to(t, (size_t)(symbol.at - t->scan->text));
    jcc_text_format(&t->out, ".Ljccsafe.link.%u", label);
    t->copied = (size_t)(symbol.at + symbol.length - t->scan->text);
}

static void take_section(struct translator *t, const struct jcc_statement *s)
{
    take_linked(t, s);
    if (!is_own_strings(t->scan, s))
        return;
    copy_to(t, s->end);
    jcc_text_format(&t->out, ",unique,%u", STRINGS_UNIQUE);
}

static void take_instruction(struct translator *t, const struct jcc_statement *s)
{
    struct jcc_text text = {0};
    if (t->intel.syntax && jcc_intel_rewrite(&text, t->scan, s, &t->intel)) {
        copy_to(t, s->begin);
        jcc_text_append(&t->out, text.data, text.length);
        t->copied = s->end;
    }
    t->out.failed |= text.failed;
    jcc_text_free(&text);
}

// LLVM writes what .print says on standard output, in every pass: of a warning it tells us instead, and which it is the one before says.
static void take_print(struct translator *t, const struct jcc_statement *s)
{
    size_t length;
    jcc_statement_operands(t->scan, s, &length);
    if (!length)
        return; // LLVM has a better word for it
    copy_to(t, s->begin);
    jcc_text_string(&t->out, JCC_PRINT_STATEMENT ".warning");
    t->copied = s->name + s->name_length;
}

static void take_statement(struct translator *t, const struct jcc_statement *s, struct lines *l, bool views)
{
    if (s->type == JCC_STATEMENT_INSN || s->type == JCC_STATEMENT_PREFIX) {
        l->moved = true;
        if (s->type == JCC_STATEMENT_INSN)
            take_instruction(t, s);
    } else if (s->type == JCC_STATEMENT_DIRECTIVE) {
        switch (s->directive) {
        case JCC_DIRECTIVE_ALIGN:
        case JCC_DIRECTIVE_P2ALIGN: l->may_move = true; break;
        case JCC_DIRECTIVE_UNKNOWN:
        case JCC_DIRECTIVE_DATA1:
        case JCC_DIRECTIVE_DATA2:
        case JCC_DIRECTIVE_DATA4:
        case JCC_DIRECTIVE_DATA8:
        case JCC_DIRECTIVE_DATA:
        case JCC_DIRECTIVE_SPACE:
        case JCC_DIRECTIVE_ORG:
        case JCC_DIRECTIVE_INCBIN: l->moved = true; break;
        case JCC_DIRECTIVE_SECTION:
        case JCC_DIRECTIVE_PUSHSECTION: take_section(t, s); break;
        case JCC_DIRECTIVE_INTEL: t->intel.syntax = jcc_statement_operands(t->scan, s, &t->intel.length); break;
        case JCC_DIRECTIVE_SYNTAX: t->intel.syntax = NULL; break;
        case JCC_DIRECTIVE_NOTHING:
            if (jcc_statement_is(t->scan, s, ".print"))
                take_print(t, s);
            break;
        case JCC_DIRECTIVE_LINE:
            if (views && jcc_statement_is(t->scan, s, ".loc"))
                take_loc(t, s, l);
            else if (jcc_statement_is(t->scan, s, ".file"))
                take_file(t, s);
            break;
        default: break;
        }
    }
}

// Most sources need nothing.
static struct wanted look(const struct jcc_scan *scan)
{
    struct wanted w = {0};
    struct word word;
    for (size_t k = 0; k < scan->count; k++) {
        const struct jcc_statement *s = &scan->statements[k];
        if (s->type != JCC_STATEMENT_DIRECTIVE)
            continue;
        switch (s->directive) {
        case JCC_DIRECTIVE_NOTHING: w.others = w.others || jcc_statement_is(scan, s, ".print"); break;
        case JCC_DIRECTIVE_INTEL: w.others = true; break;
        case JCC_DIRECTIVE_SECTION:
        case JCC_DIRECTIVE_PUSHSECTION:
            w.others = w.others || is_own_strings(scan, s) || jcc_linked_symbol(scan, s, &word.at, &word.length);
            break;
        case JCC_DIRECTIVE_LINE:
            if (!w.views && jcc_statement_is(scan, s, ".loc"))
                w.views = find_view(scan, s, &word.at, &word.length) != NULL;
            else if (!w.files && jcc_statement_is(scan, s, ".file"))
                w.files = jcc_statement_operands(scan, s, &word.length)[0] == '0';
            break;
        default: break;
        }
    }
    return w;
}

bool jcc_translate_is_dwarf5(const struct jcc_scan *scan)
{
    return look(scan).files;
}

enum jcc_status jcc_translate(struct jcc_source *source, const struct jcc_scan *scan, enum jcc_target target, bool *changed)
{
    struct wanted wanted = look(scan);
    *changed = false;
    if (!wanted.views && !wanted.files && !wanted.others)
        return JCC_OK;
    struct jcc_sections sections = {0};
    struct translator t = {
        .scan = scan, .sections = &sections, .intel.is_32 = target == JCC_TARGET_I386, .intel.renames = scan->names_modes};
    for (size_t k = 0; k < scan->count && !t.intel.renames; k++)
        t.intel.renames = jcc_intel_names_register(scan, &scan->statements[k]);
    enum jcc_status status = jcc_sections_read(&sections, scan);
    t.lines = calloc(sections.count + 1, sizeof *t.lines);
    if (!status && !t.lines)
        status = JCC_ERROR_NO_MEMORY;
    if (!status)
        jcc_text_reserve(&t.out, scan->length + scan->length / 2);
    for (size_t run = 0; !status && run < sections.run_count; run++) {
        size_t end = jcc_sections_run_end(&sections, scan, run);
        for (size_t k = sections.runs[run].first; k < end; k++)
            take_statement(&t, &scan->statements[k], &t.lines[sections.runs[run].section], wanted.views);
    }
    copy_to(&t, scan->length);
    if (!status)
        status = t.out.failed ? JCC_ERROR_NO_MEMORY : t.status;
    free(t.lines);
    jcc_source_labels_free(&t.known);
    jcc_sections_free(&sections);
    if (status) {
        jcc_text_free(&t.out);
        return status;
    }
    jcc_text_free(&source->owned);
    source->owned = t.out;
    source->text = t.out.data;
    source->length = t.out.length;
    *changed = true;
    return JCC_OK;
}
