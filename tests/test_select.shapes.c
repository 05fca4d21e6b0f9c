/* test_select.shapes.c: small and large work-groups, few and many elements for each work-item, arrays of millions and
 * of more than 2^32 elements; what is taken where nothing is said. */
#include <clprim/reference.h>
#include <clprim/select.h>
#include <stdio.h>
#include <stdlib.h>

#include "support.h"

static const size_t sizes[] = {0,   1,   2,    3,    17,   255,  256,  257,   511,   512,  513,
                               600, 770, 1023, 1024, 1025, 4095, 4096, 65535, 65537, 99999};

enum { NUM_SIZES = sizeof sizes / sizeof *sizes, MAX_COUNT = 99999, MANY = 3000017, OFFSET = 3, TAIL = 2048 };

/* Elements by flags of U8, all of them random. */
typedef struct arrays {
    clprim_runtime *runtime;
    size_t size; /* of an element */
    size_t bytes;
    unsigned char *elements;
    unsigned char *flags;
    unsigned char *expected;
    unsigned char *found;
    cl_mem in;
    cl_mem flags_memory;
    cl_mem out;
    test_output selected;
} arrays;

static arrays arrays_create(clprim_type type, size_t max_count)
{
    arrays self = {.runtime = test_runtime(NULL), .size = clprim_type_size(type)};
    const size_t room = OFFSET + max_count + TAIL;
    self.bytes = room * self.size;
    self.elements = malloc(self.bytes);
    self.flags = malloc(room);
    self.expected = malloc(self.bytes);
    self.found = malloc(self.bytes);
    cr_assert(self.elements != NULL && self.flags != NULL && self.expected != NULL && self.found != NULL);
    uint64_t random = TEST_SEED;
    for (size_t i = 0; i < room; i++) /* of each 1000 elements another share */
        self.flags[i] = (unsigned char)(test_random_below(&random, 1000) < i / 1000 * 77 % 1000 ? i % 255 + 1 : 0);
    test_fill(self.elements, type, CLPRIM_MIN, TEST_RANDOM, room, TEST_SEED);
    self.in = test_upload(self.runtime, self.elements, self.bytes);
    self.flags_memory = test_upload(self.runtime, self.flags, room);
    self.out = test_buffer(self.runtime, self.bytes);
    self.selected = test_output_create(self.runtime, sizeof(cl_uint), 1);
    return self;
}

static void arrays_destroy(arrays *self)
{
    ASSERT_CL(clReleaseMemObject(self->in));
    ASSERT_CL(clReleaseMemObject(self->flags_memory));
    ASSERT_CL(clReleaseMemObject(self->out));
    test_output_destroy(&self->selected);
    free(self->elements);
    free(self->flags);
    free(self->expected);
    free(self->found);
    clprim_runtime_destroy(self->runtime);
}

/* Elements from `from` on, by flags from 5 elements further on, to OFFSET. */
static void check_count(const arrays *self, clprim_plan *plan, bool partition, size_t from, size_t count,
                        const char *name)
{
    char what[160];
    size_t expected = 0;
    cl_uint selected = 0;
    (void)snprintf(what, sizeof what, "%s: %zu elements from %zu on", name, count, from);
    memset(self->expected, 0xa5, self->bytes);
    test_write(self->runtime, self->out, self->expected, self->bytes);
    test_output_poison(self->runtime, &self->selected);
    ASSERT_OK(clprim_select_enqueue(plan, NULL,
                                    &(clprim_select_call){.in = {self->in, from},
                                                          .flags = {self->flags_memory, from + 5},
                                                          .count = count,
                                                          .out = {self->out, OFFSET},
                                                          .out_count = {self->selected.buffer, self->selected.slot}},
                                    0, NULL, NULL));
    ASSERT_OK(clprim_reference_select(self->expected + OFFSET * self->size, &expected, self->size,
                                      self->flags + from + 5, partition, self->elements + from * self->size, count));
    test_output_read(self->runtime, &self->selected, &selected, what);
    cr_assert_eq(selected, expected, "%s: %u selected, not %zu", what, selected, expected);
    test_read(self->runtime, self->found, self->out, self->bytes);
    test_expect_same(self->expected, self->found, self->size, self->bytes / self->size, what);
}

/* False where the device cannot run it, and says so. */
static bool create_plan(clprim_plan **out, clprim_runtime *runtime, const clprim_select_desc *desc, const char *name)
{
    const clprim_status status = clprim_select_create(out, runtime, desc);
    if (status == CLPRIM_UNSUPPORTED)
        cr_log_info("%s skipped: %s", name, clprim_last_error());
    else
        cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s", name, clprim_last_error());
    return status == CLPRIM_SUCCESS;
}

/* Work-groups from one work-item to more than any device has, and few or many elements for each. */
Test(select_shapes, work_group_sizes_and_items, .timeout = 240)
{
    static const size_t group_sizes[] = {1, 2, 8, 64, 1024, 65536};
    static const size_t items[] = {0, 1, 3, 1024};
    const size_t num_sizes = sizeof group_sizes / sizeof *group_sizes;
    size_t num_variants = 0;
    const clprim_variant_info *variants = clprim_select_operation.variants(&num_variants);
    arrays a = arrays_create(CLPRIM_U8, MAX_COUNT); /* most elements in a packet: heads and tails are longest */
    for (size_t v = 0; v < num_variants; v++)
        for (size_t g = 0; g < num_sizes; g++) {
            char name[96];
            clprim_plan *plan = NULL;
            const int id = variants[v].id;
            if (id == CLPRIM_SELECT_CPU_CHUNK && !test_is_full() && g % 3 != 0) /* the others: the most involved */
                continue;
            const clprim_select_desc desc = {.type = CLPRIM_U8,
                                             .partition = id != CLPRIM_SELECT_LOOK_BACK && g % 2 == 0,
                                             .variant = (clprim_select_variant)id,
                                             .work_group_size = group_sizes[g],
                                             .items_per_work_item = items[(v + g) % 4]};
            (void)snprintf(name, sizeof name, "%s, work_group_size %zu, items_per_work_item %zu", variants[v].name,
                           desc.work_group_size, desc.items_per_work_item);
            if (!create_plan(&plan, a.runtime, &desc, name))
                continue;
            for (size_t i = 0; i < NUM_SIZES; i++)
                check_count(&a, plan, desc.partition, i % 8, sizes[i], name);
            for (size_t count = 4; count < 40; count++)
                check_count(&a, plan, desc.partition, count % 8, count, name);
            clprim_plan_destroy(plan);
        }
    arrays_destroy(&a);
}

/* More tiles than are ever at work at once. */
Test(select_shapes, millions, .timeout = 120)
{
    size_t num_variants = 0;
    const clprim_variant_info *variants = clprim_select_operation.variants(&num_variants);
    arrays a = arrays_create(CLPRIM_U32, MANY);
    for (size_t v = 0; v <= num_variants; v++)
        for (int partition = 0; partition < 2; partition++) {
            clprim_plan *plan = NULL;
            const int id = v < num_variants ? variants[v].id : CLPRIM_SELECT_AUTO;
            const char *name = v < num_variants ? variants[v].name : "auto";
            const clprim_select_desc desc = {
                .type = CLPRIM_U32, .partition = partition != 0, .variant = (clprim_select_variant)id};
            if ((partition != 0 && id == CLPRIM_SELECT_LOOK_BACK) || !create_plan(&plan, a.runtime, &desc, name))
                continue;
            for (int again = 0; again < 3; again++)
                check_count(&a, plan, desc.partition, (size_t)again, MANY - 5 - (size_t)again * 77777, name);
            clprim_plan_destroy(plan);
        }
    arrays_destroy(&a);
}

/* From the host: clEnqueueFillBuffer takes no sizes of 2^31 bytes on NVIDIA's driver 580, it does not come back. */
static void fill_with_ones(cl_command_queue queue, cl_mem buffer, size_t size)
{
    enum { PART = 1 << 26 };
    unsigned char *ones = malloc(PART);
    cr_assert_not_null(ones);
    memset(ones, 1, PART);
    for (size_t at = 0; at < size; at += PART)
        ASSERT_CL(
            clEnqueueWriteBuffer(queue, buffer, CL_TRUE, at, size - at < PART ? size - at : PART, ones, 0, NULL, NULL));
    free(ones);
}

/* Only what the plan puts into its place is looked at: 2^32 bytes are not read back. */
static void check_huge(clprim_runtime *runtime, clprim_plan *plan, cl_mem in, cl_mem out, size_t count,
                       const char *name)
{
    cl_command_queue queue = clprim_runtime_queue(runtime);
    const unsigned char marks[] = {2, 3, 2, 5, 7};
    const size_t places[] = {0, 1, UINT32_MAX, (size_t)UINT32_MAX + 1, count - 1}; /* counted from element 3 on */
    unsigned char found[8];
    cl_ulong selected = 0;
    test_output number = test_output_create(runtime, sizeof selected, 1);
    for (size_t i = 0; i < 5; i++)
        ASSERT_CL(clEnqueueWriteBuffer(queue, in, CL_TRUE, 3 + places[i], 1, &marks[i], 0, NULL, NULL));
    memset(found, 0xa5, sizeof found);
    ASSERT_CL(clEnqueueWriteBuffer(queue, out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
    ASSERT_OK(clprim_select_enqueue(
        plan, NULL,
        &(clprim_select_call){
            .in = {in, 3}, .count = count, .out = {out, 1}, .out_count = {number.buffer, number.slot}},
        0, NULL, NULL));
    test_output_read(runtime, &number, &selected, name);
    cr_assert_eq(selected, 4, "%s: %llu", name, (unsigned long long)selected);
    ASSERT_CL(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
    static const unsigned char expected[8] = {0xa5, 2, 2, 5, 7, 0xa5, 0xa5, 0xa5};
    test_expect_same(expected, found, 1, sizeof found, name);
    test_output_destroy(&number);
}

/* Offsets, counts and indices that 32 bits do not hold. */
Test(select_shapes, more_than_2_to_the_32_elements)
{
    const size_t count = (size_t)UINT32_MAX + 18;
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_device_info *info = clprim_runtime_info(runtime);
    if (info->kind != CLPRIM_DEVICE_GPU || info->max_allocation_size < count + 64 ||
        info->global_memory_size / 4 < count + 64)
        cr_skip_test("%s is no GPU with room for two arrays of 2^32 bytes", info->name);
    cl_mem in = test_buffer(runtime, count + 3);
    cl_mem out = test_buffer(runtime, count + 1);
    fill_with_ones(clprim_runtime_queue(runtime), in, count + 3);
    size_t num_variants = 0;
    const clprim_variant_info *variants = clprim_select_operation.variants(&num_variants);
    for (size_t v = 0; v < num_variants; v++) {
        clprim_plan *plan = NULL;
        const clprim_select_desc desc = {.type = CLPRIM_U8,
                                         .predicate = "x > 1 && (i == 0 || i > 0xfffffffeul)",
                                         .index_type = CLPRIM_U64,
                                         .max_count = count,
                                         .variant = (clprim_select_variant)variants[v].id};
        if (variants[v].id == CLPRIM_SELECT_CPU_CHUNK) /* a few work-items for 2^32 elements: minutes on a GPU */
            continue;
        if (create_plan(&plan, runtime, &desc, variants[v].name))
            check_huge(runtime, plan, in, out, count, variants[v].name);
        clprim_plan_destroy(plan);
    }
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    clprim_runtime_destroy(runtime);
}

/* A description left out altogether, or zeroed: I32 by flags of U8, by a variant that is not AUTO. */
Test(select_shapes, defaults)
{
    static const clprim_select_desc zeroed = {0};
    arrays a = arrays_create(CLPRIM_I32, MAX_COUNT);
    for (int given = 0; given < 2; given++) {
        clprim_plan *plan = NULL;
        ASSERT_OK(clprim_select_create(&plan, a.runtime, given ? &zeroed : NULL));
        cr_assert_neq((int)clprim_plan_variant(plan)->id, (int)CLPRIM_SELECT_AUTO);
        check_count(&a, plan, false, 2, 1000, "defaults");
        check_count(&a, plan, false, 1, MAX_COUNT, "defaults");
        clprim_plan_destroy(plan);
    }
    arrays_destroy(&a);
}

/* AUTO serves a partition too, so it must take something else than LOOK_BACK for it. */
Test(select_shapes, partition_is_not_for_look_back)
{
    arrays a = arrays_create(CLPRIM_I32, MAX_COUNT);
    clprim_plan *plan = NULL;
    const clprim_select_desc refused = {.partition = true, .variant = CLPRIM_SELECT_LOOK_BACK};
    ASSERT_STATUS(clprim_select_create(&plan, a.runtime, &refused), CLPRIM_INVALID_ARGUMENT);
    cr_assert_null(plan);
    const clprim_select_desc desc = {.partition = true};
    ASSERT_OK(clprim_select_create(&plan, a.runtime, &desc));
    cr_assert_neq((int)clprim_plan_variant(plan)->id, (int)CLPRIM_SELECT_LOOK_BACK);
    check_count(&a, plan, true, 3, MAX_COUNT - 1, "partition by auto");
    clprim_plan_destroy(plan);
    arrays_destroy(&a);
}
