/* new_file.c: write files atomically. */
#include "new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Make a unique temporary name. The process ID alone is not enough: IDs are reused, in containers soon, and a file that
 * an earlier process left behind must not block the next one. */
static void temporary_name(char name[CLPRIM__TEMPORARY_SIZE])
{
    static unsigned counter;
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    (void)snprintf(name, CLPRIM__TEMPORARY_SIZE, ".%ld.%llx.%lx.%u.tmp", (long)getpid(), (unsigned long long)now.tv_sec,
                   (unsigned long)now.tv_nsec, __atomic_add_fetch(&counter, 1U, __ATOMIC_RELAXED));
}

int clprim__new_file_begin(char temporary[CLPRIM__TEMPORARY_SIZE], int directory)
{
    temporary_name(temporary);
    return openat(directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

bool clprim__write_all(int fd, const void *bytes, size_t size)
{
    const char *p = bytes;
    while (size > 0) {
        const ssize_t n = write(fd, p, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

bool clprim__new_file_end(int fd, int directory, const char *temporary, const char *name, bool is_written)
{
    int reason = is_written ? 0 : errno;
    if (close(fd) != 0 && reason == 0)
        reason = errno;
    if (reason == 0 && renameat(directory, temporary, directory, name) != 0)
        reason = errno;
    if (reason != 0)
        (void)unlinkat(directory, temporary, 0);
    errno = reason;
    return reason == 0;
}
