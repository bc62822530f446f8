// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Check ELF files for affected units, and prove two objects equal but for padding.
//
// Handled: little-endian ELF for x86-64 (x32 as well) and i386, of every type; ar archives of them
// (thin ones too). Every input may be hostile: a damaged file gives a status, never a crash, a hang or memory out of
// proportion to the file's size.
#ifndef JCCSAFE_ELF_H
#define JCCSAFE_ELF_H

#include <jccsafe/check.h>
#include <jccsafe/export.h>
#include <jccsafe/policy.h>
#include <jccsafe/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// An opened file: its executable code and symbols. Opaque; used by one thread at a time.
typedef struct jcc_elf jcc_elf;

// One run of executable code: a section, or, in a file without section headers, a segment.
struct jcc_elf_code {
    const char *name;     // section's name, or "segment N"; owned by the jcc_elf
    uint32_t index;       // section index; program header index for a segment
    uint64_t address;     // sh_addr (0 in an object file), or p_vaddr
    uint64_t alignment;   // sh_addralign or p_align
    const uint8_t *bytes; // owned by the jcc_elf
    size_t size;
};

// A place as people read it.
struct jcc_elf_place {
    const char *symbol; // of the nearest function or label at or before it in the same section; NULL: none
    uint64_t offset;    // from there; from the section's start when symbol is NULL
};

// Open the file at PATH, or the SIZE bytes at IMAGE, which stay the caller's and must outlive the
// jcc_elf and stay unchanged. *ELF is NULL on every failure. JCC_ERROR_IO (errno says why), JCC_ERROR_FORMAT (an archive too: see jcc_archive_open),
// JCC_ERROR_UNSUPPORTED (another machine or byte order), JCC_ERROR_NO_MEMORY, JCC_ERROR_ARGUMENT.
JCC_API enum jcc_status jcc_elf_open(const char *path, jcc_elf **elf);
JCC_API enum jcc_status jcc_elf_open_memory(const void *image, size_t size, jcc_elf **elf);
// NULL is allowed.
JCC_API void jcc_elf_close(jcc_elf *elf);

// An object file (ET_REL): addresses are section offsets and alignment decides what the linker does.
JCC_API bool jcc_elf_is_object(const jcc_elf *elf);
// How its code is decoded: JCC_MODE_64, also for x32; JCC_MODE_32 for i386.
JCC_API enum jcc_mode jcc_elf_mode(const jcc_elf *elf);
// Its runs of executable code; *COUNT (NULL: not wanted) gets their number, and of that many the array is, which belongs to ELF. NULL and 0 for NULL ELF.
JCC_API const struct jcc_elf_code *jcc_elf_code(const jcc_elf *elf, size_t *count);
// Where ADDRESS of code run CODE (an index into the array above) is; the run's end is in it. For an address that is not in the run, a CODE that is no
// index, and NULL ELF: no symbol, and ADDRESS as the offset.
JCC_API struct jcc_elf_place jcc_elf_locate(const jcc_elf *elf, size_t code, uint64_t address);

struct jcc_elf_finding {
    const struct jcc_elf_code *code;
    struct jcc_finding unit;
    struct jcc_elf_place place;
};
// Return false to stop.
typedef bool (*jcc_elf_finding_fn)(void *context, const struct jcc_elf_finding *finding);

struct jcc_elf_totals {
    size_t size;                   // sizeof, set by the caller; a larger one is lowered to this version's (status.h)
    struct jcc_check_totals check; // over all code
    uint64_t bytes;                // of code
    uint32_t code_runs;
    uint32_t unanchored; // object files: code runs that hold a unit of the policy's kinds and are aligned to less than the boundary,
                         // so that the linker may move it
};

// Check all code of ELF. Decoding is linear, but begins anew where a symbol of a function or an object begins or ends (jcc_check_from), so that a table
// between functions hides nothing behind it; data without a symbol may. Statuses as jcc_check; JCC_ERROR_ARGUMENT also for NULL ELF. EACH and TOTALS may be NULL. *TOTALS is overwritten
// whatever the status is, unless its size is too small, and holds what was checked when EACH stopped the check.
JCC_API enum jcc_status jcc_elf_check(const jcc_elf *elf, const struct jcc_policy *policy, jcc_elf_finding_fn each, void *context,
                                      struct jcc_elf_totals *totals);

// An ar archive, thin or not. MEMBER is called for each member in order: its name, and its bytes, which are valid during the call
// alone. A member that is no ELF file is handed over all the same. Return false to stop.
// Symbol tables are no members. A thin archive's members are files, named from the archive's folder.
typedef bool (*jcc_archive_member_fn)(void *context, const char *name, const void *image, size_t size);
// JCC_OK also when MEMBER stopped it; JCC_ERROR_IO (of the archive, or of a thin one's member), JCC_ERROR_FORMAT (no archive, or a damaged one),
// JCC_ERROR_NO_MEMORY, JCC_ERROR_ARGUMENT.
JCC_API enum jcc_status jcc_archive_walk(const char *path, jcc_archive_member_fn member, void *context);
// Whether IMAGE starts as an archive does.
JCC_API bool jcc_archive_is(const void *image, size_t size);

// ---- the proof

// How two objects differ, when they do.
struct jcc_elf_difference {
    char section[128]; // cut to fit
    uint64_t plain;    // offset in the plain object's section
    uint64_t padded;   // offset in the padded object's section
    char what[160];    // one sentence: "branch target", "relocation type" ...
};

struct jcc_elf_proof {
    size_t size;                          // sizeof, set by the caller; a larger one is lowered to this version's (status.h)
    uint64_t instructions;                // compared, no-operations not counted
    uint64_t relocations;                 // compared
    uint32_t sections;                    // compared in all
    uint32_t sections_remapped;           // whose bytes differ and were proved equal under the move of code: .eh_frame, .gcc_except_table
    uint32_t sections_open;               // whose bytes differ in a way an object alone cannot prove (a label difference in
                                          // data); each is passed to OPEN
    struct jcc_elf_difference difference; // filled with JCC_ERROR_DIFFERENT
};

// Called for each section whose contents depend on the layout and cannot be proved from the objects
// alone. Return true when the caller knows why it differs (its source holds label differences there); false makes it a difference.
typedef bool (*jcc_elf_open_fn)(void *context, const char *section, uint64_t plain_size, uint64_t padded_size);

// Prove that PADDED is PLAIN but for padding: in every executable section the same instructions in the same order, once no-operations,
// redundant prefixes and the size of relative branches and their displacements are set aside; each branch and rip-relative
// operand leads to the same instruction; the same relocations against the same symbols; symbols at the same places, with the
// same sizes in instructions, types, bindings; the same sections with the same names, types, flags, groups; all other sections equal byte for byte, or
// under the move of code (see the proof's counts). Debug sections (.debug_*, .zdebug_*) may differ: line tables and ranges follow the code.
// Code bytes that do not decode are compared as bytes. docs/proof.md says all of it, and what is not proved.
// IGNORE_PREFIX (NULL or "": none) names symbols of PLAIN that are left out: measuring marks.
// OPEN NULL: every open section is a difference. *PROOF (NULL: not wanted) is overwritten whatever the status is, unless its size is
// too small.
// JCC_OK, JCC_ERROR_DIFFERENT (PROOF->difference says where), JCC_ERROR_FORMAT, JCC_ERROR_UNSUPPORTED (compact relocations),
// JCC_ERROR_NO_MEMORY, JCC_ERROR_ARGUMENT (also when either is no object file).
JCC_API enum jcc_status jcc_elf_prove(const jcc_elf *plain, const jcc_elf *padded, const char *ignore_prefix, jcc_elf_open_fn open,
                                      void *context, struct jcc_elf_proof *proof);

// libelf's version as jccsafe was built against it, as "0.188". Never NULL.
JCC_API const char *jcc_elf_library_version(void);

#ifdef __cplusplus
}
#endif
#endif
