/* test_cli.arrays.c: what the commands compute, whole and in chunks, from files and pipes. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "test_cli.h"

enum { MANY = 5003 }; /* elements: some chunks with LITTLE memory, some runs and merges with more */

#define LITTLE "--memory", "4096"

/* The two orders of floats. */
static const struct {
    clprim_nan_order nan;
    const char *name;
} ORDERS[] = {{CLPRIM_NAN_LAST, "last"}, {CLPRIM_NAN_TOTAL, "total"}};

/* In one of clPRIM's orders, by the library's own serial sort. */
static void *sorted_with(clprim_nan_order nan, clprim_type type, bool descending, const void *in, uint64_t *indices,
                         size_t count)
{
    const size_t size = clprim_type_size(type);
    void *out = test_allocate(count * size + 1);
    const clprim_reference_sort_how how = {.key_type = type,
                                           .value_size = indices != NULL ? 8 : 0,
                                           .argsort = indices != NULL,
                                           .descending = descending,
                                           .nan_order = nan};
    memcpy(out, in, count * size);
    ASSERT_OK(clprim_reference_sort(out, indices, &how, count));
    return out;
}

static void *sorted(clprim_type type, bool descending, const void *in, uint64_t *indices, size_t count)
{
    return sorted_with(CLPRIM_NAN_LAST, type, descending, in, indices, count);
}

/* MANY floats, among them both zeros, infinities, and NaNs of both signs, in a file. */
static const char *special_floats(float *out)
{
    size_t nans[2] = {0, 0};
    test_fill(out, CLPRIM_F32, CLPRIM_MIN, TEST_SPECIALS, MANY, TEST_SEED);
    for (size_t i = 0; i < MANY; i++)
        nans[signbit(out[i]) != 0] += isnan(out[i]) ? 1 : 0;
    cr_assert(nans[0] > 2 && nans[1] > 2);
    return cli_npy("in.npy", CLPRIM_F32, out, MANY);
}

/* One type here, as each kernel costs time to compile; others are in the tests below, and in the library's own. */
Test(cli, sort_is_the_same_in_chunks)
{
    const char *out = cli_path("out.npy");
    int32_t *in = cli_elements(CLPRIM_I32, MANY, TEST_SEED);
    const char *path = cli_npy("in.npy", CLPRIM_I32, in, MANY);
    uint64_t *indices = test_allocate(MANY * sizeof *indices);
    int32_t *up = sorted(CLPRIM_I32, false, in, NULL, MANY);
    int32_t *down = sorted(CLPRIM_I32, true, in, indices, MANY);
    (void)CLI_OK("sort", path, "-o", out);
    cli_expect_npy(out, CLPRIM_I32, up, MANY, "whole");
    (void)CLI_OK("sort", path, "-o", out, LITTLE);
    cli_expect_npy(out, CLPRIM_I32, up, MANY, "in chunks");
    (void)CLI_OK("sort", path, "-o", out, "-r", LITTLE);
    cli_expect_npy(out, CLPRIM_I32, down, MANY, "downwards");
    (void)CLI_OK("sort", path, "-o", out, "--indices", "--descending");
    cli_expect_npy(out, CLPRIM_U64, indices, MANY, "indices");
    (void)CLI_OK("sort", path, "-o", out, "--indices", "--descending", LITTLE);
    cli_expect_npy(out, CLPRIM_U64, indices, MANY, "indices, in chunks");
    free(in);
    free(indices);
    free(up);
    free(down);
}

Test(cli, sort_orders_special_floats_and_keeps_their_bits)
{
    static float in[MANY];
    static uint64_t indices[MANY];
    const char *path = special_floats(in);
    const char *out = cli_path("out.npy");
    for (size_t i = 0; i < 2; i++) {
        float *up = sorted_with(ORDERS[i].nan, CLPRIM_F32, false, in, NULL, MANY);
        float *down = sorted_with(ORDERS[i].nan, CLPRIM_F32, true, in, indices, MANY);
        cr_assert(isnan(up[MANY - 1]) && isnan(down[0]) && !isnan(up[0]) == (ORDERS[i].nan == CLPRIM_NAN_LAST));
        (void)CLI_OK("sort", path, "-o", out, "--nan", ORDERS[i].name);
        cli_expect_npy(out, CLPRIM_F32, up, MANY, ORDERS[i].name);
        (void)CLI_OK("sort", path, "-o", out, "--nan", ORDERS[i].name, LITTLE);
        cli_expect_npy(out, CLPRIM_F32, up, MANY, "in chunks");
        (void)CLI_OK("sort", path, "-o", out, "--nan", ORDERS[i].name, LITTLE, "-r", "--indices");
        cli_expect_npy(out, CLPRIM_U64, indices, MANY, "indices, downwards, in chunks");
        free(up);
        free(down);
    }
    float *expected = sorted(CLPRIM_F32, false, in, NULL, MANY);
    (void)CLI_OK("sort", path, "-o", out, LITTLE);
    cli_expect_npy(out, CLPRIM_F32, expected, MANY, "the default");
    free(expected);
}

/* The places of runs' elements, of all widths: halves and doubles, too. */
Test(cli, chunks_are_merged_in_the_order_of_nans)
{
    static const clprim_type types[] = {CLPRIM_F16, CLPRIM_F64};
    const char *out = cli_path("out.npy");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        void *in = test_allocate(MANY * clprim_type_size(types[i]));
        test_fill(in, types[i], CLPRIM_MIN, TEST_SPECIALS, MANY, TEST_SEED);
        void *expected = sorted(types[i], true, in, NULL, MANY);
        (void)CLI_OK("sort", "-r", cli_npy("in.npy", types[i], in, MANY), "-o", out, LITTLE);
        cli_expect_npy(out, types[i], expected, MANY, clprim_type_name(types[i]));
        free(in);
        free(expected);
    }
}

Test(cli, sort_reads_and_writes_pipes_and_raw_files)
{
    int32_t *in = cli_elements(CLPRIM_I32, MANY, TEST_SEED);
    int32_t *expected = sorted(CLPRIM_I32, false, in, NULL, MANY);
    const size_t size = MANY * sizeof *in;
    const char *raw = cli_file("in.bin", in, size);
    const cli_run runs[] = {CLI("sort", "-t", "i32", raw, "-o", "-"), CLI("sort", "-t", "i32", raw, "-o", "-", LITTLE),
                            CLI_FED(in, size, "sort", "-t", "i32", "-", "-o", "-"),
                            CLI_FED(in, size, "sort", "-t", "i32", "-", "-o", "-", LITTLE)};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        cr_assert_eq(runs[i].status, 0, "%s", runs[i].err);
        cr_assert_eq(runs[i].out_size, size, "%zu", i);
        test_expect_same(expected, runs[i].out, sizeof *in, MANY, "raw");
    }
    /* Of a pipe the length is known at its end only. */
    const char *out = cli_path("out.npy");
    cr_assert_eq(CLI_FED(in, size, "sort", "-t", "i32", "-", "-o", out, LITTLE).status, 0);
    cli_expect_npy(out, CLPRIM_I32, expected, MANY, "to .npy");
    const cli_run empty = CLI_OK("sort", "-t", "i32", "-", "-o", out);
    cr_assert_eq(empty.out_size, 0);
    cli_expect_npy(out, CLPRIM_I32, "", 0, "empty");
    /* A .npy goes to a pipe as one. */
    const cli_run npy = CLI_OK("unique", cli_npy("in.npy", CLPRIM_I32, in, MANY), "-o", "-");
    (void)cli_file("piped.npy", npy.out, npy.out_size);
    cr_assert_str_eq(CLI_OK("min", cli_path("piped.npy")).out, CLI_OK("min", "-t", "i32", raw).out);
    free(in);
    free(expected);
}

Test(cli, integers_are_summed_exactly_or_not_at_all)
{
    static const uint64_t much[] = {UINT64_MAX, 0, 1};
    static const int64_t there_and_back[] = {INT64_MAX, INT64_MAX, INT64_MIN, -1, INT64_MIN + 3, 4};
    static const int64_t less[] = {INT64_MIN, -1};
    int64_t sum = 0;
    char text[32];
    int32_t *in = cli_elements(CLPRIM_I32, MANY, TEST_SEED);
    for (size_t i = 0; i < MANY; i++)
        sum += in[i];
    const char *path = cli_npy("in.npy", CLPRIM_I32, in, MANY);
    (void)snprintf(text, sizeof text, "%" PRId64 "\n", sum);
    cr_assert_str_eq(CLI_OK("sum", path).out, text);
    cr_assert_str_eq(CLI_OK("sum", path, LITTLE).out, text);
    path = cli_npy("there.npy", CLPRIM_I64, there_and_back, 6);
    cr_assert_str_eq(CLI_OK("sum", path).out, "4\n"); /* what is between does not matter */
    path = cli_npy("much.npy", CLPRIM_U64, much, 2);
    cr_assert_str_eq(CLI_OK("sum", path).out, "18446744073709551615\n");
    path = cli_npy("more.npy", CLPRIM_U64, much, 3);
    cli_run run = CLI("sum", path);
    cli_expect_refusal(&run, 1, path, "18446744073709551616");
    cli_expect_refusal(&run, 1, path, "--wide");
    cr_assert_str_eq(CLI_OK("sum", path, "--wide").out, "18446744073709551616\n");
    const cli_run json = CLI_OK("sum", path, "--wide", "--json");
    cr_assert(json_is_valid(json.out) && json_is(json_member(json.out, "value_type"), "u128"), "%s", json.out);
    cr_assert_not_null(strstr(json.out, "\"value\": 18446744073709551616}"), "%s", json.out);
    path = cli_npy("less.npy", CLPRIM_I64, less, 2);
    run = CLI("sum", path);
    cli_expect_refusal(&run, 1, path, "-9223372036854775809");
    cr_assert_str_eq(CLI_OK("sum", path, "--wide").out, "-9223372036854775809\n");
    free(in);
}

Test(cli, floats_are_summed_as_exactly_as_the_library_says)
{
    float *in = cli_elements(CLPRIM_F32, MANY, TEST_SEED);
    double expected = 0;
    double bound = 0;
    for (size_t i = 0; i < MANY; i++) {
        expected += (double)in[i];
        bound += fabs((double)in[i]) * MANY * 0x1p-53;
    }
    const char *path = cli_npy("in.npy", CLPRIM_F32, in, MANY);
    const bool has_fp64 = clprim_runtime_info(test_runtime(NULL))->has_fp64;
    bound *= has_fp64 ? 2 : 0x1p30;
    cr_assert_leq(fabs(strtod(CLI_OK("sum", path).out, NULL) - expected), bound);
    cr_assert_leq(fabs(strtod(CLI_OK("sum", path, LITTLE).out, NULL) - expected), bound);
    const cli_run run = CLI_OK("sum", path, "--json");
    cr_assert(json_is_valid(run.out));
    cr_assert_leq(fabs(json_number(json_member(run.out, "value"), 0) - expected), bound); /* all digits are there */
    static const float odd[] = {0.1F, INFINITY};
    cr_assert_str_eq(CLI_OK("min", cli_npy("odd.npy", CLPRIM_F32, odd, 2)).out, "0.1\n");
    cr_assert_str_eq(CLI_OK("sum", cli_path("odd.npy")).out, "inf\n");
    const cli_run json = CLI_OK("max", cli_path("odd.npy"), "--json");
    cr_assert(json_is_valid(json.out) && json_is(json_member(json.out, "value"), "inf"));
    free(in);
}

Test(cli, extremes_are_the_first_ones_over_all_chunks)
{
    char text[64];
    size_t least = 0;
    size_t greatest = 0;
    int32_t *in = cli_elements(CLPRIM_I32, MANY, TEST_SEED);
    in[MANY - 2] = INT32_MAX;
    in[MANY - 1] = INT32_MAX;
    for (size_t i = 1; i < MANY; i++) {
        least = in[i] < in[least] ? i : least;
        greatest = in[i] > in[greatest] ? i : greatest;
    }
    const char *path = cli_npy("in.npy", CLPRIM_I32, in, MANY);
    (void)snprintf(text, sizeof text, "%" PRId32 "\t%zu\n", in[least], least);
    cr_assert_str_eq(CLI_OK("min", "--index", path, LITTLE).out, text);
    cr_assert_str_eq(CLI_OK("min", "--index", path).out, text);
    (void)snprintf(text, sizeof text, "%" PRId32 "\t%zu\n", in[greatest], greatest);
    cr_assert_str_eq(CLI_OK("max", "--index", path, LITTLE).out, text);
    const char *empty = cli_npy("empty.npy", CLPRIM_I32, NULL, 0);
    const cli_run run = CLI("min", empty);
    cli_expect_refusal(&run, 2, empty, "no elements");
    cr_assert_str_eq(CLI_OK("sum", empty).out, "0\n");
    free(in);
}

/* A NaN is the result, or greater or less than all numbers by its sign; the first one, over all chunks. */
Test(cli, extremes_are_nans_as_the_order_says)
{
    static const struct {
        size_t negative, positive;                /* where NaNs are; 0: nowhere */
        const char *last, *total_min, *total_max; /* of the values 1, 2, ..., MANY */
    } rows[] = {
        {0, 0, NULL, "1\t0\n", "5003\t5002\n"},
        {3000, 0, "nan\t3000\n", "-nan\t3000\n", "5003\t5002\n"},
        {0, 3000, "nan\t3000\n", "1\t0\n", "nan\t3000\n"},
        {3000, 4000, "nan\t3000\n", "-nan\t3000\n", "nan\t4000\n"},
        {3000, 10, "nan\t10\n", "-nan\t3000\n", "nan\t10\n"},
        {3000, 3001, "nan\t3000\n", "-nan\t3000\n", "nan\t3001\n"},
    };
    static float in[MANY];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t j = 0; j < MANY; j++)
            in[j] = (float)(j + 1);
        if (rows[i].negative > 0)
            in[rows[i].negative] = copysignf(NAN, -1);
        if (rows[i].positive > 0)
            in[rows[i].positive] = NAN;
        const char *path = cli_npy("in.npy", CLPRIM_F32, in, MANY);
        const char *least = rows[i].last != NULL ? rows[i].last : rows[i].total_min;
        const char *greatest = rows[i].last != NULL ? rows[i].last : rows[i].total_max;
        cr_assert_str_eq(CLI_OK("min", "--index", path).out, least, "row %zu", i);
        cr_assert_str_eq(CLI_OK("max", "--index", path).out, greatest, "row %zu", i);
        cr_assert_str_eq(CLI_OK("min", "--index", path, LITTLE).out, least, "row %zu", i);
        cr_assert_str_eq(CLI_OK("max", "--index", path, LITTLE, "--nan=last").out, greatest, "row %zu", i);
        cr_assert_str_eq(CLI_OK("min", "--index", path, LITTLE, "--nan=total").out, rows[i].total_min, "row %zu", i);
        cr_assert_str_eq(CLI_OK("max", "--index", path, LITTLE, "--nan=total").out, rows[i].total_max, "row %zu", i);
    }
}

Test(cli, scan_carries_the_sum_from_chunk_to_chunk)
{
    const char *out = cli_path("out.npy");
    int32_t *in = cli_elements(CLPRIM_I32, MANY, TEST_SEED);
    int64_t *expected = test_allocate((MANY + 1) * sizeof *expected);
    expected[0] = 0;
    for (size_t i = 0; i < MANY; i++)
        expected[i + 1] = expected[i] + in[i];
    const char *path = cli_npy("in.npy", CLPRIM_I32, in, MANY);
    (void)CLI_OK("scan", path, "-o", out);
    cli_expect_npy(out, CLPRIM_I64, expected + 1, MANY, "inclusive");
    (void)CLI_OK("scan", path, "-o", out, LITTLE);
    cli_expect_npy(out, CLPRIM_I64, expected + 1, MANY, "inclusive, in chunks");
    (void)CLI_OK("scan", path, "-o", out, LITTLE, "--exclusive");
    cli_expect_npy(out, CLPRIM_I64, expected, MANY, "exclusive, in chunks");
    static const float floats[] = {0.5F, 0.25F, -1};
    cr_assert_str_eq(CLI_OK("scan", cli_npy("f.npy", CLPRIM_F32, floats, 3)).out, "0.5\n0.75\n-0.25\n");
    cr_assert_str_eq(CLI_OK("scan", "--exclusive", cli_path("f.npy")).out, "0\n0.5\n0.75\n");
    free(in);
    free(expected);
}

Test(cli, scan_tells_where_a_sum_leaves_64_bits)
{
    static const int64_t in[] = {INT64_MAX, -5, 5, 1, -1};
    const char *path = cli_npy("in.npy", CLPRIM_I64, in, 5);
    cli_run run = CLI("scan", path, "-o", cli_path("out.npy"));
    cli_expect_refusal(&run, 1, path, "index 3");
    cli_expect_refusal(&run, 1, path, "--wrap");
    cr_assert_str_eq(CLI_OK("scan", path, "--wrap").out,
                     "9223372036854775807\n9223372036854775802\n9223372036854775807\n"
                     "-9223372036854775808\n9223372036854775807\n");
    run = CLI("scan", path, "-o", cli_path("out.npy"), "--exclusive");
    cli_expect_refusal(&run, 1, path, "index 4");
    path = cli_npy("four.npy", CLPRIM_I64, in, 4); /* the sum that is too much is not among these */
    cr_assert_str_eq(CLI_OK("scan", "--exclusive", path).out,
                     "0\n9223372036854775807\n9223372036854775802\n9223372036854775807\n");
    /* No chunk alone is too much, but all are together; upwards and downwards. */
    static int64_t many[MANY];
    for (int64_t sign = -1; sign <= 1; sign += 2) {
        for (size_t i = 0; i < MANY; i++)
            many[i] = sign * INT64_C(4611686018427388); /* 2^63 / 2000, and a little */
        path = cli_npy("many.npy", CLPRIM_I64, many, MANY);
        run = CLI("scan", path, "-o", cli_path("out.npy"), LITTLE);
        cli_expect_refusal(&run, 1, path, "index 1999 ");
        const char *out = cli_path("out.npy");
        static uint64_t wrapped[MANY];
        for (size_t i = 0; i < MANY; i++)
            wrapped[i] = (uint64_t)many[i] * (i + 1);
        (void)CLI_OK("scan", path, "-o", out, LITTLE, "--wrap");
        cli_expect_npy(out, CLPRIM_I64, wrapped, MANY, "modulo 2^64");
    }
    path = cli_npy("three.npy", CLPRIM_I64, in, 3);
    cr_assert_str_eq(CLI_OK("scan", path).out, "9223372036854775807\n9223372036854775802\n9223372036854775807\n");
}

Test(cli, unique_counts_over_all_chunks)
{
    const char *out = cli_path("out.npy");
    const char *counts_out = cli_path("counts.npy");
    int32_t *in = cli_elements(CLPRIM_I32, MANY, TEST_SEED);
    for (size_t i = 0; i < MANY; i++)
        in[i] %= 700;
    int32_t *expected = sorted(CLPRIM_I32, false, in, NULL, MANY);
    uint64_t *counts = test_allocate(MANY * sizeof *counts);
    size_t count = 0;
    for (size_t i = 0; i < MANY; i++) {
        if (count > 0 && expected[count - 1] == expected[i]) {
            counts[count - 1]++;
        } else {
            counts[count] = 1;
            expected[count++] = expected[i];
        }
    }
    const char *path = cli_npy("in.npy", CLPRIM_I32, in, MANY);
    (void)CLI_OK("unique", path, "-o", out, "--counts", counts_out);
    cli_expect_npy(out, CLPRIM_I32, expected, count, "whole");
    cli_expect_npy(counts_out, CLPRIM_U64, counts, count, "counts");
    (void)CLI_OK("unique", path, "-o", out, "--counts", counts_out, LITTLE);
    cli_expect_npy(out, CLPRIM_I32, expected, count, "in chunks");
    cli_expect_npy(counts_out, CLPRIM_U64, counts, count, "counts, in chunks");
    const cli_run run = CLI_OK("unique", "--count", "--json", path, LITTLE);
    cr_assert(json_is_valid(run.out));
    const char *first = json_first(json_member(run.out, "values"));
    cr_assert(json_number(json_member(first, "value"), 0) == expected[0]);
    cr_assert(json_number(json_member(first, "count"), 0) == (double)counts[0]);
    cr_assert(json_number(json_member(run.out, "results"), 0) == (double)count);
    free(in);
    free(expected);
    free(counts);
}

Test(cli, top_k_are_the_first_of_the_sort)
{
    const char *out = cli_path("out.npy");
    int32_t *in = cli_elements(CLPRIM_I32, MANY, TEST_SEED);
    uint64_t *indices = test_allocate(MANY * sizeof *indices);
    int32_t *down = sorted(CLPRIM_I32, true, in, indices, MANY);
    int32_t *up = sorted(CLPRIM_I32, false, in, NULL, MANY);
    const char *path = cli_npy("in.npy", CLPRIM_I32, in, MANY);
    (void)CLI_OK("top-k", "-k", "900", path, "-o", out);
    cli_expect_npy(out, CLPRIM_I32, down, 900, "whole");
    (void)CLI_OK("top-k", "-k", "900", path, "-o", out, LITTLE, "--indices");
    cli_expect_npy(out, CLPRIM_U64, indices, 900, "indices, in chunks");
    (void)CLI_OK("top-k", "-k", "3", path, "-o", out, LITTLE, "--smallest");
    cli_expect_npy(out, CLPRIM_I32, up, 3, "smallest, in chunks");
    (void)CLI_OK("top-k", "-k", "1000000", path, "-o", out, LITTLE);
    cli_expect_npy(out, CLPRIM_I32, down, MANY, "all");
    char text[64];
    (void)snprintf(text, sizeof text, "%" PRId32 "\t%" PRIu64 "\n", down[0], indices[0]);
    cr_assert_str_eq(CLI_OK("top-k", "-k", "1", path).out, text);
    free(in);
    free(indices);
    free(down);
    free(up);
}

Test(cli, unique_and_top_k_follow_the_order_of_nans)
{
    static float in[MANY];
    static uint64_t indices[MANY];
    const char *path = special_floats(in);
    const char *out = cli_path("out.npy");
    for (size_t i = 0; i < 2; i++) {
        const char *order = ORDERS[i].name;
        float *up = sorted_with(ORDERS[i].nan, CLPRIM_F32, false, in, NULL, MANY);
        float *down = sorted_with(ORDERS[i].nan, CLPRIM_F32, true, in, indices, MANY);
        (void)CLI_OK("top-k", "-k", "4000", path, "-o", out, "--nan", order, LITTLE);
        cli_expect_npy(out, CLPRIM_F32, down, 4000, order);
        (void)CLI_OK("top-k", "-k", "4000", path, "-o", out, "--nan", order, "--indices");
        cli_expect_npy(out, CLPRIM_U64, indices, 4000, "indices");
        (void)CLI_OK("top-k", "-k", "900", path, "-o", out, "--nan", order, "--smallest", LITTLE);
        cli_expect_npy(out, CLPRIM_F32, up, 900, "smallest");
        size_t count = 1;
        for (size_t j = 1; j < MANY; j++)
            if (memcmp(&up[j], &up[count - 1], sizeof *up) != 0)
                up[count++] = up[j];
        (void)CLI_OK("unique", path, "-o", out, "--nan", order);
        cli_expect_npy(out, CLPRIM_F32, up, count, "unique");
        (void)CLI_OK("unique", path, "-o", out, "--nan", order, LITTLE);
        cli_expect_npy(out, CLPRIM_F32, up, count, "unique, in chunks");
        free(up);
        free(down);
    }
}

Test(cli, json_is_valid_whatever_a_file_is_called)
{
    static const int32_t in[] = {3, 1, 2};
    const char *path = cli_npy("a \"\\\x01\xff\xc3\xa4.npy", CLPRIM_I32, in, 3);
    const cli_run run = CLI_OK("sort", path, "--json");
    cr_assert(json_is_valid(run.out), "%s", run.out);
    cr_assert_not_null(strstr(run.out, "a \\\"\\\\\\u0001\\ufffd\xc3\xa4.npy\""), "%s", run.out);
    cr_assert_not_null(strstr(run.out, "\"values\": [1, 2, 3]"));
    const cli_run file = CLI_OK("sort", path, "--json", "-o", cli_path("out.npy"));
    cr_assert(json_is_valid(file.out) && json_member(file.out, "values") == NULL);
    cr_assert(json_number(json_member(file.out, "results"), 0) == 3);
}
