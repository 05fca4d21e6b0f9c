// SPDX-License-Identifier: MIT
/* check.c: check a caller's buffer. */
#include "check.h"

#include <stdint.h>

#include "error.h"

/* Query a buffer. The error is the caller's only if the driver says that this is not a memory object. */
static clprim_status ask(void *out, const clprim__range *range, cl_mem_info what, size_t size)
{
    const cl_int code = clGetMemObjectInfo(range->memory, what, size, out, NULL);
    if (code == CL_INVALID_MEM_OBJECT)
        return clprim__fail(CLPRIM_INVALID_BUFFER, "%s is not an OpenCL buffer", range->name);
    return clprim__cl(code, "clGetMemObjectInfo");
}

static clprim_status check_kind(const clprim__range *range, cl_context context, unsigned access)
{
    cl_mem_object_type type = 0;
    cl_context owner = NULL;
    cl_mem_flags flags = 0;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(ask(&type, range, CL_MEM_TYPE, sizeof type));
    if (type != CL_MEM_OBJECT_BUFFER)
        return clprim__fail(CLPRIM_INVALID_BUFFER, "%s is not an OpenCL buffer", range->name);
    CLPRIM__TRY(ask(&owner, range, CL_MEM_CONTEXT, sizeof(cl_context)));
    if (owner != context)
        return clprim__fail(CLPRIM_INVALID_BUFFER, "%s belongs to another context than the runtime", range->name);
    CLPRIM__TRY(ask(&flags, range, CL_MEM_FLAGS, sizeof flags));
    if ((access & CLPRIM__READ) != 0 && (flags & CL_MEM_WRITE_ONLY) != 0)
        return clprim__fail(CLPRIM_INVALID_BUFFER, "%s was created write-only", range->name);
    if ((access & CLPRIM__WRITE) != 0 && (flags & CL_MEM_READ_ONLY) != 0)
        return clprim__fail(CLPRIM_INVALID_BUFFER, "%s was created read-only", range->name);
done:
    return status;
}

clprim_status clprim__check_range(clprim__range *range, cl_context context, unsigned access)
{
    if (range->memory == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is NULL", range->name);
    clprim_status status = CLPRIM_SUCCESS;
    size_t size = 0;
    size_t origin = 0;
    cl_mem parent = NULL;
    CLPRIM__TRY(check_kind(range, context, access));
    CLPRIM__TRY(ask(&size, range, CL_MEM_SIZE, sizeof size));
    CLPRIM__TRY(ask(&parent, range, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(cl_mem)));
    if (parent != NULL)
        CLPRIM__TRY(ask(&origin, range, CL_MEM_OFFSET, sizeof origin));
    const size_t elements = size / range->element_size;
    if (range->offset > elements || range->count > elements - range->offset)
        return clprim__fail(CLPRIM_INVALID_RANGE,
                            "%s has room for %zu elements of %zu bytes: offset %zu and count %zu reach past its end",
                            range->name, elements, range->element_size, range->offset, range->count);
    range->parent = parent != NULL ? parent : range->memory;
    range->begin = origin + range->offset * range->element_size;
    range->end = range->begin + range->count * range->element_size;
done:
    return status;
}

clprim_status clprim__check_end(size_t *bytes, const clprim__range *range)
{
    const size_t most = SIZE_MAX / range->element_size;
    if (range->count > most || range->offset > most - range->count)
        return clprim__fail(CLPRIM_INVALID_RANGE,
                            "%s: %zu elements of %zu bytes from element %zu on are more than memory can hold",
                            range->name, range->count, range->element_size, range->offset);
    *bytes = (range->offset + range->count) * range->element_size;
    return CLPRIM_SUCCESS;
}

/* The common parent of all host memory. */
static char host;

clprim_status clprim__check_host_range(clprim__range *range, const void *memory)
{
    size_t end = 0;
    const clprim_status status = clprim__check_end(&end, range);
    if (status != CLPRIM_SUCCESS)
        return status;
    range->parent = (cl_mem)(void *)&host;
    range->begin = (uintptr_t)memory + range->offset * range->element_size;
    range->end = range->begin + range->count * range->element_size;
    return CLPRIM_SUCCESS;
}

clprim_status clprim__check_disjoint(const clprim__range *a, const clprim__range *b)
{
    if (a->parent == b->parent && a->begin < b->end && b->begin < a->end && a->begin < a->end && b->begin < b->end)
        return clprim__fail(CLPRIM_INVALID_OVERLAP, "%s and %s overlap", a->name, b->name);
    return CLPRIM_SUCCESS;
}

bool clprim__is_same_range(const clprim__range *a, const clprim__range *b)
{
    return a->parent == b->parent && a->begin == b->begin;
}

clprim_status clprim__check_scratch(size_t *size, cl_mem scratch, cl_context context)
{
    clprim__range range = {.name = "scratch", .memory = scratch, .element_size = 1};
    const clprim_status status = clprim__check_range(&range, context, CLPRIM__READ | CLPRIM__WRITE);
    return status == CLPRIM_SUCCESS ? ask(size, &range, CL_MEM_SIZE, sizeof *size) : status;
}
