// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GNU assembly text in, an object with no affected branch out.
//
//   cc assemble.c $(pkg-config --cflags --libs jccsafe-llvm) -o assemble
#include <jccsafe/assemble.h>
#include <stdio.h>
#include <string.h>

static const char source[] = ".globl count\n"
                             "count:\n"
                             "    xor %eax, %eax\n"
                             "    .skip 26, 0x90\n" // puts the jump below on a boundary
                             "1:  add $2, %eax\n"
                             "    cmp %edi, %eax\n"
                             "    jb 1b\n"
                             "    ret\n";

int main(void)
{
    jcc_assembler *assembler;
    enum jcc_status status = jcc_assembler_create(&assembler);
    if (status != JCC_OK) {
        fprintf(stderr, "%s\n", jcc_status_message(status));
        return 2;
    }
    struct jcc_assemble_request request = {
        .size = sizeof request,
        .text = source,
        .length = strlen(source),
        .name = "count.s",
        .policy = jcc_policy_full(),
    };
    struct jcc_assemble_result result = {.size = sizeof result};
    status = jcc_assemble(assembler, &request, &result);
    for (size_t i = 0; i < result.diagnostic_count; i++)
        fprintf(stderr, "%s:%u: %s\n", result.diagnostics[i].file, (unsigned)result.diagnostics[i].line, result.diagnostics[i].message);
    if (status == JCC_OK)
        printf("%zu bytes of ELF, %d affected, %d without padding\n", result.object_size, (int)result.totals.affected,
               (int)result.totals.affected_plain);
    else
        fprintf(stderr, "%s\n", jcc_status_message(status));
    jcc_assemble_result_free(&result);
    jcc_assembler_destroy(assembler);
    return status == JCC_OK ? 0 : 1;
}
