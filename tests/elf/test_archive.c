// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "elf_test.h"
#include <errno.h>

static char folder[256];

static int make_folder(void **state)
{
    (void)state;
    const char *top = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/jccsafe-ar-XXXXXX", top && *top ? top : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

// Run the shell line SCRIPT in the folder.
static void shell(const char *script)
{
    char command[2048];
    snprintf(command, sizeof command, "cd '%s' && %s", folder, script);
    assert_int_equal(system(command), 0);
}

static const char *in_folder(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

struct seen {
    char text[1024];
    unsigned stop_after;
    unsigned count;
};

static bool note(void *context, const char *name, const void *image, size_t size)
{
    struct seen *seen = context;
    size_t used = strlen(seen->text);
    const char *kind = "data";
    jcc_elf *elf;
    if (jcc_archive_is(image, size))
        kind = "archive";
    else if (jcc_elf_open_memory(image, size, &elf) == JCC_OK) {
        kind = "object";
        jcc_elf_close(elf);
    }
    snprintf(seen->text + used, sizeof seen->text - used, "%s=%s;", name, kind);
    return ++seen->count != seen->stop_after;
}

static void assert_walk(const char *name, enum jcc_status status, const char *members)
{
    struct seen seen = {0};
    assert_int_equal(jcc_archive_walk(in_folder(name), note, &seen), status);
    assert_string_equal(seen.text, members);
}

static void members_come_in_order_with_long_names_and_without_symbol_tables(void **state)
{
    (void)state;
    shell("echo 'g: ret' | as -o b.o - && echo '.globl f; f: ret' | as -o a-name-of-more-than-sixteen.o -");
    shell("printf 'hello' > text && rm -f x.a && ar rc x.a b.o a-name-of-more-than-sixteen.o text && ranlib x.a");
    assert_walk("x.a", JCC_OK, "b.o=object;a-name-of-more-than-sixteen.o=object;text=data;");
}

static void thin_archives_name_files_beside_them(void **state)
{
    (void)state;
    shell("mkdir -p sub && cp b.o sub/c.o && rm -f thin.a && ar rcT thin.a b.o sub/c.o a-name-of-more-than-sixteen.o");
    assert_walk("thin.a", JCC_OK, "b.o=object;sub/c.o=object;a-name-of-more-than-sixteen.o=object;");
}

static void a_member_of_an_archive_in_a_thin_archive_is_found_by_its_place(void **state)
{
    (void)state;
    // ar takes the inner archive apart: each of its members becomes one of the thin archive.
    shell("rm -f in.a flat.a && ar rc in.a b.o a-name-of-more-than-sixteen.o && ar rcT flat.a text in.a");
    assert_walk("flat.a", JCC_OK, "text=data;b.o=object;a-name-of-more-than-sixteen.o=object;");
}

static void an_archive_inside_an_archive_is_handed_over_as_it_is(void **state)
{
    (void)state;
    shell("rm -f outer.a && ar rc outer.a in.a b.o");
    assert_walk("outer.a", JCC_OK, "in.a=archive;b.o=object;");
}

static void a_thin_archives_missing_file_is_an_io_error(void **state)
{
    (void)state;
    shell("cp b.o gone.o && rm -f lost.a && ar rcT lost.a b.o gone.o && rm gone.o");
    errno = 0;
    assert_walk("lost.a", JCC_ERROR_IO, "b.o=object;");
    assert_int_equal(errno, ENOENT);
}

static void a_thin_archive_that_names_a_pipe_does_not_hang(void **state)
{
    (void)state;
    shell("cp b.o gone.o && rm -f pipe.a && ar rcT pipe.a gone.o && rm gone.o && mkfifo gone.o");
    assert_walk("pipe.a", JCC_ERROR_IO, "");
}

static void the_caller_may_stop(void **state)
{
    (void)state;
    struct seen seen = {.stop_after = 2};
    assert_int_equal(jcc_archive_walk(in_folder("x.a"), note, &seen), JCC_OK);
    assert_int_equal(seen.count, 2);
}

// An archive whose one member has NAME and SIZE fields as given, and BODY behind them.
static void made_archive(const char *magic, const char *name, const char *size, const char *body)
{
    char text[512];
    int length = snprintf(text, sizeof text, "%s%-16s%-12s%-6s%-6s%-8s%-10s`\n%s", magic, name, "0", "0", "0", "644", size, body);
    write_file(in_folder("made.a"), text, (size_t)length);
}

static void bsd_names_stand_in_front_of_the_body(void **state)
{
    (void)state;
    made_archive("!<arch>\n", "#1/8", "13", "name.o\0\0hello"); // the NULs end the text here: the body is short
    assert_walk("made.a", JCC_ERROR_FORMAT, "");
    made_archive("!<arch>\n", "#1/6", "11", "name.ohello\n");
    assert_walk("made.a", JCC_OK, "name.o=data;");
    made_archive("!<arch>\n", "#1/12", "11", "name.ohello\n");
    assert_walk("made.a", JCC_ERROR_FORMAT, "");
}

static void damaged_archives_are_a_format_error(void **state)
{
    (void)state;
    static const char *const bad[][4] = {
        {"!<arch>\n", "a.o/", "99999999", ""}, {"!<arch>\n", "a.o/", "9999999999", ""}, {"!<arch>\n", "a.o/", "xyz", ""},
        {"!<arch>\n", "a.o/", "", ""},         {"!<arch>\n", "a.o/", "1 2", "x"},       {"!<arch>\n", "a.o/", "-1", "x"},
        {"!<arch>\n", "", "1", "x"},           {"!<arch>\n", "/7", "1", "x"},           {"!<arch>\n", "#1/99", "1", "x"},
        {"!<thin>\n", "/0:5", "1", ""},        {"!<thin>\n", "/0:", "1", ""},
    };
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        made_archive(bad[n][0], bad[n][1], bad[n][2], bad[n][3]);
        assert_walk("made.a", JCC_ERROR_FORMAT, "");
    }
    write_file(in_folder("made.a"), "!<arch>\nshort", 13);
    assert_walk("made.a", JCC_ERROR_FORMAT, "");
    write_file(in_folder("made.a"), "!<arch>\n", 8);
    assert_walk("made.a", JCC_OK, "");
    write_file(in_folder("made.a"), "!<arch>", 7);
    assert_walk("made.a", JCC_ERROR_FORMAT, "");
    write_file(in_folder("made.a"), "", 0);
    assert_walk("made.a", JCC_ERROR_FORMAT, "");
    // The inner place of a thin archive's member leads to no header.
    made_archive("!<thin>\n", "//", "6", "in.a/\n/0:9            0           0     0     644     1         `\n");
    assert_walk("made.a", JCC_ERROR_FORMAT, "");
}

// Every byte of a small thin and a small plain archive changed, in a few ways: a status each time, and an end.
static void no_single_changed_byte_breaks_the_walk(void **state)
{
    (void)state;
    static const char *const names[] = {"flat.a", "outer.a"};
    static const unsigned char values[] = {0, '/', ':', '0', '9', ' ', '\n', 0xff};
    for (size_t k = 0; k < 2; k++) {
        struct bytes archive = read_file(in_folder(names[k]));
        for (size_t n = 0; n < archive.size && n < 600; n++)
            for (size_t v = 0; v < sizeof values; v++) {
                unsigned char was = archive.data[n];
                archive.data[n] = values[v];
                write_file(in_folder("changed.a"), archive.data, archive.size);
                archive.data[n] = was;
                struct seen seen = {0};
                enum jcc_status status = jcc_archive_walk(in_folder("changed.a"), note, &seen);
                assert_true(status == JCC_OK || status == JCC_ERROR_FORMAT || status == JCC_ERROR_IO);
            }
        free(archive.data);
    }
}

static void null_arguments_are_an_argument_error(void **state)
{
    (void)state;
    assert_int_equal(jcc_archive_walk(NULL, note, NULL), JCC_ERROR_ARGUMENT);
    assert_int_equal(jcc_archive_walk("/", NULL, NULL), JCC_ERROR_ARGUMENT);
    assert_false(jcc_archive_is(NULL, 8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_come_in_order_with_long_names_and_without_symbol_tables),
        cmocka_unit_test(thin_archives_name_files_beside_them),
        cmocka_unit_test(a_member_of_an_archive_in_a_thin_archive_is_found_by_its_place),
        cmocka_unit_test(an_archive_inside_an_archive_is_handed_over_as_it_is),
        cmocka_unit_test(a_thin_archives_missing_file_is_an_io_error),
        cmocka_unit_test(a_thin_archive_that_names_a_pipe_does_not_hang),
        cmocka_unit_test(the_caller_may_stop),
        cmocka_unit_test(bsd_names_stand_in_front_of_the_body),
        cmocka_unit_test(damaged_archives_are_a_format_error),
        cmocka_unit_test(no_single_changed_byte_breaks_the_walk),
        cmocka_unit_test(null_arguments_are_an_argument_error),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
