// SPDX-License-Identifier: MIT
/* files_windows.c: of files_posix.c and slots.c what the tests use that run on Windows. ctest alone limits how many of them
 * run at once. */
#include "files.h"

#include "platform.h"

#include <stdio.h>
#include <stdlib.h>

#include "slots.h"
#include "support.h"

void test_setenv(const char *name, const char *value)
{
    cr_assert_eq(_putenv_s(name, value != NULL ? value : ""), 0); /* an empty one is removed */
}

void test_directory_create(char path[TEST_PATH_SIZE])
{
    static unsigned number;
    const char *parent = clprim__environment("TEMP");
    cr_assert_not_null(parent);
    (void)snprintf(path, TEST_PATH_SIZE, "%s\\clprim-test-%ld-%u", parent, clprim__process(), number++);
    cr_assert(clprim__directory_make(path, true), "cannot make the directory %s", path);
}

void test_directory_remove(const char *path)
{
    char command[2 * TEST_PATH_SIZE];
    (void)snprintf(command, sizeof command, "rmdir /s /q \"%s\"", path);
    cr_assert_eq(system(command), 0, "%s", command);
}

void test_take_slot(void)
{
}

bool test_take_huge(const clprim_device_info *info, uint64_t bytes)
{
    (void)info;
    (void)bytes;
    return false;
}
