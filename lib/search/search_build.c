// SPDX-License-Identifier: MIT
/* search_build.c: compile a kernel for a description, fitted to the device. */
#include "build.h"
#include "device.h"
#include "error.h"
#include "runtime_internal.h"
#include "search_internal.h"

enum { CAPACITY_IN_TILES = 2 /* for SORTED_NEEDLES: elements in local memory per needle */ };

/* log2(n), rounded down; 0 for 0. */
static unsigned log2_of(size_t n)
{
    unsigned log = 0;
    while (n > 1) {
        n /= 2;
        log++;
    }
    return log;
}

/* Whether local memory has room for a tile of needles, their places, and elements. */
static bool fits(const clprim__search_plan *self, size_t group_size, size_t items)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t room = self->base.local_room;
    const size_t needle = (CAPACITY_IN_TILES + 1) * self->element_size + sizeof(cl_uint);
    return group_size <= info->max_work_group_size && (!self->row->in_tiles || group_size * items <= room / needle);
}

static clprim_status choose_shape(clprim__search_tuning *out, const clprim__search_plan *self)
{
    clprim__search_tuning tuning =
        clprim__search_tuning_of((clprim_search_variant)self->row->info.id, self->base.runtime,
                                 (clprim__tuned_for){.size = self->element_size, .max_count = SIZE_MAX});
    const size_t tuned_size = tuning.group_size;
    if (self->base.work_group_size != 0)
        tuning.group_size = self->base.work_group_size;
    if (self->row->only_group != 0)
        tuning.group_size = self->row->only_group;
    while (tuning.items > 1 && !fits(self, tuning.group_size, tuning.items) && self->row->in_tiles)
        tuning.items /= 2;
    while (tuning.group_size > 0 && !fits(self, tuning.group_size, tuning.items))
        tuning.group_size /= 2;
    if (tuning.group_size == 0)
        return clprim__device_lacks_local(&self->base.runtime->info, self->element_size);
    tuning.share = tuning.share < tuning.items ? tuning.items : tuning.share;
    const size_t smaller = clprim__larger(tuned_size / tuning.group_size, 1);
    tuning.groups_per_unit *= smaller; /* keep as many work-items in flight, which share the local memory */
    tuning.sample_bytes /= smaller;
    *out = tuning;
    return CLPRIM_SUCCESS;
}

clprim_status clprim__search_build(clprim__search_plan *self, const clprim__order *order,
                                   const clprim_search_desc *desc)
{
    clprim__search_tuning tuning = {0};
    clprim__prelude prelude = {.has_fp64 = false};
    clprim__text options = {0};
    const clprim__build what = {.source = self->row->source,
                                .names = &self->row->kernel,
                                .count = 1,
                                .prelude = &prelude,
                                .options = &options,
                                .counts = self->base.counts};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(choose_shape(&tuning, self));
    const size_t samples = clprim__smaller(tuning.sample_bytes, self->base.local_room) / self->element_size;
    CLPRIM__TRY(clprim__order_write(&prelude, order, self->base.index_size == sizeof(cl_ulong) ? SIZE_MAX : UINT32_MAX,
                                    &self->base.runtime->info));
    clprim__text_format(
        &options,
        "-DITEMS=%zu -DUPPER=%d -DFOUND_ONLY=%d -DCAPACITY=%zu -DPACKET_BYTES=%d -DSAMPLES_LOG=%u -DNEEDLES_LOG=%u",
        tuning.items, desc->bound == CLPRIM_BOUND_UPPER, desc->found_only,
        tuning.group_size * tuning.items * CAPACITY_IN_TILES, CLPRIM__PACKET_BYTES, log2_of(samples),
        log2_of(tuning.sample_worth));
    CLPRIM__TRY(clprim__build_kernels(&self->kernel, &tuning.group_size, self->base.runtime, &what));
    self->tile = tuning.group_size * tuning.share;
    self->max_groups = tuning.groups_per_unit * self->base.runtime->info.compute_units;
done:
    clprim__prelude_free(&prelude);
    clprim__text_free(&options);
    return status;
}
