// SPDX-License-Identifier: MIT
/* select_launch.c: the launches of a call. */
#include "build.h"
#include "error.h"
#include "runtime_internal.h"
#include "select_internal.h"

/* Tiles are aligned, so the first one may begin up to a packet before the first element. The last one may then be
 * empty. */
static size_t tiles_for(const clprim__select_plan *self, size_t n)
{
    return clprim__divide_up(clprim__plus(n, CLPRIM__PACKET_BYTES / self->element_size + (n == 0)), self->tile);
}

static size_t chunks_for(const clprim__select_plan *self, size_t n)
{
    const size_t groups = clprim__divide_up(n + (n == 0), self->tile);
    return groups < self->max_groups ? groups : self->max_groups;
}

/* The largest number of tiles in one launch of LOOK_BACK. */
static size_t portion_tiles(const clprim__select_plan *self)
{
    return self->portion > self->tile ? self->portion / self->tile : 1;
}

size_t clprim__select_bytes(const clprim__select_plan *self, size_t n)
{
    const size_t counted = self->is_three_way ? 2 : 1; /* number of parts that are counted */
    if (!self->row->looks_back)
        return clprim__times(chunks_for(self, n), counted * sizeof(cl_ulong));
    const size_t tiles = tiles_for(self, n);
    const size_t most = portion_tiles(self);
    return clprim__look_back_bytes(counted * sizeof(cl_uint), tiles < most ? tiles : most); /* it counts one launch */
}

size_t clprim__select_scratch(const clprim_plan *plan, const void *call)
{
    return clprim__select_bytes((const void *)plan, plan->operation->count(call));
}

/* Put an array. It need not exist if it is empty or if the call leaves it out. Then the buffer of the count is passed
 * instead, and nothing is read through it. */
#define PUT_IF(has, args, name, array, a)                                                                              \
    CLPRIM__PUT_IF(has, args, name, (array).buffer != NULL ? (array) : (a)->out_count)

static select_args args_of(const clprim__select_plan *self, const clprim__select_arrays *a, cl_mem words)
{
    const bool is_separate = self->rest == CLPRIM__REST_SEPARATE;
    const bool has_values = self->value_size > 0;
    select_args args = {.buffers = {.words = words},
                        .numbers = {.n = a->count,
                                    .room = a->room,
                                    .payloads_room = a->values_room,
                                    .second_room = a->second_room,
                                    .rest_room = a->rest_room,
                                    .first_index = self->first_index}};
    PUT_IF(true, &args, in, a->in, a);
    PUT_IF(self->flag_size > 0, &args, flags, a->flags, a);
    PUT_IF(has_values && !self->indices, &args, payloads, a->values_in, a);
    PUT_IF(true, &args, out, a->out, a);
    PUT_IF(true, &args, out_count, a->out_count, a);
    PUT_IF(has_values, &args, payloads_out, a->values_out, a);
    PUT_IF(self->is_three_way, &args, second_count, a->second_count, a);
    PUT_IF(self->is_three_way && is_separate, &args, second, a->second_out, a);
    PUT_IF(is_separate, &args, rest, a->rest_out, a);
    PUT_IF(is_separate, &args, rest_count, a->rest_count, a);
    return args;
}

static clprim_status launch_look_back(clprim__select_plan *self, clprim__chain *chain, const clprim__select_arrays *a)
{
    const size_t most = portion_tiles(self); /* tiles per launch */
    const size_t tiles = tiles_for(self, a->count);
    const cl_uint portions = (cl_uint)clprim__divide_up(tiles, most);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__state_begin(&self->base.state, chain, clprim__select_bytes(self, a->count), portions));
    select_args args = args_of(self, a, self->base.state.memory);
    for (cl_uint p = 0; p < portions; p++) {
        const bool is_last = p + 1 == portions;
        args.numbers.first_tile = p * (cl_uint)most;
        args.numbers.portion = p;
        args.numbers.epoch = self->base.state.epoch;
        CLPRIM__TRY(clprim__launch_select_move(chain, &self->kernels[0], &args,
                                               is_last ? tiles - args.numbers.first_tile : most, is_last));
        self->base.state.epoch += !is_last;
    }
done:
    clprim__state_end(&self->base.state, chain, status);
    return status;
}

static clprim_status launch_two(clprim__select_plan *self, clprim__chain *chain, const clprim__select_arrays *a,
                                cl_mem counts)
{
    const size_t groups = chunks_for(self, a->count);
    const select_args args = args_of(self, a, counts);
    const clprim_status status = clprim__launch_select_count(chain, &self->kernels[0], &args, groups, false);
    return status == CLPRIM_SUCCESS ? clprim__launch_select_move(chain, &self->kernels[1], &args, groups, true)
                                    : status;
}

clprim_status clprim__select_launch_on(clprim__select_plan *self, clprim__chain *chain,
                                       const clprim__select_arrays *arrays, cl_mem scratch)
{
    return self->row->looks_back ? launch_look_back(self, chain, arrays) : launch_two(self, chain, arrays, scratch);
}
