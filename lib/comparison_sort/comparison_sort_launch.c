// SPDX-License-Identifier: MIT
/* comparison_sort_launch.c: the launches of a call: tiles are sorted, then pairs of runs are merged, pass after pass.
 * Passes alternate between the output and scratch memory, and start such that the last one ends in the output. */
#include <stdint.h>

#include "comparison_sort_internal.h"
#include "error.h"
#include "runtime_internal.h"

#include "comparison_sort/args.h"

/* Layout of scratch memory, in bytes. Keys are at 0. */
typedef struct layout {
    cl_ulong values_at;
    cl_ulong splits_at;
    cl_ulong flags_at;
    cl_ulong end;
} layout;

typedef struct sorting {
    clprim__comparison_sort_plan *sort;
    clprim__chain *chain;
    cl_ulong n;
    cl_mem scratch;
    layout layout;
} sorting;

static unsigned passes_for(const clprim__comparison_sort_plan *self, size_t n)
{
    return clprim__bitonic_sort_log2(clprim__divide_up(n, (size_t)1 << self->block_log));
}

static size_t merge_tiles(const clprim__comparison_sort_plan *self, int kernel, size_t n)
{
    return clprim__divide_up(n, self->kernels[kernel].group_size << self->merge_items_log);
}

static bool is_at_once(const clprim__comparison_sort_plan *self, size_t n)
{
    return n <= self->at_once_up_to;
}

static bool has_splits(const clprim__comparison_sort_plan *self, size_t n)
{
    return self->kernels[CLPRIM__COMPARISON_SORT_SPLIT].kernel != NULL && n >= self->splits_from &&
           !is_at_once(self, n);
}

static bool is_ranked(const clprim__comparison_sort_plan *self, size_t n)
{
    return n <= self->ranked_up_to;
}

static cl_uint flags_for(const clprim__comparison_sort_plan *self, size_t n)
{
    const unsigned passes = passes_for(self, n);
    if (passes == 0 || !self->has_flags)
        return 0;
    return is_at_once(self, n) ? 1U << passes : self->setting.is_custom ? passes + 1 : 0;
}

static layout layout_for(const clprim__comparison_sort_plan *self, size_t n)
{
    const clprim__comparison_sort_setting *setting = &self->setting;
    const bool merges = passes_for(self, n) > 0;
    layout l = {0};
    const size_t splits = has_splits(self, n) ? merge_tiles(self, CLPRIM__COMPARISON_SORT_MERGE, n) : 0;
    l.values_at = clprim__scratch_behind(0, n, merges ? setting->key_size : 0);
    l.splits_at = clprim__scratch_behind(l.values_at, n, merges ? setting->value_size : 0);
    l.flags_at = clprim__scratch_behind(l.splits_at, splits, sizeof(cl_ulong));
    l.end = clprim__plus((size_t)l.flags_at, flags_for(self, n) * sizeof(cl_uint));
    return l;
}

static bool are_few(const clprim__comparison_sort_plan *self, size_t n)
{
    return self->few != NULL && n < self->few_below;
}

static size_t scratch_for(const clprim__comparison_sort_plan *self, size_t n)
{
    const clprim__comparison_sort_setting *setting = &self->setting;
    const size_t most = self->ranked_up_to;
    const size_t of_ranks = most > 0 ? most * (sizeof(cl_uint) + setting->key_size + setting->value_size) : 0;
    if (is_ranked(self, n))
        return of_ranks;
    switch (self->row->shape) {
    case CLPRIM__COMPARISON_SORT_BY_BITONIC: return 0;
    case CLPRIM__COMPARISON_SORT_BY_RADIX: return clprim__radix_sort_scratch(self->radix, n);
    case CLPRIM__COMPARISON_SORT_CHUNKS: return clprim__chunk_sort_scratch(self, n);
    case CLPRIM__COMPARISON_SORT_SAMPLES: return clprim__sample_sort_scratch(self, n < UINT32_MAX ? n : UINT32_MAX);
    /* If all passes are in one launch, they need more flags. So a smaller call may need more memory than a larger one;
     * a buffer for the larger call must be sufficient for both. */
    default:
        return clprim__larger(of_ranks,
                              clprim__larger((size_t)layout_for(self, n).end,
                                             (size_t)layout_for(self, clprim__smaller(n, self->at_once_up_to)).end));
    }
}

static size_t scratch_of(const clprim__comparison_sort_plan *self, size_t n)
{
    const size_t most_of_few =
        self->few != NULL ? scratch_for((const void *)self->few, clprim__smaller(n, self->few_below - 1)) : 0;
    return are_few(self, n) ? most_of_few : clprim__larger(most_of_few, scratch_for(self, n));
}

/* The layout for values that are gathered. */
static clprim__mover_layout moved_layout(const clprim__comparison_sort_plan *self, size_t n, bool copies)
{
    const clprim__comparison_sort_plan *sort = (const void *)self->indices;
    return clprim__mover_layout_for(scratch_of(sort, n), n, copies ? self->mover.element_size : 0,
                                    sort->setting.value_size);
}

size_t clprim__comparison_sort_scratch(const clprim_plan *plan, const void *call)
{
    const size_t n = ((const clprim_comparison_sort_call *)call)->count;
    const clprim__comparison_sort_plan *self = (const void *)plan;
    return self->indices != NULL ? (size_t)moved_layout(self, n, true).end : scratch_of(self, n);
}

size_t clprim__comparison_sort_pooled(const clprim_plan *plan, const clprim__call *c)
{
    const size_t n = ((const clprim_comparison_sort_call *)c->given)->count;
    const clprim__comparison_sort_plan *self = (const void *)plan;
    return self->indices != NULL
               ? (size_t)moved_layout(self, n, CLPRIM__IS_IN_PLACE(plan, c, comparison_sort, values_out)).end
               : scratch_of(self, n);
}

static comparison_sort_args args_of(const sorting *s, const clprim__pairs *from, const clprim__pairs *to)
{
    const bool has_values = s->sort->setting.value_size > 0;
    comparison_sort_args args = {
        .buffers = {.scratch = s->scratch},
        .numbers = {.n = s->n, .splits_at = s->layout.splits_at, .flags_at = s->layout.flags_at}};
    CLPRIM__PUT_PAIRS(&args, in, has_values, from);
    CLPRIM__PUT_PAIRS(&args, out, has_values, to);
    return args;
}

static clprim_status launch_block(const sorting *s, const clprim__pairs *in, const clprim__pairs *out, bool is_last)
{
    comparison_sort_args args = args_of(s, in, out);
    args.numbers.flag = flags_for(s->sort, (size_t)s->n);
    if (!s->sort->has_flags)
        args.buffers.scratch = CLPRIM__ABSENT;
    return clprim__launch_comparison_sort_block(s->chain, &s->sort->kernels[CLPRIM__COMPARISON_SORT_BLOCK], &args,
                                                clprim__divide_up((size_t)s->n, (size_t)1 << s->sort->block_log),
                                                is_last);
}

/* pass: counted from 1. */
static clprim_status launch_pass(const sorting *s, const clprim__pairs *from, const clprim__pairs *to, cl_uint pass,
                                 bool is_last)
{
    clprim__kernel *kernels = s->sort->kernels;
    clprim__kernel *split = &kernels[CLPRIM__COMPARISON_SORT_SPLIT];
    const size_t tiles = merge_tiles(s->sort, CLPRIM__COMPARISON_SORT_MERGE, (size_t)s->n);
    comparison_sort_args args = args_of(s, from, to);
    clprim_status status = CLPRIM_SUCCESS;
    args.numbers.run = (cl_ulong)1 << (s->sort->block_log + pass - 1);
    args.numbers.is_split = has_splits(s->sort, (size_t)s->n);
    args.numbers.flag = pass;
    if (args.numbers.is_split != 0)
        CLPRIM__TRY(clprim__launch_comparison_sort_look(s->chain, split, &args,
                                                        clprim__divide_up(tiles, split->group_size), false));
    status =
        clprim__launch_comparison_sort_move(s->chain, &kernels[CLPRIM__COMPARISON_SORT_MERGE], &args, tiles, is_last);
done:
    return status;
}

/* Repair the result, if the last pass found that the caller's order is inconsistent. */
static clprim_status launch_mend(const sorting *s, const clprim__pairs *from, const clprim__pairs *to, cl_uint pass)
{
    clprim__kernel *kernel = &s->sort->kernels[CLPRIM__COMPARISON_SORT_MEND];
    const size_t groups = clprim__divide_up((size_t)s->n, kernel->group_size);
    comparison_sort_args args = args_of(s, from, to);
    args.numbers.flag = pass;
    return clprim__launch_comparison_sort_move(s->chain, kernel, &args, clprim__smaller(groups, s->sort->max_groups),
                                               true);
}

static clprim_status launch_merges(const sorting *s, const clprim__pairs *first, const clprim__pairs *second,
                                   unsigned passes)
{
    const clprim__comparison_sort_plan *self = s->sort;
    comparison_sort_args args = args_of(s, first, second);
    args.numbers.run = (cl_ulong)1 << self->block_log;
    return clprim__launch_comparison_sort_move(
        s->chain, &s->sort->kernels[CLPRIM__COMPARISON_SORT_MERGES_AT_ONCE], &args,
        passes * merge_tiles(self, CLPRIM__COMPARISON_SORT_MERGES_AT_ONCE, (size_t)s->n), true);
}

static clprim_status launch_ranks(const sorting *s, const clprim__bitonic_sort_call *call)
{
    clprim__kernel *rank = &s->sort->kernels[CLPRIM__COMPARISON_SORT_RANK];
    clprim__kernel *place = &s->sort->kernels[CLPRIM__COMPARISON_SORT_PLACE];
    const size_t by_group = clprim__smaller(rank->group_size * CLPRIM__RANKED_BY_ONE, CLPRIM__RANKED_BY_GROUP);
    const comparison_sort_args args = args_of(s, &call->in, &call->out);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(
        clprim__launch_comparison_sort_look(s->chain, rank, &args, clprim__divide_up((size_t)s->n, by_group), false));
    status = clprim__launch_comparison_sort_move(s->chain, place, &args,
                                                 clprim__divide_up((size_t)s->n, place->group_size), true);
done:
    return status;
}

static clprim_status launch_all(const sorting *s, const clprim__bitonic_sort_call *call)
{
    const size_t value_size = s->sort->setting.value_size;
    const unsigned passes = passes_for(s->sort, (size_t)s->n);
    const bool mends = s->sort->kernels[CLPRIM__COMPARISON_SORT_MEND].kernel != NULL && passes > 0;
    const clprim__pairs between = {s->scratch, s->scratch, 0, value_size > 0 ? s->layout.values_at / value_size : 0};
    const clprim__pairs *from = passes % 2 == 0 ? &call->out : &between;
    const clprim__pairs *to = passes % 2 == 0 ? &between : &call->out;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(launch_block(s, &call->in, from, passes == 0));
    if (passes > 0 && is_at_once(s->sort, (size_t)s->n))
        return launch_merges(s, from, to, passes);
    for (cl_uint pass = 1; pass <= passes; pass++) {
        const clprim__pairs *next = from;
        CLPRIM__TRY(launch_pass(s, from, to, pass, pass == passes && !mends));
        from = to;
        to = next;
    }
    if (mends)
        status = launch_mend(s, to, from, passes + 1);
done:
    return status;
}

static clprim_status launch_radix(const sorting *s, const clprim__comparison_sort_call *call)
{
    const clprim__bitonic_sort_call *arrays = &call->arrays;
    const clprim__radix_sort_call c = {.in = arrays->in,
                                       .out = arrays->out,
                                       .n = arrays->n,
                                       .flags = (call->is_partly_in_place ? CLPRIM__RADIX_SORT_IN_PLACE : 0) |
                                                (arrays->in_place ? 0 : CLPRIM__RADIX_SORT_MUST_MOVE)};
    return clprim__radix_sort_launch_in(s->sort->radix, s->chain, &c, s->scratch);
}

/* Compute the keys from the caller's expression, and store them where they are sorted. */
static clprim_status launch_input(const sorting *s, const clprim_array *keys)
{
    clprim__kernel *kernel = &s->sort->kernels[CLPRIM__COMPARISON_SORT_INPUT];
    comparison_sort_args args = {.numbers = {.n = s->n}};
    CLPRIM__PUT(&args, made, *keys);
    return clprim__launch_comparison_sort_input(s->chain, kernel, &args,
                                                clprim__divide_up((size_t)s->n, kernel->group_size), false);
}

/* Store each key's index as its value, in the array in which values are sorted. */
static clprim_status launch_indices(const sorting *s, const clprim_array *values)
{
    clprim__kernel *kernel = &s->sort->kernels[CLPRIM__COMPARISON_SORT_INDICES];
    comparison_sort_args args = {.numbers = {.n = s->n}};
    if (kernel->kernel == NULL)
        return CLPRIM_SUCCESS;
    CLPRIM__PUT(&args, made, *values);
    return clprim__launch_comparison_sort_indices(s->chain, kernel, &args,
                                                  clprim__divide_up((size_t)s->n, kernel->group_size), false);
}

/* Sort indices along with the keys, then gather the values by these indices. If the caller supplied scratch memory, its
 * layout always has room for a copy of the values, even if none is needed. */
static clprim_status launch_gathering(clprim__comparison_sort_plan *self, clprim__chain *chain,
                                      const clprim__call *given)
{
    const clprim_plan *plan = &self->base;
    const clprim_comparison_sort_call *call = given->given;
    const bool in_place = CLPRIM__IS_IN_PLACE(plan, given, comparison_sort, values_out);
    const size_t index_size = ((const clprim__comparison_sort_plan *)(const void *)self->indices)->setting.value_size;
    const clprim__mover_layout l = moved_layout(self, call->count, in_place || plan->workspace.supplied != NULL);
    clprim_comparison_sort_call sort = *call;
    clprim__call inner = {.given = &sort, .scratch = given->scratch};
    sort.values_in = (clprim_array){0};
    sort.values_out = (clprim_array){.buffer = given->scratch, .offset = (size_t)l.indices_at / index_size};
    CLPRIM__IS_IN_PLACE(self->indices, &inner, comparison_sort, keys_out) =
        CLPRIM__IS_IN_PLACE(plan, given, comparison_sort, keys_out);
    const clprim_status status = clprim__comparison_sort_launch(self->indices, chain, &inner);
    return status != CLPRIM_SUCCESS ? status
                                    : clprim__mover_launch(&self->mover, chain,
                                                           &(clprim__move){.in = &call->values_in,
                                                                           .out = &call->values_out,
                                                                           .in_place = in_place,
                                                                           .scratch = given->scratch,
                                                                           .indices_at = l.indices_at,
                                                                           .n = call->count},
                                                           true);
}

clprim_status clprim__comparison_sort_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *given)
{
    const clprim_comparison_sort_call *arrays = given->given;
    const size_t n = arrays->count;
    clprim__comparison_sort_plan *self = (void *)plan;
    if (self->indices != NULL)
        return launch_gathering(self, chain, given);
    const bool has_values = self->setting.value_size > 0;
    const bool has_input = self->kernels[CLPRIM__COMPARISON_SORT_INPUT].kernel != NULL;
    const bool keys_in_place = has_input || CLPRIM__IS_IN_PLACE(plan, given, comparison_sort, keys_out);
    const bool has_indices = self->kernels[CLPRIM__COMPARISON_SORT_INDICES].kernel != NULL;
    const bool values_in_place =
        has_values && (has_indices || CLPRIM__IS_IN_PLACE(plan, given, comparison_sort, values_out));
    const clprim__comparison_sort_call call = {
        .arrays = {.in = clprim__pairs_of(has_input ? &arrays->keys_out : &arrays->keys_in,
                                          has_indices ? &arrays->values_out : &arrays->values_in),
                   .out = clprim__pairs_of(&arrays->keys_out, &arrays->values_out),
                   .n = n,
                   .in_place = keys_in_place && (values_in_place || !has_values)},
        .is_partly_in_place = keys_in_place || values_in_place,
    };
    sorting s = {.sort = self, .chain = chain, .n = n, .scratch = given->scratch};
    if (are_few(self, n))
        return clprim__comparison_sort_launch(self->few, chain, given);
    clprim_status status = has_input ? launch_input(&s, &arrays->keys_out) : CLPRIM_SUCCESS;
    if (status == CLPRIM_SUCCESS)
        status = launch_indices(&s, &arrays->values_out);
    if (status != CLPRIM_SUCCESS)
        return status;
    switch (self->row->shape) {
    case CLPRIM__COMPARISON_SORT_BY_BITONIC:
        return clprim__bitonic_sort_launch_array((void *)self->bitonic, chain, &call.arrays);
    case CLPRIM__COMPARISON_SORT_BY_RADIX: return launch_radix(&s, &call);
    case CLPRIM__COMPARISON_SORT_CHUNKS: return clprim__chunk_sort_launch(self, chain, &call.arrays, given->scratch);
    case CLPRIM__COMPARISON_SORT_SAMPLES: return clprim__sample_sort_launch(self, chain, &call, given->scratch);
    default:
        if (is_ranked(self, n))
            return launch_ranks(&s, &call.arrays);
        s.layout = layout_for(self, n);
        return launch_all(&s, &call.arrays);
    }
}
