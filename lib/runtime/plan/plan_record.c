// SPDX-License-Identifier: MIT
/* plan_record.c: record a call of a plan into a command buffer. */
#include "error.h"
#include "native.h"
#include "plan_internal.h"
#include "plan_svm.h"
#include "runtime_internal.h"

/* Record a call that was checked. */
static clprim_status record(clprim_plan *plan, cl_command_queue queue, clprim__call *c, bool wants_event)
{
    clprim__chain chain = {0};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__chain_begin(&chain, plan->runtime, &plan->queue, queue, 0, NULL, wants_event));
    chain.recording = &plan->recording;
    status = clprim__plan_launch(plan, &chain, c);
    if (status != CLPRIM_SUCCESS)
        clprim__workspace_forget(&plan->workspace);
done:
    clprim__chain_end(&chain, status, NULL);
    return status;
}

/* Command buffers have no functions of the host. So what a native plan records are the calls of a plan of kernels, which
 * is made here. It gets the caller's scratch memory if that is large enough for it. */
static clprim_status use_kernels(clprim_plan **kernels, clprim_plan *plan, const void *call)
{
    clprim_status status = CLPRIM_SUCCESS;
    size_t size = 0;
    if (plan->workspace.supplied != NULL && plan->workspace.size < clprim__plan_scratch(plan, call))
        return clprim__fail(CLPRIM_INVALID_SCRATCH, "the scratch memory supplied has %zu bytes; this call takes %zu",
                            plan->workspace.size, clprim__plan_scratch(plan, call));
    if (plan->in_kernels == NULL)
        CLPRIM__TRY(clprim__plan_make_kernels(&plan->in_kernels, plan));
    CLPRIM__TRY(clprim_plan_scratch_size(&size, plan->in_kernels, call));
    CLPRIM__TRY(
        clprim_plan_set_scratch(plan->in_kernels, size <= plan->workspace.size ? plan->workspace.supplied : NULL));
    *kernels = plan->in_kernels;
done:
    return status;
}

clprim_status clprim_plan_record(clprim_plan *plan, struct _cl_command_buffer_khr *buffer, const void *call,
                                 cl_uint num_waits, const cl_uint *waits, cl_uint *done)
{
    clprim__call c; /* only the entries that are used are filled in */
    cl_command_queue queue = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    if (plan == NULL || buffer == NULL || call == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_plan_record: %s is NULL",
                            plan == NULL     ? "plan"
                            : buffer == NULL ? "buffer"
                                             : "call");
    if (clprim__svm_is_used(plan, call))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "a recorded call takes no .svm: make a buffer over the memory, with "
                            "CL_MEM_USE_HOST_PTR, that lives as long as the command buffer");
    CLPRIM__TRY(clprim__plan_check_call(&c, plan, call));
    clprim_plan *recorded = plan;
    if (plan->native != NULL)
        CLPRIM__TRY(use_kernels(&recorded, plan, call));
    CLPRIM__TRY(clprim__recording_begin(&recorded->recording, &queue, plan->runtime, buffer, num_waits, waits));
    CLPRIM__TRY(record(recorded, queue, &c, done != NULL));
    plan->is_recorded = true;
    plan->variant = recorded->variant;
    if (done != NULL)
        *done = recorded->recording.previous;
done:
    return status;
}
