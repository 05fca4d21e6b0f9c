/* bitonic_sort_segments.c: calls that sort by segments. */
#include <clprim/bitonic_sort.h>

#include "bitonic_sort_internal.h"
#include "check.h"
#include "error.h"
#include "runtime_internal.h"

static const size_t MOST_SEGMENTS = UINT32_MAX - 1;

/* What one call works on; offsets in elements. Without values their buffers are NULL. */
typedef struct segments_call {
    clprim__pairs in, out;
    cl_mem offsets;
    cl_ulong offsets_offset;
    cl_ulong segments, n;
} segments_call;

static clprim_status check_plan(const clprim_bitonic_sort *plan, const segments_call *c)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_bitonic_sort_enqueue_segments: plan is NULL");
    if (plan->setting.offset_size == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "clprim_bitonic_sort_enqueue_segments: the plan was not made for segments");
    if (plan->setting.value_size == 0 &&
        (c->in.values != NULL || c->out.values != NULL || c->in.values_offset != 0 || c->out.values_offset != 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "clprim_bitonic_sort_enqueue_segments: values are given, but the plan has none");
    if (c->n > plan->setting.max_count)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements are more than the plan was made for (max_count %zu)",
                            (size_t)c->n, plan->setting.max_count);
    if (c->segments > MOST_SEGMENTS)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu segments are more than there can be (%zu)", (size_t)c->segments,
                            MOST_SEGMENTS);
    return CLPRIM_SUCCESS;
}

/* What is written overlaps nothing, but for what is sorted where it lies. It is read as well, as bitonic_sort.c says.
 */
static clprim_status check_ranges(const clprim_bitonic_sort *self, const segments_call *c)
{
    const clprim__bitonic_sort_setting *setting = &self->setting;
    const size_t n = (size_t)c->n;
    const size_t bounds = c->segments > 0 ? (size_t)c->segments + 1 : 0;
    clprim__range ranges[] = {
        {"keys_in", c->in.keys, (size_t)c->in.keys_offset, n, setting->key_size, NULL, 0, 0},
        {"values_in", c->in.values, (size_t)c->in.values_offset, n, setting->value_size, NULL, 0, 0},
        {"offsets", c->offsets, (size_t)c->offsets_offset, bounds, setting->offset_size, NULL, 0, 0},
        {"keys_out", c->out.keys, (size_t)c->out.keys_offset, n, setting->key_size, NULL, 0, 0},
        {"values_out", c->out.values, (size_t)c->out.values_offset, n, setting->value_size, NULL, 0, 0},
    };
    enum { VALUES_IN = 1, FIRST_WRITTEN = 3, VALUES_OUT = 4, NUM_RANGES = 5 };
    bool in_place[FIRST_WRITTEN];
    clprim_status status = CLPRIM_SUCCESS;
    for (int i = 0; i < NUM_RANGES; i++) {
        const bool is_used = (i != VALUES_IN && i != VALUES_OUT) || setting->value_size > 0;
        if (!is_used || (ranges[i].memory == NULL && ranges[i].count == 0))
            continue;
        CLPRIM__TRY(clprim__check_range(&ranges[i], self->runtime->context, CLPRIM__READ)); /* outputs, too */
        if (i >= FIRST_WRITTEN)
            CLPRIM__TRY(clprim__check_range(&ranges[i], self->runtime->context, CLPRIM__WRITE));
    }
    CLPRIM__TRY(clprim__check_overlaps(ranges, NUM_RANGES, FIRST_WRITTEN, in_place));
done:
    return status;
}

static clprim_status launch(clprim_bitonic_sort *self, clprim__chain *chain, const segments_call *c)
{
    const size_t n = (size_t)c->n;
    const size_t share = clprim__divide_up(n, self->max_groups);
    const cl_ulong window = share > self->least_window ? share : self->least_window;
    const bool has_values = self->setting.value_size > 0;
    clprim__arguments list = {.count = 0};
    if (n == 0 || c->segments == 0)
        return clprim__chain_marker(chain);
    clprim__add_pairs(&list, &c->in, has_values);
    clprim__add_pairs(&list, &c->out, has_values);
    clprim__add_buffer(&list, &c->offsets);
    CLPRIM__ADD_SCALAR(&list, c->offsets_offset);
    CLPRIM__ADD_SCALAR(&list, c->segments);
    CLPRIM__ADD_SCALAR(&list, c->n);
    CLPRIM__ADD_SCALAR(&list, window);
    return clprim__launch(chain, &self->kernels[CLPRIM__BITONIC_SORT_SEGMENTS], &list,
                          clprim__divide_up(n, (size_t)window), true);
}

clprim_status clprim_bitonic_sort_enqueue_segments(clprim_bitonic_sort *plan, cl_command_queue queue, cl_mem keys_in,
                                                   size_t keys_in_offset, cl_mem values_in, size_t values_in_offset,
                                                   size_t count, cl_mem offsets, size_t offsets_offset,
                                                   size_t num_segments, cl_mem keys_out, size_t keys_out_offset,
                                                   cl_mem values_out, size_t values_out_offset, cl_uint num_waits,
                                                   const cl_event *waits, cl_event *done)
{
    const segments_call c = {.in = {keys_in, values_in, keys_in_offset, values_in_offset},
                             .out = {keys_out, values_out, keys_out_offset, values_out_offset},
                             .offsets = offsets,
                             .offsets_offset = offsets_offset,
                             .segments = num_segments,
                             .n = count};
    clprim__chain chain = {0};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_plan(plan, &c));
    CLPRIM__TRY(check_ranges(plan, &c));
    CLPRIM__TRY(clprim__chain_begin(&chain, plan->runtime, &plan->queue, queue, num_waits, waits, done != NULL));
    status = launch(plan, &chain, &c);
done:
    clprim__chain_end(&chain, status, done);
    return status;
}
