// SPDX-License-Identifier: MIT
/* merge_build.c: compile kernels for a description, fitted to the device. */
#include <stdint.h>

#include "build.h"
#include "device.h"
#include "error.h"
#include "merge_internal.h"
#include "runtime_internal.h"

enum { MAX_ITEMS = 31 };

static size_t item_size(const clprim__merge_plan *self)
{
    return self->key_size + self->value_size;
}

static bool fits(const clprim__merge_plan *self, size_t group_size, size_t items)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t room = self->base.local_room;
    const size_t tiles = self->row->shape == CLPRIM__MERGE_SHARES ? 2 : 1;
    return group_size <= info->max_work_group_size && tiles * group_size * items < room / item_size(self);
}

/* The number of items is odd, so that the items of different work-items are in different banks of local memory. */
static clprim_status choose_shape(size_t *group_size, size_t *items, const clprim__merge_plan *self,
                                  const clprim__merge_tuning *tuning)
{
    const bool has_tiles = self->row->shape == CLPRIM__MERGE_SHARES || self->row->shape == CLPRIM__MERGE_TILES;
    const size_t wanted = tuning->bytes / item_size(self);
    size_t size = self->base.work_group_size != 0 ? self->base.work_group_size : tuning->group_size;
    *items = wanted > MAX_ITEMS ? MAX_ITEMS : wanted > 1 ? (wanted - 1) | 1 : 1;
    if (self->row->shape == CLPRIM__MERGE_CHUNKS)
        size = 1;
    while (size > 0 &&
           (size > self->base.runtime->info.max_work_group_size || (has_tiles && !fits(self, size, *items))))
        size /= 2;
    if (size == 0)
        return clprim__device_lacks_local(&self->base.runtime->info, item_size(self));
    *group_size = size;
    return CLPRIM_SUCCESS;
}

/* Store what the launches need to know. */
static void note_shape(clprim__merge_plan *self, const clprim__merge_tuning *tuning, size_t group_size, size_t items)
{
    const size_t worth = tuning->bytes / item_size(self);
    self->max_groups = tuning->groups_per_unit * self->base.runtime->info.compute_units;
    switch (self->row->shape) {
    case CLPRIM__MERGE_ELEMENTS:
        self->tile = group_size;
        self->max_groups = SIZE_MAX;
        break;
    case CLPRIM__MERGE_SHARES: self->tile = group_size * items; break;
    case CLPRIM__MERGE_TILES:
        self->tile = group_size * items;
        self->max_groups = SIZE_MAX;
        break;
    case CLPRIM__MERGE_CHUNKS: self->tile = worth > 0 ? worth : 1; break;
    }
}

clprim_status clprim__merge_build(clprim__merge_plan *self, const clprim__order *order)
{
    const clprim__merge_tuning tuning =
        clprim__merge_tuning_of((clprim_merge_variant)self->row->info.id, self->base.runtime,
                                (clprim__tuned_for){.size = item_size(self), .max_count = self->base.max_count});
    const bool has_splits =
        self->row->shape == CLPRIM__MERGE_TILES && clprim__larger(self->base.max_count, 1) >= tuning.splits_from;
    const char *const names[] = {
        [CLPRIM__MERGE_MERGE] = self->row->kernel, [CLPRIM__MERGE_SPLITS] = has_splits ? "merge_splits" : NULL};
    size_t group_size = 0;
    size_t items = 0;
    clprim__prelude prelude = {.has_fp64 = false};
    clprim__text options = {0};
    const clprim__build what = {.source = self->row->source,
                                .names = names,
                                .count = CLPRIM__MERGE_KERNELS,
                                .prelude = &prelude,
                                .options = &options,
                                .counts = self->base.counts};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(choose_shape(&group_size, &items, self, &tuning));
    CLPRIM__TRY(clprim__order_write(&prelude, order, self->base.max_count, &self->base.runtime->info));
    clprim__text_format(&options, "-DITEMS=%zu -DSPLITS=%zu", items, tuning.splits);
    CLPRIM__TRY(clprim__build_kernels(self->kernels, &group_size, self->base.runtime, &what));
    note_shape(self, &tuning, group_size, items);
    self->splits_from = has_splits ? tuning.splits_from : SIZE_MAX;
    self->splits = tuning.splits;
done:
    clprim__prelude_free(&prelude);
    clprim__text_free(&options);
    return status;
}
