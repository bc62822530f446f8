// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "in_force.h"

#include "emitted.h"
#include "session.h"
#include "text.h"

#include <llvm-c/Core.h>
#include <stdio.h>
#include <string.h>

// Each probe stands in a section of its own, which says by its size or its last bytes what LLVM did.
#define SECTION_PREFIX ".jccsafe."
#define NOP_BYTE       0x90

// Below the least that a policy may have, so that a lesser boundary is told from that one.
#define LEAST_BOUNDARY (JCC_BOUNDARY_MIN / 2)

// For each kind a unit that LLVM moves behind the boundary when, and only when, it aligns that kind, if BEFORE bytes of it stand in front. All but
// the pair end on the boundary then; of the pair the jump, which would be moved for its own sake, begins there.
static const struct {
    const char *text;
    uint8_t length, before;
} units[JCC_KIND_COUNT] = {
    [JCC_KIND_JCC] = {"jo 1f; 1:", 2, 2},  [JCC_KIND_FUSED] = {"cmpl %eax, %ecx; jne 1f; 1:", 4, 2},
    [JCC_KIND_JMP] = {"jmp 1f; 1:", 2, 2}, [JCC_KIND_CALL] = {"call jccsafe_probe", 5, 5},
    [JCC_KIND_RET] = {"ret", 1, 1},        [JCC_KIND_INDIRECT] = {"jmp *%rax", 2, 2},
};

// Instructions with 0, 1, 2 … prefixes as LLVM counts them, REX and VEX with them. One takes another while it has less than the limit.
static const struct {
    const char *text;
    uint8_t length;
} prefixed[] = {
    {"movl %eax, %ecx", 2},      {"movw %ax, %cx", 3},         {"movw %fs:(%rax), %cx", 4},
    {"movw %fs:(%eax), %cx", 5}, {"movw %fs:(%eax), %r8w", 6}, {"vpshufb %fs:(%eax), %xmm0, %xmm0", 7},
};
_Static_assert(sizeof prefixed / sizeof *prefixed == JCC_PREFIX_LIMIT_MAX + 1, "one row for each limit, and one for what is beyond");

struct probing {
    struct jcc_text text;
    LLVMMemoryBufferRef buffer;
    struct jcc_emitted object;
};

// A section that begins with FILL bytes of data and, because LLVM pads nothing right behind data, an instruction. That takes no prefix for the same reason.
static void begin_probe(struct probing *p, uint32_t number, uint32_t fill)
{
    jcc_text_format(&p->text, ".section " SECTION_PREFIX "%u,\"ax\",@progbits\n.balign %u\n.skip %u, %u\n.byte %u\nmovl %%eax, %%eax\n",
                    number, 2 * JCC_BOUNDARY_MAX, fill - 1, NOP_BYTE, NOP_BYTE);
}

static enum jcc_status emit(struct probing *p)
{
    struct jcc_session session = {0};
    struct jcc_diagnostics diagnostics = {0};
    enum jcc_status status = p->text.failed ? JCC_ERROR_NO_MEMORY : JCC_OK;
    if (!status)
        status = jcc_session_run(&session, JCC_TARGET_X86_64, JCC_PASS_OBJECT, p->text.data, p->text.length, &diagnostics, &p->buffer);
    if (!status)
        status = jcc_emitted_open(&p->object, LLVMGetBufferStart(p->buffer), LLVMGetBufferSize(p->buffer));
    jcc_diagnostics_clear(&diagnostics);
    jcc_session_close(&session);
    return status == JCC_ERROR_SOURCE ? JCC_ERROR_LLVM : status;
}

static const struct jcc_emitted_section *probe(const struct probing *p, uint32_t number)
{
    char name[32];
    snprintf(name, sizeof name, SECTION_PREFIX "%u", number);
    for (size_t k = 1; k < p->object.section_count; k++)
        if (!strcmp(p->object.sections[k].name, name))
            return &p->object.sections[k];
    return NULL;
}

static void release(struct probing *p)
{
    jcc_emitted_close(&p->object);
    if (p->buffer)
        LLVMDisposeMemoryBuffer(p->buffer);
    jcc_text_free(&p->text);
}

// The least boundary at which something is padded, and what is. The number of a probe is its boundary plus its kind: no two are the same.
static enum jcc_status read_boundary(struct jcc_in_force *now)
{
    struct probing p = {0};
    for (uint32_t boundary = LEAST_BOUNDARY; boundary <= JCC_BOUNDARY_MAX; boundary *= 2)
        for (uint32_t kind = JCC_KIND_NONE + 1; kind < JCC_KIND_COUNT; kind++) {
            begin_probe(&p, boundary + kind, boundary - units[kind].before - 2);
            jcc_text_format(&p.text, "%s\n", units[kind].text);
        }
    enum jcc_status status = emit(&p);
    for (uint32_t boundary = LEAST_BOUNDARY; !status && !now->kinds && boundary <= JCC_BOUNDARY_MAX; boundary *= 2)
        for (uint32_t kind = JCC_KIND_NONE + 1; kind < JCC_KIND_COUNT; kind++) {
            const struct jcc_emitted_section *section = probe(&p, boundary + kind);
            if (!section || section->size == boundary + units[kind].length - units[kind].before)
                continue;
            now->kinds |= JCC_KIND_BIT(kind);
            now->boundary = boundary;
        }
    release(&p);
    return status;
}

static enum jcc_kind first_kind(uint32_t kinds)
{
    for (int kind = JCC_KIND_NONE + 1; kind < JCC_KIND_COUNT; kind++)
        if (kinds & JCC_KIND_BIT(kind))
            return (enum jcc_kind)kind;
    return JCC_KIND_NONE;
}

// A unit that lacks one byte is moved by one prefix, if the instruction before it may have one more; else by a no-operation.
static enum jcc_status read_prefix_limit(struct jcc_in_force *now)
{
    struct probing p = {0};
    enum jcc_kind kind = first_kind(now->kinds);
    for (uint32_t k = 0; k <= JCC_PREFIX_LIMIT_MAX; k++) {
        begin_probe(&p, k, now->boundary - prefixed[k].length - 3);
        jcc_text_format(&p.text, "%s\n%s\n", prefixed[k].text, units[kind].text);
    }
    enum jcc_status status = emit(&p);
    for (uint32_t k = 0; !status && k <= JCC_PREFIX_LIMIT_MAX; k++) {
        const struct jcc_emitted_section *section = probe(&p, k);
        if (section && section->size > now->boundary && section->bytes[now->boundary - 1] != NOP_BYTE)
            now->prefix_limit = k + 1;
    }
    release(&p);
    return status;
}

enum jcc_status jcc_in_force_read(struct jcc_in_force *now)
{
    *now = (struct jcc_in_force){0};
    enum jcc_status status = read_boundary(now);
    // No policy has that boundary, so nobody asks further; and the probes would not fit.
    if (!status && now->boundary > LEAST_BOUNDARY)
        status = read_prefix_limit(now);
    return status;
}
