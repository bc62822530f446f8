// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An engine with an encoder of its own: ask for the padding before each branch, and check the finished code.
//
//   cc emit.c $(pkg-config --cflags --libs jccsafe-core) -o emit
#include <jccsafe/check.h>
#include <jccsafe/padding.h>
#include <stdio.h>
#include <string.h>

struct code {
    uint8_t bytes[4096]; // to be placed on a multiple of the boundary
    size_t length;
};

static void emit(struct code *code, const void *bytes, size_t length)
{
    memcpy(code->bytes + code->length, bytes, length);
    code->length += length;
}

static void emit_branch(struct code *code, const struct jcc_policy *policy, const void *bytes, uint32_t length)
{
    uint32_t padding = jcc_padding(policy, code->length, length);
    jcc_nops(JCC_MODE_64, code->bytes + code->length, padding);
    code->length += padding;
    emit(code, bytes, length);
}

int main(void)
{
    static const uint8_t load[] = {0x48, 0x8b, 0x07};             // mov (%rdi),%rax
    static const uint8_t test_jz[] = {0x48, 0x85, 0xc0, 0x74, 0}; // test %rax,%rax; jz .+0: they fuse, so they are one unit
    static const uint8_t call[] = {0xe8, 0, 0, 0, 0};             // call .+0
    static const uint8_t ret[] = {0xc3};
    struct jcc_policy policy = jcc_policy_full();
    struct code code = {.length = 0};

    for (int i = 0; i < 100; i++) {
        emit(&code, load, sizeof load);
        emit_branch(&code, &policy, test_jz, sizeof test_jz);
        emit_branch(&code, &policy, call, sizeof call);
    }
    emit_branch(&code, &policy, ret, sizeof ret);

    struct jcc_check_totals totals = {0};
    enum jcc_status status = jcc_check(&policy, JCC_MODE_64, 0, code.bytes, code.length, NULL, NULL, &totals);
    if (status != JCC_OK) {
        fprintf(stderr, "%s\n", jcc_status_message(status));
        return 2;
    }
    uint64_t affected = 0;
    for (int kind = JCC_KIND_JCC; kind < JCC_KIND_COUNT; kind++)
        affected += totals.affected[kind];
    printf("%zu bytes, %d affected\n", code.length, (int)affected);
    return affected != 0;
}
