/* sort_by_key.c: check what is asked for, make the sort underneath; calls. */
#include <clprim/sort_by_key.h>
#include <stdlib.h>

#include "check.h"
#include "error.h"
#include "host.h"
#include "runtime_internal.h"
#include "sort_by_key_internal.h"

enum {
    MAX_ARRAYS = CLPRIM_SORT_BY_KEY_MAX_ARRAYS,
    MAX_ELEMENT_SIZE = 256,
    LARGEST_ALONG = 16 /* bytes of an element that the sort moves itself */
};

static clprim_status check_arrays(clprim_sort_by_key *self, const clprim_sort_by_key_desc *desc)
{
    self->num_arrays = desc->num_arrays != 0 ? desc->num_arrays : 1;
    if (self->num_arrays > MAX_ARRAYS)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "num_arrays %zu is more than %d", self->num_arrays, MAX_ARRAYS);
    for (size_t a = 0; a < MAX_ARRAYS; a++) {
        const size_t size = desc->element_sizes[a] != 0 ? desc->element_sizes[a] : 4;
        if (size > MAX_ELEMENT_SIZE)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "element_sizes[%zu] is %zu, more than %d bytes", a, size,
                                MAX_ELEMENT_SIZE);
        if (a >= self->num_arrays && desc->element_sizes[a] != 0)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "element_sizes[%zu] is %zu, but num_arrays is %zu", a, size,
                                self->num_arrays);
        self->element_sizes[a] = size;
        if (a < self->num_arrays && size > self->largest)
            self->largest = size;
    }
    const size_t size = self->element_sizes[0];
    self->gathers = self->num_arrays > 1 || size > LARGEST_ALONG || (size & (size - 1)) != 0;
    self->values_only = desc->values_only;
    return CLPRIM_SUCCESS;
}

/* Of the only array along with the keys, or of indices. */
static clprim_radix_sort_desc sort_desc(const clprim_sort_by_key *self, const clprim_sort_by_key_desc *desc)
{
    const size_t index_size = desc->max_count > UINT32_MAX ? sizeof(cl_ulong) : sizeof(cl_uint);
    return (clprim_radix_sort_desc){.key_type = desc->key_type,
                                    .value_size = self->gathers ? index_size : self->element_sizes[0],
                                    .argsort = self->gathers,
                                    .descending = desc->descending,
                                    .bit_range = desc->bit_range,
                                    .nan_order = desc->nan_order,
                                    .begin_bit = desc->begin_bit,
                                    .end_bit = desc->end_bit,
                                    .variant = desc->variant,
                                    .work_group_size = desc->work_group_size,
                                    .max_count = desc->max_count};
}

clprim_status clprim__sort_by_key_make(clprim_sort_by_key **out, clprim_runtime *runtime,
                                       const clprim_sort_by_key_desc *desc)
{
    clprim_sort_by_key *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a sort");
    self->runtime = clprim__runtime_retain(runtime);

    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_arrays(self, desc));
    const clprim_radix_sort_desc sort = sort_desc(self, desc);
    CLPRIM__TRY(clprim_radix_sort_create(&self->sort, runtime, &sort));
    if (self->gathers)
        CLPRIM__TRY(clprim__sort_by_key_build(self, desc->work_group_size));
    *out = self;
    self = NULL; /* ownership passed to the caller */
done:
    clprim_sort_by_key_destroy(self);
    return status;
}

CLPRIM__DEFINE_CREATE(sort_by_key)

void clprim_sort_by_key_destroy(clprim_sort_by_key *plan)
{
    if (plan == NULL)
        return;
    clprim__workspace_clear(&plan->workspace);
    clprim__queue_clear(&plan->queue);
    for (size_t i = 0; i < plan->num_movers; i++) {
        clprim__kernel_clear(&plan->movers[i].gather);
        clprim__kernel_clear(&plan->movers[i].copy);
    }
    clprim_radix_sort_destroy(plan->sort);
    clprim_runtime_destroy(plan->runtime);
    free(plan);
}

clprim_radix_sort_variant clprim_sort_by_key_plan_variant(const clprim_sort_by_key *plan)
{
    return plan != NULL ? clprim_radix_sort_plan_variant(plan->sort) : CLPRIM_RADIX_SORT_AUTO;
}

clprim_status clprim_sort_by_key_scratch_size(size_t *out, const clprim_sort_by_key *plan, size_t count)
{
    if (out == NULL || plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_sort_by_key_scratch_size: %s is NULL",
                            out == NULL ? "out" : "plan");
    return clprim__scratch_answer(out, clprim__sort_by_key_scratch(plan, count), count);
}

clprim_status clprim_sort_by_key_set_scratch(clprim_sort_by_key *plan, cl_mem scratch)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_sort_by_key_set_scratch: plan is NULL");
    return clprim__workspace_set(&plan->workspace, NULL, plan->runtime, scratch);
}

/* Where the keys, and then each array, come from and go to. */
enum { MAX_PAIRS = 1 + MAX_ARRAYS };

/* clang-format off */
#define NAMES(a) {"arrays[" #a "].in", "arrays[" #a "].out"}
static const char *const range_names[MAX_PAIRS][2] = {
    {"keys_in", "keys_out"},
    NAMES(0), NAMES(1), NAMES(2),  NAMES(3),  NAMES(4),  NAMES(5),  NAMES(6),  NAMES(7),
    NAMES(8), NAMES(9), NAMES(10), NAMES(11), NAMES(12), NAMES(13), NAMES(14), NAMES(15)};
/* clang-format on */

static void list_ranges(clprim__range (*ranges)[2], const clprim_sort_by_key *self, const clprim__sort_by_key_call *c)
{
    for (size_t p = 0; p < 1 + self->num_arrays; p++) {
        clprim_sort_by_key_array array = {.in = NULL};
        if (p == 0)
            array = (clprim_sort_by_key_array){c->sort.in.keys, (size_t)c->sort.in.keys_offset, c->sort.out.keys,
                                               (size_t)c->sort.out.keys_offset};
        else if (c->arrays != NULL)
            array = c->arrays[p - 1];
        for (int side = 0; side < 2; side++)
            ranges[p][side] =
                (clprim__range){.name = range_names[p][side],
                                .memory = side == 0 ? array.in : array.out,
                                .offset = side == 0 ? array.in_offset : array.out_offset,
                                .count = (size_t)c->sort.n,
                                .element_size = p == 0 ? self->sort->setting.key_size : self->element_sizes[p - 1]};
    }
}

/* What pair p writes overlaps nothing that is read but its own input, where it is in place, and nothing that an earlier
 * pair writes. */
static clprim_status check_overlaps(clprim__range (*ranges)[2], size_t pairs, size_t p, bool in_place)
{
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t other = 0; other < pairs; other++)
        for (int side = 0; side < 2; side++) {
            const bool is_own = other == p && (side == 1 || in_place);
            const bool comes_later = side == 1 && other > p;
            if (!is_own && !comes_later && ranges[other][side].parent != NULL)
                CLPRIM__TRY(clprim__check_disjoint(&ranges[other][side], &ranges[p][1]));
        }
done:
    return status;
}

/* What is written overlaps nothing, but for what is sorted where it lies. */
static clprim_status check_call(const clprim_sort_by_key *self, clprim__sort_by_key_call *c)
{
    const size_t pairs = 1 + self->num_arrays;
    clprim__range ranges[MAX_PAIRS][2];
    bool all_in_place = !self->gathers && !self->values_only;
    clprim_status status = CLPRIM_SUCCESS;
    list_ranges(ranges, self, c);
    for (size_t p = 0; p < pairs; p++)
        for (int side = 0; side < 2; side++) {
            const bool is_used = p > 0 || side == 0 || !self->values_only;
            if (is_used && (ranges[p][side].memory != NULL || c->sort.n > 0))
                CLPRIM__TRY(clprim__check_range(&ranges[p][side], self->runtime->context,
                                                side == 0 ? CLPRIM__READ : CLPRIM__WRITE));
        }
    for (size_t p = 0; p < pairs; p++) {
        if (ranges[p][1].parent == NULL)
            continue;
        const bool in_place = clprim__is_same_range(&ranges[p][0], &ranges[p][1]);
        CLPRIM__TRY(check_overlaps(ranges, pairs, p, in_place));
        if (p > 0)
            c->in_place[p - 1] = in_place;
        if (p == 0 || !self->gathers) {
            c->sort.flags |= in_place ? CLPRIM__RADIX_SORT_IN_PLACE : 0;
            all_in_place = all_in_place && in_place;
        }
    }
    c->sort.flags |= all_in_place ? 0 : CLPRIM__RADIX_SORT_MUST_MOVE;
done:
    return status;
}

static clprim_status enqueue(clprim_sort_by_key *plan, cl_command_queue queue, const clprim__sort_by_key_call *wanted,
                             cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    clprim__sort_by_key_call c = *wanted;
    clprim__chain chain = {0};
    clprim_status status = CLPRIM_SUCCESS;
    if (c.sort.n > plan->sort->setting.max_count)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements are more than the plan was made for (max_count %zu)",
                            (size_t)c.sort.n, plan->sort->setting.max_count);
    CLPRIM__TRY(check_call(plan, &c));
    CLPRIM__TRY(clprim__chain_begin(&chain, plan->runtime, &plan->queue, queue, num_waits, waits, done != NULL));
    status = clprim__sort_by_key_launch(plan, &chain, &c);
done:
    clprim__chain_end(&chain, status, done);
    return status;
}

clprim_status clprim_sort_by_key_enqueue(clprim_sort_by_key *plan, cl_command_queue queue, cl_mem keys_in,
                                         size_t keys_in_offset, size_t count, cl_mem keys_out, size_t keys_out_offset,
                                         const clprim_sort_by_key_array *arrays, cl_uint num_waits,
                                         const cl_event *waits, cl_event *done)
{
    if (plan == NULL || (arrays == NULL && count > 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_sort_by_key_enqueue: %s is NULL",
                            plan == NULL ? "plan" : "arrays");
    if (plan->values_only && (keys_out != NULL || keys_out_offset != 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_sort_by_key_enqueue: keys_out is given, but the plan was "
                                                     "made for values_only");
    const clprim__sort_by_key_call call = {.sort = {.in = {.keys = keys_in, .keys_offset = keys_in_offset},
                                                    .out = {.keys = keys_out, .keys_offset = keys_out_offset},
                                                    .n = count},
                                           .arrays = arrays};
    return enqueue(plan, queue, &call, num_waits, waits, done);
}

static clprim_status check_host_arrays(const void *keys, void *const *arrays, size_t num_arrays, size_t count)
{
    if (count > 0 && (keys == NULL || arrays == NULL))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_sort_by_key_host: %s is NULL",
                            keys == NULL ? "keys" : "arrays");
    for (size_t a = 0; count > 0 && a < num_arrays; a++)
        if (arrays[a] == NULL)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_sort_by_key_host: arrays[%zu] is NULL", a);
    if (count > SIZE_MAX / MAX_ELEMENT_SIZE)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements are more than memory can hold", count);
    return CLPRIM_SUCCESS;
}

clprim_status clprim_sort_by_key_host(void *keys, void *const *arrays, clprim_runtime *runtime,
                                      const clprim_sort_by_key_desc *desc, size_t count)
{
    enum { KEYS_IN, KEYS_OUT, ARRAYS };
    clprim_sort_by_key *plan = NULL;
    clprim_sort_by_key_array moved[MAX_ARRAYS] = {{.in = NULL}};
    clprim__sort_by_key_call c = {.sort = {.n = count}, .arrays = moved};
    cl_mem buffers[ARRAYS + 2 * MAX_ARRAYS] = {NULL};
    cl_event ready = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    if (runtime == NULL)
        CLPRIM__TRY(clprim_runtime_default(&runtime));
    CLPRIM__TRY(clprim_sort_by_key_create(&plan, runtime, desc));
    /* NOLINTBEGIN(clang-analyzer-core.NullDereference): create succeeded */
    CLPRIM__TRY(check_host_arrays(keys, arrays, plan->num_arrays, count));
    const size_t key_bytes = count * plan->sort->setting.key_size;
    CLPRIM__TRY(clprim__host_input(&buffers[KEYS_IN], runtime, keys, key_bytes));
    if (!plan->values_only)
        CLPRIM__TRY(clprim__host_result(&buffers[KEYS_OUT], runtime, key_bytes));
    for (size_t a = 0; count > 0 && a < plan->num_arrays; a++) {
        cl_mem *const in = &buffers[ARRAYS + 2 * a];
        CLPRIM__TRY(clprim__host_input(&in[0], runtime, arrays[a], count * plan->element_sizes[a]));
        CLPRIM__TRY(clprim__host_result(&in[1], runtime, count * plan->element_sizes[a]));
        moved[a] = (clprim_sort_by_key_array){.in = in[0], .out = in[1]};
    }
    c.sort.in.keys = buffers[KEYS_IN];
    c.sort.out.keys = buffers[KEYS_OUT];
    CLPRIM__TRY(enqueue(plan, NULL, &c, 0, NULL, &ready));
    if (key_bytes > 0 && !plan->values_only)
        CLPRIM__TRY(clprim__host_output(keys, runtime, buffers[KEYS_OUT], key_bytes, ready));
    for (size_t a = 0; count > 0 && a < plan->num_arrays; a++)
        CLPRIM__TRY(clprim__host_output(arrays[a], runtime, moved[a].out, count * plan->element_sizes[a], ready));
    /* NOLINTEND(clang-analyzer-core.NullDereference) */
done:
    clprim__host_finish(runtime, ready, buffers, ARRAYS + 2 * MAX_ARRAYS);
    clprim_sort_by_key_destroy(plan);
    return status;
}
