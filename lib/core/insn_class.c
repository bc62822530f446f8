// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a decoded instruction is to a padder: its branch kind, what it can be fused with, and how many
// redundant prefixes it takes.
#include "insn_parse.h"

#define SEGMENT_CS 0x2e
#define SEGMENT_SS 0x36
#define SEGMENT_DS 0x3e
#define SEGMENT_FS 0x64
#define SEGMENT_GS 0x65

static bool is_memory(const struct jcc_parse *p)
{
    return p->has_modrm && p->modrm < 0xc0;
}

static bool is_rip_relative(const struct jcc_parse *p)
{
    return p->mode == JCC_MODE_64 && is_memory(p) && (p->modrm & 0xc7) == 5;
}

// 90, with 66 or REX.W too, but not pause nor xchg with r8; 0f 1f /0.
static bool is_nop(const struct jcc_parse *p)
{
    if (p->map == JCC_MAP_0F)
        return p->opcode == 0x1f && (p->modrm >> 3 & 7) == 0;
    return p->map == JCC_MAP_PRIMARY && p->opcode == 0x90 && p->repeat != 0xf3 && !(p->rex & 1) && !p->has_rex2;
}

static bool is_pause(const struct jcc_parse *p)
{
    return p->map == JCC_MAP_PRIMARY && p->opcode == 0x90 && p->repeat == 0xf3;
}

static bool is_endbr(const struct jcc_parse *p)
{
    return p->map == JCC_MAP_0F && p->opcode == 0x1e && p->pp == JCC_PP_F3 && (p->modrm == 0xfa || p->modrm == 0xfb);
}

// f2 and f3 are part of the opcode where they select the instruction: pause, and opcodes of the 0F map with such prefixes.
static bool is_repeated(const struct jcc_parse *p)
{
    if (!p->repeat)
        return false;
    if (p->map == JCC_MAP_PRIMARY)
        return !is_pause(p);
    if (p->map == JCC_MAP_0F)
        return !(jcc_opcodes[1][p->opcode].flags & (JCC_OP_PP | JCC_OP_RULES));
    return p->map == JCC_MAP_3DNOW;
}

// Role of a legacy instruction; one of a later map is plain or takes no prefix.
static struct jcc_role role_of(const struct jcc_parse *p)
{
    static const struct jcc_role plain = {0}, fixed = {.flags = JCC_ROLE_NO_PREFIX};
    switch (p->map) {
    case JCC_MAP_PRIMARY:
        if (p->opcode == 0xc7 && p->modrm == 0xf8)
            return jcc_roles[JCC_ROLE_RELATIVE]; // xbegin
        if (p->opcode == 0xc6 && p->modrm == 0xf8)
            return fixed; // xabort
        break;
    case JCC_MAP_0F: break;
    // Virtualisation, key locker, user interrupts, direct stores: in the rows from 80 and f0.
    case JCC_MAP_0F38: return (p->opcode & 0xf0) == 0x80 || p->opcode >= 0xf0 || p->opcode == 0xd8 ? fixed : plain;
    case JCC_MAP_0F3A: return p->opcode == 0xf0 ? fixed : plain;
    case JCC_MAP_VEX1:
    case JCC_MAP_VEX2:
    case JCC_MAP_VEX3:
    case JCC_MAP_EVEX1:
    case JCC_MAP_EVEX2:
    case JCC_MAP_EVEX3: return plain;
    default: return fixed; // no CPU that the padding is for has them
    }
    const struct jcc_opcode *op = &jcc_opcodes[p->map][p->opcode];
    return jcc_roles[op->role + (op->flags & JCC_OP_GROUP ? p->modrm >> 3 & 7 : 0)];
}

static void set_pair(const struct jcc_parse *p, struct jcc_insn *insn)
{
    if (p->map > JCC_MAP_0F || p->lock || p->has_rex2)
        return;
    unsigned pair = jcc_opcode_pair(&jcc_opcodes[p->map][p->opcode], p->modrm, p->mode == JCC_MODE_64);
    insn->pair = pair & JCC_ROLE_PAIR;
    if (pair & JCC_ROLE_DOUBTFUL)
        insn->flags |= JCC_INSN_DOUBTFUL_PAIR;
}

// The prefix that changes nothing: the segment that is used anyway.
static uint8_t redundant_prefix(const struct jcc_parse *p)
{
    if (p->segment)
        return p->segment;
    if (p->mode == JCC_MODE_64)
        return SEGMENT_CS;
    if (!is_memory(p))
        return SEGMENT_DS;
    unsigned mod = p->modrm >> 6, rm = p->modrm & 7;
    if (p->address_size == 2) // bp
        return rm == 2 || rm == 3 || (rm == 6 && mod != 0) ? SEGMENT_SS : SEGMENT_DS;
    unsigned base = rm == 4 ? p->bytes[p->modrm_at + 1] & 7 : rm;
    return base == 4 || (base == 5 && mod != 0) ? SEGMENT_SS : SEGMENT_DS;
}

static uint16_t flags_of(const struct jcc_parse *p, const struct jcc_role *role)
{
    unsigned flags = role->flags & ~JCC_ROLE_NO_PREFIX;
    if (is_nop(p))
        flags |= JCC_INSN_NOP;
    if (is_rip_relative(p))
        flags |= JCC_INSN_RIP_RELATIVE;
    if (is_endbr(p))
        flags |= JCC_INSN_ENDBR;
    if (p->segment == SEGMENT_FS || p->segment == SEGMENT_GS)
        flags |= JCC_INSN_FS_GS;
    if (p->lock || is_repeated(p))
        flags |= JCC_INSN_LOCK_REP;
    if (p->vector)
        flags |= JCC_INSN_VECTOR;
    if (p->has_rex2 && p->map == JCC_MAP_PRIMARY && p->opcode == 0xa1) // jmpabs
        flags |= JCC_INSN_ENDS_FLOW;
    return (uint16_t)flags;
}

void jcc_insn_classify(const struct jcc_parse *p, struct jcc_insn *insn)
{
    struct jcc_role role = role_of(p);
    *insn = (struct jcc_insn){
        .length = (uint8_t)p->at,
        .kind = role.kind,
        .condition = role.kind == JCC_KIND_JCC ? p->opcode & 15 : 0,
        .flags = flags_of(p, &role),
        .prefixes = p->prefixes,
        .prefix_byte = redundant_prefix(p),
        .opcode_offset = p->map == JCC_MAP_3DNOW ? p->imm_at : p->opcode_at,
        .modrm_offset = p->modrm_at,
        .disp_offset = p->disp_size ? p->disp_at : 0,
        .disp_size = p->disp_size,
        .imm_offset = p->imm_size ? p->imm_at : 0,
        .imm_size = p->imm_size,
    };
    set_pair(p, insn);
    const unsigned no_prefix = JCC_INSN_NOP | JCC_INSN_ENDBR | JCC_INSN_FS_GS | JCC_INSN_LOCK_REP;
    if (!(role.flags & JCC_ROLE_NO_PREFIX) && !(insn->flags & no_prefix) && !p->has_rex2 && !is_pause(p))
        insn->prefix_room = (uint8_t)(JCC_INSN_MAX - p->at);
}

bool jcc_pair_fuses(enum jcc_pair pair, unsigned condition)
{
    return pair <= JCC_PAIR_INC && condition < 16 && jcc_fusing[pair] >> condition & 1;
}

unsigned jcc_prefix_room(const struct jcc_insn *insn, unsigned limit)
{
    unsigned left = limit > insn->prefixes ? limit - insn->prefixes : 0;
    return left < insn->prefix_room ? left : insn->prefix_room;
}

uint64_t jcc_insn_target(enum jcc_mode mode, const struct jcc_insn *insn, const uint8_t *bytes, uint64_t address)
{
    uint64_t raw = 0, sign = insn->imm_size ? UINT64_C(1) << (8 * insn->imm_size - 1) : 0;
    for (unsigned k = 0; k < insn->imm_size; k++)
        raw |= (uint64_t)bytes[insn->imm_offset + k] << (8 * k);
    uint64_t target = address + insn->length + ((raw ^ sign) - sign);
    if (mode == JCC_MODE_64)
        return target;
    bool operand = false;
    for (unsigned k = 0; k < insn->prefixes; k++)
        operand |= bytes[k] == 0x66;
    return (mode == JCC_MODE_16) != operand ? target & 0xffff : target & 0xffffffff;
}
