/* test_sort_by_key.errors.c: every documented error of making a plan and of a call: its status, a sentence that names
 * what is wrong, and that it leaves everything as it was. */
#include "test_sort_by_key.h"

enum { COUNT = 1000, TO = 2, ARRAYS = 2 };

/* A plan with two arrays of 4 and 12 bytes, one with one array that goes along, and one that wants no keys; arrays that
 * fit, to which each test does one thing wrong. The keys fall from COUNT - 1 to 0; elements say where they were. */
typedef struct setting {
    clprim_runtime *runtime;
    clprim_sort_by_key *gathered;
    clprim_sort_by_key *along;
    clprim_sort_by_key *values_only;
    cl_mem keys_in;
    cl_mem in[ARRAYS];
    test_output keys_out; /* all of it poisoned; there is room for COUNT elements from TO on, and for no more */
    test_output out[ARRAYS];
} setting;

static const size_t sizes[ARRAYS] = {4, 12};

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
    static unsigned char elements[COUNT * 12];
    setting self = {.runtime = test_runtime(NULL)};
    const clprim_sort_by_key_desc gathered = {.num_arrays = 2, .element_sizes = {4, 12}, .max_count = COUNT};
    const clprim_sort_by_key_desc along = {.max_count = COUNT};
    const clprim_sort_by_key_desc values_only = {.values_only = true};
    ASSERT_OK(clprim_sort_by_key_create(&self.gathered, self.runtime, &gathered));
    ASSERT_OK(clprim_sort_by_key_create(&self.along, self.runtime, &along));
    ASSERT_OK(clprim_sort_by_key_create(&self.values_only, self.runtime, &values_only));
    for (uint32_t i = 0; i < COUNT; i++)
        keys[i] = COUNT - 1 - i;
    self.keys_in = test_upload(self.runtime, keys, sizeof keys);
    self.keys_out = poisoned(self.runtime, sizeof *keys);
    for (size_t a = 0; a < ARRAYS; a++) {
        by_key_fill(elements, sizes[a], a, COUNT);
        self.in[a] = test_upload(self.runtime, elements, COUNT * sizes[a]);
        self.out[a] = poisoned(self.runtime, sizes[a]);
    }
    return self;
}

/* The arguments of a call. Those of good_call() are right, but for plans that want no keys. */
typedef struct call {
    cl_command_queue queue;
    cl_mem keys_in;
    size_t keys_in_offset;
    size_t count;
    cl_mem keys_out;
    size_t keys_out_offset;
    clprim_sort_by_key_array arrays[ARRAYS];
    bool without_arrays;
    cl_uint num_waits;
    const cl_event *waits;
} call;

static call good_call(const setting *s)
{
    call c = {.keys_in = s->keys_in, .count = COUNT, .keys_out = s->keys_out.buffer, .keys_out_offset = TO};
    for (size_t a = 0; a < ARRAYS; a++)
        c.arrays[a] = (clprim_sort_by_key_array){.in = s->in[a], .out = s->out[a].buffer, .out_offset = TO};
    return c;
}

static clprim_status enqueue(clprim_sort_by_key *plan, const call *c, cl_event *done)
{
    return clprim_sort_by_key_enqueue(plan, c->queue, c->keys_in, c->keys_in_offset, c->count, c->keys_out,
                                      c->keys_out_offset, c->without_arrays ? NULL : c->arrays, c->num_waits, c->waits,
                                      done);
}

/* The plans still work, whatever was refused before. */
static void check_right(const setting *self, clprim_sort_by_key *plan, size_t num_arrays)
{
    static unsigned char found[(TO + COUNT) * 12];
    static unsigned char expected[COUNT * 12];
    const call right = good_call(self);
    ASSERT_OK(enqueue(plan, &right, NULL));
    for (size_t a = 0; a < num_arrays; a++) {
        by_key_fill(expected, sizes[a], a, COUNT);
        test_read(self->runtime, found, self->out[a].buffer, (TO + COUNT) * sizes[a]);
        for (size_t i = 0; i < COUNT; i++)
            cr_assert(memcmp(found + (TO + i) * sizes[a], expected + (COUNT - 1 - i) * sizes[a], sizes[a]) == 0,
                      "after refusals: array %zu, element %zu", a, i);
        cr_assert_eq(found[TO * sizes[a] - 1], BY_KEY_POISON, "before the results");
    }
}

static void setting_destroy(setting *self)
{
    check_right(self, self->gathered, 2);
    check_right(self, self->along, 1);
    clprim_sort_by_key_destroy(self->gathered);
    clprim_sort_by_key_destroy(self->along);
    clprim_sort_by_key_destroy(self->values_only);
    ASSERT_CL(clReleaseMemObject(self->keys_in));
    test_output_destroy(&self->keys_out);
    for (size_t a = 0; a < ARRAYS; a++) {
        ASSERT_CL(clReleaseMemObject(self->in[a]));
        test_output_destroy(&self->out[a]);
    }
    clprim_runtime_destroy(self->runtime);
}

/* The good call with one thing changed is refused, with a sentence in which the culprit is named: neither the outputs
 * nor *done change. */
#define REFUSED_BY(plan, setting, expected, culprit, ...)                                                              \
    do {                                                                                                               \
        call wrong = good_call(&(setting));                                                                            \
        cl_event never = NULL;                                                                                         \
        __VA_ARGS__;                                                                                                   \
        ASSERT_STATUS(enqueue(plan, &wrong, &never), expected);                                                        \
        cr_assert_not_null(strstr(clprim_last_error(), culprit), "%s: %s", #__VA_ARGS__, clprim_last_error());         \
        cr_assert_null(never);                                                                                         \
        test_output_is_untouched((setting).runtime, &(setting).keys_out, #expected ": " #__VA_ARGS__);                 \
        for (size_t a = 0; a < ARRAYS; a++)                                                                            \
            test_output_is_untouched((setting).runtime, &(setting).out[a], #expected ": " #__VA_ARGS__);               \
    } while (0)

#define GATHERED_REFUSED(setting, expected, culprit, ...)                                                              \
    REFUSED_BY((setting).gathered, setting, expected, culprit, __VA_ARGS__)

/* What is about the keys or the first array is refused with either plan. */
#define REFUSED(setting, expected, culprit, ...)                                                                       \
    do {                                                                                                               \
        REFUSED_BY((setting).gathered, setting, expected, culprit, __VA_ARGS__);                                       \
        REFUSED_BY((setting).along, setting, expected, culprit, __VA_ARGS__);                                          \
    } while (0)

Test(sort_by_key_errors, null_arguments)
{
    setting s = setting_create();
    clprim_sort_by_key *none = NULL;
    size_t bytes = 77;
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "keys_in", wrong.keys_in = NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "keys_out", wrong.keys_out = NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "arrays[0].in", wrong.arrays[0].in = NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "arrays[0].out", wrong.arrays[0].out = NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "arrays is NULL", wrong.without_arrays = true);
    GATHERED_REFUSED(s, CLPRIM_INVALID_ARGUMENT, "arrays[1].in", wrong.arrays[1].in = NULL);
    GATHERED_REFUSED(s, CLPRIM_INVALID_ARGUMENT, "arrays[1].out", wrong.arrays[1].out = NULL);
    REFUSED_BY(NULL, s, CLPRIM_INVALID_ARGUMENT, "plan", (void)0);
    ASSERT_STATUS(clprim_sort_by_key_create(NULL, s.runtime, NULL), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_sort_by_key_create(&none, NULL, NULL), CLPRIM_INVALID_ARGUMENT);
    cr_assert_null(none);
    ASSERT_STATUS(clprim_sort_by_key_scratch_size(NULL, s.along, COUNT), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_sort_by_key_scratch_size(&bytes, NULL, COUNT), CLPRIM_INVALID_ARGUMENT);
    cr_assert_eq(bytes, 77);
    ASSERT_STATUS(clprim_sort_by_key_set_scratch(NULL, s.keys_in), CLPRIM_INVALID_ARGUMENT);
    cr_assert_eq((int)clprim_sort_by_key_plan_variant(NULL), (int)CLPRIM_RADIX_SORT_AUTO);
    clprim_sort_by_key_destroy(NULL);
    setting_destroy(&s);
}

Test(sort_by_key_errors, keys_that_are_not_wanted)
{
    setting s = setting_create();
    for (size_t count = 0; count <= COUNT; count += COUNT) {
        REFUSED_BY(s.values_only, s, CLPRIM_INVALID_ARGUMENT, "keys_out", wrong.count = count);
        REFUSED_BY(s.values_only, s, CLPRIM_INVALID_ARGUMENT, "keys_out", wrong.count = count, wrong.keys_out = NULL);
    }
    setting_destroy(&s);
}

/* Then there is an event all the same, and nothing is written. */
Test(sort_by_key_errors, no_elements_need_no_arrays)
{
    setting s = setting_create();
    clprim_sort_by_key *const all[] = {s.gathered, s.along, s.values_only};
    for (int p = 0; p < 3; p++)
        for (int without = 0; without < 3; without++) {
            cl_event done = NULL;
            call nothing = good_call(&s);
            nothing.count = 0;
            nothing.without_arrays = without == 1;
            if (without > 0)
                nothing.keys_in = nothing.keys_out = NULL;
            if (without == 2)
                nothing.arrays[0] = nothing.arrays[1] = (clprim_sort_by_key_array){.in = NULL};
            if (all[p] == s.values_only) {
                nothing.keys_out = NULL;
                nothing.keys_out_offset = 0;
            }
            ASSERT_OK(enqueue(all[p], &nothing, &done));
            cr_assert_not_null(done);
            ASSERT_CL(clWaitForEvents(1, &done));
            ASSERT_CL(clReleaseEvent(done));
            test_output_is_untouched(s.runtime, &s.keys_out, "no elements");
            for (size_t a = 0; a < ARRAYS; a++)
                test_output_is_untouched(s.runtime, &s.out[a], "no elements");
        }
    setting_destroy(&s);
}

Test(sort_by_key_errors, ranges_past_the_end)
{
    setting s = setting_create();
    cl_mem odd = test_buffer(s.runtime, 12 * COUNT - 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "keys_in", wrong.keys_in_offset = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "keys_in", wrong.keys_in_offset = COUNT, wrong.count = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "keys_out", wrong.keys_out_offset = TO + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "arrays[0].in", wrong.arrays[0].in_offset = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "arrays[0].out", wrong.arrays[0].out_offset = TO + 1);
    GATHERED_REFUSED(s, CLPRIM_INVALID_RANGE, "arrays[1].in", wrong.arrays[1].in_offset = 1);
    GATHERED_REFUSED(s, CLPRIM_INVALID_RANGE, "arrays[1].out", wrong.arrays[1].out_offset = TO + 1);
    GATHERED_REFUSED(s, CLPRIM_INVALID_RANGE, "arrays[1].in", wrong.arrays[1].in = odd);
    /* sums and products that would wrap around to something that fits */
    REFUSED(s, CLPRIM_INVALID_RANGE, "keys_in", wrong.keys_in_offset = SIZE_MAX, wrong.count = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "arrays[0].in", wrong.arrays[0].in_offset = SIZE_MAX / 4 + 1);
    GATHERED_REFUSED(s, CLPRIM_INVALID_RANGE, "arrays[1].out", wrong.arrays[1].out_offset = SIZE_MAX / 12 + 1);
    /* more than the plan was made for */
    REFUSED(s, CLPRIM_INVALID_RANGE, "max_count", wrong.count = COUNT + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "", wrong.count = SIZE_MAX);
    ASSERT_CL(clReleaseMemObject(odd));
    setting_destroy(&s);
}

/* What is written meets what is read, without being the same; or what else is written. */
Test(sort_by_key_errors, overlap)
{
    setting s = setting_create();
    cl_mem keys_out = s.keys_out.buffer;
    cl_mem out = s.out[0].buffer;
    REFUSED(s, CLPRIM_INVALID_OVERLAP, "keys_in", wrong.keys_in = keys_out, wrong.count = TO + 1);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, "keys_in", wrong.keys_in = keys_out, wrong.keys_in_offset = TO - 1);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, "keys_in", wrong.keys_in = out, wrong.keys_in_offset = TO);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, "arrays[0].in", wrong.arrays[0].in = out, wrong.arrays[0].in_offset = TO + 1,
            wrong.count = 2);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, "arrays[0].in", wrong.arrays[0].in = keys_out, wrong.arrays[0].in_offset = TO);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, "arrays[0].out", wrong.arrays[0].out = keys_out);
    GATHERED_REFUSED(s, CLPRIM_INVALID_OVERLAP, "arrays[1].out", wrong.arrays[0].out = s.out[1].buffer);
    GATHERED_REFUSED(s, CLPRIM_INVALID_OVERLAP, "arrays[1].in", wrong.arrays[1].in = out, wrong.count = 4);
    GATHERED_REFUSED(s, CLPRIM_INVALID_OVERLAP, "arrays[0].in", wrong.arrays[0].in = s.out[1].buffer);
    /* what is in place meets another that is written there, or read */
    GATHERED_REFUSED(s, CLPRIM_INVALID_OVERLAP, "arrays[0]", wrong.arrays[0].in = wrong.arrays[0].out = s.out[1].buffer,
                     wrong.arrays[0].in_offset = wrong.arrays[0].out_offset = 3 * TO);
    GATHERED_REFUSED(s, CLPRIM_INVALID_OVERLAP, "keys", wrong.keys_in = wrong.keys_out = s.out[1].buffer,
                     wrong.keys_in_offset = wrong.keys_out_offset = 3 * TO, wrong.arrays[1].in = wrong.keys_in,
                     wrong.arrays[1].in_offset = TO, wrong.arrays[1].out_offset = TO);
    setting_destroy(&s);
}

/* In one buffer side by side they are fine, and what is only read may be read twice: keys 3, 1, 2, then their first
 * array, then three words more, which all are their second one, too. */
Test(sort_by_key_errors, ranges_beside_each_other)
{
    static const uint32_t before[24] = {3, 1, 2, 30, 10, 20, 7, 8, 9};
    static const uint32_t expected[24] = {3,  1,  2,  30, 10, 20, 7, 8, 9, 1, 2, 3,
                                          10, 20, 30, 30, 10, 20, 7, 8, 9, 3, 1, 2};
    const clprim_sort_by_key_desc desc = {.num_arrays = 2, .element_sizes = {4, 12}};
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_sort_by_key *plan = NULL;
    uint32_t found[24];
    ASSERT_OK(clprim_sort_by_key_create(&plan, runtime, &desc));
    cl_mem all = test_upload(runtime, before, sizeof before);
    const clprim_sort_by_key_array apart[2] = {{all, 3, all, 12}, {all, 0, all, 5}};
    const clprim_sort_by_key_array in_place[2] = {{all, 3, all, 3}, {all, 5, all, 5}};
    ASSERT_OK(clprim_sort_by_key_enqueue(plan, NULL, all, 0, 3, all, 9, apart, 0, NULL, NULL));
    test_read(runtime, found, all, sizeof found);
    test_expect_same(expected, found, sizeof *found, 24, "beside each other");
    ASSERT_OK(clprim_sort_by_key_enqueue(plan, NULL, all, 0, 3, all, 0, in_place, 0, NULL, NULL));
    test_read(runtime, found, all, sizeof found);
    test_expect_same(expected + 9, found, sizeof *found, 3, "keys in place beside each other");
    test_expect_same(expected + 12, found + 3, sizeof *found, 3, "arrays in place beside each other");
    clprim_sort_by_key_destroy(plan);
    ASSERT_CL(clReleaseMemObject(all));
    clprim_runtime_destroy(runtime);
}

Test(sort_by_key_errors, buffers_and_queues_of_the_wrong_kind)
{
    setting s = setting_create();
    cl_int code = CL_SUCCESS;
    clprim_runtime *other = test_runtime(NULL);
    cl_mem foreign = test_buffer(other, 12 * (COUNT + TO));
    cl_context context = clprim_runtime_context(s.runtime);
    cl_mem read_only = clCreateBuffer(context, CL_MEM_READ_ONLY, 12 * (COUNT + TO), NULL, &code);
    ASSERT_CL(code);
    cl_mem write_only = clCreateBuffer(context, CL_MEM_WRITE_ONLY, 12 * (COUNT + TO), NULL, &code);
    ASSERT_CL(code);
    REFUSED(s, CLPRIM_INVALID_BUFFER, "keys_in", wrong.keys_in = foreign);
    REFUSED(s, CLPRIM_INVALID_BUFFER, "keys_in", wrong.keys_in = write_only);
    REFUSED(s, CLPRIM_INVALID_BUFFER, "keys_out", wrong.keys_out = read_only);
    REFUSED(s, CLPRIM_INVALID_BUFFER, "arrays[0].in", wrong.arrays[0].in = foreign);
    REFUSED(s, CLPRIM_INVALID_BUFFER, "arrays[0].out", wrong.arrays[0].out = read_only);
    GATHERED_REFUSED(s, CLPRIM_INVALID_BUFFER, "arrays[1].in", wrong.arrays[1].in = write_only);
    GATHERED_REFUSED(s, CLPRIM_INVALID_BUFFER, "arrays[1].out", wrong.arrays[1].out = foreign);
    ASSERT_STATUS(clprim_sort_by_key_set_scratch(s.along, foreign), CLPRIM_INVALID_BUFFER);
    ASSERT_STATUS(clprim_sort_by_key_set_scratch(s.along, read_only), CLPRIM_INVALID_BUFFER);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "queue", wrong.queue = clprim_runtime_queue(other));
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "queue", wrong.queue = clprim_runtime_queue(other), wrong.count = 0);
    /* the right way round they serve */
    call right = good_call(&s);
    right.arrays[0].in = read_only;
    right.arrays[1].out = write_only;
    ASSERT_OK(enqueue(s.gathered, &right, NULL));
    ASSERT_CL(clFinish(clprim_runtime_queue(s.runtime)));
    ASSERT_CL(clReleaseMemObject(foreign));
    ASSERT_CL(clReleaseMemObject(read_only));
    ASSERT_CL(clReleaseMemObject(write_only));
    clprim_runtime_destroy(other);
    setting_destroy(&s);
}

Test(sort_by_key_errors, wait_lists_that_are_none)
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

/* A variant that cannot do it says why. */
Test(sort_by_key_errors, unsupported)
{
    static const clprim_sort_by_key_desc descs[] = {
        {.variant = CLPRIM_RADIX_SORT_SINGLE_GROUP},
        {.variant = CLPRIM_RADIX_SORT_ONESWEEP, .max_count = (size_t)1 << 33},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof descs / sizeof *descs; i++) {
        clprim_sort_by_key *plan = NULL;
        uint32_t keys[2] = {77, 7};
        uint32_t elements[2] = {1, 2};
        void *const arrays[] = {elements};
        ASSERT_STATUS(clprim_sort_by_key_create(&plan, runtime, &descs[i]), CLPRIM_UNSUPPORTED);
        cr_assert_null(plan);
        ASSERT_STATUS(clprim_sort_by_key_host(keys, arrays, runtime, &descs[i], 2), CLPRIM_UNSUPPORTED);
        cr_assert(keys[0] == 77 && keys[1] == 7 && elements[0] == 1, "a refusal must not write");
    }
    clprim_runtime_destroy(runtime);
}
