/* test_is_sorted.c: every variant says up to where an array is in order, as the reference does: for all types, orders
 * of the caller's, directions, sizes around all edges, unaligned beginnings, and the first descent anywhere. */
#include <clprim/is_sorted.h>
#include <clprim/reference.h>
#include <stdio.h>
#include <stdlib.h>

#include "orders.h"

#include <criterion/parameterized.h> /* works only after criterion.h */

enum { VARIANTS = CLPRIM_IS_SORTED_CPU_CHUNK + 1, MAX_COUNT = 300007, MARGIN = 8, SLOT = 3 };

typedef struct subject {
    clprim_runtime *runtime;
    clprim_plan *plan;
    clprim_is_sorted_desc desc;
    clprim_reference_order order;
    unsigned char *sorted, *data; /* MAX_COUNT elements and margins */
    cl_mem memory;
    test_output out;
    char name[160];
} subject;

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    cr_assert_not_null(memory);
    return memory;
}

static subject subject_create(clprim_runtime *runtime, clprim_is_sorted_desc desc, const test_order *order)
{
    subject self = {.runtime = runtime, .desc = desc};
    if (order != NULL) {
        self.desc.type = order->type;
        self.desc.less = order->less;
        self.desc.source = order->source;
        self.desc.type_name = order->type_name;
        self.desc.type_size = order->type_name != NULL ? order->size : 0;
    }
    self.order = (clprim_reference_order){.type = self.desc.type,
                                          .before = order != NULL ? order->before : NULL,
                                          .size = order != NULL ? order->size : clprim_type_size(desc.type),
                                          .descending = desc.descending,
                                          .nan_order = desc.nan_order};
    (void)snprintf(self.name, sizeof self.name, "%s%s, variant %d, groups of %zu",
                   order != NULL ? order->name : clprim_type_name(desc.type), desc.descending ? ", descending" : "",
                   (int)desc.variant, desc.work_group_size);
    const clprim_status status = clprim_is_sorted_create(&self.plan, runtime, &self.desc);
    if (status == CLPRIM_UNSUPPORTED && desc.variant == CLPRIM_IS_SORTED_SINGLE_PASS &&
        !clprim_runtime_info(runtime)->has_device_fence)
        return self;
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s", self.name, clprim_last_error());
    const size_t bytes = (MAX_COUNT + 2 * MARGIN) * self.order.size;
    self.sorted = allocate(bytes);
    self.data = allocate(bytes);
    test_fill_margin(self.data, bytes);
    test_fill_elements(self.sorted, order != NULL && order->type_name != NULL ? CLPRIM_TYPE_DEFAULT : self.order.type,
                       self.order.size, TEST_DATA_RANDOM, MAX_COUNT, TEST_SEED);
    test_sort_elements(self.sorted, &self.order, MAX_COUNT);
    self.memory = test_buffer(runtime, bytes);
    self.out = test_output_create(runtime, desc.index_type == CLPRIM_U64 ? 8 : 4, SLOT);
    return self;
}

static void subject_destroy(subject *self)
{
    clprim_plan_destroy(self->plan);
    if (self->plan == NULL)
        return;
    ASSERT_CL(clReleaseMemObject(self->memory));
    test_output_destroy(&self->out);
    free(self->sorted);
    free(self->data);
}

static void swap_elements(unsigned char *data, size_t size, size_t i, size_t j)
{
    for (size_t k = 0; k < size; k++) {
        const unsigned char byte = data[i * size + k];
        data[i * size + k] = data[j * size + k];
        data[j * size + k] = byte;
    }
}

/* An array in order but for `wrong` elements exchanged from `place` on (0: none). */
static void check(subject *self, size_t count, size_t offset, size_t place, size_t wrong)
{
    const size_t size = self->order.size;
    unsigned char *first = self->data + offset * size;
    size_t expected = 0;
    uint64_t got = 0;
    const size_t skipped = (MAX_COUNT - count) / 2;
    memcpy(first, self->sorted + skipped * size, count * size);
    for (size_t k = 0; k < wrong && place + k + 1 < count; k++)
        swap_elements(first, size, place + k, count - 1 - k);
    ASSERT_OK(clprim_reference_is_sorted(&expected, &self->order, first, count));
    test_write(self->runtime, self->memory, self->data, (offset + count + MARGIN) * size);
    test_output_poison(self->runtime, &self->out);
    ASSERT_OK(clprim_is_sorted_enqueue(self->plan, NULL,
                                       &(clprim_is_sorted_call){.in = {self->memory, offset},
                                                                .count = count,
                                                                .out = {self->out.buffer, self->out.slot}},
                                       0, NULL, NULL));
    test_output_read(self->runtime, &self->out, &got, self->name);
    cr_assert_eq(got, expected, "%s: %zu elements from %zu on, %zu wrong at %zu: %zu, not %zu", self->name, count,
                 offset, wrong, place, (size_t)got, expected);
}

static void check_all(subject *self, uint64_t seed)
{
    static const size_t counts[] = {0,    1,    2,    3,     4,     5,     15,     16,       17,
                                    63,   64,   65,   255,   257,   1023,  1024,   1025,     2049,
                                    4097, 8191, 8193, 16385, 32769, 65537, 100003, MAX_COUNT};
    uint64_t random = seed;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const size_t count = counts[i];
        const size_t offset = test_random_below(&random, MARGIN);
        check(self, count, offset, 0, 0);
        if (count < 2)
            continue;
        check(self, count, offset, count - 2, 1);
        check(self, count, offset, 0, 1);
        check(self, count, offset, test_random_below(&random, count), 1 + test_random_below(&random, 3));
    }
    for (size_t place = 0; place < 70; place++) /* around a packet, and a block */
        check(self, 4099, place % MARGIN, place < 35 ? place : 1000 + place, 1);
}

ParameterizedTestParameters(is_sorted, variant)
{
    static size_t variants[VARIANTS];
    for (size_t i = 0; i < VARIANTS; i++)
        variants[i] = i;
    return cr_make_param_array(size_t, variants, VARIANTS);
}

ParameterizedTest(size_t *place, is_sorted, variant, .timeout = 1700)
{
    static const size_t group_sizes[] = {0, 32, 1, 128};
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t type = CLPRIM_I8; type < CLPRIM_TYPE_END; type++) {
        const clprim_is_sorted_desc desc = {.type = (clprim_type)type,
                                            .variant = (clprim_is_sorted_variant)*place,
                                            .descending = type % 2 == 0,
                                            .index_type = type % 3 == 0 ? CLPRIM_U64 : CLPRIM_U32,
                                            .work_group_size = group_sizes[(type + *place) % 4]};
        if (!test_is_full() && (type + 2 * *place) % 7 != 1)
            continue;
        subject self = subject_create(runtime, desc, NULL);
        if (self.plan != NULL)
            check_all(&self, type);
        subject_destroy(&self);
    }
    for (size_t i = 0; i < TEST_ORDERS; i++) {
        const clprim_is_sorted_desc desc = {.variant = (clprim_is_sorted_variant)*place, .descending = i % 2 == 1};
        if (!test_is_full() && i != (*place + 1) % TEST_ORDERS)
            continue;
        subject self = subject_create(runtime, desc, &test_orders[i]);
        if (self.plan != NULL)
            check_all(&self, i);
        subject_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

/* Elements whose order is special: NaNs, zeros of both signs, infinities. */
Test(is_sorted, total_order_of_floats)
{
    static const uint32_t in_order[] = {0xffffffff, 0xff800001, 0xff800000, 0xbf800000, 0x80000001,
                                        0x80000000, 0x80000000, 0x00000000, 0x00000001, 0x3f800000,
                                        0x7f800000, 0x7f800001, 0x7fffffff};
    enum { COUNT = sizeof in_order / sizeof *in_order };
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_is_sorted_desc desc = {.type = CLPRIM_F32};
    for (size_t i = 0; i < COUNT; i++) { /* each neighbour exchanged with the next */
        uint32_t data[COUNT];
        uint32_t until = 77;
        memcpy(data, in_order, sizeof data);
        if (i + 1 < COUNT) {
            data[i] = in_order[i + 1];
            data[i + 1] = in_order[i];
        }
        const bool wanted = i + 1 == COUNT || in_order[i] == in_order[i + 1];
        ASSERT_OK(clprim_is_sorted_run(
            runtime, &desc, &(clprim_is_sorted_call){.in = {.host = data}, .count = COUNT, .out = {.host = &until}}));
        cr_assert_eq(until, wanted ? COUNT : i + 1, "%zu: %u", i, until);
    }
    clprim_runtime_destroy(runtime);
}

/* NaNs behind all numbers, or descending before them: F32 by each variant, F16 and F64 by AUTO. Elements of any bits,
 * some of which are NaNs; of F32 one in 256. */
Test(is_sorted, nans_last, .timeout = 240)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 1; i < VARIANTS + 2; i++) {
        const bool is_auto = i >= VARIANTS;
        const clprim_is_sorted_desc desc = {.type = !is_auto        ? CLPRIM_F32
                                                    : i == VARIANTS ? CLPRIM_F16
                                                                    : CLPRIM_F64,
                                            .nan_order = CLPRIM_NAN_LAST,
                                            .descending = i % 2 == 0,
                                            .variant = is_auto ? CLPRIM_IS_SORTED_AUTO : (clprim_is_sorted_variant)i};
        subject self = subject_create(runtime, desc, NULL);
        if (self.plan != NULL) {
            check(&self, MAX_COUNT, 1, 0, 0);
            check(&self, MAX_COUNT, 3, MAX_COUNT - 2, 1);
            check(&self, MAX_COUNT, 0, 1000, 1);
        }
        subject_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}
