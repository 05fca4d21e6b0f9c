/* tuned_streams.c: reduce, scan, select, histogram and top_k. */
#include "histogram_internal.h"
#include "reduce_internal.h"
#include "scan_internal.h"
#include "select_internal.h"
#include "top_k_internal.h"
#include "tuned.h"

enum { BEST = 100 /* of top_k */ };

/* reduce, scan: sums of integers */

static clprim_reduce_desc reduce_desc_of(const subject *self, int variant, size_t count)
{
    (void)count;
    return (clprim_reduce_desc){.type = self->type, .variant = (clprim_reduce_variant)variant};
}

static clprim_status reduce_prepare(subject_data *data, const subject *self, void *in, void *values, size_t count)
{
    (void)values;
    data->expected_bytes = subject_type_size(self);
    data->expected = tuned_room(data->expected_bytes);
    return clprim_reference_reduce(data->expected, self->type, CLPRIM_SUM, CLPRIM_TYPE_DEFAULT, in, count);
}

static clprim_status reduce_enqueue(void *plan, const subject_data *data)
{
    return clprim_reduce_enqueue(
        plan, NULL, &(clprim_reduce_call){.in = {data->in}, .count = data->count, .out = {data->out}}, 0, NULL, NULL);
}

static clprim_scan_desc scan_desc_of(const subject *self, int variant, size_t count)
{
    (void)count;
    return (clprim_scan_desc){.type = self->type, .variant = (clprim_scan_variant)variant};
}

static clprim_status scan_prepare(subject_data *data, const subject *self, void *in, void *values, size_t count)
{
    const clprim_reference_scan_how how = {.exclusive = false};
    (void)values;
    data->expected_bytes = count * subject_type_size(self);
    data->expected = tuned_room(data->expected_bytes);
    return clprim_reference_scan(data->expected, self->type, CLPRIM_SUM, CLPRIM_TYPE_DEFAULT, &how, in, count);
}

static clprim_status scan_enqueue(void *plan, const subject_data *data)
{
    return clprim_scan_enqueue(
        plan, NULL, &(clprim_scan_call){.in = {data->in}, .count = data->count, .out = {data->out}}, 0, NULL, NULL);
}

/* select: the odd ones, half of all */

static clprim_select_desc select_desc_of(const subject *self, int variant, size_t count)
{
    (void)count;
    return (clprim_select_desc){.type = self->type,
                                .predicate = "(x & 1) != 0",
                                .index_type = CLPRIM_U64,
                                .variant = (clprim_select_variant)variant};
}

static clprim_status select_prepare(subject_data *data, const subject *self, void *in, void *values, size_t count)
{
    const size_t size = subject_type_size(self);
    size_t selected = 0;
    uint8_t *keep = tuned_room(count);
    (void)values;
    for (size_t i = 0; keep != NULL && i < count; i++)
        keep[i] = ((const uint8_t *)in)[i * size] & 1; /* little-endian, as all the devices there are */
    data->expected = tuned_room(count * size);
    const clprim_status status = keep == NULL
                                     ? CLPRIM_OUT_OF_MEMORY
                                     : clprim_reference_select(data->expected, &selected, size, keep, false, in, count);
    free(keep);
    data->expected_bytes = selected * size;
    data->expected_number = selected;
    return status;
}

static clprim_status select_enqueue(void *plan, const subject_data *data)
{
    return clprim_select_enqueue(
        plan, NULL,
        &(clprim_select_call){.in = {data->in}, .count = data->count, .out = {data->out}, .out_count = {data->number}},
        0, NULL, NULL);
}

static double select_traffic(const subject *self, size_t count)
{
    return 1.5 * tuned_once(self, count);
}

/* histogram: of bytes, and of what larger elements have of them */

static clprim_histogram_desc histogram_desc_of(const subject *self, int variant, size_t count)
{
    const bool is_per_item =
        variant == CLPRIM_HISTOGRAM_PER_ITEM || variant == CLPRIM_HISTOGRAM_PER_ITEM_SHUFFLED; /* at most 64 bins */
    (void)count;
    return (clprim_histogram_desc){.type = self->type,
                                   .bins = is_per_item ? TUNED_BINS / 4 : TUNED_BINS,
                                   .variant = (clprim_histogram_variant)variant};
}

static clprim_status histogram_prepare(subject_data *data, const subject *self, void *in, void *values, size_t count)
{
    const size_t size = subject_type_size(self);
    const clprim_reference_histogram_how how = {.type = self->type, .bins = TUNED_BINS};
    (void)values;
    for (size_t i = 0; i < count; i++)
        memset((uint8_t *)in + i * size + 1, 0, size - 1);
    data->expected_bytes = TUNED_BINS * sizeof(cl_uint);
    data->expected = tuned_room(data->expected_bytes);
    return clprim_reference_histogram(data->expected, NULL, &how, in, NULL, count);
}

static clprim_status histogram_enqueue(void *plan, const subject_data *data)
{
    return clprim_histogram_enqueue(
        plan, NULL, &(clprim_histogram_call){.in = {data->in}, .count = data->count, .out = {data->out}}, 0, NULL,
        NULL);
}

/* top_k */

static clprim_top_k_desc top_k_desc_of(const subject *self, int variant, size_t count)
{
    return (clprim_top_k_desc){
        .key_type = self->type, .k = BEST, .max_count = count, .variant = (clprim_top_k_variant)variant};
}

static clprim_status top_k_prepare(subject_data *data, const subject *self, void *in, void *values, size_t count)
{
    const clprim_reference_top_k_how how = {.key_type = self->type, .k = BEST};
    (void)values;
    data->expected_bytes = (count < BEST ? count : BEST) * subject_type_size(self);
    data->expected = tuned_room(data->expected_bytes);
    return clprim_reference_top_k(data->expected, NULL, &how, in, NULL, count);
}

static clprim_status top_k_enqueue(void *plan, const subject_data *data)
{
    return clprim_top_k_enqueue(
        plan, NULL, &(clprim_top_k_call){.keys_in = {data->in}, .count = data->count, .keys_out = {data->out}}, 0, NULL,
        NULL);
}

TUNED_OPERATION(reduce, reduce, tuned_once, reduce_prepare)
TUNED_OPERATION(scan, scan, tuned_in_and_out, scan_prepare)
TUNED_OPERATION(select, select, select_traffic, select_prepare)
TUNED_OPERATION(histogram, histogram, tuned_once, histogram_prepare)
TUNED_OPERATION(top_k, top_k, tuned_once, top_k_prepare)
