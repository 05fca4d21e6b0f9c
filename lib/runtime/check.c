/* check.c: is a caller's buffer what they say it is? */
#include "check.h"

#include <stdint.h>

#include "error.h"

static clprim_status check_kind(const clprim__range *range, cl_context context, clprim__access access)
{
    cl_mem_object_type type = 0;
    cl_context owner = NULL;
    cl_mem_flags flags = 0;
    if (clGetMemObjectInfo(range->memory, CL_MEM_TYPE, sizeof type, &type, NULL) != CL_SUCCESS ||
        type != CL_MEM_OBJECT_BUFFER)
        return clprim__fail(CLPRIM_INVALID_BUFFER, "%s is not an OpenCL buffer", range->name);
    if (clGetMemObjectInfo(range->memory, CL_MEM_CONTEXT, sizeof(cl_context), &owner, NULL) != CL_SUCCESS ||
        owner != context)
        return clprim__fail(CLPRIM_INVALID_BUFFER, "%s belongs to another context than the runtime", range->name);
    if (clGetMemObjectInfo(range->memory, CL_MEM_FLAGS, sizeof flags, &flags, NULL) != CL_SUCCESS ||
        (flags & (access == CLPRIM__WRITE ? CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY)) != 0)
        return clprim__fail(CLPRIM_INVALID_BUFFER, "%s was created %s", range->name,
                            access == CLPRIM__WRITE ? "read-only" : "write-only");
    return CLPRIM_SUCCESS;
}

clprim_status clprim__check_range(clprim__range *range, cl_context context, clprim__access access)
{
    if (range->memory == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is NULL", range->name);
    clprim_status status = CLPRIM_SUCCESS;
    size_t size = 0;
    size_t origin = 0;
    cl_mem parent = NULL;
    CLPRIM__TRY(check_kind(range, context, access));
    CLPRIM__TRY(clprim__cl(clGetMemObjectInfo(range->memory, CL_MEM_SIZE, sizeof size, &size, NULL),
                           "clGetMemObjectInfo(SIZE)"));
    CLPRIM__TRY(
        clprim__cl(clGetMemObjectInfo(range->memory, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(cl_mem), &parent, NULL),
                   "clGetMemObjectInfo(ASSOCIATED_MEMOBJECT)"));
    if (parent != NULL)
        CLPRIM__TRY(clprim__cl(clGetMemObjectInfo(range->memory, CL_MEM_OFFSET, sizeof origin, &origin, NULL),
                               "clGetMemObjectInfo(OFFSET)"));
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

clprim_status clprim__check_disjoint(const clprim__range *a, const clprim__range *b)
{
    if (a->parent == b->parent && a->begin < b->end && b->begin < a->end)
        return clprim__fail(CLPRIM_INVALID_OVERLAP, "%s and %s overlap in the same buffer", a->name, b->name);
    return CLPRIM_SUCCESS;
}

bool clprim__is_same_range(const clprim__range *a, const clprim__range *b)
{
    return a->parent == b->parent && a->begin == b->begin;
}

clprim_status clprim__check_overlaps(const clprim__range *ranges, int count, int first_written, bool *in_place)
{
    clprim_status status = CLPRIM_SUCCESS;
    for (int written = first_written; written < count; written++) {
        const int source = written - first_written;
        const bool exists = ranges[written].parent != NULL;
        const bool is_source = in_place != NULL && exists && clprim__is_same_range(&ranges[source], &ranges[written]);
        if (in_place != NULL)
            in_place[source] = is_source;
        for (int other = 0; other < written && exists; other++)
            if (ranges[other].parent != NULL && !(other == source && is_source))
                CLPRIM__TRY(clprim__check_disjoint(&ranges[other], &ranges[written]));
    }
done:
    return status;
}

clprim_status clprim__check_scratch(size_t *size, cl_mem scratch, cl_context context)
{
    clprim__range range = {.name = "scratch", .memory = scratch, .element_size = 1};
    clprim_status status = clprim__check_range(&range, context, CLPRIM__WRITE);
    if (status == CLPRIM_SUCCESS)
        status = clprim__check_range(&range, context, CLPRIM__READ);
    if (status != CLPRIM_SUCCESS)
        return status;
    return clprim__cl(clGetMemObjectInfo(scratch, CL_MEM_SIZE, sizeof *size, size, NULL), "clGetMemObjectInfo(SIZE)");
}
