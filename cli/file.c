/* file.c: complete reads and writes, and unnamed temporary files. */
#include "file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_AT_ONCE = 1 << 30 }; /* bytes that one system call can surely transfer */

bool file_read(int fd, void *out, size_t size, off_t at, size_t *got)
{
    for (*got = 0; *got < size;) {
        const size_t rest = size - *got < MOST_AT_ONCE ? size - *got : MOST_AT_ONCE;
        char *to = (char *)out + *got;
        const ssize_t n = at < 0 ? read(fd, to, rest) : pread(fd, to, rest, at + (off_t)*got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0;
        *got += (size_t)n;
    }
    return true;
}

bool file_write(int fd, const void *in, size_t size, off_t at)
{
    for (size_t put = 0; put < size;) {
        const size_t rest = size - put < MOST_AT_ONCE ? size - put : MOST_AT_ONCE;
        const char *from = (const char *)in + put;
        const ssize_t n = at < 0 ? write(fd, from, rest) : pwrite(fd, from, rest, at + (off_t)put);
        if (n < 0 && errno != EINTR)
            return false;
        put += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static const char *temporary_directory(void)
{
    const char *directory = getenv("TMPDIR");
    return directory != NULL && directory[0] != '\0' ? directory : "/tmp";
}

cli_result temporary_failed(void)
{
    return cli_refuse(temporary_directory(), "temporary file: %s", strerror(errno));
}

cli_result temporary_open(int *fd)
{
    char path[PATH_MAX];
    const int size = snprintf(path, sizeof path, "%s/clprim-XXXXXX", temporary_directory());
    if (size < 0 || (size_t)size >= sizeof path) {
        errno = ENAMETOOLONG;
        return temporary_failed();
    }
    const int file = mkstemp(path);
    if (file < 0)
        return temporary_failed();
    (void)unlink(path);
    *fd = file;
    return CLI_OK;
}
