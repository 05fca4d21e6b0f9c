// SPDX-License-Identifier: MIT
/* comparison_sort_tile.c: choose tiles that fit the device. */
#include <stdint.h>

#include "comparison_sort_internal.h"
#include "device.h"
#include "runtime_internal.h"

enum {
    MIN_ITEMS_LOG = 1,
    MAX_ITEMS_LOG = 5,
    NEIGHBOURS_LOG = 5, /* log2 of the elements that are read together when a tile is loaded */
    BANKS = 32,
    LEAST_MOVED = 12, /* size in bytes above which an item is larger than what a comparison usually reads, plus a
                       * place */
    LEAST_RANKED = CLPRIM__RANKED_BY_GROUP,
    MOST_RANKED = 1 << 13,
    OTHER_LOCAL_BYTES = 64 /* in addition to the tile, and 4 bytes per work-item */
};

unsigned clprim__comparison_sort_log2_below(size_t n)
{
    unsigned log = 0;
    while (n >> log > 1)
        log++;
    return log;
}

size_t clprim__comparison_sort_item_size(const clprim__comparison_sort_plan *self)
{
    return self->setting.key_size + self->setting.value_size;
}

unsigned clprim__comparison_sort_tile_log(const clprim__comparison_sort_tile *shape)
{
    return clprim__comparison_sort_log2_below(shape->group_size) + shape->items_log;
}

static bool fits(const clprim__comparison_sort_plan *self, const clprim__comparison_sort_tile *shape)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t tile = shape->group_size << shape->items_log;
    const size_t room = self->base.local_room;
    const bool by_places = clprim__comparison_sort_by_places(&self->setting);
    const size_t bytes = clprim__comparison_sort_item_size(self) + (by_places ? sizeof(cl_ushort) : 0);
    return shape->group_size <= info->max_work_group_size && tile <= room && /* so there is no overflow below */
           (!by_places || tile + tile / BANKS <= UINT16_MAX) &&
           clprim__divide_up(tile + tile / BANKS + 1, BANKS) * BANKS * bytes + shape->group_size * sizeof(cl_uint) +
                   OTHER_LOCAL_BYTES <=
               room;
}

clprim_status clprim__comparison_sort_fit_tile(clprim__comparison_sort_tile *out,
                                               const clprim__comparison_sort_plan *self,
                                               const clprim__comparison_sort_group *tuned, size_t wanted,
                                               unsigned most_log)
{
    const unsigned items_log =
        clprim__comparison_sort_log2_below(tuned->bytes / clprim__comparison_sort_item_size(self));
    clprim__comparison_sort_tile shape = {.group_size = wanted != 0 ? wanted : tuned->group_size,
                                          .items_log = items_log < MIN_ITEMS_LOG   ? MIN_ITEMS_LOG
                                                       : items_log > MAX_ITEMS_LOG ? MAX_ITEMS_LOG
                                                                                   : items_log};
    while (shape.group_size > 0 && !fits(self, &shape))
        shape.group_size /= 2;
    while (shape.group_size > 1 && clprim__comparison_sort_tile_log(&shape) > most_log)
        shape.group_size /= 2;
    if (clprim__comparison_sort_tile_log(&shape) > most_log && most_log > 0)
        shape.items_log = most_log;
    if (shape.group_size == 0)
        return clprim__device_lacks_local(&self->base.runtime->info, clprim__comparison_sort_item_size(self));
    *out = shape;
    return CLPRIM_SUCCESS;
}

bool clprim__comparison_sort_by_places(const clprim__comparison_sort_setting *setting)
{
    return setting->is_record && setting->key_size + setting->value_size >= LEAST_MOVED;
}

size_t clprim__comparison_sort_ranked_up_to(const clprim_device_info *info,
                                            const clprim__comparison_sort_setting *setting, size_t pairs_a_unit)
{
    const size_t room = clprim__device_local_room(info);
    const cl_ulong pairs = (cl_ulong)pairs_a_unit * info->compute_units;
    size_t n = MOST_RANKED;
    while (n >= LEAST_RANKED && ((cl_ulong)n * n > pairs || n * sizeof(cl_ushort) > room / 2))
        n /= 2;
    return n >= LEAST_RANKED && setting->key_size <= room / 2 / LEAST_RANKED ? n : 0;
}

void clprim__comparison_sort_write_memory(clprim__text *text, const clprim__comparison_sort_plan *self)
{
    /* Loading packets requires alignment; on CPUs an array may be a host array with any alignment. */
    clprim__text_format(text, " -DBY_WORDS=%d -DPACKETS=%d", self->setting.is_record,
                        self->setting.is_record && self->base.runtime->info.kind != CLPRIM_DEVICE_CPU);
}

void clprim__comparison_sort_write_tile(clprim__text *text, const clprim__comparison_sort_plan *self,
                                        const clprim__comparison_sort_tile *shape)
{
    const bool is_cpu = self->base.runtime->info.kind == CLPRIM_DEVICE_CPU;
    clprim__text_format(text, "-DITEMS_LOG=%u -DNEIGHBOURS_LOG=%d -DUNROLL=%d -DTWO_PATHS=%d -DBY_LANES=%d",
                        shape->items_log, NEIGHBOURS_LOG, !is_cpu, !is_cpu, !is_cpu);
    clprim__text_format(text, " -DPLACES=%d", clprim__comparison_sort_by_places(&self->setting));
    clprim__comparison_sort_write_memory(text, self);
}
