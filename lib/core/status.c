// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <jccsafe/status.h>
#include <stddef.h>

struct text {
    const char *name;
    const char *message;
};

static const struct text texts[] = {
    [JCC_OK] = {"JCC_OK", "done"},
    [JCC_ERROR_ARGUMENT] = {"JCC_ERROR_ARGUMENT", "an argument is out of its bounds"},
    [JCC_ERROR_POLICY] = {"JCC_ERROR_POLICY", "the policy makes no sense"},
    [JCC_ERROR_NO_MEMORY] = {"JCC_ERROR_NO_MEMORY", "out of memory"},
    [JCC_ERROR_NO_SPACE] = {"JCC_ERROR_NO_SPACE", "the buffer is too small"},
    [JCC_ERROR_TRUNCATED] = {"JCC_ERROR_TRUNCATED", "the bytes end inside an instruction"},
    [JCC_ERROR_INVALID_CODE] = {"JCC_ERROR_INVALID_CODE", "the bytes are no instruction"},
    [JCC_ERROR_IO] = {"JCC_ERROR_IO", "the file could not be read or written"},
    [JCC_ERROR_FORMAT] = {"JCC_ERROR_FORMAT", "not an ELF file, or a damaged one"},
    [JCC_ERROR_UNSUPPORTED] = {"JCC_ERROR_UNSUPPORTED", "not supported"},
    [JCC_ERROR_SOURCE] = {"JCC_ERROR_SOURCE", "the source does not assemble"},
    [JCC_ERROR_DIFFERENT] = {"JCC_ERROR_DIFFERENT", "not the same program"},
    [JCC_ERROR_CONFLICT] = {"JCC_ERROR_CONFLICT", "excluded by what this process did before"},
    [JCC_ERROR_LLVM] = {"JCC_ERROR_LLVM", "LLVM failed"},
    [JCC_ERROR_LIMIT] = {"JCC_ERROR_LIMIT", "over a limit"},
};

// NULL for a value that is no status.
static const struct text *find(enum jcc_status status)
{
    size_t index = (size_t)status;
    return index < sizeof texts / sizeof texts[0] ? &texts[index] : NULL;
}

const char *jcc_status_name(enum jcc_status status)
{
    const struct text *text = find(status);
    return text ? text->name : "JCC_ERROR_UNKNOWN";
}

const char *jcc_status_message(enum jcc_status status)
{
    const struct text *text = find(status);
    return text ? text->message : "an unknown error";
}
