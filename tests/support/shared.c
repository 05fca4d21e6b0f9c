// SPDX-License-Identifier: MIT
/* shared.c: a call whose arrays are in shared virtual memory. */
#define CL_TARGET_OPENCL_VERSION 200
#include "shared.h"

#include <stdlib.h>

bool test_has_svm(const clprim_runtime *runtime, bool is_fine)
{
    cl_device_svm_capabilities has = 0;
    const clprim_device_info *info = clprim_runtime_info(runtime);
    const cl_int code = clGetDeviceInfo(info->device, CL_DEVICE_SVM_CAPABILITIES, sizeof has, &has, NULL);
    cr_assert(info->has_svm == (code == CL_SUCCESS && has != 0) || test_lacks_features());
    return info->has_svm &&
           (has & (is_fine ? CL_DEVICE_SVM_FINE_GRAIN_BUFFER : CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)) != 0;
}

void *test_svm(const clprim_runtime *runtime, size_t bytes, bool is_fine)
{
    const cl_svm_mem_flags flags = CL_MEM_READ_WRITE | (is_fine ? CL_MEM_SVM_FINE_GRAIN_BUFFER : 0);
    void *pointer = clSVMAlloc(clprim_runtime_context(runtime), flags, bytes > 0 ? bytes : 1, 0);
    cr_assert_not_null(pointer);
    return pointer;
}

void test_svm_free(const clprim_runtime *runtime, void *pointer)
{
    clSVMFree(clprim_runtime_context(runtime), pointer);
}

/* Fine-grained memory may be mapped, too; that has no effect. */
static void copy(const clprim_runtime *runtime, void *to, const void *from, void *pointer, size_t bytes)
{
    const cl_command_queue queue = clprim_runtime_queue(runtime);
    if (bytes == 0)
        return;
    const cl_map_flags flags = to == pointer ? CL_MAP_WRITE : CL_MAP_READ;
    ASSERT_CL(clEnqueueSVMMap(queue, CL_TRUE, flags, pointer, bytes, 0, NULL, NULL));
    memcpy(to, from, bytes);
    ASSERT_CL(clEnqueueSVMUnmap(queue, pointer, 0, NULL, NULL));
    ASSERT_CL(clFinish(queue));
}

void test_svm_write(const clprim_runtime *runtime, void *pointer, const void *data, size_t bytes)
{
    copy(runtime, pointer, data, pointer, bytes);
}

void test_svm_read(const clprim_runtime *runtime, void *data, void *pointer, size_t bytes)
{
    copy(runtime, data, pointer, pointer, bytes);
}

void test_shared_create(test_shared *out, const test_call *self, bool is_fine, bool is_mixed)
{
    *out = (test_shared){.self = self, .call = self->call};
    for (size_t i = is_mixed; i < self->num_arrays; i += 1 + is_mixed) {
        const test_array *owner = &self->arrays[i];
        if (!owner->is_there)
            continue;
        const test_place place = {owner, test_svm(self->runtime, owner->bytes, is_fine)};
        out->places[out->num_places++] = place;
        for (size_t k = 0; k < self->num_arrays; k++) { /* a buffer has an array, and what overwrites it */
            clprim_array *array = test_array_of(self, &out->call, k);
            if (!self->arrays[k].is_there || array->buffer != owner->memory)
                continue;
            array->buffer = NULL;
            array->svm = place.pointer;
        }
    }
}

void test_shared_destroy(test_shared *shared)
{
    for (size_t i = 0; i < shared->num_places; i++)
        test_svm_free(shared->self->runtime, shared->places[i].pointer);
    shared->num_places = 0;
}

void test_shared_bring(const test_shared *shared)
{
    for (size_t i = 0; i < shared->num_places; i++) {
        const test_place *place = &shared->places[i];
        test_read(shared->self->runtime, place->array->after, place->array->memory, place->array->bytes);
        test_svm_write(shared->self->runtime, place->pointer, place->array->after, place->array->bytes);
    }
}

void test_shared_return(const test_shared *shared)
{
    for (size_t i = 0; i < shared->num_places; i++) {
        const test_place *place = &shared->places[i];
        test_svm_read(shared->self->runtime, place->array->after, place->pointer, place->array->bytes);
        test_write(shared->self->runtime, place->array->memory, place->array->after, place->array->bytes);
    }
}
