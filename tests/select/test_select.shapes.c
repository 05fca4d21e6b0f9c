/* test_select.shapes.c: small and large work-groups, few and many elements for each work-item, flags of floats, arrays
 * of millions and of more than 2^32 elements; what is taken where nothing is said. */
#include <stdlib.h>

#include "test_select.h"

enum { MANY = 3000017 };

/* Random elements from `from` on, of each 1000 another share. */
static void check(test_call *self, size_t from, size_t count)
{
    static unsigned char in[MANY * sizeof(uint32_t)];
    static uint8_t keep[MANY];
    static size_t filled;
    uint64_t random = TEST_SEED;
    for (size_t i = filled; i < from + count; i++)
        keep[i] = test_random_below(&random, 1000) < i / 1000 * 77 % 1000;
    if (filled < from + count)
        test_fill(in, CLPRIM_U32, CLPRIM_MIN, TEST_RANDOM, filled = from + count, TEST_SEED);
    select_check(self, in + from * self->plan->slots[0].element_size, NULL, keep + from, count, from + count, "some");
}

/* Work-groups from one work-item to more than any device has, and few or many elements for each. */
Test(select_shapes, work_group_sizes_and_items, .timeout = 240)
{
    static const size_t group_sizes[] = {1, 2, 8, 64, 1024, 65536};
    static const size_t items[] = {0, 1, 3, 1024};
    size_t num_variants = 0;
    const clprim_variant_info *variants = clprim_select_operation.variants(&num_variants);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t v = 0; v < num_variants; v++)
        for (size_t g = 0; g < sizeof group_sizes / sizeof *group_sizes; g++) {
            const int id = variants[v].id;
            const clprim_select_desc desc = {.type =
                                                 CLPRIM_U8, /* most elements in a packet: heads and tails are longest */
                                             .partition = id != CLPRIM_SELECT_LOOK_BACK && g % 2 == 0,
                                             .variant = (clprim_select_variant)id,
                                             .work_group_size = group_sizes[g],
                                             .items_per_work_item = items[(v + g) % 4]};
            test_call self;
            if (id == CLPRIM_SELECT_CPU_CHUNK && !test_is_full() && g % 3 != 0) /* the others: the most involved */
                continue;
            if (!test_call_create(&self, runtime, &clprim_select_operation, &desc))
                continue;
            for (size_t i = 0; i < TEST_SIZES; i++)
                check(&self, i % 8, test_size(i, g));
            for (size_t count = 4; count < 40; count++)
                check(&self, count % 8, count);
            test_call_destroy(&self);
        }
    clprim_runtime_destroy(runtime);
}

/* More tiles than are ever at work at once. AUTO serves a partition, too: it takes something else than LOOK_BACK. */
Test(select_shapes, millions, .timeout = 120)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (int variant = CLPRIM_SELECT_AUTO; variant <= CLPRIM_SELECT_LOOK_BACK; variant++)
        for (int partition = 0; partition < 2; partition++) {
            test_call self;
            const clprim_select_desc desc = {
                .type = CLPRIM_U32, .partition = partition != 0, .variant = (clprim_select_variant)variant};
            if (partition != 0 && variant == CLPRIM_SELECT_LOOK_BACK)
                ASSERT_STATUS(test_call_try(&self, runtime, &clprim_select_operation, &desc), CLPRIM_INVALID_ARGUMENT);
            else if (test_call_create(&self, runtime, &clprim_select_operation, &desc)) {
                for (size_t again = 0; again < 3; again++)
                    check(&self, again, MANY - 5 - again * 77777);
                test_call_destroy(&self);
            }
        }
    clprim_runtime_destroy(runtime);
}

/* A description left out altogether, or zeroed: I32 by flags of U8. */
Test(select_shapes, defaults)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (int given = 0; given < 2; given++) {
        test_call self;
        cr_assert(
            test_call_create(&self, runtime, &clprim_select_operation, given ? &(const clprim_select_desc){0} : NULL));
        cr_assert(self.plan->slots[0].element_size == sizeof(int32_t) && self.plan->slots[1].element_size == 1);
        check(&self, 2, 1000);
        check(&self, 1, 99999);
        test_call_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

/* Zeros, the least denormals, the greatest ones, 1, infinity and NaNs, of both signs. */
enum { KINDS = 12 };

static uint64_t flag_bits(clprim_type type, size_t kind)
{
    const unsigned bits = 8 * (unsigned)clprim_type_size(type);
    const unsigned mantissa_bits = bits == 16 ? 10 : bits == 32 ? 23 : 52;
    const uint64_t mantissa = (UINT64_C(1) << mantissa_bits) - 1;
    const uint64_t sign = UINT64_C(1) << (bits - 1);
    const uint64_t infinity = sign - 1 - mantissa;
    const uint64_t magnitudes[KINDS / 2] = {0, 1, mantissa, infinity >> 1, infinity, infinity | 1};
    return magnitudes[kind / 2] | (kind % 2 == 0 ? 0 : sign);
}

/* Flags of float types are set where they are not equal to 0: -0.0 is not, NaNs and denormals are. */
Test(select_shapes, flags_of_floats_are_set_where_they_are_not_zero, .timeout = 120)
{
    enum { COUNT = 4099 };
    static uint64_t flags[COUNT];
    static uint8_t keep[COUNT];
    static int32_t in[COUNT];
    clprim_runtime *runtime = test_runtime(NULL);
    for (int variant = 1; variant <= CLPRIM_SELECT_LOOK_BACK; variant++)
        for (int type = CLPRIM_F16; type <= CLPRIM_F64; type++) {
            const size_t size = clprim_type_size((clprim_type)type);
            const clprim_select_desc desc = {.flags_type = (clprim_type)type,
                                             .partition = variant != CLPRIM_SELECT_LOOK_BACK && (variant + type) % 2,
                                             .variant = (clprim_select_variant)variant};
            uint64_t random = TEST_SEED;
            test_call self;
            if (!test_call_create(&self, runtime, &clprim_select_operation, &desc))
                continue;
            for (size_t i = 0; i < COUNT; i++) { /* as many are not set as are */
                const size_t kind = test_random_below(&random, 2) == 0 ? i % 2 : i % KINDS;
                const uint64_t bits = flag_bits(desc.flags_type, kind);
                memcpy((char *)flags + i * size, &bits, size); /* the low bytes come first */
                keep[i] = kind >= 2;
                in[i] = (int32_t)i;
            }
            select_check(&self, in, flags, keep, COUNT, TEST_SEED, "those with a flag that is not 0");
            test_call_destroy(&self);
        }
    clprim_runtime_destroy(runtime);
}

/* Only what the plan puts into its place is looked at: 2^32 bytes are not read back. */
static void check_huge(clprim_runtime *runtime, clprim_plan *plan, cl_mem in, cl_mem out, size_t count,
                       const char *name)
{
    cl_command_queue queue = clprim_runtime_queue(runtime);
    const unsigned char marks[] = {2, 3, 2, 5, 7};
    const size_t places[] = {0, 1, UINT32_MAX, (size_t)UINT32_MAX + 1, count - 1}; /* counted from element 3 on */
    static const unsigned char expected[8] = {0xa5, 2, 2, 5, 7, 0xa5, 0xa5, 0xa5};
    unsigned char found[8];
    cl_ulong selected = 0;
    test_output number = test_output_create(runtime, sizeof selected, 1);
    for (size_t i = 0; i < 5; i++)
        ASSERT_CL(clEnqueueWriteBuffer(queue, in, CL_TRUE, 3 + places[i], 1, &marks[i], 0, NULL, NULL));
    memset(found, 0xa5, sizeof found);
    test_write(runtime, out, found, sizeof found);
    const clprim_select_call call = {
        .in = {in, 3}, .count = count, .out = {out, 1}, .out_count = {number.buffer, number.slot}};
    ASSERT_OK(clprim_select_enqueue(plan, NULL, &call, 0, NULL, NULL));
    test_output_read(runtime, &number, &selected, name);
    cr_assert_eq(selected, 4, "%s: %llu", name, (unsigned long long)selected);
    test_read(runtime, found, out, sizeof found);
    test_expect_same(expected, found, 1, sizeof found, name);
    test_output_destroy(&number);
}

/* Offsets, counts and indices that 32 bits do not hold. */
Test(select_shapes, more_than_2_to_the_32_elements)
{
    const size_t count = (size_t)UINT32_MAX + 18;
    clprim_runtime *runtime = test_runtime(NULL);
    if (!test_has_room_for_huge(runtime, 2))
        cr_skip_test("the device is no GPU with room for two arrays of 2^32 bytes");
    cl_mem in = test_buffer(runtime, count + 3);
    cl_mem out = test_buffer(runtime, count + 1);
    test_write_ones(runtime, in, count + 3);
    for (int variant = 1; variant <= CLPRIM_SELECT_LOOK_BACK; variant++) {
        test_call self;
        const clprim_select_desc desc = {.type = CLPRIM_U8,
                                         .predicate = "x > 1 && (i == 0 || i > 0xfffffffeul)",
                                         .index_type = CLPRIM_U64,
                                         .max_count = count,
                                         .variant = (clprim_select_variant)variant};
        if (variant == CLPRIM_SELECT_CPU_CHUNK || /* a few work-items for 2^32 elements: minutes on a GPU */
            !test_call_create(&self, runtime, &clprim_select_operation, &desc))
            continue;
        check_huge(runtime, self.plan, in, out, count, self.name);
        test_call_destroy(&self);
    }
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    clprim_runtime_destroy(runtime);
}
