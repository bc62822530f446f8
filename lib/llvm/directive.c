// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "directive.h"

#include <stdbool.h>
#include <string.h>

struct entry {
    char name[24]; // without the dot
    uint8_t directive;
};

#define D(name, directive)                                                                                                                 \
    {                                                                                                                                      \
        name, JCC_DIRECTIVE_##directive                                                                                                    \
    }

// Sorted by name: searched by bisection.
static const struct entry table[] = {
    D("2byte", DATA2),
    D("4byte", DATA4),
    D("8byte", DATA8),
    D("addrsig", NOTHING),
    D("addrsig_sym", NOTHING),
    D("align", ALIGN),
    D("altmacro", NOT_FLAT),
    D("ascii", DATA),
    D("asciz", DATA),
    D("att_syntax", SYNTAX),
    D("balign", ALIGN),
    D("balignl", ALIGN),
    D("balignw", ALIGN),
    D("bss", BSS),
    D("bundle_align_mode", BUNDLE),
    D("bundle_lock", BUNDLE),
    D("bundle_unlock", BUNDLE),
    D("byte", DATA1),
    D("cfi_endproc", CFI_END),
    D("cfi_startproc", CFI_START),
    D("code16", CODE),
    D("code16gcc", CODE),
    D("code32", CODE),
    D("code64", CODE),
    D("comm", NOTHING),
    D("common", NOTHING),
    D("data", SECTION_DATA),
    D("else", ELSE),
    D("elseif", ELSE),
    D("end", END),
    D("endif", ENDIF),
    D("endm", MACRO_END),
    D("endmacro", MACRO_END),
    D("endr", REPEAT_END),
    D("equ", SET),
    D("equiv", SET),
    D("err", NOTHING),
    D("error", NOTHING),
    D("exitm", NOT_FLAT),
    D("extern", NOTHING),
    D("file", LINE),
    D("global", NOTHING),
    D("globl", NOTHING),
    D("hidden", NOTHING),
    D("hword", DATA2),
    D("ident", NOTHING),
    D("if", IF),
    D("ifb", IF),
    D("ifc", IF),
    D("ifdef", IF),
    D("ifeq", IF),
    D("ifeqs", IF),
    D("ifge", IF),
    D("ifgt", IF),
    D("ifle", IF),
    D("iflt", IF),
    D("ifnb", IF),
    D("ifnc", IF),
    D("ifndef", IF),
    D("ifne", IF),
    D("ifnes", IF),
    D("ifnotdef", IF),
    D("incbin", INCBIN),
    D("include", INCLUDE),
    D("int", DATA4),
    D("intel_syntax", INTEL),
    D("internal", NOTHING),
    D("irp", REPEAT),
    D("irpc", REPEAT),
    D("lcomm", NOTHING),
    D("line", LINE),
    D("lineno", LINE),
    D("loc", LINE),
    D("loc_mark_labels", LINE),
    D("local", NOTHING),
    D("long", DATA4),
    D("macro", MACRO),
    D("noaltmacro", NOT_FLAT),
    D("octa", DATA),
    D("org", ORG),
    D("p2align", P2ALIGN),
    D("p2alignl", P2ALIGN),
    D("p2alignw", P2ALIGN),
    D("popsection", POPSECTION),
    D("previous", PREVIOUS),
    D("print", NOTHING),
    D("protected", NOTHING),
    D("purgem", NOT_FLAT),
    D("pushsection", PUSHSECTION),
    D("quad", DATA8),
    D("reloc", RELOC),
    D("rep", REPEAT),
    D("rept", REPEAT),
    D("section", SECTION),
    D("set", SET),
    D("short", DATA2),
    D("size", NOTHING),
    D("skip", SPACE),
    D("space", SPACE),
    D("string", DATA),
    D("subsection", SUBSECTION),
    D("symver", NOTHING),
    D("text", TEXT),
    D("title", NOTHING),
    D("type", NOTHING),
    D("value", DATA2),
    D("version", NOTHING),
    D("warning", NOTHING),
    D("weak", NOTHING),
    D("weakref", NOTHING),
    D("word", DATA2),
    D("zero", SPACE),
};

static enum jcc_directive find_in_table(const char *name)
{
    size_t low = 0, high = sizeof table / sizeof *table;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(table[middle].name, name);
        if (!order)
            return table[middle].directive;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return JCC_DIRECTIVE_UNKNOWN;
}

enum jcc_directive jcc_directive_find(const char *name, size_t length)
{
    char lower[sizeof table[0].name + 16];
    if (length < 2 || length > sizeof lower)
        return JCC_DIRECTIVE_UNKNOWN;
    for (size_t k = 1; k < length; k++)
        lower[k - 1] = name[k] >= 'A' && name[k] <= 'Z' ? (char)(name[k] + 32) : name[k];
    lower[length - 1] = '\0';
    enum jcc_directive found = find_in_table(lower);
    if (found == JCC_DIRECTIVE_UNKNOWN && !strncmp(lower, "cfi_", 4))
        return JCC_DIRECTIVE_CFI;
    return found;
}

unsigned jcc_directive_unit(enum jcc_directive directive)
{
    switch (directive) {
    case JCC_DIRECTIVE_DATA1: return 1;
    case JCC_DIRECTIVE_DATA2: return 2;
    case JCC_DIRECTIVE_DATA4: return 4;
    case JCC_DIRECTIVE_DATA8: return 8;
    default: return 0;
    }
}
