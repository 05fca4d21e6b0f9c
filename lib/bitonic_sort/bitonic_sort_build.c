// SPDX-License-Identifier: MIT
/* bitonic_sort_build.c: compile kernels for a description, fitted to the device. */
#include "bitonic_sort_internal.h"
#include "build.h"
#include "device.h"
#include "error.h"
#include "runtime_internal.h"

enum {
    MIN_ITEMS_LOG = 1,
    MAX_ITEMS_LOG = 5,
    MIN_GROUP = 64,        /* smaller groups are not worth it */
    NEIGHBOUR_BYTES = 128, /* elements that are read together: a cache line */
    GROUPS_PER_UNIT = 4,
    SEGMENT_GROUPS_PER_UNIT = 16, /* for segments in tiles */
    TILES_A_WINDOW = 2,
    CHUNK_WINDOW = 2048, /* in elements, for CPUs */
    BANKS = 32
};

/* Numbers that kernels share. For columns.cl: log2 of the columns that are sorted side by side. For cpu_chunk.cl: the
 * minimum of CHUNK_LOG. */
#define SHARED(X) X(STREAMS_LOG, 3) X(MIN_CHUNK_LOG, 6)
enum { SHARED(CLPRIM__SHARED_ENUMERATOR) };

/* The parameters for which kernels are compiled. */
typedef struct sort_shape {
    size_t group_size;
    unsigned items_log, neighbours_log; /* for WINDOWS */
    unsigned chunk_log;                 /* for STREAMS; for SHARED_PAIRS, log2 of the number of elements */
    size_t segment_items;               /* for segments in tiles */
} sort_shape;

static unsigned log2_below(size_t n)
{
    unsigned log = 0;
    while (n >> log > 1)
        log++;
    return log;
}

static size_t item_size(const clprim__bitonic_sort_plan *self)
{
    return self->key_size + self->value_size;
}

static bool is_whole_array(const clprim__bitonic_sort_plan *self)
{
    return self->row->steps == CLPRIM__BITONIC_SORT_NO_STEPS;
}

static size_t tile_of(const clprim__bitonic_sort_plan *self, const sort_shape *shape)
{
    if (self->offset_size != 0)
        return shape->group_size * shape->segment_items;
    return is_whole_array(self)                               ? (size_t)1 << shape->chunk_log
           : self->row->steps == CLPRIM__BITONIC_SORT_WINDOWS ? shape->group_size << shape->items_log
                                                              : shape->group_size * self->row->items;
}

static bool fits(const clprim__bitonic_sort_plan *self, const sort_shape *shape)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t tile = tile_of(self, shape);
    const size_t room = is_whole_array(self) ? clprim__device_local_whole(info) : self->base.local_room;
    return shape->group_size <= info->max_work_group_size && tile <= room && /* so there is no overflow below */
           (tile + tile / BANKS) * item_size(self) <= room;
}

static clprim_status fit_array(sort_shape *shape, const clprim__bitonic_sort_plan *self)
{
    const size_t count = self->base.max_count;
    shape->chunk_log = count > 2 ? clprim__bitonic_sort_log2(count) : 1;
    while (shape->group_size > self->base.runtime->info.max_work_group_size ||
           (shape->group_size > 1 && shape->group_size > (size_t)1 << (shape->chunk_log - 1)))
        shape->group_size /= 2;
    if (!fits(self, shape))
        return clprim__fail(CLPRIM_UNSUPPORTED,
                            "%s cannot sort up to %zu elements of %zu bytes in a work-group of %s; give a smaller "
                            "max_count",
                            self->row->info.name, count, item_size(self), self->base.runtime->info.name);
    return CLPRIM_SUCCESS;
}

/* Halve the group size until its tile fits local memory, and is no larger than needed for all elements. */
static clprim_status fit_tile(sort_shape *shape, const clprim__bitonic_sort_plan *self)
{
    while (shape->group_size > MIN_GROUP && self->row->steps == CLPRIM__BITONIC_SORT_WINDOWS &&
           tile_of(self, shape) / 2 >= self->base.max_count)
        shape->group_size /= 2;
    while (shape->group_size > 0 && !fits(self, shape))
        shape->group_size /= 2;
    if (shape->group_size == 0)
        return clprim__device_lacks_local(&self->base.runtime->info, item_size(self));
    return CLPRIM_SUCCESS;
}

static clprim_status choose_shape(sort_shape *out, const clprim__bitonic_sort_plan *self,
                                  const clprim__bitonic_sort_tuning *tuning)
{
    const size_t size = item_size(self);
    const unsigned items_log = log2_below(tuning->bytes / size);
    sort_shape shape = {.group_size =
                            self->base.work_group_size != 0 ? self->base.work_group_size : tuning->group_size};
    clprim_status status = CLPRIM_SUCCESS;
    if (self->row->steps == CLPRIM__BITONIC_SORT_STREAMS) {
        shape.group_size = 1;
        shape.chunk_log = items_log > CLPRIM__MIN_CHUNK_LOG ? items_log : CLPRIM__MIN_CHUNK_LOG;
    } else if (is_whole_array(self)) {
        CLPRIM__TRY(fit_array(&shape, self));
    } else {
        shape.segment_items = tuning->segment_items;
        shape.items_log = items_log < MIN_ITEMS_LOG   ? MIN_ITEMS_LOG
                          : items_log > MAX_ITEMS_LOG ? MAX_ITEMS_LOG
                                                      : items_log;
        shape.neighbours_log = log2_below(NEIGHBOUR_BYTES / size);
        CLPRIM__TRY(fit_tile(&shape, self));
    }
    *out = shape;
done:
    return status;
}

static void write_options(clprim__text *text, const clprim__bitonic_sort_plan *self, const sort_shape *shape)
{
    const bool is_gpu = self->base.runtime->info.kind != CLPRIM_DEVICE_CPU; /* long kernels take CPUs' compilers long */
    clprim__text_format(text, "-DBITONIC_SORT=1");                          /* some drivers accept no empty options */
    if (self->row->steps == CLPRIM__BITONIC_SORT_WINDOWS)
        clprim__text_format(text, " -DITEMS_LOG=%u -DNEIGHBOURS_LOG=%u -DUNROLL=%d -DTWO_PATHS=%d -DAT_ONCE=%d",
                            shape->items_log, shape->neighbours_log, is_gpu, is_gpu, self->at_once_up_to > 0);
    if (self->row->steps == CLPRIM__BITONIC_SORT_STREAMS)
        clprim__text_format(text, " -DCHUNK_LOG=%u" SHARED(CLPRIM__SHARED_OPTION), shape->chunk_log);
    if (self->offset_size != 0)
        clprim__text_format(text, " -DITEMS=%zu -DOFFSET=%s", shape->segment_items,
                            self->offset_size == sizeof(cl_ulong) ? "ulong" : "uint");
    if (is_whole_array(self))
        clprim__text_format(text, " -DCAPACITY=%zu", tile_of(self, shape));
}

/* Store what the launches need to know about the kernels' tiles. */
static void note_shape(clprim__bitonic_sort_plan *self, const sort_shape *shape)
{
    self->max_groups = GROUPS_PER_UNIT * (size_t)self->base.runtime->info.compute_units;
    self->least_window = CHUNK_WINDOW;
    if (self->row->steps == CLPRIM__BITONIC_SORT_STREAMS) {
        self->tile_log = shape->chunk_log;
        self->window_log = CLPRIM__STREAMS_LOG;
        return;
    }
    if (self->offset_size != 0) {
        self->max_groups = SEGMENT_GROUPS_PER_UNIT * (size_t)self->base.runtime->info.compute_units;
        self->least_window = TILES_A_WINDOW * tile_of(self, shape);
    }
    self->tile_log = log2_below(tile_of(self, shape));
    self->window_log = shape->neighbours_log < self->tile_log ? self->tile_log - shape->neighbours_log : 1;
    self->strides_log = shape->items_log;
}

/* The kernel for this purpose; NULL if the plan does not need it: if STAGES can handle all sizes, the step-by-step
 * kernels are not compiled, and vice versa. */
static const char *kernel_for(const clprim__bitonic_sort_plan *self, size_t what)
{
    const bool is_segmented = self->offset_size != 0;
    if (is_segmented)
        return what == CLPRIM__BITONIC_SORT_SEGMENTS ? "bitonic_sort_segments" : NULL;
    if (what == CLPRIM__BITONIC_SORT_STAGES
            ? self->at_once_up_to == 0
            : what != CLPRIM__BITONIC_SORT_BLOCK && self->at_once_up_to == self->base.max_count)
        return NULL;
    return self->row->kernels[what];
}

static size_t at_once_up_to(const clprim__bitonic_sort_plan *self, size_t bytes)
{
    if (!clprim__device_can_wait(&self->base.runtime->info) || self->offset_size != 0 ||
        self->row->kernels[CLPRIM__BITONIC_SORT_STAGES] == NULL)
        return 0;
    const size_t most = bytes / item_size(self);
    return most < self->base.max_count ? most : self->base.max_count;
}

clprim_status clprim__bitonic_sort_build(clprim__bitonic_sort_plan *self, const clprim__order *order)
{
    const char *names[CLPRIM__BITONIC_SORT_KERNELS] = {NULL};
    sort_shape shape = {0};
    clprim__prelude prelude = {.has_fp64 = false};
    clprim__text options = {0};
    const clprim__build what = {.source = self->offset_size != 0 ? self->row->segment_source : self->row->source,
                                .names = names,
                                .count = CLPRIM__BITONIC_SORT_KERNELS,
                                .prelude = &prelude,
                                .options = &options};
    const clprim__bitonic_sort_tuning tuning =
        clprim__bitonic_sort_tuning_of((clprim_bitonic_sort_variant)self->row->info.id, self->base.runtime,
                                       (clprim__tuned_for){.size = item_size(self), .max_count = self->base.max_count});
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(choose_shape(&shape, self, &tuning));
    if (tile_of(self, &shape) < self->base.max_count) /* otherwise a single block sorts everything */
        self->at_once_up_to = at_once_up_to(self, tuning.at_once_bytes);
    for (size_t i = 0; i < CLPRIM__BITONIC_SORT_KERNELS; i++)
        names[i] = kernel_for(self, i);
    CLPRIM__TRY(clprim__order_write(&prelude, order, self->base.max_count, &self->base.runtime->info));
    write_options(&options, self, &shape);
    CLPRIM__TRY(clprim__build_kernels(self->kernels, &shape.group_size, self->base.runtime, &what));
    note_shape(self, &shape);
    if (self->at_once_up_to > 0)
        status = clprim__state_create(&self->base.state, self->base.runtime,
                                      clprim__bitonic_sort_stages_of(self, self->at_once_up_to).words * sizeof(cl_uint),
                                      UINT32_MAX);
done:
    clprim__prelude_free(&prelude);
    clprim__text_free(&options);
    return status;
}
