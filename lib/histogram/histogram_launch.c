// SPDX-License-Identifier: MIT
/* histogram_launch.c: the launches of a call. */
#include <stdint.h>

#include "error.h"
#include "histogram_internal.h"
#include "runtime_internal.h"

enum {
    MERGE_GROUPS_PER_UNIT = 64,
    WORTH_A_TABLE = 4,    /* elements per slot, for a group to be worth its own table */
    CPU_WORTH_A_TABLE = 8 /* for CPU_CHUNK: the same, for all its tables */
};

/* Counters within a launch have 32 bits, so longer arrays take several rounds. SORTED makes shorter rounds, to save
 * memory. The number is a multiple of 3 and 4, so that a round has complete elements of all channels. */
size_t clprim__histogram_portion(const clprim__histogram_plan *self)
{
    return (size_t)3 << (self->row->shape == CLPRIM__HISTOGRAM_SORTED ? 27 : 29);
}

/* Layout of SORTED's scratch memory, in words. The sort's scratch memory comes first. */
typedef struct layout {
    cl_ulong slots_at;
    cl_ulong table_at;
    cl_ulong end;
} layout;

static layout layout_for(const clprim__histogram_plan *self, size_t n)
{
    layout l = {.slots_at = clprim__scratch_align(clprim__radix_sort_scratch(self->sort, n))};
    l.slots_at /= sizeof(cl_uint);
    l.table_at = l.slots_at + n;
    l.end = l.table_at + self->setting.table;
    return l;
}

static size_t groups_for(const clprim__histogram_plan *self, size_t n)
{
    const size_t elements =
        self->row->info.id == CLPRIM_HISTOGRAM_CPU_CHUNK ? self->copies * CPU_WORTH_A_TABLE : WORTH_A_TABLE;
    const size_t own = self->row->shape == CLPRIM__HISTOGRAM_ROWS ? self->setting.table * elements : 0;
    const size_t share = self->row_elements > own ? self->row_elements : own;
    const size_t groups = clprim__divide_up(n, share);
    return groups == 0 ? 1 : groups > self->max_groups ? self->max_groups : groups;
}

bool clprim__histogram_has_float_weights(const clprim__histogram_setting *setting)
{
    return setting->weights_type == CLPRIM_F32 || setting->weights_type == CLPRIM_F64;
}

/* The number of tables that are merged. With float weights, a table that all groups share has a second one, for the
 * rounding errors of its sums. */
static size_t rows_for(const clprim__histogram_plan *self, size_t n)
{
    const bool has_floats = clprim__histogram_has_float_weights(&self->setting);
    const bool has_copies = self->row->info.id == CLPRIM_HISTOGRAM_CPU_CHUNK && !has_floats;
    if (self->row->shape != CLPRIM__HISTOGRAM_ROWS)
        return has_floats ? 2 : 1;
    return groups_for(self, n) * (has_copies ? self->copies : 1);
}

/* The number of words of all tables. After the tables come those with which CPU_CHUNK and LOCAL_ATOMIC sum float
 * weights. */
static size_t words_for(const clprim__histogram_plan *self, size_t n)
{
    const size_t rows = rows_for(self, n);
    const size_t words = rows * self->setting.table;
    if (self->row->shape != CLPRIM__HISTOGRAM_ROWS || !clprim__histogram_has_float_weights(&self->setting))
        return words;
    if (self->row->info.id != CLPRIM_HISTOGRAM_CPU_CHUNK)
        return 2 * words;
    const bool is_sum_wide = self->setting.word_size == sizeof(cl_float) && self->base.runtime->info.has_fp64;
    return words + 1 + words * (is_sum_wide ? 2 * self->copies : self->copies + 1);
}

size_t clprim__histogram_bytes(const clprim__histogram_plan *self, size_t n)
{
    if (self->row->shape == CLPRIM__HISTOGRAM_ONE_LAUNCH)
        return self->setting.table * sizeof(cl_ulong);
    const size_t most = clprim__histogram_portion(self);
    const size_t portion = n < most ? n : most;
    if (self->row->shape == CLPRIM__HISTOGRAM_SORTED)
        return (size_t)layout_for(self, portion).end * sizeof(cl_uint);
    return words_for(self, portion) * self->setting.word_size;
}

size_t clprim__histogram_scratch(const clprim_plan *plan, const void *call)
{
    const clprim__histogram_plan *self = (const void *)plan;
    return clprim__histogram_bytes(self,
                                   clprim__times(((const clprim_histogram_call *)call)->count, self->setting.channels));
}

/* Each round adds to the counters that the round before has written. With an output, the counters are not written, so
 * only one round is possible. */
clprim_status clprim__histogram_check(const clprim_plan *plan, const void *call)
{
    const clprim__histogram_plan *self = (const void *)plan;
    const size_t n = clprim__times(((const clprim_histogram_call *)call)->count, self->setting.channels);
    const size_t most = self->has_output ? clprim__histogram_portion(self) : SIZE_MAX;
    const clprim_status status = clprim__histogram_check_lines((const void *)plan->desc.bytes, call);
    if (status == CLPRIM_SUCCESS && n > most)
        return clprim__fail(CLPRIM_INVALID_RANGE, "with an output, %s counts at most %zu elements per call, not %zu",
                            self->row->info.name, most, n);
    return status;
}

/* n, line_length and line_stride are in elements of all channels; start is the index of the first element. */
static histogram_args args_of(const clprim__histogram_plan *self, const clprim__call *c,
                              const clprim__histogram_part *part)
{
    const clprim_histogram_call *call = c->given;
    histogram_args args = {.buffers = {.boundaries = self->boundaries != NULL ? self->boundaries : CLPRIM__ABSENT,
                                       .sums = self->base.state.memory,
                                       .scratch = c->scratch},
                           .numbers = {.n = part->lines.count,
                                       .start = part->start,
                                       .line_stride = part->lines.stride,
                                       .line_length = part->lines.length > 0 ? (cl_uint)part->lines.length : 1,
                                       .flags = (self->accumulate || part->start > 0 ? CLPRIM__ACCUMULATE : 0) |
                                                (call->outside_out.buffer != NULL ? CLPRIM__HAS_OUTSIDE : 0)}};
    CLPRIM__PUT_IF(!self->has_input, &args, in, call->in);
    CLPRIM__PUT_IF(self->setting.weights_type != CLPRIM_TYPE_DEFAULT, &args, weights, call->weights);
    CLPRIM__PUT(&args, out, call->out);
    CLPRIM__PUT(&args, outside, call->outside_out);
    args.numbers.in_offset += part->place;
    args.numbers.weights_offset += part->start;
    return args;
}

static clprim_status launch_one(clprim__histogram_plan *self, clprim__chain *chain, const histogram_args *args,
                                bool is_last)
{
    return clprim__launch_histogram_replicated(chain, &self->kernels[CLPRIM__HISTOGRAM_COUNT], args,
                                               groups_for(self, (size_t)args->numbers.n), is_last);
}

static clprim_status launch_merge(clprim__histogram_plan *self, clprim__chain *chain, const histogram_args *args,
                                  bool is_last)
{
    const size_t group_size = self->kernels[CLPRIM__HISTOGRAM_MERGE].group_size;
    const size_t columns = group_size > 1 && group_size < CLPRIM__MERGE_COLUMNS ? group_size : CLPRIM__MERGE_COLUMNS;
    const size_t most = (size_t)MERGE_GROUPS_PER_UNIT * self->base.runtime->info.compute_units;
    const size_t groups = clprim__divide_up(self->setting.table, columns);
    return clprim__launch_histogram_merge(chain, &self->kernels[CLPRIM__HISTOGRAM_MERGE], args,
                                          groups < most ? groups : most, is_last);
}

static clprim_status launch_tables(clprim__histogram_plan *self, clprim__chain *chain, const histogram_args *args)
{
    const size_t n = (size_t)args->numbers.n;
    clprim_status status = CLPRIM_SUCCESS;
    if (self->row->shape == CLPRIM__HISTOGRAM_ONE_TABLE)
        CLPRIM__TRY(clprim__fill_zeros(chain, args->buffers.scratch, 0, words_for(self, n) * self->setting.word_size));
    status = clprim__launch_histogram_count(chain, &self->kernels[CLPRIM__HISTOGRAM_COUNT], args,
                                            groups_for(self, n) * self->parts, false);
done:
    return status;
}

static clprim_status launch_sorted(clprim__histogram_plan *self, clprim__chain *chain, const histogram_args *args)
{
    const cl_mem scratch = args->buffers.scratch;
    const cl_ulong slots_at = args->numbers.slots_at;
    const size_t groups = groups_for(self, (size_t)args->numbers.n);
    const clprim__radix_sort_call sort = {.in = {.keys = scratch, .keys_offset = slots_at},
                                          .out = {.keys = scratch, .keys_offset = slots_at},
                                          .n = args->numbers.n,
                                          .flags = CLPRIM__RADIX_SORT_IN_PLACE};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__fill_zeros(chain, scratch, (size_t)args->numbers.table_at * sizeof(cl_uint),
                                   self->setting.table * sizeof(cl_uint)));
    CLPRIM__TRY(clprim__launch_histogram_count(chain, &self->kernels[CLPRIM__HISTOGRAM_COUNT], args, groups, false));
    CLPRIM__TRY(clprim__radix_sort_launch_in(self->sort, chain, &sort, scratch));
    status = clprim__launch_histogram_edges(chain, &self->kernels[CLPRIM__HISTOGRAM_EDGES], args, groups, false);
done:
    return status;
}

/* Launch the variants that need several launches. */
static clprim_status launch_several(clprim__histogram_plan *self, clprim__chain *chain, histogram_args *args,
                                    bool is_last)
{
    const bool is_sorted = self->row->shape == CLPRIM__HISTOGRAM_SORTED;
    const size_t n = (size_t)args->numbers.n;
    const layout l = is_sorted ? layout_for(self, n) : (layout){0};
    clprim_status status = CLPRIM_SUCCESS;
    args->numbers.slots_at = l.slots_at;
    args->numbers.table_at = l.table_at;
    args->numbers.rows = n == 0 ? 0 : rows_for(self, n);
    if (n > 0)
        CLPRIM__TRY(is_sorted ? launch_sorted(self, chain, args) : launch_tables(self, chain, args));
    status = launch_merge(self, chain, args, is_last);
done:
    return status;
}

bool clprim__histogram_cumulates_last(const clprim__histogram_plan *self)
{
    return self->cumulative && self->row->shape != CLPRIM__HISTOGRAM_ONE_LAUNCH;
}

clprim_status clprim__histogram_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    clprim__histogram_plan *self = (void *)plan;
    const clprim_histogram_call *call = c->given;
    const clprim__histogram_lines lines = clprim__histogram_lines_of((const void *)plan->desc.bytes, call);
    const bool is_one = self->row->shape == CLPRIM__HISTOGRAM_ONE_LAUNCH;
    const bool cumulates = clprim__histogram_cumulates_last(self);
    const size_t most = clprim__histogram_portion(self);
    const size_t parts = clprim__histogram_num_parts(&lines, most);
    clprim_status status = CLPRIM_SUCCESS;
    if (is_one)
        status = clprim__state_begin(&plan->state, chain, clprim__histogram_bytes(self, lines.count), (cl_uint)parts);
    for (size_t p = 0; p < parts && status == CLPRIM_SUCCESS; p++) {
        const clprim__histogram_part part = clprim__histogram_part_of(&lines, most, p);
        const bool is_last = p + 1 == parts;
        histogram_args args = args_of(self, c, &part);
        status = is_one ? launch_one(self, chain, &args, is_last)
                        : launch_several(self, chain, &args, is_last && !cumulates);
        if (is_last && cumulates && status == CLPRIM_SUCCESS)
            status = clprim__launch_histogram_cumulate(chain, &self->kernels[CLPRIM__HISTOGRAM_CUMULATE], &args,
                                                       self->setting.active_channels, true);
    }
    if (is_one)
        clprim__state_end(&plan->state, chain, status);
    return status;
}
