// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <jccsafe/version.h>

#define TEXT_OF(number)             TEXT(number)
#define TEXT(token)                 #token
#define DOTTED(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *jcc_version(void)
{
    return DOTTED(JCC_VERSION_MAJOR, JCC_VERSION_MINOR, JCC_VERSION_PATCH);
}
