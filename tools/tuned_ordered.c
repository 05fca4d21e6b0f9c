/* tuned_ordered.c: merge, is_sorted and search: what takes arrays that are in order. */
#include "is_sorted_internal.h"
#include "merge_internal.h"
#include "search_internal.h"
#include "tuned.h"

static clprim_status put_in_order(const subject *self, void *keys, size_t count)
{
    const clprim_reference_sort_how how = {.key_type = self->type};
    return clprim_reference_sort(keys, NULL, &how, count);
}

/* merge: of two halves */

static clprim_merge_desc merge_desc_of(const subject *self, int variant, size_t count)
{
    return (clprim_merge_desc){.key_type = self->type,
                               .value_size = self->value_size,
                               .max_count = count,
                               .variant = (clprim_merge_variant)variant};
}

static clprim_status merge_prepare(subject_data *data, const subject *self, void *in, void *values, size_t count)
{
    const clprim_reference_order order = {.type = self->type};
    const bool has_values = self->value_size > 0;
    const size_t half = count / 2;
    char *other = (char *)in + half * subject_type_size(self);
    char *other_values = (char *)values + half * self->value_size;
    data->expected_bytes = count * subject_type_size(self);
    data->expected_values_bytes = count * self->value_size;
    data->expected = tuned_room(data->expected_bytes);
    data->expected_values = tuned_room(data->expected_values_bytes);
    if (data->expected == NULL || data->expected_values == NULL)
        return CLPRIM_OUT_OF_MEMORY;
    clprim_status status = put_in_order(self, in, half);
    if (status == CLPRIM_SUCCESS)
        status = put_in_order(self, other, count - half);
    if (status == CLPRIM_SUCCESS)
        status = clprim_reference_merge(data->expected, has_values ? data->expected_values : NULL, &order,
                                        self->value_size, in, has_values ? values : NULL, half, other,
                                        has_values ? other_values : NULL, count - half);
    return status;
}

static clprim_status merge_enqueue(void *plan, const subject_data *data)
{
    const size_t half = data->count / 2;
    const size_t rest = data->count - half;
    if (data->values_in == NULL)
        return clprim_merge_enqueue(plan, NULL,
                                    &(clprim_merge_call){.a_keys = {data->in},
                                                         .b_keys = {data->in, half},
                                                         .a_count = half,
                                                         .b_count = rest,
                                                         .keys_out = {data->out}},
                                    0, NULL, NULL);
    return clprim_merge_enqueue(plan, NULL,
                                &(clprim_merge_call){.a_keys = {data->in},
                                                     .a_values = {data->values_in},
                                                     .b_keys = {data->in, half},
                                                     .b_values = {data->values_in, half},
                                                     .a_count = half,
                                                     .b_count = rest,
                                                     .keys_out = {data->out},
                                                     .values_out = {data->values_out}},
                                0, NULL, NULL);
}

/* is_sorted: only the last element is wrong */

static clprim_is_sorted_desc is_sorted_desc_of(const subject *self, int variant, size_t count)
{
    (void)count;
    return (clprim_is_sorted_desc){.type = self->type, .variant = (clprim_is_sorted_variant)variant};
}

static clprim_status is_sorted_prepare(subject_data *data, const subject *self, void *in, void *values, size_t count)
{
    const clprim_reference_order order = {.type = self->type};
    const size_t size = subject_type_size(self);
    size_t until = 0;
    cl_uint *expected = tuned_room(sizeof *expected);
    (void)values;
    data->expected_bytes = sizeof *expected;
    data->expected = expected;
    if (expected == NULL)
        return CLPRIM_OUT_OF_MEMORY;
    clprim_status status = put_in_order(self, in, count);
    if (count > 0)
        memset((char *)in + (count - 1) * size, 0, size);
    if (status == CLPRIM_SUCCESS)
        status = clprim_reference_is_sorted(&until, &order, in, count);
    *expected = (cl_uint)until;
    return status;
}

static clprim_status is_sorted_enqueue(void *plan, const subject_data *data)
{
    return clprim_is_sorted_enqueue(
        plan, NULL, &(clprim_is_sorted_call){.in = {data->in}, .count = data->count, .out = {data->out}}, 0, NULL,
        NULL);
}

/* search: as many needles as elements, in order */

static clprim_search_desc search_desc_of(const subject *self, int variant, size_t count)
{
    (void)count;
    return (clprim_search_desc){
        .type = self->type, .needles_are_sorted = true, .variant = (clprim_search_variant)variant};
}

static clprim_status prepare_needles(subject_data *data, const subject *self, void *in, size_t count, bool in_order)
{
    const clprim_reference_order order = {.type = self->type};
    const size_t bytes = count * subject_type_size(self);
    uint8_t *needles = tuned_room(bytes);
    uint64_t *places = tuned_room(count * sizeof *places);
    cl_uint *expected = tuned_room(count * sizeof *expected);
    clprim_status status =
        needles == NULL || places == NULL || expected == NULL ? CLPRIM_OUT_OF_MEMORY : CLPRIM_SUCCESS;
    data->second_on_host = needles;
    data->second_bytes = bytes;
    data->expected = expected;
    data->expected_bytes = count * sizeof *expected;
    for (size_t i = 0; i < bytes && status == CLPRIM_SUCCESS; i++) /* some are elements, too */
        needles[i] = i % 64 < 32 ? ((uint8_t *)in)[i] : (uint8_t) ~((uint8_t *)in)[i];
    if (status == CLPRIM_SUCCESS)
        status = put_in_order(self, in, count);
    if (status == CLPRIM_SUCCESS && in_order)
        status = put_in_order(self, needles, count);
    if (status == CLPRIM_SUCCESS)
        status = clprim_reference_search(places, &order, false, in, count, needles, count);
    for (size_t i = 0; i < count && status == CLPRIM_SUCCESS; i++)
        expected[i] = (cl_uint)places[i];
    free(places);
    return status;
}

static clprim_status search_prepare(subject_data *data, const subject *self, void *in, void *values, size_t count)
{
    (void)values;
    return prepare_needles(data, self, in, count, true);
}

static clprim_status search_enqueue(void *plan, const subject_data *data)
{
    return clprim_search_enqueue(plan, NULL,
                                 &(clprim_search_call){.in = {data->in},
                                                       .needles = {data->second},
                                                       .count = data->count,
                                                       .needle_count = data->count,
                                                       .out = {data->out}},
                                 0, NULL, NULL);
}

static double search_traffic(const subject *self, size_t count)
{
    return 2 * tuned_once(self, count) + (double)count * (double)sizeof(cl_uint);
}

/* The same in no order, for which there is one variant, the first one. */

static clprim_search_desc search_anywhere_desc_of(const subject *self, int variant, size_t count)
{
    (void)count;
    return (clprim_search_desc){.type = self->type, .variant = (clprim_search_variant)variant};
}

static clprim_status search_anywhere_prepare(subject_data *data, const subject *self, void *in, void *values,
                                             size_t count)
{
    (void)values;
    return prepare_needles(data, self, in, count, false);
}

static const clprim_variant_info *search_anywhere_variants(size_t *count)
{
    const clprim_variant_info *infos = clprim_search_operation.variants(count);
    *count = 1;
    return infos;
}

TUNED_OPERATION(merge, merge, tuned_in_and_out, merge_prepare)
TUNED_OPERATION(is_sorted, is_sorted, tuned_once, is_sorted_prepare)
TUNED_OPERATION(search, search, search_traffic, search_prepare)
TUNED_OPERATION_WITH(search_anywhere, search, search_anywhere_variants, search_traffic, search_anywhere_prepare)
