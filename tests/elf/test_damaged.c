// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Damaged and odd files: a status each time, and never a crash, a hang, or memory out of proportion. Run under the sanitizers too.
#include "elf_test.h"
#include <sys/resource.h>
#include <time.h>

// Everything that can be done with a file.
static enum jcc_status use(struct bytes file)
{
    jcc_elf *elf = NULL;
    enum jcc_status status = jcc_elf_open_memory(file.data, file.size, &elf);
    if (status != JCC_OK) {
        assert_null(elf);
        return status;
    }
    struct jcc_policy full = jcc_policy_full();
    struct jcc_elf_totals totals = {.size = sizeof totals};
    assert_int_equal(jcc_elf_check(elf, &full, NULL, NULL, &totals), JCC_OK);
    size_t count;
    const struct jcc_elf_code *code = jcc_elf_code(elf, &count);
    for (size_t n = 0; n < count; n++) {
        assert_true(code[n].bytes >= file.data && code[n].bytes + code[n].size <= file.data + file.size);
        jcc_elf_locate(elf, n, code[n].address + code[n].size / 2);
    }
    jcc_elf_close(elf);
    return JCC_OK;
}

static struct bytes good;     // padding, exceptions, tables, groups
static struct bytes good_pad; // the same, padded

static const char source[] = "  .text\n"
                             "  .globl f\n"
                             "  .type f, @function\n"
                             "f: .cfi_startproc\n"
                             "  .cfi_personality 0x3, g\n"
                             "  .cfi_lsda 0x3, .Llsda\n"
                             "  push %rbx\n"
                             "  .cfi_adjust_cfa_offset 8\n"
                             ".Lcall: call g@PLT\n"
                             ".Lcalled: cmp $5, %eax\n"
                             "  jne 1f\n"
                             "  lea .Ltable(%rip), %rax\n"
                             "  .nops 20\n"
                             "  jmp *%rax\n"
                             ".Lpad: .nops 13\n"
                             "1: pop %rbx\n"
                             "  .cfi_adjust_cfa_offset -8\n"
                             "  ret\n"
                             "  .cfi_endproc\n"
                             "  .size f, .-f\n"
                             "  .section .gcc_except_table,\"a\",@progbits\n"
                             ".Llsda: .byte 0xff, 0x3\n"
                             "  .uleb128 .Lbase-.Lttd\n"
                             ".Lttd: .byte 1\n"
                             "  .uleb128 .Lcse-.Lcsb\n"
                             ".Lcsb: .uleb128 .Lcall-f\n"
                             "  .uleb128 .Lcalled-.Lcall\n"
                             "  .uleb128 .Lpad-f\n"
                             "  .uleb128 1\n"
                             ".Lcse: .byte 1, 0\n"
                             "  .p2align 2\n"
                             "  .long g\n"
                             ".Lbase:\n"
                             "  .section .rodata\n"
                             ".Ltable: .long .Lpad-.Ltable, 1b-.Ltable\n"
                             "  .quad f, .Lpad\n"
                             "  .section .text.once,\"axG\",@progbits,once,comdat\n"
                             "  .weak once\n"
                             "once: ret\n";

static int make_good(void **state)
{
    (void)state;
    good = assemble("", source);
    good_pad = assemble(PADDED, source);
    return 0;
}

static int drop_good(void **state)
{
    (void)state;
    free(good.data);
    free(good_pad.data);
    return 0;
}

// ---- one field of a good file replaced

enum field {
    FILE_HEADER,  // offset counts from the file's start
    SECTION_ZERO, // from its section header
    TEXT,
    SYMBOLS,
    SYMBOL_NAMES,
    RELOCS,
    GROUP
};

struct change {
    const char *name;
    enum field where;
    size_t offset;
    size_t size;
    uint64_t value;
    int status; // -1: any
};

#define EHDR(field)        offsetof(Elf64_Ehdr, field), sizeof(((Elf64_Ehdr *)0)->field)
#define SHDR(field)        offsetof(Elf64_Shdr, field), sizeof(((Elf64_Shdr *)0)->field)
#define FORMAT             JCC_ERROR_FORMAT
#define UNSUPPORTED        JCC_ERROR_UNSUPPORTED
#define SHF_COMPRESSED_BIT 0x800u

static const struct change changes[] = {
    {"section headers at the end of file", FILE_HEADER, EHDR(e_shoff), 0x100000, FORMAT},
    {"section headers beyond all", FILE_HEADER, EHDR(e_shoff), UINT64_MAX, FORMAT},
    {"section headers that wrap", FILE_HEADER, EHDR(e_shoff), UINT64_MAX - 63, FORMAT},
    {"section headers at an odd place", FILE_HEADER, EHDR(e_shoff), 0x41, -1},
    {"section headers of size 0", FILE_HEADER, EHDR(e_shentsize), 0, FORMAT},
    {"section headers of size 8", FILE_HEADER, EHDR(e_shentsize), 8, FORMAT},
    {"too many sections", FILE_HEADER, EHDR(e_shnum), 0xffff, FORMAT},
    {"no sections", FILE_HEADER, EHDR(e_shnum), 0, JCC_OK},
    {"no section headers but a count", FILE_HEADER, EHDR(e_shoff), 0, FORMAT},
    {"section names out of bounds", FILE_HEADER, EHDR(e_shstrndx), 0x7fff, FORMAT},
    {"section names in a section of code", FILE_HEADER, EHDR(e_shstrndx), 1, FORMAT},
    {"program headers beyond all", FILE_HEADER, EHDR(e_phoff), UINT64_MAX, -1},
    {"big-endian", FILE_HEADER, EI_DATA, 1, ELFDATA2MSB, UNSUPPORTED},
    {"no byte order", FILE_HEADER, EI_DATA, 1, 0, FORMAT},
    {"class 32", FILE_HEADER, EI_CLASS, 1, ELFCLASS32, -1},
    {"class 3", FILE_HEADER, EI_CLASS, 1, 3, FORMAT},
    {"version 2", FILE_HEADER, EI_VERSION, 1, 2, FORMAT},
    {"another machine", FILE_HEADER, EHDR(e_machine), EM_AARCH64, UNSUPPORTED},
    {"i386 in 64 bits", FILE_HEADER, EHDR(e_machine), EM_386, UNSUPPORTED},
    {"a core file", FILE_HEADER, EHDR(e_type), ET_CORE, JCC_OK},
    {"a huge count in section 0", SECTION_ZERO, SHDR(sh_size), UINT64_C(1) << 62, -1},
    {"code at the end of file", TEXT, SHDR(sh_offset), 0xffffff, FORMAT},
    {"code that wraps", TEXT, SHDR(sh_offset), UINT64_MAX - 7, FORMAT},
    {"code of huge size", TEXT, SHDR(sh_size), UINT64_C(1) << 63, FORMAT},
    {"code of the largest size", TEXT, SHDR(sh_size), UINT64_MAX, FORMAT},
    {"code of size 0", TEXT, SHDR(sh_size), 0, JCC_OK},
    {"code without bytes", TEXT, SHDR(sh_type), SHT_NOBITS, JCC_OK},
    {"code with a name out of bounds", TEXT, SHDR(sh_name), 0x7fffffff, FORMAT},
    {"code aligned to 3", TEXT, SHDR(sh_addralign), 3, JCC_OK},
    {"code aligned beyond all", TEXT, SHDR(sh_addralign), UINT64_C(1) << 63, JCC_OK},
    {"compressed code", TEXT, SHDR(sh_flags), SHF_ALLOC | SHF_EXECINSTR | SHF_COMPRESSED_BIT, UNSUPPORTED},
    {"symbols of size 5", SYMBOLS, SHDR(sh_entsize), 5, FORMAT},
    {"symbols of size 0", SYMBOLS, SHDR(sh_entsize), 0, FORMAT},
    {"symbol names out of bounds", SYMBOLS, SHDR(sh_link), 999, FORMAT},
    {"symbol names in themselves", SYMBOLS, SHDR(sh_link), 0, -1},
    {"a symbol table of odd size", SYMBOLS, SHDR(sh_size), 25, FORMAT},
    {"symbols outside", SYMBOLS, SHDR(sh_offset), UINT64_MAX - 23, FORMAT},
    {"compressed symbols", SYMBOLS, SHDR(sh_flags), SHF_COMPRESSED_BIT, FORMAT},
    {"symbol names without an end", SYMBOL_NAMES, SHDR(sh_size), 2, FORMAT},
    {"no symbol names", SYMBOL_NAMES, SHDR(sh_size), 0, -1},
    {"relocations of size 7", RELOCS, SHDR(sh_entsize), 7, JCC_OK}, // only the proof reads them
    {"relocations of nothing", RELOCS, SHDR(sh_info), 0xffff, JCC_OK},
    {"a group of nobody", GROUP, SHDR(sh_info), 0xffffff, JCC_OK},
};

static unsigned char *place_of(struct bytes file, enum field where)
{
    switch (where) {
    case FILE_HEADER: return file.data;
    case SECTION_ZERO: return (unsigned char *)section_headers(file);
    case TEXT: return (unsigned char *)section_called(file, ".text");
    case SYMBOLS: return (unsigned char *)section_called(file, ".symtab");
    case SYMBOL_NAMES: return (unsigned char *)section_called(file, ".strtab");
    case RELOCS: return (unsigned char *)section_called(file, ".rela.text");
    case GROUP: return (unsigned char *)section_called(file, ".group");
    }
    return NULL;
}

static bool is_status_of_proof(enum jcc_status status)
{
    return status == JCC_OK || status == JCC_ERROR_DIFFERENT || status == JCC_ERROR_FORMAT || status == JCC_ERROR_UNSUPPORTED ||
           status == JCC_ERROR_ARGUMENT;
}

// Prove CHANGED, either way round, against the good file it was made of.
static enum jcc_status prove_changed(struct bytes changed, struct bytes against)
{
    jcc_elf *a = open_bytes(against), *b = NULL;
    enum jcc_status status = jcc_elf_open_memory(changed.data, changed.size, &b);
    if (status == JCC_OK) {
        assert_true(is_status_of_proof(jcc_elf_prove(b, a, NULL, accept_open, &b, NULL)));
        status = jcc_elf_prove(a, b, NULL, NULL, NULL, NULL);
        assert_true(is_status_of_proof(status));
    }
    jcc_elf_close(a);
    jcc_elf_close(b);
    return status;
}

static void one_field_changed_gives_a_status(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof changes / sizeof *changes; n++) {
        const struct change *change = &changes[n];
        struct bytes file = copy_of(good);
        memcpy(place_of(file, change->where) + change->offset, &change->value, change->size);
        enum jcc_status status = use(file);
        if (change->status >= 0 && (int)status != change->status)
            fail_msg("%s: %s", change->name, jcc_status_name(status));
        prove_changed(file, good);
        free(file.data);
    }
}

static void a_proof_of_damaged_relocations_and_groups_is_a_format_error(void **state)
{
    (void)state;
    static const struct change bad[] = {
        {"", RELOCS, SHDR(sh_entsize), 7, 0},    {"", RELOCS, SHDR(sh_info), 0xffff, 0}, {"", RELOCS, SHDR(sh_info), 0, 0},
        {"", GROUP, SHDR(sh_info), 0xffffff, 0}, {"", RELOCS, SHDR(sh_link), 1, 0},
    };
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        struct bytes file = copy_of(good);
        memcpy(place_of(file, bad[n].where) + bad[n].offset, &bad[n].value, bad[n].size);
        assert_int_equal(prove_changed(file, good), JCC_ERROR_FORMAT);
        free(file.data);
    }
}

static void counts_may_stand_in_section_header_0(void **state)
{
    (void)state;
    struct bytes file = copy_of(good);
    Elf64_Ehdr *header = file_header(file);
    Elf64_Shdr *zero = section_headers(file);
    zero->sh_size = header->e_shnum, zero->sh_link = header->e_shstrndx;
    header->e_shnum = 0, header->e_shstrndx = SHN_XINDEX;
    assert_int_equal(use(file), JCC_OK);
    jcc_elf *elf = open_bytes(file);
    size_t count;
    assert_string_equal(jcc_elf_code(elf, &count)[0].name, ".text");
    assert_int_equal(count, 2);
    jcc_elf_close(elf);
    free(file.data);
}

static void every_shorter_file_gives_a_status(void **state)
{
    (void)state;
    for (size_t size = 0; size < good.size; size++) {
        // A block of its own, so that a sanitizer sees a read beyond it.
        struct bytes file = {malloc(size + !size), size};
        assert_non_null(file.data);
        memcpy(file.data, good.data, size);
        enum jcc_status status = use(file);
        assert_true(status == JCC_OK || status == FORMAT);
        if (size < sizeof(Elf64_Ehdr))
            assert_int_equal(status, FORMAT);
        free(file.data);
    }
}

// ---- cost

static size_t peak_memory(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return (size_t)usage.ru_maxrss * 1024;
}

// A file of COUNT section headers that all name the whole file, which is of TYPE and FLAGS.
static struct bytes overlapping(size_t count, uint32_t type, uint64_t flags)
{
    struct bytes file = {calloc(1, sizeof(Elf64_Ehdr) + count * sizeof(Elf64_Shdr)), sizeof(Elf64_Ehdr) + count * sizeof(Elf64_Shdr)};
    assert_non_null(file.data);
    *file_header(file) = (Elf64_Ehdr){.e_type = ET_REL,
                                      .e_machine = EM_X86_64,
                                      .e_version = EV_CURRENT,
                                      .e_shoff = sizeof(Elf64_Ehdr),
                                      .e_ehsize = sizeof(Elf64_Ehdr),
                                      .e_shentsize = sizeof(Elf64_Shdr)};
    memcpy(file.data, ELFMAG, SELFMAG);
    file.data[EI_CLASS] = ELFCLASS64, file.data[EI_DATA] = ELFDATA2LSB, file.data[EI_VERSION] = EV_CURRENT;
    section_headers(file)[0].sh_size = count;
    for (size_t n = 1; n < count; n++)
        section_headers(file)[n] = (Elf64_Shdr){.sh_type = type,
                                                .sh_flags = flags,
                                                .sh_size = file.size - file.size % sizeof(Elf64_Rela),
                                                .sh_entsize = sizeof(Elf64_Rela),
                                                .sh_info = 1,
                                                .sh_link = 2};
    return file;
}

static void sections_that_all_name_the_whole_file_cost_no_more_than_one(void **state)
{
    (void)state;
    // 30,000 sections of 1.9 MB each: 58 GB, if anybody read them all.
    const size_t count = 30000;
    size_t before = peak_memory();
    clock_t start = clock();
    struct bytes code = overlapping(count, SHT_PROGBITS, SHF_EXECINSTR), relocs = overlapping(count, SHT_RELA, 0);
    assert_int_equal(use(code), FORMAT);
    assert_int_equal(use(relocs), JCC_OK); // nothing of it is code
    jcc_elf *elf = open_bytes(relocs);
    assert_int_equal(jcc_elf_prove(elf, elf, NULL, NULL, NULL, NULL), FORMAT);
    jcc_elf_close(elf);
    assert_true(peak_memory() - before < 64 * (code.size + relocs.size));
    assert_true((clock() - start) / CLOCKS_PER_SEC < 5);
    free(code.data);
    free(relocs.data);
}

// An object of COUNT symbols whose names are the ends of one name of a million bytes.
static struct bytes endless_names(size_t count)
{
    enum { NAME = 1000000 };
    char source_text[] = "  .rept 3\n  nop\n  .endr\nx: ret\n";
    struct bytes small = assemble("", source_text);
    size_t names = small.size, symbols = names + NAME + 8, size = symbols + (count + 1) * sizeof(Elf64_Sym);
    struct bytes file = {calloc(1, size), size};
    assert_non_null(file.data);
    memcpy(file.data, small.data, small.size);
    memset(file.data + names, 'a', NAME);
    Elf64_Shdr *table = section_called(file, ".symtab"), *strings = &section_headers(file)[table->sh_link];
    strings->sh_offset = names, strings->sh_size = NAME + 1;
    table->sh_offset = symbols, table->sh_size = (count + 1) * sizeof(Elf64_Sym), table->sh_info = 1;
    for (size_t n = 1; n <= count; n++) {
        Elf64_Sym symbol = {.st_name = (uint32_t)n, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = 1};
        memcpy(file.data + symbols + n * sizeof symbol, &symbol, sizeof symbol);
    }
    free(small.data);
    return file;
}

static void names_without_end_cost_no_more_than_the_file(void **state)
{
    (void)state;
    clock_t start = clock();
    struct bytes file = endless_names(50000);
    assert_int_equal(use(file), FORMAT);
    free(file.data);
    file = endless_names(10);
    assert_int_equal(use(file), JCC_OK);
    assert_int_equal(prove_changed(file, file), JCC_OK);
    free(file.data);
    assert_true(clock() - start < 5 * CLOCKS_PER_SEC);
}

// ---- chance

// xorshift64 (Marsaglia, "Xorshift RNGs"): the same numbers in each run.
static uint64_t next_random(uint64_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return *random;
}

static void change_something(struct bytes file, uint64_t *random)
{
    static const uint64_t values[] = {
        0, 1, 0x7f, 0x80, 0xff, 0x7fffffff, 0x80000000, 0xffffffff, UINT64_MAX, UINT64_MAX - 7, UINT64_C(1) << 63};
    uint64_t r = next_random(random);
    size_t size = (size_t)1 << (r >> 8 & 3), at = (size_t)(next_random(random) % (file.size - size));
    uint64_t value = r & 1 ? next_random(random) : values[(r >> 16) % (sizeof values / sizeof *values)];
    // Half of them in the headers, where the most can go wrong.
    if (r & 2) {
        size_t table = (size_t)file_header(good)->e_shoff, length = file_header(good)->e_shnum * sizeof(Elf64_Shdr);
        at = r & 4 ? at % (sizeof(Elf64_Ehdr) - 8) : table + at % (length - 8);
    }
    memcpy(file.data + at, &value, size);
}

static void random_changes_give_a_status_in_time(void **state)
{
    (void)state;
    enum { ROUNDS = 20000, SECONDS = 120 };
    uint64_t random = UINT64_C(0x9e3779b97f4a7c15);
    unsigned opened = 0, same = 0;
    clock_t start = clock();
    for (unsigned n = 0; n < ROUNDS; n++) {
        struct bytes file = copy_of(n & 1 ? good_pad : good);
        for (uint64_t changed = next_random(&random) % 4; changed < 4; changed++)
            change_something(file, &random);
        if (use(file) == JCC_OK) {
            opened++;
            same += prove_changed(file, n & 1 ? good : good_pad) == JCC_OK;
        }
        free(file.data);
    }
    assert_true(opened > ROUNDS / 20);
    assert_true(same < opened);
    assert_true((clock() - start) / CLOCKS_PER_SEC < SECONDS);
    print_message("%u of %u files opened, %u proved the same\n", opened, ROUNDS, same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_field_changed_gives_a_status),
        cmocka_unit_test(a_proof_of_damaged_relocations_and_groups_is_a_format_error),
        cmocka_unit_test(counts_may_stand_in_section_header_0),
        cmocka_unit_test(every_shorter_file_gives_a_status),
        cmocka_unit_test(sections_that_all_name_the_whole_file_cost_no_more_than_one),
        cmocka_unit_test(names_without_end_cost_no_more_than_the_file),
        cmocka_unit_test(random_changes_give_a_status_in_time),
    };
    return cmocka_run_group_tests(tests, make_good, drop_good);
}
