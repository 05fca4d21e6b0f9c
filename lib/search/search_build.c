/* search_build.c: from a description to a kernel that fits the device. */
#include <string.h>

#include "error.h"
#include "runtime_internal.h"
#include "search_internal.h"

enum { CAPACITY_IN_TILES = 2 /* elements in local memory, of SORTED_NEEDLES, for each needle */ };

/* With a tile of needles, their places, and elements. */
static bool fits(const clprim__search_plan *self, size_t group_size, size_t items)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t room = info->local_memory_size / 8 * 7; /* some drivers need of it themselves */
    const size_t needle = (CAPACITY_IN_TILES + 1) * self->element_size + sizeof(cl_uint);
    return group_size <= info->max_work_group_size && (!self->row->in_tiles || group_size * items <= room / needle);
}

static clprim_status choose_shape(clprim__search_tuning *out, const clprim__search_plan *self, size_t work_group_size)
{
    clprim__search_tuning tuning =
        clprim__search_tuning_of((clprim_search_variant)self->row->info.id, self->base.runtime, self->element_size);
    if (work_group_size != 0)
        tuning.group_size = work_group_size;
    if (self->row->only_group != 0)
        tuning.group_size = self->row->only_group;
    while (tuning.items > 1 && !fits(self, tuning.group_size, tuning.items) && self->row->in_tiles)
        tuning.items /= 2;
    while (tuning.group_size > 0 && !fits(self, tuning.group_size, tuning.items))
        tuning.group_size /= 2;
    if (tuning.group_size == 0)
        return clprim__fail(CLPRIM_UNSUPPORTED, "elements of %zu bytes take more local memory than %s has (%zu bytes)",
                            self->element_size, self->base.runtime->info.name,
                            self->base.runtime->info.local_memory_size);
    tuning.share = tuning.share < tuning.items ? tuning.items : tuning.share;
    *out = tuning;
    return CLPRIM_SUCCESS;
}

clprim_status clprim__search_build(clprim__search_plan *self, const clprim__order *order, bool upper,
                                   size_t work_group_size)
{
    clprim__search_tuning tuning = {0};
    clprim__prelude prelude = {.has_fp64 = false};
    clprim__text options = {0};
    clprim__program_request request = {.prelude = NULL};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(choose_shape(&tuning, self, work_group_size));
    clprim__order_write(&prelude, order, self->index_size == sizeof(cl_ulong) ? SIZE_MAX : UINT32_MAX,
                        &self->base.runtime->info);
    clprim__text_format(&options, "-DITEMS=%zu -DUPPER=%d -DCAPACITY=%zu", tuning.items, upper,
                        tuning.group_size * tuning.items * CAPACITY_IN_TILES);
    CLPRIM__TRY(clprim__prelude_status(&prelude));
    CLPRIM__TRY(clprim__text_status(&options));
    request.callers = prelude.callers.data;
    request.prelude = prelude.own.data;
    request.options = options.data;
    memcpy(request.sources, self->row->sources, sizeof request.sources);
    for (int s = 0; s < CLPRIM__MAX_SOURCES && self->row->sources[s] != NULL; s++)
        self->kernel.program = self->row->sources[s]->path;
    self->kernel.name = self->row->kernel;
    CLPRIM__TRY(clprim__kernels_create(&self->kernel.kernel, &tuning.group_size, self->base.runtime->programs, &request,
                                       &self->kernel.name, 1));
    self->kernel.group_size = tuning.group_size;
    self->portion = tuning.group_size * tuning.share;
    self->max_groups = tuning.groups_per_unit * self->base.runtime->info.compute_units;
done:
    clprim__prelude_free(&prelude);
    clprim__text_free(&options);
    return status;
}
