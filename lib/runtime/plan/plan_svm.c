// SPDX-License-Identifier: MIT
/* plan_svm.c: a call's arrays in shared virtual memory. */
#include "plan_svm.h"

#include <stdint.h>

#include "error.h"
#include "host.h"
#include "runtime_internal.h"

enum { MEM_USES_SVM_POINTER = 0x1109 }; /* from OpenCL 2.0; older headers lack it */

bool clprim__svm_is_used(const clprim_plan *plan, const void *call)
{
    for (size_t i = 0; i < plan->num_slots; i++)
        if (clprim__array_in(call, &plan->slots[i])->svm != NULL)
            return true;
    return false;
}

/* Whether a buffer must replace the slot's array. */
static bool is_replaced(const clprim__slot *slot, const void *call)
{
    return clprim__array_in(call, slot)->svm != NULL && slot->element_size > 0 && !slot->is_value;
}

static clprim__svm_region *region_of(clprim__svm *self, void *pointer)
{
    size_t i = 0;
    while (i < self->num_regions && self->regions[i].pointer != pointer)
        i++;
    return &self->regions[i];
}

static clprim_status add_array(clprim__svm *self, const clprim_plan *plan, const void *call, const clprim__slot *slot)
{
    const clprim_array *array = clprim__array_in(call, slot);
    const char *name = slot->member->name;
    clprim_status status = CLPRIM_SUCCESS;
    size_t bytes = 0;
    if (array->svm == NULL)
        return CLPRIM_SUCCESS;
    if (!plan->runtime->info.has_svm)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s.svm is given, but %s has no shared virtual memory", name,
                            plan->runtime->info.name);
    if (array->buffer != NULL || array->host != NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s has both a .svm and a %s", name,
                            array->buffer != NULL ? "buffer" : ".host");
    if (!is_replaced(slot, call))
        return CLPRIM_SUCCESS;
    const clprim__range range = {.name = name,
                                 .offset = array->offset,
                                 .count = clprim__length_of(slot, plan->desc.bytes, call),
                                 .element_size = slot->element_size};
    CLPRIM__TRY(clprim__check_end(&bytes, &range));
    clprim__svm_region *region = region_of(self, array->svm);
    if (region == self->regions + self->num_regions)
        self->regions[self->num_regions++] = (clprim__svm_region){.pointer = array->svm, .name = name};
    region->bytes = bytes > region->bytes ? bytes : region->bytes;
    region->is_written = region->is_written || slot->is_written;
done:
    return status;
}

static clprim_status make_buffer(clprim__svm_region *region, const clprim_runtime *runtime)
{
    cl_int code = CL_SUCCESS;
    if (region->bytes == 0)
        return CLPRIM_SUCCESS;
    if ((uintptr_t)region->pointer % CLPRIM__SHARED_ALIGNMENT != 0)
        return clprim__fail(CLPRIM_INVALID_BUFFER, "%s.svm is not aligned to %d bytes", region->name,
                            CLPRIM__SHARED_ALIGNMENT);
    region->buffer = clCreateBuffer(runtime->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, region->bytes,
                                    region->pointer, &code);
    if (code == CL_INVALID_BUFFER_SIZE)
        return clprim__fail(CLPRIM_INVALID_RANGE,
                            "%s.svm has no room for %zu bytes, or %s allows at most %zu in one buffer", region->name,
                            region->bytes, runtime->info.name, runtime->info.max_allocation_size);
    return clprim__cl(code, "clCreateBuffer over shared virtual memory");
}

/* Refuse regions that overlap: OpenCL does not know that their buffers share memory. */
static clprim_status check_overlaps(const clprim__svm *self)
{
    for (size_t i = 0; i < self->num_regions; i++)
        for (size_t k = 0; k < self->num_regions; k++) {
            const clprim__svm_region *a = &self->regions[i];
            const clprim__svm_region *b = &self->regions[k];
            const uintptr_t distance = (uintptr_t)b->pointer - (uintptr_t)a->pointer;
            if (i != k && distance < a->bytes && b->bytes > 0 && (a->is_written || b->is_written))
                return clprim__fail(CLPRIM_INVALID_OVERLAP,
                                    "%s.svm and %s.svm overlap: arrays within one allocation have the same .svm, and "
                                    "an .offset each",
                                    a->name, b->name);
        }
    return CLPRIM_SUCCESS;
}

/* Check that a buffer is not a copy. It is not if the driver says that its memory is the pointer's, or if host and
 * device share all of their memory. If it is a copy, the caller might never see what kernels write. */
static clprim_status check_shared(const clprim__svm_region *region, const clprim_device_info *info)
{
    cl_bool is_shared = CL_FALSE;
    clprim_status status = CLPRIM_SUCCESS;
    if (region->buffer == NULL || (info->has_system_svm && info->is_unified_memory))
        return CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__cl(clGetMemObjectInfo(region->buffer, MEM_USES_SVM_POINTER, sizeof is_shared, &is_shared, NULL),
                           "clGetMemObjectInfo(MEM_USES_SVM_POINTER)"));
    if (!is_shared)
        return clprim__fail(CLPRIM_INVALID_BUFFER,
                            "%s.svm is not a pointer that clSVMAlloc returned for the runtime's context; to begin "
                            "after such a pointer, set .offset",
                            region->name);
done:
    return status;
}

clprim_status clprim__svm_begin(clprim__svm *self, const clprim_plan *plan, void *call)
{
    clprim_status status = CLPRIM_SUCCESS;
    self->num_regions = 0;
    for (size_t i = 0; i < plan->num_slots; i++)
        CLPRIM__TRY(add_array(self, plan, call, &plan->slots[i]));
    for (size_t i = 0; i < self->num_regions; i++)
        CLPRIM__TRY(make_buffer(&self->regions[i], plan->runtime));
    CLPRIM__TRY(check_overlaps(self)); /* make_buffer has refused regions that are larger than their allocations */
    for (size_t i = 0; i < self->num_regions; i++)
        CLPRIM__TRY(check_shared(&self->regions[i], &plan->runtime->info));
    for (size_t i = 0; i < plan->num_slots; i++) {
        clprim_array *array = clprim__array_of(call, &plan->slots[i]);
        if (!is_replaced(&plan->slots[i], call))
            continue;
        array->buffer = region_of(self, array->svm)->buffer;
        array->svm = NULL;
        if (array->buffer == NULL)
            array->offset = 0;
    }
done:
    if (status != CLPRIM_SUCCESS)
        clprim__svm_end(self);
    return status;
}

void clprim__svm_end(clprim__svm *self)
{
    for (size_t i = 0; i < self->num_regions; i++)
        if (self->regions[i].buffer != NULL)
            (void)clReleaseMemObject(self->regions[i].buffer);
    self->num_regions = 0;
}
