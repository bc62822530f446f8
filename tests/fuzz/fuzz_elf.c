// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A libFuzzer entry for everything that reads an ELF image. Build and run:
//   clang -g -O1 -std=c11 -fsanitize=fuzzer,address,undefined -Iinclude tests/fuzz/fuzz_elf.c lib/elf/*.c lib/core/*.c -lelf -o fuzz_elf
//   ./fuzz_elf FOLDER_OF_OBJECTS
#include <jccsafe/elf.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Both halves of the input as the objects of a proof, and its whole as a file to check.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct jcc_policy full = jcc_policy_full();
    struct jcc_elf_totals totals = {.size = sizeof totals};
    jcc_elf *whole = NULL, *half = NULL;
    if (jcc_elf_open_memory(data, size, &whole) != JCC_OK)
        return 0;
    if (jcc_elf_check(whole, &full, NULL, NULL, &totals) != JCC_OK)
        abort();
    // An object is the same as itself, unless it is damaged.
    enum jcc_status status = jcc_elf_prove(whole, whole, NULL, NULL, NULL, NULL);
    if (status == JCC_ERROR_NO_MEMORY)
        abort();
    if (jcc_elf_open_memory(data + size / 2, size - size / 2, &half) == JCC_OK)
        jcc_elf_prove(whole, half, NULL, NULL, NULL, NULL);
    jcc_elf_close(half);
    jcc_elf_close(whole);
    return 0;
}
