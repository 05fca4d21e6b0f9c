// SPDX-License-Identifier: MIT
/* new_file.c: write files atomically. */
#include "new_file.h"

#include <errno.h>
#include <stdio.h>

#include "platform.h"

/* Make a unique temporary name. The process ID alone is not enough: IDs are reused, in containers soon, and a file that
 * an earlier process left behind must not block the next one. */
static void temporary_name(char name[CLPRIM__TEMPORARY_SIZE])
{
    static unsigned counter;
    (void)snprintf(name, CLPRIM__TEMPORARY_SIZE, ".%ld.%llx.%u.tmp", clprim__process(),
                   (unsigned long long)clprim__date(), __atomic_add_fetch(&counter, 1U, __ATOMIC_RELAXED));
}

int clprim__new_file_begin(char temporary[CLPRIM__TEMPORARY_SIZE], int directory)
{
    temporary_name(temporary);
    return clprim__file_open(directory, temporary, CLPRIM__OPEN_NEW);
}

bool clprim__new_file_end(int fd, int directory, const char *temporary, const char *name, bool is_written)
{
    int reason = is_written ? 0 : errno;
    if (!clprim__file_close_written(fd) && reason == 0)
        reason = errno;
    if (reason == 0 && !clprim__file_rename(directory, temporary, name))
        reason = errno;
    if (reason != 0)
        (void)clprim__file_remove(directory, temporary);
    errno = reason;
    return reason == 0;
}
