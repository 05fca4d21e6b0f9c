/* select_launch.c: the launches of a call. */
#include "build.h"
#include "error.h"
#include "runtime_internal.h"
#include "select_internal.h"

/* Tiles begin up to a packet before the first element, the last of them may then be empty. */
static size_t tiles_for(const clprim__select_plan *self, size_t n)
{
    return clprim__divide_up(clprim__plus(n, CLPRIM__PACKET_BYTES / self->element_size + (n == 0)), self->tile);
}

static size_t chunks_for(const clprim__select_plan *self, size_t n)
{
    const size_t groups = clprim__divide_up(n + (n == 0), self->tile);
    return groups < self->max_groups ? groups : self->max_groups;
}

/* Tiles of one launch of LOOK_BACK, at most. */
static size_t portion_tiles(const clprim__select_plan *self)
{
    return self->portion > self->tile ? self->portion / self->tile : 1;
}

size_t clprim__select_bytes(const clprim__select_plan *self, size_t n)
{
    const size_t counted = self->is_three_way ? 2 : 1; /* parts */
    if (!self->row->looks_back)
        return clprim__times(chunks_for(self, n), counted * sizeof(cl_ulong));
    const size_t tiles = tiles_for(self, n);
    const size_t most = portion_tiles(self);
    return clprim__look_back_bytes(counted * sizeof(cl_uint), tiles < most ? tiles : most); /* it counts a portion */
}

size_t clprim__select_scratch(const clprim_plan *plan, const void *call)
{
    return clprim__select_bytes((const void *)plan, plan->operation->count(call));
}

/* An array that is empty or that the call leaves out need not exist: there is the number's in its place, of which
 * nothing is read. */
static void add(clprim__arguments *list, const clprim__select_arrays *a, const clprim_array *array)
{
    clprim__add_array(list, array->buffer != NULL ? array->buffer : a->out_count.buffer, array->offset);
}

static void add_input(clprim__arguments *list, const clprim__select_arrays *a)
{
    const cl_ulong n = a->count;
    add(list, a, &a->in);
    CLPRIM__ADD_SCALAR(list, n);
}

static void add_with_room(clprim__arguments *list, const clprim__select_arrays *a, const clprim_array *array,
                          cl_ulong room)
{
    add(list, a, array);
    CLPRIM__ADD_SCALAR(list, room);
}

static void add_output(clprim__arguments *list, const clprim__select_arrays *a)
{
    add_with_room(list, a, &a->out, a->room);
    add(list, a, &a->out_count);
}

static void add_flags(clprim__arguments *list, const clprim__select_plan *self, const clprim__select_arrays *a)
{
    if (self->flag_size != 0)
        add(list, a, &a->flags);
}

/* Of what moves elements: the values that go with them; PAYLOADS_PARAMETERS of kernels/select/parts/keep.cl. */
static void add_values(clprim__arguments *list, const clprim__select_plan *self, const clprim__select_arrays *a)
{
    if (self->value_size == 0)
        return;
    if (self->indices)
        CLPRIM__ADD_SCALAR(list, self->first_index);
    else
        add(list, a, &a->values_in);
    add_with_room(list, a, &a->values_out, a->values_room);
}

/* PARTS_PARAMETERS of kernels/select/parts/places.cl. */
static void add_parts(clprim__arguments *list, const clprim__select_plan *self, const clprim__select_arrays *a)
{
    const bool is_separate = self->rest == CLPRIM__REST_SEPARATE;
    if (self->is_three_way)
        add(list, a, &a->second_count);
    if (self->is_three_way && is_separate)
        add_with_room(list, a, &a->second_out, a->second_room);
    if (is_separate) {
        add(list, a, &a->rest_count);
        add_with_room(list, a, &a->rest_out, a->rest_room);
    }
}

static clprim_status launch_portion(clprim__select_plan *self, clprim__chain *chain, const clprim__select_arrays *a,
                                    cl_uint portion, bool is_last)
{
    const cl_uint first_tile = portion * (cl_uint)portion_tiles(self);
    const size_t tiles = is_last ? tiles_for(self, a->count) - first_tile : portion_tiles(self);
    CLPRIM__ARGUMENTS(list);
    add_input(&list, a);
    add_output(&list, a);
    CLPRIM__ADD_SCALAR(&list, first_tile);
    CLPRIM__ADD_SCALAR(&list, portion);
    clprim__add_buffer(&list, self->base.state.memory);
    CLPRIM__ADD_SCALAR(&list, self->base.state.epoch);
    add_flags(&list, self, a);
    add_values(&list, self, a);
    add_parts(&list, self, a);
    return clprim__launch(chain, &self->kernels[0], &list, tiles, is_last);
}

static clprim_status launch_look_back(clprim__select_plan *self, clprim__chain *chain, const clprim__select_arrays *a)
{
    const cl_uint portions = (cl_uint)clprim__divide_up(tiles_for(self, a->count), portion_tiles(self));
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__state_begin(&self->base.state, chain, clprim__select_bytes(self, a->count), portions));
    for (cl_uint p = 0; p < portions; p++) {
        CLPRIM__TRY(launch_portion(self, chain, a, p, p + 1 == portions));
        self->base.state.epoch += p + 1 < portions;
    }
done:
    clprim__state_end(&self->base.state, chain, status);
    return status;
}

static clprim_status launch_two(clprim__select_plan *self, clprim__chain *chain, const clprim__select_arrays *a,
                                cl_mem counts)
{
    const size_t groups = chunks_for(self, a->count);
    CLPRIM__ARGUMENTS(first);
    CLPRIM__ARGUMENTS(second);
    clprim_status status = CLPRIM_SUCCESS;
    add_input(&first, a);
    clprim__add_buffer(&first, counts);
    add_flags(&first, self, a);
    CLPRIM__TRY(clprim__launch(chain, &self->kernels[0], &first, groups, false));
    add_input(&second, a);
    add_output(&second, a);
    clprim__add_buffer(&second, counts);
    add_flags(&second, self, a);
    add_values(&second, self, a);
    add_parts(&second, self, a);
    CLPRIM__TRY(clprim__launch(chain, &self->kernels[1], &second, groups, true));
done:
    return status;
}

clprim_status clprim__select_launch_on(clprim__select_plan *self, clprim__chain *chain,
                                       const clprim__select_arrays *arrays, cl_mem scratch)
{
    return self->row->looks_back ? launch_look_back(self, chain, arrays) : launch_two(self, chain, arrays, scratch);
}
