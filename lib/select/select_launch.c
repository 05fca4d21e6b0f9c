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
    if (!self->row->looks_back)
        return clprim__times(chunks_for(self, n), sizeof(cl_ulong));
    const size_t tiles = tiles_for(self, n);
    const size_t most = portion_tiles(self);
    return clprim__look_back_bytes(sizeof(cl_uint), tiles < most ? tiles : most); /* it sums counts of a portion */
}

size_t clprim__select_scratch(const clprim_plan *plan, const void *call)
{
    return clprim__select_bytes((const void *)plan, plan->operation->count(call));
}

/* What kernels take. An empty array need not exist: there is the number's in its place, of which nothing is read. */
typedef struct select_work {
    cl_mem in, flags, out, out_count, values_in, values_out;
    cl_ulong in_offset, flags_offset, out_offset, out_count_offset, values_in_offset, values_out_offset;
    cl_ulong n;
} select_work;

static select_work work_of(const clprim__select_arrays *a)
{
    const cl_mem any = a->out_count.buffer;
    return (select_work){.in = a->in.buffer != NULL ? a->in.buffer : any,
                         .flags = a->flags.buffer != NULL ? a->flags.buffer : any,
                         .out = a->out.buffer != NULL ? a->out.buffer : any,
                         .out_count = any,
                         .values_in = a->values_in.buffer != NULL ? a->values_in.buffer : any,
                         .values_out = a->values_out.buffer != NULL ? a->values_out.buffer : any,
                         .in_offset = a->in.offset,
                         .flags_offset = a->flags.offset,
                         .out_offset = a->out.offset,
                         .out_count_offset = a->out_count.offset,
                         .values_in_offset = a->values_in.offset,
                         .values_out_offset = a->values_out.offset,
                         .n = a->count};
}

static void add_input(clprim__arguments *list, const select_work *c)
{
    clprim__add_array(list, c->in, c->in_offset);
    CLPRIM__ADD_SCALAR(list, c->n);
}

static void add_output(clprim__arguments *list, const select_work *c)
{
    clprim__add_array(list, c->out, c->out_offset);
    clprim__add_array(list, c->out_count, c->out_count_offset);
}

static void add_flags(clprim__arguments *list, const clprim__select_plan *self, const select_work *c)
{
    if (self->flag_size == 0)
        return;
    clprim__add_array(list, c->flags, c->flags_offset);
}

/* Of what moves elements: the values that go with them. */
static void add_values(clprim__arguments *list, const clprim__select_plan *self, const select_work *c)
{
    if (self->value_size == 0)
        return;
    if (self->indices)
        CLPRIM__ADD_SCALAR(list, self->first_index);
    else
        clprim__add_array(list, c->values_in, c->values_in_offset);
    clprim__add_array(list, c->values_out, c->values_out_offset);
}

static clprim_status launch_portion(clprim__select_plan *self, clprim__chain *chain, const select_work *c,
                                    cl_uint portion, bool is_last)
{
    const cl_uint first_tile = portion * (cl_uint)portion_tiles(self);
    const size_t tiles = is_last ? tiles_for(self, (size_t)c->n) - first_tile : portion_tiles(self);
    clprim__arguments list = {.count = 0};
    add_input(&list, c);
    add_output(&list, c);
    CLPRIM__ADD_SCALAR(&list, first_tile);
    CLPRIM__ADD_SCALAR(&list, portion);
    clprim__add_buffer(&list, self->base.state.memory);
    CLPRIM__ADD_SCALAR(&list, self->base.state.epoch);
    add_flags(&list, self, c);
    add_values(&list, self, c);
    return clprim__launch(chain, &self->kernels[0], &list, tiles, is_last);
}

static clprim_status launch_look_back(clprim__select_plan *self, clprim__chain *chain, const select_work *c)
{
    const cl_uint portions = (cl_uint)clprim__divide_up(tiles_for(self, (size_t)c->n), portion_tiles(self));
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__state_begin(&self->base.state, chain, clprim__select_bytes(self, (size_t)c->n), portions));
    for (cl_uint p = 0; p < portions; p++) {
        CLPRIM__TRY(launch_portion(self, chain, c, p, p + 1 == portions));
        self->base.state.epoch += p + 1 < portions;
    }
done:
    clprim__state_end(&self->base.state, chain, status);
    return status;
}

static clprim_status launch_two(clprim__select_plan *self, clprim__chain *chain, const select_work *c, cl_mem counts)
{
    const size_t groups = chunks_for(self, (size_t)c->n);
    clprim__arguments first = {.count = 0};
    clprim__arguments second = {.count = 0};
    clprim_status status = CLPRIM_SUCCESS;
    add_input(&first, c);
    clprim__add_buffer(&first, counts);
    add_flags(&first, self, c);
    CLPRIM__TRY(clprim__launch(chain, &self->kernels[0], &first, groups, false));
    add_input(&second, c);
    add_output(&second, c);
    clprim__add_buffer(&second, counts);
    add_flags(&second, self, c);
    add_values(&second, self, c);
    CLPRIM__TRY(clprim__launch(chain, &self->kernels[1], &second, groups, true));
done:
    return status;
}

clprim_status clprim__select_launch_on(clprim__select_plan *self, clprim__chain *chain,
                                       const clprim__select_arrays *arrays, cl_mem scratch)
{
    const select_work work = work_of(arrays);
    return self->row->looks_back ? launch_look_back(self, chain, &work) : launch_two(self, chain, &work, scratch);
}
