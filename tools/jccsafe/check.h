// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `jccsafe check`: options in check.c, what a file is in check_file.c, the lines it prints in check_report.c.
#ifndef CHECK_H
#define CHECK_H

#include <jccsafe/elf.h>
#include <jccsafe/policy.h>
#include <stdbool.h>
#include <stddef.h>

struct check_job {
    struct jcc_policy policy;
    bool findings; // print them
    bool summary;  // print the totals
};

// Check what stands at PATH: a file, an archive with all its members, or standard input ("-"). Returns an exit status.
int check_file(const struct check_job *job, const char *path);

// Check an open file that is called NAME in what is printed. *HAS_CODE gets whether there was any. Returns an exit status.
int check_elf(const struct check_job *job, const char *name, const jcc_elf *elf, bool *has_code);

#endif
