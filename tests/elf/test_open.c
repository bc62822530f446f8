// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "elf_test.h"
#include <errno.h>
#include <sys/stat.h>

static const char two_functions[] = "  .text\n"
                                    "  .globl first\n"
                                    "  .type first, @function\n"
                                    "first: nop\n"
                                    "  nop\n"
                                    "  ret\n"
                                    "  .section .text.other, \"ax\", @progbits\n"
                                    "  .p2align 5\n"
                                    "  nop\n"
                                    "local: jmp local\n"
                                    "  .type last, @function\n"
                                    "last: .globl also\n"
                                    "also: ret\n";

static void open_memory_gives_the_code_sections_in_order(void **state)
{
    (void)state;
    struct bytes object = assemble("", two_functions);
    jcc_elf *elf = open_bytes(object);
    size_t count;
    const struct jcc_elf_code *code = jcc_elf_code(elf, &count);
    assert_int_equal(count, 2);
    assert_string_equal(code[0].name, ".text");
    assert_int_equal(code[0].size, 3);
    assert_int_equal(code[0].bytes[2], 0xc3);
    assert_int_equal(code[0].index, section_index(object, ".text"));
    assert_string_equal(code[1].name, ".text.other");
    assert_int_equal(code[1].size, 4);
    assert_int_equal(code[1].alignment, 32);
    assert_true(jcc_elf_is_object(elf));
    assert_int_equal(jcc_elf_mode(elf), JCC_MODE_64);
    jcc_elf_close(elf);
    free(object.data);
}

static void open_path_gives_the_same_as_open_memory(void **state)
{
    (void)state;
    char path[256];
    struct bytes object = assemble("", two_functions);
    scratch_path(path, sizeof path);
    write_file(path, object.data, object.size);
    jcc_elf *elf = NULL;
    assert_int_equal(jcc_elf_open(path, &elf), JCC_OK);
    unlink(path);
    size_t count;
    const struct jcc_elf_code *code = jcc_elf_code(elf, &count);
    assert_int_equal(count, 2);
    assert_memory_equal(code[1].bytes, section_data(object, ".text.other"), 4);
    jcc_elf_close(elf);
    free(object.data);
}

static void locate_names_the_nearest_label_before_and_prefers_functions(void **state)
{
    (void)state;
    struct bytes object = assemble("", two_functions);
    jcc_elf *elf = open_bytes(object);
    struct jcc_elf_place place = jcc_elf_locate(elf, 0, 2);
    assert_string_equal(place.symbol, "first");
    assert_int_equal(place.offset, 2);
    place = jcc_elf_locate(elf, 1, 0);
    assert_null(place.symbol);
    assert_int_equal(place.offset, 0);
    place = jcc_elf_locate(elf, 1, 2);
    assert_string_equal(place.symbol, "local");
    assert_int_equal(place.offset, 1);
    place = jcc_elf_locate(elf, 1, 3); // a global label there too
    assert_string_equal(place.symbol, "last");
    place = jcc_elf_locate(elf, 7, 5); // no such code run
    assert_null(place.symbol);
    jcc_elf_close(elf);
    free(object.data);
}

static void locate_knows_the_bounds_of_a_run(void **state)
{
    (void)state;
    struct bytes object = assemble("", two_functions);
    jcc_elf *elf = open_bytes(object);
    size_t count;
    const struct jcc_elf_code *code = jcc_elf_code(elf, &count);
    assert_int_equal(count, 2);
    assert_ptr_equal(jcc_elf_code(elf, NULL), code);
    assert_non_null(jcc_elf_locate(elf, 0, code[0].size).symbol); // the end is a place in it
    const uint64_t outside[] = {code[0].size + 1, UINT64_MAX, (uint64_t)1 << 63};
    for (size_t k = 0; k < sizeof outside / sizeof *outside; k++) {
        struct jcc_elf_place place = jcc_elf_locate(elf, 0, outside[k]);
        assert_null(place.symbol);
        assert_int_equal(place.offset, outside[k]);
    }
    const size_t none[] = {2, SIZE_MAX, SIZE_MAX / 2};
    for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
        assert_null(jcc_elf_locate(elf, none[k], 1).symbol);
        assert_int_equal(jcc_elf_locate(elf, none[k], 1).offset, 1);
    }
    assert_null(jcc_elf_locate(NULL, 0, 3).symbol);
    assert_int_equal(jcc_elf_locate(NULL, 0, 3).offset, 3);
    jcc_elf_close(elf);
    free(object.data);
}

static void i386_is_32_bit_code_and_x32_is_64_bit_code(void **state)
{
    (void)state;
    struct bytes i386 = assemble("--32", "f: jmp f\n"), x32 = assemble("--x32", "f: jmp f\n");
    jcc_elf *elf = open_bytes(i386);
    assert_int_equal(jcc_elf_mode(elf), JCC_MODE_32);
    assert_string_equal(jcc_elf_locate(elf, 0, 1).symbol, "f");
    jcc_elf_close(elf);
    elf = open_bytes(x32);
    assert_int_equal(jcc_elf_mode(elf), JCC_MODE_64);
    assert_string_equal(jcc_elf_locate(elf, 0, 1).symbol, "f");
    jcc_elf_close(elf);
    free(i386.data);
    free(x32.data);
}

// An executable of one segment and no section headers.
static struct bytes segment_only(uint32_t flags)
{
    struct bytes file = {calloc(1, 0x1000), 0x1000};
    assert_non_null(file.data);
    Elf64_Ehdr *header = file_header(file);
    memcpy(header->e_ident, ELFMAG, SELFMAG);
    header->e_ident[EI_CLASS] = ELFCLASS64, header->e_ident[EI_DATA] = ELFDATA2LSB, header->e_ident[EI_VERSION] = EV_CURRENT;
    header->e_type = ET_EXEC, header->e_machine = EM_X86_64, header->e_version = EV_CURRENT;
    header->e_phoff = sizeof *header, header->e_phnum = 2, header->e_phentsize = sizeof(Elf64_Phdr);
    header->e_ehsize = sizeof *header;
    Elf64_Phdr *segment = (Elf64_Phdr *)(void *)(file.data + header->e_phoff);
    segment[0] = (Elf64_Phdr){.p_type = PT_NOTE, .p_flags = PF_X, .p_offset = 0x100, .p_filesz = 16};
    segment[1] = (Elf64_Phdr){
        .p_type = PT_LOAD, .p_flags = flags, .p_offset = 0x800, .p_vaddr = 0x400800, .p_filesz = 0x40, .p_memsz = 0x40, .p_align = 0x1000};
    file.data[0x800] = 0xc3;
    return file;
}

static void without_section_headers_executable_segments_are_the_code(void **state)
{
    (void)state;
    struct bytes file = segment_only(PF_R | PF_X);
    jcc_elf *elf = open_bytes(file);
    size_t count;
    const struct jcc_elf_code *code = jcc_elf_code(elf, &count);
    assert_int_equal(count, 1);
    assert_string_equal(code[0].name, "segment 1");
    assert_int_equal(code[0].address, 0x400800);
    assert_int_equal(code[0].size, 0x40);
    assert_int_equal(code[0].bytes[0], 0xc3);
    assert_false(jcc_elf_is_object(elf));
    assert_null(jcc_elf_locate(elf, 0, 0x400810).symbol);
    assert_int_equal(jcc_elf_locate(elf, 0, 0x400810).offset, 0x10);
    assert_int_equal(jcc_elf_locate(elf, 0, 0x4007ff).offset, 0x4007ff); // below the run
    jcc_elf_close(elf);
    free(file.data);

    file = segment_only(PF_R | PF_W);
    elf = open_bytes(file);
    jcc_elf_code(elf, &count);
    assert_int_equal(count, 0);
    jcc_elf_close(elf);
    free(file.data);
}

static void segments_outside_the_file_are_a_format_error(void **state)
{
    (void)state;
    static const Elf64_Phdr bad[] = {
        {.p_type = PT_LOAD, .p_flags = PF_X, .p_offset = 0xff0, .p_filesz = 0x11},
        {.p_type = PT_LOAD, .p_flags = PF_X, .p_offset = UINT64_MAX - 7, .p_filesz = 16},
        {.p_type = PT_LOAD, .p_flags = PF_X, .p_offset = 0, .p_filesz = UINT64_MAX},
    };
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        struct bytes file = segment_only(PF_X);
        ((Elf64_Phdr *)(void *)(file.data + sizeof(Elf64_Ehdr)))[1] = bad[n];
        jcc_elf *elf = (jcc_elf *)(void *)file.data;
        assert_int_equal(jcc_elf_open_memory(file.data, file.size, &elf), JCC_ERROR_FORMAT);
        assert_null(elf);
        free(file.data);
    }
}

static void the_running_program_opens_and_has_code(void **state)
{
    (void)state;
    jcc_elf *elf = NULL;
    assert_int_equal(jcc_elf_open("/proc/self/exe", &elf), JCC_OK);
    size_t count, text = 0;
    const struct jcc_elf_code *code = jcc_elf_code(elf, &count);
    while (text < count && strcmp(code[text].name, ".text") != 0)
        text++;
    assert_true(text < count);
    assert_true(code[text].address != 0);
    assert_false(jcc_elf_is_object(elf));
    jcc_elf_close(elf);
}

static void what_cannot_be_read_is_an_io_error_with_errno(void **state)
{
    (void)state;
    jcc_elf *elf = (jcc_elf *)(void *)state;
    errno = 0;
    assert_int_equal(jcc_elf_open("/no/such/file", &elf), JCC_ERROR_IO);
    assert_int_equal(errno, ENOENT);
    assert_null(elf);
    assert_int_equal(jcc_elf_open("/", &elf), JCC_ERROR_IO);
    assert_int_equal(errno, EISDIR);
    assert_int_equal(jcc_elf_open("/dev/zero", &elf), JCC_ERROR_IO);
}

static void a_pipe_is_read_to_its_end_and_one_without_a_writer_does_not_hang(void **state)
{
    (void)state;
    char path[256], fd_path[64];
    jcc_elf *elf = NULL;
    scratch_path(path, sizeof path);
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(jcc_elf_open(path, &elf), JCC_ERROR_FORMAT);
    unlink(path);

    struct bytes object = assemble("", two_functions);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], object.data, object.size), object.size);
    close(ends[1]);
    snprintf(fd_path, sizeof fd_path, "/proc/self/fd/%d", ends[0]);
    assert_int_equal(jcc_elf_open(fd_path, &elf), JCC_OK);
    size_t count;
    jcc_elf_code(elf, &count);
    assert_int_equal(count, 2);
    jcc_elf_close(elf);
    close(ends[0]);
    free(object.data);
}

static void null_arguments_are_an_argument_error(void **state)
{
    (void)state;
    jcc_elf *elf;
    size_t count = 5;
    assert_int_equal(jcc_elf_open(NULL, &elf), JCC_ERROR_ARGUMENT);
    assert_int_equal(jcc_elf_open("/", NULL), JCC_ERROR_ARGUMENT);
    assert_int_equal(jcc_elf_open_memory(NULL, 1, &elf), JCC_ERROR_ARGUMENT);
    assert_int_equal(jcc_elf_open_memory("", 0, NULL), JCC_ERROR_ARGUMENT);
    assert_null(jcc_elf_code(NULL, &count));
    assert_int_equal(count, 0);
    assert_false(jcc_elf_is_object(NULL));
    jcc_elf_close(NULL);
}

static void the_library_version_is_a_number(void **state)
{
    (void)state;
    assert_memory_equal(jcc_elf_library_version(), "0.", 2);
    assert_true(atoi(jcc_elf_library_version() + 2) > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_memory_gives_the_code_sections_in_order),
        cmocka_unit_test(open_path_gives_the_same_as_open_memory),
        cmocka_unit_test(locate_names_the_nearest_label_before_and_prefers_functions),
        cmocka_unit_test(locate_knows_the_bounds_of_a_run),
        cmocka_unit_test(i386_is_32_bit_code_and_x32_is_64_bit_code),
        cmocka_unit_test(without_section_headers_executable_segments_are_the_code),
        cmocka_unit_test(segments_outside_the_file_are_a_format_error),
        cmocka_unit_test(the_running_program_opens_and_has_code),
        cmocka_unit_test(what_cannot_be_read_is_an_io_error_with_errno),
        cmocka_unit_test(a_pipe_is_read_to_its_end_and_one_without_a_writer_does_not_hang),
        cmocka_unit_test(null_arguments_are_an_argument_error),
        cmocka_unit_test(the_library_version_is_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
