// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "got.h"

#include <elf.h>
#include <jccsafe/insn.h>
#include <string.h>

#define MODRM_NO_BASE 0x05 // mod 0, r/m 5: rip-relative in 64-bit code
#define OPCODE_LOAD   0x8b // mov
#define OPCODE_BRANCH 0xff // call and jmp, among others

// The code is decoded once, from its start up to the relocation in question.
struct decoding {
    enum jcc_mode mode;
    const uint8_t *code;
    uint64_t at; // of the instruction last looked at
    struct jcc_insn insn;
};

// Decode up to the instruction that holds OFFSET; false when that is none.
static bool find(struct decoding *d, const struct jcc_edit_relocation *r)
{
    if (d->code != r->code || d->at > r->offset) {
        d->code = r->code;
        d->at = 0;
    }
    while (d->at <= r->offset) {
        bool ok = !jcc_insn_decode(d->mode, r->code + d->at, (size_t)(r->size - d->at), &d->insn);
        if (ok && d->at + d->insn.length > r->offset)
            return true;
        d->at += ok ? d->insn.length : 1;
    }
    return false;
}

// An instruction of one opcode byte whose displacement the relocation is of: what a linker knows how to rewrite.
static bool is_simple(const struct decoding *d, const struct jcc_edit_relocation *r)
{
    const struct jcc_insn *insn = &d->insn;
    return insn->disp_offset && d->at + insn->disp_offset == r->offset && insn->disp_size == 4 &&
           insn->modrm_offset == insn->opcode_offset + 1 && insn->disp_offset == insn->modrm_offset + 1 &&
           insn->opcode_offset <= insn->prefixes + 1u;
}

// `op memory, register` of two operands and test, of 32 bits or 64.
static bool is_relaxable(const struct decoding *d, uint8_t opcode)
{
    bool narrow = memchr(d->code + d->at, 0x66, d->insn.prefixes);
    return !narrow && (opcode == OPCODE_LOAD || opcode == 0x85 || (opcode < 0x40 && (opcode & 7) == 3));
}

static uint32_t type_of(void *context, const struct jcc_edit_relocation *r)
{
    struct decoding *d = context;
    bool is64 = d->mode == JCC_MODE_64;
    if (r->type != (is64 ? (uint32_t)R_X86_64_GOTPCREL : (uint32_t)R_386_GOT32) || !find(d, r) || !is_simple(d, r))
        return r->type;
    uint8_t opcode = r->code[d->at + d->insn.opcode_offset], modrm = r->code[d->at + d->insn.modrm_offset];
    if (!is64)
        return opcode == OPCODE_LOAD && modrm >> 6 == 2 ? R_386_GOT32X : r->type;
    if (r->addend != -4 || (modrm & 0xc7) != MODRM_NO_BASE)
        return r->type;
    unsigned reg = modrm >> 3 & 7;
    if (opcode == OPCODE_BRANCH) // whatever prefixes: of TLS sequences 66 and REX are part
        return reg == 2 || reg == 4 ? R_X86_64_GOTPCRELX : r->type;
    if (!is_relaxable(d, opcode))
        return r->type;
    bool rex = d->insn.opcode_offset > d->insn.prefixes;
    return rex ? R_X86_64_REX_GOTPCRELX : R_X86_64_GOTPCRELX;
}

void jcc_got_retype(struct jcc_edit *edit)
{
    uint16_t machine; // at the same place in both classes
    memcpy(&machine, edit->image + offsetof(Elf32_Ehdr, e_machine), sizeof machine);
    struct decoding d = {.mode = machine == EM_386 ? JCC_MODE_32 : JCC_MODE_64};
    jcc_edit_retype(edit, type_of, &d);
}
