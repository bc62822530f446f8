// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of this room share: objects made by the assembler and compiler that are there, and places in their bytes to change.
// Include it before anything else.
#ifndef JCC_TEST_ELF_TEST_H
#define JCC_TEST_ELF_TEST_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE // mkdtemp, popen
#endif
#include <elf.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jccsafe/elf.h>

// GNU as's own padding, everything it has.
#define PADDED "-malign-branch-boundary=32 -malign-branch=jcc+fused+jmp+call+ret+indirect -malign-branch-prefix-size=5 "

struct bytes {
    unsigned char *data;
    size_t size;
};

static inline struct bytes read_file(const char *path)
{
    struct bytes bytes = {NULL, 0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    bytes.size = (size_t)ftell(file);
    rewind(file);
    bytes.data = malloc(bytes.size + 1);
    assert_non_null(bytes.data);
    assert_int_equal(fread(bytes.data, 1, bytes.size, file), bytes.size);
    fclose(file);
    return bytes;
}

static inline void write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static inline struct bytes copy_of(struct bytes bytes)
{
    struct bytes copy = {malloc(bytes.size + 1), bytes.size};
    assert_non_null(copy.data);
    memcpy(copy.data, bytes.data, bytes.size);
    return copy;
}

// A path in the folder for temporary files that nothing has yet; the caller unlinks it.
static inline void scratch_path(char *path, size_t size)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, size, "%s/jccsafe-elf-XXXXXX", folder && *folder ? folder : "/tmp");
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
}

// What TOOL writes to the file that comes after "-o", given INPUT on its standard input. {NULL, 0} when it fails.
static inline struct bytes run_tool(const char *tool, const char *input)
{
    char path[256], command[2048];
    struct bytes bytes = {NULL, 0};
    scratch_path(path, sizeof path);
    snprintf(command, sizeof command, "%s -o %s -", tool, path);
    signal(SIGPIPE, SIG_IGN); // a tool that is not there reads nothing
    FILE *pipe = popen(command, "w");
    assert_non_null(pipe);
    fputs(input, pipe);
    if (pclose(pipe) == 0)
        bytes = read_file(path);
    unlink(path);
    return bytes;
}

static inline struct bytes assemble(const char *options, const char *source)
{
    char tool[1024];
    snprintf(tool, sizeof tool, "as -W %s", options);
    struct bytes bytes = run_tool(tool, source);
    assert_non_null(bytes.data);
    return bytes;
}

// Assembly text of SOURCE, as a string; {NULL, 0} where there is no such compiler.
static inline struct bytes compile(const char *compiler, const char *options, const char *source)
{
    char tool[1024];
    snprintf(tool, sizeof tool, "%s %s -w -S 2>/dev/null", compiler, options);
    // The redirection stands before "-o", which the shell does not mind.
    struct bytes text = run_tool(tool, source);
    if (text.data)
        text.data[text.size] = 0;
    return text;
}

// ---- places in an ELF64 object

static inline Elf64_Ehdr *file_header(struct bytes object)
{
    return (Elf64_Ehdr *)(void *)object.data;
}

static inline Elf64_Shdr *section_headers(struct bytes object)
{
    return (Elf64_Shdr *)(void *)(object.data + file_header(object)->e_shoff);
}

static inline unsigned section_index(struct bytes object, const char *name)
{
    const Elf64_Shdr *headers = section_headers(object);
    const char *names = (const char *)object.data + headers[file_header(object)->e_shstrndx].sh_offset;
    for (unsigned n = 1; n < file_header(object)->e_shnum; n++)
        if (strcmp(names + headers[n].sh_name, name) == 0)
            return n;
    fail_msg("no section %s", name);
    return 0;
}

static inline Elf64_Shdr *section_called(struct bytes object, const char *name)
{
    return &section_headers(object)[section_index(object, name)];
}

static inline unsigned char *section_data(struct bytes object, const char *name)
{
    return object.data + section_called(object, name)->sh_offset;
}

static inline Elf64_Sym *symbol_called(struct bytes object, const char *name)
{
    const Elf64_Shdr *table = section_called(object, ".symtab");
    const char *names = (const char *)object.data + section_headers(object)[table->sh_link].sh_offset;
    Elf64_Sym *symbols = (Elf64_Sym *)(void *)(object.data + table->sh_offset);
    for (size_t n = 1; n < table->sh_size / sizeof *symbols; n++)
        if (strcmp(names + symbols[n].st_name, name) == 0)
            return &symbols[n];
    fail_msg("no symbol %s", name);
    return NULL;
}

// Relocation N of the section of relocations called NAME.
static inline Elf64_Rela *reloc_of(struct bytes object, const char *name, size_t n)
{
    const Elf64_Shdr *table = section_called(object, name);
    assert_true(n < table->sh_size / sizeof(Elf64_Rela));
    return (Elf64_Rela *)(void *)(object.data + table->sh_offset) + n;
}

// ---- the proof

static inline bool accept_open(void *context, const char *section, uint64_t plain_size, uint64_t padded_size)
{
    (void)section, (void)plain_size, (void)padded_size;
    return context != NULL;
}

static inline jcc_elf *open_bytes(struct bytes object)
{
    jcc_elf *elf = NULL;
    assert_int_equal(jcc_elf_open_memory(object.data, object.size, &elf), JCC_OK);
    return elf;
}

static inline enum jcc_status prove_bytes(struct bytes plain, struct bytes padded, bool open_is_fine, struct jcc_elf_proof *proof)
{
    jcc_elf *a = open_bytes(plain), *b = open_bytes(padded);
    *proof = (struct jcc_elf_proof){.size = sizeof *proof};
    enum jcc_status status = jcc_elf_prove(a, b, NULL, accept_open, open_is_fine ? &status : NULL, proof);
    jcc_elf_close(a);
    jcc_elf_close(b);
    return status;
}

static inline void assert_proved(struct bytes plain, struct bytes padded)
{
    struct jcc_elf_proof proof;
    enum jcc_status status = prove_bytes(plain, padded, false, &proof);
    if (status != JCC_OK)
        fail_msg("%s: %s plain 0x%llx padded 0x%llx: %s", jcc_status_name(status), proof.difference.section,
                 (unsigned long long)proof.difference.plain, (unsigned long long)proof.difference.padded, proof.difference.what);
}

static inline void assert_refused(struct bytes plain, struct bytes padded, const char *section, const char *what)
{
    struct jcc_elf_proof proof;
    enum jcc_status status = prove_bytes(plain, padded, false, &proof);
    assert_int_equal(status, JCC_ERROR_DIFFERENT);
    assert_string_equal(proof.difference.section, section);
    if (!strstr(proof.difference.what, what))
        fail_msg("expected \"%s\", got \"%s\"", what, proof.difference.what);
}

#endif
