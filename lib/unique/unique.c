/* unique.c: the first element of each run: a selection by the element before, see kernels/select/keep.cl. */
#include <clprim/unique.h>
#include <stdlib.h>

#include "error.h"
#include "host.h"
#include "runtime_internal.h"
#include "unique_internal.h"

clprim_status clprim__unique_make(clprim_unique **out, clprim_runtime *runtime, const clprim_unique_desc *desc)
{
    const clprim_select_desc how = {.type = desc->type,
                                    .predicate = desc->equal,
                                    .source = desc->source,
                                    .type_name = desc->type_name,
                                    .type_size = desc->type_size,
                                    .variant = desc->variant};
    clprim_unique *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a plan");
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__select_create_heads(&self->select, runtime, &how));
    *out = self;
    self = NULL; /* ownership passed to the caller */
done:
    clprim_unique_destroy(self);
    return status;
}

CLPRIM__DEFINE_CREATE(unique)

void clprim_unique_destroy(clprim_unique *plan)
{
    if (plan == NULL)
        return;
    clprim_select_destroy(plan->select);
    free(plan);
}

void clprim__unique_set_portion(clprim_unique *plan, size_t n)
{
    clprim__select_set_portion(plan->select, n);
}

clprim_status clprim_unique_scratch_size(size_t *out, const clprim_unique *plan, size_t count)
{
    if (out == NULL || plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_unique_scratch_size: %s is NULL",
                            out == NULL ? "out" : "plan");
    return clprim_select_scratch_size(out, plan->select, count);
}

clprim_status clprim_unique_set_scratch(clprim_unique *plan, cl_mem scratch)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_unique_set_scratch: plan is NULL");
    return clprim_select_set_scratch(plan->select, scratch);
}

/* The rules for the arrays are the selection's. */
clprim_status clprim_unique_enqueue(clprim_unique *plan, cl_command_queue queue, cl_mem in, size_t in_offset,
                                    size_t count, cl_mem out, size_t out_offset, cl_mem selected,
                                    size_t selected_offset, cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_unique_enqueue: plan is NULL");
    return clprim_select_enqueue(plan->select, queue, in, in_offset, count, out, out_offset, selected, selected_offset,
                                 num_waits, waits, done);
}

clprim_status clprim_unique_host(void *out, size_t *selected, clprim_runtime *runtime, const clprim_unique_desc *desc,
                                 const void *in, size_t count)
{
    clprim_unique *plan = NULL;
    cl_mem elements = NULL;
    cl_mem results = NULL;
    cl_mem number = NULL;
    cl_event ready = NULL;
    cl_ulong kept = 0;
    clprim_status status = CLPRIM_SUCCESS;
    if (selected == NULL || (count > 0 && (out == NULL || in == NULL)))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_unique_host: %s is NULL",
                            selected == NULL ? "selected"
                            : out == NULL    ? "out"
                                             : "in");
    if (runtime == NULL)
        CLPRIM__TRY(clprim_runtime_default(&runtime));
    CLPRIM__TRY(clprim_unique_create(&plan, runtime, desc));
    /* NOLINTBEGIN(clang-analyzer-core.NullDereference): create succeeded */
    const size_t size = plan->select->element_size;
    if (count > SIZE_MAX / size)
        CLPRIM__TRY(clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements are more than memory can hold", count));
    CLPRIM__TRY(clprim__host_input(&elements, runtime, in, count * size));
    CLPRIM__TRY(clprim__host_result(&results, runtime, count * size));
    CLPRIM__TRY(clprim__host_result(&number, runtime, sizeof kept));
    CLPRIM__TRY(clprim_select_enqueue(plan->select, NULL, elements, 0, count, results, 0, number, 0, 0, NULL, &ready));
    CLPRIM__TRY(clprim__host_output(&kept, runtime, number, sizeof kept, ready));
    if (kept > 0)
        CLPRIM__TRY(clprim__host_output(out, runtime, results, (size_t)kept * size, ready));
    *selected = (size_t)kept;
    /* NOLINTEND(clang-analyzer-core.NullDereference) */
done:
    clprim__host_finish(runtime, ready, (const cl_mem[]){elements, results, number}, 3);
    clprim_unique_destroy(plan);
    return status;
}
