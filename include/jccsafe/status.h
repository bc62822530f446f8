// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every call of jccsafe that can fail returns an enum jcc_status. The values are pinned: a number
// never changes its meaning, new ones are added at the end.
//
// Structures that may grow at their end in later versions begin with `size`, the sizeof that the caller was compiled with. One that is smaller than the
// library's own is JCC_ERROR_ARGUMENT. One that is larger is taken: what the caller hands in must be zero beyond what the library knows, else it is
// JCC_ERROR_ARGUMENT; of what the library fills in, it leaves that part alone and sets `size` to its own, which says what was filled in.
#ifndef JCCSAFE_STATUS_H
#define JCCSAFE_STATUS_H

#include <jccsafe/export.h>

#ifdef __cplusplus
extern "C" {
#endif

enum jcc_status {
    // Done.
    JCC_OK = 0,
    // A NULL where none may be, a number out of its bounds, a struct whose size is too small, or, where it is handed in, whose
    // tail this version does not know and that is not zero.
    JCC_ERROR_ARGUMENT = 1,
    // A policy that makes no sense (see jcc_policy_check).
    JCC_ERROR_POLICY = 2,
    // Memory could not be had. Nothing was changed.
    JCC_ERROR_NO_MEMORY = 3,
    // The caller's buffer is too small.
    JCC_ERROR_NO_SPACE = 4,
    // The bytes end inside an instruction.
    JCC_ERROR_TRUNCATED = 5,
    // The bytes are no instruction in this mode.
    JCC_ERROR_INVALID_CODE = 6,
    // A file could not be opened, read or written; errno says why.
    JCC_ERROR_IO = 7,
    // Not an ELF file or archive, or a damaged one.
    JCC_ERROR_FORMAT = 8,
    // Well formed, but of a kind that jccsafe does not handle (another machine, another byte order).
    JCC_ERROR_UNSUPPORTED = 9,
    // The source does not assemble; the diagnostics say why.
    JCC_ERROR_SOURCE = 10,
    // The two things compared are not the same program.
    JCC_ERROR_DIFFERENT = 11,
    // Excluded by what this process did before (see process.h).
    JCC_ERROR_CONFLICT = 12,
    // LLVM failed in a way that no other status names; the diagnostics hold its message.
    JCC_ERROR_LLVM = 13,
    // Over a limit that the call's header states.
    JCC_ERROR_LIMIT = 14,
};

// The enumerator's name, as "JCC_OK"; "JCC_ERROR_UNKNOWN" for a value that is none. Never NULL.
JCC_API const char *jcc_status_name(enum jcc_status status);

// One short English sentence without a full stop, as "out of memory". Never NULL.
JCC_API const char *jcc_status_message(enum jcc_status status);

#ifdef __cplusplus
}
#endif
#endif
