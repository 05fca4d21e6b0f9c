// SPDX-License-Identifier: MIT
/* test_runtime.pieces.c: run in pieces: limits, progress, refusals, and what texts may use. The results of all operations
 * are tested by tests/contract/test_contract.pieces.c. */
#include <clprim/reference.h>
#include <stdlib.h>

#include "cases.h"

enum { COUNT = 30000 };

typedef struct watch {
    size_t calls, stop_at;        /* calls of the progress function */
    size_t allocated, live, most; /* in bytes; in blocks */
    bool has_no_memory;
} watch;

static int progress(void *user, const char *operation, size_t done, size_t total)
{
    watch *w = user;
    cr_assert(operation != NULL && done <= total);
    return ++w->calls == w->stop_at;
}

static void *allocate(void *user, size_t bytes)
{
    watch *w = user;
    w->allocated += bytes;
    w->live++;
    return w->has_no_memory ? (w->live--, NULL) : malloc(bytes);
}

static void release(void *user, void *memory, size_t bytes)
{
    watch *w = user;
    w->allocated -= bytes;
    w->live--;
    free(memory);
}

static void limit(clprim_runtime *runtime, watch *w, size_t bytes)
{
    *w = (watch){0};
    ASSERT_OK(clprim_runtime_set_run_limits(
        runtime,
        &(clprim_run_limits){
            .device_memory = bytes, .allocate = allocate, .release = release, .progress = progress, .user = w}));
}

static uint32_t *numbers(size_t count)
{
    uint32_t *in = test_allocate(count * sizeof *in);
    for (size_t i = 0; i < count; i++)
        in[i] = (uint32_t)(i * 2654435761U) >> 7;
    return in;
}

Test(runtime_pieces, limits_are_checked)
{
    clprim_runtime *runtime = test_runtime(NULL);
    ASSERT_REFUSED(clprim_runtime_set_run_limits(NULL, NULL), CLPRIM_INVALID_ARGUMENT, "runtime is NULL");
    ASSERT_REFUSED(clprim_runtime_set_run_limits(runtime, &(clprim_run_limits){.allocate = allocate}),
                   CLPRIM_INVALID_ARGUMENT, "without release");
    ASSERT_REFUSED(clprim_runtime_set_run_limits(runtime, &(clprim_run_limits){.release = release}),
                   CLPRIM_INVALID_ARGUMENT, "without allocate");
    ASSERT_OK(clprim_runtime_set_run_limits(runtime, NULL));
    clprim_runtime_destroy(runtime);
}

/* Stop in the middle, then do not stop. Without a limit, no progress is reported. */
Test(runtime_pieces, progress_stops_a_run)
{
    clprim_runtime *runtime = test_runtime(NULL);
    uint32_t *in = numbers(COUNT), *out = test_allocate(COUNT * sizeof *out);
    const clprim_scan_desc desc = {.type = CLPRIM_U32};
    const clprim_scan_call call = {.in = {.host = in}, .count = COUNT, .out = {.host = out}};
    watch w;
    limit(runtime, &w, COUNT);
    w.stop_at = 2;
    ASSERT_REFUSED(clprim_scan_run(runtime, &desc, &call), CLPRIM_STOPPED, "stopped clprim_scan_run after");
    cr_assert_eq(w.calls, 2);
    limit(runtime, &w, COUNT);
    ASSERT_OK(clprim_scan_run(runtime, &desc, &call));
    cr_assert_gt(w.calls, 8);
    uint32_t sum = 0;
    for (size_t i = 0; i < COUNT; i++)
        cr_assert_eq(out[i], sum += in[i], "element %zu", i);
    limit(runtime, &w, 0);
    ASSERT_OK(clprim_scan_run(runtime, &desc, &call));
    cr_assert_eq(w.calls, 0);
    clprim_runtime_destroy(runtime);
    free(in);
    free(out);
}

/* The caller provides the memory that is kept between pieces, and gets it back. If there is none, nothing is written. */
Test(runtime_pieces, host_memory_is_the_callers)
{
    clprim_runtime *runtime = test_runtime(NULL);
    uint32_t *in = numbers(COUNT), out[5] = {7, 7, 7, 7, 7};
    const clprim_top_k_desc desc = {.key_type = CLPRIM_U32, .k = 4};
    const clprim_top_k_call call = {.keys_in = {.host = in}, .count = COUNT, .keys_out = {.host = out}};
    watch w;
    limit(runtime, &w, COUNT * 2);
    w.has_no_memory = true;
    ASSERT_REFUSED(clprim_top_k_run(runtime, &desc, &call), CLPRIM_OUT_OF_MEMORY, "host memory");
    for (size_t i = 0; i < 5; i++)
        cr_assert_eq(out[i], 7);
    limit(runtime, &w, COUNT * 2);
    in[COUNT - 2] = UINT32_MAX;
    in[3] = UINT32_MAX - 1;
    ASSERT_OK(clprim_top_k_run(runtime, &desc, &call));
    cr_assert(w.calls > 1 && w.live == 0, "%zu pieces, %zu blocks", w.calls, w.live);
    cr_assert(out[0] == UINT32_MAX && out[1] == UINT32_MAX - 1 && out[2] >= out[3] && out[4] == 7);
    clprim_runtime_destroy(runtime);
    free(in);
}

/* Calls that do not fit and cannot be cut fail with a sentence, and write nothing. */
Test(runtime_pieces, refusals)
{
    enum { PARAMETERS = CLPRIM_MAX_PARAMETERS };
    clprim_runtime *runtime = test_runtime(NULL);
    float *in = test_allocate(COUNT * sizeof *in), *out = test_allocate(COUNT * sizeof *out);
    cl_mem buffer = test_buffer(runtime, COUNT * sizeof *in);
    const clprim_array i = {.host = in}, o = {.host = out};
    const float one = 1;
    watch w;
    memset(in, 0, COUNT * sizeof *in);
    memset(out, 0x3c, COUNT * sizeof *out);
    limit(runtime, &w, COUNT);
    const clprim_scan_call scan = {.in = i, .count = COUNT, .out = o};
    const struct {
        const clprim_scan_desc desc;
        const char *culprit;
    } rows[] = {{{.type = CLPRIM_F32, .reproducible = true}, ".reproducible"},
                {{.type = CLPRIM_F32, .output = "r + 1"}, ".output"},
                {{.type = CLPRIM_F32, .op = CLPRIM_ARGMAX}, "ARGMAX"},
                {{.type = CLPRIM_F32, .segments = CLPRIM_SEGMENTS_BY_OFFSETS}, "offsets of segments"},
                {{.type = CLPRIM_F32, .initial = &one, .segments = CLPRIM_SEGMENTS_BY_FLAG}, "initial value"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        ASSERT_REFUSED(clprim_scan_run(runtime, &rows[k].desc, &scan), CLPRIM_UNSUPPORTED, rows[k].culprit);
    ASSERT_REFUSED(clprim_reduce_run(runtime, &(clprim_reduce_desc){.type = CLPRIM_F32, .reproducible = true},
                                     &(clprim_reduce_call){.in = i, .count = COUNT, .out = o}),
                   CLPRIM_UNSUPPORTED, ".reproducible");
    ASSERT_REFUSED(clprim_scan_run(runtime, &(clprim_scan_desc){.type = CLPRIM_F32},
                                   &(clprim_scan_call){.in = {buffer}, .count = COUNT, .out = o}),
                   CLPRIM_UNSUPPORTED, "in has no .host");
    ASSERT_REFUSED(
        clprim_scan_run(runtime, &(clprim_scan_desc){.type = CLPRIM_F32}, &(clprim_scan_call){.in = i, .count = COUNT}),
        CLPRIM_INVALID_ARGUMENT, "out is NULL");
    ASSERT_REFUSED(clprim_scan_run(runtime, &(clprim_scan_desc){.type = CLPRIM_F32},
                                   &(clprim_scan_call){.in = i, .heads = i, .count = COUNT, .out = o}),
                   CLPRIM_INVALID_ARGUMENT, "heads is given");
    ASSERT_REFUSED(clprim_scan_run(runtime, &(clprim_scan_desc){.type = CLPRIM_F32},
                                   &(clprim_scan_call){.in = {.host = in, .length = 9}, .count = COUNT, .out = o}),
                   CLPRIM_INVALID_RANGE, "in has a length of 9");
    ASSERT_REFUSED(clprim_reduce_run(runtime, &(clprim_reduce_desc){.type = CLPRIM_F32},
                                     &(clprim_reduce_call){.in = i, .count = COUNT}),
                   CLPRIM_INVALID_ARGUMENT, "out is NULL");
    clprim_transform_desc full = {.expressions = {"i"}, .types = {CLPRIM_F32}};
    clprim_transform_call full_call = {.count = COUNT, .out = {o}};
    static const char *const names[PARAMETERS] = {"a", "b", "c", "d", "e", "f", "g", "h",
                                                  "j", "k", "l", "m", "n", "o", "p", "q"};
    for (size_t k = 0; k < PARAMETERS; k++) {
        full.text.parameters[k].name = names[k];
        full_call.arguments[k].host = in;
    }
    ASSERT_REFUSED(clprim_transform_run(runtime, &full, &full_call), CLPRIM_UNSUPPORTED, "parameters");
    const clprim_transform_desc none = {.expressions = {"i"},
                                        .types = {CLPRIM_F32}}; /* pieces have an argument for i */
    full_call = (clprim_transform_call){.arguments = {i}, .count = COUNT, .out = {o}};
    ASSERT_REFUSED(clprim_transform_run(runtime, &none, &full_call), CLPRIM_INVALID_ARGUMENT, "arguments is given");
    limit(runtime, &w, 100);
    ASSERT_REFUSED(clprim_scan_run(runtime, &(clprim_scan_desc){.type = CLPRIM_F32}, &scan), CLPRIM_UNSUPPORTED,
                   "100 bytes");
    for (size_t k = 0; k < COUNT * sizeof *out; k++)
        cr_assert_eq(((unsigned char *)out)[k], 0x3c);
    cr_assert_eq(w.calls, 0);
    ASSERT_CL(clReleaseMemObject(buffer));
    clprim_runtime_destroy(runtime);
    free(in);
    free(out);
}

/* If enqueue refuses buffers, run must refuse such arrays on the host before any piece is written. A value is read when
 * the call is made, even if pieces of the output overwrite it. */
Test(runtime_pieces, overlaps)
{
    clprim_runtime *runtime = test_runtime(NULL);
    uint32_t *in = numbers(2 * COUNT), *expected = numbers(2 * COUNT);
    const clprim_scan_desc desc = {.type = CLPRIM_U32};
    const clprim_transform_desc two = {.expressions = {"x[i] * m", "x[i]"},
                                       .types = {CLPRIM_U32, CLPRIM_U32},
                                       .text.parameters = {{"x", CLPRIM_U32, .is_array = true}, {"m", CLPRIM_U32}}};
    uint32_t m = 1;
    watch w;
    for (size_t bytes = COUNT; bytes > 0; bytes -= COUNT) { /* first in pieces, then not */
        limit(runtime, &w, bytes);
        const clprim_scan_call scan = {.in = {.host = in}, .count = COUNT, .out = {.host = in + 1}};
        ASSERT_REFUSED(clprim_scan_run(runtime, &desc, &scan), CLPRIM_INVALID_OVERLAP, "in and out");
        const clprim_transform_call outputs = {.arguments = {{.host = in}, {.host = &m}},
                                               .count = COUNT,
                                               .out = {{.host = in + COUNT}, {.host = in + 2 * COUNT - 1}}};
        clprim_transform_call short_of_it = outputs;
        ASSERT_REFUSED(clprim_transform_run(runtime, &two, &outputs), CLPRIM_INVALID_OVERLAP, "out and out");
        test_expect_same(expected, in, sizeof *in, 2 * COUNT, "what overlaps");
        short_of_it.count = COUNT / 2; /* arrays may be neighbours */
        short_of_it.out[1].host = in + COUNT + COUNT / 2;
        ASSERT_OK(clprim_transform_run(runtime, &two, &short_of_it));
        memcpy(in, expected, 2 * COUNT * sizeof *in);
    }
    limit(runtime, &w, COUNT);
    in[COUNT] = 3;
    const clprim_transform_call over_value = {
        .arguments = {{.host = in}, {.host = in + COUNT}}, .count = COUNT, .out = {{.host = in + COUNT}, {.host = in}}};
    ASSERT_OK(clprim_transform_run(runtime, &two, &over_value));
    cr_assert_gt(w.calls, 4);
    for (size_t i = 0; i < COUNT; i++)
        cr_assert_eq(in[COUNT + i], 3 * expected[i], "element %zu", i);
    clprim_runtime_destroy(runtime);
    free(in);
    free(expected);
}

/* An index is that of the whole array; arrays that are read at it are cut, and others stay whole. */
Test(runtime_pieces, texts_see_the_whole)
{
    static const struct {
        const char *expression;
        bool is_cut; /* whether x is cut */
    } rows[] = {
        {"x[i] + 1", true},
        {"x[ i ] * 3 + (uint)i", true},
        {"x[i] > 5 && x[i] < i ? x[i] : 0u", true},
        {"x[i / 2] + (uint)i", false},
        {"*(&x[i])", false},
        {"x[\\\ni] + 1 /\\\n* x[0] *\\\n/", true},
        {"x?\?(i?\?) + x<:i:>", true},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    uint32_t *in = numbers(COUNT), *out = test_allocate(COUNT * sizeof *out),
             *whole = test_allocate(COUNT * sizeof *out);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const clprim_transform_desc desc = {.expressions = {rows[k].expression},
                                            .types = {CLPRIM_U32},
                                            .text.parameters = {{"x", CLPRIM_U32, .is_array = true}}};
        clprim_transform_call call = {.arguments = {{.host = in}}, .count = COUNT, .out = {{.host = whole}}};
        watch w;
        limit(runtime, &w, 0);
        ASSERT_OK(clprim_transform_run(runtime, &desc, &call));
        call.out[0].host = out;
        limit(runtime, &w, COUNT * 2);
        if (!rows[k].is_cut) {
            ASSERT_REFUSED(clprim_transform_run(runtime, &desc, &call), CLPRIM_UNSUPPORTED, "cannot be cut take");
            limit(runtime, &w, COUNT * 5); /* with x as a whole */
        }
        test_expect_status(clprim_transform_run(runtime, &desc, &call), CLPRIM_SUCCESS, "", rows[k].expression);
        cr_assert_gt(w.calls, 2, "%s", rows[k].expression);
        test_expect_same(whole, out, sizeof *out, COUNT, rows[k].expression);
    }
    clprim_runtime_destroy(runtime);
    free(in);
    free(out);
    free(whole);
}

/* An argument that is already on the device is not cut, and is read at the index of the whole. */
Test(runtime_pieces, texts_read_buffers)
{
    clprim_runtime *runtime = test_runtime(NULL);
    uint32_t *in = numbers(COUNT), *out = test_allocate(COUNT * sizeof *out);
    cl_mem buffer = test_buffer(runtime, COUNT * sizeof *in);
    const clprim_transform_desc desc = {
        .expressions = {"x[i] + 1"}, .types = {CLPRIM_U32}, .text.parameters = {{"x", CLPRIM_U32, .is_array = true}}};
    watch w;
    limit(runtime, &w, COUNT);
    ASSERT_CL(
        clEnqueueWriteBuffer(clprim_runtime_queue(runtime), buffer, CL_TRUE, 0, COUNT * sizeof *in, in, 0, NULL, NULL));
    ASSERT_OK(clprim_transform_run(
        runtime, &desc,
        &(clprim_transform_call){.arguments = {{.buffer = buffer}}, .count = COUNT, .out = {{.host = out}}}));
    cr_assert_gt(w.calls, 2);
    for (size_t i = 0; i < COUNT; i++)
        cr_assert_eq(out[i], in[i] + 1, "element %zu", i);
    ASSERT_CL(clReleaseMemObject(buffer));
    clprim_runtime_destroy(runtime);
    free(in);
    free(out);
}

/* A predicate and an output that use the index, beside an array that stays whole. */
Test(runtime_pieces, selects_by_index)
{
    clprim_runtime *runtime = test_runtime(NULL);
    uint32_t *in = numbers(COUNT), least = 1000;
    uint64_t *out = test_allocate(COUNT * sizeof *out), found = 0, expected = 0;
    const clprim_select_desc desc = {.type = CLPRIM_U32,
                                     .predicate = "i % 3 == 1 && x > least[0]",
                                     .output = "i",
                                     .output_type = CLPRIM_U64,
                                     .index_type = CLPRIM_U64,
                                     .text.parameters = {{"least", CLPRIM_U32, .is_array = true}}};
    watch w;
    limit(runtime, &w, COUNT * 3);
    ASSERT_OK(clprim_select_run(runtime, &desc,
                                &(clprim_select_call){.in = {.host = in},
                                                      .arguments = {{.host = &least, .length = 1}},
                                                      .count = COUNT,
                                                      .out = {.host = out},
                                                      .out_count = {.host = &found}}));
    cr_assert_gt(w.calls, 2);
    for (size_t i = 0; i < COUNT; i++)
        if (i % 3 == 1 && in[i] > least)
            cr_assert_eq(out[expected++], i, "number %zu is %zu", (size_t)expected - 1, (size_t)out[expected - 1]);
    cr_assert_eq(found, expected);
    clprim_runtime_destroy(runtime);
    free(in);
    free(out);
}

/* Two pieces and the rest, by the index in the whole array: one after another, in arrays of their own (one of which is
 * short), and the rest reversed. */
Test(runtime_pieces, partitions_by_index)
{
    enum { LAYOUTS = 3 };
    clprim_runtime *runtime = test_runtime(NULL);
    uint32_t *in = numbers(COUNT), *expected[3], *out[3];
    for (size_t g = 0; g < 3; g++) {
        expected[g] = test_allocate(COUNT * sizeof *in);
        out[g] = test_allocate(COUNT * sizeof *in);
    }
    for (size_t layout = 0; layout < LAYOUTS; layout++) {
        const bool is_separate = layout == 1, is_reversed = layout == 2;
        const clprim_partition_desc desc = {.type = CLPRIM_U32,
                                            .predicate = "i % 3 == 1 || x % 7 == 0",
                                            .second_predicate = is_reversed ? NULL : "i > 20000",
                                            .separate = is_separate,
                                            .reversed_rest = is_reversed,
                                            .index_type = CLPRIM_U64};
        const size_t short_of_it = is_separate ? 500 : 0;
        uint64_t counts[3] = {77, 77, 77};
        size_t groups[3] = {0};
        watch w;
        for (size_t i = 0; i < COUNT; i++) {
            const size_t g = i % 3 == 1 || in[i] % 7 == 0 ? 0 : !is_reversed && i > 20000 ? 1 : 2;
            expected[g][groups[g]++] = in[i];
        }
        clprim_partition_call call = {.in = {.host = in},
                                      .count = COUNT,
                                      .out = {.host = out[0]},
                                      .second_out = {.host = is_separate ? out[1] : NULL, .length = short_of_it},
                                      .rest_out = {.host = is_separate ? out[2] : NULL},
                                      .out_count = {.host = &counts[0]},
                                      .second_count = {.host = is_reversed ? NULL : &counts[1]},
                                      .rest_count = {.host = is_separate ? &counts[2] : NULL}};
        limit(runtime, &w, COUNT * 3);
        test_expect_status(clprim_partition_run(runtime, &desc, &call), CLPRIM_SUCCESS, "", "a partition");
        cr_assert_gt(w.calls, 2);
        for (size_t g = 0, begin = 0; g < 3; begin += groups[g++]) {
            const uint32_t *got = is_separate ? out[g] : out[0] + begin;
            const bool has_count = is_separate || g == 0 || (g == 1 && !is_reversed);
            cr_assert(!has_count || counts[g] == groups[g], "layout %zu: %zu in group %zu, not %zu", layout,
                      (size_t)counts[g], g, groups[g]);
            for (size_t i = 0; i < groups[g] && (g != 1 || short_of_it == 0 || i < short_of_it); i++)
                cr_assert_eq(got[i], expected[g][g == 2 && is_reversed ? groups[g] - 1 - i : i],
                             "layout %zu: element %zu of group %zu", layout, i, g);
        }
    }
    clprim_runtime_destroy(runtime);
    free(in);
    for (size_t g = 0; g < 3; g++) {
        free(expected[g]);
        free(out[g]);
    }
}

/* A piece has whole segments, of which some are empty; elements before the first one and behind the last one belong to none.
 * A segment that does not fit is refused before anything is written. */
Test(runtime_pieces, reduces_segments)
{
    enum { SEGMENTS = 600, MOST = 70 };
    static const clprim_op ops[] = {CLPRIM_SUM, CLPRIM_ARGMIN, CLPRIM_MAX};
    clprim_runtime *runtime = test_runtime(NULL);
    uint64_t random = TEST_SEED, offsets[SEGMENTS + 1] = {5};
    uint32_t *in = numbers(COUNT), poison[2] = {77, 77};
    clprim_indexed *out[2];
    for (size_t s = 0; s < SEGMENTS; s++)
        offsets[s + 1] = offsets[s] + (s % 4 == 0 ? 0 : test_random_below(&random, s % 50 == 1 ? 20 * MOST : MOST));
    cr_assert_lt(offsets[SEGMENTS], COUNT);
    for (int i = 0; i < 2; i++)
        out[i] = test_allocate(SEGMENTS * sizeof *out[i]);
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        const clprim_segmented_reduce_desc desc = {.type = CLPRIM_U32, .op = ops[k], .offsets_type = CLPRIM_U64};
        const size_t size = ops[k] == CLPRIM_ARGMIN ? sizeof(clprim_indexed) : sizeof *in;
        watch w;
        for (int i = 0; i < 2; i++) {
            limit(runtime, &w, i == 0 ? 0 : COUNT / 2);
            ASSERT_OK(clprim_segmented_reduce_run(runtime, &desc,
                                                  &(clprim_segmented_reduce_call){.in = {.host = in},
                                                                                  .offsets = {.host = offsets},
                                                                                  .count = COUNT,
                                                                                  .segment_count = SEGMENTS,
                                                                                  .out = {.host = out[i]}}));
        }
        cr_assert_gt(w.calls, 4);
        test_expect_same(out[0], out[1], size, SEGMENTS, "the segments");
    }
    watch w;
    const uint32_t two[] = {0, 10, COUNT};
    limit(runtime, &w, COUNT);
    ASSERT_REFUSED(
        clprim_segmented_reduce_run(runtime, &(clprim_segmented_reduce_desc){.type = CLPRIM_U32},
                                    &(clprim_segmented_reduce_call){.in = {.host = in},
                                                                    .offsets = {.host = (void *)(uintptr_t)two},
                                                                    .count = COUNT,
                                                                    .segment_count = 2,
                                                                    .out = {.host = poison}}),
        CLPRIM_UNSUPPORTED, "not enough for segment 1");
    cr_assert(poison[0] == 77 && poison[1] == 77);
    clprim_runtime_destroy(runtime);
    free(in);
    for (int i = 0; i < 2; i++)
        free(out[i]);
}

/* Keys of all types, of few and of many values, with zeros, infinities and NaNs of all kinds among floats, or all equal:
 * digits that are counted piece by piece make up the keys that a sort of all finds. More ranks than are searched at a time. */
Test(runtime_pieces, counts_digits)
{
    enum { KEYS = 5000, RANKS = 90 };
    static const clprim_type types[] = {CLPRIM_U8, CLPRIM_I16, CLPRIM_BF16, CLPRIM_F32, CLPRIM_I64};
    clprim_runtime *runtime = test_runtime(NULL);
    uint64_t random = TEST_SEED, ranks[RANKS];
    unsigned char *keys = test_allocate(KEYS * 8), *expected = test_allocate(RANKS * 8),
                  *got = test_allocate(RANKS * 8);
    for (size_t k = 0; k < 3 * sizeof types / sizeof *types; k++) {
        const clprim_type type = types[k / 3];
        const size_t size = clprim_type_size(type);
        const clprim_nth_element_desc desc = {.key_type = type,
                                              .descending = type == CLPRIM_I64 || type == CLPRIM_BF16,
                                              .nan_order = type == CLPRIM_F32 ? CLPRIM_NAN_LAST : CLPRIM_NAN_TOTAL,
                                              .index_type = CLPRIM_U64};
        const clprim_reference_nth_element_how how = {
            .key_type = type, .descending = desc.descending, .nan_order = desc.nan_order};
        watch w;
        for (size_t i = 0; i < KEYS * size;
             i++) /* random bits; bytes of zeros and ones, as special floats have; equal */
            keys[i] = (unsigned char)(k % 3 == 0   ? test_random(&random) >> 40
                                      : k % 3 == 1 ? (uint64_t)(test_random_below(&random, 3) * 0x7f + i % 2)
                                                   : 0x80);
        for (size_t r = 0; r < RANKS; r++)
            ranks[r] = r == 0 ? KEYS - 1 : r == 1 ? 0 : test_random_below(&random, KEYS);
        ASSERT_OK(clprim_reference_nth_element(expected, &how, keys, KEYS, ranks, RANKS));
        limit(runtime, &w, KEYS * size / 2 + 4000);
        test_expect_status(clprim_nth_element_run(runtime, &desc,
                                                  &(clprim_nth_element_call){.keys_in = {.host = keys},
                                                                             .count = KEYS,
                                                                             .ranks = {.host = ranks},
                                                                             .rank_count = RANKS,
                                                                             .keys_out = {.host = got}}),
                           CLPRIM_SUCCESS, "", clprim_type_name(type));
        cr_assert(w.calls > 1 || size == 1, "%s: %zu calls", clprim_type_name(type), w.calls);
        test_expect_same(expected, got, size, RANKS, clprim_type_name(type));
    }
    clprim_runtime_destroy(runtime);
    free(keys);
    free(expected);
    free(got);
}

static int by_value(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Set operations are cut among equal keys, too, of which one array has more than the other: keys and values must be those
 * of the whole call. The keys are images of floats, with both zeros and NaNs, or few numbers. */
Test(runtime_pieces, pairs_equal_keys)
{
    enum { MOST = 6000, LIMIT = 3000 /* keys of both arrays that fit */ };
    static const uint32_t specials[] = {0x7fc00000, 0x7fc00001, 0, 0x80000000, 0x3f800000, 0x7f800000, 0xff800000};
    static const uint32_t distinct[] = {1, 2, 7, 300, 1U << 30};
    clprim_runtime *runtime = test_runtime(NULL);
    uint64_t random = TEST_SEED;
    size_t cut = 0; /* how often */
    uint32_t *keys[2], *values[2], *out[2][2];
    for (int k = 0; k < 2; k++) {
        keys[k] = test_allocate(MOST * sizeof(uint32_t));
        values[k] = test_allocate(MOST * sizeof(uint32_t));
        for (int i = 0; i < 2; i++)
            out[k][i] = test_allocate(2 * MOST * sizeof(uint32_t));
    }
    for (size_t round = 0; round < 24; round++) {
        const clprim_set_op op = (clprim_set_op)(round % 4);
        const bool has_b = op == CLPRIM_SET_UNION || op == CLPRIM_SET_SYMMETRIC_DIFFERENCE;
        const bool is_float = round / 4 % 2 != 0;
        const size_t few = round % 5;
        size_t counts[2];
        uint64_t found[2] = {77, 77};
        watch w;
        for (int k = 0; k < 2; k++) {
            counts[k] = round % 7 == (size_t)k ? MOST : test_random_below(&random, MOST + 1);
            for (size_t i = 0; i < counts[k]; i++) {
                keys[k][i] = (uint32_t)test_random_below(&random, is_float ? 7 : distinct[few]);
                values[k][i] = (uint32_t)(i * 2) + (uint32_t)k;
            }
            if (is_float) /* sorted in the total order by the device */
                for (size_t i = 0; i < counts[k]; i++)
                    keys[k][i] = specials[keys[k][i]];
            if (is_float && counts[k] > 0)
                ASSERT_OK(clprim_radix_sort_run(runtime, &(clprim_radix_sort_desc){.key_type = CLPRIM_F32},
                                                &(clprim_radix_sort_call){.keys_in = {.host = keys[k]},
                                                                          .count = counts[k],
                                                                          .keys_out = {.host = keys[k]}}));
            else
                qsort(keys[k], counts[k], sizeof **keys, by_value);
        }
        for (int i = 0; i < 2; i++) {
            limit(runtime, &w, i == 0 ? 0 : LIMIT * 4 * sizeof(uint32_t));
            test_expect_status(
                clprim_set_operation_run(runtime,
                                         &(clprim_set_operation_desc){.key_type = is_float ? CLPRIM_F32 : CLPRIM_U32,
                                                                      .op = op,
                                                                      .value_size = sizeof(uint32_t),
                                                                      .index_type = CLPRIM_U64},
                                         &(clprim_set_operation_call){.a_keys = {.host = keys[0]},
                                                                      .a_values = {.host = values[0]},
                                                                      .a_count = counts[0],
                                                                      .b_keys = {.host = keys[1]},
                                                                      .b_values = {.host = has_b ? values[1] : NULL},
                                                                      .b_count = counts[1],
                                                                      .keys_out = {.host = out[0][i]},
                                                                      .values_out = {.host = out[1][i]},
                                                                      .out_count = {.host = &found[i]}}),
                CLPRIM_SUCCESS, "", "a set operation");
            cut += i == 1 && w.calls > 1;
        }
        cr_assert_eq(found[0], found[1], "round %zu: %zu, not %zu", round, (size_t)found[1], (size_t)found[0]);
        for (int k = 0; k < 2; k++)
            test_expect_same(out[k][0], out[k][1], sizeof(uint32_t), (size_t)found[0], k == 0 ? "keys" : "values");
    }
    cr_assert_gt(cut, 10);
    clprim_runtime_destroy(runtime);
    for (int k = 0; k < 2; k++) {
        free(keys[k]);
        free(values[k]);
        for (int i = 0; i < 2; i++)
            free(out[k][i]);
    }
}

/* Operators that keep the order and have no identity; an initial value; and an output expression for the result of all
 * pieces. */
Test(runtime_pieces, folds_in_order)
{
    typedef struct affine {
        uint32_t a, b;
    } affine;
    static const clprim_custom_op then = {.type_name = "affine",
                                          .type_size = sizeof(affine),
                                          .source = "typedef struct { uint a, b; } affine;",
                                          .combine = "(affine){a.a * b.a, a.b * b.a + b.b}",
                                          .non_commutative = true};
    clprim_runtime *runtime = test_runtime(NULL);
    affine *in = test_allocate(COUNT * sizeof *in), *out = test_allocate(COUNT * sizeof *out), sum = {3, 5};
    const affine initial = sum;
    uint32_t result = 0;
    watch w;
    for (size_t i = 0; i < COUNT; i++)
        in[i] = (affine){(uint32_t)i | 1, (uint32_t)i * 7};
    limit(runtime, &w, COUNT * 4);
    ASSERT_OK(clprim_reduce_run(
        runtime,
        &(clprim_reduce_desc){.custom = &then, .output = "r.a ^ r.b", .output_type = CLPRIM_U32, .initial = &initial},
        &(clprim_reduce_call){.in = {.host = in}, .count = COUNT, .out = {.host = &result}}));
    cr_assert_gt(w.calls, 2);
    ASSERT_OK(clprim_scan_run(runtime, &(clprim_scan_desc){.custom = &then, .exclusive = true, .initial = &initial},
                              &(clprim_scan_call){.in = {.host = in}, .count = COUNT, .out = {.host = out}}));
    for (size_t i = 0; i < COUNT; i++) {
        cr_assert(out[i].a == sum.a && out[i].b == sum.b, "prefix %zu", i);
        sum = (affine){sum.a * in[i].a, sum.b * in[i].a + in[i].b};
    }
    cr_assert_eq(result, sum.a ^ sum.b);
    clprim_runtime_destroy(runtime);
    free(in);
    free(out);
}

/* Segments that end with a piece, segments that continue in the next piece, and a segment that spans several pieces. */
Test(runtime_pieces, scans_segments)
{
    clprim_runtime *runtime = test_runtime(NULL);
    uint32_t *in = numbers(COUNT);
    uint8_t *flags = test_allocate(COUNT);
    uint32_t *keys = test_allocate(COUNT * sizeof *keys), *out = test_allocate(COUNT * sizeof *out);
    for (size_t i = 0; i < COUNT; i++) {
        flags[i] = (i < COUNT / 4 || i > COUNT / 4 * 3) && in[i] % 5 == 0;
        keys[i] = i > 0 ? keys[i - 1] + flags[i] : 0;
    }
    for (int k = 0; k < 4; k++) {
        const bool is_exclusive = k % 2 != 0, by_key = k / 2 != 0;
        const clprim_scan_desc desc = {.type = CLPRIM_U32,
                                       .exclusive = is_exclusive,
                                       .segments = by_key ? CLPRIM_SEGMENTS_BY_KEY : CLPRIM_SEGMENTS_BY_FLAG,
                                       .segments_type = by_key ? CLPRIM_U32 : CLPRIM_U8};
        watch w;
        limit(runtime, &w, COUNT * 3);
        ASSERT_OK(clprim_scan_run(runtime, &desc,
                                  &(clprim_scan_call){.in = {.host = in},
                                                      .heads = {.host = by_key ? (void *)keys : flags},
                                                      .count = COUNT,
                                                      .out = {.host = out}}));
        cr_assert_gt(w.calls, 4);
        uint32_t sum = 0;
        for (size_t i = 0; i < COUNT; i++) {
            sum = flags[i] != 0 ? 0 : sum;
            const uint32_t expected = is_exclusive ? sum : sum + in[i];
            cr_assert_eq(out[i], expected, "case %d, element %zu: %u, not %u", k, i, out[i], expected);
            sum += in[i];
        }
    }
    clprim_runtime_destroy(runtime);
    free(in);
    free(flags);
    free(keys);
    free(out);
}

/* An operator that distinguishes segments, after an initial value. */
Test(runtime_pieces, scans_what_sees_segments)
{
    static const clprim_custom_op add = {
        .combine = "across_segment ? b : a + b", .identity = "0u", .non_commutative = true};
    clprim_runtime *runtime = test_runtime(NULL);
    uint32_t *in = numbers(COUNT), *whole = test_allocate(COUNT * sizeof *whole),
             *out = test_allocate(COUNT * sizeof *out);
    uint8_t *flags = test_allocate(COUNT);
    const uint32_t initial = 77;
    for (size_t i = 0; i < COUNT; i++)
        flags[i] = in[i] % 1000 == 0;
    const clprim_scan_desc desc = {.type = CLPRIM_U32,
                                   .custom = &add,
                                   .initial = &initial,
                                   .segments = CLPRIM_SEGMENTS_BY_FLAG,
                                   .sees_segments = true};
    clprim_scan_call call = {.in = {.host = in}, .heads = {.host = flags}, .count = COUNT, .out = {.host = whole}};
    watch w;
    limit(runtime, &w, 0);
    ASSERT_OK(clprim_scan_run(runtime, &desc, &call));
    limit(runtime, &w, COUNT * 3);
    call.out.host = out;
    ASSERT_OK(clprim_scan_run(runtime, &desc, &call));
    cr_assert_gt(w.calls, 4);
    test_expect_same(whole, out, sizeof *out, COUNT, "in pieces");
    clprim_runtime_destroy(runtime);
    free(in);
    free(flags);
    free(whole);
    free(out);
}

/* Runs that continue in the next piece, or through several pieces: sums of another type than the values, by a custom
 * operator, of values from an expression. */
Test(runtime_pieces, reduces_runs)
{
    static const clprim_custom_op add = {.combine = "a + b", .non_commutative = true};
    static const clprim_reduce_by_key_desc rows[] = {
        {.key_type = CLPRIM_U16, .type = CLPRIM_U32, .accumulator_type = CLPRIM_U64, .index_type = CLPRIM_U64},
        {.key_type = CLPRIM_U16, .type = CLPRIM_U32, .custom = &add},
        {.key_type = CLPRIM_U16,
         .type = CLPRIM_U32,
         .input = "x[i] + 1",
         .text.parameters = {{"x", CLPRIM_U32, .is_array = true}}},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    uint32_t *in = numbers(COUNT);
    uint16_t *keys = test_allocate(COUNT * sizeof *keys), *keys_out = test_allocate(COUNT * sizeof *keys_out);
    uint64_t *out = test_allocate(COUNT * sizeof *out), *expected = test_allocate(COUNT * sizeof *expected);
    for (size_t i = 0; i < COUNT; i++)
        keys[i] = (uint16_t)(i == 0 ? 0 : keys[i - 1] + (i < COUNT / 2 && in[i] % 7 == 0));
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const size_t size = k == 0 ? sizeof *out : sizeof(uint32_t);
        uint64_t runs = 0;
        size_t num_expected = 0;
        clprim_reduce_by_key_call call = {.keys_in = {.host = keys},
                                          .count = COUNT,
                                          .keys_out = {.host = keys_out},
                                          .values_out = {.host = out},
                                          .out_count = {.host = &runs}};
        *(k == 2 ? &call.arguments[0] : &call.values_in) = (clprim_array){.host = in};
        watch w;
        limit(runtime, &w, COUNT * 3);
        test_expect_status(clprim_reduce_by_key_run(runtime, &rows[k], &call), CLPRIM_SUCCESS, "", "runs");
        cr_assert_gt(w.calls, 4);
        for (size_t i = 0; i < COUNT; i++) {
            if (i == 0 || keys[i] != keys[i - 1])
                expected[num_expected++] = 0;
            expected[num_expected - 1] += in[i] + (k == 2);
        }
        cr_assert_eq(runs, num_expected, "case %zu: %zu runs, not %zu", k, (size_t)runs, num_expected);
        for (size_t i = 0; i < num_expected; i++)
            cr_assert(memcmp((char *)out + i * size, &expected[i], size) == 0 && keys_out[i] == i, "case %zu, run %zu",
                      k, i);
    }
    clprim_runtime_destroy(runtime);
    free(in);
    free(keys);
    free(keys_out);
    free(out);
    free(expected);
}
