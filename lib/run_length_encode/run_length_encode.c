/* run_length_encode.c: runs and their lengths, by a scan by key: see clprim__scan_runs. */
#include "error.h"
#include "run_length_encode_internal.h"

clprim_status clprim__run_length_encode_make(clprim_plan *plan, const void *description)
{
    const clprim_run_length_encode_desc *desc = description;
    if (desc->type != CLPRIM_TYPE_DEFAULT && clprim_type_size(desc->type) == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown type %d", (int)desc->type);
    const clprim_status status = clprim__plan_indices(plan, desc->index_type);
    if (status != CLPRIM_SUCCESS)
        return status;
    const clprim_scan_desc how = {.type = plan->index_size == sizeof(cl_ulong) ? CLPRIM_U64 : CLPRIM_U32,
                                  .segments = CLPRIM_SEGMENTS_BY_KEY,
                                  .segments_type = desc->type,
                                  .variant = desc->variant};
    return clprim__scan_make_for(plan, &how, CLPRIM__SCAN_RUN_LENGTHS);
}

clprim_status clprim__run_length_encode_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
#define RANGE(member) CLPRIM__RANGE(plan, c, run_length_encode, member)
#define RANGE(member) CLPRIM__RANGE(plan, c, run_length_encode, member)
    return clprim__scan_launch_runs(plan, chain, c->scratch, RANGE(in), NULL, RANGE(out), RANGE(lengths_out),
                                    RANGE(out_count));
}
