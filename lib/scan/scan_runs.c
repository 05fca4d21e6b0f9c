/* scan_runs.c: scans that write the runs of equal keys, see clprim__scan_runs: calls. */
#include "error.h"
#include "host.h"
#include "runtime_internal.h"
#include "scan_internal.h"

/* What is read and what is written lie apart. An empty array need not exist: it is replaced by a buffer that does. */
static clprim_status check_call(const clprim_scan *self, clprim__scan_call *c, const clprim__scan_run_names *names)
{
    const size_t n = (size_t)c->n;
    clprim__range ranges[] = {
        {names->keys_in, c->heads, (size_t)c->heads_offset, n, self->head_size, NULL, 0, 0},
        {names->values_in, c->in, (size_t)c->in_offset, n, self->element_size, NULL, 0, 0},
        {names->keys_out, c->keys_out, (size_t)c->keys_out_offset, n, self->head_size, NULL, 0, 0},
        {names->values_out, c->out, (size_t)c->out_offset, n, self->result_size, NULL, 0, 0},
        {"runs", c->runs, (size_t)c->runs_offset, 1, sizeof(cl_ulong), NULL, 0, 0},
    };
    enum { VALUES_IN = 1, FIRST_WRITTEN = 2, NUM_RANGES = 5 };
    clprim_status status = CLPRIM_SUCCESS;
    if (n > self->max_count)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements are more than the plan was made for (max_count %zu)", n,
                            self->max_count);
    for (int i = 0; i < NUM_RANGES; i++) {
        const bool is_used = i != VALUES_IN || self->runs == CLPRIM__SCAN_RUN_FOLDS;
        if (is_used && (ranges[i].memory != NULL || ranges[i].count > 0))
            CLPRIM__TRY(clprim__check_range(&ranges[i], self->runtime->context,
                                            i < FIRST_WRITTEN ? CLPRIM__READ : CLPRIM__WRITE));
    }
    CLPRIM__TRY(clprim__check_overlaps(ranges, NUM_RANGES, FIRST_WRITTEN, NULL));
    c->heads = c->heads != NULL ? c->heads : c->runs;
    c->keys_out = c->keys_out != NULL ? c->keys_out : c->runs;
    c->out = c->out != NULL ? c->out : c->runs;
    if (self->runs == CLPRIM__SCAN_RUN_LENGTHS) {
        c->in = c->heads;
        c->in_offset = c->heads_offset;
    }
    c->in = c->in != NULL ? c->in : c->runs;
done:
    return status;
}

clprim_status clprim__scan_enqueue_runs(clprim_scan *self, cl_command_queue queue, const clprim__scan_call *call,
                                        const clprim__scan_run_names *names, cl_uint num_waits, const cl_event *waits,
                                        cl_event *done)
{
    clprim__scan_call c = *call;
    clprim__chain chain = {0};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_call(self, &c, names));
    CLPRIM__TRY(clprim__chain_begin(&chain, self->runtime, &self->queue, queue, num_waits, waits, done != NULL));
    status = clprim__scan_launch(self, &chain, &c);
done:
    clprim__chain_end(&chain, status, done);
    return status;
}

clprim_status clprim__scan_host_runs(clprim_scan *self, void *keys_out, void *values_out, size_t *runs,
                                     const void *keys_in, const void *values_in, size_t count)
{
    static const clprim__scan_run_names names = {"keys_in", "values_in", "keys_out", "values_out"};
    const clprim_runtime *runtime = self->runtime;
    const size_t larger = self->element_size > self->result_size ? self->element_size : self->result_size;
    const size_t largest = larger > self->head_size ? larger : self->head_size;
    clprim__scan_call c = {.n = count};
    cl_event ready = NULL;
    cl_ulong number = 0;
    clprim_status status = CLPRIM_SUCCESS;
    if (count > SIZE_MAX / largest)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements are more than memory can hold", count);
    CLPRIM__TRY(clprim__host_input(&c.heads, runtime, keys_in, count * self->head_size));
    if (values_in != NULL)
        CLPRIM__TRY(clprim__host_input(&c.in, runtime, values_in, count * self->element_size));
    CLPRIM__TRY(clprim__host_result(&c.keys_out, runtime, count * self->head_size));
    CLPRIM__TRY(clprim__host_result(&c.out, runtime, count * self->result_size));
    CLPRIM__TRY(clprim__host_result(&c.runs, runtime, sizeof number));
    CLPRIM__TRY(clprim__scan_enqueue_runs(self, NULL, &c, &names, 0, NULL, &ready));
    CLPRIM__TRY(clprim__host_output(&number, runtime, c.runs, sizeof number, ready));
    if (number > 0) {
        CLPRIM__TRY(clprim__host_output(keys_out, runtime, c.keys_out, (size_t)number * self->head_size, ready));
        CLPRIM__TRY(clprim__host_output(values_out, runtime, c.out, (size_t)number * self->result_size, ready));
    }
    *runs = (size_t)number;
done:
    clprim__host_finish(runtime, ready, (const cl_mem[]){c.heads, c.in, c.keys_out, c.out, c.runs}, 5);
    return status;
}
