/* radix_sort_launch.c: the launches of a call. */
#include <stdint.h>

#include "error.h"
#include "radix_sort_internal.h"
#include "runtime_internal.h"

enum {
    BINS = 1 << CLPRIM__WINDOW,
    WORTH_A_BUCKET = 4096,
    ROWS_READ_BY_ALL =
        160,             /* the square of RANGES' groups per compute unit at most, to do without a launch that scans */
    MAX_SHARE = 1 << 30, /* elements of a range, which are counted in 32 bits */
    ONE_BUCKET = 1 << 15 /* elements that a core sorts sooner than five launches bring them to several */
};

/* Where the parts of scratch memory begin, in bytes. At 0 are the keys in between. */
typedef struct layout {
    cl_ulong values_at;
    cl_ulong counts_at; /* or status words */
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

/* Ranges are whole tiles, as many for each group: no more groups than have one. */
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

static layout layout_for(const clprim__radix_sort_plan *self, size_t n)
{
    const bool is_onesweep = self->row->shape == CLPRIM__RADIX_SORT_ONESWEEP;
    const size_t masks =
        self->row->shape == CLPRIM__RADIX_SORT_RANGES ? 2 * sizeof(cl_uint) : 0; /* a range, at least */
    const size_t radix =
        self->digit_bits == 1 ? 1 : (size_t)1 << self->digit_bits; /* of zeros and ones only the ones */
    const size_t word = is_onesweep ? self->status_size : count_size(self);
    layout l = {0};
    if (self->row->shape == CLPRIM__RADIX_SORT_ONE)
        return l;
    l.values_at = clprim__scratch_behind(0, n, self->setting.key_size);
    l.counts_at = clprim__scratch_behind(l.values_at, n, self->setting.value_size);
    if (self->row->shape == CLPRIM__RADIX_SORT_BUCKETS) {
        l.end = clprim__plus((size_t)l.counts_at, n <= ONE_BUCKET ? 0 : bucket_tables(self, groups_for(self, n)));
        return l;
    }
    l.totals_at = clprim__scratch_behind(l.counts_at, most_groups_for(self, n), radix * word + masks);
    l.end = clprim__plus((size_t)l.totals_at, is_onesweep ? 0 : radix * word);
    return l;
}

size_t clprim__radix_sort_scratch(const clprim_plan *plan, size_t n)
{
    return (size_t)layout_for((const void *)plan, n).end;
}

/* Behind all that the keys, sorted, if the call has no room for them. */
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
    return (CLPRIM__SORT_SUMS + 3 * ((size_t)self->passes << self->digit_bits)) * sizeof(cl_uint);
}

/* SORT_PARAMETERS of kernels/radix_sort/parts/keys.cl. */
static void add_arrays(clprim__arguments *list, const clprim__radix_sort_plan *self,
                       const clprim__radix_sort_call *call, const cl_mem *scratch, const layout *l)
{
    clprim__add_array(list, call->in.keys, call->in.keys_offset);
    clprim__add_array(list, call->out.keys, call->out.keys_offset);
    clprim__add_buffer(list, *scratch);
    CLPRIM__ADD_SCALAR(list, call->n);
    CLPRIM__ADD_SCALAR(list, call->flags);
    if (self->setting.value_size == 0)
        return;
    clprim__add_array(list, call->in.values, call->in.values_offset);
    clprim__add_array(list, call->out.values, call->out.values_offset);
    CLPRIM__ADD_SCALAR(list, l->values_at);
}

static clprim_status launch_copy(clprim__radix_sort_plan *self, clprim__chain *chain,
                                 const clprim__radix_sort_call *call, const cl_mem *scratch, const layout *l,
                                 const cl_mem *words, cl_ulong same_at)
{
    const size_t most = 16 * (size_t)self->base.runtime->info.compute_units;
    const size_t groups = clprim__divide_up((size_t)call->n, self->kernels[CLPRIM__RADIX_SORT_COPY].group_size);
    CLPRIM__ARGUMENTS(list);
    add_arrays(&list, self, call, scratch, l);
    clprim__add_buffer(&list, *words);
    CLPRIM__ADD_SCALAR(&list, same_at);
    return clprim__launch(chain, &self->kernels[CLPRIM__RADIX_SORT_COPY], &list, groups < most ? groups : most, true);
}

/* A sort in place ends in scratch memory where it has an odd number of passes. */
static bool may_end_in_scratch(const clprim__radix_sort_plan *self, const clprim__radix_sort_call *call)
{
    return (call->flags & CLPRIM__RADIX_SORT_IN_PLACE) != 0 && self->passes % 2 == 1;
}

static clprim_status launch_one(clprim__radix_sort_plan *self, clprim__chain *chain,
                                const clprim__radix_sort_call *call)
{
    const layout l = {0};
    CLPRIM__ARGUMENTS(list);
    add_arrays(&list, self, call, &call->out.keys, &l);
    return clprim__launch(chain, &self->kernels[CLPRIM__RADIX_SORT_MOVE], &list, 1, true);
}

static bool has_rows(const clprim__radix_sort_plan *self, const clprim__radix_sort_call *call)
{
    return self->row->shape != CLPRIM__RADIX_SORT_RANGES || (call->flags & CLPRIM__RADIX_SORT_HAS_ROWS) != 0;
}

static clprim_status launch_pass_of_three(clprim__radix_sort_plan *self, clprim__chain *chain,
                                          const clprim__radix_sort_call *call, const cl_mem *scratch, const layout *l,
                                          cl_uint pass, bool is_last)
{
    const size_t groups = groups_for(self, (size_t)call->n);
    const size_t radix = self->digit_bits == 1 ? 1 : (size_t)1 << self->digit_bits;
    const cl_ulong length = groups;
    CLPRIM__ARGUMENTS(count);
    CLPRIM__ARGUMENTS(rows);
    CLPRIM__ARGUMENTS(move);
    clprim_status status = CLPRIM_SUCCESS;
    add_arrays(&count, self, call, scratch, l);
    CLPRIM__ADD_SCALAR(&count, pass);
    CLPRIM__ADD_SCALAR(&count, l->counts_at);
    CLPRIM__TRY(clprim__launch(chain, &self->kernels[CLPRIM__RADIX_SORT_COUNT], &count, groups, false));
    clprim__add_buffer(&rows, *scratch);
    CLPRIM__ADD_SCALAR(&rows, l->counts_at);
    CLPRIM__ADD_SCALAR(&rows, l->totals_at);
    CLPRIM__ADD_SCALAR(&rows, length);
    if (has_rows(self, call))
        CLPRIM__TRY(clprim__launch(chain, &self->kernels[CLPRIM__RADIX_SORT_PLACE], &rows, radix, false));
    add_arrays(&move, self, call, scratch, l);
    CLPRIM__ADD_SCALAR(&move, pass);
    CLPRIM__ADD_SCALAR(&move, l->counts_at);
    CLPRIM__ADD_SCALAR(&move, l->totals_at);
    status = clprim__launch(chain, &self->kernels[CLPRIM__RADIX_SORT_MOVE], &move, groups, is_last);
done:
    return status;
}

static clprim_status launch_three(clprim__radix_sort_plan *self, clprim__chain *chain,
                                  const clprim__radix_sort_call *call, const cl_mem *scratch, const layout *l)
{
    const bool copies = may_end_in_scratch(self, call);
    const size_t counts = groups_for(self, (size_t)call->n) << self->digit_bits;
    clprim_status status = CLPRIM_SUCCESS;
    for (cl_uint pass = 0; pass < self->passes; pass++)
        CLPRIM__TRY(launch_pass_of_three(self, chain, call, scratch, l, pass, pass + 1 == self->passes && !copies));
    if (copies)
        status = launch_copy(self, chain, call, scratch, l, scratch,
                             (l->counts_at + counts * count_size(self)) / sizeof(cl_uint));
done:
    return status;
}

/* Every group of RANGES reads all counts, unless they are so many that scanning them is worth a launch. */
static clprim_status launch_ranges(clprim__radix_sort_plan *self, clprim__chain *chain,
                                   const clprim__radix_sort_call *call, const cl_mem *scratch, const layout *l)
{
    const size_t groups = groups_for(self, (size_t)call->n);
    clprim__radix_sort_call own = *call;
    if (groups * groups > ROWS_READ_BY_ALL * (size_t)self->base.runtime->info.compute_units)
        own.flags |= CLPRIM__RADIX_SORT_HAS_ROWS;
    return launch_three(self, chain, &own, scratch, l);
}

static clprim_status launch_sweeps(clprim__radix_sort_plan *self, clprim__chain *chain,
                                   const clprim__radix_sort_call *call, const cl_mem *scratch, const layout *l)
{
    const bool copies = may_end_in_scratch(self, call);
    const size_t tiles = groups_for(self, (size_t)call->n);
    const cl_ulong status_words = (tiles * self->status_size / sizeof(cl_uint)) << self->digit_bits;
    const size_t groups = clprim__divide_up((size_t)call->n, self->count_tile);
    CLPRIM__ARGUMENTS(count);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__state_begin(&self->base.state, chain, clprim__radix_sort_state(self), 1));
    clprim__add_array(&count, call->in.keys, call->in.keys_offset);
    CLPRIM__ADD_SCALAR(&count, call->n);
    clprim__add_buffer(&count, self->base.state.memory);
    CLPRIM__ADD_SCALAR(&count, self->base.state.epoch);
    clprim__add_buffer(&count, *scratch);
    CLPRIM__ADD_SCALAR(&count, l->counts_at);
    CLPRIM__ADD_SCALAR(&count, status_words);
    CLPRIM__TRY(clprim__launch(chain, &self->kernels[CLPRIM__RADIX_SORT_COUNT], &count,
                               groups < self->count_groups ? groups : self->count_groups, false));
    for (cl_uint pass = 0; pass < self->passes; pass++) {
        CLPRIM__ARGUMENTS(move);
        add_arrays(&move, self, call, scratch, l);
        clprim__add_buffer(&move, self->base.state.memory);
        CLPRIM__ADD_SCALAR(&move, self->base.state.epoch);
        CLPRIM__ADD_SCALAR(&move, pass);
        CLPRIM__ADD_SCALAR(&move, l->counts_at);
        CLPRIM__TRY(clprim__launch(chain, &self->kernels[CLPRIM__RADIX_SORT_MOVE], &move, tiles,
                                   pass + 1 == self->passes && !copies));
    }
    if (copies)
        status = launch_copy(self, chain, call, scratch, l, &self->base.state.memory,
                             CLPRIM__SORT_SAME + self->base.state.epoch % 2);
done:
    clprim__state_end(&self->base.state, chain, status);
    return status;
}

static clprim_status launch_with_tables(clprim__radix_sort_plan *self, clprim__chain *chain, int kernel,
                                        const clprim__radix_sort_call *call, const cl_mem *scratch, const layout *l,
                                        size_t groups)
{
    CLPRIM__ARGUMENTS(list);
    add_arrays(&list, self, call, scratch, l);
    CLPRIM__ADD_SCALAR(&list, l->counts_at);
    return clprim__launch(chain, &self->kernels[kernel], &list, groups, false);
}

static clprim_status launch_buckets(clprim__radix_sort_plan *self, clprim__chain *chain,
                                    const clprim__radix_sort_call *call, const cl_mem *scratch, const layout *l)
{
    static const int steps[] = {CLPRIM__RADIX_SORT_SURVEY, CLPRIM__RADIX_SORT_COUNT, CLPRIM__RADIX_SORT_PLACE,
                                CLPRIM__RADIX_SORT_MOVE};
    const size_t n = (size_t)call->n;
    const size_t chunks = groups_for(self, n);
    const size_t most = n / WORTH_A_BUCKET + 1 < CLPRIM__BUCKETS ? n / WORTH_A_BUCKET + 1 : CLPRIM__BUCKETS;
    clprim__radix_sort_call last = *call;
    CLPRIM__ARGUMENTS(plan);
    CLPRIM__ARGUMENTS(sort);
    clprim_status status = CLPRIM_SUCCESS;
    clprim__add_buffer(&plan, *scratch);
    CLPRIM__ADD_SCALAR(&plan, l->counts_at);
    clprim__add_ulong(&plan, chunks);
    CLPRIM__ADD_SCALAR(&plan, call->n);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && n > ONE_BUCKET; i++)
        CLPRIM__TRY(steps[i] == CLPRIM__RADIX_SORT_PLACE
                        ? clprim__launch(chain, &self->kernels[CLPRIM__RADIX_SORT_PLACE], &plan, 1, false)
                        : launch_with_tables(self, chain, steps[i], call, scratch, l, chunks));
    last.flags |= n > ONE_BUCKET ? CLPRIM__RADIX_SORT_HAS_BUCKETS : 0;
    add_arrays(&sort, self, &last, scratch, l);
    CLPRIM__ADD_SCALAR(&sort, l->counts_at);
    clprim__add_ulong(&sort, chunks);
    status =
        clprim__launch(chain, &self->kernels[CLPRIM__RADIX_SORT_IN_BUCKETS], &sort, n > ONE_BUCKET ? most : 1, true);
done:
    return status;
}

clprim_status clprim__radix_sort_launch_in(clprim_plan *plan, clprim__chain *chain, const clprim__radix_sort_call *call,
                                           cl_mem scratch)
{
    clprim__radix_sort_plan *self = (void *)plan;
    const layout l = layout_for(self, (size_t)call->n);
    switch (self->row->shape) {
    case CLPRIM__RADIX_SORT_THREE: return launch_three(self, chain, call, &scratch, &l);
    case CLPRIM__RADIX_SORT_RANGES: return launch_ranges(self, chain, call, &scratch, &l);
    case CLPRIM__RADIX_SORT_ONESWEEP: return launch_sweeps(self, chain, call, &scratch, &l);
    case CLPRIM__RADIX_SORT_BUCKETS: return launch_buckets(self, chain, call, &scratch, &l);
    default: return launch_one(self, chain, call);
    }
}

/* Values there are none of, are replaced by an array that is there. An expression may read arguments where the results
 * shall lie: then the first pass leaves them alone, as it does what is in place. */
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
    if (setting->indices)
        sort.in.values = sort.out.values;
    if (sort.out.keys == NULL) {
        sort.out.keys = c->scratch;
        sort.out.keys_offset = own_keys_at(plan, call->count) / setting->key_size;
    }
    return clprim__radix_sort_launch_in(plan, chain, &sort, c->scratch);
}
