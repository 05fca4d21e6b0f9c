// SPDX-License-Identifier: MIT
/* run_length_encode.c: runs and their lengths, by a scan by key: see clprim__scan_runs. */
#include "error.h"
#include "run_length_encode_internal.h"

clprim_status clprim__run_length_encode_make(clprim_plan *plan, const void *description)
{
    const clprim_run_length_encode_desc *desc = description;
    clprim__scan_plan *self = (void *)plan;
    clprim_status status = desc->type != CLPRIM_TYPE_DEFAULT ? clprim__type_check(desc->type, "type") : CLPRIM_SUCCESS;
    if (status == CLPRIM_SUCCESS)
        status = clprim__plan_indices(plan, desc->index_type);
    if (status != CLPRIM_SUCCESS)
        return status;
    const clprim_scan_desc how = {.type = plan->index_size == sizeof(cl_ulong) ? CLPRIM_U64 : CLPRIM_U32,
                                  .segments = CLPRIM_SEGMENTS_BY_KEY,
                                  .segments_type = desc->type,
                                  .text = desc->text,
                                  .variant = desc->variant};
    const clprim__scan_keys keys = {desc->type_name, desc->type_size, desc->equal};
    self->min_length = desc->min_length > 1 ? desc->min_length : 1;
    self->has_offsets = desc->offsets;
    return clprim__scan_make_for(
        plan, &how, &keys, desc->offsets || desc->min_length > 1 ? CLPRIM__SCAN_RUN_SPANS : CLPRIM__SCAN_RUN_LENGTHS);
}

clprim_status clprim__run_length_encode_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
#define RANGE(member) CLPRIM__RANGE(plan, c, run_length_encode, member)
    const bool has_offsets = ((const clprim__scan_plan *)(void *)plan)->has_offsets;
    return clprim__scan_launch_runs(plan, chain, c->scratch,
                                    &(clprim__scan_run_arrays){.keys_in = RANGE(in),
                                                               .keys_out = RANGE(out),
                                                               .values_out = RANGE(lengths_out),
                                                               .offsets_out = has_offsets ? RANGE(offsets_out) : NULL,
                                                               .out_count = RANGE(out_count)});
}
