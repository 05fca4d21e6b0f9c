/* search.c: check what is asked for, pick the variant; calls. */
#include <clprim/search.h>
#include <stdlib.h>

#include "check.h"
#include "error.h"
#include "host.h"
#include "runtime_internal.h"
#include "search_internal.h"

/* What one call works on; offsets in elements. */
typedef struct search_call {
    cl_mem in, needles, out;
    cl_ulong in_offset, needles_offset, out_offset;
    cl_ulong n, m;
} search_call;

static clprim_status check_desc(const clprim_search_desc *desc)
{
    const clprim_type index = desc->index_type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : desc->index_type;
    if (desc->bound != CLPRIM_SEARCH_LOWER && desc->bound != CLPRIM_SEARCH_UPPER)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown bound %d", (int)desc->bound);
    if (index != CLPRIM_U32 && index != CLPRIM_U64)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "index_type is U32 or U64, not %s", clprim_type_name(index));
    return clprim__order_check_group(desc->work_group_size);
}

static clprim_status choose_variant(clprim_search *self, clprim_search_variant variant, bool needles_are_sorted)
{
    if (variant == CLPRIM_SEARCH_AUTO)
        variant = clprim__search_auto(&self->runtime->info, needles_are_sorted);
    self->row = clprim__search_row_of(variant);
    if (self->row == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown variant %d of search", (int)variant);
    clprim__trial_chose(&self->row->info);
    if (self->row->for_sorted && !needles_are_sorted)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is for needles in order, but needles_are_sorted is not set",
                            self->row->info.name);
    return CLPRIM_SUCCESS;
}

clprim_status clprim__search_make(clprim_search **out, clprim_runtime *runtime, const clprim_search_desc *desc)
{
    clprim_search *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a search");
    self->runtime = clprim__runtime_retain(runtime);

    clprim__order order = CLPRIM__ORDER_OF(desc);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__order_check(&order, &runtime->info));
    CLPRIM__TRY(check_desc(desc));
    self->element_size = order.key_size;
    self->index_size = desc->index_type == CLPRIM_U64 ? sizeof(cl_ulong) : sizeof(cl_uint);
    CLPRIM__TRY(choose_variant(self, desc->variant, desc->needles_are_sorted));
    CLPRIM__TRY(clprim__search_build(self, &order, desc->bound == CLPRIM_SEARCH_UPPER, desc->work_group_size));
    *out = self;
    self = NULL; /* ownership passed to the caller */
done:
    clprim_search_destroy(self);
    return status;
}

CLPRIM__DEFINE_CREATE(search)

void clprim_search_destroy(clprim_search *plan)
{
    if (plan == NULL)
        return;
    clprim__queue_clear(&plan->queue);
    clprim__kernel_clear(&plan->kernel);
    clprim_runtime_destroy(plan->runtime);
    free(plan);
}

clprim_search_variant clprim_search_plan_variant(const clprim_search *plan)
{
    return plan != NULL ? (clprim_search_variant)plan->row->info.id : CLPRIM_SEARCH_AUTO;
}

static clprim_status check_call(const clprim_search *self, const search_call *c)
{
    clprim__range ranges[] = {
        {"in", c->in, (size_t)c->in_offset, (size_t)c->n, self->element_size, NULL, 0, 0},
        {"needles", c->needles, (size_t)c->needles_offset, (size_t)c->m, self->element_size, NULL, 0, 0},
        {"out", c->out, (size_t)c->out_offset, (size_t)c->m, self->index_size, NULL, 0, 0},
    };
    enum { FIRST_WRITTEN = 2, NUM_RANGES = 3 };
    clprim_status status = CLPRIM_SUCCESS;
    if (self->index_size < sizeof(cl_ulong) && c->n > UINT32_MAX)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements take index_type U64", (size_t)c->n);
    for (int i = 0; i < NUM_RANGES; i++)
        if (ranges[i].memory != NULL || ranges[i].count > 0)
            CLPRIM__TRY(clprim__check_range(&ranges[i], self->runtime->context,
                                            i < FIRST_WRITTEN ? CLPRIM__READ : CLPRIM__WRITE));
    CLPRIM__TRY(clprim__check_overlaps(ranges, NUM_RANGES, FIRST_WRITTEN, NULL));
done:
    return status;
}

/* With no elements there may be no array: the needles stand in, of which nothing is read there. */
static clprim_status launch(clprim_search *self, clprim__chain *chain, const search_call *c)
{
    const size_t m = (size_t)c->m;
    const size_t portions = clprim__divide_up(m, self->portion);
    const size_t most = portions < self->max_groups ? portions : self->max_groups;
    clprim__arguments list = {.count = 0};
    if (m == 0)
        return clprim__chain_marker(chain);
    const cl_ulong share = (cl_ulong)(clprim__divide_up(portions, most) * self->portion);
    clprim__add_buffer(&list, c->n > 0 ? &c->in : &c->needles);
    CLPRIM__ADD_SCALAR(&list, c->in_offset);
    CLPRIM__ADD_SCALAR(&list, c->n);
    clprim__add_buffer(&list, &c->needles);
    CLPRIM__ADD_SCALAR(&list, c->needles_offset);
    CLPRIM__ADD_SCALAR(&list, c->m);
    clprim__add_buffer(&list, &c->out);
    CLPRIM__ADD_SCALAR(&list, c->out_offset);
    CLPRIM__ADD_SCALAR(&list, share);
    return clprim__launch(chain, &self->kernel, &list, clprim__divide_up(m, (size_t)share), true);
}

clprim_status clprim_search_enqueue(clprim_search *plan, cl_command_queue queue, cl_mem in, size_t in_offset,
                                    size_t count, cl_mem needles, size_t needles_offset, size_t num_needles, cl_mem out,
                                    size_t out_offset, cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    const search_call c = {in, needles, out, in_offset, needles_offset, out_offset, count, num_needles};
    clprim__chain chain = {0};
    clprim_status status = CLPRIM_SUCCESS;
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_search_enqueue: plan is NULL");
    CLPRIM__TRY(check_call(plan, &c));
    CLPRIM__TRY(clprim__chain_begin(&chain, plan->runtime, &plan->queue, queue, num_waits, waits, done != NULL));
    status = launch(plan, &chain, &c);
done:
    clprim__chain_end(&chain, status, done);
    return status;
}

clprim_status clprim_search_host(void *out, clprim_runtime *runtime, const clprim_search_desc *desc, const void *in,
                                 size_t count, const void *needles, size_t num_needles)
{
    clprim_search *plan = NULL;
    cl_mem buffers[3] = {NULL, NULL, NULL};
    cl_event ready = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    if ((count > 0 && in == NULL) || (num_needles > 0 && (needles == NULL || out == NULL)))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_search_host: %s is NULL",
                            count > 0 && in == NULL ? "in"
                            : needles == NULL       ? "needles"
                                                    : "out");
    if (runtime == NULL)
        CLPRIM__TRY(clprim_runtime_default(&runtime));
    CLPRIM__TRY(clprim_search_create(&plan, runtime, desc));
    /* NOLINTBEGIN(clang-analyzer-core.NullDereference,clang-analyzer-core.DivideZero): create succeeded */
    const size_t larger = plan->element_size > plan->index_size ? plan->element_size : plan->index_size;
    if (count > SIZE_MAX / larger || num_needles > SIZE_MAX / larger) {
        status = clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements and %zu needles are more than memory can hold", count,
                              num_needles);
        goto done;
    }
    const size_t out_bytes = num_needles * plan->index_size;
    CLPRIM__TRY(clprim__host_input(&buffers[0], runtime, in, count * plan->element_size));
    CLPRIM__TRY(clprim__host_input(&buffers[1], runtime, needles, num_needles * plan->element_size));
    CLPRIM__TRY(clprim__host_result(&buffers[2], runtime, out_bytes));
    CLPRIM__TRY(clprim_search_enqueue(plan, NULL, buffers[0], 0, count, buffers[1], 0, num_needles, buffers[2], 0, 0,
                                      NULL, &ready));
    if (out_bytes > 0)
        CLPRIM__TRY(clprim__host_output(out, runtime, buffers[2], out_bytes, ready));
    /* NOLINTEND(clang-analyzer-core.NullDereference,clang-analyzer-core.DivideZero) */
done:
    clprim__host_finish(runtime, ready, buffers, 3);
    clprim_search_destroy(plan);
    return status;
}
