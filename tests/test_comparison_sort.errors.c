/* test_comparison_sort.errors.c: every documented error of making a plan and of a call: its status, a sentence that
 * names what is wrong, and that it leaves everything as it was. */
#include "test_comparison_sort.h"

enum { COUNT = 1000, TO = 2 };

/* A plan for keys of U32 alone, one for pairs with values of U64, with arrays that fit, to
 * which each test does one thing wrong. The keys fall from COUNT - 1 to 0, each value is its key's square. */
typedef struct setting {
    clprim_runtime *runtime;
    clprim_comparison_sort *alone;
    clprim_comparison_sort *pairs;
    cl_mem keys_in;
    cl_mem values_in;
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
    static uint32_t keys[COUNT];
    static uint64_t values[COUNT];
    setting self = {.runtime = test_runtime(NULL)};
    const clprim_comparison_sort_desc alone = {.max_count = COUNT};
    const clprim_comparison_sort_desc pairs = {.value_size = sizeof *values, .max_count = COUNT};
    ASSERT_OK(clprim_comparison_sort_create(&self.alone, self.runtime, &alone));
    ASSERT_OK(clprim_comparison_sort_create(&self.pairs, self.runtime, &pairs));
    for (uint32_t i = 0; i < COUNT; i++) {
        keys[i] = COUNT - 1 - i;
        values[i] = (uint64_t)keys[i] * keys[i];
    }
    self.keys_in = test_upload(self.runtime, keys, sizeof keys);
    self.values_in = test_upload(self.runtime, values, sizeof values);
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
                  .keys_out = s->keys_out.buffer,
                  .keys_out_offset = TO,
                  .values_out = s->values_out.buffer,
                  .values_out_offset = TO};
}

/* The ways to call: with keys alone, and with pairs. */
static clprim_status alone(clprim_comparison_sort *plan, const call *c, cl_event *done)
{
    return clprim_comparison_sort_enqueue(plan, c->queue, c->keys_in, c->keys_in_offset, c->count, c->keys_out,
                                          c->keys_out_offset, c->num_waits, c->waits, done);
}

static clprim_status pairs(clprim_comparison_sort *plan, const call *c, cl_event *done)
{
    return clprim_comparison_sort_enqueue_pairs(plan, c->queue, c->keys_in, c->keys_in_offset, c->values_in,
                                                c->values_in_offset, c->count, c->keys_out, c->keys_out_offset,
                                                c->values_out, c->values_out_offset, c->num_waits, c->waits, done);
}

/* The plans still work, whatever was refused before. */
static void check_right(const setting *self, clprim_status (*way)(clprim_comparison_sort *, const call *, cl_event *),
                        clprim_comparison_sort *plan)
{
    static uint32_t keys[TO + COUNT];
    static uint64_t values[TO + COUNT];
    const call right = good_call(self);
    test_output_poison(self->runtime, &self->keys_out);
    test_output_poison(self->runtime, &self->values_out);
    ASSERT_OK(way(plan, &right, NULL));
    test_read(self->runtime, keys, self->keys_out.buffer, sizeof keys);
    test_read(self->runtime, values, self->values_out.buffer, sizeof values);
    for (uint32_t i = 0; i < COUNT; i++) {
        cr_assert_eq(keys[TO + i], i, "after refusals: key %u is %u", i, keys[TO + i]);
        if (way == pairs)
            cr_assert_eq(values[TO + i], (uint64_t)i * i, "after refusals: value %u", i);
    }
    cr_assert_eq(keys[TO - 1], 0xa5a5a5a5U, "before the results");
}

static void setting_destroy(setting *self)
{
    check_right(self, alone, self->alone);
    check_right(self, pairs, self->pairs);
    clprim_comparison_sort_destroy(self->alone);
    clprim_comparison_sort_destroy(self->pairs);
    ASSERT_CL(clReleaseMemObject(self->keys_in));
    ASSERT_CL(clReleaseMemObject(self->values_in));
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

/* What is about values alone is refused with pairs, all else with keys alone, too. */
#define REFUSED(setting, expected, culprit, ...)                                                                       \
    do {                                                                                                               \
        REFUSED_BY(alone, (setting).alone, setting, expected, culprit, __VA_ARGS__);                                   \
        PAIRS_REFUSED(setting, expected, culprit, __VA_ARGS__);                                                        \
    } while (0)

Test(comparison_sort_errors, null_arguments)
{
    setting s = setting_create();
    clprim_comparison_sort *none = NULL;
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "keys_in", wrong.keys_in = NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "keys_out", wrong.keys_out = NULL);
    PAIRS_REFUSED(s, CLPRIM_INVALID_ARGUMENT, "values_in", wrong.values_in = NULL);
    PAIRS_REFUSED(s, CLPRIM_INVALID_ARGUMENT, "values_out", wrong.values_out = NULL);
    REFUSED_BY(alone, NULL, s, CLPRIM_INVALID_ARGUMENT, "plan", (void)0);
    REFUSED_BY(pairs, NULL, s, CLPRIM_INVALID_ARGUMENT, "plan", (void)0);
    ASSERT_STATUS(clprim_comparison_sort_create(NULL, s.runtime, NULL), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_comparison_sort_create(&none, NULL, NULL), CLPRIM_INVALID_ARGUMENT);
    cr_assert_null(none);
    clprim_comparison_sort_destroy(NULL);
    setting_destroy(&s);
}

/* Each enqueue is for plans of its kind. */
Test(comparison_sort_errors, values_for_a_plan_without_and_none_for_one_with)
{
    setting s = setting_create();
    for (size_t count = 0; count <= COUNT; count += COUNT) {
        REFUSED_BY(alone, s.pairs, s, CLPRIM_INVALID_ARGUMENT, "values", wrong.count = count);
        REFUSED_BY(pairs, s.alone, s, CLPRIM_INVALID_ARGUMENT, "values", wrong.count = count);
    }
    setting_destroy(&s);
}

/* Then there is an event all the same, and nothing is written. */
Test(comparison_sort_errors, no_elements_need_no_arrays)
{
    setting s = setting_create();
    for (int way = 0; way < 2; way++)
        for (int with_arrays = 0; with_arrays < 2; with_arrays++) {
            cl_event done = NULL;
            call nothing = good_call(&s);
            nothing.count = 0;
            if (!with_arrays)
                nothing.keys_in = nothing.values_in = nothing.keys_out = nothing.values_out = NULL;
            ASSERT_OK(way == 0 ? alone(s.alone, &nothing, &done) : pairs(s.pairs, &nothing, &done));
            cr_assert_not_null(done);
            ASSERT_CL(clWaitForEvents(1, &done));
            ASSERT_CL(clReleaseEvent(done));
            test_output_is_untouched(s.runtime, &s.keys_out, "no elements");
            test_output_is_untouched(s.runtime, &s.values_out, "no elements");
        }
    setting_destroy(&s);
}

Test(comparison_sort_errors, ranges_past_the_end)
{
    setting s = setting_create();
    REFUSED(s, CLPRIM_INVALID_RANGE, "keys_in", wrong.keys_in_offset = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "keys_in", wrong.keys_in_offset = COUNT, wrong.count = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "keys_out", wrong.keys_out_offset = TO + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "keys_out", wrong.keys_out_offset = TO + COUNT, wrong.count = 1);
    PAIRS_REFUSED(s, CLPRIM_INVALID_RANGE, "values_in", wrong.values_in_offset = 1);
    PAIRS_REFUSED(s, CLPRIM_INVALID_RANGE, "values_out", wrong.values_out_offset = TO + 1);
    /* sums and products that would wrap around to something that fits */
    REFUSED(s, CLPRIM_INVALID_RANGE, "keys_in", wrong.keys_in_offset = SIZE_MAX, wrong.count = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "keys_in", wrong.keys_in_offset = SIZE_MAX / 4 + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "keys_out", wrong.keys_out_offset = SIZE_MAX - COUNT + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "keys_out", wrong.keys_out_offset = SIZE_MAX / 4 + 1);
    PAIRS_REFUSED(s, CLPRIM_INVALID_RANGE, "values_in", wrong.values_in_offset = SIZE_MAX / 8 + 1);
    PAIRS_REFUSED(s, CLPRIM_INVALID_RANGE, "values_out", wrong.values_out_offset = SIZE_MAX / 8 + 1);
    setting_destroy(&s);
}

/* Too many for the arrays and for the plan; too many for the plan alone; and an element that does not fit whole. */
Test(comparison_sort_errors, counts)
{
    setting s = setting_create();
    cl_mem larger = test_buffer(s.runtime, 8 * (COUNT + 1));
    cl_mem larger_out = test_buffer(s.runtime, 8 * (COUNT + 1));
    cl_mem odd = test_buffer(s.runtime, 8 * COUNT - 1);
    cl_mem odd_keys = test_buffer(s.runtime, 4 * COUNT - 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "1001", wrong.count = COUNT + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "", wrong.count = SIZE_MAX);
    REFUSED(s, CLPRIM_INVALID_RANGE, "", wrong.count = SIZE_MAX / 4 + 2);
    REFUSED_BY(alone, s.alone, s, CLPRIM_INVALID_RANGE, "max_count", wrong.keys_in = larger,
               wrong.keys_out = larger_out, wrong.keys_out_offset = 0, wrong.count = COUNT + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "keys_in", wrong.keys_in = odd_keys);
    REFUSED(s, CLPRIM_INVALID_RANGE, "keys_out", wrong.keys_out = odd_keys, wrong.keys_out_offset = 0);
    PAIRS_REFUSED(s, CLPRIM_INVALID_RANGE, "values_in", wrong.values_in = odd);
    PAIRS_REFUSED(s, CLPRIM_INVALID_RANGE, "values_out", wrong.values_out = odd, wrong.values_out_offset = 0);
    ASSERT_CL(clReleaseMemObject(larger));
    ASSERT_CL(clReleaseMemObject(larger_out));
    ASSERT_CL(clReleaseMemObject(odd));
    ASSERT_CL(clReleaseMemObject(odd_keys));
    setting_destroy(&s);
}

/* What is written meets what is read, without being the same; or what else is written. */
Test(comparison_sort_errors, overlap)
{
    setting s = setting_create();
    const cl_buffer_region region = {clprim_runtime_info(s.runtime)->base_address_alignment, 800};
    const size_t place = region.origin / sizeof(uint64_t);
    cl_int code = CL_SUCCESS;
    REFUSED(s, CLPRIM_INVALID_OVERLAP, "keys_in", wrong.keys_in = wrong.keys_out, wrong.count = TO + 1);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, "keys_in", wrong.keys_in = wrong.keys_out, wrong.keys_in_offset = TO + 1,
            wrong.count = 2);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, "keys_in", wrong.keys_in = wrong.keys_out, wrong.keys_in_offset = TO - 1);
    PAIRS_REFUSED(s, CLPRIM_INVALID_OVERLAP, "values_in", wrong.values_in = wrong.values_out, wrong.count = TO + 1);
    PAIRS_REFUSED(s, CLPRIM_INVALID_OVERLAP, "values_in", wrong.values_in = wrong.values_out,
                  wrong.values_in_offset = TO - 1);
    PAIRS_REFUSED(s, CLPRIM_INVALID_OVERLAP, "values_in", wrong.values_in = wrong.keys_out, wrong.count = 3);
    PAIRS_REFUSED(s, CLPRIM_INVALID_OVERLAP, "keys_in", wrong.keys_in = wrong.values_out, wrong.count = 5);
    PAIRS_REFUSED(s, CLPRIM_INVALID_OVERLAP, "keys_out", wrong.keys_out = wrong.values_out, wrong.count = 3);
    /* in place does not make up for values there, too */
    PAIRS_REFUSED(s, CLPRIM_INVALID_OVERLAP, "keys", wrong.keys_in = wrong.keys_out = wrong.values_out,
                  wrong.keys_in_offset = wrong.keys_out_offset = 2 * TO, wrong.count = 1);
    PAIRS_REFUSED(s, CLPRIM_INVALID_OVERLAP, "values", wrong.values_in = wrong.values_out = wrong.keys_out,
                  wrong.values_in_offset = wrong.values_out_offset = 0, wrong.count = 5);
    /* a sub-buffer is a part of its buffer */
    cl_mem part =
        clCreateSubBuffer(s.values_out.buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    ASSERT_CL(code);
    PAIRS_REFUSED(s, CLPRIM_INVALID_OVERLAP, "values_in", wrong.values_in = part, wrong.count = 100,
                  wrong.values_out_offset = place + 99);
    ASSERT_CL(clReleaseMemObject(part));
    setting_destroy(&s);
}

/* In one buffer side by side they are fine: keys 3, 1, 2 and their values, to their right. */
Test(comparison_sort_errors, ranges_beside_each_other)
{
    static const uint32_t before[12] = {3, 1, 2, 30, 10, 20};
    static const uint32_t expected[12] = {3, 1, 2, 30, 10, 20, 1, 2, 3, 10, 20, 30};
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_comparison_sort *plan = NULL;
    const clprim_comparison_sort_desc desc = {.value_size = sizeof(uint32_t)};
    uint32_t found[12];
    ASSERT_OK(clprim_comparison_sort_create(&plan, runtime, &desc));
    cl_mem all = test_upload(runtime, before, sizeof before);
    ASSERT_OK(clprim_comparison_sort_enqueue_pairs(plan, NULL, all, 0, all, 3, 3, all, 6, all, 9, 0, NULL, NULL));
    test_read(runtime, found, all, sizeof found);
    test_expect_same(expected, found, sizeof *found, 12, "beside each other");
    ASSERT_OK(clprim_comparison_sort_enqueue_pairs(plan, NULL, all, 0, all, 3, 3, all, 0, all, 3, 0, NULL, NULL));
    test_read(runtime, found, all, sizeof found);
    test_expect_same(expected + 6, found, sizeof *found, 6, "in place beside each other");
    clprim_comparison_sort_destroy(plan);
    ASSERT_CL(clReleaseMemObject(all));
    clprim_runtime_destroy(runtime);
}

Test(comparison_sort_errors, buffers_and_queues_of_the_wrong_kind)
{
    setting s = setting_create();
    cl_int code = CL_SUCCESS;
    clprim_runtime *other = test_runtime(NULL);
    cl_mem foreign = test_buffer(other, 8 * (COUNT + TO));
    cl_context context = clprim_runtime_context(s.runtime);
    cl_mem read_only = clCreateBuffer(context, CL_MEM_READ_ONLY, 8 * (COUNT + TO), NULL, &code);
    ASSERT_CL(code);
    cl_mem write_only = clCreateBuffer(context, CL_MEM_WRITE_ONLY, 8 * (COUNT + TO), NULL, &code);
    ASSERT_CL(code);
    REFUSED(s, CLPRIM_INVALID_BUFFER, "keys_in", wrong.keys_in = foreign);
    REFUSED(s, CLPRIM_INVALID_BUFFER, "keys_out", wrong.keys_out = foreign);
    REFUSED(s, CLPRIM_INVALID_BUFFER, "keys_in", wrong.keys_in = write_only);
    REFUSED(s, CLPRIM_INVALID_BUFFER, "keys_out", wrong.keys_out = read_only);
    PAIRS_REFUSED(s, CLPRIM_INVALID_BUFFER, "values_in", wrong.values_in = foreign);
    PAIRS_REFUSED(s, CLPRIM_INVALID_BUFFER, "values_in", wrong.values_in = write_only);
    PAIRS_REFUSED(s, CLPRIM_INVALID_BUFFER, "values_out", wrong.values_out = foreign);
    PAIRS_REFUSED(s, CLPRIM_INVALID_BUFFER, "values_out", wrong.values_out = read_only);
    /* elements are merged in the output */
    REFUSED(s, CLPRIM_INVALID_BUFFER, "keys_out", wrong.keys_out = write_only);
    PAIRS_REFUSED(s, CLPRIM_INVALID_BUFFER, "values_out", wrong.values_out = write_only);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "queue", wrong.queue = clprim_runtime_queue(other));
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "queue", wrong.queue = clprim_runtime_queue(other), wrong.count = 0);
    /* the right way round they serve */
    call right = good_call(&s);
    right.keys_in = read_only;
    ASSERT_OK(pairs(s.pairs, &right, NULL));
    ASSERT_CL(clFinish(clprim_runtime_queue(s.runtime)));
    ASSERT_CL(clReleaseMemObject(foreign));
    ASSERT_CL(clReleaseMemObject(read_only));
    ASSERT_CL(clReleaseMemObject(write_only));
    clprim_runtime_destroy(other);
    setting_destroy(&s);
}

Test(comparison_sort_errors, wait_lists_that_are_none)
{
    setting s = setting_create();
    cl_int code = CL_SUCCESS;
    cl_event event = clCreateUserEvent(clprim_runtime_context(s.runtime), &code);
    ASSERT_CL(code);
    ASSERT_CL(clSetUserEventStatus(event, CL_COMPLETE));
    const cl_event holed[] = {event, NULL};
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "wait", wrong.num_waits = 1);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "wait", wrong.waits = &event);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "wait", wrong.num_waits = 2, wrong.waits = holed);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "wait", wrong.num_waits = 1, wrong.count = 0);
    ASSERT_CL(clReleaseEvent(event));
    setting_destroy(&s);
}

/* A variant that cannot do it says why; so does AUTO, where none can. */
Test(comparison_sort_errors, unsupported)
{
    static const struct {
        clprim_comparison_sort_desc desc;
        const char *culprit;
    } rows[] = {
        {{.variant = CLPRIM_COMPARISON_SORT_MERGE_NETWORK, .stable = true}, "stable"},
        {{.variant = CLPRIM_COMPARISON_SORT_BITONIC, .stable = true}, "stable"},
        {{.variant = CLPRIM_COMPARISON_SORT_SAMPLE_SORT, .stable = true}, "stable"},
        {{.variant = CLPRIM_COMPARISON_SORT_SAMPLE_SORT, .max_count = (size_t)1 << 32}, "max_count"},
        {{.variant = CLPRIM_COMPARISON_SORT_SAMPLE_SORT, .in_place_only = true}, "in_place_only"},
        {{.variant = CLPRIM_COMPARISON_SORT_RADIX, .less = "a < b"}, "less"},
        {{.variant = CLPRIM_COMPARISON_SORT_MERGE_PATH, .in_place_only = true}, "in_place_only"},
        {{.variant = CLPRIM_COMPARISON_SORT_MERGE_NETWORK, .in_place_only = true}, "in_place_only"},
        {{.variant = CLPRIM_COMPARISON_SORT_RADIX, .in_place_only = true}, "in_place_only"},
        {{.variant = CLPRIM_COMPARISON_SORT_CPU_CHUNK, .in_place_only = true}, "in_place_only"},
        {{.stable = true, .in_place_only = true, .less = "a < b"}, "in_place_only"},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clprim_comparison_sort *plan = NULL;
        uint32_t keys[2] = {77, 7};
        ASSERT_STATUS(clprim_comparison_sort_create(&plan, runtime, &rows[i].desc), CLPRIM_UNSUPPORTED);
        cr_assert_not_null(strstr(clprim_last_error(), rows[i].culprit), "row %zu: %s", i, clprim_last_error());
        cr_assert_null(plan);
        ASSERT_STATUS(clprim_comparison_sort_host(keys, NULL, runtime, &rows[i].desc, 2), CLPRIM_UNSUPPORTED);
        cr_assert(keys[0] == 77 && keys[1] == 7, "a refusal must not write");
    }
    clprim_runtime_destroy(runtime);
}

/* What AUTO is, as the header has it. BITONIC alone takes no scratch memory for so many elements. */
Test(comparison_sort_errors, automatic)
{
    clprim_runtime *runtime = test_runtime(NULL);
    const bool is_cpu = clprim_runtime_info(runtime)->kind == CLPRIM_DEVICE_CPU;
    const struct {
        clprim_comparison_sort_desc desc;
        clprim_comparison_sort_variant expected;
    } rows[] = {
        {{.max_count = COUNT}, is_cpu ? CLPRIM_COMPARISON_SORT_RADIX : CLPRIM_COMPARISON_SORT_BITONIC},
        {{.stable = true, .value_size = 8}, CLPRIM_COMPARISON_SORT_RADIX},
        {{.stable = true, .in_place_only = true}, CLPRIM_COMPARISON_SORT_BITONIC},
        {{.stable = true, .type = CLPRIM_U16, .value_size = 2, .less = "a < b"},
         is_cpu ? CLPRIM_COMPARISON_SORT_CPU_CHUNK : CLPRIM_COMPARISON_SORT_MERGE_PATH},
        {{.type = CLPRIM_U16, .value_size = 2, .less = "a < b"},
         is_cpu ? CLPRIM_COMPARISON_SORT_CPU_CHUNK : CLPRIM_COMPARISON_SORT_SAMPLE_SORT},
        {{.type = CLPRIM_U16, .value_size = 2, .less = "a < b", .max_count = 100 * COUNT},
         is_cpu ? CLPRIM_COMPARISON_SORT_CPU_CHUNK : CLPRIM_COMPARISON_SORT_MERGE_NETWORK},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clprim_comparison_sort *plan = NULL;
        size_t bytes = 1;
        ASSERT_OK(clprim_comparison_sort_create(&plan, runtime, &rows[i].desc));
        cr_assert_eq((int)clprim_comparison_sort_plan_variant(plan), (int)rows[i].expected, "row %zu: %s", i,
                     comparison_variant_name(clprim_comparison_sort_plan_variant(plan)));
        ASSERT_OK(clprim_comparison_sort_scratch_size(&bytes, plan, 100 * COUNT));
        cr_assert((bytes == 0) == (rows[i].expected == CLPRIM_COMPARISON_SORT_BITONIC), "row %zu: %zu bytes", i, bytes);
        clprim_comparison_sort_destroy(plan);
    }
    clprim_runtime_destroy(runtime);
}

Test(comparison_sort_errors, scratch_memory)
{
    setting s = setting_create();
    clprim_runtime *other = test_runtime(NULL);
    cl_mem foreign = test_buffer(other, 4096);
    size_t bytes = 77;
    ASSERT_STATUS(clprim_comparison_sort_scratch_size(NULL, s.alone, COUNT), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_comparison_sort_scratch_size(&bytes, NULL, COUNT), CLPRIM_INVALID_ARGUMENT);
    cr_assert_eq(bytes, 77);
    ASSERT_STATUS(clprim_comparison_sort_set_scratch(NULL, NULL), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_comparison_sort_set_scratch(s.alone, foreign), CLPRIM_INVALID_BUFFER);
    ASSERT_CL(clReleaseMemObject(foreign));
    clprim_runtime_destroy(other);
    setting_destroy(&s);
}

/* Where the mistake is, is named as a file. */
Test(comparison_sort_errors, texts_that_do_not_compile)
{
    static const struct {
        clprim_comparison_sort_desc desc;
        const char *culprit;
    } rows[] = {
        {{.less = "a << < b"}, "less"},
        {{.less = "a.x < b.x"}, "less"},
        {{.less = "a < unknown", .type = CLPRIM_F32}, "less"},
        {{.less = "a < b", .source = "typedef nothing;;; x"}, "source"},
        {{.less = "a.x < b.x", .source = "typedef struct { int x; } t;", .type_name = "t", .type_size = 8},
         "type_size_differs_from_the_host"},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clprim_comparison_sort *plan = NULL;
        ASSERT_STATUS(clprim_comparison_sort_create(&plan, runtime, &rows[i].desc), CLPRIM_BUILD_FAILED);
        cr_assert_not_null(strstr(clprim_last_error(), rows[i].culprit), "row %zu: %s", i, clprim_last_error());
        cr_assert_null(plan);
    }
    clprim_runtime_destroy(runtime);
}
