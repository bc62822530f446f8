// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine code for tests, written as hexadecimal digits, and placed so that a read beyond its end is a crash.
#ifndef JCCSAFE_TESTS_CODE_H
#define JCCSAFE_TESTS_CODE_H

#include <jccsafe/insn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// The bytes that HEX ("66 0f 1f 00") names into BYTES, at most CAPACITY; returns how many.
static inline size_t code_from_hex(const char *hex, uint8_t *bytes, size_t capacity)
{
    size_t count = 0;
    for (char *end; count < capacity; hex = end) {
        unsigned long byte = strtoul(hex, &end, 16);
        if (end == hex)
            break;
        bytes[count++] = (uint8_t)byte;
    }
    return count;
}

// One page that may be read up to its last byte, and behind it one that may not.
struct code_guard {
    uint8_t *end;
    uint8_t *pages;
    size_t page;
};

static inline struct code_guard code_guard_open(void)
{
    struct code_guard guard = {.page = (size_t)sysconf(_SC_PAGESIZE)};
    guard.pages = mmap(NULL, 2 * guard.page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (guard.pages == MAP_FAILED || mprotect(guard.pages + guard.page, guard.page, PROT_NONE) != 0) {
        perror("mmap");
        abort();
    }
    guard.end = guard.pages + guard.page;
    return guard;
}

static inline void code_guard_close(struct code_guard *guard)
{
    munmap(guard->pages, 2 * guard->page);
}

// LENGTH bytes of CODE right before the page that may not be read.
static inline const uint8_t *code_guard_place(const struct code_guard *guard, const uint8_t *code, size_t length)
{
    return memcpy(guard->end - length, code, length);
}

// Fails the test, naming the instruction, unless GOT is WANT. A macro, so that only cmocka programs need cmocka.
#define code_equal(hex, what, got, want)                                                                                                   \
    do {                                                                                                                                   \
        unsigned got_ = (unsigned)(got), want_ = (unsigned)(want);                                                                         \
        if (got_ != want_)                                                                                                                 \
            fail_msg("%s: %s is 0x%x, not 0x%x", hex, what, got_, want_);                                                                  \
    } while (0)

// Decode HEX, which must be one whole instruction: one that is shorter is invalid too. *INSN is zero when it is none.
static inline enum jcc_status code_decode(enum jcc_mode mode, const char *hex, struct jcc_insn *insn)
{
    uint8_t bytes[32];
    size_t length = code_from_hex(hex, bytes, sizeof bytes);
    memset(insn, 0, sizeof *insn);
    enum jcc_status status = jcc_insn_decode(mode, bytes, length, insn);
    if (status != JCC_OK || insn->length == length)
        return status;
    fprintf(stderr, "%s: %u bytes of %zu are an instruction\n", hex, insn->length, length);
    return JCC_ERROR_INVALID_CODE;
}

#endif
