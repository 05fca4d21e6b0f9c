// SPDX-License-Identifier: MIT
/* sort_by_key_launch.c: the launches of a call: those of the sort, then a launch for each array that gathers it. An
 * array that is sorted in place is copied first. */
#include "error.h"
#include "runtime_internal.h"
#include "sort_by_key_internal.h"

/* Layout of scratch memory, in bytes. The sort's scratch memory is at 0; when the sort is done, copies of arrays are
 * there. */
typedef struct layout {
    cl_ulong indices_at;
    cl_ulong keys_at; /* sorted keys, if the caller does not want them */
    cl_ulong end;
} layout;

/* The next offset that is a multiple of an element's size, and aligned for any type. */
static cl_ulong whole_elements(cl_ulong at, size_t size)
{
    enum { ALIGNMENT = 16 };
    const size_t step = size % ALIGNMENT == 0 || ALIGNMENT % size == 0 ? size : size * ALIGNMENT;
    const cl_ulong steps = at / step + (at % step != 0);
    return at == SIZE_MAX ? at : clprim__times((size_t)steps, step);
}

static layout layout_for(const clprim__sort_by_key_plan *self, size_t n, bool copies)
{
    const size_t sort = self->compares
                            ? clprim__comparison_sort_scratch(self->sort, &(clprim_comparison_sort_call){.count = n})
                            : clprim__radix_sort_scratch(self->sort, n);
    const clprim__mover_layout moved = clprim__mover_layout_for(sort, n, self->gathers && copies ? self->largest : 0,
                                                                self->gathers ? self->moved_size : 0);
    layout l = {.indices_at = moved.indices_at, .keys_at = moved.end};
    if (self->values_only) { /* array offsets are in elements, whose size may be any number */
        l.keys_at = whole_elements(l.keys_at, self->key_size);
        l.end = clprim__plus((size_t)l.keys_at, clprim__times(n, self->key_size));
    } else {
        l.end = l.keys_at;
    }
    return l;
}

size_t clprim__sort_by_key_scratch(const clprim_plan *plan, const void *call)
{
    return (size_t)layout_for((const void *)plan, ((const clprim_sort_by_key_call *)call)->count, true).end;
}

static bool is_in_place(const clprim__sort_by_key_plan *self, const clprim__call *c, size_t array)
{
    return (&CLPRIM__IS_IN_PLACE(&self->base, c, sort_by_key, arrays_out))[array];
}

/* If the caller supplied scratch memory, its layout always has room for copies, even if none is needed. */
static layout layout_of(const clprim__sort_by_key_plan *self, const clprim__call *c)
{
    bool copies = self->base.workspace.supplied != NULL;
    for (size_t a = 0; a < self->num_arrays; a++)
        copies = copies || is_in_place(self, c, a);
    return layout_for(self, ((const clprim_sort_by_key_call *)c->given)->count, copies);
}

size_t clprim__sort_by_key_pooled(const clprim_plan *plan, const clprim__call *c)
{
    return (size_t)layout_of((const void *)plan, c).end;
}

static clprim_status launch_gather(clprim__sort_by_key_plan *self, clprim__chain *chain, const clprim__call *c,
                                   size_t a, const layout *l)
{
    const clprim_sort_by_key_call *call = c->given;
    return clprim__mover_launch(clprim__sort_by_key_mover_of(self, self->element_sizes[a]), chain,
                                &(clprim__move){.in = &call->arrays_in[a],
                                                .out = &call->arrays_out[a],
                                                .in_place = is_in_place(self, c, a),
                                                .scratch = c->scratch,
                                                .indices_at = l->indices_at,
                                                .n = call->count},
                                a + 1 == self->num_arrays);
}

/* Whether an input of the sort may be in the same memory as one of the sort's outputs: the keys, the array that moves
 * along with them, or an argument of the expression for the keys. */
static bool may_read_outputs(const clprim__sort_by_key_plan *self, const clprim__call *c)
{
    const clprim_plan *plan = &self->base;
    return CLPRIM__IS_IN_PLACE(plan, c, sort_by_key, keys_out) ||
           clprim__is_argument(plan, c, CLPRIM__RANGE(plan, c, sort_by_key, keys_out)) ||
           (!self->gathers &&
            (is_in_place(self, c, 0) || clprim__is_argument(plan, c, CLPRIM__RANGE(plan, c, sort_by_key, arrays_out))));
}

/* The sort's call, with the array or the indices that move along with the keys. */
static clprim__radix_sort_call sort_call(const clprim__sort_by_key_plan *self, const clprim__call *c, const layout *l)
{
    const clprim_sort_by_key_call *call = c->given;
    const bool all_in_place =
        CLPRIM__IS_IN_PLACE(&self->base, c, sort_by_key, keys_out) && !self->gathers && is_in_place(self, c, 0);
    clprim__radix_sort_call sort = {.in = clprim__pairs_of(&call->keys_in, &call->arrays_in[0]),
                                    .out = clprim__pairs_of(&call->keys_out, &call->arrays_out[0]),
                                    .n = call->count,
                                    .flags = (may_read_outputs(self, c) ? CLPRIM__RADIX_SORT_IN_PLACE : 0U) |
                                             (all_in_place ? 0U : CLPRIM__RADIX_SORT_MUST_MOVE)};
    if (self->values_only) {
        sort.out.keys = c->scratch;
        sort.out.keys_offset = l->keys_at / self->key_size;
    }
    if (self->gathers) {
        sort.in.values = sort.out.values = c->scratch;
        sort.in.values_offset = 0;
        sort.out.values_offset = l->indices_at / self->moved_size;
    }
    return sort;
}

/* The same for a comparison sort. Its arrays were already checked as those of this plan's call. */
static clprim_status launch_comparison(clprim__sort_by_key_plan *self, clprim__chain *chain, const clprim__call *c,
                                       const layout *l)
{
    const clprim_sort_by_key_call *call = c->given;
    clprim_comparison_sort_call sort = {.keys_in = call->keys_in,
                                        .values_in = call->arrays_in[0],
                                        .count = call->count,
                                        .keys_out = call->keys_out,
                                        .values_out = call->arrays_out[0]};
    clprim__call inner = {.given = &sort, .scratch = c->scratch};
    if (self->values_only)
        sort.keys_out = (clprim_array){.buffer = c->scratch, .offset = (size_t)l->keys_at / self->key_size};
    if (self->gathers)
        sort.values_out = (clprim_array){.buffer = c->scratch, .offset = (size_t)l->indices_at / self->moved_size};
    CLPRIM__IS_IN_PLACE(self->sort, &inner, comparison_sort, keys_out) =
        CLPRIM__IS_IN_PLACE(&self->base, c, sort_by_key, keys_out);
    CLPRIM__IS_IN_PLACE(self->sort, &inner, comparison_sort, values_out) = !self->gathers && is_in_place(self, c, 0);
    return clprim__comparison_sort_launch(self->sort, chain, &inner);
}

clprim_status clprim__sort_by_key_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    clprim__sort_by_key_plan *self = (void *)plan;
    const layout l = layout_of(self, c);
    const clprim__radix_sort_call sort = sort_call(self, c, &l);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(self->compares ? launch_comparison(self, chain, c, &l)
                               : clprim__radix_sort_launch_in(self->sort, chain, &sort, c->scratch));
    for (size_t a = 0; self->gathers && a < self->num_arrays; a++)
        CLPRIM__TRY(launch_gather(self, chain, c, a, &l));
done:
    return status;
}
