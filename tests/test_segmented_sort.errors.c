/* test_segmented_sort.errors.c: every documented error of making a plan and of a call: its status, a sentence that
 * names what is wrong, and that it leaves everything as it was. */
#include "test_segmented_sort.h"

enum { COUNT = 1000, SEGMENTS = 10, TO = 2 };

/* A plan for keys of F32 alone, which is the one that AUTO has in other tests, and one for pairs; with arrays that fit,
 * to which each test does one thing wrong. */
typedef struct setting {
    clprim_runtime *runtime;
    clprim_segmented_sort *alone;
    clprim_segmented_sort *pairs;
    cl_mem keys_in, values_in, offsets;
    test_output keys_out; /* all of it poisoned; there is room for COUNT keys from TO on, and for no more */
    test_output values_out;
} setting;

static test_output poisoned(const clprim_runtime *runtime, size_t size)
{
    test_output self = {.size = size, .slots = TO + COUNT};
    self.buffer = test_buffer(runtime, self.slots * size);
    test_output_poison(runtime, &self);
    return self;
}

static setting setting_create(void)
{
    static float keys[COUNT];
    static uint32_t values[COUNT];
    uint32_t offsets[SEGMENTS + 1];
    setting self = {.runtime = test_runtime(NULL)};
    const clprim_segmented_sort_desc alone = {
        .key_type = CLPRIM_F32, .max_count = COUNT, .max_segments = SEGMENTS, .max_segment_size = COUNT};
    const clprim_segmented_sort_desc pairs = {
        .key_type = CLPRIM_I16, .value_size = 4, .descending = true, .max_count = COUNT, .max_segment_size = COUNT};
    ASSERT_OK(clprim_segmented_sort_create(&self.alone, self.runtime, &alone));
    ASSERT_OK(clprim_segmented_sort_create(&self.pairs, self.runtime, &pairs));
    for (uint32_t i = 0; i < COUNT; i++)
        keys[i] = (float)(COUNT - i);
    for (uint32_t s = 0; s <= SEGMENTS; s++)
        offsets[s] = s * (COUNT / SEGMENTS);
    self.keys_in = test_upload(self.runtime, keys, sizeof keys);
    self.values_in = test_upload(self.runtime, values, sizeof values);
    self.offsets = test_upload(self.runtime, offsets, sizeof offsets);
    self.keys_out = poisoned(self.runtime, sizeof *keys);
    self.values_out = poisoned(self.runtime, sizeof *values);
    return self;
}

/* The arguments of a call. Those of good_call() are right. */
typedef struct call {
    cl_command_queue queue;
    cl_mem keys_in;
    size_t keys_in_offset;
    cl_mem values_in;
    size_t values_in_offset;
    size_t count;
    cl_mem offsets;
    size_t offsets_offset;
    size_t segments;
    cl_mem keys_out;
    size_t keys_out_offset;
    cl_mem values_out;
    size_t values_out_offset;
    cl_uint num_waits;
    const cl_event *waits;
} call;

static call good_call(const setting *s)
{
    return (call){.keys_in = s->keys_in,
                  .values_in = s->values_in,
                  .count = COUNT,
                  .offsets = s->offsets,
                  .segments = SEGMENTS,
                  .keys_out = s->keys_out.buffer,
                  .keys_out_offset = TO,
                  .values_out = s->values_out.buffer,
                  .values_out_offset = TO};
}

static clprim_status alone(clprim_segmented_sort *plan, const call *c, cl_event *done)
{
    return clprim_segmented_sort_enqueue(plan, c->queue, c->keys_in, c->keys_in_offset, c->count, c->offsets,
                                         c->offsets_offset, c->segments, c->keys_out, c->keys_out_offset, c->num_waits,
                                         c->waits, done);
}

static clprim_status pairs(clprim_segmented_sort *plan, const call *c, cl_event *done)
{
    return clprim_segmented_sort_enqueue_pairs(plan, c->queue, c->keys_in, c->keys_in_offset, c->values_in,
                                               c->values_in_offset, c->count, c->offsets, c->offsets_offset,
                                               c->segments, c->keys_out, c->keys_out_offset, c->values_out,
                                               c->values_out_offset, c->num_waits, c->waits, done);
}

/* The plans still work, whatever was refused before. */
static void setting_destroy(setting *self)
{
    float keys[TO + COUNT];
    const call right = good_call(self);
    ASSERT_OK(pairs(self->pairs, &right, NULL));
    ASSERT_OK(alone(self->alone, &right, NULL));
    test_read(self->runtime, keys, self->keys_out.buffer, sizeof keys);
    for (size_t i = 0; i < COUNT; i++) {
        const size_t first = i / (COUNT / SEGMENTS) * (COUNT / SEGMENTS);
        cr_assert_eq(keys[TO + i], (float)(COUNT - (first + COUNT / SEGMENTS - 1 - (i - first))),
                     "after refusals: key %zu is %g", i, (double)keys[TO + i]);
    }
    clprim_segmented_sort_destroy(self->alone);
    clprim_segmented_sort_destroy(self->pairs);
    ASSERT_CL(clReleaseMemObject(self->keys_in));
    ASSERT_CL(clReleaseMemObject(self->values_in));
    ASSERT_CL(clReleaseMemObject(self->offsets));
    test_output_destroy(&self->keys_out);
    test_output_destroy(&self->values_out);
    clprim_runtime_destroy(self->runtime);
}

/* The good call with one thing changed is refused, with a sentence in which the culprit is named: neither the outputs
 * nor *done change. */
#define REFUSED_BY(way, plan, setting, expected, culprit, ...)                                                         \
    do {                                                                                                               \
        call wrong = good_call(&(setting));                                                                            \
        cl_event never = NULL;                                                                                         \
        __VA_ARGS__;                                                                                                   \
        ASSERT_STATUS(way(plan, &wrong, &never), expected);                                                            \
        cr_assert_not_null(strstr(clprim_last_error(), culprit), "%s: %s", #__VA_ARGS__, clprim_last_error());         \
        cr_assert_null(never);                                                                                         \
        test_output_is_untouched((setting).runtime, &(setting).keys_out, #expected ": " #__VA_ARGS__);                 \
        test_output_is_untouched((setting).runtime, &(setting).values_out, #expected ": " #__VA_ARGS__);               \
    } while (0)

#define PAIRS_REFUSED(setting, expected, culprit, ...)                                                                 \
    REFUSED_BY(pairs, (setting).pairs, setting, expected, culprit, __VA_ARGS__)

#define REFUSED(setting, expected, culprit, ...)                                                                       \
    do {                                                                                                               \
        REFUSED_BY(alone, (setting).alone, setting, expected, culprit, __VA_ARGS__);                                   \
        PAIRS_REFUSED(setting, expected, culprit, __VA_ARGS__);                                                        \
    } while (0)

Test(segmented_sort_errors, null_arguments, .timeout = 60)
{
    setting s = setting_create();
    clprim_segmented_sort *none = NULL;
    size_t bytes = 77;
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "keys_in", wrong.keys_in = NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "keys_out", wrong.keys_out = NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "offsets", wrong.offsets = NULL);
    PAIRS_REFUSED(s, CLPRIM_INVALID_ARGUMENT, "values_in", wrong.values_in = NULL);
    PAIRS_REFUSED(s, CLPRIM_INVALID_ARGUMENT, "values_out", wrong.values_out = NULL);
    REFUSED_BY(alone, NULL, s, CLPRIM_INVALID_ARGUMENT, "plan", (void)0);
    REFUSED_BY(pairs, NULL, s, CLPRIM_INVALID_ARGUMENT, "plan", (void)0);
    REFUSED_BY(alone, s.pairs, s, CLPRIM_INVALID_ARGUMENT, "values", (void)0);
    REFUSED_BY(pairs, s.alone, s, CLPRIM_INVALID_ARGUMENT, "values", (void)0);
    const clprim_segmented_sort_desc argsort = {.argsort = true};
    clprim_segmented_sort *indices = NULL;
    ASSERT_OK(clprim_segmented_sort_create(&indices, s.runtime, &argsort));
    REFUSED_BY(pairs, indices, s, CLPRIM_INVALID_ARGUMENT, "values_in", (void)0);
    clprim_segmented_sort_destroy(indices);
    ASSERT_STATUS(clprim_segmented_sort_create(NULL, s.runtime, NULL), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_segmented_sort_create(&none, NULL, NULL), CLPRIM_INVALID_ARGUMENT);
    cr_assert_null(none);
    ASSERT_STATUS(clprim_segmented_sort_scratch_size(NULL, s.alone, COUNT), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_segmented_sort_scratch_size(&bytes, NULL, COUNT), CLPRIM_INVALID_ARGUMENT);
    cr_assert_eq(bytes, 77);
    ASSERT_STATUS(clprim_segmented_sort_set_scratch(NULL, s.keys_in), CLPRIM_INVALID_ARGUMENT);
    cr_assert_eq((int)clprim_segmented_sort_plan_variant(NULL), (int)CLPRIM_SEGMENTED_SORT_AUTO);
    clprim_segmented_sort_destroy(NULL);
    setting_destroy(&s);
}

/* With nothing to do there is an event all the same, and nothing is written. */
Test(segmented_sort_errors, nothing_needs_no_arrays, .timeout = 60)
{
    setting s = setting_create();
    for (int way = 0; way < 4; way++) {
        cl_event done = NULL;
        call nothing = good_call(&s);
        nothing.segments = way % 2 == 0 ? 0 : nothing.segments;
        nothing.count = way % 2 == 0 ? nothing.count : 0;
        nothing.offsets = way % 2 == 0 ? NULL : nothing.offsets;
        if (nothing.count == 0)
            nothing.keys_in = nothing.values_in = nothing.keys_out = nothing.values_out = NULL;
        ASSERT_OK(way < 2 ? alone(s.alone, &nothing, &done) : pairs(s.pairs, &nothing, &done));
        cr_assert_not_null(done);
        ASSERT_CL(clWaitForEvents(1, &done));
        ASSERT_CL(clReleaseEvent(done));
        test_output_is_untouched(s.runtime, &s.keys_out, "nothing to do");
        test_output_is_untouched(s.runtime, &s.values_out, "nothing to do");
    }
    setting_destroy(&s);
}

Test(segmented_sort_errors, ranges, .timeout = 60)
{
    setting s = setting_create();
    REFUSED_BY(alone, s.alone, s, CLPRIM_INVALID_RANGE, "keys_in", wrong.keys_in_offset = 1);
    REFUSED_BY(alone, s.alone, s, CLPRIM_INVALID_RANGE, "keys_out", wrong.keys_out_offset = TO + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "offsets", wrong.offsets_offset = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "offsets", wrong.offsets_offset = SIZE_MAX);
    REFUSED_BY(alone, s.alone, s, CLPRIM_INVALID_RANGE, "max_segments", wrong.segments = SEGMENTS + 1);
    PAIRS_REFUSED(s, CLPRIM_INVALID_RANGE, "offsets", wrong.segments = SEGMENTS + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "", wrong.segments = SIZE_MAX);
    REFUSED(s, CLPRIM_INVALID_RANGE, "max_count", wrong.count = COUNT + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "", wrong.count = SIZE_MAX);
    PAIRS_REFUSED(s, CLPRIM_INVALID_RANGE, "values_in", wrong.values_in_offset = 1);
    PAIRS_REFUSED(s, CLPRIM_INVALID_RANGE, "values_out", wrong.values_out_offset = TO + 1);
    REFUSED_BY(alone, s.alone, s, CLPRIM_INVALID_RANGE, "keys_in", wrong.keys_in_offset = SIZE_MAX / 4 + 1);
    setting_destroy(&s);
}

/* What is written meets what is read, without being the same; or what else is written. */
Test(segmented_sort_errors, overlap, .timeout = 60)
{
    setting s = setting_create();
    REFUSED(s, CLPRIM_INVALID_OVERLAP, "keys_in", wrong.keys_in = wrong.keys_out, wrong.count = TO + 1);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, "offsets", wrong.offsets = wrong.keys_out);
    PAIRS_REFUSED(s, CLPRIM_INVALID_OVERLAP, "offsets", wrong.offsets = wrong.values_out);
    PAIRS_REFUSED(s, CLPRIM_INVALID_OVERLAP, "values_in", wrong.values_in = wrong.values_out, wrong.count = TO + 1);
    PAIRS_REFUSED(s, CLPRIM_INVALID_OVERLAP, "values_in", wrong.values_in = wrong.keys_out, wrong.count = 3);
    PAIRS_REFUSED(s, CLPRIM_INVALID_OVERLAP, "keys_in", wrong.keys_in = wrong.values_out, wrong.count = 9);
    PAIRS_REFUSED(s, CLPRIM_INVALID_OVERLAP, "keys_out", wrong.keys_out = wrong.values_out, wrong.count = 5);
    setting_destroy(&s);
}

Test(segmented_sort_errors, buffers_queues_and_events, .timeout = 60)
{
    setting s = setting_create();
    clprim_runtime *other = test_runtime(NULL);
    cl_mem foreign = test_buffer(other, 8 * COUNT);
    cl_int code = CL_SUCCESS;
    cl_mem read_only =
        clCreateBuffer(clprim_runtime_context(s.runtime), CL_MEM_READ_ONLY, 8 * (TO + COUNT), NULL, &code);
    ASSERT_CL(code);
    cl_mem write_only =
        clCreateBuffer(clprim_runtime_context(s.runtime), CL_MEM_WRITE_ONLY, 8 * (TO + COUNT), NULL, &code);
    ASSERT_CL(code);
    const cl_event none = NULL;
    REFUSED(s, CLPRIM_INVALID_BUFFER, "keys_in", wrong.keys_in = foreign);
    REFUSED(s, CLPRIM_INVALID_BUFFER, "offsets", wrong.offsets = foreign);
    REFUSED(s, CLPRIM_INVALID_BUFFER, "offsets", wrong.offsets = write_only);
    REFUSED(s, CLPRIM_INVALID_BUFFER, "keys_out", wrong.keys_out = read_only);
    PAIRS_REFUSED(s, CLPRIM_INVALID_BUFFER, "values_out", wrong.values_out = read_only);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "queue", wrong.queue = clprim_runtime_queue(other));
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "waits", wrong.num_waits = 1);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "waits", wrong.waits = &none);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "waits", wrong.num_waits = 1, wrong.waits = &none);
    ASSERT_STATUS(clprim_segmented_sort_set_scratch(s.alone, foreign), CLPRIM_INVALID_BUFFER);
    ASSERT_CL(clReleaseMemObject(foreign));
    ASSERT_CL(clReleaseMemObject(read_only));
    ASSERT_CL(clReleaseMemObject(write_only));
    clprim_runtime_destroy(other);
    setting_destroy(&s);
}

/* Descriptions that make no sense, or that a variant is not for; the sentence names what is wrong. */
Test(segmented_sort_errors, descriptions)
{
    static const struct {
        clprim_segmented_sort_desc desc;
        clprim_status status;
        const char *culprit;
    } rows[] = {
        {{.key_type = CLPRIM_TYPE_END}, CLPRIM_INVALID_ARGUMENT, "key_type"},
        {{.value_size = 3}, CLPRIM_INVALID_ARGUMENT, "value_size"},
        {{.argsort = true, .value_size = 2}, CLPRIM_INVALID_ARGUMENT, "value_size"},
        {{.argsort = true, .value_size = 4, .max_count = (size_t)1 << 33}, CLPRIM_INVALID_ARGUMENT, "8"},
        {{.offsets_type = CLPRIM_I32}, CLPRIM_INVALID_ARGUMENT, "offsets_type"},
        {{.offsets_type = CLPRIM_TYPE_END}, CLPRIM_INVALID_ARGUMENT, "offsets_type"},
        {{.max_segments = UINT32_MAX}, CLPRIM_INVALID_ARGUMENT, "max_segments"},
        {{.variant = (clprim_segmented_sort_variant)-1}, CLPRIM_INVALID_ARGUMENT, "variant"},
        {{.variant = (clprim_segmented_sort_variant)SEGMENT_VARIANTS}, CLPRIM_INVALID_ARGUMENT, "variant"},
        {{.work_group_size = 3}, CLPRIM_INVALID_ARGUMENT, "work_group_size"},
        {{.variant = CLPRIM_SEGMENTED_SORT_LOCAL}, CLPRIM_UNSUPPORTED, "max_segment_size"},
        {{.variant = CLPRIM_SEGMENTED_SORT_LOCAL, .max_segment_size = SIZE_MAX}, CLPRIM_UNSUPPORTED, "segments"},
        {{.variant = CLPRIM_SEGMENTED_SORT_MIXED, .max_count = (size_t)1 << 33}, CLPRIM_UNSUPPORTED, "max_count"},
        {{.variant = CLPRIM_SEGMENTED_SORT_CPU_CHUNK, .max_count = (size_t)1 << 33}, CLPRIM_UNSUPPORTED, "max_count"},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clprim_segmented_sort *plan = NULL;
        uint32_t keys[2] = {7, 5};
        const uint32_t offsets[2] = {0, 2};
        ASSERT_STATUS(clprim_segmented_sort_create(&plan, runtime, &rows[i].desc), rows[i].status);
        cr_assert_not_null(strstr(clprim_last_error(), rows[i].culprit), "row %zu: %s", i, clprim_last_error());
        cr_assert_null(plan);
        ASSERT_STATUS(clprim_segmented_sort_host(keys, NULL, runtime, &rows[i].desc, 2, offsets, 1), rows[i].status);
        cr_assert(keys[0] == 7 && keys[1] == 5, "row %zu: a refusal must not write", i);
    }
    clprim_runtime_destroy(runtime);
}
