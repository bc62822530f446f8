// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L
#include "wanted.h"

#include "emitted.h"
#include "text.h"

#include <elf.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

// The name that PATTERN stands for, into NAME, which has room for it: false when it may stand for several. A backslash takes a character's meaning.
static bool is_name(const char *pattern, char *name)
{
    for (; *pattern; pattern++) {
        if (strchr("*?[", *pattern) || (*pattern == '\\' && !*++pattern))
            return false;
        *name++ = *pattern;
    }
    *name = '\0';
    return true;
}

bool jcc_wanted_open(struct jcc_wanted *wanted, const struct jcc_assemble_request *request)
{
    *wanted = (struct jcc_wanted){0};
    size_t size = 1;
    for (size_t k = 0; k < request->function_count; k++)
        size += strlen(request->functions[k]) + 1;
    char *at = wanted->unescaped = malloc(size);
    wanted->patterns = malloc((request->function_count + 1) * sizeof *wanted->patterns);
    bool ok = at && wanted->patterns;
    for (size_t k = 0; ok && k < request->function_count; k++) {
        if (is_name(request->functions[k], at)) {
            size_t length = strlen(at);
            ok = jcc_names_put(&wanted->names, at, length, 1);
            at += length + 1;
        } else {
            wanted->patterns[wanted->pattern_count++] = request->functions[k];
        }
    }
    return ok;
}

void jcc_wanted_close(struct jcc_wanted *wanted)
{
    jcc_names_free(&wanted->names);
    free(wanted->unescaped);
    free(wanted->patterns);
    free(wanted->name);
    *wanted = (struct jcc_wanted){0};
}

bool jcc_wanted_has(struct jcc_wanted *wanted, const char *name, size_t length, bool *failed)
{
    if (jcc_names_get(&wanted->names, name, length))
        return true;
    if (!wanted->pattern_count)
        return false;
    if (!jcc_grow(&wanted->name, &wanted->name_capacity, length + 1, 1)) {
        *failed = true;
        return false;
    }
    memcpy(wanted->name, name, length);
    wanted->name[length] = '\0';
    for (size_t k = 0; k < wanted->pattern_count; k++)
        if (!fnmatch(wanted->patterns[k], wanted->name, 0))
            return true;
    return false;
}

// What functions.h has for functions in the text: symbols that have the type, or are global and code's.
static bool is_function(const struct jcc_emitted *object, const struct jcc_emitted_symbol *symbol)
{
    if (symbol->type == STT_FUNC || symbol->type == STT_GNU_IFUNC)
        return symbol->section != SHN_UNDEF;
    return symbol->binding == STB_GLOBAL && symbol->section < object->section_count &&
           object->sections[symbol->section].flags & SHF_EXECINSTR;
}

static bool any_matches(const struct jcc_names *present, const char *pattern)
{
    for (size_t k = 0; k < present->count; k++) // an object's names end in NUL
        if (!fnmatch(pattern, present->list[k].at, 0))
            return true;
    return false;
}

static bool look_for(const struct jcc_assemble_request *request, const struct jcc_emitted *object, struct jcc_names *present, bool *found)
{
    for (size_t k = 1; k < jcc_emitted_symbol_count(object); k++) {
        struct jcc_emitted_symbol symbol = jcc_emitted_symbol(object, k);
        if (is_function(object, &symbol) && !jcc_names_put(present, symbol.name, strlen(symbol.name), 1))
            return false;
    }
    for (size_t k = 0; k < request->function_count; k++) {
        char *name = malloc(strlen(request->functions[k]) + 1);
        if (!name)
            return false;
        found[k] = is_name(request->functions[k], name) ? jcc_names_get(present, name, strlen(name)) != 0
                                                        : any_matches(present, request->functions[k]);
        free(name);
    }
    return true;
}

bool *jcc_wanted_found(const struct jcc_assemble_request *request, const void *image, size_t size)
{
    struct jcc_emitted object = {0};
    struct jcc_names present = {0};
    bool *found = calloc(request->function_count + 1, sizeof *found);
    bool ok = found && !jcc_emitted_open(&object, image, size) && look_for(request, &object, &present, found);
    jcc_names_free(&present);
    jcc_emitted_close(&object);
    if (!ok)
        free(found);
    return ok ? found : NULL;
}
