// SPDX-License-Identifier: MIT
/* sort_by_key.c: check a description, make the sort on which it is built. */
#include "error.h"
#include "runtime_internal.h"
#include "sort_by_key_internal.h"

enum { MAX_ARRAYS = CLPRIM_SORT_BY_KEY_MAX_ARRAYS };

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
        if (size > CLPRIM__MAX_MOVED_SIZE)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "element_sizes[%zu] is %zu, but must be at most %d bytes", a,
                                size, CLPRIM__MAX_MOVED_SIZE);
        if (a >= self->num_arrays && desc->element_sizes[a] != 0)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "element_sizes[%zu] is %zu, but num_arrays is %zu", a, size,
                                self->num_arrays);
        self->element_sizes[a] = size;
        if (a < self->num_arrays && size > self->largest)
            self->largest = size;
    }
    self->gathers = self->num_arrays > 1 || !clprim__moves_along(self->element_sizes[0]);
    self->values_only = clprim__sort_by_key_has_no_keys_out(desc);
    return CLPRIM_SUCCESS;
}

/* The description of a sort that moves the only array, or indices, along with the keys. */
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

/* The same for a sort by the caller's order. */
static clprim_comparison_sort_desc comparison_desc(const clprim__sort_by_key_plan *self,
                                                   const clprim_sort_by_key_desc *desc)
{
    return (clprim_comparison_sort_desc){.key_type = desc->key_type,
                                         .input = desc->input,
                                         .less = desc->less,
                                         .text = desc->text,
                                         .type_name = desc->type_name,
                                         .type_size = desc->type_size,
                                         .value_size = self->gathers ? 0 : self->element_sizes[0],
                                         .argsort = self->gathers,
                                         .index_type = desc->max_count > UINT32_MAX ? CLPRIM_U64 : CLPRIM_U32,
                                         .descending = desc->descending,
                                         .nan_order = desc->nan_order,
                                         .stable = true,
                                         .count_at_type = desc->count_at_type,
                                         .work_group_size = desc->work_group_size,
                                         .max_count = desc->max_count};
}

static clprim_status check_order(const clprim_sort_by_key_desc *desc)
{
    if (desc->less == NULL && desc->input == NULL && clprim__has_text(&desc->text))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is given without less or input",
                            desc->text.source != NULL ? "source" : "text");
    if (desc->less == NULL)
        return desc->type_name == NULL && desc->type_size == 0
                   ? CLPRIM_SUCCESS
                   : clprim__fail(CLPRIM_INVALID_ARGUMENT, "keys of the caller's own type require less");
    const char *other = desc->then.inputs[0] != NULL                                    ? "then"
                        : desc->bit_range || desc->begin_bit != 0 || desc->end_bit != 0 ? "bit_range"
                        : desc->variant != CLPRIM_RADIX_SORT_AUTO                       ? "variant"
                                                                                        : NULL;
    return other == NULL ? CLPRIM_SUCCESS
                         : clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is given together with less", other);
}

static clprim_status make_sort(clprim__sort_by_key_plan *self, const clprim_sort_by_key_desc *desc)
{
    clprim_runtime *runtime = self->base.runtime;
    self->compares = desc->less != NULL;
    if (self->compares) {
        const clprim_comparison_sort_desc sort = comparison_desc(self, desc);
        const clprim_status status = clprim_comparison_sort_create(&self->sort, runtime, &sort);
        if (status != CLPRIM_SUCCESS)
            return status;
        const clprim__comparison_sort_plan *made = (const void *)self->sort;
        self->key_size = made->setting.key_size;
        self->moved_size = made->setting.value_size;
    } else {
        const clprim_radix_sort_desc sort = sort_desc(self, desc);
        const clprim_status status = clprim_radix_sort_create(&self->sort, runtime, &sort);
        if (status != CLPRIM_SUCCESS)
            return status;
        self->key_size = clprim__radix_sort_setting_of(self->sort)->key_size;
        self->moved_size = clprim__radix_sort_setting_of(self->sort)->value_size;
    }
    return CLPRIM_SUCCESS;
}

clprim__mover *clprim__sort_by_key_mover_of(clprim__sort_by_key_plan *self, size_t element_size)
{
    for (size_t i = 0; i < self->num_movers; i++)
        if (self->movers[i].element_size == element_size)
            return &self->movers[i];
    return NULL;
}

/* Compile the kernels that move the plan's elements. */
static clprim_status build_movers(clprim__sort_by_key_plan *self)
{
    for (size_t a = 0; a < self->num_arrays; a++) {
        const size_t size = self->element_sizes[a];
        if (clprim__sort_by_key_mover_of(self, size) != NULL)
            continue;
        const clprim_status status =
            clprim__mover_build(&self->movers[self->num_movers], &self->base, size, self->moved_size);
        if (status != CLPRIM_SUCCESS)
            return status;
        self->num_movers++;
    }
    return CLPRIM_SUCCESS;
}

clprim_status clprim__sort_by_key_make(clprim_plan *plan, const void *desc)
{
    clprim__sort_by_key_plan *self = (void *)plan;
    const clprim_sort_by_key_desc *given = desc;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_arrays(self, given));
    CLPRIM__TRY(check_order(given));
    CLPRIM__TRY(make_sort(self, given));
    plan->variant = clprim_plan_variant(self->sort);
    if (self->gathers)
        status = build_movers(self);
done:
    return status;
}

/* A comparison sort reads back what it has written to its outputs. */
static clprim_status check_readable(const clprim_plan *plan, const clprim_array *array, const char *name)
{
    clprim__range range = {.name = name, .memory = array->buffer, .element_size = 1};
    return array->buffer != NULL ? clprim__check_range(&range, plan->runtime->context, CLPRIM__READ) : CLPRIM_SUCCESS;
}

clprim_status clprim__sort_by_key_check(const clprim_plan *plan, const void *call)
{
    const clprim__sort_by_key_plan *self = (const void *)plan;
    const clprim_sort_by_key_call *given = call;
    clprim_status status = CLPRIM_SUCCESS;
    if (self->compares)
        CLPRIM__TRY(check_readable(plan, &given->keys_out, "keys_out"));
    if (self->compares && !self->gathers)
        status = check_readable(plan, &given->arrays_out[0], "arrays_out");
done:
    return status;
}

void clprim__sort_by_key_clear(clprim_plan *plan)
{
    clprim__sort_by_key_plan *self = (void *)plan;
    for (size_t i = 0; i < self->num_movers; i++)
        clprim__mover_clear(&self->movers[i]);
    clprim_plan_destroy(self->sort);
}
