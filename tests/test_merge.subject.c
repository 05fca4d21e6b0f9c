/* test_merge.subject.c: a plan with all its arrays among guards, and what its results must be. */
#include <stdio.h>
#include <stdlib.h>

#include "test_merge.h"

enum { TAIL = 64 };

const char *merge_variant_name(clprim_merge_variant variant)
{
    size_t count = 0;
    const clprim_variant_info *variants = clprim_merge_operation.variants(&count);
    for (size_t i = 0; i < count; i++)
        if (variants[i].id == (int)variant)
            return variants[i].name;
    return "auto";
}

clprim_merge_desc merge_desc_of(const test_order *order)
{
    return (clprim_merge_desc){.key_type = order->type,
                               .less = order->less,
                               .source = order->source,
                               .type_name = order->type_name,
                               .type_size = order->type_name != NULL ? order->size : 0};
}

static clprim_type type_of(const merge_subject *self)
{
    return self->desc.type_name != NULL ? CLPRIM_TYPE_DEFAULT : self->order.type;
}

void merge_create(merge_subject *out, clprim_runtime *runtime, clprim_merge_desc desc, const test_order *order,
                  size_t max_count)
{
    merge_subject self = {.runtime = runtime, .desc = desc, .max_count = max_count};
    self.order = (clprim_reference_order){.type = desc.key_type != CLPRIM_TYPE_DEFAULT ? desc.key_type : CLPRIM_U32,
                                          .before = order != NULL ? order->before : NULL,
                                          .size = order != NULL ? order->size : 0,
                                          .descending = desc.descending,
                                          .nan_order = desc.nan_order};
    self.order.size = self.order.size != 0 ? self.order.size : clprim_type_size(self.order.type);
    (void)snprintf(self.name, sizeof self.name, "%s, values of %zu bytes%s, groups of %zu, up to %zu, by %s",
                   order != NULL ? order->name : clprim_type_name(self.order.type), desc.value_size,
                   desc.descending ? ", descending" : "", desc.work_group_size, desc.max_count,
                   merge_variant_name(desc.variant));
    const clprim_status status = clprim_merge_create(&self.plan, runtime, &desc);
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s: %s", self.name, clprim_status_string(status),
                 clprim_last_error());
    const clprim_merge_variant used = clprim_plan_variant(self.plan)->id;
    cr_assert(used != CLPRIM_MERGE_AUTO && (desc.variant == CLPRIM_MERGE_AUTO || used == desc.variant), "%s: %s",
              self.name, merge_variant_name(used));
    for (int a = 0; a < MERGE_ARRAYS; a++) {
        const size_t size = a % 2 == 0 ? self.order.size : desc.value_size;
        const size_t bytes = (MERGE_MAX_OFFSET + max_count + TAIL) * size;
        self.arrays[a] =
            (merge_array){size, test_buffer(runtime, bytes), test_allocate(bytes + 1), test_allocate(bytes + 1)};
    }
    self.expected[0] = test_allocate(max_count * self.order.size + 1);
    self.expected[1] = test_allocate(max_count * desc.value_size + 1);
    *out = self;
}

void merge_destroy(merge_subject *self)
{
    clprim_plan_destroy(self->plan);
    for (int a = 0; a < MERGE_ARRAYS; a++) {
        ASSERT_CL(clReleaseMemObject(self->arrays[a].memory));
        free(self->arrays[a].before);
        free(self->arrays[a].after);
    }
    free(self->expected[0]);
    free(self->expected[1]);
}

static unsigned char *first_of(const merge_subject *self, const merge_call *c, int array)
{
    return self->arrays[array].before + c->offsets[array] * self->arrays[array].size;
}

/* All elements are in order; then each range gets its own. */
static void fill_keys(const merge_subject *self, const merge_call *c)
{
    const size_t size = self->order.size;
    const size_t counts[2] = {c->a_count, c->b_count};
    unsigned char *all = self->expected[0];
    test_fill_elements(all, type_of(self), size, c->data, c->a_count + c->b_count, c->seed);
    if (c->split != MERGE_SPLIT_ANY && !c->is_unsorted)
        test_sort_elements(all, &self->order, c->a_count + c->b_count);
    for (int k = 0; k < 2; k++) {
        unsigned char *own = first_of(self, c, k == 0 ? MERGE_A : MERGE_B);
        const bool comes_first = (c->split == MERGE_SPLIT_BEHIND) == (k == 1);
        memcpy(own, all + (comes_first ? 0 : counts[1 - k]) * size, counts[k] * size);
        if (!c->is_unsorted)
            test_sort_elements(own, &self->order, counts[k]);
    }
}

static size_t count_of(const merge_call *c, int array)
{
    return array / 2 == 0 ? c->a_count : array / 2 == 1 ? c->b_count : c->a_count + c->b_count;
}

static void prepare(const merge_subject *self, const merge_call *c)
{
    for (int a = 0; a < MERGE_ARRAYS; a++) {
        const size_t bytes = (c->offsets[a] + count_of(c, a) + TAIL) * self->arrays[a].size;
        memset(self->arrays[a].before, MERGE_POISON, bytes);
        if (a < MERGE_OUT)
            test_fill_margin(self->arrays[a].before, bytes);
    }
    fill_keys(self, c);
    test_fill_values(first_of(self, c, MERGE_A_VALUES), self->desc.value_size, c->a_count);
    test_fill_values(first_of(self, c, MERGE_B_VALUES), self->desc.value_size, c->b_count);
    for (size_t i = 0; i < c->b_count * self->desc.value_size; i++) /* so that nobody takes one for a's */
        first_of(self, c, MERGE_B_VALUES)[i] ^= 0x80;
    for (int a = 0; a < MERGE_ARRAYS; a++)
        test_write(self->runtime, self->arrays[a].memory, self->arrays[a].before,
                   (c->offsets[a] + count_of(c, a) + TAIL) * self->arrays[a].size);
}

static void enqueue(const merge_subject *self, const merge_call *c, cl_event *done)
{
    const merge_array *x = self->arrays;
    const size_t *o = c->offsets;
    if (self->desc.value_size == 0)
        ASSERT_OK(clprim_merge_enqueue(self->plan, NULL,
                                       &(clprim_merge_call){.a_keys = {x[MERGE_A].memory, o[MERGE_A]},
                                                            .b_keys = {x[MERGE_B].memory, o[MERGE_B]},
                                                            .a_count = c->a_count,
                                                            .b_count = c->b_count,
                                                            .keys_out = {x[MERGE_OUT].memory, o[MERGE_OUT]}},
                                       0, NULL, done));
    else
        ASSERT_OK(
            clprim_merge_enqueue(self->plan, NULL,
                                 &(clprim_merge_call){.a_keys = {x[MERGE_A].memory, o[MERGE_A]},
                                                      .a_values = {x[MERGE_A_VALUES].memory, o[MERGE_A_VALUES]},
                                                      .b_keys = {x[MERGE_B].memory, o[MERGE_B]},
                                                      .b_values = {x[MERGE_B_VALUES].memory, o[MERGE_B_VALUES]},
                                                      .a_count = c->a_count,
                                                      .b_count = c->b_count,
                                                      .keys_out = {x[MERGE_OUT].memory, o[MERGE_OUT]},
                                                      .values_out = {x[MERGE_OUT_VALUES].memory, o[MERGE_OUT_VALUES]}},
                                 0, NULL, done));
}

void merge_check(merge_subject *self, const merge_call *c)
{
    const bool has_values = self->desc.value_size > 0;
    const size_t n = c->a_count + c->b_count;
    cl_event done = NULL;
    char what[384];
    (void)snprintf(what, sizeof what, "%s: %zu and %zu elements (%s, split %d, seed %llx), from %zu, %zu to %zu",
                   self->name, c->a_count, c->b_count, test_data_name(c->data), (int)c->split,
                   (unsigned long long)c->seed, c->offsets[MERGE_A], c->offsets[MERGE_B], c->offsets[MERGE_OUT]);
    prepare(self, c);
    enqueue(self, c, &done);
    ASSERT_CL(clWaitForEvents(1, &done));
    ASSERT_CL(clReleaseEvent(done));
    for (int a = 0; a < MERGE_ARRAYS; a++) {
        const merge_array *array = &self->arrays[a];
        const size_t begin = c->offsets[a] * array->size;
        const size_t bytes = (c->offsets[a] + count_of(c, a) + TAIL) * array->size;
        test_read(self->runtime, array->after, array->memory, bytes);
        test_expect_kept(array->before, array->after, begin, a >= MERGE_OUT ? begin + n * array->size : begin, bytes,
                         what);
    }
    if (c->is_unsorted)
        return;
    ASSERT_OK(clprim_reference_merge(
        self->expected[0], has_values ? self->expected[1] : NULL, &self->order, self->desc.value_size,
        first_of(self, c, MERGE_A), has_values ? first_of(self, c, MERGE_A_VALUES) : NULL, c->a_count,
        first_of(self, c, MERGE_B), has_values ? first_of(self, c, MERGE_B_VALUES) : NULL, c->b_count));
    for (int k = 0; k < (has_values ? 2 : 1); k++) {
        const merge_array *out = &self->arrays[MERGE_OUT + k];
        const unsigned char *got = out->after + c->offsets[MERGE_OUT + k] * out->size;
        test_expect_same(self->expected[k], got, out->size, n, what);
    }
}
