// SPDX-License-Identifier: MIT
/* sample_sort_build.c: the sample sort's kernels, fitted to the device. */
#include "sample_sort.h"

#include "build.h"
#include "comparison_sort_internal.h"
#include "device.h"
#include "error.h"
#include "kernels_comparison_sort.h"
#include "runtime_internal.h"

enum {
    LEAST_REGISTERS = 32, /* NVIDIA's compiler needs some of them for calls */
    IDS_IN_A_WORD = 4,    /* maximum */
    SMALL_IDS_LOG = 8,    /* up to this, each number takes one byte; for a stable sort, the maximum */
    MAX_MOVED_ITEMS = 32,
    LEAST_SAMPLES_LOG = 3,   /* per bucket */
    MAX_MOVED = 1 << 16,     /* elements per tile, because ranks have 16 bits */
    OTHER_LOCAL_BYTES = 256, /* for the kernels that move tiles */
    BYTES_A_BUCKET = 8,      /* also for them, in addition to a splitter */
    WARP = 32,
    COUNTERS_BYTES = 40 /* per work-item, for ranks without warps */
};

size_t clprim__sample_sort_id_size(unsigned buckets_log)
{
    return buckets_log > SMALL_IDS_LOG ? sizeof(cl_ushort) : sizeof(cl_uchar);
}

/* The shape of the launches that move tiles. */
typedef struct moves_shape {
    size_t group_size, items;
} moves_shape;

/* The local memory for a tile's ranks (clprim/device/work_group_radix_rank.h), at most. */
static size_t ranks_bytes(const clprim_device_info *info, const moves_shape *shape)
{
    if (clprim__device_has_warps(info, shape->group_size))
        return (shape->group_size / WARP * sizeof(cl_ushort)) << SMALL_IDS_LOG;
    return shape->group_size * (shape->items * (sizeof(cl_ushort) + sizeof(cl_uchar)) + COUNTERS_BYTES);
}

static size_t moves_bytes(const clprim__comparison_sort_plan *self, const moves_shape *shape)
{
    const size_t ids = clprim__sample_sort_id_size(self->samples.buckets_log);
    const size_t sums = clprim__device_scan_values(&self->base.runtime->info, shape->group_size) * sizeof(cl_uint);
    return shape->group_size * shape->items * (clprim__comparison_sort_item_size(self) + ids) + sums +
           (self->samples.is_stable ? ranks_bytes(&self->base.runtime->info, shape) : 0) +
           ((self->setting.key_size + BYTES_A_BUCKET) << self->samples.buckets_log) + OTHER_LOCAL_BYTES;
}

static clprim_status fit_moves(moves_shape *out, const clprim__comparison_sort_plan *self,
                               const clprim__comparison_sort_group *tuned)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t items = tuned->bytes / clprim__comparison_sort_item_size(self) / IDS_IN_A_WORD * IDS_IN_A_WORD;
    moves_shape shape = {.group_size = self->base.work_group_size != 0 ? self->base.work_group_size : tuned->group_size,
                         .items = items < IDS_IN_A_WORD     ? IDS_IN_A_WORD
                                  : items > MAX_MOVED_ITEMS ? MAX_MOVED_ITEMS
                                                            : items};
    const size_t most = self->samples.is_stable ? MAX_MOVED - 1 : MAX_MOVED; /* ranks have 16 bits */
    while (shape.group_size > 0 &&
           (shape.group_size > info->max_work_group_size || shape.group_size * shape.items > most ||
            moves_bytes(self, &shape) > self->base.local_room))
        shape.group_size /= 2;
    if (shape.group_size == 0)
        return clprim__device_lacks_local(info, clprim__comparison_sort_item_size(self));
    *out = shape;
    return CLPRIM_SUCCESS;
}

/* The number of registers that a work-item may use, if the device allows to set it; 0: the compiler decides. */
static unsigned registers(const clprim__comparison_sort_plan *self, size_t tuned)
{
    if (self->base.runtime->info.sub_group_means != CLPRIM_SUB_GROUP_PTX || tuned == 0)
        return 0;
    return tuned > LEAST_REGISTERS ? (unsigned)tuned : LEAST_REGISTERS;
}

/* Compile kernels of one source for groups of at most *group_size work-items. `names` is indexed by purpose. The
 * options are freed. */
static clprim_status build(clprim__comparison_sort_plan *self, size_t *group_size, const clprim__source *source,
                           const char *const *names, const clprim__prelude *prelude, clprim__text *options,
                           unsigned max_registers)
{
    const clprim__build what = {.source = source,
                                .names = names,
                                .count = CLPRIM__SAMPLE_SORT_KERNELS,
                                .prelude = prelude,
                                .options = options,
                                .counts = self->base.counts,
                                .max_registers = max_registers};
    const clprim_status status = clprim__build_kernels(self->samples.kernels, group_size, self->base.runtime, &what);
    clprim__text_free(options);
    return status;
}

static clprim_status build_moves(clprim__comparison_sort_plan *self, const clprim__prelude *prelude,
                                 const clprim__sample_sort_tuning *tuning)
{
    static const char *const names[CLPRIM__SAMPLE_SORT_KERNELS] = {
        [CLPRIM__SAMPLE_SORT_CLASSIFY] = "comparison_sort_classify",
        [CLPRIM__SAMPLE_SORT_PLACE] = "comparison_sort_place",
        [CLPRIM__SAMPLE_SORT_SCATTER] = "comparison_sort_scatter"};
    moves_shape shape = {0};
    clprim__text options = {0};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(fit_moves(&shape, self, &tuning->moves));
    clprim__text_format(&options, "-DITEMS=%zu -DMAX_BUCKETS=%u -DSTABLE=%d", shape.items,
                        1U << self->samples.buckets_log, self->samples.is_stable);
    clprim__comparison_sort_write_memory(&options, self);
    CLPRIM__TRY(build(self, &shape.group_size, &clprim__source_comparison_sort_sample_move, names, prelude, &options,
                      registers(self, tuning->move_registers)));
    self->samples.moved_tile = shape.group_size * shape.items;
done:
    return status;
}

/* Whether barriers inside an `if` work: PoCL miscompiles them, on all of its devices. */
static bool may_branch(const clprim_device_info *info)
{
    return info->kind != CLPRIM_DEVICE_CPU && info->vendor != CLPRIM_VENDOR_POCL;
}

/* Options of the kernels that sort a tile. */
static void write_tile(clprim__text *options, const clprim__comparison_sort_plan *self,
                       const clprim__comparison_sort_tile *shape)
{
    clprim__comparison_sort_write_tile(options, self, shape);
    clprim__text_format(options, " -DTILE_AT_ZERO=1 -DMOVED_TILE=%zu -DHAS_FLAGS=0 -DRUNS_HAVE_PLACES=1",
                        self->samples.moved_tile);
    clprim__text_format(options, " -DSTABLE=%d -DPLACES_ANEW=%d", self->samples.is_stable, self->samples.is_stable);
}

static clprim_status build_small(clprim__comparison_sort_plan *self, const clprim__prelude *prelude,
                                 clprim__comparison_sort_tile *shape, unsigned max_registers)
{
    static const char *const names[CLPRIM__SAMPLE_SORT_KERNELS] = {[CLPRIM__SAMPLE_SORT_SMALL] =
                                                                       "comparison_sort_bucket"};
    clprim__text options = {0};
    write_tile(&options, self, shape);
    clprim__text_format(&options, " -DLISTS=0 -DAFTER_SMALL=0 -DBRANCHES=%d", may_branch(&self->base.runtime->info));
    return build(self, &shape->group_size, &clprim__source_comparison_sort_sample_buckets, names, prelude, &options,
                 max_registers);
}

static clprim_status build_samples(clprim__comparison_sort_plan *self, const clprim__prelude *prelude,
                                   clprim__comparison_sort_tile *shape, unsigned max_registers)
{
    static const char *const names[CLPRIM__SAMPLE_SORT_KERNELS] = {[CLPRIM__SAMPLE_SORT_SAMPLE] =
                                                                       "comparison_sort_sample"};
    clprim__text options = {0};
    write_tile(&options, self, shape);
    clprim__text_format(&options, " -DWANTED=%zu -DFITS=%zu", self->samples.wanted,
                        (size_t)1 << self->samples.large_log);
    return build(self, &shape->group_size, &clprim__source_comparison_sort_sample, names, prelude, &options,
                 max_registers);
}

static clprim_status build_large(clprim__comparison_sort_plan *self, const clprim__prelude *prelude,
                                 clprim__comparison_sort_tile *shape, const clprim__sample_sort_tuning *tuning)
{
    static const char *const names[CLPRIM__SAMPLE_SORT_KERNELS] = {
        [CLPRIM__SAMPLE_SORT_LARGE] = "comparison_sort_bucket",
        [CLPRIM__SAMPLE_SORT_PIECES] = "comparison_sort_pieces",
        [CLPRIM__SAMPLE_SORT_JOIN] = "comparison_sort_join"};
    const size_t group_size = shape->group_size;
    clprim__text options = {0};
    write_tile(&options, self, shape);
    clprim__text_format(&options, " -DLISTS=1 -DAFTER_SMALL=%d -DPIECE_LOG=%zu -DBRANCHES=%d",
                        self->samples.kernels[CLPRIM__SAMPLE_SORT_SMALL].kernel != NULL, tuning->piece_log,
                        may_branch(&self->base.runtime->info));
    const clprim_status status = build(self, &shape->group_size, &clprim__source_comparison_sort_sample_rest, names,
                                       prelude, &options, registers(self, tuning->sort_registers));
    if (status == CLPRIM_SUCCESS && shape->group_size != group_size)
        return clprim__fail(CLPRIM_UNSUPPORTED,
                            "%s allows work-groups of %zu here, not of %zu: set a smaller work_group_size",
                            self->base.runtime->info.name, shape->group_size, group_size);
    return status;
}

/* `part` sixteenths of a tile of 2^log elements; at least 1. */
static size_t sixteenths(size_t part, unsigned log)
{
    const size_t count = (part << log) / 16;
    return count > 1 ? count : 1;
}

/* Small tiles are left out if they would be no smaller than large ones. */
clprim_status clprim__sample_sort_build(clprim__comparison_sort_plan *self, const clprim__prelude *prelude,
                                        const clprim__sample_sort_tuning *tuning)
{
    const unsigned most_log = sizeof(cl_uint) * 8;
    const size_t wanted = self->base.work_group_size;
    clprim__sample_sort *s = &self->samples;
    clprim__comparison_sort_tile large = {0};
    clprim__comparison_sort_tile small = {0};
    clprim__comparison_sort_tile samples = {0};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__comparison_sort_fit_tile(&large, self, &tuning->large, wanted, most_log));
    CLPRIM__TRY(clprim__comparison_sort_fit_tile(&small, self, &tuning->small, wanted / 2, most_log));
    CLPRIM__TRY(clprim__comparison_sort_fit_tile(&samples, self, &tuning->samples, wanted, most_log));
    const unsigned samples_log = clprim__comparison_sort_tile_log(&samples);
    s->is_stable = self->setting.stable && self->setting.shows_order;
    s->large_log = clprim__comparison_sort_tile_log(&large);
    s->buckets_log = samples_log > LEAST_SAMPLES_LOG ? samples_log - LEAST_SAMPLES_LOG : 1;
    if (s->buckets_log > tuning->buckets_log)
        s->buckets_log = (unsigned)tuning->buckets_log;
    if (s->is_stable && s->buckets_log > SMALL_IDS_LOG)
        s->buckets_log = SMALL_IDS_LOG;
    CLPRIM__TRY(build_moves(self, prelude, tuning));
    unsigned tile_log = s->large_log;
    if (clprim__comparison_sort_tile_log(&small) < s->large_log) {
        CLPRIM__TRY(build_small(self, prelude, &small, registers(self, tuning->sort_registers)));
        tile_log = clprim__comparison_sort_tile_log(&small); /* with the group size that the device accepted */
    }
    s->wanted = sixteenths(tuning->filled, tile_log);
    s->most = sixteenths(tuning->filled_at_most, s->large_log);
    s->piece = (size_t)1 << (s->large_log + tuning->piece_log);
    CLPRIM__TRY(build_samples(self, prelude, &samples, registers(self, tuning->sort_registers)));
    status = build_large(self, prelude, &large, tuning);
done:
    return status;
}

void clprim__sample_sort_clear(clprim__sample_sort *self)
{
    for (size_t i = 0; i < CLPRIM__SAMPLE_SORT_KERNELS; i++)
        clprim__kernel_clear(&self->kernels[i]);
}
