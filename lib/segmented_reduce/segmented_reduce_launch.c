/* segmented_reduce_launch.c: what a call launches, and the scratch memory that it takes. */
#include "device.h"
#include "error.h"
#include "launch.h"
#include "runtime_internal.h"
#include "segmented_reduce_internal.h"
#include "sizes.h"
#include "state.h"

enum {
    /* A group for each segment (H200: docs/notebook/segmented_reduce.md): for segments of so many elements on average,
     * if there are enough groups for all compute units; and for small arrays with few segments that are not too long. */
    WHOLE_FROM = 1024,
    WHOLE_SMALL = 1 << 17,
    WHOLE_FEW = 16,
    WHOLE_UP_TO = 16384,
    /* Ranges by which long segments are divided: of at least 2^RANGE_LOG elements, on CPUs (for tests) of fewer; for
     * arrays that have at least so many. */
    RANGE_LOG = 13,
    CPU_RANGE_LOG = 8,
    LEAST_RANGES = 16,
    UNDIVIDED = 0,
    PARTS_ALIGNMENT = 128 /* bytes, at least of any value */
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

/* How long segments are divided then. */
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

/* Whether each segment has a group of its own. */
static bool takes_whole(const clprim__segmented_reduce_plan *self, const clprim_segmented_reduce_call *call)
{
    const size_t units = self->base.runtime->info.compute_units;
    const size_t mean = call->segment_count == 0 ? 0 : call->count / call->segment_count;
    const size_t groups = clprim__plus(call->segment_count, ranges_for(self, call->count));
    const bool are_many = mean >= WHOLE_FROM && groups >= units;
    const bool are_few = call->count <= WHOLE_SMALL && mean <= WHOLE_UP_TO && call->segment_count <= WHOLE_FEW * units;
    return self->kernels[CLPRIM__SEGMENTED_REDUCE_WHOLE].kernel != NULL && (are_many || are_few);
}

/* Where the parts of long segments are in scratch memory, in bytes: behind what looks back. */
static size_t parts_at(const clprim__segmented_reduce_plan *self)
{
    const size_t before = self->base.scratch_is_state ? clprim__look_back_bytes(self->value_size, self->max_groups) : 0;
    return clprim__divide_up(before, PARTS_ALIGNMENT) * PARTS_ALIGNMENT;
}

/* At least what the parts take; more elements never take less. 0: nothing is divided. */
static size_t scratch_of_whole(const clprim__segmented_reduce_plan *self, size_t count)
{
    const size_t ranges = count >> least_range_log(self);
    if (self->kernels[CLPRIM__SEGMENTED_REDUCE_WHOLE].kernel == NULL || ranges < LEAST_RANGES)
        return 0;
    const size_t parts = 2 * clprim__smaller(ranges + 1, CLPRIM__MAX_RANGES);
    return self->base.scratch_is_state
               ? parts_at(self) + sizeof(cl_uint) * (CLPRIM__MAX_RANGES +
                                                     parts * clprim__divide_up(self->value_size, sizeof(cl_uint)))
               : parts_at(self) + parts * self->value_size;
}

/* At least the size of a group_record of kernels/segmented_reduce/parts/segments.cl, whose alignment is at most the
 * size of a value or of a word. */
static size_t record_size(const clprim__segmented_reduce_plan *self)
{
    return 3 * clprim__larger(self->value_size, sizeof(cl_uint)) + 2 * sizeof(cl_uint);
}

/* What a group for each segment takes, or equal shares, whichever is more: so more elements never take less. */
size_t clprim__segmented_reduce_scratch(const clprim_plan *plan, const void *call)
{
    const clprim__segmented_reduce_plan *self = (const void *)plan;
    const clprim_segmented_reduce_call *given = call;
    const size_t groups = groups_for(self, call);
    if (given->segment_count == 0)
        return 0;
    const size_t shares = plan->scratch_is_state ? clprim__look_back_bytes(self->value_size, groups)
                          : groups == 1          ? 0
                                                 : clprim__times(groups, record_size(self));
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
                                              .range_log = range_log_for(self, call->count),
                                              .groups = (cl_uint)groups_for(self, call)}};
    CLPRIM__PUT(&args, in, call->in);
    CLPRIM__PUT(&args, offsets, call->offsets);
    CLPRIM__PUT(&args, out, call->out);
    return args;
}

static clprim_status launch_once(clprim__segmented_reduce_plan *self, clprim__chain *chain,
                                 const clprim_segmented_reduce_call *call)
{
    clprim__state *state = &self->base.state;
    const size_t groups = groups_for(self, call);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__state_begin(state, chain, clprim__look_back_bytes(self->value_size, groups), 1));
    segmented_reduce_args args = args_of(self, call, state->memory);
    args.numbers.epoch = state->epoch;
    CLPRIM__TRY(clprim__launch_segmented_reduce_fold(chain, &self->kernels[CLPRIM__SEGMENTED_REDUCE_FOLD], &args,
                                                     groups, true));
done:
    clprim__state_end(state, chain, status);
    return status;
}

/* A group for each segment, and for each range. */
static clprim_status launch_divided(clprim__segmented_reduce_plan *self, clprim__chain *chain,
                                    const clprim_segmented_reduce_call *call, cl_mem memory)
{
    const segmented_reduce_args args = args_of(self, call, memory);
    const size_t ranges = (size_t)args.numbers.ranges;
    const bool has_join = self->kernels[CLPRIM__SEGMENTED_REDUCE_JOIN].kernel != NULL;
    const clprim_status status = clprim__launch_segmented_reduce_fold(
        chain, &self->kernels[CLPRIM__SEGMENTED_REDUCE_WHOLE], &args, call->segment_count + ranges - 1, !has_join);
    return status == CLPRIM_SUCCESS && has_join
               ? clprim__launch_segmented_reduce_join(chain, &self->kernels[CLPRIM__SEGMENTED_REDUCE_JOIN], &args,
                                                      ranges - 1, true)
               : status;
}

static clprim_status launch_whole(clprim__segmented_reduce_plan *self, clprim__chain *chain,
                                  const clprim_segmented_reduce_call *call, cl_mem scratch)
{
    clprim__state *state = &self->base.state;
    clprim_status status = CLPRIM_SUCCESS;
    if (range_log_for(self, call->count) == UNDIVIDED) {
        const segmented_reduce_args args = args_of(self, call, NULL);
        return clprim__launch_segmented_reduce_undivided(chain, &self->kernels[CLPRIM__SEGMENTED_REDUCE_UNDIVIDED],
                                                         &args, call->segment_count, true);
    }
    if (!self->base.scratch_is_state)
        return launch_divided(self, chain, call, scratch);
    CLPRIM__TRY(clprim__state_begin(state, chain, clprim__segmented_reduce_scratch(&self->base, call), 1));
    status = launch_divided(self, chain, call, state->memory);
done:
    clprim__state_end(state, chain, status);
    return status;
}

/* Shares, and where there are several a launch that joins the segments that lie in more than one. */
static clprim_status launch_shares(clprim__segmented_reduce_plan *self, clprim__chain *chain,
                                   const clprim_segmented_reduce_call *call, cl_mem scratch)
{
    const segmented_reduce_args args = args_of(self, call, scratch);
    const size_t groups = args.numbers.groups;
    const clprim_status status = clprim__launch_segmented_reduce_fold(
        chain, &self->kernels[CLPRIM__SEGMENTED_REDUCE_FOLD], &args, groups, groups == 1);
    return status == CLPRIM_SUCCESS && groups > 1
               ? clprim__launch_segmented_reduce_join(chain, &self->kernels[CLPRIM__SEGMENTED_REDUCE_FINISH], &args, 1,
                                                      true)
               : status;
}

/* A work-item for each segment. */
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
    if (takes_whole(self, call))
        return launch_whole(self, chain, call, c->scratch);
    return plan->scratch_is_state ? launch_once(self, chain, call) : launch_shares(self, chain, call, c->scratch);
}
