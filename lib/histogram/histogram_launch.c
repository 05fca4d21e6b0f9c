/* histogram_launch.c: the launches of a call. */
#include <stdint.h>

#include "error.h"
#include "histogram_internal.h"
#include "runtime_internal.h"

enum {
    ACCUMULATE = 1, /* flags, as in kernels/histogram/finish.cl */
    HAS_OUTSIDE = 2,
    MERGE_COLUMNS = 32, /* as in kernels/histogram/merge.cl */
    MERGE_GROUPS_PER_UNIT = 64,
    WORTH_A_TABLE = 4 /* elements a slot, for a group to have a table of its own */
};

/* Counters within a launch have 32 bits; longer arrays take several. A multiple of 3 and 4: all channels of an element.
 */
static const cl_ulong max_portion = UINT64_C(3) << 29;

static size_t groups_for(const clprim_histogram *self, size_t n)
{
    const size_t tables = self->setting.table * (self->row->info.id == CLPRIM_HISTOGRAM_CPU_CHUNK ? self->copies : 1);
    const size_t own = self->row->shape == CLPRIM__HISTOGRAM_ROWS ? tables * WORTH_A_TABLE : 0;
    const size_t share = self->row_elements > own ? self->row_elements : own;
    const size_t groups = clprim__divide_up(n, share);
    return groups == 0 ? 1 : groups > self->max_groups ? self->max_groups : groups;
}

static size_t rows_for(const clprim_histogram *self, size_t n)
{
    if (self->row->shape == CLPRIM__HISTOGRAM_ONE_TABLE)
        return 1;
    return groups_for(self, n) * (self->row->info.id == CLPRIM_HISTOGRAM_CPU_CHUNK ? self->copies : 1);
}

size_t clprim__histogram_scratch(const clprim_histogram *self, size_t n)
{
    if (self->row->shape == CLPRIM__HISTOGRAM_ONE_LAUNCH)
        return self->setting.table * sizeof(cl_ulong);
    const size_t portion = n < max_portion ? n : (size_t)max_portion;
    return rows_for(self, portion) * self->setting.table * self->setting.word_size;
}

static void add_input(clprim__arguments *list, const clprim__histogram_call *call)
{
    clprim__add_buffer(list, &call->in);
    CLPRIM__ADD_SCALAR(list, call->in_offset);
    CLPRIM__ADD_SCALAR(list, call->n);
}

static void add_mapping(clprim__arguments *list, const clprim_histogram *self, const clprim__histogram_call *call)
{
    if (self->boundaries != NULL)
        clprim__add_buffer(list, &self->boundaries);
    if (self->setting.weights_type != CLPRIM_TYPE_DEFAULT) {
        clprim__add_buffer(list, &call->weights);
        CLPRIM__ADD_SCALAR(list, call->weights_offset);
    }
}

static void add_output(clprim__arguments *list, const clprim__histogram_call *call, const cl_uint *flags)
{
    clprim__add_buffer(list, &call->out);
    CLPRIM__ADD_SCALAR(list, call->out_offset);
    clprim__add_buffer(list, call->outside != NULL ? &call->outside : &call->out);
    CLPRIM__ADD_SCALAR(list, call->outside_offset);
    CLPRIM__ADD_SCALAR(list, *flags);
}

static clprim_status launch_one(clprim_histogram *self, clprim__chain *chain, const clprim__histogram_call *part,
                                const cl_uint *flags, bool is_last)
{
    clprim__arguments list = {.count = 0};
    add_input(&list, part);
    clprim__add_buffer(&list, &self->state.memory);
    add_output(&list, part, flags);
    add_mapping(&list, self, part);
    return clprim__launch(chain, &self->count, &list, groups_for(self, (size_t)part->n), is_last);
}

static clprim_status launch_two(clprim_histogram *self, clprim__chain *chain, const clprim__histogram_call *part,
                                cl_mem tables, const cl_uint *flags, bool is_last)
{
    const size_t table = self->setting.table;
    const size_t columns = self->merge.group_size < MERGE_COLUMNS ? self->merge.group_size : MERGE_COLUMNS;
    const size_t most = (size_t)MERGE_GROUPS_PER_UNIT * self->runtime->info.compute_units;
    const size_t groups = clprim__divide_up(table, columns);
    const bool is_empty = part->n == 0;
    const cl_ulong rows = is_empty ? 0 : rows_for(self, (size_t)part->n);
    clprim__arguments count = {.count = 0};
    clprim__arguments merge = {.count = 0};
    clprim_status status = CLPRIM_SUCCESS;
    if (!is_empty && self->row->shape == CLPRIM__HISTOGRAM_ONE_TABLE)
        CLPRIM__TRY(clprim__fill_zeros(chain, tables, table * self->setting.word_size));
    if (!is_empty) {
        add_input(&count, part);
        clprim__add_buffer(&count, &tables);
        add_mapping(&count, self, part);
        CLPRIM__TRY(
            clprim__launch(chain, &self->count, &count, groups_for(self, (size_t)part->n) * self->parts, false));
    }
    clprim__add_buffer(&merge, &tables);
    CLPRIM__ADD_SCALAR(&merge, rows);
    add_output(&merge, part, flags);
    CLPRIM__TRY(clprim__launch(chain, &self->merge, &merge, groups < most ? groups : most, is_last));
done:
    return status;
}

clprim_status clprim__histogram_launch(clprim_histogram *self, clprim__chain *chain, const clprim__histogram_call *call)
{
    const bool is_one = self->row->shape == CLPRIM__HISTOGRAM_ONE_LAUNCH;
    const size_t portions = call->n == 0 ? 1 : clprim__divide_up((size_t)call->n, (size_t)max_portion);
    const size_t bytes = clprim__histogram_scratch(self, (size_t)call->n);
    cl_mem tables = NULL;
    cl_uint flags = (self->accumulate ? ACCUMULATE : 0) | (call->outside != NULL ? HAS_OUTSIDE : 0);
    clprim_status status = is_one ? clprim__state_begin(&self->state, chain, bytes, (cl_uint)portions)
                                  : clprim__workspace_begin(&tables, &self->workspace, chain, bytes);
    for (size_t p = 0; p < portions && status == CLPRIM_SUCCESS; p++) {
        clprim__histogram_call part = *call;
        const cl_ulong start = p * max_portion;
        const bool is_last = p + 1 == portions;
        part.n = is_last ? call->n - start : max_portion;
        part.in_offset += start;
        part.weights_offset += start;
        status = is_one ? launch_one(self, chain, &part, &flags, is_last)
                        : launch_two(self, chain, &part, tables, &flags, is_last);
        flags |= ACCUMULATE;
    }
    if (is_one)
        clprim__state_end(&self->state, chain);
    else
        clprim__workspace_end(&self->workspace, chain);
    return status;
}
