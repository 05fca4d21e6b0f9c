/* reduce_by_key.c: the folds of runs, by a scan by key: see clprim__scan_runs. */
#include <clprim/reduce_by_key.h>
#include <stdlib.h>

#include "error.h"
#include "reduce_by_key_internal.h"

static const clprim__scan_run_names names = {"keys_in", "values_in", "keys_out", "values_out"};

clprim_status clprim__reduce_by_key_make(clprim_reduce_by_key **out, clprim_runtime *runtime,
                                         const clprim_reduce_by_key_desc *desc)
{
    if (desc->key_type != CLPRIM_TYPE_DEFAULT && clprim_type_size(desc->key_type) == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown key_type %d", (int)desc->key_type);
    const clprim_scan_desc how = {.type = desc->type,
                                  .op = desc->op,
                                  .accumulator_type = desc->accumulator_type,
                                  .custom = desc->custom,
                                  .nan_order = desc->nan_order,
                                  .segments = CLPRIM_SCAN_BY_KEY,
                                  .segments_type = desc->key_type,
                                  .variant = desc->variant};
    clprim_reduce_by_key *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a plan");
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__scan_create_runs(&self->scan, runtime, &how, CLPRIM__SCAN_RUN_FOLDS, desc->max_count));
    *out = self;
    self = NULL; /* ownership passed to the caller */
done:
    clprim_reduce_by_key_destroy(self);
    return status;
}

CLPRIM__DEFINE_CREATE(reduce_by_key)

void clprim_reduce_by_key_destroy(clprim_reduce_by_key *plan)
{
    if (plan == NULL)
        return;
    clprim_scan_destroy(plan->scan);
    free(plan);
}

clprim_status clprim_reduce_by_key_scratch_size(size_t *out, const clprim_reduce_by_key *plan, size_t count)
{
    if (out == NULL || plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reduce_by_key_scratch_size: %s is NULL",
                            out == NULL ? "out" : "plan");
    return clprim_scan_scratch_size(out, plan->scan, count);
}

clprim_status clprim_reduce_by_key_set_scratch(clprim_reduce_by_key *plan, cl_mem scratch)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reduce_by_key_set_scratch: plan is NULL");
    return clprim_scan_set_scratch(plan->scan, scratch);
}

clprim_status clprim_reduce_by_key_enqueue(clprim_reduce_by_key *plan, cl_command_queue queue, cl_mem keys_in,
                                           size_t keys_in_offset, cl_mem values_in, size_t values_in_offset,
                                           size_t count, cl_mem keys_out, size_t keys_out_offset, cl_mem values_out,
                                           size_t values_out_offset, cl_mem runs, size_t runs_offset, cl_uint num_waits,
                                           const cl_event *waits, cl_event *done)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reduce_by_key_enqueue: plan is NULL");
    const clprim__scan_call call = {.heads = keys_in,
                                    .heads_offset = keys_in_offset,
                                    .in = values_in,
                                    .in_offset = values_in_offset,
                                    .n = count,
                                    .keys_out = keys_out,
                                    .keys_out_offset = keys_out_offset,
                                    .out = values_out,
                                    .out_offset = values_out_offset,
                                    .runs = runs,
                                    .runs_offset = runs_offset};
    return clprim__scan_enqueue_runs(plan->scan, queue, &call, &names, num_waits, waits, done);
}

clprim_status clprim_reduce_by_key_host(void *keys_out, void *values_out, size_t *runs, clprim_runtime *runtime,
                                        const clprim_reduce_by_key_desc *desc, const void *keys_in,
                                        const void *values_in, size_t count)
{
    clprim_reduce_by_key *plan = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    if (runs == NULL || (count > 0 && (keys_out == NULL || values_out == NULL || keys_in == NULL || values_in == NULL)))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reduce_by_key_host: %s is NULL",
                            runs == NULL         ? "runs"
                            : keys_out == NULL   ? "keys_out"
                            : values_out == NULL ? "values_out"
                            : keys_in == NULL    ? "keys_in"
                                                 : "values_in");
    if (runtime == NULL)
        CLPRIM__TRY(clprim_runtime_default(&runtime));
    CLPRIM__TRY(clprim_reduce_by_key_create(&plan, runtime, desc));
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): create succeeded */
    status = clprim__scan_host_runs(plan->scan, keys_out, values_out, runs, keys_in, values_in, count);
done:
    clprim_reduce_by_key_destroy(plan);
    return status;
}
