// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The full decoder: prefixes, opcode map, ModRM, displacement, immediate. What the instruction is to a padder is
// in insn_class.c.
#include "insn_parse.h"
#include <jccsafe/insn.h>

enum legacy_prefix { PREFIX_OPERAND = 0x66, PREFIX_ADDRESS = 0x67, PREFIX_LOCK = 0xf0, PREFIX_REPNE = 0xf2, PREFIX_REP = 0xf3 };

// Whether N more bytes are there; else the status for that: bytes beyond the 15th are no instruction, beyond the caller's are missing.
static enum jcc_status need(const struct jcc_parse *p, unsigned n)
{
    if (p->at + n <= p->available)
        return JCC_OK;
    return p->at + n > JCC_INSN_MAX ? JCC_ERROR_INVALID_CODE : JCC_ERROR_TRUNCATED;
}

static enum jcc_status read_prefixes(struct jcc_parse *p)
{
    for (;;) {
        enum jcc_status status = need(p, 1);
        if (status != JCC_OK)
            return status;
        uint8_t byte = p->bytes[p->at];
        if (p->mode == JCC_MODE_64 && (byte & 0xf0) == 0x40) {
            p->rex = byte;
            p->at++;
            continue;
        }
        if (!(jcc_opcodes[0][byte].flags & JCC_OP_PREFIX))
            return JCC_OK;
        switch (byte) {
        case PREFIX_OPERAND: p->operand = true; break;
        case PREFIX_ADDRESS: p->address = true; break;
        case PREFIX_LOCK: p->lock = true; break;
        case PREFIX_REPNE:
        case PREFIX_REP: p->repeat = byte; break;
        default: p->segment = byte; break;
        }
        p->rex = 0; // REX counts only right before the opcode
        p->prefixes++;
        p->at++;
    }
}

// The prefix that selects among instructions of one opcode: the last of f2 and f3, else 66.
static enum jcc_pp mandatory(const struct jcc_parse *p)
{
    if (p->repeat)
        return p->repeat == PREFIX_REP ? JCC_PP_F3 : JCC_PP_F2;
    return p->operand ? JCC_PP_66 : JCC_PP_NONE;
}

// 0f, 0f 38, 0f 3a, 0f 0f. P is at the byte after 0f.
static enum jcc_status read_0f(struct jcc_parse *p)
{
    enum jcc_status status = need(p, 1);
    if (status != JCC_OK)
        return status;
    uint8_t byte = p->bytes[p->at++];
    p->map = JCC_MAP_0F;
    p->opcode = byte;
    if (byte == 0x0f) {
        p->map = JCC_MAP_3DNOW;
    } else if (byte == 0x38 || byte == 0x3a) {
        p->map = byte == 0x38 ? JCC_MAP_0F38 : JCC_MAP_0F3A;
        status = need(p, 1);
        if (status != JCC_OK)
            return status;
        p->opcode = p->bytes[p->at++];
    }
    return JCC_OK;
}

// A bit for each row of 16 opcodes that REX2 excludes (APX specification, 3.1.2).
static const uint16_t rex2_excluded[2] = {1u << 4 | 1u << 7 | 1u << 0xa | 1u << 0xe, 1u << 3 | 1u << 8};
#define JMPABS 0xa1 // the one exception, without REX2.W

static enum jcc_status read_rex2(struct jcc_parse *p)
{
    enum jcc_status status = need(p, 3);
    if (status != JCC_OK)
        return status;
    uint8_t payload = p->bytes[p->at + 1];
    p->opcode = p->bytes[p->at + 2];
    p->at += 3;
    p->map = payload & 0x80 ? JCC_MAP_0F : JCC_MAP_PRIMARY;
    p->wide = payload & 0x08;
    p->rex2 = payload;
    p->has_rex2 = true;
    if (p->rex)
        return JCC_ERROR_INVALID_CODE;
    if (p->map == JCC_MAP_PRIMARY && p->opcode == JMPABS)
        return p->wide || p->operand || p->address || p->repeat || p->lock ? JCC_ERROR_INVALID_CODE : JCC_OK;
    if (rex2_excluded[p->map == JCC_MAP_0F] >> (p->opcode >> 4) & 1)
        return JCC_ERROR_INVALID_CODE;
    if (jcc_opcodes[p->map == JCC_MAP_0F][p->opcode].flags & (JCC_OP_PREFIX | JCC_OP_ESCAPE))
        return p->map == JCC_MAP_PRIMARY && p->opcode == 0x8f ? JCC_OK : JCC_ERROR_INVALID_CODE; // pop
    return JCC_OK;
}

// Map numbers of the vector prefixes; 0 (JCC_MAP_PRIMARY) where there is none.
static const uint8_t vex_maps[32] = {[1] = JCC_MAP_VEX1, [2] = JCC_MAP_VEX2, [3] = JCC_MAP_VEX3, [5] = JCC_MAP_VEX5, [7] = JCC_MAP_VEX7};
static const uint8_t xop_maps[32] = {[8] = JCC_MAP_XOP8, [9] = JCC_MAP_XOP9, [10] = JCC_MAP_XOPA};
static const uint8_t evex_maps[8] = {[1] = JCC_MAP_EVEX1, [2] = JCC_MAP_EVEX2, [3] = JCC_MAP_EVEX3, [4] = JCC_MAP_EVEX4,
                                     [5] = JCC_MAP_EVEX5, [6] = JCC_MAP_EVEX6, [7] = JCC_MAP_EVEX7};

// VEX, EVEX or XOP. P is at the prefix's first byte.
static enum jcc_status read_vector(struct jcc_parse *p)
{
    uint8_t lead = p->bytes[p->at];
    unsigned size = lead == 0xc5 ? 2 : lead == 0x62 ? 4 : 3;
    enum jcc_status status = need(p, size + 1);
    if (status != JCC_OK)
        return status;
    const uint8_t *payload = p->bytes + p->at + 1;
    uint8_t second = lead == 0xc5 ? payload[0] : payload[1];
    p->at += size + 1;
    p->opcode = payload[size - 1];
    p->vector = lead;
    p->vector_pp = second & 3;
    p->wide = lead != 0xc5 && second & 0x80;
    switch (lead) {
    case 0xc5: p->map = JCC_MAP_VEX1; break;
    case 0xc4: p->map = vex_maps[payload[0] & 31]; break;
    case 0x8f: p->map = xop_maps[payload[0] & 31]; break;
    default:
        p->map = evex_maps[payload[0] & 7];
        // Bits that only APX has given a meaning, in 64-bit code: payload 0 bit 3 (0 before), payload 1 bit 2 (1 before).
        if (p->mode != JCC_MODE_64 && ((payload[0] & 8) || !(payload[1] & 4)))
            return JCC_ERROR_INVALID_CODE;
    }
    bool excluded = p->rex || p->operand || p->repeat || p->lock;
    return excluded || p->map == JCC_MAP_PRIMARY ? JCC_ERROR_INVALID_CODE : JCC_OK;
}

// Whether the byte at hand is the first of a VEX, EVEX or XOP prefix: outside 64-bit code les, lds and bound have the
// same opcodes, and no register form; pop's ModRM.reg is 0, so a map number of 8 or more is no pop.
static bool vector_ahead(const struct jcc_parse *p, uint8_t lead, uint8_t next)
{
    switch (lead) {
    case 0xc4:
    case 0xc5:
    case 0x62: return p->mode == JCC_MODE_64 || next >= 0xc0;
    case 0x8f: return (next & 31) >= 8;
    default: return false;
    }
}

static enum jcc_status read_opcode(struct jcc_parse *p)
{
    uint8_t byte = p->bytes[p->at];
    if (p->mode == JCC_MODE_64 && byte == 0xd5)
        return read_rex2(p);
    p->wide = p->rex & 8;
    if (byte == 0x0f) {
        p->at++;
        return read_0f(p);
    }
    if (jcc_opcodes[0][byte].flags & JCC_OP_ESCAPE) {
        enum jcc_status status = need(p, 2);
        if (status != JCC_OK)
            return status;
        if (vector_ahead(p, byte, p->bytes[p->at + 1]))
            return read_vector(p);
    }
    p->map = JCC_MAP_PRIMARY;
    p->opcode = byte;
    p->at++;
    return JCC_OK;
}

// Bytes of displacement that ModRM (and SIB) call for.
static unsigned displacement(const struct jcc_parse *p, bool sib)
{
    unsigned mod = p->modrm >> 6, rm = p->modrm & 7;
    if (p->address_size == 2)
        return mod == 1 ? 1 : mod == 2 || (mod == 0 && rm == 6) ? 2 : 0;
    if (mod == 0)
        return (sib ? p->bytes[p->modrm_at + 1] & 7 : rm) == 5 ? 4 : 0;
    return mod == 1 ? 1 : 4;
}

static enum jcc_status read_modrm(struct jcc_parse *p)
{
    enum jcc_status status = need(p, 1);
    if (status != JCC_OK)
        return status;
    p->modrm_at = (uint8_t)p->at;
    p->modrm = p->bytes[p->at++];
    p->has_modrm = true;
    if (p->modrm >= 0xc0)
        return JCC_OK;
    if (p->map == JCC_MAP_0F && jcc_opcodes[1][p->opcode].flags & JCC_OP_MOD3) {
        p->modrm |= 0xc0;
        return JCC_OK;
    }
    bool sib = p->address_size != 2 && (p->modrm & 7) == 4;
    status = need(p, sib);
    if (status != JCC_OK)
        return status;
    p->at += sib;
    p->disp_size = (uint8_t)displacement(p, sib);
    p->disp_at = (uint8_t)p->at;
    status = need(p, p->disp_size);
    p->at += p->disp_size;
    return status;
}

// Bytes of immediate of an opcode of the first two maps.
static unsigned immediate(const struct jcc_parse *p, const struct jcc_opcode *op)
{
    bool word = p->operand_size == 2, near64 = p->mode == JCC_MODE_64 && op->flags & JCC_OP_NEAR;
    if (op->flags & JCC_OP_TEST_IMM && (p->modrm >> 3 & 7) > 1)
        return 0;
    if (p->map == JCC_MAP_0F && p->opcode == 0x78) // vmread has none, extrq and insertq have two
        return mandatory(p) == JCC_PP_NONE ? 0 : 2;
    return op->imm >> (p->wide || near64 ? 8 : word ? 0 : 4) & 15;
}

static enum jcc_status read_immediate(struct jcc_parse *p, unsigned size)
{
    p->imm_size = (uint8_t)size;
    p->imm_at = (uint8_t)p->at;
    enum jcc_status status = need(p, size);
    p->at += size;
    return status;
}

// ModRM, displacement and immediate; then whether there is such an instruction.
static enum jcc_status read_rest(struct jcc_parse *p)
{
    bool is64 = p->mode == JCC_MODE_64;
    const struct jcc_opcode *op = p->map <= JCC_MAP_0F ? &jcc_opcodes[p->map][p->opcode] : NULL;
    enum jcc_status status = JCC_OK;
    if (op ? (op->flags & JCC_OP_MODRM) != 0 : !(p->map == JCC_MAP_VEX1 && p->opcode == 0x77)) // vzeroupper
        status = read_modrm(p);
    if (status != JCC_OK)
        return status;
    if (op && op->flags & JCC_OP_MOFFS) {
        p->disp_size = p->has_rex2 ? 8 : p->address_size;
        p->disp_at = (uint8_t)p->at;
        status = need(p, p->disp_size);
        p->at += p->disp_size;
    } else if (p->map == JCC_MAP_3DNOW) {
        status = read_immediate(p, 1);
        if (status == JCC_OK)
            p->opcode = p->bytes[p->imm_at];
    } else {
        status = read_immediate(p, op ? immediate(p, op)
                                      : jcc_map_immediate(p->map, p->opcode, p->modrm, p->vector_pp == JCC_PP_66 && !p->wide));
    }
    if (status != JCC_OK)
        return status;

    p->pp = p->vector ? (enum jcc_pp)p->vector_pp : mandatory(p);
    bool registers = p->modrm >= 0xc0;
    unsigned prefixes = op ? op->prefixes : jcc_map_prefixes[p->map][p->opcode];
    unsigned forms = !op || !p->has_modrm ? 0xff : registers ? op->registers : op->memory;
    bool exists = prefixes >> (registers * 4 + p->pp) & 1 && forms >> (p->modrm >> 3 & 7) & 1;
    if (op && op->flags & JCC_OP_NO64 && is64)
        exists = false;
    else if (!exists && (!op || op->flags & JCC_OP_RULES))
        exists = jcc_rules_have(p->map, p->opcode, p->pp, p->modrm, is64);
    if (p->map == JCC_MAP_EVEX4 && !is64)
        exists = false;
    if (p->lock && !jcc_lock_allowed(p->map, p->opcode, p->modrm))
        exists = false;
    return exists ? JCC_OK : JCC_ERROR_INVALID_CODE;
}

// Operand and address size in bytes, by mode and prefixes.
static void set_sizes(struct jcc_parse *p)
{
    bool operand16 = (p->mode == JCC_MODE_16) != p->operand, address16 = (p->mode == JCC_MODE_16) != p->address;
    p->operand_size = p->wide ? 8 : operand16 ? 2 : 4;
    p->address_size = p->mode == JCC_MODE_64 ? (p->address ? 4 : 8) : address16 ? 2 : 4;
}

enum jcc_status jcc_insn_decode(enum jcc_mode mode, const uint8_t *bytes, size_t length, struct jcc_insn *insn)
{
    if (!bytes || !insn || mode > JCC_MODE_16)
        return JCC_ERROR_ARGUMENT;
    struct jcc_parse p = {.mode = mode, .bytes = bytes, .available = length < JCC_INSN_MAX ? (unsigned)length : JCC_INSN_MAX};
    enum jcc_status status = read_prefixes(&p);
    if (status == JCC_OK)
        status = read_opcode(&p);
    if (status != JCC_OK)
        return status;
    p.opcode_at = (uint8_t)(p.at - 1);
    set_sizes(&p);
    status = read_rest(&p);
    if (status == JCC_OK)
        jcc_insn_classify(&p, insn);
    return status;
}
