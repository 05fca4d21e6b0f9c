/* test_histogram.errors.c: every documented error of a call, and that it leaves everything as it was; the caller's own
 * mappings, right and wrong. */
#include "test_histogram.h"

enum { COUNT = 1000, BINS = 60, TO = 2 };

/* A plan that counts and one that adds up weights of U64, with arrays that fit, to which each test does one thing
 * wrong. All elements are 7, all weights 3. */
typedef struct setting {
    clprim_runtime *runtime;
    clprim_histogram *plan;
    clprim_histogram *weighted;
    cl_mem in;
    cl_mem weights;
    test_output out; /* all of it poisoned; there is room for BINS sums from TO on, and for no more */
    test_output outside;
} setting;

static cl_mem filled(const clprim_runtime *runtime, uint64_t value, size_t size, size_t count)
{
    cl_mem buffer = test_buffer(runtime, count * size);
    ASSERT_CL(clEnqueueFillBuffer(clprim_runtime_queue(runtime), buffer, &value, size, 0, count * size, 0, NULL, NULL));
    return buffer;
}

static setting setting_create(void)
{
    setting self = {.runtime = test_runtime(NULL)};
    const clprim_histogram_desc counting = {.bins = BINS, .counter_type = CLPRIM_U64, .max_count = COUNT};
    const clprim_histogram_desc weighing = {.bins = BINS, .weights_type = CLPRIM_U64, .max_count = COUNT};
    ASSERT_OK(clprim_histogram_create(&self.plan, self.runtime, &counting));
    ASSERT_OK(clprim_histogram_create(&self.weighted, self.runtime, &weighing));
    self.in = filled(self.runtime, 7, 1, COUNT);
    self.weights = filled(self.runtime, 3, sizeof(uint64_t), COUNT);
    self.out = test_output_create(self.runtime, sizeof(uint64_t), 0);
    self.out.slots = TO + BINS;
    ASSERT_CL(clReleaseMemObject(self.out.buffer));
    self.out.buffer = test_buffer(self.runtime, self.out.slots * self.out.size);
    test_output_poison(self.runtime, &self.out);
    self.outside = test_output_create(self.runtime, sizeof(cl_ulong), 2);
    return self;
}

/* The arguments of a call. Those of good_call() are right. */
typedef struct call {
    cl_command_queue queue;
    cl_mem in;
    size_t in_offset;
    size_t count;
    cl_mem weights;
    size_t weights_offset;
    cl_mem out;
    size_t out_offset;
    cl_mem outside;
    size_t outside_offset;
    cl_uint num_waits;
    const cl_event *waits;
} call;

static call good_call(const setting *s)
{
    return (call){.in = s->in,
                  .count = COUNT,
                  .weights = s->weights,
                  .out = s->out.buffer,
                  .out_offset = TO,
                  .outside = s->outside.buffer,
                  .outside_offset = 2};
}

static clprim_status counting(clprim_histogram *plan, const call *c, cl_event *done)
{
    return clprim_histogram_enqueue(plan, c->queue, c->in, c->in_offset, c->count, c->out, c->out_offset, c->outside,
                                    c->outside_offset, c->num_waits, c->waits, done);
}

static clprim_status weighing(clprim_histogram *plan, const call *c, cl_event *done)
{
    return clprim_histogram_enqueue_weighted(plan, c->queue, c->in, c->in_offset, c->count, c->weights,
                                             c->weights_offset, c->out, c->out_offset, c->outside, c->outside_offset,
                                             c->num_waits, c->waits, done);
}

/* The plans still work, whatever was refused before; also where there is nothing to count. */
static void check_right(const setting *self, bool weighted, size_t count)
{
    static uint64_t out[TO + BINS];
    cl_ulong outside = 99;
    call right = good_call(self);
    right.count = count;
    right.in = count > 0 ? right.in : NULL;
    right.weights = count > 0 ? right.weights : NULL;
    test_output_poison(self->runtime, &self->out);
    test_output_poison(self->runtime, &self->outside);
    ASSERT_OK(weighted ? weighing(self->weighted, &right, NULL) : counting(self->plan, &right, NULL));
    test_output_read(self->runtime, &self->outside, &outside, "after refusals");
    cr_assert_eq(outside, 0);
    test_read(self->runtime, out, self->out.buffer, sizeof out);
    for (size_t i = 0; i < TO + BINS; i++)
        cr_assert_eq(out[i],
                     i < TO        ? UINT64_C(0xa5a5a5a5a5a5a5a5)
                     : i == TO + 7 ? count * (weighted ? 3 : 1)
                                   : 0,
                     "after refusals: counter %zu", i);
}

static void setting_destroy(setting *self)
{
    for (int weighted = 0; weighted < 2; weighted++) {
        check_right(self, weighted != 0, COUNT);
        check_right(self, weighted != 0, 0);
    }
    clprim_histogram_destroy(self->plan);
    clprim_histogram_destroy(self->weighted);
    ASSERT_CL(clReleaseMemObject(self->in));
    ASSERT_CL(clReleaseMemObject(self->weights));
    test_output_destroy(&self->out);
    test_output_destroy(&self->outside);
    clprim_runtime_destroy(self->runtime);
}

/* The good call with one thing changed is refused, with weights and, unless it is only about these, without: neither
 * the outputs nor *done change. */
#define REFUSED_BY(way, plan, setting, expected, ...)                                                                  \
    do {                                                                                                               \
        call wrong = good_call(&(setting));                                                                            \
        cl_event never = NULL;                                                                                         \
        __VA_ARGS__;                                                                                                   \
        ASSERT_STATUS(way(plan, &wrong, &never), expected);                                                            \
        cr_assert_null(never);                                                                                         \
        test_output_is_untouched((setting).runtime, &(setting).out, #expected ": " #__VA_ARGS__);                      \
        test_output_is_untouched((setting).runtime, &(setting).outside, #expected ": " #__VA_ARGS__);                  \
    } while (0)

#define WEIGHTS_REFUSED(setting, expected, ...) REFUSED_BY(weighing, (setting).weighted, setting, expected, __VA_ARGS__)

#define REFUSED(setting, expected, ...)                                                                                \
    do {                                                                                                               \
        REFUSED_BY(counting, (setting).plan, setting, expected, __VA_ARGS__);                                          \
        WEIGHTS_REFUSED(setting, expected, __VA_ARGS__);                                                               \
    } while (0)

Test(histogram_errors, null_arguments)
{
    setting s = setting_create();
    clprim_histogram *none = NULL;
    size_t bytes = 77;
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.in = NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.out = NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.out = NULL, wrong.count = 0);
    WEIGHTS_REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.weights = NULL);
    REFUSED_BY(counting, NULL, s, CLPRIM_INVALID_ARGUMENT, (void)0);
    REFUSED_BY(weighing, NULL, s, CLPRIM_INVALID_ARGUMENT, (void)0);
    ASSERT_STATUS(clprim_histogram_create(NULL, s.runtime, NULL), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_histogram_create(&none, NULL, NULL), CLPRIM_INVALID_ARGUMENT);
    cr_assert_null(none);
    ASSERT_STATUS(clprim_histogram_scratch_size(NULL, s.plan, COUNT), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_histogram_scratch_size(&bytes, NULL, COUNT), CLPRIM_INVALID_ARGUMENT);
    cr_assert_eq(bytes, 77);
    ASSERT_STATUS(clprim_histogram_set_scratch(NULL, s.in), CLPRIM_INVALID_ARGUMENT);
    clprim_histogram_destroy(NULL);
    setting_destroy(&s);
}

/* Each enqueue is for plans of its kind. */
Test(histogram_errors, weights_for_a_plan_without_and_none_for_one_with)
{
    setting s = setting_create();
    REFUSED_BY(counting, s.weighted, s, CLPRIM_INVALID_ARGUMENT, (void)0);
    REFUSED_BY(weighing, s.plan, s, CLPRIM_INVALID_ARGUMENT, (void)0);
    REFUSED_BY(counting, s.weighted, s, CLPRIM_INVALID_ARGUMENT, wrong.count = 0);
    REFUSED_BY(weighing, s.plan, s, CLPRIM_INVALID_ARGUMENT, wrong.count = 0);
    setting_destroy(&s);
}

Test(histogram_errors, ranges)
{
    setting s = setting_create();
    cl_mem larger = filled(s.runtime, 7, 1, 8 * (COUNT + 1));
    cl_mem odd = test_buffer(s.runtime, 8 * COUNT - 1);
    cl_mem tiny = test_buffer(s.runtime, 7);
    cl_mem almost = test_buffer(s.runtime, 8 * BINS - 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.count = COUNT + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.in_offset = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.in_offset = COUNT + 1, wrong.count = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.out_offset = TO + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.out_offset = TO + 1, wrong.count = 0);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.outside_offset = s.outside.slots);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.outside_offset = s.outside.slots, wrong.count = 0);
    WEIGHTS_REFUSED(s, CLPRIM_INVALID_RANGE, wrong.weights_offset = 1);
    /* more than .max_count, although there is room */
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.in = larger, wrong.weights = larger, wrong.count = COUNT + 1);
    /* what does not fit whole does not count */
    WEIGHTS_REFUSED(s, CLPRIM_INVALID_RANGE, wrong.weights = odd);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.out = almost, wrong.out_offset = 0);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.outside = tiny, wrong.outside_offset = 0);
    /* sums and products that would wrap around to something that fits */
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.in_offset = SIZE_MAX, wrong.count = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.count = SIZE_MAX);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.out_offset = SIZE_MAX / 8 + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.outside_offset = SIZE_MAX / 8 + 1);
    WEIGHTS_REFUSED(s, CLPRIM_INVALID_RANGE, wrong.weights_offset = SIZE_MAX / 8 + 1, wrong.count = 1);
    ASSERT_CL(clReleaseMemObject(larger));
    ASSERT_CL(clReleaseMemObject(odd));
    ASSERT_CL(clReleaseMemObject(tiny));
    ASSERT_CL(clReleaseMemObject(almost));
    setting_destroy(&s);
}

/* The ranges, here all in the buffer for the output: what is read and written, and what is written twice. */
Test(histogram_errors, overlap)
{
    setting s = setting_create();
    REFUSED(s, CLPRIM_INVALID_OVERLAP, wrong.in = wrong.out, wrong.count = 2 * 8 + 1);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, wrong.in = wrong.out, wrong.in_offset = 8 * (TO + BINS) - 1, wrong.count = 1);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, wrong.outside = wrong.out, wrong.outside_offset = TO);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, wrong.outside = wrong.out, wrong.outside_offset = TO + BINS - 1,
            wrong.count = 0);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, wrong.in = wrong.outside, wrong.in_offset = 23, wrong.count = 1);
    WEIGHTS_REFUSED(s, CLPRIM_INVALID_OVERLAP, wrong.weights = wrong.out, wrong.count = 3);
    WEIGHTS_REFUSED(s, CLPRIM_INVALID_OVERLAP, wrong.weights = wrong.outside, wrong.weights_offset = 2,
                    wrong.count = 1);
    /* beside each other they are fine */
    call right = good_call(&s);
    right.in = right.weights = right.outside = right.out;
    right.count = 1;
    right.outside_offset = 1;
    cl_ulong found[TO + BINS];
    ASSERT_OK(counting(s.plan, &right, NULL));
    ASSERT_OK(weighing(s.weighted, &right, NULL));
    test_read(s.runtime, found, s.out.buffer, sizeof found);
    cr_assert(found[1] == 1 && found[TO] == 0, "0xa5 is in no bin");
    setting_destroy(&s);
}

Test(histogram_errors, buffers_and_queues_of_the_wrong_kind)
{
    setting s = setting_create();
    cl_int code = CL_SUCCESS;
    clprim_runtime *other = test_runtime(NULL);
    cl_mem foreign = test_buffer(other, 8 * (COUNT + TO));
    cl_mem read_only =
        clCreateBuffer(clprim_runtime_context(s.runtime), CL_MEM_READ_ONLY, 8 * (COUNT + TO), NULL, &code);
    ASSERT_CL(code);
    cl_mem write_only =
        clCreateBuffer(clprim_runtime_context(s.runtime), CL_MEM_WRITE_ONLY, 8 * (COUNT + TO), NULL, &code);
    ASSERT_CL(code);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.in = foreign);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.out = foreign);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.outside = foreign);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.out = read_only);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.outside = read_only);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.in = write_only);
    WEIGHTS_REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.weights = foreign);
    WEIGHTS_REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.weights = write_only);
    ASSERT_STATUS(clprim_histogram_set_scratch(s.plan, foreign), CLPRIM_INVALID_BUFFER);
    ASSERT_STATUS(clprim_histogram_set_scratch(s.plan, read_only), CLPRIM_INVALID_BUFFER);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.queue = clprim_runtime_queue(other));
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.queue = clprim_runtime_queue(other), wrong.count = 0);
    ASSERT_CL(clReleaseMemObject(foreign));
    ASSERT_CL(clReleaseMemObject(read_only));
    ASSERT_CL(clReleaseMemObject(write_only));
    clprim_runtime_destroy(other);
    setting_destroy(&s);
}

Test(histogram_errors, wait_lists_that_are_none)
{
    setting s = setting_create();
    cl_int code = CL_SUCCESS;
    cl_event event = clCreateUserEvent(clprim_runtime_context(s.runtime), &code);
    ASSERT_CL(code);
    ASSERT_CL(clSetUserEventStatus(event, CL_COMPLETE));
    const cl_event holed[] = {event, NULL};
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.num_waits = 1);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.waits = &event);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.num_waits = 2, wrong.waits = holed);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.num_waits = 1, wrong.count = 0);
    ASSERT_CL(clReleaseEvent(event));
    setting_destroy(&s);
}

/* Texts of several lines, with declarations, and values that an int would make a bin of. */
Test(histogram_errors, mappings_of_the_callers)
{
    static const int32_t in[] = {-9, 0, 1, 2, 3, 0x10001, 7, 7};
    static const struct {
        const char *bin_of, *source;
        uint32_t expected[4];
        uint64_t outside;
    } rows[] = {
        {"\n  x > LIMIT // large\n  ? -1 /* none */ : third(x)",
         "#define LIMIT limits[1]\n__constant int limits[2] = {5, 6};\n"
         "static inline int third(int a)\n{\n    return a / 3;\n}",
         {3, 1, 0, 0},
         4},
        {"((long)x << 32) + 2", NULL, {0, 0, 1, 0}, 7},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const clprim_histogram_desc desc = {.type = CLPRIM_I32,
                                            .mapping = CLPRIM_HISTOGRAM_CUSTOM,
                                            .bins = 4,
                                            .bin_of = rows[i].bin_of,
                                            .source = rows[i].source};
        uint32_t out[4];
        uint64_t outside = 99;
        ASSERT_OK(clprim_histogram_host(out, &outside, runtime, &desc, in, NULL, 8));
        test_expect_same(rows[i].expected, out, sizeof *out, 4, rows[i].bin_of);
        cr_assert_eq(outside, rows[i].outside, "%s: %llu", rows[i].bin_of, (unsigned long long)outside);
    }
    clprim_runtime_destroy(runtime);
}

/* The compiler's log names the text with the mistake, and its line. */
Test(histogram_errors, mistakes_are_located)
{
    static const struct {
        const char *bin_of, *source, *place;
    } rows[] = {
        {"x + missing", NULL, "bin_of:1"},
        {"\nx +\n missing", NULL, "bin_of:3"},
        {"x + 1;", NULL, "bin_of"},
        {"fine(x)", "typedef int fine;\ntypedef missing broken;", "source:2"},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    for (int variant = CLPRIM_HISTOGRAM_AUTO; variant < HISTOGRAM_VARIANTS; variant++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            clprim_histogram *plan = NULL;
            const clprim_histogram_desc desc = {.type = CLPRIM_I32,
                                                .mapping = CLPRIM_HISTOGRAM_CUSTOM,
                                                .bins = 4,
                                                .bin_of = rows[i].bin_of,
                                                .source = rows[i].source,
                                                .variant = (clprim_histogram_variant)variant};
            uint32_t out[4] = {77, 77, 77, 77};
            uint64_t outside = 99;
            if (i > 0 && (int)i % HISTOGRAM_VARIANTS != variant && !test_is_full()) /* the first by all */
                continue;
            const clprim_status status = clprim_histogram_create(&plan, runtime, &desc);
            cr_assert_null(plan);
            if (status == CLPRIM_UNSUPPORTED && variant != CLPRIM_HISTOGRAM_AUTO)
                continue;
            cr_assert_eq((int)status, (int)CLPRIM_BUILD_FAILED, "row %zu: %s", i, clprim_status_string(status));
            cr_assert_not_null(strstr(clprim_last_error(), rows[i].place), "%s is not named in: %s", rows[i].place,
                               clprim_last_error());
            if (variant == CLPRIM_HISTOGRAM_AUTO)
                ASSERT_STATUS(clprim_histogram_host(out, &outside, runtime, &desc, NULL, NULL, 0), CLPRIM_BUILD_FAILED);
            cr_assert(out[0] == 77 && out[3] == 77 && outside == 99, "a refusal must not write");
        }
    clprim_runtime_destroy(runtime);
}

/* Texts and boundaries are the plan's own copies. */
Test(histogram_errors, the_description_may_go_once_the_plan_is_made)
{
    static const int32_t data[] = {-5, 0, 3, 4, 9, 12};
    static const uint32_t expected[2][2] = {{2, 1}, {1, 1}};
    clprim_runtime *runtime = test_runtime(NULL);
    cl_mem in = test_upload(runtime, data, sizeof data);
    cl_mem out = test_buffer(runtime, 2 * sizeof(uint32_t));
    for (int custom = 0; custom < 2; custom++) {
        char bin_of[] = "x < 9 ? quarter(x) : -1";
        char source[] = "static int quarter(int a) { return (a >> 1) - 1; }";
        double boundaries[] = {0, 3.5, 4.5};
        uint32_t found[2];
        clprim_histogram *plan = NULL;
        clprim_histogram_desc desc = {.type = CLPRIM_I32,
                                      .mapping = custom ? CLPRIM_HISTOGRAM_CUSTOM : CLPRIM_HISTOGRAM_BOUNDARIES,
                                      .bins = 2,
                                      .boundaries = boundaries,
                                      .bin_of = bin_of,
                                      .source = source};
        ASSERT_OK(clprim_histogram_create(&plan, runtime, &desc));
        memset(bin_of, '?', sizeof bin_of);
        memset(source, '?', sizeof source);
        memset(boundaries, 0xff, sizeof boundaries);
        memset(&desc, 0xff, sizeof desc);
        ASSERT_OK(clprim_histogram_enqueue(plan, NULL, in, 0, 6, out, 0, NULL, 0, 0, NULL, NULL));
        test_read(runtime, found, out, sizeof found);
        test_expect_same(expected[custom], found, sizeof *found, 2, custom ? "custom" : "boundaries");
        clprim_histogram_destroy(plan);
    }
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    clprim_runtime_destroy(runtime);
}
