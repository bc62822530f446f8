// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "walker.h"

#include <string.h>

// The relocation in [at, at + length), if there is one: its type, else 0.
static uint32_t relocation_in(struct jcc_walker *w, uint32_t at, uint32_t length)
{
    while (w->relocation < w->relocations) {
        if (w->here.offset >= at + length)
            return 0;
        if (w->here.offset >= at)
            return w->here.type;
        if (++w->relocation < w->relocations)
            w->here = jcc_emitted_relocation(w->object, w->code->object, w->relocation);
    }
    return 0;
}

bool jcc_agree(const struct jcc_scan *scan, const struct jcc_statement *s, const struct jcc_insn *insn)
{
    const char *name = scan->text + s->name;
    char c = (char)(name[0] | 32);
    bool jump = c == 'j', call = s->name_length >= 4 && (!strncmp(name, "call", 4) || !strncmp(name, "CALL", 4));
    bool ret = s->name_length >= 3 && c == 'r' && (name[1] | 32) == 'e' && (name[2] | 32) == 't';
    switch (insn->kind) {
    case JCC_KIND_JCC:
    case JCC_KIND_JMP: return jump;
    case JCC_KIND_CALL: return call;
    case JCC_KIND_RET: return ret;
    case JCC_KIND_INDIRECT: return jump || call;
    default: return !ret && (!jump || (insn->flags & (JCC_INSN_SHORT_ONLY | JCC_INSN_ENDS_FLOW)) != 0);
    }
}

// Whether the statement is a wait alone, by either of its names.
static bool is_wait(const struct jcc_scan *scan, const struct jcc_statement *s)
{
    const char *name = scan->text + s->name;
    return (name[0] | 32) == 'w' || (s->name_length == 5 && (name[1] | 32) == 'w');
}

bool jcc_see_statement(const struct jcc_scan *scan, const struct jcc_statement *s, enum jcc_mode mode, const uint8_t *bytes, size_t length,
                       struct jcc_seen *seen)
{
    *seen = (struct jcc_seen){0};
    if (jcc_insn_decode(mode, bytes, length, &seen->insn))
        return false;
    seen->length = seen->insn.length;
    if (seen->insn.length == 1 && bytes[0] == 0x9b && !is_wait(scan, s)) { // fstcw and kin: a wait and the instruction proper
        struct jcc_insn second;
        if (jcc_insn_decode(mode, bytes + 1, length - 1, &second))
            return false;
        seen->length += second.length;
        seen->insn.prefix_room = 0;
    }
    return jcc_agree(scan, s, &seen->insn);
}

bool jcc_see_bytes(struct jcc_walker *w, size_t index, uint32_t at, struct jcc_seen *seen)
{
    const struct jcc_scan *scan = w->m->scan;
    if (at >= w->size || !jcc_see_statement(scan, &scan->statements[index], w->m->mode, w->bytes + at, w->size - at, seen))
        return false;
    seen->relocation = relocation_in(w, at, seen->length);
    return true;
}
