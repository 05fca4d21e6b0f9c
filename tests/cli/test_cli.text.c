/* test_cli.text.c: numbers as text, in and out. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "test_cli.h"

enum { MANY = 5003 }; /* elements: some chunks with LITTLE memory, some runs and merges with more */

#define LITTLE "--memory", "4096"

static cli_run fed(const char *text, const char *command, const char *type)
{
    return CLI_FED(text, strlen(text), command, "--text", "-t", type, "-");
}

Test(cli, text_is_read_and_written_by_every_command)
{
    static const char numbers[] = "  3 -1\t7\r\n\n7\v2\f-0\n+5"; /* no line feed ends it */
    const char *path = cli_file("in.txt", numbers, sizeof numbers - 1);
    static const struct {
        const char *arguments[5];
        const char *expected;
    } rows[] = {
        {{"sort"}, "-1\n0\n2\n3\n5\n7\n7\n"},
        {{"sort", "-r", "--indices"}, "2\n3\n6\n0\n4\n5\n1\n"},
        {{"sum"}, "23\n"},
        {{"min"}, "-1\n"},
        {{"max", "--index"}, "7\t2\n"},
        {{"scan"}, "3\n2\n9\n16\n18\n18\n23\n"},
        {{"unique", "-c"}, "-1\t1\n0\t1\n2\t1\n3\t1\n5\t1\n7\t2\n"},
        {{"unique", "-c", "-o", "-"}, "-1\n0\n2\n3\n5\n7\n"},
        {{"top-k", "-k", "2"}, "7\t2\n7\t3\n"},
        {{"histogram", "-n3", "--range=-1,8", "-o", "-"}, "2\n2\n3\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *line[10];
        size_t count = 0;
        for (; count < 5 && rows[i].arguments[count] != NULL; count++)
            line[count] = rows[i].arguments[count];
        line[count] = "--text";
        line[count + 1] = "-ti16";
        line[count + 2] = path;
        line[count + 3] = NULL;
        const cli_run file = cli_succeeded(cli_run_with(NULL, 0, line), __LINE__);
        cr_assert_str_eq(file.out, rows[i].expected, "row %zu", i);
        line[count + 2] = "-";
        const cli_run pipe = cli_succeeded(cli_run_with(numbers, sizeof numbers - 1, line), __LINE__);
        cr_assert_str_eq(pipe.out, rows[i].expected, "row %zu, from a pipe", i);
    }
    cr_assert_str_eq(cli_succeeded(fed("", "sort", "f32"), __LINE__).out, "");
    cr_assert_str_eq(cli_succeeded(fed(" \n ", "sum", "u8"), __LINE__).out, "0\n");
    const cli_run nothing = fed(" \n ", "max", "u8");
    cli_expect_refusal(&nothing, 2, "standard input", "no elements");
}

Test(cli, text_goes_to_files_unless_they_are_npy)
{
    static const int16_t in[] = {3, -1, 7};
    static const int16_t sorted[] = {-1, 3, 7};
    const char *npy = cli_npy("in.npy", CLPRIM_I16, in, 3);
    const char *text = cli_path("out.txt");
    const char *counts = cli_path("counts.txt");
    const char *out = cli_path("out.npy");
    size_t size = 0;
    (void)CLI_OK("sort", npy, "--text", "-o", text);
    cr_assert_str_eq(cli_read_all(text, &size), "-1\n3\n7\n");
    (void)CLI_OK("sort", text, "--text", "-t", "i16", "-o", out);
    cli_expect_npy(out, CLPRIM_I16, sorted, 3, "to .npy");
    (void)CLI_OK("unique", text, "--text", "-t", "i16", "-o", text, "--counts", counts);
    cr_assert_str_eq(cli_read_all(text, &size), "-1\n3\n7\n");
    cr_assert_str_eq(cli_read_all(counts, &size), "1\n1\n1\n");
    const cli_run full = CLI("sort", npy, "--text", "-o", "/dev/full");
    cli_expect_refusal(&full, 2, "/dev/full", "No space left");
    cr_assert_eq(cli_num_files(), 4);
}

Test(cli, text_larger_than_memory_is_sorted)
{
    uint64_t *in = cli_elements(CLPRIM_U64, MANY, TEST_SEED);
    char *text = test_allocate((size_t)MANY * 24);
    size_t size = 0;
    for (size_t i = 0; i < MANY; i++)
        size += (size_t)snprintf(text + size, 24, i % 5 == 0 ? "%" PRIu64 "\n\n" : "%" PRIu64 " ", in[i]);
    const clprim_reference_sort_how how = {.key_type = CLPRIM_U64};
    ASSERT_OK(clprim_reference_sort(in, NULL, &how, MANY));
    const char *path = cli_file("in.txt", text, size); /* more than a block of it */
    const char *out = cli_path("out.npy");
    cr_assert_gt(size, (size_t)1 << 16);
    (void)CLI_OK("sort", "--text", "-tu64", path, "-o", out);
    cli_expect_npy(out, CLPRIM_U64, in, MANY, "at once");
    (void)CLI_OK("sort", "--text", "-tu64", path, "-o", out, LITTLE);
    cli_expect_npy(out, CLPRIM_U64, in, MANY, "in chunks");
    /* Read twice, from a file and from a pipe. */
    const cli_run file = CLI_OK("histogram", "--text", "-tu64", path, LITTLE, "-n", "5", "-o", "-");
    const cli_run pipe = CLI_FED(text, 60000, "histogram", "--text", "-tu64", "-", LITTLE, "--json");
    uint64_t counts[5] = {0};
    uint64_t sum = 0;
    cr_assert_eq(sscanf(file.out, "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64, &counts[0], &counts[1],
                        &counts[2], &counts[3], &counts[4]),
                 5);
    for (size_t i = 0; i < 5; i++)
        sum += counts[i];
    cr_assert_eq(sum, MANY);
    cr_assert(json_is_valid(pipe.out), "%s", pipe.err);
    free(in);
    free(text);
}

/* Each number is read exactly, and written in as few digits as bring it back. Sorted, as all commands are. */
Test(cli, text_brings_every_number_back)
{
    static const struct {
        const char *type, *in, *out;
    } rows[] = {
        {"u64", "18446744073709551615 +0 007", "0\n7\n18446744073709551615\n"},
        {"i64", "9223372036854775807 -9223372036854775808", "-9223372036854775808\n9223372036854775807\n"},
        {"i8", "127 -0 -128", "-128\n0\n127\n"},
        {"f64", "0.1 1e23 5e-324 -0.0 1.7976931348623157e308 123456789.125 4.9406564584124654e-324 2.5e-310",
         "-0\n5e-324\n5e-324\n2.5e-310\n0.1\n123456789.125\n1e+23\n1.7976931348623157e+308\n"},
        {"f64", "nan -nan inf -Infinity 1e-400 .5 5.", "-inf\n0\n0.5\n5\ninf\nnan\n-nan\n"},
        {"f32", "0.1 1e-45 16777217 1e6 3e15 3.4028235e38 0.30000001192092896",
         "1e-45\n0.1\n0.3\n1000000\n16777216\n3e+15\n3.4028235e+38\n"},
        /* The first is above the middle between two halves, by less than a float can tell. */
        {"f16", "1.0004883 1.00048828125 6e-8 65504 0.1", "6e-08\n0.1\n1\n1.001\n65504\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const cli_run run = fed(rows[i].in, "sort", rows[i].type);
        cr_assert_eq(run.status, 0, "%s", run.err);
        cr_assert_str_eq(run.out, rows[i].out, "row %zu", i);
        cr_assert_str_eq(fed(run.out, "sort", rows[i].type).out, rows[i].out, "row %zu, again", i);
    }
    const cli_run total = CLI_FED("nan 1 -nan", 10, "sort", "--text", "-t", "f64", "-", "--nan", "total");
    cr_assert_str_eq(total.out, "-nan\n1\nnan\n");
}

Test(cli, malformed_text_is_refused_with_its_line)
{
    static const struct {
        const char *type, *text, *line, *why;
    } rows[] = {
        {"u8", "1 2\nx3", "2", "'x3' is not a number"},
        {"u8", "1\n\n300\n", "3", "300 is not in the range of u8, 0 to 255"},
        {"u8", "-1", "1", "-1 is not in the range of u8, 0 to 255"},
        {"i8", "128", "1", "128 is not in the range of i8, -128 to 127"},
        {"u64", "18446744073709551616", "1", "range of u64, 0 to 18446744073709551615"},
        {"u64", "118446744073709551615", "1", "range of u64"},
        {"i64", "-9223372036854775809", "1", "range of i64, -9223372036854775808 to 9223372036854775807"},
        {"i32", "1.5", "1", "'1.5' is not an integer"},
        {"i32", "1e3", "1", "'1e3' is not an integer"},
        {"i32", "+-3", "1", "'+-3' is not a number"},
        {"i32", "-", "1", "'-' is not a number"},
        {"i32", "0x10", "1", "'0x10' is not a number"},
        {"i32", "1,2", "1", "'1,2' is not a number"},
        {"f32", "1\n2\n\n1e39 7", "4", "1e39 is too large for f32"},
        {"f16", "65520", "1", "65520 is too large for f16"},
        {"f64", "-1e999", "1", "-1e999 is too large for f64"},
        {"f64", "1,5", "1", "'1,5' is not a number"},
        {"f64", "0x1p3", "1", "'0x1p3' is not a number"},
        {"f64", "nan(3)", "1", "'nan(3)' is not a number"},
        {"f64", "1e", "1", "'1e' is not a number"},
        {"f64", "12345678901234567890123456789012345678901234567890z", "1",
         "'1234567890123456789012345678901234567890'..."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char place[64];
        const cli_run run = fed(rows[i].text, "max", rows[i].type);
        (void)snprintf(place, sizeof place, "standard input:%s", rows[i].line);
        cli_expect_refusal(&run, 2, place, rows[i].why);
    }
    const cli_run zero = CLI_FED("1\n2\0 3", 6, "sum", "--text", "-tu8", "-");
    cli_expect_refusal(&zero, 2, "standard input:2", "'2' is not a number");
    const cli_run untyped = CLI_FED("1\n", 2, "sum", "--text", "-");
    cli_expect_refusal(&untyped, 2, "standard input", "text needs --type");
    /* A number that never ends. */
    char *digits = test_allocate(70000);
    memset(digits, '1', 70000);
    digits[1] = '\n';
    const char *path = cli_file("long.txt", digits, 70000);
    const cli_run run = CLI("sum", "--text", "-tf64", path);
    char place[512];
    (void)snprintf(place, sizeof place, "%s:2", path);
    cli_expect_refusal(&run, 2, place, "more than 65536 characters");
    free(digits);
}
