// SPDX-License-Identifier: MIT
/* bitonic_sort_launch.c: the launches of a call. Each stage merges pairs of blocks. Within a stage, the distance of the
 * compared elements is halved from step to step. */
#include "bitonic_sort_internal.h"
#include "error.h"

#include "bitonic_sort/args.h"

enum { STREAMS_A_GROUP = 4096 /* elements that are worth another work-group */ };

typedef struct sorting {
    clprim__bitonic_sort_plan *sort;
    clprim__chain *chain;
    const clprim__bitonic_sort_call *call;
} sorting;

unsigned clprim__bitonic_sort_log2(size_t n)
{
    unsigned log = 0;
    while (log < 63 && (size_t)1 << log < n)
        log++;
    return log;
}

static bitonic_sort_args args_of(const clprim__bitonic_sort_plan *self, const clprim__bitonic_sort_call *call)
{
    const bool has_values = self->value_size > 0;
    bitonic_sort_args args = {.buffers = {.words = self->at_once_up_to > 0 ? self->base.state.memory : CLPRIM__ABSENT},
                              .numbers = {.n = call->n}};
    CLPRIM__PUT_PAIRS(&args, in, has_values, &call->in);
    CLPRIM__PUT_PAIRS(&args, out, has_values, &call->out);
    return args;
}

static size_t tiles_of(const sorting *s)
{
    return clprim__divide_up((size_t)s->call->n, (size_t)1 << s->sort->tile_log);
}

/* Move elements from the input to the output; BLOCK also sorts tiles. num_words: the number of words that BLOCK clears
 * for STAGES. */
static clprim_status launch_from_input(const sorting *s, int kernel, size_t groups, cl_ulong num_words, bool is_last)
{
    bitonic_sort_args args = args_of(s->sort, s->call);
    args.numbers.num_words = num_words;
    return clprim__launch_bitonic_sort_move(s->chain, &s->sort->kernels[kernel], &args, groups, is_last);
}

/* The number of pairs at this distance, with one work-item each. Elements without a partner have no work-item. */
static cl_ulong pairs_at(cl_ulong n, cl_ulong distance)
{
    const cl_ulong rest = n % (2 * distance);
    return n / (2 * distance) * distance + (rest > distance ? rest - distance : 0);
}

/* The arguments for one step of a stage, or for all of its remaining steps. */
static bitonic_sort_args args_of_step(const sorting *s, unsigned stage, unsigned step)
{
    bitonic_sort_args args = args_of(s->sort, s->call);
    args.numbers.block = (cl_ulong)1 << stage;
    args.numbers.distance = (cl_ulong)1 << step;
    args.numbers.shift = step;
    args.numbers.pairs = pairs_at(s->call->n, args.numbers.distance);
    return args;
}

static clprim_status launch_step(const sorting *s, unsigned stage, unsigned step, bool is_last)
{
    clprim__kernel *kernel = &s->sort->kernels[CLPRIM__BITONIC_SORT_STEP];
    const bitonic_sort_args args = args_of_step(s, stage, step);
    const bool by_elements = s->sort->row->steps == CLPRIM__BITONIC_SORT_ELEMENTS;
    const size_t items = (size_t)(by_elements ? s->call->n : args.numbers.pairs);
    return clprim__launch_bitonic_sort_step(s->chain, kernel, &args, clprim__divide_up(items, kernel->group_size),
                                            is_last);
}

/* Launch LOCAL_STEP or MERGE, which work within tiles. */
static clprim_status launch_local(const sorting *s, int kernel, unsigned stage, unsigned step, bool is_last)
{
    const bitonic_sort_args args = args_of_step(s, stage, step);
    return clprim__launch_bitonic_sort_step(s->chain, &s->sort->kernels[kernel], &args, tiles_of(s), is_last);
}

/* Launch the `made` steps from bit `lowest` on. */
static clprim_status launch_window(const sorting *s, int kernel, unsigned lowest, unsigned made, bool is_first)
{
    const clprim__bitonic_sort_plan *self = s->sort;
    bitonic_sort_args args = args_of(self, s->call);
    const size_t spans = clprim__divide_up((size_t)s->call->n, (size_t)1 << (lowest + made));
    size_t groups = spans << (lowest + made - self->tile_log);
    if (self->row->steps == CLPRIM__BITONIC_SORT_STREAMS) {
        groups = clprim__divide_up((size_t)s->call->n, STREAMS_A_GROUP);
        groups = groups < self->max_groups ? groups : self->max_groups;
    }
    args.numbers.window = lowest;
    args.numbers.mirrors = is_first;
    return clprim__launch_bitonic_sort_step(s->chain, &s->sort->kernels[kernel], &args, groups, false);
}

static bool has_kernel(const sorting *s, int kernel)
{
    return s->sort->row->kernels[kernel] != NULL;
}

static clprim_status launch_stage(const sorting *s, unsigned stage, bool is_last)
{
    const clprim__bitonic_sort_plan *self = s->sort;
    const bool by_windows = self->row->steps >= CLPRIM__BITONIC_SORT_WINDOWS;
    const bool merges = has_kernel(s, CLPRIM__BITONIC_SORT_MERGE);
    const unsigned local = merges || has_kernel(s, CLPRIM__BITONIC_SORT_LOCAL_STEP) ? self->tile_log : 0;
    clprim_status status = CLPRIM_SUCCESS;
    unsigned left = stage; /* remaining steps, at bits left - 1 .. 0 */
    while (left > local) {
        const bool is_short = has_kernel(s, CLPRIM__BITONIC_SORT_STRIDES) && left - local <= self->strides_log;
        const unsigned window = is_short ? self->strides_log : self->window_log;
        const unsigned made = by_windows ? window : 1; /* the last window may include steps that are local */
        const int kernel = is_short ? CLPRIM__BITONIC_SORT_STRIDES : CLPRIM__BITONIC_SORT_STEP;
        CLPRIM__TRY(by_windows ? launch_window(s, kernel, left - made, made, left == stage)
                               : launch_step(s, stage, left - 1, is_last && left == 1));
        left -= made;
    }
    if (merges && left > 0)
        return launch_local(s, CLPRIM__BITONIC_SORT_MERGE, stage, left - 1, is_last);
    for (; left > 0; left--)
        CLPRIM__TRY(launch_local(s, CLPRIM__BITONIC_SORT_LOCAL_STEP, stage, left - 1, is_last && left == 1));
done:
    return status;
}

/* The numbers that kernels/bitonic_sort/stages.cl also computes. */
clprim__bitonic_sort_stages clprim__bitonic_sort_stages_of(const clprim__bitonic_sort_plan *self, size_t n)
{
    const unsigned stages = clprim__bitonic_sort_log2(n);
    clprim__bitonic_sort_stages all = {.words = 1};
    for (unsigned merged = self->tile_log; merged < stages; merged++) {
        const size_t blocks = clprim__divide_up(n, (size_t)2 << merged);
        unsigned left = merged + 1;
        while (left > self->tile_log) {
            all.tiles += clprim__divide_up(n, (size_t)1 << left) << (left - self->tile_log);
            all.words += blocks;
            left -= left - self->tile_log <= self->strides_log ? self->strides_log : self->window_log;
        }
        all.tiles += clprim__divide_up(n, (size_t)1 << self->tile_log);
        all.words += blocks;
    }
    return all;
}

static clprim_status launch_at_once(const sorting *s)
{
    clprim__bitonic_sort_plan *self = s->sort;
    const clprim__bitonic_sort_stages stages = clprim__bitonic_sort_stages_of(self, (size_t)s->call->n);
    const bool is_block = stages.tiles == 0;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__state_begin(&self->base.state, s->chain, self->base.state.size, 1));
    CLPRIM__TRY(launch_from_input(s, CLPRIM__BITONIC_SORT_BLOCK, tiles_of(s), is_block ? 0 : stages.words, is_block));
    if (!is_block) {
        const bitonic_sort_args args = args_of(self, s->call);
        status = clprim__launch_bitonic_sort_stages(s->chain, &self->kernels[CLPRIM__BITONIC_SORT_STAGES], &args,
                                                    stages.tiles, true);
    }
done:
    clprim__state_end(&self->base.state, s->chain, status);
    return status;
}

clprim_status clprim__bitonic_sort_launch_array(clprim__bitonic_sort_plan *self, clprim__chain *chain,
                                                const clprim__bitonic_sort_call *call)
{
    const sorting s = {self, chain, call};
    const unsigned stages = clprim__bitonic_sort_log2((size_t)call->n);
    const bool has_blocks = has_kernel(&s, CLPRIM__BITONIC_SORT_BLOCK);
    const unsigned sorted = has_blocks ? self->tile_log : 0; /* number of stages that BLOCK makes */
    clprim_status status = CLPRIM_SUCCESS;
    if (call->n == 1 && call->in_place)
        return clprim__chain_marker(chain);
    if (call->n <= self->at_once_up_to)
        return launch_at_once(&s);
    if (has_blocks)
        CLPRIM__TRY(launch_from_input(&s, CLPRIM__BITONIC_SORT_BLOCK, tiles_of(&s), 0, stages <= sorted));
    else if (!call->in_place)
        CLPRIM__TRY(launch_from_input(
            &s, CLPRIM__BITONIC_SORT_COPY,
            clprim__divide_up((size_t)call->n, self->kernels[CLPRIM__BITONIC_SORT_COPY].group_size), 0, stages == 0));
    for (unsigned stage = sorted + 1; stage <= stages; stage++)
        CLPRIM__TRY(launch_stage(&s, stage, stage == stages));
done:
    return status;
}

static clprim_status launch_segments(clprim__bitonic_sort_plan *self, clprim__chain *chain,
                                     const clprim_bitonic_sort_call *call, const clprim__bitonic_sort_call *arrays)
{
    const size_t share = clprim__larger(clprim__divide_up(call->count, self->max_groups), self->least_window);
    bitonic_sort_args args = args_of(self, arrays);
    if (call->segment_count == 0)
        return clprim__chain_marker(chain);
    CLPRIM__PUT(&args, offsets, call->offsets);
    args.numbers.segments = call->segment_count;
    args.numbers.share = share;
    return clprim__launch_bitonic_sort_segments(chain, &self->kernels[CLPRIM__BITONIC_SORT_SEGMENTS], &args,
                                                clprim__divide_up(call->count, share), true);
}

clprim_status clprim__bitonic_sort_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    clprim__bitonic_sort_plan *self = (void *)plan;
    const clprim_bitonic_sort_call *call = c->given;
    const clprim__bitonic_sort_call arrays = {
        .in = clprim__pairs_of(&call->keys_in, &call->values_in),
        .out = clprim__pairs_of(&call->keys_out, &call->values_out),
        .n = call->count,
        .in_place = CLPRIM__IS_IN_PLACE(plan, c, bitonic_sort, keys_out) &&
                    (self->value_size == 0 || CLPRIM__IS_IN_PLACE(plan, c, bitonic_sort, values_out))};
    return self->offset_size > 0 ? launch_segments(self, chain, call, &arrays)
                                 : clprim__bitonic_sort_launch_array(self, chain, &arrays);
}
