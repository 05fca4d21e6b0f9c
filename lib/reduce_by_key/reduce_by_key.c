// SPDX-License-Identifier: MIT
/* reduce_by_key.c: folds runs, by a scan by key: see clprim__scan_runs. */
#include "error.h"
#include "reduce_by_key_internal.h"

clprim_status clprim__reduce_by_key_make(clprim_plan *plan, const void *description)
{
    const clprim_reduce_by_key_desc *desc = description;
    clprim_status status =
        desc->key_type != CLPRIM_TYPE_DEFAULT ? clprim__type_check(desc->key_type, "key_type") : CLPRIM_SUCCESS;
    if (status == CLPRIM_SUCCESS)
        status = clprim__plan_indices(plan, desc->index_type);
    if (status != CLPRIM_SUCCESS)
        return status;
    const clprim_scan_desc how = {.type = desc->type,
                                  .op = desc->op,
                                  .accumulator_type = desc->accumulator_type,
                                  .custom = desc->custom,
                                  .input = desc->input,
                                  .text = desc->text,
                                  .nan_order = desc->nan_order,
                                  .output = desc->output,
                                  .output_type = desc->output_type,
                                  .output_type_name = desc->output_type_name,
                                  .output_type_size = desc->output_type_size,
                                  .segments = CLPRIM_SEGMENTS_BY_KEY,
                                  .segments_type = desc->key_type,
                                  .variant = desc->variant};
    const clprim__scan_keys keys = {desc->key_type_name, desc->key_type_size, desc->equal};
    return clprim__scan_make_for(plan, &how, &keys, CLPRIM__SCAN_RUN_FOLDS);
}

clprim_status clprim__reduce_by_key_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
#define RANGE(member) CLPRIM__RANGE(plan, c, reduce_by_key, member)
    return clprim__scan_launch_runs(plan, chain, c->scratch,
                                    &(clprim__scan_run_arrays){.keys_in = RANGE(keys_in),
                                                               .values_in = RANGE(values_in),
                                                               .keys_out = RANGE(keys_out),
                                                               .values_out = RANGE(values_out),
                                                               .out_count = RANGE(out_count)});
}
