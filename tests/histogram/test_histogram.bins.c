/* test_histogram.bins.c: where bins begin and end, how many of them there may be, and how much a bin can hold. */
#include <math.h>
#include <stdlib.h>

#include "test_histogram.h"

/* All bytes, or all that 16 bits can hold, in an order of their own. */
static void *all_values(size_t size)
{
    const size_t n = (size_t)1 << (8 * size);
    unsigned char *values = test_allocate(n * size);
    for (size_t i = 0; i < n; i++) {
        const uint16_t value = (uint16_t)(i * 40503);
        memcpy(values + i * size, &value, size);
    }
    return values;
}

/* Where each bin begins, and the integers to either side: bin b begins at b * width / bins, rounded up. Of the width,
 * which may be 2^64, the last integer below it is given. */
static void *all_edges(const clprim_histogram_desc *desc, uint64_t low, uint64_t last)
{
    const uint64_t bins = desc->bins;
    const uint64_t remainder = last % bins + 1 == bins ? 0 : last % bins + 1;
    const uint64_t quotient = last / bins + (remainder == 0);
    const size_t size = clprim_type_size(desc->type);
    unsigned char *values = test_allocate(3 * desc->bins * size);
    for (uint64_t i = 0; i < 3 * bins; i++) {
        const uint64_t value = low + i / 3 * quotient + (i / 3 * remainder + bins - 1) / bins + i % 3 - 1;
        memcpy(values + i * size, &value, size);
    }
    return values;
}

Test(histogram_bins, even_bins_of_integers_are_exact)
{
    static const struct {
        clprim_type type;
        double low, high;
        size_t bins;
        bool only_in_full;
    } rows[] = {
        {CLPRIM_I8, -128, 128, 10, false},
        {CLPRIM_I16, -32768, 32768, 1000, true},
        {CLPRIM_I64, -0x1p63, 0x1p63, 1000, false},
        {CLPRIM_U64, 0, 0x1p64, 777, false},
        {CLPRIM_I64, -0x1p62 - 0x1p20, 0x1p60 + 0x1p10, 12345, false},
        {CLPRIM_I32, -1000003, 0x1p31, 257, false},
        {CLPRIM_I8, -1000, 1000, 99, true}, /* wider than the type */
        {CLPRIM_U8, -3, 5, 8, true},
        {CLPRIM_U16, 0, 65536, 3, true},
        {CLPRIM_U32, 0, 0x1p32, 1000, true},
        {CLPRIM_U64, 0, 0x1p64, 1, true},
        {CLPRIM_U64, 0x1p63, 0x1p64, 65536, true},
        {CLPRIM_U64, 0, 0x1p64, (1 << 20) - 1, true},
        {CLPRIM_I64, 0, 3, 2, true},
        {CLPRIM_I64, -5, 6, 1000, true}, /* more bins than integers */
    };
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_call self;
        const clprim_histogram_desc desc = {.type = rows[i].type,
                                            .mapping = CLPRIM_HISTOGRAM_EVEN,
                                            .bins = rows[i].bins,
                                            .low = rows[i].low,
                                            .high = rows[i].high};
        const size_t size = clprim_type_size(desc.type);
        const size_t count = size <= 2 ? (size_t)1 << (8 * size) : 3 * desc.bins;
        if (rows[i].only_in_full && !test_is_full())
            continue;
        const uint64_t low = desc.low < 0 ? (uint64_t)(int64_t)desc.low : (uint64_t)desc.low;
        const uint64_t high = desc.high >= 0x1p64 ? 0 : (uint64_t)desc.high;
        void *values = size <= 2 ? all_values(size) : all_edges(&desc, low, high - low - 1);
        cr_assert(histogram_create(&self, runtime, desc));
        histogram_check(&self, values, SPREAD_END, count, 1, i);
        test_call_destroy(&self);
        free(values);
    }
    clprim_runtime_destroy(runtime);
}

/* Denormals, zeros of either sign, infinities and NaNs where a bin begins at 0. */
Test(histogram_bins, specials_around_zero)
{
    static const double boundaries[] = {-0.0, 0.0, 0x1p-1060, 0x1p-149, 0x1p-140, 0x1p-20, 1.0, HUGE_VAL};
    clprim_runtime *runtime = test_runtime(NULL);
    for (int type = CLPRIM_F16; type <= CLPRIM_F64; type++)
        for (int even = 0; even < 2; even++) {
            test_call self;
            clprim_histogram_desc desc = {
                .type = (clprim_type)type, .mapping = CLPRIM_HISTOGRAM_BOUNDARIES, .bins = 7, .boundaries = boundaries};
            if (even != 0)
                desc = (clprim_histogram_desc){
                    .type = (clprim_type)type, .mapping = CLPRIM_HISTOGRAM_EVEN, .bins = 7, .high = 1};
            if (!histogram_create(&self, runtime, desc))
                continue;
            for (int spread = SPREAD_EDGES; spread < SPREAD_END; spread++)
                histogram_check(&self, NULL, (histogram_spread)spread, 5000, 1, TEST_SEED + 1);
            test_call_destroy(&self);
        }
    clprim_runtime_destroy(runtime);
}

/* As many bins as there may be, on every path that takes them; in between what the sample does not reach. */
Test(histogram_bins, many_bins, .timeout = 600)
{
    static const struct {
        clprim_histogram_variant variant;
        size_t bins;
        unsigned channels;
        bool only_in_full;
    } rows[] = {
        {CLPRIM_HISTOGRAM_AUTO, 4096, 1, true},
        {CLPRIM_HISTOGRAM_AUTO, (size_t)1 << 20, 1, false},
        {CLPRIM_HISTOGRAM_GLOBAL_ATOMIC, (size_t)1 << 20, 1, false},
        {CLPRIM_HISTOGRAM_LARGE, (size_t)1 << 20, 1, false},
        {CLPRIM_HISTOGRAM_SORT_BASED, (size_t)1 << 20, 3, false},
        {CLPRIM_HISTOGRAM_CPU_CHUNK, (size_t)1 << 20, 1, false},
        {CLPRIM_HISTOGRAM_AUTO, 1, 4, true},
        {CLPRIM_HISTOGRAM_AUTO, 65536, 4, true},
        {CLPRIM_HISTOGRAM_AUTO, (size_t)1 << 24, 1, true},
        {CLPRIM_HISTOGRAM_GLOBAL_ATOMIC, (size_t)1 << 24, 1, true},
        {CLPRIM_HISTOGRAM_LARGE, (size_t)1 << 24, 1, true},
        {CLPRIM_HISTOGRAM_LARGE, ((size_t)1 << 24) - 1, 2, true},
        {CLPRIM_HISTOGRAM_SORT_BASED, (size_t)1 << 24, 1, true},
        {CLPRIM_HISTOGRAM_CPU_CHUNK, (size_t)1 << 24, 1, true},
    };
    static const size_t counts[] = {0, 1, 300001};
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_call self;
        const clprim_histogram_desc desc = {.type = CLPRIM_U32,
                                            .bins = rows[i].bins,
                                            .channels = rows[i].channels,
                                            .accumulate = i % 2 == 0,
                                            .variant = rows[i].variant};
        if ((rows[i].only_in_full && !test_is_full()) || !histogram_create(&self, runtime, desc))
            continue;
        for (size_t j = 0; j < 3; j++)
            histogram_check(&self, NULL, SPREAD_UNIFORM, counts[j], 1, TEST_SEED + j);
        test_call_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

/* Far more equal elements than a byte, or 16 bits, of a counter that a work-item has to itself can count. */
Test(histogram_bins, millions_of_equal_elements, .timeout = 600)
{
    const size_t count = test_is_full() ? 40000003 : 4000037;
    clprim_runtime *runtime = test_runtime(NULL);
    unsigned char *equal = test_allocate(count);
    unsigned char *two = test_allocate(count);
    memset(equal, 41, count);
    for (size_t i = 0; i < count; i++)
        two[i] = i * 2 < count ? 59 : (unsigned char)(i % 2 * 60); /* half, a quarter, and a quarter in no bin */
    for (int variant = CLPRIM_HISTOGRAM_AUTO; variant < HISTOGRAM_VARIANTS; variant++) {
        test_call self;
        const clprim_histogram_desc desc = {.bins = 60, .variant = (clprim_histogram_variant)variant};
        if (!histogram_create(&self, runtime, desc))
            continue;
        histogram_check(&self, equal, SPREAD_END, count, 1, 1);
        histogram_check(&self, equal, SPREAD_END, 1000003, 1, 2);
        histogram_check(&self, two, SPREAD_END, count, 1, 3);
        test_call_destroy(&self);
    }
    free(equal);
    free(two);
    clprim_runtime_destroy(runtime);
}

/* Calls that add to one histogram: to what each held before, each its own number of elements. */
enum { CALLS = 9, MAX_COUNT = 70001 };

static const size_t counts_added[CALLS] = {MAX_COUNT, 1, 0, 257, 4096, 33333, 0, 3, 65536};

static clprim_status add_all(const void *desc, const void *call)
{
    const clprim_histogram_call *c = call;
    const clprim_reference_histogram_how how = histogram_how(desc);
    for (size_t i = 0; i < CALLS; i++)
        ASSERT_OK(
            clprim_reference_histogram(c->out.host, c->outside_out.host, &how, c->in.host, NULL, counts_added[i]));
    return CLPRIM_SUCCESS;
}

/* In order, or each after the one before it. */
static void add(test_call *self, bool in_order)
{
    static unsigned char in[MAX_COUNT];
    clprim_histogram_call *call = (void *)self->call.bytes;
    cl_event done[CALLS] = {NULL};
    cl_command_queue queue = test_queue(self->runtime, in_order ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    test_fill(in, CLPRIM_U8, CLPRIM_MIN, TEST_RANDOM, MAX_COUNT, TEST_SEED);
    self->reference = add_all;
    test_call_fill(self, &(clprim_histogram_call){.in = {.host = in}, .count = MAX_COUNT}, in_order);
    for (size_t i = 0; i < CALLS; i++) {
        const bool waits = !in_order && i > 0;
        call->count = counts_added[i];
        ASSERT_OK(clprim_histogram_enqueue(self->plan, queue, call, waits, waits ? &done[i - 1] : NULL, &done[i]));
    }
    ASSERT_CL(clWaitForEvents(1, &done[CALLS - 1]));
    test_call_expect_right(self, in_order ? "added in order" : "added one after the other");
    for (size_t i = 0; i < CALLS; i++)
        ASSERT_CL(clReleaseEvent(done[i]));
    ASSERT_CL(clReleaseCommandQueue(queue));
}

Test(histogram_bins, accumulation, .timeout = 240)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (int variant = CLPRIM_HISTOGRAM_AUTO; variant < HISTOGRAM_VARIANTS; variant++) {
        const clprim_histogram_desc desc = {
            .type = CLPRIM_U8, .bins = 200, .accumulate = true, .variant = (clprim_histogram_variant)variant};
        test_call self;
        if (!histogram_create(&self, runtime, desc))
            continue;
        add(&self, true);
        add(&self, false);
        test_call_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

/* Counters of 32 bits that are added to wrap, those of 64 bits carry, and nothing else changes. */
Test(histogram_bins, counters_at_their_limits)
{
    static unsigned char elements[] = {1, 3, 3, 7, 3, 2, 2, 9};
    clprim_runtime *runtime = test_runtime(NULL);
    for (int wide = 0; wide < 2; wide++)
        for (int variant = 0; variant < HISTOGRAM_VARIANTS; variant++) {
            const clprim_histogram_desc desc = {.bins = 60,
                                                .counter_type = wide != 0 ? CLPRIM_U64 : CLPRIM_U32,
                                                .accumulate = true,
                                                .variant = (clprim_histogram_variant)variant};
            uint32_t narrow[60] = {0, UINT32_MAX, UINT32_MAX, 5};
            uint64_t counters[60] = {0, UINT32_MAX, UINT64_MAX, 5};
            uint64_t outside = UINT32_MAX;
            if (variant != CLPRIM_HISTOGRAM_AUTO && !test_is_full() && variant % 4 != wide)
                continue;
            const clprim_status status =
                clprim_histogram_run(runtime, &desc,
                                     &(clprim_histogram_call){.in = {.host = elements},
                                                              .count = sizeof elements,
                                                              .out = {.host = wide != 0 ? (void *)counters : narrow},
                                                              .outside_out = {.host = &outside}});
            if (status == CLPRIM_UNSUPPORTED)
                continue;
            cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "variant %d: %s", variant, clprim_last_error());
            for (size_t b = 0; wide == 0 && b < 60; b++)
                counters[b] = narrow[b];
            const uint64_t carried = wide != 0 ? (uint64_t)UINT32_MAX + 1 : 0;
            cr_assert(counters[0] == 0 && counters[1] == carried && counters[2] == 1 && counters[3] == 8 &&
                          counters[7] == 1 && counters[9] == 1 && counters[4] == 0 && outside == UINT32_MAX,
                      "variant %d, %s: %llx %llx %llx", variant, wide != 0 ? "u64" : "u32",
                      (unsigned long long)counters[1], (unsigned long long)counters[2],
                      (unsigned long long)counters[3]);
        }
    clprim_runtime_destroy(runtime);
}

/* Offsets, counts and sums that 32 bits do not hold; some elements at either end, and one outside. */
Test(histogram_bins, more_than_2_to_the_32_elements, .timeout = 300)
{
    const size_t count = (size_t)UINT32_MAX + 18;
    const unsigned char marks[] = {2, 3, 60, 2, 4};
    const size_t places[] = {0, 1, UINT32_MAX, (size_t)UINT32_MAX + 1, count - 1}; /* counted from element 3 on */
    clprim_runtime *runtime = test_runtime(NULL);
    if (!test_has_room_for_huge(runtime, 1))
        cr_skip_test("the device is no GPU with room for an array of 2^32 bytes");
    cl_command_queue queue = clprim_runtime_queue(runtime);
    cl_mem in = test_buffer(runtime, count + 3);
    cl_mem out = test_buffer(runtime, 60 * sizeof(uint64_t));
    test_output outside = test_output_create(runtime, sizeof(cl_ulong), 1);
    test_write_ones(runtime, in, count + 3);
    for (size_t i = 0; i < 5; i++)
        ASSERT_CL(clEnqueueWriteBuffer(queue, in, CL_TRUE, 3 + places[i], 1, &marks[i], 0, NULL, NULL));
    for (int variant = CLPRIM_HISTOGRAM_AUTO; variant < HISTOGRAM_VARIANTS; variant++) {
        const char *name = test_variant_name(&clprim_histogram_operation, variant);
        const clprim_histogram_desc desc = {
            .bins = 60, .max_count = count, .variant = (clprim_histogram_variant)variant}; /* counters: U64 */
        clprim_plan *plan = NULL;
        uint64_t found[60];
        cl_ulong missed = 0;
        if (variant == CLPRIM_HISTOGRAM_CPU_CHUNK) /* a few work-items for 2^32 elements: minutes on a GPU */
            continue;
        const clprim_status status = clprim_histogram_create(&plan, runtime, &desc);
        if (status == CLPRIM_UNSUPPORTED)
            continue;
        cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s", name, clprim_last_error());
        ASSERT_OK(clprim_histogram_enqueue(
            plan, NULL,
            &(clprim_histogram_call){
                .in = {in, 3}, .count = count, .out = {out}, .outside_out = {outside.buffer, outside.slot}},
            0, NULL, NULL));
        test_output_read(runtime, &outside, &missed, name);
        test_read(runtime, found, out, sizeof found);
        cr_assert(found[1] == count - 5 && found[2] == 2 && found[3] == 1 && found[4] == 1 && missed == 1,
                  "%s: %llu ones of %zu elements", name, (unsigned long long)found[1], count);
        clprim_plan_destroy(plan);
    }
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    test_output_destroy(&outside);
    clprim_runtime_destroy(runtime);
}
