// SPDX-License-Identifier: MIT
/* plan_mover.c: move elements of one size, for sorts: a kernel that gathers. If an array is gathered in place, it is
 * copied first. */
#include "plan_mover.h"

#include "build.h"
#include "error.h"
#include "kernels_common.h"
#include "runtime_internal.h"

enum {
    GROUP_SIZE = 256,
    COPY_GROUPS_PER_UNIT = 16,
    CHUNKS_PER_UNIT = 4,
    WORTH_A_CHUNK = 4096 /* units */
};

/* The largest unit in bytes, and how many units a work-item loads at once: as many as fit into registers. */
static const struct unit_row {
    size_t size;
    const char *type;
    size_t items;
} unit_rows[] = {{16, "uint4", 4}, {8, "ulong", 8}, {4, "uint", 8}, {2, "ushort", 8}, {1, "uchar", 8}};

static const struct unit_row *unit_of(size_t element_size)
{
    const struct unit_row *row = unit_rows;
    while (element_size % row->size != 0)
        row++;
    return row;
}

clprim_status clprim__mover_build(clprim__mover *out, const clprim_plan *plan, size_t element_size, size_t index_size)
{
    static const char *const names[2] = {"gather_elements", "gather_copy"};
    const clprim_device_info *info = &plan->runtime->info;
    const struct unit_row *unit = unit_of(element_size);
    const bool in_chunks = info->kind == CLPRIM_DEVICE_CPU && plan->work_group_size == 0;
    size_t group_size = in_chunks ? 1 : plan->work_group_size != 0 ? plan->work_group_size : GROUP_SIZE;
    clprim__kernel kernels[2] = {{0}};
    clprim__text options = {0};
    const clprim__build what = {.source =
                                    in_chunks ? &clprim__source_common_gather_chunk : &clprim__source_common_gather,
                                .names = names,
                                .count = 2,
                                .options = &options,
                                .counts = plan->counts};
    clprim_status status = CLPRIM_SUCCESS;
    while (group_size > info->max_work_group_size)
        group_size /= 2;
    clprim__text_format(&options, "-DUNIT=%s -DUNITS=%zu -DINDEX=%s -DITEMS=%zu", unit->type, element_size / unit->size,
                        index_size == sizeof(cl_uint) ? "uint" : "ulong", unit->items);
    CLPRIM__TRY(clprim__build_kernels(kernels, &group_size, plan->runtime, &what));
    *out = (clprim__mover){.element_size = element_size,
                           .units = element_size / unit->size,
                           .tile = in_chunks ? WORTH_A_CHUNK : group_size * unit->items,
                           .max_groups =
                               (in_chunks ? CHUNKS_PER_UNIT : COPY_GROUPS_PER_UNIT) * (size_t)info->compute_units,
                           .in_chunks = in_chunks,
                           .gather = kernels[0],
                           .copy = kernels[1]};
done:
    clprim__text_free(&options);
    return status;
}

void clprim__mover_clear(clprim__mover *self)
{
    clprim__kernel_clear(&self->gather);
    clprim__kernel_clear(&self->copy);
}

clprim__mover_layout clprim__mover_layout_for(size_t sort, size_t n, size_t copied, size_t index_size)
{
    clprim__mover_layout l = {.indices_at = clprim__scratch_align(clprim__larger(sort, clprim__times(n, copied)))};
    l.end = clprim__scratch_behind(l.indices_at, n, index_size);
    return l;
}

/* The number of work-groups for n elements. Groups of a copy loop over the elements, so there are at most max_groups of
 * them. */
static size_t groups_for(const clprim__mover *self, size_t n, bool is_copy)
{
    const size_t groups = clprim__divide_up(n * self->units, self->tile);
    return (self->in_chunks || is_copy) && groups > self->max_groups ? self->max_groups : groups;
}

static clprim_status launch_copy(clprim__mover *self, clprim__chain *chain, const clprim__move *move)
{
    CLPRIM__ARGUMENTS(list);
    clprim__add_array(&list, move->in->buffer, move->in->offset);
    clprim__add_buffer(&list, move->scratch);
    CLPRIM__ADD_SCALAR(&list, move->n);
    return clprim__launch(chain, &self->copy, &list, groups_for(self, (size_t)move->n, true), false);
}

clprim_status clprim__mover_launch(clprim__mover *self, clprim__chain *chain, const clprim__move *move, bool is_last)
{
    CLPRIM__ARGUMENTS(list);
    clprim_status status = CLPRIM_SUCCESS;
    if (move->in_place)
        CLPRIM__TRY(launch_copy(self, chain, move));
    clprim__add_array(&list, move->in_place ? move->scratch : move->in->buffer, move->in_place ? 0 : move->in->offset);
    clprim__add_array(&list, move->out->buffer, move->out->offset);
    clprim__add_buffer(&list, move->scratch);
    CLPRIM__ADD_SCALAR(&list, move->indices_at);
    CLPRIM__ADD_SCALAR(&list, move->n);
    status = clprim__launch(chain, &self->gather, &list, groups_for(self, (size_t)move->n, false), is_last);
done:
    return status;
}
