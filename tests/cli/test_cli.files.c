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
        {"{'descr': '>i4', 'fortran_order': False, 'shape': (6,), }\n", 23, "truncated"},
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
    npy_write(bytes, CLPRIM_I32, false, COUNT);
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
    /* So with a picture: it takes the old one's name, and does not write into it. */
    const char *svg = cli_file("a.svg", "before", 6);
    const char *old = cli_path("old.svg");
    size_t size = 0;
    cr_assert_eq(link(svg, old), 0);
    (void)CLI_OK("histogram", path, "--svg", svg);
    cr_assert_eq(strncmp(cli_read_all(svg, &size), "<svg", 4), 0);
    cr_assert_str_eq(cli_read_all(old, &size), "before");
}

/* A .npy file with a header like numpy's, and these bytes. */
static const char *npy_of(const char *name, const char *descr, const void *elements, size_t count, size_t size)
{
    char text[256];
    unsigned char bytes[4096] = "\x93NUMPY\x01";
    const int text_size =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%zu,), }\n", descr, count);
    bytes[8] = (unsigned char)text_size;
    memcpy(bytes + 10, text, (size_t)text_size);
    memcpy(bytes + 10 + text_size, elements, count * size);
    return cli_file(name, bytes, 10 + (size_t)text_size + count * size);
}

static bool has_header(const char *path, const char *descr)
{
    size_t size = 0;
    char *bytes = cli_read_all(path, &size);
    const bool has = size > NPY_PREFIX_SIZE && strstr(bytes + 10, descr) != NULL;
    free(bytes);
    return has;
}

Test(cli, bools_are_counted_and_stay_bools)
{
    static const uint8_t in[] = {1, 0, 2, 1, 0, 1, 1}; /* what is not 0 is true */
    static const uint8_t sorted[] = {0, 0, 1, 1, 1, 1, 1};
    const char *path = npy_of("in.npy", "|b1", in, sizeof in, 1);
    const char *out = cli_path("out.npy");
    size_t count = 0;
    cr_assert_str_eq(CLI_OK("sum", path).out, "5\n");
    cr_assert_str_eq(CLI_OK("min", path, "--index").out, "0\t1\n");
    cr_assert_str_eq(CLI_OK("max", path).out, "1\n");
    cr_assert_str_eq(CLI_OK("unique", path, "-c").out, "0\t2\n1\t5\n");
    cr_assert_str_eq(CLI_OK("histogram", path, "--text", "-o", "/dev/stdout").out, "2\n5\n");
    (void)CLI_OK("scan", path, "-o", out);
    cr_assert(has_header(out, "'<u8'"));
    (void)CLI_OK("sort", path, "-o", out);
    cr_assert(has_header(out, "'|b1'"));
    test_expect_same(sorted, cli_read_npy(out, CLPRIM_U8, &count), 1, sizeof in, "sorted");
    (void)CLI_OK("unique", path, "-o", out);
    cr_assert(has_header(out, "'|b1'"));
    (void)CLI_OK("sort", path, "-o", out, "--indices");
    cr_assert(has_header(out, "'<u8'"));
    const cli_run piped = CLI_OK("top-k", "-k3", path, "-o", "-");
    (void)cli_file("out.npy", piped.out, piped.out_size);
    cr_assert(has_header(out, "'|b1'"));
    const cli_run json = CLI_OK("sort", path, "--json");
    cr_assert(json_is_valid(json.out) && json_is(json_member(json.out, "type"), "bool"), "%s", json.out);
    const cli_run run = CLI("sum", path, "-t", "i8");
    cli_expect_refusal(&run, 2, path, "holds bool, not i8");
}

Test(cli, big_endian_files_are_read)
{
    enum { MANY = 1201, BYTES = 3 };
    static const uint8_t shorts[] = {0xff, 0xfe, 0x00, 0x01, 0x01, 0x00}; /* -2, 1, 256 */
    const char *path = npy_of("shorts.npy", ">i2", shorts, 3, 2);
    const char *out = cli_path("out.npy");
    cr_assert_str_eq(CLI_OK("sort", path).out, "-2\n1\n256\n");
    cr_assert_str_eq(CLI_OK("sum", path).out, "255\n");
    (void)CLI_OK("sort", path, "-o", out);
    static const int16_t sorted[] = {-2, 1, 256};
    cli_expect_npy(out, CLPRIM_I16, sorted, 3, "little-endian");
    cr_assert(has_header(out, "'<i2'"));
    static const uint8_t doubles[] = {0x3f, 0xf8, 0, 0, 0, 0, 0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0}; /* 1.5, -2 */
    cr_assert_str_eq(CLI_OK("min", npy_of("doubles.npy", ">f8", doubles, 2, 8)).out, "-2\n");
    /* In chunks, twice, from a file and from a pipe: what is read again is swapped again. */
    static uint8_t many[MANY][BYTES + 1];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        const uint32_t value = i * 7919 % 65536;
        many[i][2] = (uint8_t)(value >> 8);
        many[i][3] = (uint8_t)value;
        sum += value;
    }
    static uint8_t file[MANY * 4 + 128];
    const int header =
        snprintf((char *)file + 10, 118, "{'descr': '>u4', 'fortran_order': False, 'shape': (%d,), }\n", MANY);
    memcpy(file, "\x93NUMPY\x01\x00", 8);
    file[8] = (uint8_t)header;
    memcpy(file + 10 + header, many, sizeof many);
    const size_t size = 10 + (size_t)header + sizeof many;
    char text[32];
    (void)snprintf(text, sizeof text, "%llu\n", (unsigned long long)sum);
    path = cli_file("many.npy", file, size);
    cr_assert_str_eq(CLI_OK("sum", path, "--memory", "4096").out, text);
    const cli_run whole = CLI_OK("histogram", path, "-n4");
    cr_assert_str_eq(CLI_OK("histogram", path, "-n4", "--memory", "4096").out, whole.out);
    cr_assert_str_eq(CLI_FED(file, size, "histogram", "-", "-n4", "--memory", "4096").out, whole.out);
    cr_assert_null(strstr(whole.out, "outside"));
}

Test(cli, output_through_a_link_is_written_to_its_target)
{
    static const int32_t sorted[] = {-3, -3, 0, 5, 9, 9};
    const char *in = cli_npy("in.npy", CLPRIM_I32, NUMBERS, COUNT);
    const char *folder = cli_path("folder");
    const char *target = cli_path("folder/target.npy");
    const char *link = cli_path("link.npy");
    const char *second = cli_path("second.npy");
    struct stat facts;
    cr_assert_eq(mkdir(folder, 0700), 0);
    cr_assert_eq(symlink("folder/target.npy", link), 0); /* relative to the link, and to nothing yet */
    cr_assert_eq(symlink(link, second), 0);
    for (int i = 0; i < 2; i++) {
        (void)CLI_OK("sort", in, "-o", second);
        cr_assert(lstat(second, &facts) == 0 && S_ISLNK(facts.st_mode));
        cr_assert(lstat(link, &facts) == 0 && S_ISLNK(facts.st_mode));
        cli_expect_npy(target, CLPRIM_I32, sorted, COUNT, "the target");
        cr_assert(lstat(target, &facts) == 0 && S_ISREG(facts.st_mode));
        cr_assert_eq(truncate(target, 3), 0);
    }
    (void)CLI_OK("histogram", in, "--svg", link);
    cr_assert(lstat(link, &facts) == 0 && S_ISLNK(facts.st_mode));
    cr_assert_eq(cli_num_files(), 4);
    const char *loop = cli_path("loop");
    cr_assert_eq(symlink("loop", loop), 0);
    const cli_run run = CLI("sort", in, "-o", loop);
    cli_expect_refusal(&run, 2, loop, "symbolic links");
}

Test(cli, one_file_cannot_be_two_outputs)
{
    const char *in = cli_npy("in.npy", CLPRIM_I32, NUMBERS, COUNT);
    const char *out = cli_path("out.npy");
    const char *also = cli_path("./out.npy");
    const char *link = cli_path("link");
    cr_assert_eq(symlink("out.npy", link), 0);
    const cli_run runs[] = {
        CLI("unique", in, "-o", out, "--counts", out), CLI("unique", in, "--counts", also, "-o", out),
        CLI("unique", in, "--counts", link, "-o", out), CLI("histogram", in, "-o", out, "--svg", out)};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        cli_expect_refusal(&runs[i], 2, i < 3 ? "unique" : "histogram", "are the same file");
    cr_assert_eq(cli_num_files(), 2);
    (void)CLI_OK("unique", in, "-o", "/dev/null", "--counts", "/dev/null");
    (void)CLI_OK("unique", in, "-o", in, "--counts", out);
}

/* Wait until the directory has so many files, or a minute. */
static bool wait_for_files(size_t count)
{
    const struct timespec pause = {.tv_nsec = 20000000};
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
