// SPDX-License-Identifier: MIT
/* test_contract.stream_calls.c: streams of certain operations: expressions, results so far, refused batches, failures. */
#include <clprim/clprim.h>

#include "contract.h"

enum { TOTAL = 5000, BATCH = 700, PIECE = 256 };

static clprim_stream *make(clprim_runtime *runtime, const clprim_operation *operation, const void *desc,
                           const void *call)
{
    clprim_stream *stream = NULL;
    ASSERT_OK(clprim_stream_create(&stream, runtime, operation, desc, call));
    return stream;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Batches bring the argument that is read at i; a value and an array that is read elsewhere are the stream's. */
Test(contract_streams, read_expressions, .timeout = 300)
{
    static uint32_t x[TOTAL], out[TOTAL];
    static const uint32_t table[4] = {5, 7, 11, 13}, factor = 3;
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_transform_desc desc = {
        .types = {CLPRIM_U32},
        .expressions = {"x[i] * factor + table[i % 4] + (uint)i"},
        .text.parameters = {{"x", CLPRIM_U32, .is_array = true},
                            {"factor", CLPRIM_U32},
                            {"table", CLPRIM_U32, .is_array = true}},
    };
    const clprim_transform_call all = {
        .arguments =
            {[1] = {.host = (void *)(uintptr_t)&factor}, [2] = {.host = (void *)(uintptr_t)table, .length = 4}},
        .count = PIECE,
    };
    clprim_stream *stream = make(runtime, &clprim_transform_operation, &desc, &all);
    for (size_t i = 0; i < TOTAL; i++)
        x[i] = (uint32_t)(i * i);
    for (size_t begin = 0; begin < TOTAL; begin += BATCH)
        ASSERT_OK(clprim_stream_push(stream, &(clprim_transform_call){.arguments = {{.host = x + begin}},
                                                                      .count = smaller(TOTAL - begin, BATCH),
                                                                      .out = {{.host = out + begin}}}));
    ASSERT_OK(clprim_stream_result(stream));
    clprim_stream_destroy(stream);
    for (size_t i = 0; i < TOTAL; i++)
        cr_assert_eq(out[i], x[i] * factor + table[i % 4] + (uint32_t)i, "%zu: %u", i, out[i]);
    clprim_runtime_destroy(runtime);
}

/* The result may be asked for at any time, also before the first batch. */
Test(contract_streams, tell_the_result_so_far, .timeout = 300)
{
    static int32_t x[TOTAL];
    const int32_t start = 1000;
    int32_t sum = 0, best[3] = {0}, expected = start, greatest = INT32_MIN;
    uint64_t where[3] = {0};
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_reduce_desc desc = {.initial = &start};
    const clprim_top_k_desc first = {.key_type = CLPRIM_I32, .k = 3, .indices = true, .index_type = CLPRIM_U64};
    clprim_stream *sums = make(runtime, &clprim_reduce_operation, &desc, &(clprim_reduce_call){.out = {.host = &sum}});
    clprim_stream *tops =
        make(runtime, &clprim_top_k_operation, &first,
             &(clprim_top_k_call){.count = PIECE, .keys_out = {.host = best}, .values_out = {.host = where}});
    ASSERT_OK(clprim_stream_result(sums));
    ASSERT_OK(clprim_stream_result(tops));
    cr_assert_eq(sum, start);
    for (size_t begin = 0; begin < TOTAL; begin += BATCH / 7) {
        const size_t count = smaller(TOTAL - begin, BATCH / 7);
        for (size_t i = begin; i < begin + count; i++) {
            x[i] = (int32_t)(i * 7919 % 10007);
            expected += x[i];
            greatest = x[i] > greatest ? x[i] : greatest;
        }
        ASSERT_OK(clprim_stream_push(sums, &(clprim_reduce_call){.in = {.host = x + begin}, .count = count}));
        ASSERT_OK(clprim_stream_push(tops, &(clprim_top_k_call){.keys_in = {.host = x + begin}, .count = count}));
        ASSERT_OK(clprim_stream_result(sums));
        ASSERT_OK(clprim_stream_result(tops));
        cr_assert_eq(sum, expected);
        cr_assert_eq(best[0], greatest);
        cr_assert_eq(x[where[0]], greatest);
        cr_assert_eq(clprim_stream_count(tops), begin + count);
    }
    clprim_stream_destroy(sums);
    clprim_stream_destroy(tops);
    clprim_runtime_destroy(runtime);
}

/* A k of which the device never finds all in one batch: the list is shortened again and again. */
Test(contract_streams, find_more_than_a_batch_has, .timeout = 300)
{
    enum { K = 1500 };
    static uint32_t x[TOTAL], got[K], expected[K], values[TOTAL], got_values[K], expected_values[K];
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_top_k_desc desc = {.k = K, .smallest = true, .value_size = 4};
    clprim_stream *stream =
        make(runtime, &clprim_top_k_operation, &desc,
             &(clprim_top_k_call){.count = PIECE, .keys_out = {.host = got}, .values_out = {.host = got_values}});
    for (uint32_t i = 0; i < TOTAL; i++) {
        x[i] = i * 7919 % 1009; /* many keys are equal */
        values[i] = i;
    }
    for (size_t begin = 0; begin < TOTAL; begin += BATCH)
        ASSERT_OK(clprim_stream_push(stream, &(clprim_top_k_call){.keys_in = {.host = x + begin},
                                                                  .values_in = {.host = values + begin},
                                                                  .count = smaller(TOTAL - begin, BATCH)}));
    ASSERT_OK(clprim_stream_result(stream));
    clprim_stream_destroy(stream);
    ASSERT_OK(clprim_top_k_run(runtime, &desc,
                               &(clprim_top_k_call){.keys_in = {.host = x},
                                                    .values_in = {.host = values},
                                                    .count = TOTAL,
                                                    .keys_out = {.host = expected},
                                                    .values_out = {.host = expected_values}}));
    cr_assert_arr_eq(got, expected, sizeof got);
    cr_assert_arr_eq(got_values, expected_values, sizeof got_values);
    clprim_runtime_destroy(runtime);
}

/* A batch that is refused is not processed, and the stream continues. */
Test(contract_streams, refuse_wrong_batches, .timeout = 300)
{
    uint32_t x[10] = {0, 3, 0, 5}, kept[10] = {0}, number = 0, total = 0;
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_stream *stream = NULL;
    const clprim_select_desc desc = {.type = CLPRIM_U32, .predicate = "x > 0", .max_count = 12};
    const clprim_select_call all = {.out_count = {.host = &total}};
    const clprim_select_call good = {
        .in = {.host = x}, .count = 5, .out = {.host = kept}, .out_count = {.host = &number}};
    clprim_select_call call = good;
    cl_mem buffer = test_buffer(runtime, sizeof x);
    ASSERT_REFUSED(clprim_stream_create(NULL, runtime, &clprim_select_operation, &desc, &all), CLPRIM_INVALID_ARGUMENT,
                   "out is NULL");
    ASSERT_REFUSED(clprim_stream_create(&stream, runtime, NULL, &desc, &all), CLPRIM_INVALID_ARGUMENT,
                   "operation is NULL");
    ASSERT_REFUSED(clprim_stream_create(&stream, runtime, &clprim_select_operation, &desc, NULL),
                   CLPRIM_INVALID_ARGUMENT, "call is NULL");
    cr_assert_null(stream);
    stream = make(runtime, &clprim_select_operation, &desc, &all);
    ASSERT_REFUSED(clprim_stream_push(stream, NULL), CLPRIM_INVALID_ARGUMENT, "call is NULL");
    for (int round = 0; round < 2; round++) { /* the first batch, and a later one */
        call.in = (clprim_array){.host = NULL};
        ASSERT_REFUSED(clprim_stream_push(stream, &call), CLPRIM_INVALID_ARGUMENT, "in");
        call.in = (clprim_array){.buffer = buffer};
        ASSERT_REFUSED(clprim_stream_push(stream, &call), CLPRIM_UNSUPPORTED, "in is not on the host");
        call.in = (clprim_array){.host = x, .length = 4};
        ASSERT_REFUSED(clprim_stream_push(stream, &call), CLPRIM_INVALID_RANGE, "in");
        call.in = (clprim_array){.host = kept};
        ASSERT_REFUSED(clprim_stream_push(stream, &call), CLPRIM_INVALID_OVERLAP, "in");
        call = good;
        call.count = 13;
        ASSERT_REFUSED(clprim_stream_push(stream, &call), CLPRIM_INVALID_RANGE, "13");
        call = good;
        ASSERT_OK(clprim_stream_push(stream, &call));
        cr_assert(number == 2 && kept[0] == 3 && kept[1] == 5, "%u", number);
    }
    ASSERT_REFUSED(clprim_stream_push(stream, &good), CLPRIM_INVALID_RANGE, "15 elements; with .max_count");
    call.count = 0;
    ASSERT_OK(clprim_stream_push(stream, &call));
    cr_assert_eq(number, 0);
    ASSERT_OK(clprim_stream_result(stream));
    cr_assert_eq(total, 4);
    clprim_stream_destroy(stream);
    clprim_stream_destroy(NULL);
    cr_assert_eq(clprim_stream_count(NULL), 0);
    ASSERT_REFUSED(clprim_stream_result(NULL), CLPRIM_INVALID_ARGUMENT, "stream is NULL");
    ASSERT_CL(clReleaseMemObject(buffer));
    clprim_runtime_destroy(runtime);
}

/* Arrays that belong to the stream do not come with batches, and have a length. */
Test(contract_streams, refuse_arrays_of_the_stream, .timeout = 300)
{
    static const uint32_t haystack[4] = {1, 2, 4, 8};
    const uint32_t needles[3] = {2, 8, 9};
    uint32_t out[3] = {0}, ignored = 0;
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_search_call all = {.in = {.host = (void *)(uintptr_t)haystack}, .count = 4};
    clprim_search_call call = {
        .in = all.in, .needles = {.host = (void *)(uintptr_t)needles}, .needle_count = 3, .out = {.host = out}};
    clprim_stream *stream = make(runtime, &clprim_search_operation, NULL, &all);
    ASSERT_REFUSED(clprim_stream_push(stream, &call), CLPRIM_INVALID_ARGUMENT, "in[0] is no array of the batches");
    call.in = (clprim_array){.host = NULL};
    ASSERT_OK(clprim_stream_push(stream, &call));
    cr_assert(out[0] == 1 && out[1] == 3 && out[2] == 4);
    clprim_stream_destroy(stream);

    const clprim_transform_desc desc = {
        .types = {CLPRIM_U32}, .expressions = {"t[i / 2]"}, .text.parameters = {{"t", CLPRIM_U32, .is_array = true}}};
    stream = make(runtime, &clprim_transform_operation, &desc,
                  &(clprim_transform_call){.arguments = {{.host = (void *)(uintptr_t)haystack}}});
    ASSERT_REFUSED(clprim_stream_push(stream, &(clprim_transform_call){.count = 1, .out = {{.host = &ignored}}}),
                   CLPRIM_INVALID_ARGUMENT, "arguments[0] of a stream needs a .length");
    clprim_stream_destroy(stream);
    clprim_runtime_destroy(runtime);
}

static int stop(void *user, const char *operation, size_t done, size_t total)
{
    (void)operation;
    (void)done;
    (void)total;
    return *(int *)user;
}

/* A stream that has failed half way says so from then on. */
Test(contract_streams, stay_failed, .timeout = 300)
{
    uint32_t x[10] = {0}, least = 0;
    int stops = 0;
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_reduce_desc desc = {.type = CLPRIM_U32, .op = CLPRIM_MIN};
    const clprim_reduce_call call = {.in = {.host = x}, .count = 10};
    clprim_stream *stream =
        make(runtime, &clprim_reduce_operation, &desc, &(clprim_reduce_call){.out = {.host = &least}});
    ASSERT_OK(clprim_runtime_set_run_limits(runtime, &(clprim_run_limits){.progress = stop, .user = &stops}));
    ASSERT_OK(clprim_stream_push(stream, &call));
    stops = 1;
    ASSERT_STATUS(clprim_stream_push(stream, &call), CLPRIM_STOPPED);
    stops = 0;
    ASSERT_REFUSED(clprim_stream_push(stream, &call), CLPRIM_STOPPED, "the stream has failed");
    ASSERT_REFUSED(clprim_stream_result(stream), CLPRIM_STOPPED, "the stream has failed");
    clprim_stream_destroy(stream);
    clprim_runtime_destroy(runtime);
}
