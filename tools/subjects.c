/* subjects.c: what is tuned. */
#include "subjects.h"

#include <stdlib.h>
#include <string.h>

#include "bitonic_sort_internal.h"
#include "histogram_internal.h"
#include "radix_sort_internal.h"
#include "reduce_internal.h"
#include "scan_internal.h"
#include "segmented_sort_internal.h"
#include "select_internal.h"
#include "top_k_internal.h"

enum { BINS = 256, BEST = 100, SEGMENT = 40 /* elements on average */, POISON = 0xa5 };

/* Fill in the plan's address whatever the primitive, and call its functions. */
#define PLAN_FUNCTIONS(stem)                                                                                           \
    static void stem##_destroy(void *plan)                                                                             \
    {                                                                                                                  \
        clprim_##stem##_destroy(plan);                                                                                 \
    }                                                                                                                  \
    static clprim_status stem##_create(void **plan, clprim_runtime *runtime, const subject *self, int variant,         \
                                       size_t count)                                                                   \
    {                                                                                                                  \
        clprim_##stem *made = NULL;                                                                                    \
        const clprim_##stem##_desc desc = stem##_desc_of(self, variant, count);                                        \
        const clprim_status status = clprim_##stem##_create(&made, runtime, &desc);                                    \
        *plan = made;                                                                                                  \
        return status;                                                                                                 \
    }

static void *room(size_t bytes)
{
    return calloc(1, bytes > 0 ? bytes : 1);
}

static size_t type_size(const subject *self)
{
    return clprim_type_size(self->type);
}

static double once(const subject *self, size_t count)
{
    return (double)count * (double)type_size(self);
}

static double in_and_out(const subject *self, size_t count)
{
    return 2 * (double)count * (double)(type_size(self) + self->value_size);
}

/* reduce, scan: sums of integers */

static clprim_reduce_desc reduce_desc_of(const subject *self, int variant, size_t count)
{
    (void)count;
    return (clprim_reduce_desc){.type = self->type, .variant = (clprim_reduce_variant)variant};
}

static clprim_status reduce_prepare(subject_data *data, const subject *self, void *in, void *values, size_t count)
{
    (void)values;
    data->expected_bytes = type_size(self);
    data->expected = room(data->expected_bytes);
    return clprim_reference_reduce(data->expected, self->type, CLPRIM_SUM, CLPRIM_TYPE_DEFAULT, in, count);
}

static clprim_status reduce_enqueue(void *plan, const subject_data *data)
{
    return clprim_reduce_enqueue(plan, NULL, data->in, 0, data->count, data->out, 0, 0, NULL, NULL);
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
    data->expected_bytes = count * type_size(self);
    data->expected = room(data->expected_bytes);
    return clprim_reference_scan(data->expected, self->type, CLPRIM_SUM, CLPRIM_TYPE_DEFAULT, &how, in, count);
}

static clprim_status scan_enqueue(void *plan, const subject_data *data)
{
    return clprim_scan_enqueue(plan, NULL, data->in, 0, data->count, data->out, 0, 0, NULL, NULL);
}

/* select: the odd ones, half of all */

static clprim_select_desc select_desc_of(const subject *self, int variant, size_t count)
{
    (void)count;
    return (clprim_select_desc){
        .type = self->type, .predicate = "(x & 1) != 0", .variant = (clprim_select_variant)variant};
}

static clprim_status select_prepare(subject_data *data, const subject *self, void *in, void *values, size_t count)
{
    const size_t size = type_size(self);
    size_t selected = 0;
    uint8_t *keep = room(count);
    (void)values;
    for (size_t i = 0; keep != NULL && i < count; i++)
        keep[i] = ((const uint8_t *)in)[i * size] & 1; /* little-endian, as all the devices there are */
    data->expected = room(count * size);
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
    return clprim_select_enqueue(plan, NULL, data->in, 0, data->count, data->out, 0, data->number, 0, 0, NULL, NULL);
}

static double select_traffic(const subject *self, size_t count)
{
    return 1.5 * once(self, count);
}

/* the sorts */

static clprim_status sort_prepare(subject_data *data, const subject *self, void *in, void *values, size_t count)
{
    const clprim_reference_sort_how how = {.key_type = self->type, .value_size = self->value_size};
    data->expected_bytes = count * type_size(self);
    data->expected_values_bytes = count * self->value_size;
    data->expected = room(data->expected_bytes);
    data->expected_values = room(data->expected_values_bytes);
    if (data->expected == NULL || data->expected_values == NULL)
        return CLPRIM_OUT_OF_MEMORY;
    memcpy(data->expected, in, data->expected_bytes);
    if (self->value_size > 0)
        memcpy(data->expected_values, values, data->expected_values_bytes);
    return clprim_reference_sort(data->expected, self->value_size > 0 ? data->expected_values : NULL, &how, count);
}

static clprim_radix_sort_desc radix_sort_desc_of(const subject *self, int variant, size_t count)
{
    return (clprim_radix_sort_desc){.key_type = self->type,
                                    .value_size = self->value_size,
                                    .max_count =
                                        self->up_to != 0 || variant == CLPRIM_RADIX_SORT_SINGLE_GROUP ? count : 0,
                                    .variant = (clprim_radix_sort_variant)variant};
}

static clprim_status radix_sort_enqueue(void *plan, const subject_data *data)
{
    if (data->values_in == NULL)
        return clprim_radix_sort_enqueue(plan, NULL, data->in, 0, data->count, data->out, 0, 0, NULL, NULL);
    return clprim_radix_sort_enqueue_pairs(plan, NULL, data->in, 0, data->values_in, 0, data->count, data->out, 0,
                                           data->values_out, 0, 0, NULL, NULL);
}

static clprim_bitonic_sort_desc bitonic_sort_desc_of(const subject *self, int variant, size_t count)
{
    return (clprim_bitonic_sort_desc){
        .type = self->type, .max_count = count, .variant = (clprim_bitonic_sort_variant)variant};
}

static clprim_status bitonic_sort_enqueue(void *plan, const subject_data *data)
{
    return clprim_bitonic_sort_enqueue(plan, NULL, data->in, 0, data->count, data->out, 0, 0, NULL, NULL);
}

static clprim_segmented_sort_desc segmented_sort_desc_of(const subject *self, int variant, size_t count)
{
    const bool is_local = variant == CLPRIM_SEGMENTED_SORT_LOCAL; /* which must know how long they get */
    return (clprim_segmented_sort_desc){.key_type = self->type,
                                        .max_count = count,
                                        .max_segments = count / SEGMENT + 1,
                                        .max_segment_size = is_local ? 2 * SEGMENT : 0,
                                        .variant = (clprim_segmented_sort_variant)variant};
}

static clprim_status segmented_sort_prepare(subject_data *data, const subject *self, void *in, void *values,
                                            size_t count)
{
    const clprim_reference_sort_how how = {.key_type = self->type};
    const size_t segments = count / SEGMENT + 1;
    cl_uint *offsets = room((segments + 1) * sizeof *offsets);
    (void)values;
    data->expected_bytes = count * type_size(self);
    data->expected = room(data->expected_bytes);
    if (offsets == NULL || data->expected == NULL) {
        free(offsets);
        return CLPRIM_OUT_OF_MEMORY;
    }
    for (size_t s = 1; s < segments; s++) /* of 1 to 2 * SEGMENT - 1 elements */
        offsets[s] = (cl_uint)(s * SEGMENT - s * s * 7 % SEGMENT);
    offsets[segments] = (cl_uint)count;
    memcpy(data->expected, in, data->expected_bytes);
    const clprim_status status =
        clprim_reference_segmented_sort(data->expected, NULL, &how, count, CLPRIM_U32, offsets, segments);
    data->parts = segments;
    data->expected_values = offsets; /* until they are on the device */
    return status;
}

static clprim_status segmented_sort_enqueue(void *plan, const subject_data *data)
{
    return clprim_segmented_sort_enqueue(plan, NULL, data->in, 0, data->count, data->offsets, 0, data->parts, data->out,
                                         0, 0, NULL, NULL);
}

/* histogram: of bytes, and of what larger elements have of them */

static clprim_histogram_desc histogram_desc_of(const subject *self, int variant, size_t count)
{
    const bool is_per_item =
        variant == CLPRIM_HISTOGRAM_PER_ITEM || variant == CLPRIM_HISTOGRAM_PER_ITEM_SHUFFLED; /* at most 64 bins */
    (void)count;
    return (clprim_histogram_desc){
        .type = self->type, .bins = is_per_item ? BINS / 4 : BINS, .variant = (clprim_histogram_variant)variant};
}

static clprim_status histogram_prepare(subject_data *data, const subject *self, void *in, void *values, size_t count)
{
    const size_t size = type_size(self);
    const clprim_reference_histogram_how how = {.type = self->type, .bins = BINS};
    (void)values;
    for (size_t i = 0; i < count; i++)
        memset((uint8_t *)in + i * size + 1, 0, size - 1);
    data->expected_bytes = BINS * sizeof(cl_uint);
    data->expected = room(data->expected_bytes);
    return clprim_reference_histogram(data->expected, NULL, &how, in, NULL, count);
}

static clprim_status histogram_enqueue(void *plan, const subject_data *data)
{
    return clprim_histogram_enqueue(plan, NULL, data->in, 0, data->count, data->out, 0, NULL, 0, 0, NULL, NULL);
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
    data->expected_bytes = (count < BEST ? count : BEST) * type_size(self);
    data->expected = room(data->expected_bytes);
    return clprim_reference_top_k(data->expected, NULL, &how, in, NULL, count);
}

static clprim_status top_k_enqueue(void *plan, const subject_data *data)
{
    return clprim_top_k_enqueue(plan, NULL, data->in, 0, data->count, data->out, 0, 0, NULL, NULL);
}

PLAN_FUNCTIONS(reduce)
PLAN_FUNCTIONS(scan)
PLAN_FUNCTIONS(select)
PLAN_FUNCTIONS(radix_sort)
PLAN_FUNCTIONS(bitonic_sort)
PLAN_FUNCTIONS(segmented_sort)
PLAN_FUNCTIONS(histogram)
PLAN_FUNCTIONS(top_k)

#define SUBJECT(stem, type, value_size, log2_count, up_to, traffic, prepare)                                           \
    {                                                                                                                  \
#stem, &clprim__##stem##_tunables, clprim_##stem##_variants, type, value_size, (size_t)1 << (log2_count),      \
            up_to, traffic, prepare, stem##_create, stem##_enqueue, stem##_destroy                                     \
    }

const subject subjects[] = {
    SUBJECT(reduce, CLPRIM_U8, 0, 26, 0, once, reduce_prepare),
    SUBJECT(reduce, CLPRIM_U32, 0, 25, 0, once, reduce_prepare),
    SUBJECT(reduce, CLPRIM_U64, 0, 24, 0, once, reduce_prepare),
    SUBJECT(scan, CLPRIM_U32, 0, 24, 0, in_and_out, scan_prepare),
    SUBJECT(scan, CLPRIM_U64, 0, 23, 0, in_and_out, scan_prepare),
    SUBJECT(select, CLPRIM_U32, 0, 24, 0, select_traffic, select_prepare),
    SUBJECT(select, CLPRIM_U64, 0, 23, 0, select_traffic, select_prepare),
    SUBJECT(radix_sort, CLPRIM_U32, 0, 16, 1 << 18, in_and_out, sort_prepare),
    SUBJECT(radix_sort, CLPRIM_U32, 0, 23, 0, in_and_out, sort_prepare),
    SUBJECT(radix_sort, CLPRIM_U64, 0, 22, 0, in_and_out, sort_prepare),
    SUBJECT(radix_sort, CLPRIM_U64, 8, 22, 0, in_and_out, sort_prepare),
    SUBJECT(bitonic_sort, CLPRIM_U32, 0, 20, 0, in_and_out, sort_prepare),
    SUBJECT(bitonic_sort, CLPRIM_U64, 0, 20, 0, in_and_out, sort_prepare),
    SUBJECT(segmented_sort, CLPRIM_U32, 0, 22, 0, in_and_out, segmented_sort_prepare),
    SUBJECT(histogram, CLPRIM_U8, 0, 26, 0, once, histogram_prepare),
    SUBJECT(histogram, CLPRIM_U32, 0, 24, 0, once, histogram_prepare),
    SUBJECT(top_k, CLPRIM_U32, 0, 24, 0, once, top_k_prepare),
    SUBJECT(top_k, CLPRIM_U64, 0, 23, 0, once, top_k_prepare),
};
const size_t num_subjects = sizeof subjects / sizeof *subjects;

static cl_mem buffer(clprim_status *status, const clprim_runtime *runtime, const void *data, size_t bytes)
{
    cl_int code = CL_SUCCESS;
    cl_mem memory = NULL;
    const size_t size = bytes > 0 ? bytes : 1;
    if (*status == CLPRIM_SUCCESS)
        memory = clCreateBuffer(clprim_runtime_context(runtime), CL_MEM_READ_WRITE, size, NULL, &code);
    if (*status == CLPRIM_SUCCESS && code == CL_SUCCESS && data != NULL && bytes > 0)
        code = clEnqueueWriteBuffer(clprim_runtime_queue(runtime), memory, CL_TRUE, 0, bytes, data, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        *status = (clprim_status)code;
    return memory;
}

static void fill(void *out, size_t bytes)
{
    uint64_t state = 0x5eed;
    for (size_t i = 0; i < bytes; i++) { /* splitmix64 (Steele, Lea, Flood 2014), a byte at a time */
        uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        ((uint8_t *)out)[i] = (uint8_t)(z >> 56);
    }
}

clprim_status subject_data_create(subject_data *out, clprim_runtime *runtime, const subject *self, size_t count)
{
    const size_t bytes = count * type_size(self);
    const size_t values_bytes = count * self->value_size;
    const size_t out_bytes = bytes > BINS * sizeof(cl_uint) ? bytes : BINS * sizeof(cl_uint);
    void *in = room(bytes);
    void *values = room(values_bytes);
    clprim_status status = in == NULL || values == NULL ? CLPRIM_OUT_OF_MEMORY : CLPRIM_SUCCESS;
    *out = (subject_data){.count = count};
    if (status == CLPRIM_SUCCESS) {
        fill(in, bytes);
        fill(values, values_bytes);
        status = self->prepare(out, self, in, values, count);
    }
    out->in = buffer(&status, runtime, in, bytes);
    out->out = buffer(&status, runtime, NULL, out_bytes);
    out->number = buffer(&status, runtime, NULL, sizeof(uint64_t));
    if (self->value_size > 0) {
        out->values_in = buffer(&status, runtime, values, values_bytes);
        out->values_out = buffer(&status, runtime, NULL, values_bytes);
    } else if (out->parts > 0) {
        out->offsets = buffer(&status, runtime, out->expected_values, (out->parts + 1) * sizeof(cl_uint));
    }
    free(in);
    free(values);
    return status;
}

void subject_data_destroy(subject_data *data)
{
    const cl_mem all[] = {data->in, data->values_in, data->offsets, data->out, data->values_out, data->number};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] != NULL)
            (void)clReleaseMemObject(all[i]);
    free(data->expected);
    free(data->expected_values);
    *data = (subject_data){0};
}

static clprim_status poison(const clprim_runtime *runtime, cl_mem memory, size_t bytes)
{
    const cl_uchar byte = POISON;
    if (memory == NULL || bytes == 0)
        return CLPRIM_SUCCESS;
    return (clprim_status)clEnqueueFillBuffer(clprim_runtime_queue(runtime), memory, &byte, 1, 0, bytes, 0, NULL, NULL);
}

static clprim_status compare(bool *is_same, const clprim_runtime *runtime, cl_mem memory, const void *expected,
                             size_t bytes)
{
    void *got = room(bytes);
    cl_int code = got == NULL ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS;
    if (code == CL_SUCCESS && bytes > 0)
        code = clEnqueueReadBuffer(clprim_runtime_queue(runtime), memory, CL_TRUE, 0, bytes, got, 0, NULL, NULL);
    *is_same = *is_same && code == CL_SUCCESS && (bytes == 0 || memcmp(got, expected, bytes) == 0);
    free(got);
    return (clprim_status)code;
}

clprim_status subject_try(bool *is_right, clprim_runtime *runtime, const subject *self, void *plan,
                          const subject_data *data)
{
    clprim_status status = poison(runtime, data->out, data->expected_bytes);
    *is_right = true;
    if (status == CLPRIM_SUCCESS)
        status = poison(runtime, data->values_out, data->expected_values_bytes);
    if (status == CLPRIM_SUCCESS)
        status = self->enqueue(plan, data);
    if (status == CLPRIM_SUCCESS)
        status = compare(is_right, runtime, data->out, data->expected, data->expected_bytes);
    if (status == CLPRIM_SUCCESS)
        status = compare(is_right, runtime, data->values_out, data->expected_values, data->expected_values_bytes);
    if (status == CLPRIM_SUCCESS && strcmp(self->stem, "select") == 0)
        status = compare(is_right, runtime, data->number, &data->expected_number, sizeof data->expected_number);
    return status;
}

int subject_variant(const subject *self, const char *name)
{
    size_t count = 0;
    const clprim_variant_info *infos = self->variants(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(infos[i].name, name) == 0)
            return infos[i].id;
    return 0;
}

size_t subject_tables(const clprim__tunables **out)
{
    size_t count = 0;
    for (size_t i = 0; i < num_subjects; i++)
        if (count == 0 || out[count - 1] != subjects[i].tunables)
            out[count++] = subjects[i].tunables;
    return count;
}
