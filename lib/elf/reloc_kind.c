// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relocation types: the x86-64 psABI 1.0, table 4.9, and the i386 psABI 1.1, table 4.9; from 43 on as APX adds them.
#include "object.h"

#define ABS(bytes)                                                                                                                         \
    {                                                                                                                                      \
        (bytes), JCC_RELOC_KNOWN                                                                                                           \
    }
#define PC(bytes)                                                                                                                          \
    {                                                                                                                                      \
        (bytes), JCC_RELOC_KNOWN | JCC_RELOC_PC                                                                                            \
    }
#define TLS(bytes)                                                                                                                         \
    {                                                                                                                                      \
        (bytes), JCC_RELOC_KNOWN | JCC_RELOC_TLS                                                                                           \
    }
#define TLS_PC(bytes)                                                                                                                      \
    {                                                                                                                                      \
        (bytes), JCC_RELOC_KNOWN | JCC_RELOC_TLS | JCC_RELOC_PC                                                                            \
    }
#define SEQUENCE(bytes)                                                                                                                    \
    {                                                                                                                                      \
        (bytes), JCC_RELOC_KNOWN | JCC_RELOC_TLS | JCC_RELOC_SEQUENCE                                                                      \
    }
#define SEQUENCE_PC                                                                                                                        \
    {                                                                                                                                      \
        4, JCC_RELOC_KNOWN | JCC_RELOC_TLS | JCC_RELOC_SEQUENCE | JCC_RELOC_PC                                                             \
    }

static const struct jcc_reloc_kind x86_64[] = {
    [R_X86_64_NONE] = ABS(0),
    [R_X86_64_64] = ABS(8),
    [R_X86_64_PC32] = PC(4),
    [R_X86_64_GOT32] = ABS(4),
    [R_X86_64_PLT32] = PC(4),
    [R_X86_64_GOTPCREL] = PC(4),
    [R_X86_64_32] = ABS(4),
    [R_X86_64_32S] = ABS(4),
    [R_X86_64_16] = ABS(2),
    [R_X86_64_PC16] = PC(2),
    [R_X86_64_8] = ABS(1),
    [R_X86_64_PC8] = PC(1),
    [R_X86_64_DTPMOD64] = ABS(8),
    [R_X86_64_DTPOFF64] = ABS(8),
    [R_X86_64_TPOFF64] = ABS(8),
    [R_X86_64_TLSGD] = SEQUENCE_PC,
    [R_X86_64_TLSLD] = SEQUENCE_PC,
    [R_X86_64_DTPOFF32] = ABS(4),
    [R_X86_64_GOTTPOFF] = TLS_PC(4),
    [R_X86_64_TPOFF32] = ABS(4),
    [R_X86_64_PC64] = PC(8),
    [R_X86_64_GOTOFF64] = ABS(8),
    [R_X86_64_GOTPC32] = PC(4),
    [R_X86_64_GOT64] = ABS(8),
    [R_X86_64_GOTPCREL64] = PC(8),
    [R_X86_64_GOTPC64] = PC(8),
    [R_X86_64_GOTPLT64] = ABS(8),
    [R_X86_64_PLTOFF64] = ABS(8),
    [R_X86_64_SIZE32] = ABS(4),
    [R_X86_64_SIZE64] = ABS(8),
    [R_X86_64_GOTPC32_TLSDESC] = TLS_PC(4),
    [R_X86_64_TLSDESC_CALL] = TLS(0),
    [R_X86_64_TLSDESC] = ABS(8),
    [R_X86_64_GOTPCRELX] = PC(4),
    [R_X86_64_REX_GOTPCRELX] = PC(4),
    [43] = PC(4),     // CODE_4_GOTPCRELX
    [44] = TLS_PC(4), // CODE_4_GOTTPOFF
    [45] = TLS_PC(4), // CODE_4_GOTPC32_TLSDESC
    [46] = PC(4),     // CODE_5_GOTPCRELX
    [47] = TLS_PC(4), // CODE_5_GOTTPOFF
    [48] = TLS_PC(4), // CODE_5_GOTPC32_TLSDESC
    [49] = PC(4),     // CODE_6_GOTPCRELX
    [50] = TLS_PC(4), // CODE_6_GOTTPOFF
    [51] = TLS_PC(4), // CODE_6_GOTPC32_TLSDESC
};

static const struct jcc_reloc_kind i386[] = {
    [R_386_NONE] = ABS(0),
    [R_386_32] = ABS(4),
    [R_386_PC32] = PC(4),
    [R_386_GOT32] = ABS(4),
    [R_386_PLT32] = PC(4),
    [R_386_GOTOFF] = ABS(4),
    [R_386_GOTPC] = PC(4),
    [R_386_TLS_IE] = TLS(4),
    [R_386_TLS_GOTIE] = TLS(4),
    [R_386_TLS_LE] = ABS(4),
    [R_386_TLS_GD] = SEQUENCE(4),
    [R_386_TLS_LDM] = SEQUENCE(4),
    [R_386_16] = ABS(2),
    [R_386_PC16] = PC(2),
    [R_386_8] = ABS(1),
    [R_386_PC8] = PC(1),
    [R_386_TLS_LDO_32] = ABS(4),
    [R_386_TLS_IE_32] = ABS(4),
    [R_386_TLS_LE_32] = ABS(4),
    [R_386_TLS_DTPMOD32] = ABS(4),
    [R_386_TLS_DTPOFF32] = ABS(4),
    [R_386_TLS_TPOFF32] = ABS(4),
    [R_386_SIZE32] = ABS(4),
    [R_386_TLS_GOTDESC] = TLS(4),
    [R_386_TLS_DESC_CALL] = TLS(0),
    [R_386_TLS_DESC] = ABS(4),
    [R_386_GOT32X] = ABS(4),
};

struct jcc_reloc_kind jcc_reloc_kind(uint16_t machine, uint32_t type)
{
    static const struct jcc_reloc_kind unknown = {0, 0};
    if (machine == EM_386)
        return type < sizeof i386 / sizeof *i386 ? i386[type] : unknown;
    return type < sizeof x86_64 / sizeof *x86_64 ? x86_64[type] : unknown;
}
