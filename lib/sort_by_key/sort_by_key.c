/* sort_by_key.c: check what is asked for, make the sort underneath. */
#include "error.h"
#include "runtime_internal.h"
#include "sort_by_key_internal.h"

enum {
    MAX_ARRAYS = CLPRIM_SORT_BY_KEY_MAX_ARRAYS,
    MAX_ELEMENT_SIZE = 256,
    LARGEST_ALONG = 16 /* bytes of an element that the sort moves itself */
};

size_t clprim__sort_by_key_num_arrays(const clprim_sort_by_key_desc *desc)
{
    return desc->num_arrays != 0 ? desc->num_arrays : 1;
}

size_t clprim__sort_by_key_element_size(const clprim_sort_by_key_desc *desc, size_t index)
{
    return desc->element_sizes[index] != 0 ? desc->element_sizes[index] : 4;
}

static clprim_status check_arrays(clprim__sort_by_key_plan *self, const clprim_sort_by_key_desc *desc)
{
    self->num_arrays = clprim__sort_by_key_num_arrays(desc);
    if (self->num_arrays > MAX_ARRAYS)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "num_arrays %zu is more than %d", self->num_arrays, MAX_ARRAYS);
    for (size_t a = 0; a < MAX_ARRAYS; a++) {
        const size_t size = clprim__sort_by_key_element_size(desc, a);
        if (size > MAX_ELEMENT_SIZE)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "element_sizes[%zu] is %zu, but must be at most %d bytes", a,
                                size, MAX_ELEMENT_SIZE);
        if (a >= self->num_arrays && desc->element_sizes[a] != 0)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "element_sizes[%zu] is %zu, but num_arrays is %zu", a, size,
                                self->num_arrays);
        self->element_sizes[a] = size;
        if (a < self->num_arrays && size > self->largest)
            self->largest = size;
    }
    const size_t size = self->element_sizes[0];
    self->gathers = self->num_arrays > 1 || size > LARGEST_ALONG || (size & (size - 1)) != 0;
    self->values_only = clprim__sort_by_key_has_no_keys_out(desc);
    return CLPRIM_SUCCESS;
}

/* Of the only array along with the keys, or of indices. */
static clprim_radix_sort_desc sort_desc(const clprim__sort_by_key_plan *self, const clprim_sort_by_key_desc *desc)
{
    return (clprim_radix_sort_desc){.key_type = desc->key_type,
                                    .input = desc->input,
                                    .then = desc->then,
                                    .text = desc->text,
                                    .value_size = self->gathers ? 0 : self->element_sizes[0],
                                    .argsort = self->gathers,
                                    .index_type = desc->max_count > UINT32_MAX ? CLPRIM_U64 : CLPRIM_U32,
                                    .descending = desc->descending,
                                    .bit_range = desc->bit_range,
                                    .nan_order = desc->nan_order,
                                    .begin_bit = desc->begin_bit,
                                    .end_bit = desc->end_bit,
                                    .count_at_type = desc->count_at_type,
                                    .variant = desc->variant,
                                    .work_group_size = desc->work_group_size,
                                    .max_count = desc->max_count};
}

clprim_status clprim__sort_by_key_make(clprim_plan *plan, const void *desc)
{
    clprim__sort_by_key_plan *self = (void *)plan;
    const clprim_sort_by_key_desc *given = desc;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_arrays(self, given));
    const clprim_radix_sort_desc sort = sort_desc(self, given);
    CLPRIM__TRY(clprim_radix_sort_create(&self->sort, plan->runtime, &sort));
    plan->variant = clprim_plan_variant(self->sort);
    if (self->gathers)
        status = clprim__sort_by_key_build(self);
done:
    return status;
}

void clprim__sort_by_key_clear(clprim_plan *plan)
{
    clprim__sort_by_key_plan *self = (void *)plan;
    for (size_t i = 0; i < self->num_movers; i++) {
        clprim__kernel_clear(&self->movers[i].gather);
        clprim__kernel_clear(&self->movers[i].copy);
    }
    clprim_plan_destroy(self->sort);
}
