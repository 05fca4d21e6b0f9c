/* subjects.c: what is tuned, and the arrays for it. */
#include "subjects.h"

#include <stdlib.h>
#include <string.h>

#include "tuned.h"

enum { POISON = 0xa5 };

#define SUBJECT(name, type, value_size, log2_count, up_to)                                                             \
    {                                                                                                                  \
        &tuned_##name, type, value_size, (size_t)1 << (log2_count), up_to                                              \
    }

/* Those of a stem are neighbours. A comparison sort's variant depends on the number of elements. */
const subject subjects[] = {
    SUBJECT(reduce, CLPRIM_U8, 0, 26, 0),
    SUBJECT(reduce, CLPRIM_U32, 0, 25, 0),
    SUBJECT(reduce, CLPRIM_U64, 0, 24, 0),
    SUBJECT(scan, CLPRIM_U32, 0, 24, 0),
    SUBJECT(scan, CLPRIM_U64, 0, 23, 0),
    SUBJECT(select, CLPRIM_U32, 0, 24, 0),
    SUBJECT(select, CLPRIM_U64, 0, 23, 0),
    SUBJECT(radix_sort, CLPRIM_U32, 0, 16, 1 << 18),
    SUBJECT(radix_sort, CLPRIM_U32, 0, 23, 0),
    SUBJECT(radix_sort, CLPRIM_U64, 0, 22, 0),
    SUBJECT(radix_sort, CLPRIM_U64, 8, 22, 0),
    SUBJECT(bitonic_sort, CLPRIM_U32, 0, 20, 0),
    SUBJECT(bitonic_sort, CLPRIM_U64, 0, 20, 0),
    SUBJECT(segmented_sort, CLPRIM_U32, 0, 22, 0),
    SUBJECT(histogram, CLPRIM_U8, 0, 26, 0),
    SUBJECT(histogram, CLPRIM_U32, 0, 24, 0),
    SUBJECT(top_k, CLPRIM_U32, 0, 24, 0),
    SUBJECT(top_k, CLPRIM_U64, 0, 23, 0),
    SUBJECT(comparison_sort, CLPRIM_U32, 0, 16, 1 << 18),
    SUBJECT(comparison_sort, CLPRIM_U32, 0, 22, 1 << 23),
    SUBJECT(comparison_sort, CLPRIM_U32, 0, 24, 0),
    SUBJECT(comparison_sort, CLPRIM_U64, 0, 24, 0),
    SUBJECT(comparison_sort, CLPRIM_U64, 8, 24, 0),
    SUBJECT(merge, CLPRIM_U32, 0, 24, 0),
    SUBJECT(merge, CLPRIM_U64, 0, 23, 0),
    SUBJECT(merge, CLPRIM_U64, 8, 22, 0),
    SUBJECT(is_sorted, CLPRIM_U32, 0, 25, 0),
    SUBJECT(is_sorted, CLPRIM_U64, 0, 24, 0),
    SUBJECT(search, CLPRIM_U32, 0, 22, 0),
    SUBJECT(search, CLPRIM_U64, 0, 21, 0),
    SUBJECT(search_anywhere, CLPRIM_U32, 0, 22, 0),
    SUBJECT(search_anywhere, CLPRIM_U64, 0, 21, 0),
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
    const size_t bytes = count * subject_type_size(self);
    const size_t values_bytes = count * self->value_size;
    const size_t out_bytes = bytes > TUNED_BINS * sizeof(cl_uint) ? bytes : TUNED_BINS * sizeof(cl_uint);
    void *in = tuned_room(bytes);
    void *values = tuned_room(values_bytes);
    clprim_status status = in == NULL || values == NULL ? CLPRIM_OUT_OF_MEMORY : CLPRIM_SUCCESS;
    *out = (subject_data){.count = count};
    if (status == CLPRIM_SUCCESS) {
        fill(in, bytes);
        fill(values, values_bytes);
        status = self->primitive->prepare(out, self, in, values, count);
    }
    out->in = buffer(&status, runtime, in, bytes);
    out->second = buffer(&status, runtime, out->second_on_host, out->second_bytes);
    out->out = buffer(&status, runtime, NULL, out_bytes);
    out->number = buffer(&status, runtime, NULL, sizeof(uint64_t));
    if (self->value_size > 0) {
        out->values_in = buffer(&status, runtime, values, values_bytes);
        out->values_out = buffer(&status, runtime, NULL, values_bytes);
    }
    free(out->second_on_host);
    out->second_on_host = NULL;
    free(in);
    free(values);
    return status;
}

void subject_data_destroy(subject_data *data)
{
    const cl_mem all[] = {data->in, data->values_in, data->second, data->out, data->values_out, data->number};
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
    void *got = tuned_room(bytes);
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
        status = self->primitive->enqueue(plan, data);
    if (status == CLPRIM_SUCCESS)
        status = compare(is_right, runtime, data->out, data->expected, data->expected_bytes);
    if (status == CLPRIM_SUCCESS)
        status = compare(is_right, runtime, data->values_out, data->expected_values, data->expected_values_bytes);
    if (status == CLPRIM_SUCCESS && strcmp(self->primitive->stem, "select") == 0)
        status = compare(is_right, runtime, data->number, &data->expected_number, sizeof data->expected_number);
    return status;
}

int subject_variant(const subject *self, const char *name)
{
    size_t count = 0;
    const clprim_variant_info *infos = self->primitive->variants(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(infos[i].name, name) == 0)
            return infos[i].id;
    return 0;
}

size_t subject_tables(const clprim__tunables **out)
{
    size_t count = 0;
    for (size_t i = 0; i < num_subjects; i++)
        if (count == 0 || out[count - 1] != subjects[i].primitive->tunables)
            out[count++] = subjects[i].primitive->tunables;
    return count;
}
