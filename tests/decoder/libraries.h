// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For cmocka tests: the code of large libraries, as far as this machine has them.
#ifndef JCCSAFE_TESTS_LIBRARIES_H
#define JCCSAFE_TESTS_LIBRARIES_H

#include "sections.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// Call TAKE for each executable section of each; its context is a count of bytes, to which it adds what it has taken.
static inline void each_library(void (*take)(void *context, const struct section *section))
{
    static const struct {
        const char *name;
        bool is64;
    } libraries[] = {{"libc.so.6", true}, {"libcrypto.so", true}, {"libstdc++.so.6", true}, {"libLLVM", true}, {"libc.so.6", false}};
    for (size_t k = 0; k < sizeof libraries / sizeof libraries[0]; k++) {
        char path[1024];
        uint64_t bytes = 0;
        if (!find_library(libraries[k].name, 0, libraries[k].is64, path, sizeof path))
            print_message("no %s-bit %s on this machine\n", libraries[k].is64 ? "64" : "32", libraries[k].name);
        else if (!each_section(path, take, &bytes))
            fail_msg("%s cannot be read", path);
        else
            print_message("%s: %llu bytes\n", path, (unsigned long long)bytes);
    }
}

#endif
