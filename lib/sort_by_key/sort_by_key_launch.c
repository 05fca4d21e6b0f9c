/* sort_by_key_launch.c: the launches of a call: those of the sort, and then for each array one that gathers it, after a
 * copy where it is in place. */
#include "error.h"
#include "runtime_internal.h"
#include "sort_by_key_internal.h"

/* Where the parts of scratch memory begin, in bytes. At 0 is what the sort takes; when it is done, copies. */
typedef struct layout {
    cl_ulong indices_at;
    cl_ulong keys_at; /* in order, where nobody wants them */
    cl_ulong end;
} layout;

static layout layout_for(const clprim_sort_by_key *self, size_t n, bool copies)
{
    const clprim__radix_sort_setting *setting = &self->sort->setting;
    const size_t sort = clprim__radix_sort_scratch(self->sort, n);
    const size_t copy = self->gathers && copies ? clprim__times(n, self->largest) : 0;
    layout l = {.indices_at = clprim__scratch_align(sort > copy ? sort : copy)};
    l.keys_at = clprim__scratch_behind(l.indices_at, n, self->gathers ? setting->value_size : 0);
    l.end = clprim__plus((size_t)l.keys_at, clprim__times(n, self->values_only ? setting->key_size : 0));
    return l;
}

size_t clprim__sort_by_key_scratch(const clprim_sort_by_key *self, size_t n)
{
    return (size_t)layout_for(self, n, true).end;
}

/* The groups for n elements; of copies, which go on where they end, no more than there need to be. */
static size_t groups_for(const clprim_sort_by_key *self, const clprim__sort_by_key_mover *mover, size_t n, bool is_copy)
{
    const size_t groups = clprim__divide_up(n * mover->units, mover->tile);
    return (self->in_chunks || is_copy) && groups > self->max_groups ? self->max_groups : groups;
}

static clprim_status launch_copy(clprim_sort_by_key *self, clprim__chain *chain, const clprim_sort_by_key_array *array,
                                 clprim__sort_by_key_mover *mover, const cl_mem *scratch, cl_ulong n)
{
    const cl_ulong offset = array->in_offset;
    clprim__arguments list = {.count = 0};
    clprim__add_buffer(&list, &array->in);
    CLPRIM__ADD_SCALAR(&list, offset);
    clprim__add_buffer(&list, scratch);
    CLPRIM__ADD_SCALAR(&list, n);
    return clprim__launch(chain, &mover->copy, &list, groups_for(self, mover, (size_t)n, true), false);
}

static clprim_status launch_gather(clprim_sort_by_key *self, clprim__chain *chain, const clprim__sort_by_key_call *call,
                                   size_t a, const cl_mem *scratch, const layout *l)
{
    const clprim_sort_by_key_array *array = &call->arrays[a];
    clprim__sort_by_key_mover *mover = clprim__sort_by_key_mover_of(self, self->element_sizes[a]);
    const cl_ulong n = call->sort.n;
    const cl_ulong in_offset = call->in_place[a] ? 0 : array->in_offset;
    const cl_ulong out_offset = array->out_offset;
    clprim__arguments list = {.count = 0};
    clprim_status status = CLPRIM_SUCCESS;
    if (call->in_place[a])
        CLPRIM__TRY(launch_copy(self, chain, array, mover, scratch, n));
    clprim__add_buffer(&list, call->in_place[a] ? scratch : &array->in);
    CLPRIM__ADD_SCALAR(&list, in_offset);
    clprim__add_buffer(&list, &array->out);
    CLPRIM__ADD_SCALAR(&list, out_offset);
    clprim__add_buffer(&list, scratch);
    CLPRIM__ADD_SCALAR(&list, l->indices_at);
    CLPRIM__ADD_SCALAR(&list, n);
    status = clprim__launch(chain, &mover->gather, &list, groups_for(self, mover, (size_t)n, false),
                            a + 1 == self->num_arrays);
done:
    return status;
}

/* The sort's call, with what moves along with the keys. */
static clprim__radix_sort_call sort_call(const clprim_sort_by_key *self, const clprim__sort_by_key_call *call,
                                         cl_mem scratch, const layout *l)
{
    const clprim__radix_sort_setting *setting = &self->sort->setting;
    clprim__radix_sort_call c = call->sort;
    if (self->values_only) {
        c.out.keys = scratch;
        c.out.keys_offset = l->keys_at / setting->key_size;
    }
    c.in.values = self->gathers ? scratch : call->arrays[0].in;
    c.in.values_offset = self->gathers ? 0 : call->arrays[0].in_offset;
    c.out.values = self->gathers ? scratch : call->arrays[0].out;
    c.out.values_offset = self->gathers ? l->indices_at / setting->value_size : call->arrays[0].out_offset;
    return c;
}

clprim_status clprim__sort_by_key_launch(clprim_sort_by_key *self, clprim__chain *chain,
                                         const clprim__sort_by_key_call *call)
{
    bool copies = self->workspace.supplied != NULL; /* there is room for them, whether there are any or not */
    cl_mem scratch = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    if (call->sort.n == 0)
        return clprim__chain_marker(chain);
    for (size_t a = 0; a < self->num_arrays; a++)
        copies = copies || call->in_place[a];
    const layout l = layout_for(self, (size_t)call->sort.n, copies);
    CLPRIM__TRY(clprim__workspace_begin(&scratch, &self->workspace, chain, (size_t)l.end));
    const clprim__radix_sort_call sort = sort_call(self, call, scratch, &l);
    CLPRIM__TRY(clprim__radix_sort_launch_in(self->sort, chain, &sort, scratch, (size_t)l.end));
    for (size_t a = 0; self->gathers && a < self->num_arrays; a++)
        CLPRIM__TRY(launch_gather(self, chain, call, a, &scratch, &l));
done:
    clprim__workspace_end(&self->workspace, chain);
    return status;
}
