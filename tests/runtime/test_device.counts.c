// SPDX-License-Identifier: MIT
/* test_device.counts.c: work_group_histogram.h, and the merge of two arrays by the functions of work_group_merge.h that
 * work-items call on their own, compared with plain C. */
#include "test_device.h"

#include <stdio.h>

#include "call.h"
#include "random.h"

static const struct counts_case {
    size_t bins, copies, group_size, way;
} counts_cases[] = {{1, 1, 1, BY_TEXT}, {256, 1, 64, BY_INCLUDE}, {37, 8, 33, BY_TEXT}, {10, 3, 256, BY_TEXT}};
enum { COUNTS_CASES = sizeof counts_cases / sizeof *counts_cases, COUNTED = 5 };

static const char COUNTING[] = "CLPRIM_WORK_GROUP_HISTOGRAM(counts, BINS, COPIES, SIZE)\n"
                               "#define GROUP __attribute__((reqd_work_group_size(SIZE, 1, 1)))\n"
                               "__kernel GROUP void whole(const __global uint *in, __global uint *out)\n"
                               "{\n"
                               "    __local counts_memory memory;\n"
                               "    uint bins[5];\n"
                               "    for (uint k = 0; k < 5; k++)\n"
                               "        bins[k] = in[k * SIZE + get_local_id(0)];\n"
                               "    counts_histogram(bins, 5, &memory);\n"
                               "    counts_store_to(out, &memory);\n"
                               "    counts_add_to(out + BINS, &memory);\n"
                               "    if (get_local_id(0) == 0)\n"
                               "        out[BINS * 3] = counts_count(BINS - 1, &memory);\n"
                               "}\n"
                               "__kernel GROUP void weighted(const __global uint *in, __global uint *out)\n"
                               "{\n"
                               "    __local counts_memory memory;\n"
                               "    const uint i = get_local_id(0);\n"
                               "    counts_clear(&memory);\n"
                               "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                               "    if (i % 3 != 1)\n"
                               "        counts_add(in[i], i * 7 + 1, &memory);\n"
                               "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                               "    counts_add_to(out + BINS * 2, &memory);\n"
                               "}\n";

static void check_counts(const clprim_runtime *runtime, const struct counts_case *self)
{
    const size_t count = self->group_size * COUNTED;
    const size_t words = self->bins * 3 + 1;
    uint32_t *in = test_memory(0, count * sizeof *in);
    uint32_t *expected = test_memory(1, words * sizeof *expected);
    uint32_t *got = test_memory(2, words * sizeof *got);
    char text[sizeof COUNTING + 128];
    char what[96];
    (void)snprintf(text, sizeof text, "#define BINS %zu\n#define COPIES %zu\n#define SIZE %zu\n%s", self->bins,
                   self->copies, self->group_size, COUNTING);
    cl_program program = device_build(runtime, self->way, "", text);
    cl_mem input = test_buffer(runtime, count * sizeof *in);
    cl_mem output = test_buffer(runtime, words * sizeof *got);
    uint64_t state = TEST_SEED;
    for (size_t spread = 1; spread <= self->bins;
         spread += self->bins > 1 ? self->bins - 1 : 1) { /* all elements in one bin, then in all bins */
        for (size_t i = 0; i < count; i++)
            in[i] = (uint32_t)(self->bins - 1 - test_random_below(&state, spread));
        for (size_t w = 0; w < words; w++)
            expected[w] = w < self->bins ? 0 : (uint32_t)w * 1000000000; /* counts are added, modulo 2^32 */
        test_write(runtime, input, in, count * sizeof *in);
        test_write(runtime, output, expected, words * sizeof *got);
        device_run(runtime, program, "whole", input, output, NULL, self->group_size);
        device_run(runtime, program, "weighted", input, output, NULL, self->group_size);
        test_read(runtime, got, output, words * sizeof *got);
        for (size_t i = 0; i < count; i++) {
            expected[in[i]]++;
            expected[self->bins + in[i]]++;
            if (i < self->group_size && i % 3 != 1)
                expected[self->bins * 2 + in[i]] += (uint32_t)(i * 7 + 1);
        }
        expected[self->bins * 3] = expected[self->bins - 1];
        (void)snprintf(what, sizeof what, "%zu bins, %zu copies, groups of %zu", self->bins, self->copies,
                       self->group_size);
        test_expect_same(expected, got, sizeof *got, words, what);
    }
    ASSERT_CL(clReleaseMemObject(input));
    ASSERT_CL(clReleaseMemObject(output));
    ASSERT_CL(clReleaseProgram(program));
}

TEST_EACH(device, counts, COUNTS_CASES, .timeout = 600)
{
    clprim_runtime *runtime = test_runtime(NULL);
    if (counts_cases[*number].group_size <= clprim_runtime_info(runtime)->max_work_group_size)
        check_counts(runtime, &counts_cases[*number]);
    clprim_runtime_destroy(runtime);
}

/* A group merges in[0 .. n.x) and in[n.x .. n.x + n.y), one tile at a time. */
static const char MERGING[] =
    "#define SIZE 16\n"
    "#define ITEMS 3\n"
    "CLPRIM_MERGE(runs, uint, a >> 8 < b >> 8)\n"
    "__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))\n"
    "void merge(const __global uint *in, __global uint *out, uint4 n)\n"
    "{\n"
    "    __local uint data[SIZE * ITEMS];\n"
    "    const uint lid = get_local_id(0);\n"
    "    for (uint first = 0; first < n.x + n.y; first += SIZE * ITEMS) {\n"
    "        const uint count = min(n.x + n.y - first, (uint)(SIZE * ITEMS));\n"
    "        const uint a = runs_merge_path_global(in, n.x, in + n.x, n.y, first);\n"
    "        const uint a_count = runs_merge_path_global(in, n.x, in + n.x, n.y, first + count) - a;\n"
    "        uint items[ITEMS];\n"
    "        uint places[ITEMS] = {99, 99, 99};\n"
    "        for (uint i = lid; i < count; i += SIZE)\n"
    "            data[i] = in[i < a_count ? a + i : n.x + (first - a) + (i - a_count)];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        const uint from = min(lid * ITEMS, count);\n"
    "        const uint i = runs_merge_path(data, a_count, data + a_count, count - a_count, from);\n"
    "        runs_merge_serial(items, places, ITEMS, data, i, a_count, a_count + (from - i), count);\n"
    "        for (uint k = 0; k < ITEMS; k++)\n"
    "            if (from + k < count)\n"
    "                out[first + from + k] = places[k] < count ? items[k] : 0;\n"
    "            else if (places[k] != 99)\n"
    "                out[0] = 0;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "}\n";

Test(device, merges)
{
    static const uint32_t counts[][2] = {{0, 50}, {50, 0}, {1, 1}, {47, 100}, {96, 96}, {3, 200}};
    uint32_t in[256];
    uint32_t expected[256];
    uint32_t got[256];
    uint64_t state = TEST_SEED;
    clprim_runtime *runtime = test_runtime(NULL);
    cl_program program = device_build(runtime, BY_TEXT, "", MERGING);
    cl_mem input = test_buffer(runtime, sizeof in);
    cl_mem output = test_buffer(runtime, sizeof got);
    for (size_t c = 0; c < 2 * sizeof counts / sizeof *counts; c++) {
        const uint32_t a_count = counts[c / 2][0];
        const uint32_t b_count = counts[c / 2][1];
        size_t a = 0;
        size_t b = a_count;
        /* The upper bits increase, in steps that are often 0; the lowest byte is the place. */
        for (uint32_t i = 0, key = 0; i < a_count + b_count; i++) {
            key = i == a_count ? 0 : key + (uint32_t)test_random_below(&state, c % 2 == 0 ? 2 : 1);
            in[i] = key << 8 | i;
        }
        for (size_t i = 0; i < a_count + b_count; i++)
            expected[i] = a < a_count && (b == a_count + b_count || in[a] >> 8 <= in[b] >> 8) ? in[a++] : in[b++];
        test_write(runtime, input, in, sizeof in);
        device_run(runtime, program, "merge", input, output, &(cl_uint4){{a_count, b_count, 0, 0}}, 16);
        test_read(runtime, got, output, sizeof got);
        test_expect_same(expected, got, sizeof *got, a_count + b_count, "a merge");
    }
    ASSERT_CL(clReleaseMemObject(input));
    ASSERT_CL(clReleaseMemObject(output));
    ASSERT_CL(clReleaseProgram(program));
    clprim_runtime_destroy(runtime);
}
