/* run_length_encode.c: runs and their lengths, by a scan by key: see clprim__scan_runs. */
#include <clprim/run_length_encode.h>
#include <stdlib.h>

#include "error.h"
#include "run_length_encode_internal.h"

static const clprim__scan_run_names names = {.keys_in = "in", .keys_out = "out", .values_out = "lengths"};

static clprim_status check_desc(clprim_scan_desc *out, const clprim_run_length_encode_desc *desc)
{
    const clprim_type lengths = desc->lengths_type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : desc->lengths_type;
    if (desc->type != CLPRIM_TYPE_DEFAULT && clprim_type_size(desc->type) == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown type %d", (int)desc->type);
    if (lengths != CLPRIM_U32 && lengths != CLPRIM_U64)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "lengths_type is U32 or U64, not %s", clprim_type_name(lengths));
    if (lengths == CLPRIM_U32 && desc->max_count > UINT32_MAX)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "a run of %zu elements takes lengths_type U64", desc->max_count);
    *out = (clprim_scan_desc){
        .type = lengths, .segments = CLPRIM_SCAN_BY_KEY, .segments_type = desc->type, .variant = desc->variant};
    return CLPRIM_SUCCESS;
}

clprim_status clprim__run_length_encode_make(clprim_run_length_encode **out, clprim_runtime *runtime,
                                             const clprim_run_length_encode_desc *desc)
{
    clprim_scan_desc how = {0};
    clprim_run_length_encode *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a plan");
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_desc(&how, desc));
    CLPRIM__TRY(clprim__scan_create_runs(&self->scan, runtime, &how, CLPRIM__SCAN_RUN_LENGTHS, desc->max_count));
    *out = self;
    self = NULL; /* ownership passed to the caller */
done:
    clprim_run_length_encode_destroy(self);
    return status;
}

CLPRIM__DEFINE_CREATE(run_length_encode)

void clprim_run_length_encode_destroy(clprim_run_length_encode *plan)
{
    if (plan == NULL)
        return;
    clprim_scan_destroy(plan->scan);
    free(plan);
}

clprim_status clprim_run_length_encode_scratch_size(size_t *out, const clprim_run_length_encode *plan, size_t count)
{
    if (out == NULL || plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_run_length_encode_scratch_size: %s is NULL",
                            out == NULL ? "out" : "plan");
    return clprim_scan_scratch_size(out, plan->scan, count);
}

clprim_status clprim_run_length_encode_set_scratch(clprim_run_length_encode *plan, cl_mem scratch)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_run_length_encode_set_scratch: plan is NULL");
    return clprim_scan_set_scratch(plan->scan, scratch);
}

clprim_status clprim_run_length_encode_enqueue(clprim_run_length_encode *plan, cl_command_queue queue, cl_mem in,
                                               size_t in_offset, size_t count, cl_mem out, size_t out_offset,
                                               cl_mem lengths, size_t lengths_offset, cl_mem runs, size_t runs_offset,
                                               cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_run_length_encode_enqueue: plan is NULL");
    const clprim__scan_call call = {.heads = in,
                                    .heads_offset = in_offset,
                                    .n = count,
                                    .keys_out = out,
                                    .keys_out_offset = out_offset,
                                    .out = lengths,
                                    .out_offset = lengths_offset,
                                    .runs = runs,
                                    .runs_offset = runs_offset};
    return clprim__scan_enqueue_runs(plan->scan, queue, &call, &names, num_waits, waits, done);
}

clprim_status clprim_run_length_encode_host(void *out, void *lengths, size_t *runs, clprim_runtime *runtime,
                                            const clprim_run_length_encode_desc *desc, const void *in, size_t count)
{
    clprim_run_length_encode *plan = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    if (runs == NULL || (count > 0 && (out == NULL || lengths == NULL || in == NULL)))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_run_length_encode_host: %s is NULL",
                            runs == NULL      ? "runs"
                            : out == NULL     ? "out"
                            : lengths == NULL ? "lengths"
                                              : "in");
    if (runtime == NULL)
        CLPRIM__TRY(clprim_runtime_default(&runtime));
    CLPRIM__TRY(clprim_run_length_encode_create(&plan, runtime, desc));
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): create succeeded */
    status = clprim__scan_host_runs(plan->scan, out, lengths, runs, in, NULL, count);
done:
    clprim_run_length_encode_destroy(plan);
    return status;
}
