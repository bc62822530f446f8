// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// List the affected branches of an executable, a shared library or an object.
//
//   cc check_file.c $(pkg-config --cflags --libs jccsafe-elf) -o check_file
#include <inttypes.h>
#include <jccsafe/elf.h>
#include <stdio.h>

static bool print(void *context, const struct jcc_elf_finding *finding)
{
    (void)context;
    printf("%s+0x%" PRIx64 ": %s %s a boundary\n", finding->place.symbol ? finding->place.symbol : finding->code->name,
           finding->place.offset, jcc_kind_name((enum jcc_kind)finding->unit.kind), finding->unit.ends ? "ends on" : "crosses");
    return true;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: check_file FILE\n");
        return 2;
    }
    jcc_elf *elf;
    enum jcc_status status = jcc_elf_open(argv[1], &elf);
    if (status == JCC_OK) {
        struct jcc_policy policy = jcc_policy_full();
        struct jcc_elf_totals totals = {.size = sizeof totals};
        status = jcc_elf_check(elf, &policy, print, NULL, &totals);
        printf("%" PRIu64 " bytes of code\n", totals.bytes);
    }
    jcc_elf_close(elf);
    if (status != JCC_OK)
        fprintf(stderr, "%s: %s\n", argv[1], jcc_status_message(status));
    return status == JCC_OK ? 0 : 2;
}
