/* test_cli.files.c: bad files, pipes, files that numpy wrote, and what is left behind. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test_cli.h"

static const int32_t NUMBERS[] = {5, -3, 9, 0, 9, -3};

enum { COUNT = sizeof NUMBERS / sizeof *NUMBERS };

/* A .npy file with this text for a header, and `size` bytes of data. */
static const char *file_with_header(const char *text, size_t size)
{
    unsigned char bytes[512] = "\x93NUMPY\x01";
    const size_t text_size = strlen(text);
    bytes[8] = (unsigned char)text_size;
    memcpy(bytes + 10, text, text_size);
    return cli_file("bad.npy", bytes, 10 + text_size + size);
}

Test(cli, bad_files_are_refused_in_one_line)
{
    static const struct {
        const char *text;
        size_t size;
        const char *why;
    } rows[] = {
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (6,), }\n", 23, "truncated"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (6,), }\n", 0, "truncated"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (6,), }\n", 25, "follows"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (1000000, 1000000), }\n", 24, "truncated"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }\n", 24, "more elements"},
        {"{'descr': '>i4', 'fortran_order': False, 'shape': (6,), }\n", 24, "big-endian"},
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (3,), }\n", 24, "'<c8'"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (6,), }", 24, "line feed"},
        {"junk\n", 24, "no dict"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *path = file_with_header(rows[i].text, rows[i].size);
        const cli_run run = CLI("sum", path);
        cli_expect_refusal(&run, 2, path, rows[i].why);
    }
}

Test(cli, what_is_no_array_is_refused_in_one_line)
{
    const char *missing = cli_path("missing.npy");
    const char *good = cli_npy("good.npy", CLPRIM_I32, NUMBERS, COUNT);
    const char *odd = cli_file("odd", "1234567", 7);
    const char *magic = cli_file("magic.npy", "NUMPY is not how these begin", 28);
    const char *head = cli_file("head.npy", "\x93NUMPY\x01\x00\xff\x00{'de", 14);
    const char *shorter = cli_file("shorter.npy", "\x93NUMPY\x01", 7);
    const char *huge = cli_file("huge.npy", "\x93NUMPY\x02\x00\xff\xff\xff\xff{'de", 16);
    const char *folder = cli_path(".");
    const struct {
        const char *path, *type, *why;
    } rows[] = {
        {missing, "i32", "No such file"},
        {folder, "i32", "is a directory"},
        {good, "u32", "holds i32, not u32"},
        {odd, "i16", "no multiple of the 2"},
        {odd, NULL, "need --type"},
        {magic, "u8", "does not begin as one"},
        {magic, NULL, "does not begin as one"},
        {head, NULL, "middle of its header"},
        {shorter, NULL, "middle of its header"},
        {huge, NULL, "too long"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const cli_run run =
            rows[i].type != NULL ? CLI("max", "--type", rows[i].type, rows[i].path) : CLI("max", rows[i].path);
        cli_expect_refusal(&run, 2, rows[i].path, rows[i].why);
    }
    const char *name = cli_path("two\nlines"); /* the line stays one */
    const cli_run run = CLI("max", name);
    cr_assert(run.status == 2 && strchr(run.err, '\n')[1] == '\0');
    cr_assert_not_null(strstr(run.err, "two?lines"));
}

Test(cli, pipes_are_refused_when_they_end_early_or_late)
{
    unsigned char bytes[NPY_WRITTEN_SIZE + sizeof NUMBERS + 1] = {0};
    npy_write(bytes, CLPRIM_I32, COUNT);
    memcpy(bytes + NPY_WRITTEN_SIZE, NUMBERS, sizeof NUMBERS);
    cr_assert_str_eq(cli_succeeded(CLI_FED(bytes, sizeof bytes - 1, "sum", "-"), __LINE__).out, "17\n");
    const struct {
        size_t size;
        const char *why;
    } rows[] = {{sizeof bytes, "more than the 6"},
                {sizeof bytes - 2, "truncated"},
                {NPY_WRITTEN_SIZE, "truncated"},
                {NPY_WRITTEN_SIZE - 1, "middle of its header"},
                {8, "middle of its header"},
                {3, "need --type"},
                {0, "need --type"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const cli_run run = CLI_FED(bytes, rows[i].size, "sum", "-");
        cli_expect_refusal(&run, 2, "standard input", rows[i].why);
    }
    const cli_run raw = CLI_FED(NUMBERS, 13, "sum", "--type", "i32", "-");
    cli_expect_refusal(&raw, 2, "standard input", "13 bytes");
    cr_assert_str_eq(cli_succeeded(CLI_FED(NUMBERS, sizeof NUMBERS, "sum", "-t", "i32", "-"), __LINE__).out, "17\n");
    cr_assert_str_eq(CLI_OK("sum", "-t", "i32", "-").out, "0\n");
}

Test(cli, files_that_numpy_wrote_are_read)
{
    static const char *const floats = CLPRIM_TEST_DATA_DIR "/numpy_f32_3x4.npy";
    static const char *const fortran = CLPRIM_TEST_DATA_DIR "/numpy_i64_2x3_fortran.npy";
    static const char *const version2 = CLPRIM_TEST_DATA_DIR "/numpy_u8_version2.npy";
    cr_assert_str_eq(CLI_OK("max", "--index", floats).out, "0.55\t11\n");
    cr_assert_str_eq(CLI_OK("min", floats).out, "-0.55\n");
    cr_assert_str_eq(CLI_OK("sum", fortran).out, "1099511627805\n");
    cr_assert_str_eq(CLI_OK("sort", fortran).out, "-9\n-1\n2\n7\n30\n1099511627776\n");
    cr_assert_str_eq(CLI_OK("unique", "--count", version2).out, "1\t1\n2\t1\n3\t2\n255\t1\n");
    const cli_run runs[] = {CLI("scan", fortran), CLI("top-k", "-k", "1", fortran), CLI("min", "--index", fortran),
                            CLI("sort", "--indices", fortran)};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        cli_expect_refusal(&runs[i], 2, fortran, "Fortran");
}

Test(cli, outputs_that_cannot_be_written_are_refused)
{
    const char *in = cli_npy("in.npy", CLPRIM_I32, NUMBERS, COUNT);
    const char *nowhere = cli_path("no/such/folder.npy");
    const char *folder = cli_path(".");
    const cli_run runs[] = {CLI("sort", in, "-o", nowhere), CLI("sort", in, "-o", folder),
                            CLI("sort", in, "-o", "/dev/full"), CLI("histogram", in, "--svg", nowhere)};
    const char *const names[] = {nowhere, folder, "/dev/full", nowhere};
    const char *const whys[] = {"No such file", "is a directory", "No space left", "No such file"};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        cli_expect_refusal(&runs[i], 2, names[i], whys[i]);
    (void)setenv("TMPDIR", nowhere, 1);
    void *many = cli_elements(CLPRIM_I32, 3000, TEST_SEED);
    const cli_run run = CLI("sort", "--memory", "4096", cli_npy("many.npy", CLPRIM_I32, many, 3000));
    cli_expect_refusal(&run, 2, nowhere, "temporary file");
    free(many);
}

Test(cli, output_replaces_a_file_only_when_it_is_complete)
{
    size_t count = 0;
    const char *path = cli_npy("a.npy", CLPRIM_I32, NUMBERS, COUNT);
    static const int32_t sorted[] = {-3, -3, 0, 5, 9, 9};
    (void)chmod(path, 0640);
    (void)CLI_OK("sort", path, "-o", path);
    struct stat facts;
    cr_assert_eq(stat(path, &facts), 0);
    cr_assert_eq(facts.st_mode & 0777, 0640);
    test_expect_same(sorted, cli_read_npy(path, CLPRIM_I32, &count), sizeof *sorted, COUNT, "in place");
    /* A sum that fails keeps the old one. */
    static const uint64_t large[] = {UINT64_MAX, 1};
    const char *overflow = cli_npy("overflow.npy", CLPRIM_U64, large, 2);
    const cli_run run = CLI("scan", overflow, "-o", path);
    cli_expect_refusal(&run, 1, overflow, "index 1");
    test_expect_same(sorted, cli_read_npy(path, CLPRIM_I32, &count), sizeof *sorted, COUNT, "kept");
    cr_assert_eq(cli_num_files(), 2);
}

/* Wait until the directory has so many files, or a minute. */
static bool wait_for_files(size_t count)
{
    const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
    for (int i = 0; i < 3000 && cli_num_files() != count; i++)
        (void)nanosleep(&pause, NULL);
    return cli_num_files() == count;
}

Test(cli, a_signal_leaves_nothing_behind)
{
    static const int numbers[] = {SIGINT, SIGTERM};
    void *many = cli_elements(CLPRIM_I32, 7500, TEST_SEED);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        int input = -1;
        int status = 0;
        const pid_t child = cli_start(&input, (const char *const[]){"sort", "-t", "i32", "--memory", "4096", "-", "-o",
                                                                    cli_path("out.npy"), NULL});
        cr_assert_eq(write(input, many, 30000), 30000); /* several runs, which wait in a temporary file */
        cr_assert(wait_for_files(1), "there is no output in the making");
        cr_assert_eq(kill(child, numbers[i]), 0);
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == numbers[i]);
        cr_assert_eq(cli_num_files(), 0);
        (void)close(input);
    }
    const cli_run run = CLI_FED(many, 29999, "sort", "-t", "i32", "--memory", "4096", "-", "-o", cli_path("out.npy"));
    cli_expect_refusal(&run, 2, "standard input", "29999 bytes");
    cr_assert_eq(cli_num_files(), 0);
    free(many);
}
