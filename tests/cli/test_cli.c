/* test_cli.c: the tool `clprim`, run as it is by a user: here how it is run, and its devices. */
#include "test_cli.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { MOST_ARGUMENTS = 24, NUM_PATHS = 16 };

static char directory[TEST_PATH_SIZE]; /* for files, temporary ones too */

static void begin(void)
{
    test_directory_create(directory);
    (void)setenv("TMPDIR", directory, 1);
    (void)setenv("CLPRIM_CACHE", "on", 1); /* what a test runs again is compiled once */
    (void)setenv("CLPRIM_CACHE_DIR", cli_path(".cache"), 1);
    (void)signal(SIGPIPE, SIG_IGN);
}

static void end(void)
{
    test_directory_remove(directory);
}

TestSuite(cli, .init = begin, .fini = end);

const char *cli_path(const char *name)
{
    static char paths[NUM_PATHS][TEST_PATH_SIZE * 2];
    static size_t next;
    char *path = paths[next++ % NUM_PATHS];
    (void)snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

size_t cli_num_files(void)
{
    size_t count = 0;
    DIR *files = opendir(directory);
    cr_assert_not_null(files);
    for (const struct dirent *file; (file = readdir(files)) != NULL;)
        count += file->d_name[0] != '.' ? 1 : 0;
    (void)closedir(files);
    return count;
}

char *cli_read_all(const char *path, size_t *size)
{
    struct stat facts;
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s is not there", path);
    cr_assert_eq(fstat(fileno(file), &facts), 0);
    char *bytes = test_allocate((size_t)facts.st_size + 1);
    *size = fread(bytes, 1, (size_t)facts.st_size, file);
    cr_assert_eq(*size, (size_t)facts.st_size);
    bytes[*size] = '\0';
    (void)fclose(file);
    return bytes;
}

const char *cli_file(const char *name, const void *bytes, size_t size)
{
    const char *path = cli_path(name);
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
    return path;
}

const char *cli_npy(const char *name, clprim_type type, const void *elements, size_t count)
{
    const size_t size = count * clprim_type_size(type);
    unsigned char *bytes = test_allocate(NPY_WRITTEN_SIZE + size);
    npy_write(bytes, type, false, count);
    if (size > 0)
        memcpy(bytes + NPY_WRITTEN_SIZE, elements, size);
    const char *path = cli_file(name, bytes, NPY_WRITTEN_SIZE + size);
    free(bytes);
    return path;
}

void *cli_read_npy(const char *path, clprim_type type, size_t *count)
{
    char why[128];
    size_t size = 0;
    size_t prefix = 0;
    size_t text = 0;
    npy_header header = {0};
    char *bytes = cli_read_all(path, &size);
    cr_assert(size >= NPY_PREFIX_SIZE && npy_is_magic(bytes, size), "%s is no .npy file", path);
    cr_assert_null(npy_parse_prefix(&prefix, &text, (const unsigned char *)bytes));
    const char *wrong = npy_parse_text(&header, bytes + prefix, text, why);
    cr_assert_null(wrong, "%s: %s", path, wrong);
    cr_assert_eq(header.type, type);
    cr_assert_eq(size, prefix + text + header.count * clprim_type_size(type));
    *count = header.count;
    memmove(bytes, bytes + prefix + text, size - prefix - text);
    return bytes;
}

void cli_expect_npy(const char *path, clprim_type type, const void *expected, size_t count, const char *what)
{
    size_t got_count = 0;
    void *got = cli_read_npy(path, type, &got_count);
    cr_assert_eq(got_count, count, "%s: %zu elements", what, got_count);
    test_expect_same(expected, got, clprim_type_size(type), count, what);
    free(got);
}

void *cli_elements(clprim_type type, size_t count, uint64_t seed)
{
    void *out = test_allocate(count * clprim_type_size(type) + 1);
    test_fill(out, type, CLPRIM_MIN, TEST_RANDOM, count, seed);
    for (size_t i = 7; i < count; i += 7) /* and equal ones, far apart */
        memcpy((char *)out + i * clprim_type_size(type), out, clprim_type_size(type));
    return out;
}

static pid_t spawn(const char *const *arguments, const posix_spawn_file_actions_t *actions)
{
    char *argv[MOST_ARGUMENTS] = {CLPRIM_TEST_CLI};
    pid_t child = 0;
    size_t count = 1;
    for (; arguments[count - 1] != NULL; count++)
        argv[count] = (char *)(uintptr_t)arguments[count - 1];
    cr_assert_lt(count, MOST_ARGUMENTS);
    cr_assert_eq(posix_spawn(&child, CLPRIM_TEST_CLI, actions, NULL, argv, environ), 0, "cannot run the tool");
    return child;
}

cli_run cli_run_with(const void *input, size_t size, const char *const *arguments)
{
    char out[TEST_PATH_SIZE * 2];
    char err[TEST_PATH_SIZE * 2];
    int ends[2];
    int status = 0;
    cli_run run = {0};
    posix_spawn_file_actions_t actions;
    (void)snprintf(out, sizeof out, "%s/.out", directory);
    (void)snprintf(err, sizeof err, "%s/.err", directory);
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0); /* what does not fit fails here, and does not wait */
    if (size > 0)
        cr_assert_eq(write(ends[1], input, size), (ssize_t)size);
    (void)close(ends[1]);
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    (void)posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    (void)posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const pid_t child = spawn(arguments, &actions);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(ends[0]);
    cr_assert_eq(waitpid(child, &status, 0), child);
    run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    run.out = cli_read_all(out, &run.out_size);
    run.err = cli_read_all(err, &size);
    return run;
}

pid_t cli_start(int *input, const char *const *arguments)
{
    int ends[2];
    posix_spawn_file_actions_t actions;
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(fcntl(ends[1], F_SETFD, FD_CLOEXEC), 0);
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    const pid_t child = spawn(arguments, &actions);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(ends[0]);
    *input = ends[1];
    return child;
}

cli_run cli_succeeded(cli_run run, int line)
{
    cr_assert_eq(run.status, 0, "line %d: exit status %d: %s", line, run.status, run.err);
    cr_assert_str_empty(run.err, "line %d", line);
    return run;
}

void cli_expect_refusal(const cli_run *run, int status, const char *subject, const char *why)
{
    char begin_of_line[TEST_PATH_SIZE * 3];
    const char *line_end = strchr(run->err, '\n');
    (void)snprintf(begin_of_line, sizeof begin_of_line, "clprim: %s: ", subject);
    cr_assert_eq(run->status, status, "%s (%s): exit status %d: %s", subject, why, run->status, run->err);
    cr_assert(line_end != NULL && line_end[1] == '\0', "%s (%s): not one line: %s", subject, why, run->err);
    cr_assert_eq(strncmp(run->err, begin_of_line, strlen(begin_of_line)), 0, "%s: %s", begin_of_line, run->err);
    cr_assert_not_null(strstr(run->err, why), "%s: %s: %s", subject, why, run->err);
    cr_assert_eq(run->out_size, 0, "%s: %s", subject, run->out);
}

Test(cli, devices_lists_them_and_marks_the_chosen_one)
{
    size_t chosen = 0;
    size_t count = 0;
    const cli_run run = CLI_OK("devices", "--json");
    cr_assert(json_is_valid(run.out), "%s", run.out);
    ASSERT_OK(clprim_runtime_devices(NULL, 0, &count));
    for (const char *one = json_first(json_member(run.out, "devices")); one != NULL; one = json_next(one)) {
        chosen += strncmp(json_member(one, "chosen"), "true", 4) == 0 ? 1 : 0;
        count--;
    }
    cr_assert_eq(chosen, 1);
    cr_assert_eq(count, 0);
    cr_assert_not_null(strstr(CLI_OK("devices").out, "-> "));
}

Test(cli, self_test_lists_plans_and_fails_where_one_is_wrong, .timeout = 600)
{
    const cli_run run = CLI_OK("self-test", "--json", "--quick", "--primitive", "is_sorted");
    size_t right = 0;
    cr_assert(json_is_valid(run.out), "%s", run.out);
    for (const char *one = json_first(json_member(run.out, "plans")); one != NULL; one = json_next(one)) {
        right += strncmp(json_member(one, "outcome"), "\"right\"", 7) == 0 ? 1 : 0;
        cr_assert_eq(strncmp(json_member(one, "primitive"), "\"is_sorted\"", 11), 0);
    }
    cr_assert_gt(right, 0);
    cr_assert_not_null(
        strstr(CLI_OK("self-test", "--quick", "--primitive", "is_sorted").out, "right        is_sorted"));
    const cli_run unknown = CLI("self-test", "--primitive", "sorting");
    cli_expect_refusal(&unknown, 2, "self-test", "no primitive sorting");
    cr_assert_eq(setenv("CLPRIM_KERNEL_DIR", "/nowhere", 1), 0);
    const cli_run broken = CLI("self-test", "--quick", "--primitive", "is_sorted");
    cr_assert_eq(unsetenv("CLPRIM_KERNEL_DIR"), 0);
    cr_assert_eq(broken.status, 1);
}

Test(cli, a_device_that_is_not_there_is_a_failure_of_the_device)
{
    const cli_run run = CLI("devices", "--device", "no such device");
    cli_expect_refusal(&run, 1, "device", "no such device");
    const int32_t one = 1;
    const cli_run sum = CLI("sum", "--device", "no such device", cli_npy("a.npy", CLPRIM_I32, &one, 1));
    cli_expect_refusal(&sum, 1, "device", "no such device");
}
