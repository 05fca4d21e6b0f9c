// SPDX-License-Identifier: MIT
/* file.c: unnamed temporary files. */
#include "file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "platform.h"
#include "system.h"

/* Letters for the try with this number. Several processes are unlikely to try the same. */
static void choose_letters(char letters[FILE_LETTERS], unsigned number)
{
    uint64_t hash = (uint64_t)clprim__date() ^ (uint64_t)clprim__process() << 40 ^ (uint64_t)number << 32;
    for (size_t i = 0; i < FILE_LETTERS; i++) {
        hash = (hash ^ hash >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
        letters[i] = FILE_ALPHABET[(hash >> 40) % (sizeof FILE_ALPHABET - 1)];
    }
}

int file_make(char *path)
{
    enum { TRIES = 100 };
    char *letters = path + strlen(path) - FILE_LETTERS;
    int fd = -1;
    for (unsigned i = 0; i < TRIES && fd < 0 && (i == 0 || errno == EEXIST); i++) {
        choose_letters(letters, i);
        fd = clprim__file_open(CLPRIM__HERE, path, CLPRIM__OPEN_NEW);
    }
    return fd;
}

cli_result temporary_failed(void)
{
    return cli_refuse(system_temporary_directory(), "temporary file: %s", strerror(errno));
}

cli_result temporary_open(int *fd)
{
    char path[PATH_MAX];
    const int size = snprintf(path, sizeof path, "%s/clprim-XXXXXX", system_temporary_directory());
    if (size < 0 || (size_t)size >= sizeof path) {
        errno = ENAMETOOLONG;
        return temporary_failed();
    }
    const int file = file_make(path);
    if (file < 0)
        return temporary_failed();
    (void)clprim__file_remove(CLPRIM__HERE, path);
    *fd = file;
    return CLI_OK;
}
