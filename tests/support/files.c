// SPDX-License-Identifier: MIT
/* files.c: files by their paths. */
#include "files.h"

#include <stdio.h>
#include <stdlib.h>

#include "support.h"

const char *test_path(const char *directory, const char *name)
{
    static char paths[16][2 * TEST_PATH_SIZE];
    static size_t next;
    char *path = paths[next++ % 16];
    const int length = snprintf(path, sizeof *paths, "%s/%s", directory, name);
    cr_assert(length > 0 && (size_t)length < sizeof *paths, "%s", name);
    return path;
}

char *test_read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    cr_assert_eq(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = test_allocate(*size + 1);
    cr_assert_eq(fread(bytes, 1, *size, file), *size);
    bytes[*size] = '\0';
    (void)fclose(file);
    return bytes;
}

void test_write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file, "%s", path);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
}
