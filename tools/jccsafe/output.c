// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L
#include "output.h"
#include "progress.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Bytes: reports can be hundreds of thousands of lines long.
#define STDOUT_BUFFER (256 * 1024)

static bool color_stdout, color_stderr;
// Why standard output could not be written, where that is known: a later flush succeeds where it finds nothing left to write.
static int stdout_errno;

static bool color_by_default(int fd)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (no_color != NULL && no_color[0] != '\0')
        return false;
    return isatty(fd) && (term == NULL || strcmp(term, "dumb") != 0);
}

// A file opened later must not become standard output or error because the parent had closed it. What is put in its place is open
// the wrong way, so that using it still fails.
static void occupy_standard_descriptors(void)
{
    static const int wrong_way[] = {[STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_RDONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        // The lowest free number is taken, and those below are in use by now.
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", wrong_way[fd]);
    }
}

void output_start(void)
{
    occupy_standard_descriptors();
    // Of ours: the GNU C library looks at the size only where it is given the buffer.
    static char buffer[STDOUT_BUFFER];
    if (!isatty(STDOUT_FILENO))
        setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    // A message goes out in one write: the lines of a parallel build then stay whole.
    setvbuf(stderr, NULL, _IOFBF, BUFSIZ);
    output_color(COLOR_AUTO);
}

void output_color(enum color_when when)
{
    color_stdout = when == COLOR_ALWAYS || (when == COLOR_AUTO && color_by_default(STDOUT_FILENO));
    color_stderr = when == COLOR_ALWAYS || (when == COLOR_AUTO && color_by_default(STDERR_FILENO));
}

static bool colored(FILE *stream)
{
    return stream == stderr ? color_stderr : color_stdout;
}

const char *paint_begin(FILE *stream, enum paint paint)
{
    static const char *const sequences[] = {
        [PAINT_BOLD] = "\033[1m",
        [PAINT_ERROR] = "\033[1;31m",
        [PAINT_WARNING] = "\033[1;35m",
        [PAINT_NOTE] = "\033[1;36m",
    };
    return colored(stream) ? sequences[paint] : "";
}

const char *paint_end(FILE *stream)
{
    return colored(stream) ? "\033[0m" : "";
}

// Bytes at TEXT that a terminal would obey: an ASCII control character, or a C1 control as UTF-8 writes it.
static size_t control_length(const unsigned char *text)
{
    if (text[0] < 0x20 || text[0] == 0x7f)
        return 1;
    return text[0] == 0xc2 && text[1] >= 0x80 && text[1] < 0xa0 ? 2 : 0;
}

void print_escaped(FILE *stream, const char *text)
{
    const unsigned char *at = (const unsigned char *)text, *plain = at;
    while (*at != '\0') {
        size_t control = control_length(at);
        if (control == 0) {
            at++;
            continue;
        }
        fwrite(plain, 1, (size_t)(at - plain), stream);
        for (; control > 0; control--)
            fprintf(stream, "\\x%02x", *at++);
        plain = at;
    }
    fwrite(plain, 1, (size_t)(at - plain), stream);
}

static void remember_errno(bool failed)
{
    if (failed && stdout_errno == 0)
        stdout_errno = errno;
}

// What is on standard output so far belongs before what now goes to standard error.
static void begin_message(void)
{
    progress_clear();
    remember_errno(fflush(stdout) != 0);
}

static void print_formatted(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    char small[512], *text = small;
    int length = vsnprintf(small, sizeof small, format, arguments);
    if (length >= (int)sizeof small && (text = malloc((size_t)length + 1)) != NULL)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    print_escaped(stderr, text != NULL ? text : small);
    if (text != small)
        free(text);
}

void message(const char *file, const char *format, ...)
{
    begin_message();
    fprintf(stderr, "%sjccsafe:%s ", paint_begin(stderr, PAINT_BOLD), paint_end(stderr));
    if (file != NULL) {
        print_escaped(stderr, file);
        fputs(": ", stderr);
    }
    va_list arguments;
    va_start(arguments, format);
    print_formatted(format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    fflush(stderr);
}

void diagnostic(const char *file, uint32_t line, uint32_t column, enum paint severity, const char *text)
{
    static const char *const words[] = {[PAINT_BOLD] = "", [PAINT_ERROR] = "error", [PAINT_WARNING] = "warning", [PAINT_NOTE] = "note"};
    begin_message();
    fputs(paint_begin(stderr, PAINT_BOLD), stderr);
    print_escaped(stderr, file);
    if (line != 0)
        fprintf(stderr, ":%lu", (unsigned long)line);
    if (line != 0 && column != 0)
        fprintf(stderr, ":%lu", (unsigned long)column);
    fprintf(stderr, ":%s %s%s:%s ", paint_end(stderr), paint_begin(stderr, severity), words[severity], paint_end(stderr));
    print_escaped(stderr, text);
    fputc('\n', stderr);
    fflush(stderr);
}

bool output_failed(void)
{
    remember_errno(ferror(stdout) != 0);
    return ferror(stdout) != 0;
}

// Whether standard output is a pipe, or a socket, that nobody reads any more.
static bool reader_left(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO};
    return poll(&output, 1, 0) == 1 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

int output_finish(int status)
{
    progress_clear();
    // An error may show only when the last bytes go out or the file is closed.
    remember_errno(fflush(stdout) != 0);
    // Not fclose: LLVM writes there itself once more when the process ends, and would call what it finds closed a fatal error.
    int fd = dup(STDOUT_FILENO);
    remember_errno(fd < 0 || close(fd) != 0);
    if (!ferror(stdout) && stdout_errno == 0)
        return status;
    // Where a full buffer went out in the middle of a report, errno may have been lost.
    bool quiet = stdout_errno == EPIPE || (stdout_errno == 0 && reader_left());
    if (!quiet)
        fprintf(stderr, "jccsafe: standard output: %s\n", stdout_errno != 0 ? strerror(stdout_errno) : "write error");
    fflush(stderr);
    return EXIT_TROUBLE;
}
