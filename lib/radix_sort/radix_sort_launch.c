// SPDX-License-Identifier: MIT
/* radix_sort_launch.c: the launches of a call. */
#include <stdint.h>

#include "error.h"
#include "radix_sort_internal.h"
#include "runtime_internal.h"

enum {
    BINS = 1 << CLPRIM__WINDOW,
    WORTH_A_BUCKET = 4096,
    ROWS_READ_BY_ALL = 160, /* RANGES needs no launch that scans if its groups are at most the square root of this, per
                           * compute unit */
    MAX_SHARE = 1 << 30,    /* elements of a range, which are counted in 32 bits */
    ONE_BUCKET = 1 << 15,   /* elements that one core sorts faster than five launches distribute them to several */
    RUNS_GROUPS_A_UNIT = 8, /* most groups that write runs; not measured */
    RUNS_KEYS_AN_ITEM = 64  /* least keys per work-item */
};

/* Where the parts of scratch memory begin, in bytes. Keys between passes are at 0. */
typedef struct layout {
    cl_ulong values_at;
    cl_ulong counts_at; /* also of status words */
    cl_ulong totals_at;
    cl_ulong end;
} layout;

static size_t most_groups_for(const clprim__radix_sort_plan *self, size_t n)
{
    const bool are_limited = self->row->in_chunks || self->row->shape == CLPRIM__RADIX_SORT_RANGES;
    const size_t groups = clprim__divide_up(n, self->tile);
    return !are_limited || groups <= self->max_groups ? groups
           : self->row->in_chunks                     ? self->max_groups
                                                      : self->max_groups + n / MAX_SHARE;
}

/* Ranges are whole tiles, the same number for each group. Groups without tiles are not launched. */
static size_t groups_for(const clprim__radix_sort_plan *self, size_t n)
{
    const size_t most = most_groups_for(self, n);
    const size_t tiles = clprim__divide_up(n, self->tile);
    return self->row->shape == CLPRIM__RADIX_SORT_RANGES && n > 0
               ? clprim__divide_up(tiles, clprim__divide_up(tiles, most))
               : most;
}

static size_t count_size(const clprim__radix_sort_plan *self)
{
    return self->setting.max_count > UINT32_MAX ? sizeof(cl_ulong) : sizeof(cl_uint);
}

/* Bytes of the tables of kernels/radix_sort/cpu_buckets.cl. */
static size_t bucket_tables(const clprim__radix_sort_plan *self, size_t chunks)
{
    const size_t counts = clprim__plus(clprim__times(chunks, BINS), CLPRIM__BUCKETS + 8);
    return clprim__plus(clprim__times(counts, count_size(self)),
                        clprim__plus(clprim__times(chunks, 2 * sizeof(cl_ulong)), BINS));
}

/* How many upper bits tell the buckets of a call apart, so that an even distribution fits: an average bucket, and eight
 * times the standard deviation. 0: the call is not sorted in buckets. */
static unsigned bucket_bits_for(const clprim__radix_sort_plan *self, size_t n)
{
    const unsigned least = self->digit_bits + 1 > self->origin_bits ? self->digit_bits + 1 : self->origin_bits;
    unsigned bits = self->by_halves ? self->bucket_bits : least;
    if (self->bucketed_from == 0 || n < self->bucketed_from || n > UINT32_MAX)
        return 0;
    for (; bits <= self->bucket_bits; bits++) {
        const size_t average = n >> bits;
        if (average < self->bucket && (self->bucket - average) * (self->bucket - average) >= 64 * average)
            return bits;
    }
    return 0;
}

static layout layout_for(const clprim__radix_sort_plan *self, size_t n)
{
    const bool is_onesweep = self->row->shape == CLPRIM__RADIX_SORT_ONESWEEP;
    const size_t masks =
        self->row->shape == CLPRIM__RADIX_SORT_RANGES ? 2 * sizeof(cl_uint) : 0; /* bytes for a range, at least */
    const size_t radix =
        self->digit_bits == 1 ? 1 : (size_t)1 << self->digit_bits; /* if digits are zeros and ones, only the ones are
                                                                    * counted */
    const size_t word = is_onesweep ? self->status_size : count_size(self);
    layout l = {0};
    if (self->row->shape == CLPRIM__RADIX_SORT_ONE)
        return l;
    if (self->writes_runs) {
        l.end =
            is_onesweep ? 0 : clprim__times(groups_for(self, n), ((size_t)1 << self->digit_bits) * count_size(self));
        return l;
    }
    l.values_at = clprim__scratch_behind(0, n, self->setting.key_size);
    l.counts_at = clprim__scratch_behind(l.values_at, n, self->setting.value_size);
    if (self->row->shape == CLPRIM__RADIX_SORT_BUCKETS) {
        l.end = clprim__plus((size_t)l.counts_at, n <= ONE_BUCKET ? 0 : bucket_tables(self, groups_for(self, n)));
        return l;
    }
    l.totals_at = clprim__scratch_behind(l.counts_at, most_groups_for(self, n), radix * word + masks);
    const bool may_be_in_buckets = self->bucketed_from > 0 && n >= self->bucketed_from;  /* or a smaller call */
    const size_t buckets = may_be_in_buckets ? ((size_t)2 << self->bucket_bits) + 3 : 0; /* words of their table */
    l.end = clprim__plus((size_t)l.totals_at, is_onesweep ? buckets * sizeof(cl_uint) : radix * word);
    return l;
}

size_t clprim__radix_sort_scratch(const clprim_plan *plan, size_t n)
{
    return (size_t)layout_for((const void *)plan, n).end;
}

/* Where the sorted keys go, if the call has no array for them: after everything else. */
static cl_ulong own_keys_at(const clprim_plan *plan, size_t n)
{
    return clprim__scratch_align(clprim__radix_sort_scratch(plan, n));
}

size_t clprim__radix_sort_scratch_of(const clprim_plan *plan, const void *call)
{
    const clprim__radix_sort_setting *setting = clprim__radix_sort_setting_of(plan);
    const size_t n = ((const clprim_radix_sort_call *)call)->count;
    return (size_t)clprim__scratch_behind(own_keys_at(plan, n), clprim__radix_sort_may_leave_out_keys(setting) ? n : 0,
                                          setting->key_size);
}

size_t clprim__radix_sort_pooled(const clprim_plan *plan, const clprim__call *call)
{
    const clprim_radix_sort_call *given = call->given;
    return given->keys_out.buffer != NULL ? clprim__radix_sort_scratch(plan, given->count)
                                          : clprim__radix_sort_scratch_of(plan, given);
}

size_t clprim__radix_sort_state(const clprim__radix_sort_plan *self)
{
    const size_t radix = (size_t)1 << self->digit_bits;
    const size_t buckets = self->bucket_bits > 0 ? (size_t)1 << self->bucket_bits : 0;
    return (CLPRIM__SORT_SUMS + (size_t)3 * self->passes * radix + buckets) * sizeof(cl_uint);
}

static radix_sort_args args_of(const clprim__radix_sort_plan *self, const clprim__radix_sort_call *call, cl_mem scratch)
{
    const clprim__radix_sort_setting *setting = &self->setting;
    const bool has_values = setting->value_size > 0;
    const layout l = layout_for(self, (size_t)call->n);
    return (radix_sort_args){
        .buffers = {.keys_in = setting->has_input ? CLPRIM__ABSENT : call->in.keys,
                    .values_in = has_values && !setting->indices ? call->in.values : CLPRIM__ABSENT,
                    .keys_out = call->out.keys,
                    .values_out = has_values ? call->out.values : CLPRIM__ABSENT,
                    .scratch = scratch,
                    .state = self->base.state.memory,
                    .words = CLPRIM__ABSENT},
        .numbers = {.keys_in_offset = call->in.keys_offset,
                    .values_in_offset = call->in.values_offset,
                    .keys_out_offset = call->out.keys_offset,
                    .values_out_offset = call->out.values_offset,
                    .n = call->n,
                    .values_at = l.values_at,
                    .counts_at = l.counts_at,
                    .totals_at = l.totals_at,
                    .shares = groups_for(self, (size_t)call->n),
                    .flags = call->flags,
                    .epoch = self->base.state.epoch}};
}

static clprim_status launch_copy(clprim__radix_sort_plan *self, clprim__chain *chain, const radix_sort_args *args)
{
    const size_t most = 16 * (size_t)self->base.runtime->info.compute_units;
    const size_t groups = clprim__divide_up((size_t)args->numbers.n, self->kernels[CLPRIM__RADIX_SORT_COPY].group_size);
    return clprim__launch_radix_sort_copy(chain, &self->kernels[CLPRIM__RADIX_SORT_COPY], args,
                                          groups < most ? groups : most, true);
}

/* A sort in place ends in scratch memory if it has an odd number of passes. */
static bool may_end_in_scratch(const clprim__radix_sort_plan *self, const radix_sort_args *args)
{
    return (args->numbers.flags & CLPRIM__RADIX_SORT_IN_PLACE) != 0 && self->passes % 2 == 1 && !self->writes_runs;
}

static bool has_rows(const clprim__radix_sort_plan *self, const radix_sort_args *args)
{
    return self->row->shape != CLPRIM__RADIX_SORT_RANGES || (args->numbers.flags & CLPRIM__RADIX_SORT_HAS_ROWS) != 0;
}

static clprim_status launch_pass_of_three(clprim__radix_sort_plan *self, clprim__chain *chain,
                                          const radix_sort_args *args, bool is_last)
{
    const size_t groups = (size_t)args->numbers.shares;
    const size_t radix = self->digit_bits == 1 ? 1 : (size_t)1 << self->digit_bits;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__launch_radix_sort_pass(chain, &self->kernels[CLPRIM__RADIX_SORT_COUNT], args, groups, false));
    if (has_rows(self, args))
        CLPRIM__TRY(
            clprim__launch_radix_sort_places(chain, &self->kernels[CLPRIM__RADIX_SORT_PLACE], args, radix, false));
    status = clprim__launch_radix_sort_pass(chain, &self->kernels[CLPRIM__RADIX_SORT_MOVE], args, groups, is_last);
done:
    return status;
}

static clprim_status launch_three(clprim__radix_sort_plan *self, clprim__chain *chain, radix_sort_args *args)
{
    const bool copies = may_end_in_scratch(self, args);
    clprim_status status = CLPRIM_SUCCESS;
    for (cl_uint pass = 0; pass < self->passes; pass++) {
        args->numbers.pass = pass;
        CLPRIM__TRY(launch_pass_of_three(self, chain, args, pass + 1 == self->passes && !copies));
    }
    if (copies)
        status = launch_copy(self, chain, args);
done:
    return status;
}

/* Every group of RANGES reads all counts, unless there are so many that a launch to scan them pays off. */
static clprim_status launch_ranges(clprim__radix_sort_plan *self, clprim__chain *chain, radix_sort_args *args)
{
    const size_t groups = (size_t)args->numbers.shares;
    const size_t counts = groups << self->digit_bits;
    if (groups * groups > ROWS_READ_BY_ALL * (size_t)self->base.runtime->info.compute_units)
        args->numbers.flags |= CLPRIM__RADIX_SORT_HAS_ROWS;
    args->buffers.words = args->buffers.scratch;
    args->numbers.same_at = (args->numbers.counts_at + counts * count_size(self)) / sizeof(cl_uint);
    return launch_three(self, chain, args);
}

/* After the keys are counted, launch enough groups for all units, with some packets for each work-item. */
static clprim_status launch_runs(clprim__radix_sort_plan *self, clprim__chain *chain, const radix_sort_args *args)
{
    clprim__kernel *kernel = &self->kernels[CLPRIM__RADIX_SORT_MOVE];
    const size_t most = RUNS_GROUPS_A_UNIT * (size_t)self->base.runtime->info.compute_units;
    const size_t groups = clprim__divide_up((size_t)args->numbers.n, kernel->group_size * RUNS_KEYS_AN_ITEM);
    return clprim__launch_radix_sort_runs(chain, kernel, args, groups == 0 ? 1 : groups < most ? groups : most, true);
}

/* Once keys are in buckets: where these begin, then sort each of them. */
static clprim_status launch_in_buckets(clprim__radix_sort_plan *self, clprim__chain *chain, const radix_sort_args *args,
                                       bool is_last)
{
    const size_t buckets = (size_t)1 << args->numbers.bucket_bits;
    const size_t units = self->base.runtime->info.compute_units;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__launch_radix_sort_starts(chain, &self->kernels[CLPRIM__RADIX_SORT_PLACE], args,
                                                 (size_t)1 << self->digit_bits, false));
    CLPRIM__TRY(clprim__launch_radix_sort_buckets(chain, &self->kernels[CLPRIM__RADIX_SORT_IN_BUCKETS], args,
                                                  clprim__smaller(buckets, self->bucket_groups), false));
    status = clprim__launch_radix_sort_buckets(chain, &self->kernels[CLPRIM__RADIX_SORT_LARGE], args,
                                               clprim__smaller(buckets, units), is_last);
done:
    return status;
}

static clprim_status launch_sweeps(clprim__radix_sort_plan *self, clprim__chain *chain,
                                   const clprim__radix_sort_call *call, cl_mem scratch)
{
    const size_t groups = clprim__divide_up((size_t)call->n, self->count_tile);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__state_begin(&self->base.state, chain, clprim__radix_sort_state(self), 1));
    radix_sort_args args = args_of(self, call, scratch);
    const bool copies = may_end_in_scratch(self, &args);
    const size_t tiles = (size_t)args.numbers.shares;
    if (!self->writes_runs)
        args.numbers.status_words = (tiles * self->status_size / sizeof(cl_uint)) << self->digit_bits;
    args.buffers.words = args.buffers.state;
    args.numbers.same_at = CLPRIM__SORT_SAME + args.numbers.epoch % 2;
    args.numbers.bucket_bits = bucket_bits_for(self, (size_t)call->n);
    const bool has_buckets = args.numbers.bucket_bits > 0;
    if (has_buckets)
        args.numbers.flags |= CLPRIM__RADIX_SORT_HAS_BUCKETS;
    CLPRIM__TRY(clprim__launch_radix_sort_count(chain, &self->kernels[CLPRIM__RADIX_SORT_COUNT], &args,
                                                groups < self->count_groups ? groups : self->count_groups, false));
    if (self->writes_runs)
        CLPRIM__TRY(launch_runs(self, chain, &args));
    for (cl_uint pass = 0; pass < self->passes && !self->writes_runs; pass++) {
        args.numbers.pass = pass;
        CLPRIM__TRY(clprim__launch_radix_sort_sweep(chain, &self->kernels[CLPRIM__RADIX_SORT_MOVE], &args, tiles,
                                                    pass + 1 == self->passes && !copies && !has_buckets));
    }
    if (has_buckets)
        CLPRIM__TRY(launch_in_buckets(self, chain, &args, !copies));
    if (copies)
        status = launch_copy(self, chain, &args);
done:
    clprim__state_end(&self->base.state, chain, status);
    return status;
}

static clprim_status launch_buckets(clprim__radix_sort_plan *self, clprim__chain *chain, radix_sort_args *args)
{
    const size_t n = (size_t)args->numbers.n;
    const size_t chunks = (size_t)args->numbers.shares;
    const size_t most = n / WORTH_A_BUCKET + 1 < CLPRIM__BUCKETS ? n / WORTH_A_BUCKET + 1 : CLPRIM__BUCKETS;
    const bool has_buckets = n > ONE_BUCKET;
    clprim_status status = CLPRIM_SUCCESS;
    if (self->writes_runs) {
        if (has_buckets) {
            args->numbers.flags |= CLPRIM__RADIX_SORT_HAS_BUCKETS;
            CLPRIM__TRY(
                clprim__launch_radix_sort_given(chain, &self->kernels[CLPRIM__RADIX_SORT_COUNT], args, chunks, false));
        }
        return clprim__launch_radix_sort_pass(chain, &self->kernels[CLPRIM__RADIX_SORT_MOVE], args,
                                              has_buckets ? chunks : 1, true);
    }
    if (has_buckets) {
        CLPRIM__TRY(
            clprim__launch_radix_sort_given(chain, &self->kernels[CLPRIM__RADIX_SORT_SURVEY], args, chunks, false));
        CLPRIM__TRY(
            clprim__launch_radix_sort_given(chain, &self->kernels[CLPRIM__RADIX_SORT_COUNT], args, chunks, false));
        CLPRIM__TRY(clprim__launch_radix_sort_places(chain, &self->kernels[CLPRIM__RADIX_SORT_PLACE], args, 1, false));
        CLPRIM__TRY(
            clprim__launch_radix_sort_pass(chain, &self->kernels[CLPRIM__RADIX_SORT_MOVE], args, chunks, false));
        args->numbers.flags |= CLPRIM__RADIX_SORT_HAS_BUCKETS;
    }
    status = clprim__launch_radix_sort_pass(chain, &self->kernels[CLPRIM__RADIX_SORT_IN_BUCKETS], args,
                                            has_buckets ? most : 1, true);
done:
    return status;
}

clprim_status clprim__radix_sort_launch_in(clprim_plan *plan, clprim__chain *chain, const clprim__radix_sort_call *call,
                                           cl_mem scratch)
{
    clprim__radix_sort_plan *self = (void *)plan;
    if (self->row->shape == CLPRIM__RADIX_SORT_ONESWEEP)
        return launch_sweeps(self, chain, call, scratch);
    radix_sort_args args = args_of(self, call, scratch);
    switch (self->row->shape) {
    case CLPRIM__RADIX_SORT_THREE: return launch_three(self, chain, &args);
    case CLPRIM__RADIX_SORT_RANGES: return launch_ranges(self, chain, &args);
    case CLPRIM__RADIX_SORT_BUCKETS: return launch_buckets(self, chain, &args);
    default: return clprim__launch_radix_sort_alone(chain, &self->kernels[CLPRIM__RADIX_SORT_MOVE], &args, 1, true);
    }
}

/* An expression may read arguments in the memory of the outputs: then the first pass must not overwrite them, as if the
 * sort were in place. */
clprim_status clprim__radix_sort_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    const clprim__radix_sort_setting *setting = clprim__radix_sort_setting_of(plan);
    const clprim_radix_sort_call *call = c->given;
    const bool any_in_place = CLPRIM__IS_IN_PLACE(plan, c, radix_sort, keys_out) ||
                              CLPRIM__IS_IN_PLACE(plan, c, radix_sort, values_out) ||
                              clprim__is_argument(plan, c, CLPRIM__RANGE(plan, c, radix_sort, keys_out)) ||
                              clprim__is_argument(plan, c, CLPRIM__RANGE(plan, c, radix_sort, values_out));
    const bool all_in_place = CLPRIM__IS_IN_PLACE(plan, c, radix_sort, keys_out) &&
                              (setting->value_size == 0 || CLPRIM__IS_IN_PLACE(plan, c, radix_sort, values_out));
    clprim__radix_sort_call sort = {.in = clprim__pairs_of(&call->keys_in, &call->values_in),
                                    .out = clprim__pairs_of(&call->keys_out, &call->values_out),
                                    .n = call->count,
                                    .flags = (any_in_place ? CLPRIM__RADIX_SORT_IN_PLACE : 0U) |
                                             (all_in_place ? 0U : CLPRIM__RADIX_SORT_MUST_MOVE)};
    if (sort.out.keys == NULL) {
        sort.out.keys = c->scratch;
        sort.out.keys_offset = own_keys_at(plan, call->count) / setting->key_size;
    }
    return clprim__radix_sort_launch_in(plan, chain, &sort, c->scratch);
}
