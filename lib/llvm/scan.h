// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GNU assembly text taken apart into statements, as LLVM's lexer for x86 ELF does: `;` and line ends
// separate, `#` and `//` start a comment, strings and character constants hide all of these.
#ifndef JCC_LLVM_SCAN_H
#define JCC_LLVM_SCAN_H

#include "directive.h"

#include <jccsafe/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum jcc_statement_type {
    JCC_STATEMENT_LABEL = 0,     // name is the label, without the colon; quoted names keep their quotes
    JCC_STATEMENT_INSN = 1,      // name is the mnemonic, behind prefixes and {pseudo prefixes}
    JCC_STATEMENT_PREFIX = 2,    // prefixes alone
    JCC_STATEMENT_DIRECTIVE = 3, // name is the directive with its dot
    JCC_STATEMENT_ASSIGN = 4,    // name is the symbol (or the dot) before the `=`
    JCC_STATEMENT_OPAQUE = 5,    // starts with what is no name
};

struct jcc_statement {
    uint32_t begin; // byte offsets into the text; comments and separators are outside
    uint32_t end;
    uint32_t name;
    uint16_t name_length;
    uint8_t type;      // enum jcc_statement_type
    uint8_t directive; // enum jcc_directive
};

// A comment that opens or closes a region in which nothing is added: `jccsafe: off` and `on`, and LLVM's `noautopadding`
// and `autopadding`, in any comment style.
struct jcc_region_mark {
    uint32_t statement; // the first behind it
    bool off;
};

struct jcc_scan {
    const char *text;
    size_t length;
    struct jcc_statement *statements;
    size_t count;
    size_t capacity;
    struct jcc_region_mark *marks;
    size_t mark_count, mark_capacity;
    bool failed;      // memory ran out over a mark
    bool flat;        // each instruction statement assembles exactly once
    bool names_modes; // has a .code16, .code32 or .code64
};

// Take TEXT apart; it must outlive the scan. At most UINT32_MAX bytes (JCC_ERROR_LIMIT). JCC_ERROR_NO_MEMORY.
enum jcc_status jcc_scan_text(struct jcc_scan *scan, const char *text, size_t length);
void jcc_scan_free(struct jcc_scan *scan);

// Whether some of the text is for another mode than BITS (32 or 64).
bool jcc_scan_has_other_mode(const struct jcc_scan *scan, unsigned bits);

// Whether statement INDEX stands in a region in which nothing is added.
bool jcc_scan_is_off(const struct jcc_scan *scan, size_t index);

// What stands behind a statement's name, blanks skipped: [*begin, end of statement).
const char *jcc_statement_operands(const struct jcc_scan *scan, const struct jcc_statement *statement, size_t *length);

// Whether STATEMENT is the directive NAME, written with its dot and in small letters; a source may have capitals.
bool jcc_statement_is(const struct jcc_scan *scan, const struct jcc_statement *statement, const char *name);

// Whether C may stand in a symbol's name, and whether it may start one.
static inline bool jcc_is_name_start(char c)
{
    char lower = (char)(c | 0x20);
    return (lower >= 'a' && lower <= 'z') || c == '_' || c == '.' || c == '$' || c == '?' || (unsigned char)c >= 0x80;
}

static inline bool jcc_is_name_char(char c)
{
    return (c >= '0' && c <= '9') || jcc_is_name_start(c);
}

static inline bool jcc_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

// One past the blanks, or the characters of a name, that begin at AT.
static inline const char *jcc_skip_blanks(const char *at, const char *end)
{
    while (at < end && jcc_is_blank(*at))
        at++;
    return at;
}

static inline const char *jcc_skip_name(const char *at, const char *end)
{
    while (at < end && jcc_is_name_char(*at))
        at++;
    return at;
}

// One past a quoted run that starts at AT: a "string", or a 'c character constant with or without its closing quote.
const char *jcc_skip_quoted(const char *at, const char *end);

// A cursor over the operands of a statement: names and separators, with strings and comments skipped.
struct jcc_lexer {
    const char *at;
    const char *end;
};
// The next symbol name in the operands (quoted ones without quotes, `.` alone too, numeric references as 1f or 2b), or false at the end. Registers
// (%rax) and what follows @ are passed over.
bool jcc_lexer_name(struct jcc_lexer *lexer, const char **name, size_t *length);

#endif
