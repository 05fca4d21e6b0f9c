// SPDX-License-Identifier: MIT
/* nth_element_launch.c: the launches of a call. */
#include <stdint.h>

#include "error.h"
#include "nth_element_internal.h"
#include "runtime_internal.h"

/* Layout of scratch memory, in bytes. If the plan sorts: the sort's scratch memory is at 0, followed by the sorted
 * keys. If it selects: two searches are at 0; each level reads one of them and writes the other. Then two lists follow;
 * the second one has some of the first one's keys. */
typedef struct layout {
    cl_ulong keys_at;
    cl_ulong search_size;
    cl_ulong list_at;
    cl_ulong other_list_at;
    cl_ulong end;
} layout;

static layout layout_for(const clprim__nth_element_plan *self, size_t n)
{
    const size_t key_size = self->setting.keys.key_size;
    const size_t list = self->has_lists ? n / CLPRIM__LIST_SHARE : 0;
    layout l = {0};
    if (!self->row->selects) {
        l.keys_at = clprim__scratch_align(clprim__radix_sort_scratch(self->sort, n));
        l.end = clprim__scratch_behind(l.keys_at, n, key_size);
        return l;
    }
    l.search_size = clprim__scratch_align(CLPRIM__SEARCH_BYTES +
                                          self->setting.max_ranks * (2 * sizeof(cl_ulong) + sizeof(cl_uint)));
    l.list_at = 2 * l.search_size;
    l.other_list_at = clprim__scratch_behind(l.list_at, list, key_size);
    l.end = clprim__scratch_behind(l.other_list_at, list / CLPRIM__LIST_SHARE, key_size);
    return l;
}

size_t clprim__nth_element_scratch(const clprim_plan *plan, const void *call)
{
    const clprim__nth_element_plan *self = (const void *)plan;
    clprim_nth_element_call few = *(const clprim_nth_element_call *)call;
    const size_t own = (size_t)layout_for(self, few.count).end;
    few.count = clprim__smaller(few.count, CLPRIM__NTH_ELEMENT_FEW);
    return self->few != NULL ? clprim__larger(own, clprim__nth_element_scratch(self->few, &few)) : own;
}

/* Tiles are aligned, so the first one may begin up to a packet before the first element. The last one may then be
 * empty. */
static size_t groups_for(const clprim__nth_element_plan *self, size_t n)
{
    const size_t packet = CLPRIM__PACKET_BYTES / self->setting.keys.key_size;
    const size_t groups = clprim__divide_up(self->row->in_chunks ? n : clprim__plus(n, packet), self->tile);
    return clprim__smaller(groups, self->max_groups);
}

static nth_args args_of(const clprim__nth_element_plan *self, const clprim__call *c)
{
    const clprim_nth_element_call *call = c->given;
    const layout l = layout_for(self, call->count);
    nth_args args = {
        .buffers = {.scratch = c->scratch, .state = self->base.state.memory},
        .numbers = {
            .n = call->count, .rank_count = call->rank_count, .list_at = l.list_at, .other_list_at = l.other_list_at}};
    CLPRIM__PUT(&args, keys_in, call->keys_in);
    CLPRIM__PUT(&args, ranks, call->ranks);
    CLPRIM__PUT(&args, keys_out, call->keys_out);
    return args;
}

static clprim_status launch_level(clprim__nth_element_plan *self, clprim__chain *chain, nth_args *args, cl_uint pass,
                                  bool is_last)
{
    clprim__kernel *level = &self->kernels[CLPRIM__NTH_ELEMENT_LEVEL];
    const size_t n = (size_t)args->numbers.n;
    const cl_ulong search_size = layout_for(self, n).search_size;
    args->numbers.pass = pass;
    args->numbers.search_at = pass % 2 == 0 ? 0 : search_size;
    args->numbers.next_at = pass % 2 == 0 ? search_size : 0;
    const clprim_status status =
        clprim__launch_nth_level(chain, level, args, groups_for(self, n), is_last && self->folds);
    return status == CLPRIM_SUCCESS && !self->folds
               ? clprim__launch_nth_choose(chain, &self->kernels[CLPRIM__NTH_ELEMENT_CHOOSE], args, 1, is_last)
               : status;
}

static clprim_status launch_select(clprim__nth_element_plan *self, clprim__chain *chain, const clprim__call *c)
{
    const clprim_nth_element_call *call = c->given;
    const unsigned levels = clprim__nth_element_levels(self, call->rank_count);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__state_begin(&self->base.state, chain, clprim__nth_element_state(self), 1));
    nth_args args = args_of(self, c);
    for (unsigned pass = 0; pass < levels; pass++)
        CLPRIM__TRY(launch_level(self, chain, &args, pass, pass + 1 == levels));
done:
    clprim__state_end(&self->base.state, chain, status);
    return status;
}

static clprim_status launch_sort(clprim__nth_element_plan *self, clprim__chain *chain, const clprim__call *c)
{
    const clprim_nth_element_call *call = c->given;
    const layout l = layout_for(self, call->count);
    const cl_ulong keys_at = l.keys_at / self->setting.keys.key_size;
    const clprim__radix_sort_call sort = {.in = clprim__pairs_of(&call->keys_in, &(clprim_array){.buffer = NULL}),
                                          .out = {c->scratch, NULL, keys_at, 0},
                                          .n = call->count,
                                          .flags = CLPRIM__RADIX_SORT_MUST_MOVE};
    const size_t groups = clprim__divide_up(call->rank_count, self->tile);
    nth_args args = args_of(self, c);
    const clprim_status status = clprim__radix_sort_launch_in(self->sort, chain, &sort, c->scratch);
    if (status != CLPRIM_SUCCESS)
        return status;
    args.buffers.keys_in = c->scratch;
    args.numbers.keys_in_offset = keys_at;
    return clprim__launch_nth_gather(chain, &self->kernels[CLPRIM__NTH_ELEMENT_GATHER], &args,
                                     clprim__smaller(groups, self->max_groups), true);
}

clprim_status clprim__nth_element_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    clprim__nth_element_plan *self = (void *)plan;
    const clprim_nth_element_call *call = c->given;
    if (call->rank_count == 0)
        return clprim__chain_marker(chain);
    if (self->few != NULL && call->count <= CLPRIM__NTH_ELEMENT_FEW &&
        call->rank_count >= CLPRIM__NTH_ELEMENT_MANY_RANKS)
        return clprim__nth_element_launch(self->few, chain, c);
    return self->row->selects ? launch_select(self, chain, c) : launch_sort(self, chain, c);
}
