// SPDX-License-Identifier: MIT
/* files_posix.c: directories, environment variables, and processes. */
#include "files.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

void test_setenv(const char *name, const char *value)
{
    cr_assert_eq(value != NULL ? setenv(name, value, 1) : unsetenv(name), 0);
}

glob_t test_list(const char *directory, const char *ending)
{
    glob_t files = {.gl_pathc = 0};
    char pattern[64];
    for (int hidden = 0; hidden < 2; hidden++) {
        (void)snprintf(pattern, sizeof pattern, "%s*%s", hidden ? ".[!.]" : "", ending);
        const int code = glob(test_path(directory, pattern), hidden ? GLOB_APPEND : 0, NULL, &files);
        cr_assert(code == 0 || code == GLOB_NOMATCH, "%s in %s", pattern, directory);
    }
    return files;
}

size_t test_count_files(const char *directory, const char *ending)
{
    glob_t files = test_list(directory, ending);
    const size_t count = files.gl_pathc;
    globfree(&files);
    return count;
}

void test_processes(size_t count, int (*body)(uint64_t first, size_t rounds), size_t rounds)
{
    pid_t *processes = test_allocate(count * sizeof *processes);
    for (size_t i = 0; i < count; i++) {
        processes[i] = fork();
        cr_assert_geq(processes[i], 0);
        if (processes[i] == 0)
            _exit(body(i * rounds, rounds));
    }
    for (size_t i = 0; i < count; i++) {
        int status = -1;
        cr_assert_eq(waitpid(processes[i], &status, 0), processes[i]);
        cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "process %zu ends with %d", i, status);
    }
    free(processes);
}

void test_directory_create(char path[TEST_PATH_SIZE])
{
    const char *parent = getenv("TMPDIR");
    (void)snprintf(path, TEST_PATH_SIZE, "%s/clprim-test-XXXXXX", parent != NULL ? parent : "/tmp");
    cr_assert_not_null(mkdtemp(path), "cannot make the directory %s", path);
}

static void run_command(const char *format, const char *a, const char *b)
{
    char command[3 * TEST_PATH_SIZE];
    (void)snprintf(command, sizeof command, format, a, b);
    cr_assert_eq(system(command), 0, "%s", command);
}

void test_directory_remove(const char *path)
{
    run_command("rm -rf '%s'", path, NULL);
}

void test_kernels_copy(const char *directory)
{
    run_command("cp -R '%s'/. '%s'", CLPRIM_TEST_KERNEL_DIR, directory);
    run_command("chmod -R u+w '%s'", directory, NULL);
}

void test_kernels_change(const char *directory, const test_mistake *mistake)
{
    size_t size = 0;
    const char *path = test_path(directory, mistake->file);
    char *source = test_read_file(path, &size);
    const char *place = strstr(source, mistake->from);
    cr_assert(place != NULL && strstr(place + 1, mistake->from) == NULL, "\"%s\" is not once in %s", mistake->from,
              mistake->file);
    FILE *file = fopen(path, "w");
    cr_assert(file != NULL &&
                  fprintf(file, "%.*s%s%s", (int)(place - source), source, mistake->to, place + strlen(mistake->from)) >
                      0 &&
                  fclose(file) == 0,
              "%s", path);
    free(source);
}

void test_kernels_with(char directory[TEST_PATH_SIZE], const test_mistake *mistakes, size_t count)
{
    test_directory_create(directory);
    test_kernels_copy(directory);
    for (size_t i = 0; i < count; i++)
        test_kernels_change(directory, &mistakes[i]);
    test_setenv("CLPRIM_KERNEL_DIR", directory);
}

void test_kernels_end(const char *directory)
{
    test_setenv("CLPRIM_KERNEL_DIR", NULL);
    test_directory_remove(directory);
}
