/* test_cli.histogram.c: `clprim histogram`: what it counts, and how it draws that. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "test_cli.h"

enum { MANY = 5003 }; /* elements: some chunks with LITTLE memory */

#define LITTLE "--memory", "4096"

Test(cli, histogram_counts_in_even_bins)
{
    enum { BINS = 10 };
    const char *out = cli_path("out.npy");
    uint64_t expected[BINS] = {0};
    int32_t *in = cli_elements(CLPRIM_I32, MANY, TEST_SEED);
    for (size_t i = 0; i < MANY; i++) {
        in[i] = in[i] % 1000 + 1000; /* 1 to 1999 */
        if (in[i] >= 100 && in[i] < 1500)
            expected[(in[i] - 100) * BINS / 1400]++;
    }
    const char *path = cli_npy("in.npy", CLPRIM_I32, in, MANY);
    (void)CLI_OK("histogram", path, "-o", out, "--bins", "10", "--range", "100,1500", LITTLE);
    cli_expect_npy(out, CLPRIM_U64, expected, BINS, "in a range");
    const cli_run raw = CLI_FED(in, MANY * sizeof *in, "histogram", "-t", "i32", "-", "--json", LITTLE);
    cr_assert(json_is_valid(raw.out), "%s", raw.err);
    cr_assert_str_eq(strstr(raw.out, "\"value_type\""),
                     strstr(CLI_OK("histogram", path, "--json").out, "\"value_type\""));
    double sum = 0;
    for (const char *one = json_first(json_member(raw.out, "values")); one != NULL; one = json_next(one))
        sum += json_number(one, 0);
    cr_assert(sum == MANY); /* the greatest one, too, without a range that is given */
    const cli_run bad = CLI("histogram", path, "--range", "0.5,7");
    cli_expect_refusal(&bad, 2, path, "not integers");
    free(in);
}

/* Elements, options, and all labels: of each bin the first, and the last one's second. */
static const struct {
    clprim_type type;
    double low, high;
    const char *bins, *range;
    const char *labels[6];
    const char *exact[6]; /* in JSON */
} axes[] = {
    {CLPRIM_F64,
     1000000.4,
     1000001.4,
     "2",
     "1000000.4,1000001.4",
     {"1000000.4", "1000000.9", "1000001.4"},
     {"1000000.4", "1000000.9", "1000001.4"}},
    {CLPRIM_F32, 0, 1, "4", "0,1", {"0.00", "0.25", "0.50", "0.75", "1.00"}, {"0", "0.25", "0.5", "0.75", "1"}},
    {CLPRIM_F32, 0, 1, "3", "-1,1", {"-1.000", "-0.333", "0.333", "1.000"}, {"-1"}},
    {CLPRIM_F64, 0, 3e25, "3", NULL, {"0e+00", "1e+25", "2e+25", "3e+25"}, {"0", "1e+25"}},
    {CLPRIM_F64, 0, 4e-12, "2", "0,4e-12", {"0e+00", "2e-12", "4e-12"}, {"0", "2e-12", "4e-12"}},
    {CLPRIM_I64,
     1000000005,
     1000000024,
     "4",
     NULL,
     {"1000000005", "1000000010", "1000000015", "1000000020", "1000000025"},
     {"1000000005", "1000000010", "1000000015", "1000000020", "1000000025"}},
    {CLPRIM_I32, 0, 99, "3", NULL, {"0", "34", "67", "100"}, {"0", "34", "67", "100"}},
    {CLPRIM_I32, 0, 1, "2", "0,1", {"0.0", "0.5", "1.0"}, {"0", "0.5", "1"}},
    {CLPRIM_U64,
     0,
     0x1p63,
     "2",
     "0,18446744073709551616",
     {"0", "9223372036854775808", "18446744073709551616"},
     {"0", "9223372036854775808", "18446744073709551616"}},
    {CLPRIM_I64,
     -0x1p63,
     0,
     "3",
     "-9223372036854775808,9223372036854775808",
     {"-9223372036854775808", "-3074457345618258602", "3074457345618258603", "9223372036854775808"},
     {"-9223372036854775808", "-3074457345618258602", "3074457345618258603", "9223372036854775808"}},
};

enum { NUM_AXES = sizeof axes / sizeof *axes };

static const char *write_ends(size_t row)
{
    const double ends[] = {axes[row].low, axes[row].high};
    const float singles[] = {(float)ends[0], (float)ends[1]};
    const int32_t words[] = {(int32_t)singles[0], (int32_t)singles[1]};
    const int64_t longs[] = {(int64_t)ends[0], axes[row].type == CLPRIM_I64 ? (int64_t)ends[1] : 0};
    const uint64_t ulongs[] = {axes[row].type == CLPRIM_U64 ? (uint64_t)ends[0] : 0,
                               axes[row].type == CLPRIM_U64 ? (uint64_t)ends[1] : 0};
    switch (axes[row].type) {
    case CLPRIM_F64: return cli_npy("ends.npy", CLPRIM_F64, ends, 2);
    case CLPRIM_F32: return cli_npy("ends.npy", CLPRIM_F32, singles, 2);
    case CLPRIM_I32: return cli_npy("ends.npy", CLPRIM_I32, words, 2);
    case CLPRIM_I64: return cli_npy("ends.npy", CLPRIM_I64, longs, 2);
    default: return cli_npy("ends.npy", CLPRIM_U64, ulongs, 2);
    }
}

Test(cli, histogram_labels_all_edges_in_one_way)
{
    const char *svg = cli_path("out.svg");
    for (size_t i = 0; i < NUM_AXES; i++) {
        const char *path = write_ends(i);
        const char *option = axes[i].range != NULL ? "--range" : "--quiet";
        const char *value = axes[i].range != NULL ? axes[i].range : "--quiet";
        const cli_run run = CLI_OK("histogram", path, "--svg", svg, "-n", axes[i].bins, option, value);
        const char *line = run.out;
        size_t size = 0;
        char *picture = cli_read_all(svg, &size);
        for (size_t b = 0; axes[i].labels[b] != NULL; b++) {
            char tick[64];
            char begin[32] = "";
            char end[32] = "";
            (void)snprintf(tick, sizeof tick, ">%s</text>", axes[i].labels[b]);
            cr_assert_not_null(strstr(picture, tick), "%s: %s", tick, picture);
            if (axes[i].labels[b + 1] == NULL)
                break;
            cr_assert_eq(sscanf(line, "%31s %31s", begin, end), 2, "row %zu: %s", i, run.out);
            cr_assert_str_eq(begin, axes[i].labels[b], "row %zu: %s", i, run.out);
            cr_assert_str_eq(end, axes[i].labels[b + 1], "row %zu: %s", i, run.out);
            line = strchr(line, '\n') + 1;
        }
        free(picture);
        const cli_run json = CLI_OK("histogram", path, "--json", "-n", axes[i].bins, option, value);
        cr_assert(json_is_valid(json.out), "%s", json.out);
        const char *edge = json_first(json_member(json.out, "edges"));
        for (size_t b = 0; b < 6 && axes[i].exact[b] != NULL; b++, edge = json_next(edge)) {
            const size_t length = strlen(axes[i].exact[b]);
            cr_assert_eq(strncmp(edge, axes[i].exact[b], length), 0, "row %zu: %s", i, json.out);
            cr_assert_not_null(strchr(",]", edge[length]), "row %zu: %s", i, json.out);
        }
    }
}

/* An edge of integers is a bound: these elements, and no others, are in the bin. */
Test(cli, histogram_edges_of_integers_say_what_is_in_a_bin)
{
    enum { NUMBER = 1000, BINS = 7 };
    int32_t in[NUMBER];
    for (int32_t i = 0; i < NUMBER; i++)
        in[i] = i - 100;
    const cli_run run = CLI_OK("histogram", cli_npy("in.npy", CLPRIM_I32, in, NUMBER), "-n", "7");
    const char *line = run.out;
    for (size_t b = 0; b < BINS; b++, line = strchr(line, '\n') + 1) {
        int low = 0;
        int high = 0;
        int count = 0;
        cr_assert_eq(sscanf(line, "%d %d %d", &low, &high, &count), 3, "%s", line);
        cr_assert_eq(high - low, count, "%s", run.out);
    }
}

/* As numpy does: from the least to the greatest, which is in the last bin. */
Test(cli, histogram_without_a_range_ends_with_the_greatest)
{
    static const float in[] = {1.5F, 2, 3, NAN, 3, INFINITY, 2.5F};
    static const double all[] = {-1, 8e307};
    static const float one[] = {7, 7, -INFINITY};
    cr_assert_str_eq(
        CLI_OK("histogram", cli_npy("in.npy", CLPRIM_F32, in, 7), "-n3", "--text", "-o", "/dev/stdout").out,
        "1\n1\n3\n");
    const cli_run json = CLI_OK("histogram", cli_path("in.npy"), "-n3", "--json", LITTLE);
    cr_assert_not_null(strstr(json.out, "\"edges\": [1.5, 2, 2.5, 3], \"outside\": 2, \"values\": [1, 1, 3]"), "%s",
                       json.out);
    cr_assert_not_null(
        strstr(CLI_OK("histogram", cli_npy("all.npy", CLPRIM_F64, all, 2), "-n2", "--json").out, "\"values\": [1, 1]"));
    cr_assert_not_null(strstr(CLI_OK("histogram", cli_npy("one.npy", CLPRIM_F32, one, 3), "-n1", "--json").out,
                              "\"edges\": [6.5, 7.5], \"outside\": 1, \"values\": [2]"));
}

Test(cli, histogram_draws)
{
    static const float in[] = {0, 0.1F, 0.2F, 1, NAN, INFINITY, -INFINITY};
    const char *path = cli_npy("in.npy", CLPRIM_F32, in, 7);
    const char *svg = cli_path("out.svg");
    const cli_run run = CLI_OK("histogram", path, "-n", "2", "--svg", svg);
    cr_assert_not_null(strstr(run.out, "outside            3\n"), "%s", run.out); /* what is not finite */
    cr_assert_not_null(strstr(run.out, "        0.0         0.5            3  "), "%s", run.out);
    FILE *file = fopen(svg, "r");
    char text[4096] = "";
    cr_assert_not_null(file);
    cr_assert_gt(fread(text, 1, sizeof text - 1, file), 0);
    (void)fclose(file);
    cr_assert_eq(strncmp(text, "<svg xmlns=", 11), 0);
    cr_assert_str_eq(text + strlen(text) - 7, "</svg>\n");
}
