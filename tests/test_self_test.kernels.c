/* test_self_test.kernels.c: a directory of kernels, links to the real ones until one is changed. */
#define _XOPEN_SOURCE 700 /* symlink, setenv */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test_self_test.h"

enum { PATH_ROOM = TEST_PATH_SIZE + 300, LARGEST_FILE = 1 << 16 };

static char directory[TEST_PATH_SIZE];
static char cache[PATH_ROOM];

void kernels_set(const char *name, const char *value)
{
    cr_assert_eq(setenv(name, value, 1), 0);
}

const char *kernels_cache(void)
{
    return cache;
}

static void link_to_real(const char *file)
{
    char from[2 * PATH_ROOM];
    char to[2 * PATH_ROOM];
    (void)snprintf(from, sizeof from, "%s/%s", CLPRIM_TEST_KERNEL_DIR, file);
    (void)snprintf(to, sizeof to, "%s/%s", directory, file);
    cr_assert_eq(symlink(from, to), 0, "%s", to);
}

void kernels_add(const char *stem)
{
    char path[PATH_ROOM];
    char file[PATH_ROOM];
    (void)snprintf(path, sizeof path, "%s/%s", directory, stem);
    cr_assert_eq(mkdir(path, 0700), 0);
    (void)snprintf(path, sizeof path, "%s/%s", CLPRIM_TEST_KERNEL_DIR, stem);
    DIR *folder = opendir(path);
    cr_assert_not_null(folder, "%s", path);
    for (const struct dirent *item; (item = readdir(folder)) != NULL;) {
        (void)snprintf(file, sizeof file, "%s/%s", stem, item->d_name);
        if (item->d_name[0] != '.')
            link_to_real(file);
    }
    (void)closedir(folder);
}

void kernels_begin(const char *stem)
{
    test_directory_create(directory);
    (void)snprintf(cache, sizeof cache, "%s/cache", directory);
    kernels_add(stem);
    link_to_real("common");
    kernels_set("CLPRIM_KERNEL_DIR", directory);
    kernels_set("CLPRIM_CACHE_DIR", cache);
    kernels_set("CLPRIM_CACHE", "on");
    kernels_set("CLPRIM_SELF_TEST", "always");
}

void kernels_end(void)
{
    test_directory_remove(directory);
}

void kernels_repair(const char *file)
{
    char path[PATH_ROOM];
    (void)snprintf(path, sizeof path, "%s/%s", directory, file);
    cr_assert_eq(unlink(path), 0);
    link_to_real(file);
}

void kernels_change(const char *file, const char *from, const char *to)
{
    static char text[LARGEST_FILE];
    char path[PATH_ROOM];
    (void)snprintf(path, sizeof path, "%s/%s", directory, file);
    FILE *source = fopen(path, "r");
    cr_assert_not_null(source, "%s", path);
    const size_t size = fread(text, 1, sizeof text - 1, source);
    cr_assert_eq(fclose(source), 0);
    text[size] = '\0';
    const char *at = strstr(text, from);
    cr_assert(at != NULL && strstr(at + 1, from) == NULL, "\"%s\" is not once in %s", from, file);
    cr_assert_eq(unlink(path), 0);
    FILE *changed = fopen(path, "w");
    cr_assert_not_null(changed, "%s", path);
    cr_assert_gt(fprintf(changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)), 0);
    cr_assert_eq(fclose(changed), 0);
}
