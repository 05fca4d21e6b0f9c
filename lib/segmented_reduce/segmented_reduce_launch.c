// SPDX-License-Identifier: MIT
/* segmented_reduce_launch.c: the launches of a call, and its scratch memory. */
#include "device.h"
#include "error.h"
#include "launch.h"
#include "runtime_internal.h"
#include "segmented_reduce_internal.h"
#include "sizes.h"
#include "state.h"

enum {
    /* One group per segment (H200: docs/notebook/segmented_reduce.md): for segments of at least WHOLE_FROM elements on
     * average, if there are enough groups for all compute units; and for small arrays with few segments that are not
     * too long. */
    WHOLE_FROM = 1024,
    WHOLE_SMALL = 1 << 17,
    WHOLE_FEW = 16,
    WHOLE_UP_TO = 16384,
    /* Long segments are divided by ranges of at least 2^RANGE_LOG elements (on CPUs, for tests, fewer), in arrays that
     * have at least LEAST_RANGES ranges. */
    RANGE_LOG = 13,
    CPU_RANGE_LOG = 8,
    LEAST_RANGES = 16,
    UNDIVIDED = 0,
    PARTS_ALIGNMENT = 128 /* bytes; at least the alignment of any value */
};

static size_t groups_for(const clprim__segmented_reduce_plan *self, const clprim_segmented_reduce_call *call)
{
    const size_t groups = clprim__divide_up(clprim__plus(call->count, call->segment_count), self->share);
    return groups == 0 ? 1 : clprim__smaller(groups, self->max_groups);
}

static cl_uint least_range_log(const clprim__segmented_reduce_plan *self)
{
    return self->base.runtime->info.kind == CLPRIM_DEVICE_CPU ? CPU_RANGE_LOG : RANGE_LOG;
}

/* log2 of the elements of a range. */
static cl_uint range_log_for(const clprim__segmented_reduce_plan *self, size_t count)
{
    cl_uint log = least_range_log(self);
    if (count >> log < LEAST_RANGES)
        return UNDIVIDED;
    while (count >> log >= CLPRIM__MAX_RANGES)
        log++;
    return log;
}

static size_t ranges_for(const clprim__segmented_reduce_plan *self, size_t count)
{
    const cl_uint log = range_log_for(self, count);
    return log == UNDIVIDED ? 0 : (count >> log) + 1;
}

/* Whether each segment has its own group. */
static bool takes_whole(const clprim__segmented_reduce_plan *self, const clprim_segmented_reduce_call *call)
{
    const size_t units = self->base.runtime->info.compute_units;
    const size_t mean = call->segment_count == 0 ? 0 : call->count / call->segment_count;
    const size_t groups = clprim__plus(call->segment_count, ranges_for(self, call->count));
    const bool are_many = mean >= WHOLE_FROM && groups >= units;
    const bool are_few = call->count <= WHOLE_SMALL && mean <= WHOLE_UP_TO && call->segment_count <= WHOLE_FEW * units;
    return self->kernels[CLPRIM__SEGMENTED_REDUCE_WHOLE].kernel != NULL && (are_many || are_few);
}

static size_t value_words(const clprim__segmented_reduce_plan *self)
{
    return clprim__divide_up(self->value_size, sizeof(cl_uint));
}

/* The memory for look-back, or for kernels/segmented_reduce/parts/join.cl: a counter, and for each group a word and two
 * values. */
size_t clprim__segmented_reduce_shares_bytes(const clprim__segmented_reduce_plan *self, size_t groups)
{
    return self->row->looks_back ? clprim__look_back_bytes(self->value_size, groups)
                                 : sizeof(cl_uint) * (1 + groups * (1 + 2 * value_words(self)));
}

/* Where the parts of long segments are in the state, in bytes: after the memory of shares. */
static size_t parts_at(const clprim__segmented_reduce_plan *self)
{
    const size_t before = clprim__segmented_reduce_shares_bytes(self, self->max_groups);
    return clprim__divide_up(before, PARTS_ALIGNMENT) * PARTS_ALIGNMENT;
}

/* At least the memory for the parts. More elements never need less. 0: nothing is divided. */
static size_t scratch_of_whole(const clprim__segmented_reduce_plan *self, size_t count)
{
    const size_t ranges = count >> least_range_log(self);
    if (self->kernels[CLPRIM__SEGMENTED_REDUCE_WHOLE].kernel == NULL || ranges < LEAST_RANGES)
        return 0;
    const size_t parts = 2 * clprim__smaller(ranges + 1, CLPRIM__MAX_RANGES);
    return parts_at(self) + sizeof(cl_uint) * ((size_t)2 * CLPRIM__MAX_RANGES + parts * value_words(self));
}

/* A single group that does not look back leaves nothing for others. */
static bool needs_state(const clprim__segmented_reduce_plan *self, size_t groups)
{
    return self->row->looks_back || groups > 1;
}

/* The memory for one group per segment or for equal shares, whichever is larger. So more elements never need less. */
size_t clprim__segmented_reduce_scratch(const clprim_plan *plan, const void *call)
{
    const clprim__segmented_reduce_plan *self = (const void *)plan;
    const clprim_segmented_reduce_call *given = call;
    const size_t groups = groups_for(self, call);
    if (given->segment_count == 0)
        return 0;
    const size_t shares = needs_state(self, groups) ? clprim__segmented_reduce_shares_bytes(self, groups) : 0;
    return clprim__larger(shares, scratch_of_whole(self, given->count));
}

static segmented_reduce_args args_of(const clprim__segmented_reduce_plan *self,
                                     const clprim_segmented_reduce_call *call, cl_mem memory)
{
    segmented_reduce_args args = {.buffers = {.memory = memory},
                                  .numbers = {.segments = call->segment_count,
                                              .n = call->count,
                                              .parts_at = parts_at(self),
                                              .ranges = ranges_for(self, call->count),
                                              .range_log = range_log_for(self, call->count)}};
    CLPRIM__PUT(&args, in, call->in);
    CLPRIM__PUT(&args, offsets, call->offsets);
    CLPRIM__PUT(&args, out, call->out);
    return args;
}

/* One group per segment, and one per range. */
static clprim_status launch_divided(clprim__segmented_reduce_plan *self, clprim__chain *chain,
                                    const clprim_segmented_reduce_call *call)
{
    clprim__state *state = &self->base.state;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__state_begin(state, chain, clprim__segmented_reduce_scratch(&self->base, call), 1));
    segmented_reduce_args args = args_of(self, call, state->memory);
    args.numbers.turn = self->turn ^= 1;
    CLPRIM__TRY(clprim__launch_segmented_reduce_fold(chain, &self->kernels[CLPRIM__SEGMENTED_REDUCE_WHOLE], &args,
                                                     call->segment_count + (size_t)args.numbers.ranges - 1, true));
done:
    clprim__state_end(state, chain, status);
    return status;
}

static clprim_status launch_whole(clprim__segmented_reduce_plan *self, clprim__chain *chain,
                                  const clprim_segmented_reduce_call *call)
{
    if (range_log_for(self, call->count) != UNDIVIDED)
        return launch_divided(self, chain, call);
    const segmented_reduce_args args = args_of(self, call, NULL);
    return clprim__launch_segmented_reduce_undivided(chain, &self->kernels[CLPRIM__SEGMENTED_REDUCE_UNDIVIDED], &args,
                                                     call->segment_count, true);
}

static clprim_status launch_shares(clprim__segmented_reduce_plan *self, clprim__chain *chain,
                                   const clprim_segmented_reduce_call *call)
{
    clprim__kernel *kernel = &self->kernels[CLPRIM__SEGMENTED_REDUCE_FOLD];
    clprim__state *state = &self->base.state;
    const size_t groups = groups_for(self, call);
    segmented_reduce_args args = args_of(self, call, NULL);
    clprim_status status = CLPRIM_SUCCESS;
    if (!needs_state(self, groups))
        return clprim__launch_segmented_reduce_fold(chain, kernel, &args, groups, true);
    CLPRIM__TRY(clprim__state_begin(state, chain, clprim__segmented_reduce_shares_bytes(self, groups), 1));
    args.buffers.memory = state->memory;
    args.numbers.epoch = state->epoch;
    CLPRIM__TRY(clprim__launch_segmented_reduce_fold(chain, kernel, &args, groups, true));
done:
    clprim__state_end(state, chain, status);
    return status;
}

/* One work-item per segment. */
static clprim_status launch_nothing(clprim__segmented_reduce_plan *self, clprim__chain *chain,
                                    const clprim_segmented_reduce_call *call)
{
    clprim__kernel *kernel = &self->kernels[CLPRIM__SEGMENTED_REDUCE_NOTHING];
    const segmented_reduce_args args = args_of(self, call, NULL);
    return clprim__launch_segmented_reduce_nothing(chain, kernel, &args,
                                                   clprim__divide_up(call->segment_count, kernel->group_size), true);
}

clprim_status clprim__segmented_reduce_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    clprim__segmented_reduce_plan *self = (void *)plan;
    const clprim_segmented_reduce_call *call = c->given;
    if (call->segment_count == 0)
        return clprim__chain_marker(chain);
    if (call->count == 0)
        return launch_nothing(self, chain, call);
    return takes_whole(self, call) ? launch_whole(self, chain, call) : launch_shares(self, chain, call);
}
