/* sort_by_key_build.c: kernels that move elements of each size. */
#include "build.h"
#include "error.h"
#include "kernels_common.h"
#include "kernels_sort_by_key.h"
#include "runtime_internal.h"
#include "sort_by_key_internal.h"

#define SORT_BY_KEY(name) &clprim__source_sort_by_key_##name

enum {
    GROUP_SIZE = 256,
    COPY_GROUPS_PER_UNIT = 16,
    CHUNKS_PER_UNIT = 4,
    WORTH_A_CHUNK = 4096 /* units */
};

/* The bytes of a unit at most, and how many of them a work-item loads at once: as many as there are registers for. */
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

clprim__sort_by_key_mover *clprim__sort_by_key_mover_of(clprim__sort_by_key_plan *self, size_t element_size)
{
    for (size_t i = 0; i < self->num_movers; i++)
        if (self->movers[i].element_size == element_size)
            return &self->movers[i];
    return NULL;
}

static clprim_status build_mover(clprim__sort_by_key_mover *out, const clprim__sort_by_key_plan *self,
                                 size_t element_size, size_t group_size)
{
    static const char *const names[2] = {"sort_by_key_gather", "sort_by_key_copy"};
    const clprim__source *const of_chunks[] = {SORT_BY_KEY(units), &clprim__source_common_own_chunk,
                                               SORT_BY_KEY(gather_chunk), NULL};
    const clprim__source *const of_tiles[] = {SORT_BY_KEY(units), SORT_BY_KEY(gather), NULL};
    const struct unit_row *unit = unit_of(element_size);
    clprim__kernel kernels[2] = {{0}};
    clprim__text options = {0};
    const clprim__build what = {.sources = self->in_chunks ? of_chunks : of_tiles,
                                .names = names,
                                .count = 2,
                                .options = &options,
                                .counts = self->base.counts};
    clprim_status status = CLPRIM_SUCCESS;
    clprim__text_format(&options, "-DUNIT=%s -DUNITS=%zu -DINDEX=%s -DITEMS=%zu", unit->type, element_size / unit->size,
                        self->moved_size == sizeof(cl_uint) ? "uint" : "ulong", unit->items);
    CLPRIM__TRY(clprim__build_kernels(kernels, &group_size, self->base.runtime, &what));
    *out = (clprim__sort_by_key_mover){.element_size = element_size,
                                       .units = element_size / unit->size,
                                       .tile = self->in_chunks ? WORTH_A_CHUNK : group_size * unit->items,
                                       .gather = kernels[0],
                                       .copy = kernels[1]};
done:
    clprim__text_free(&options);
    return status;
}

clprim_status clprim__sort_by_key_build(clprim__sort_by_key_plan *self)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t work_group_size = self->base.work_group_size;
    size_t group_size = work_group_size != 0 ? work_group_size : GROUP_SIZE;
    self->in_chunks = info->kind == CLPRIM_DEVICE_CPU && work_group_size == 0;
    self->max_groups = (self->in_chunks ? CHUNKS_PER_UNIT : COPY_GROUPS_PER_UNIT) * (size_t)info->compute_units;
    while (group_size > info->max_work_group_size)
        group_size /= 2;
    if (self->in_chunks)
        group_size = 1;
    for (size_t a = 0; a < self->num_arrays; a++) {
        const size_t size = self->element_sizes[a];
        if (clprim__sort_by_key_mover_of(self, size) != NULL)
            continue;
        const clprim_status status = build_mover(&self->movers[self->num_movers], self, size, group_size);
        if (status != CLPRIM_SUCCESS)
            return status;
        self->num_movers++;
    }
    return CLPRIM_SUCCESS;
}
