/* bitonic_sort_launch.c: the launches of a call: stage after stage, each of which merges blocks by two; within a stage
 * the distance of what is compared halves from step to step. */
#include "bitonic_sort_internal.h"
#include "error.h"

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

static void add_out(clprim__arguments *list, const sorting *s)
{
    clprim__add_pairs(list, &s->call->out, s->sort->value_size > 0);
    CLPRIM__ADD_SCALAR(list, s->call->n);
}

static size_t tiles_of(const sorting *s)
{
    return clprim__divide_up((size_t)s->call->n, (size_t)1 << s->sort->tile_log);
}

/* From one array to the other, sorting tiles on the way or not. num_words: that BLOCK clears for STAGES. */
static clprim_status launch_from_input(const sorting *s, int kernel, size_t groups, cl_ulong num_words, bool is_last)
{
    CLPRIM__ARGUMENTS(list);
    clprim__add_pairs(&list, &s->call->in, s->sort->value_size > 0);
    add_out(&list, s);
    if (s->sort->at_once_up_to > 0) {
        clprim__add_buffer(&list, s->sort->base.state.memory);
        CLPRIM__ADD_SCALAR(&list, num_words);
    }
    return clprim__launch(s->chain, &s->sort->kernels[kernel], &list, groups, is_last);
}

/* Pairs at a distance that are there: a work-item for each, and none for an element that has no partner. */
static cl_ulong pairs_at(cl_ulong n, cl_ulong distance)
{
    const cl_ulong rest = n % (2 * distance);
    return n / (2 * distance) * distance + (rest > distance ? rest - distance : 0);
}

static clprim_status launch_step(const sorting *s, unsigned stage, unsigned step, bool is_last)
{
    const clprim__bitonic_sort_steps steps = s->sort->row->steps;
    clprim__kernel *kernel = &s->sort->kernels[CLPRIM__BITONIC_SORT_STEP];
    const unsigned masks = steps == CLPRIM__BITONIC_SORT_MASKS;
    const cl_ulong block = (cl_ulong)1 << (stage - masks);
    const cl_ulong distance = steps == CLPRIM__BITONIC_SORT_SHIFTS ? step : (cl_ulong)1 << step;
    const cl_ulong pairs = pairs_at(s->call->n, (cl_ulong)1 << step);
    const bool by_elements = steps == CLPRIM__BITONIC_SORT_ELEMENTS;
    CLPRIM__ARGUMENTS(list);
    add_out(&list, s);
    CLPRIM__ADD_SCALAR(&list, block);
    CLPRIM__ADD_SCALAR(&list, distance);
    if (!by_elements)
        CLPRIM__ADD_SCALAR(&list, pairs);
    return clprim__launch(s->chain, kernel, &list,
                          clprim__divide_up((size_t)(by_elements ? s->call->n : pairs), kernel->group_size), is_last);
}

static clprim_status launch_local_step(const sorting *s, unsigned stage, unsigned step, bool is_last)
{
    const cl_ulong block = (cl_ulong)1 << stage;
    const cl_ulong distance = (cl_ulong)1 << step;
    CLPRIM__ARGUMENTS(list);
    add_out(&list, s);
    CLPRIM__ADD_SCALAR(&list, block);
    CLPRIM__ADD_SCALAR(&list, distance);
    return clprim__launch(s->chain, &s->sort->kernels[CLPRIM__BITONIC_SORT_LOCAL_STEP], &list, tiles_of(s), is_last);
}

static clprim_status launch_merge(const sorting *s, unsigned stage, bool is_last)
{
    const cl_ulong block = (cl_ulong)1 << stage;
    const clprim__bitonic_sort_steps steps = s->sort->row->steps;
    CLPRIM__ARGUMENTS(list);
    add_out(&list, s);
    if (steps == CLPRIM__BITONIC_SORT_SHIFTS)
        CLPRIM__ADD_SCALAR(&list, block);
    return clprim__launch(s->chain, &s->sort->kernels[CLPRIM__BITONIC_SORT_MERGE], &list, tiles_of(s), is_last);
}

/* The `made` steps from bit `lowest` on. */
static clprim_status launch_window(const sorting *s, int kernel, unsigned lowest, unsigned made, bool is_first)
{
    const clprim__bitonic_sort_plan *self = s->sort;
    const cl_ulong window = lowest;
    const cl_ulong mirrors = is_first;
    const size_t spans = clprim__divide_up((size_t)s->call->n, (size_t)1 << (lowest + made));
    size_t groups = spans << (lowest + made - self->tile_log);
    CLPRIM__ARGUMENTS(list);
    if (self->row->steps == CLPRIM__BITONIC_SORT_STREAMS) {
        groups = clprim__divide_up((size_t)s->call->n, STREAMS_A_GROUP);
        groups = groups < self->max_groups ? groups : self->max_groups;
    }
    add_out(&list, s);
    CLPRIM__ADD_SCALAR(&list, window);
    CLPRIM__ADD_SCALAR(&list, mirrors);
    return clprim__launch(s->chain, &s->sort->kernels[kernel], &list, groups, false);
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
    unsigned left = stage; /* steps, at bits left - 1 .. 0 */
    while (left > local) {
        const bool is_short = has_kernel(s, CLPRIM__BITONIC_SORT_STRIDES) && left - local <= self->strides_log;
        const unsigned window = is_short ? self->strides_log : self->window_log;
        const unsigned made = by_windows ? window : 1; /* the last window may reach into what is local */
        const int kernel = is_short ? CLPRIM__BITONIC_SORT_STRIDES : CLPRIM__BITONIC_SORT_STEP;
        CLPRIM__TRY(by_windows ? launch_window(s, kernel, left - made, made, left == stage)
                               : launch_step(s, stage, left - 1, is_last && left == 1));
        left -= made;
    }
    if (merges && left > 0)
        return launch_merge(s, stage, is_last);
    for (; left > 0; left--)
        CLPRIM__TRY(launch_local_step(s, stage, left - 1, is_last && left == 1));
done:
    return status;
}

/* As in kernels/bitonic_sort/stages.cl. */
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
    CLPRIM__ARGUMENTS(list);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__state_begin(&self->base.state, s->chain, self->base.state.size, 1));
    CLPRIM__TRY(launch_from_input(s, CLPRIM__BITONIC_SORT_BLOCK, tiles_of(s), is_block ? 0 : stages.words, is_block));
    if (is_block)
        goto done;
    add_out(&list, s);
    clprim__add_buffer(&list, self->base.state.memory);
    status = clprim__launch(s->chain, &self->kernels[CLPRIM__BITONIC_SORT_STAGES], &list, stages.tiles, true);
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
    const unsigned sorted = has_blocks ? self->tile_log : 0; /* stages that are made together */
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
                                     const clprim_bitonic_sort_call *call)
{
    const bool has_values = self->value_size > 0;
    const size_t share = clprim__divide_up(call->count, self->max_groups);
    const cl_ulong n = call->count;
    const cl_ulong segments = call->segment_count;
    const cl_ulong window = share > self->least_window ? share : self->least_window;
    const clprim__pairs in = clprim__pairs_of(&call->keys_in, &call->values_in);
    const clprim__pairs out = clprim__pairs_of(&call->keys_out, &call->values_out);
    CLPRIM__ARGUMENTS(list);
    if (segments == 0)
        return clprim__chain_marker(chain);
    clprim__add_pairs(&list, &in, has_values);
    clprim__add_pairs(&list, &out, has_values);
    clprim__add_array(&list, call->offsets.buffer, call->offsets.offset);
    CLPRIM__ADD_SCALAR(&list, segments);
    CLPRIM__ADD_SCALAR(&list, n);
    CLPRIM__ADD_SCALAR(&list, window);
    return clprim__launch(chain, &self->kernels[CLPRIM__BITONIC_SORT_SEGMENTS], &list,
                          clprim__divide_up(call->count, (size_t)window), true);
}

clprim_status clprim__bitonic_sort_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    clprim__bitonic_sort_plan *self = (void *)plan;
    const clprim_bitonic_sort_call *call = c->given;
    if (self->offset_size > 0)
        return launch_segments(self, chain, call);
    return clprim__bitonic_sort_launch_array(
        self, chain,
        &(const clprim__bitonic_sort_call){
            .in = clprim__pairs_of(&call->keys_in, &call->values_in),
            .out = clprim__pairs_of(&call->keys_out, &call->values_out),
            .n = call->count,
            .in_place = CLPRIM__IS_IN_PLACE(plan, c, bitonic_sort, keys_out) &&
                        (self->value_size == 0 || CLPRIM__IS_IN_PLACE(plan, c, bitonic_sort, values_out))});
}
