/* test_cli.c: the tool `clprim`, run as it is by a user: here how it is run, its command line, and its devices. */
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

Test(cli, command_lines_that_make_no_sense_are_refused)
{
    static const struct {
        const char *arguments[8];
        const char *subject, *why;
    } rows[] = {
        {{"sorted", "x"}, "sorted", "unknown command"},
        {{"--sort"}, "--sort", "unknown command"},
        {{"sum"}, "sum", "one file"},
        {{"sum", "x", "y"}, "sum", "one file"},
        {{"devices", "x"}, "devices", "no file"},
        {{"self-test", "x"}, "self-test", "no file"},
        {{"self-test", "--primitive", ""}, "self-test", "--primitive"},
        {{"sum", "--descending", "x"}, "sum", "unknown option"},
        {{"sum", "-Z", "x"}, "sum", "unknown option"},
        {{"sum", "x", "-Zq"}, "sum", "-Z: unknown option"},
        {{"sum", "--quick=3", "x"}, "sum", "--quick: unknown option"},
        {{"unique", "--coun", "x"}, "unique", "--coun: several options"},
        {{"sum", "x", "--json=yes"}, "sum", "--json takes no value"},
        /* The option by its name and what it allows, wherever the file is and however the option is written. */
        {{"sum", "x", "--type"}, "sum", "--type needs a value: one of i8 u8"},
        {{"sum", "-t"}, "sum", "-t needs a value: one of i8 u8"},
        {{"sum", "--type", "f128", "x"}, "sum", "--type f128: the value must be one of i8 u8"},
        {{"sum", "x", "--type", "f128"}, "sum", "--type f128: the value must be one of i8 u8"},
        {{"sum", "x", "-tf128"}, "sum", "-t f128: the value must be one of i8 u8"},
        {{"sum", "x", "--memory", "12"}, "sum", "--memory 12: the value must be a whole number from 4096"},
        {{"sum", "--memory=99999999999T", "x"}, "sum", "--memory 99999999999T: "},
        {{"sum", "x", "--mem=99999999999T"}, "sum", "--memory 99999999999T: "},
        {{"sum", "--memory", "-1", "x"}, "sum", "--memory -1: "},
        {{"sum", "x", "--device", ""}, "sum", "--device : the value must be gpu, cpu"},
        {{"top-k", "x"}, "top-k", "-k"},
        {{"top-k", "x", "-k", "0"}, "top-k", "-k 0: the value must be a whole number from 1"},
        {{"histogram", "x", "--bins", "0"},
         "histogram",
         "--bins 0: the value must be a whole number from 1 to 16777216"},
        {{"histogram", "x", "-n16777217"}, "histogram", "-n 16777217: the value must be"},
        {{"histogram", "x", "--range", "2,1"}, "histogram", "--range 2,1: the value must be two finite numbers"},
        {{"histogram", "--range", "1", "x"}, "histogram", "--range 1: "},
        {{"histogram", "--range", "0,inf", "x"}, "histogram", "--range 0,inf: "},
        {{"histogram", "--svg", "-", "x"}, "histogram", "--svg takes a file's name"},
        {{"sort", "--json", "-o", "-", "x"}, "sort", "standard output"},
        {{"unique", "--counts", "-", "x"}, "unique", "--counts takes a file's name"},
        {{"unique", "x", "--counts", "/tmp/a", "-o", "/tmp/../tmp/a"}, "unique", "--output and --counts are the same"},
        {{"help", "sorted"}, "sorted", "unknown command"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const cli_run run = cli_run_with(NULL, 0, rows[i].arguments);
        cli_expect_refusal(&run, 2, rows[i].subject, rows[i].why);
    }
    const cli_run nothing = cli_run_with(NULL, 0, (const char *const[]){NULL});
    cr_assert_eq(nothing.status, 2);
}

static bool mentions(const char *text, const char *before, const char *word, size_t size)
{
    char wanted[128];
    (void)snprintf(wanted, sizeof wanted, "%s%.*s", before, (int)size, word);
    for (const char *at = text; (at = strstr(at, wanted)) != NULL; at++)
        if (strchr(" ,\n:'\"", at[strlen(wanted)]) != NULL)
            return true;
    return false;
}

Test(cli, man_page_and_completion_have_all_commands_and_options)
{
    size_t size = 0;
    char *page = cli_read_all(CLPRIM_TEST_DATA_DIR "/../../cli/clprim.1", &size);
    char *bash = cli_read_all(CLPRIM_TEST_DATA_DIR "/../../cli/completion/clprim.bash", &size);
    char *zsh = cli_read_all(CLPRIM_TEST_DATA_DIR "/../../cli/completion/_clprim", &size);
    const cli_run commands = CLI_OK("help");
    size_t options = 0;
    for (const char *line = commands.out; (line = strstr(line, "\n  clprim ")) != NULL; line++) {
        char command[32];
        const char *name = line + strlen("\n  clprim ");
        const size_t length = strcspn(name, " ");
        (void)snprintf(command, sizeof command, "%.*s", (int)length, name);
        cr_assert(mentions(page, "\n.It Cm ", command, length) || mentions(page, " , ", command, length), "%s",
                  command);
        cr_assert(mentions(bash, " ", command, length) || mentions(bash, "\"", command, length), "%s", command);
        cr_assert(mentions(zsh, "'", command, length), "%s", command);
        const cli_run help = CLI_OK("help", command);
        for (const char *row = help.out; (row = strchr(row, '\n')) != NULL;) {
            row++; /* "  -o, --output" */
            if (strlen(row) < 9 || strncmp(row + 6, "--", 2) != 0)
                continue;
            cr_assert(mentions(page, "Fl -", row + 8, strcspn(row + 8, " \n")), "%s: %.20s", command, row);
            options++;
        }
    }
    cr_assert_gt(options, 80);
    free(page);
    free(bash);
    free(zsh);
}

Test(cli, options_are_taken_in_every_spelling)
{
    static const int32_t in[] = {5, -3, 9};
    const char *path = cli_file("-x", in, sizeof in);
    const char *const expected = "9\n5\n-3\n";
    cr_assert_str_eq(CLI_OK("sort", "-rt", "i32", path).out, expected);
    cr_assert_str_eq(CLI_OK("sort", path, "-qrti32").out, expected);
    cr_assert_str_eq(CLI_OK("sort", path, "--desc", "--type=i32").out, expected);
    cr_assert_str_eq(CLI_OK("sort", "--descending", "-t", "i32", "--", path).out, expected);
    cr_assert_str_eq(CLI_OK("histogram", "-t", "i32", path, "--range", "-4,-2", "--json", "-n1").out,
                     CLI_OK("histogram", "-t", "i32", path, "--range=-4,-2", "--json", "--bins=1").out);
    cr_assert_eq(chdir(directory), 0);
    cr_assert_str_eq(CLI_OK("sort", "-rti32", "--", "-x").out, expected);
    cr_assert_eq(CLI("sort", "-rti32", "-x").status, 2);
}

Test(cli, verbose_tells_of_the_device_and_its_cache)
{
    static const int32_t in[] = {5, -3, 9};
    const char *path = cli_npy("in.npy", CLPRIM_I32, in, 3);
    const char *cache = cli_path("open");
    cr_assert_str_empty(CLI_OK("sum", path).err);
    cr_assert_eq(mkdir(cache, 0777), 0);
    cr_assert_eq(chmod(cache, 0777), 0);
    cr_assert_eq(setenv("CLPRIM_CACHE_DIR", cache, 1), 0);
    const cli_run quiet = CLI_OK("sum", path);
    const cli_run run = CLI("sum", path, "-v");
    cr_assert_eq(run.status, 0);
    cr_assert_str_eq(run.out, "11\n");
    cr_assert_str_eq(quiet.out, "11\n");
    cr_assert_eq(strncmp(run.err, "clprim: device: ", 16), 0, "%s", run.err);
    cr_assert_not_null(strstr(run.err, clprim_runtime_info(test_runtime(NULL))->name), "%s", run.err);
    const char *line = strstr(run.err, "\nclprim: cache of kernels: ");
    cr_assert_not_null(line, "%s", run.err);
    cr_assert_not_null(strstr(line, cache), "%s", run.err);
    cr_assert_not_null(strstr(CLI("devices", "--verbose").err, cache));
}

Test(cli, help_names_every_option_and_the_version_is_the_headers)
{
    static const char *const commands[] = {"devices", "self-test", "sort",      "sum",    "min",
                                           "max",     "scan",      "histogram", "unique", "top-k"};
    char version[64];
    const cli_run all = CLI_OK("--help");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const cli_run one = CLI_OK(commands[i], "--help");
        cr_assert_not_null(strstr(all.out, commands[i]));
        cr_assert_not_null(strstr(one.out, "--device"), "%s", commands[i]);
        cr_assert_eq(strncmp(one.out, "clprim ", 7), 0);
    }
    cr_assert_not_null(strstr(CLI_OK("top-k", "-h").out, "--smallest"));
    cr_assert_null(strstr(CLI_OK("sum", "-h").out, "--smallest"));
    (void)snprintf(version, sizeof version, "clprim %d.%d.%d\n", CLPRIM_VERSION_MAJOR, CLPRIM_VERSION_MINOR,
                   CLPRIM_VERSION_PATCH);
    cr_assert_str_eq(CLI_OK("--version").out, version);
    cr_assert_str_eq(CLI_OK("help").out, all.out);
    cr_assert_str_eq(CLI_OK("help", "sort").out, CLI_OK("sort", "--help").out);
    cr_assert_str_eq(CLI_OK("sort", "x", "y", "--help").out, CLI_OK("sort", "--help").out);
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
