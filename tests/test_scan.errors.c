/* test_scan.errors.c: every documented error of a scan, and that it leaves everything as it was. */
#include <clprim/scan.h>
#include <stdlib.h>

#include "support.h"

enum { COUNT = 1000, SLOT = 2, SLOTS = SLOT + COUNT + 4, POISON = 0xa5 };

/* Plans for inclusive sums of I32, whole and by head flags of U8, with arrays that fit, to which each test does one
 * thing wrong. */
typedef struct setting {
    clprim_runtime *runtime;
    clprim_scan *plan;
    clprim_scan *by_flags;
    cl_mem in; /* ones */
    cl_mem heads;
    cl_mem out;
} setting;

static void fill(const clprim_runtime *runtime, cl_mem buffer, size_t bytes, const void *pattern, size_t size)
{
    ASSERT_CL(clEnqueueFillBuffer(clprim_runtime_queue(runtime), buffer, pattern, size, 0, bytes, 0, NULL, NULL));
}

static setting setting_create(void)
{
    const int32_t one = 1;
    const uint8_t zero = 0;
    const uint8_t poison = POISON;
    const clprim_scan_desc flagged = {.segments = CLPRIM_SCAN_HEAD_FLAGS};
    setting self = {.runtime = test_runtime(NULL)};
    ASSERT_OK(clprim_scan_create(&self.plan, self.runtime, NULL));
    ASSERT_OK(clprim_scan_create(&self.by_flags, self.runtime, &flagged));
    self.in = test_buffer(self.runtime, COUNT * sizeof(int32_t));
    self.heads = test_buffer(self.runtime, COUNT);
    self.out = test_buffer(self.runtime, SLOTS * sizeof(int32_t));
    fill(self.runtime, self.in, COUNT * sizeof one, &one, sizeof one);
    fill(self.runtime, self.heads, COUNT, &zero, 1);
    fill(self.runtime, self.out, SLOTS * sizeof(int32_t), &poison, 1);
    return self;
}

/* The sums of ones from SLOT on, or with 0 nothing at all. */
static void expect_sums(const setting *self, int32_t count, const char *what)
{
    int32_t expected[SLOTS];
    int32_t got[SLOTS];
    memset(expected, POISON, sizeof expected);
    for (int32_t i = 0; i < count; i++)
        expected[SLOT + i] = i + 1;
    test_read(self->runtime, got, self->out, sizeof got);
    test_expect_same(expected, got, sizeof *got, SLOTS, what);
}

/* The plans still work, whatever was refused before. */
static void setting_destroy(setting *self)
{
    const uint8_t poison = POISON;
    ASSERT_OK(clprim_scan_enqueue(self->plan, NULL, self->in, 0, COUNT, self->out, SLOT, 0, NULL, NULL));
    expect_sums(self, COUNT, "after refusals");
    fill(self->runtime, self->out, SLOTS * sizeof(int32_t), &poison, 1);
    ASSERT_OK(clprim_scan_enqueue_segments(self->by_flags, NULL, self->in, 0, COUNT, self->heads, 0, self->out, SLOT, 0,
                                           NULL, NULL));
    expect_sums(self, COUNT, "by flags, after refusals");
    clprim_scan_destroy(self->plan);
    clprim_scan_destroy(self->by_flags);
    ASSERT_CL(clReleaseMemObject(self->in));
    ASSERT_CL(clReleaseMemObject(self->heads));
    ASSERT_CL(clReleaseMemObject(self->out));
    clprim_runtime_destroy(self->runtime);
}

/* A call that is refused: neither the output nor *done changes. */
#define REFUSED(setting, expected, queue, from, from_offset, count, to, to_offset, num_waits, waits)                   \
    do {                                                                                                               \
        cl_event never = NULL;                                                                                         \
        ASSERT_STATUS(clprim_scan_enqueue((setting).plan, queue, from, from_offset, count, to, to_offset, num_waits,   \
                                          waits, &never),                                                              \
                      expected);                                                                                       \
        cr_assert_null(never);                                                                                         \
        expect_sums(&(setting), 0, #expected);                                                                         \
    } while (0)

#define REFUSED_SEGMENTS(setting, expected, from, count, flags, flags_offset, to, to_offset)                           \
    do {                                                                                                               \
        cl_event never = NULL;                                                                                         \
        ASSERT_STATUS(clprim_scan_enqueue_segments((setting).by_flags, NULL, from, 0, count, flags, flags_offset, to,  \
                                                   to_offset, 0, NULL, &never),                                        \
                      expected);                                                                                       \
        cr_assert_null(never);                                                                                         \
        expect_sums(&(setting), 0, #expected);                                                                         \
    } while (0)

Test(scan_errors, null_arguments)
{
    setting s = setting_create();
    clprim_scan *none = NULL;
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, NULL, NULL, 0, COUNT, s.out, SLOT, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, NULL, s.in, 0, COUNT, NULL, SLOT, 0, NULL);
    REFUSED_SEGMENTS(s, CLPRIM_INVALID_ARGUMENT, NULL, COUNT, s.heads, 0, s.out, SLOT);
    REFUSED_SEGMENTS(s, CLPRIM_INVALID_ARGUMENT, s.in, COUNT, NULL, 0, s.out, SLOT);
    REFUSED_SEGMENTS(s, CLPRIM_INVALID_ARGUMENT, s.in, COUNT, s.heads, 0, NULL, SLOT);
    ASSERT_STATUS(clprim_scan_enqueue(NULL, NULL, s.in, 0, COUNT, s.out, SLOT, 0, NULL, NULL), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_scan_enqueue_segments(NULL, NULL, s.in, 0, COUNT, s.heads, 0, s.out, SLOT, 0, NULL, NULL),
                  CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_scan_create(NULL, s.runtime, NULL), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_scan_create(&none, NULL, NULL), CLPRIM_INVALID_ARGUMENT);
    cr_assert_null(none);
    size_t bytes = 77;
    ASSERT_STATUS(clprim_scan_scratch_size(NULL, s.plan, COUNT), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_scan_scratch_size(&bytes, NULL, COUNT), CLPRIM_INVALID_ARGUMENT);
    cr_assert_eq(bytes, 77);
    ASSERT_STATUS(clprim_scan_set_scratch(NULL, s.in), CLPRIM_INVALID_ARGUMENT);
    setting_destroy(&s);
}

/* Segments are the plan's: it takes them always or never. */
Test(scan_errors, segments_with_the_wrong_plan)
{
    setting s = setting_create();
    cl_event never = NULL;
    ASSERT_STATUS(clprim_scan_enqueue(s.by_flags, NULL, s.in, 0, COUNT, s.out, SLOT, 0, NULL, &never),
                  CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_scan_enqueue_segments(s.plan, NULL, s.in, 0, COUNT, s.heads, 0, s.out, SLOT, 0, NULL, &never),
                  CLPRIM_INVALID_ARGUMENT);
    cr_assert_null(never);
    expect_sums(&s, 0, "the wrong plan");
    setting_destroy(&s);
}

Test(scan_errors, ranges_past_the_end)
{
    setting s = setting_create();
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, s.in, 0, COUNT + 1, s.out, SLOT, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, s.in, 1, COUNT, s.out, SLOT, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, s.in, 0, COUNT, s.out, SLOTS - COUNT + 1, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, s.in, 0, COUNT, s.out, SIZE_MAX, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, s.in, 0, COUNT, s.out, SIZE_MAX / 4 + 1, 0, NULL);
    /* sums and products that would wrap around to something that fits */
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, s.in, 1, SIZE_MAX, s.out, SLOT, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, s.in, SIZE_MAX, 1, s.out, SLOT, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, s.in, SIZE_MAX, SIZE_MAX, s.out, SLOT, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, s.in, 0, SIZE_MAX / 4 + 2, s.out, SLOT, 0, NULL);
    REFUSED_SEGMENTS(s, CLPRIM_INVALID_RANGE, s.in, COUNT, s.heads, 1, s.out, SLOT);
    REFUSED_SEGMENTS(s, CLPRIM_INVALID_RANGE, s.in, COUNT + 1, s.heads, 0, s.out, SLOT);
    REFUSED_SEGMENTS(s, CLPRIM_INVALID_RANGE, s.in, COUNT, s.heads, SIZE_MAX, s.out, SLOT);
    REFUSED_SEGMENTS(s, CLPRIM_INVALID_RANGE, s.in, COUNT, s.heads, SIZE_MAX - COUNT + 2, s.out, SLOT);
    REFUSED_SEGMENTS(s, CLPRIM_INVALID_RANGE, s.in, COUNT, s.heads, 0, s.out, SLOTS - COUNT + 1);
    setting_destroy(&s);
}

/* An element that does not fit whole does not count; and wider elements need more room. */
Test(scan_errors, buffers_that_are_too_small)
{
    setting s = setting_create();
    cl_mem odd = test_buffer(s.runtime, 4 * sizeof(int32_t) + 3);
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, odd, 0, 5, s.out, SLOT, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, s.in, 0, 5, odd, 0, 0, NULL);
    clprim_scan *plan = NULL;
    cl_event never = NULL;
    const clprim_scan_desc wide = {.type = CLPRIM_I32, .accumulator_type = CLPRIM_I64};
    ASSERT_OK(clprim_scan_create(&plan, s.runtime, &wide));
    ASSERT_STATUS(clprim_scan_enqueue(plan, NULL, s.in, 0, COUNT, s.out, 0, 0, NULL, &never), CLPRIM_INVALID_RANGE);
    cr_assert_null(never);
    expect_sums(&s, 0, "I64 where I32 would fit");
    clprim_scan_destroy(plan);
    ASSERT_CL(clReleaseMemObject(odd));
    setting_destroy(&s);
}

Test(scan_errors, overlap)
{
    setting s = setting_create();
    const int32_t two = 2;
    int32_t got[12] = {0};
    static const int32_t expected[12] = {2, 2, 4, 6, 8, 2, 4, 6, 8, 2, 2, 2};
    cl_mem both = test_buffer(s.runtime, 12 * sizeof two);
    fill(s.runtime, both, 12 * sizeof two, &two, sizeof two);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, NULL, both, 0, 10, both, 1, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, NULL, both, 1, 10, both, 0, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, NULL, both, 5, 4, both, 8, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, NULL, both, 5, 4, both, 2, 0, NULL);
    cl_event never = NULL;
    ASSERT_STATUS(clprim_scan_enqueue_segments(s.by_flags, NULL, both, 1, 10, s.heads, 0, both, 0, 0, NULL, &never),
                  CLPRIM_INVALID_OVERLAP);
    cr_assert_null(never);
    /* beside each other in one buffer is fine; so is in place, and so is an empty range */
    ASSERT_OK(clprim_scan_enqueue(s.plan, NULL, both, 5, 4, both, 1, 0, NULL, NULL));
    ASSERT_OK(clprim_scan_enqueue(s.plan, NULL, both, 5, 4, both, 5, 0, NULL, NULL));
    ASSERT_OK(clprim_scan_enqueue(s.plan, NULL, both, 5, 0, both, 5, 0, NULL, NULL));
    test_read(s.runtime, got, both, sizeof got);
    test_expect_same(expected, got, sizeof *got, 12, "where nothing overlaps, or all");
    ASSERT_CL(clReleaseMemObject(both));
    setting_destroy(&s);
}

/* In place takes elements of one size; side by side does not. */
Test(scan_errors, in_place_with_elements_of_another_size)
{
    static const clprim_scan_desc rows[] = {{.type = CLPRIM_U8, .accumulator_type = CLPRIM_U32},
                                            {.type = CLPRIM_F32, .accumulator_type = CLPRIM_F64},
                                            {.type = CLPRIM_I64, .op = CLPRIM_ARGMIN}};
    setting s = setting_create();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t in_size = clprim_type_size(rows[i].type);
        const size_t out_size = test_result_size(rows[i].type, rows[i].op, rows[i].accumulator_type);
        if (!test_is_supported(s.runtime, rows[i].type, rows[i].op, rows[i].accumulator_type))
            continue;
        clprim_scan *plan = NULL;
        cl_event never = NULL;
        ASSERT_OK(clprim_scan_create(&plan, s.runtime, &rows[i]));
        cl_mem both = test_buffer(s.runtime, 32 * out_size);
        ASSERT_STATUS(clprim_scan_enqueue(plan, NULL, both, 0, 16, both, 0, 0, NULL, &never), CLPRIM_INVALID_OVERLAP);
        ASSERT_STATUS(clprim_scan_enqueue(plan, NULL, both, 16 * out_size / in_size - 1, 16, both, 0, 0, NULL, &never),
                      CLPRIM_INVALID_OVERLAP);
        cr_assert_null(never);
        ASSERT_OK(clprim_scan_enqueue(plan, NULL, both, 16 * out_size / in_size, 16, both, 0, 0, NULL, NULL));
        ASSERT_CL(clFinish(clprim_runtime_queue(s.runtime)));
        ASSERT_CL(clReleaseMemObject(both));
        clprim_scan_destroy(plan);
    }
    setting_destroy(&s);
}

/* Flags and keys may be the input, but never the output. */
Test(scan_errors, heads_in_the_output)
{
    setting s = setting_create();
    clprim_scan *by_key = NULL;
    const clprim_scan_desc keyed = {.segments = CLPRIM_SCAN_BY_KEY};
    ASSERT_OK(clprim_scan_create(&by_key, s.runtime, &keyed));
    REFUSED_SEGMENTS(s, CLPRIM_INVALID_OVERLAP, s.in, COUNT, s.out, SLOT * sizeof(int32_t), s.out, SLOT);
    REFUSED_SEGMENTS(s, CLPRIM_INVALID_OVERLAP, s.in, 100, s.out, 399, s.out, 100);
    REFUSED_SEGMENTS(s, CLPRIM_INVALID_OVERLAP, s.in, 100, s.out, 799, s.out, 100);
    ASSERT_STATUS(clprim_scan_enqueue_segments(by_key, NULL, s.in, 0, COUNT, s.in, 0, s.in, 0, 0, NULL, NULL),
                  CLPRIM_INVALID_OVERLAP);
    clprim_scan_destroy(by_key);
    setting_destroy(&s);
}
