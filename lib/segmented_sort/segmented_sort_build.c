// SPDX-License-Identifier: MIT
/* segmented_sort_build.c: from a plan's setting to kernels that fit the device, and the sorts it is built on. */
#include "device.h"
#include "error.h"
#include "kernels_segmented_sort.h"
#include "radix_sort/modes.h"
#include "runtime_internal.h"
#include "segmented_sort/modes.h"
#include "segmented_sort_internal.h"
#include "text.h"

enum {
    WARP_DIGIT_BITS = 8, /* where 32 work-items rank theirs together, in groups that have a work-item for each digit */
    ITEM_DIGIT_BITS = 4, /* where each work-item ranks its own */
    MASKS_GROUP = 256,   /* work-items of passes over long segments by masks: larger groups have larger tables */
    WARP = 32,
    LONG_AT_ONCE = 2,     /* groups per compute unit in passes over long segments */
    MOST_LONG_ITEMS = 24, /* elements per work-item of such a group */
    LEAST_SWEPT = 8,      /* the same, if each pass is a launch: at least, where the device and swept_bytes allow it */
    OTHER_LOCAL_BYTES = 4 * 1024,          /* what kernels take for other things than tile and table, at most */
    GOALS_BYTES = 1024,                    /* besides, in long.cl */
    ELEMENT_BYTES = 3 * sizeof(cl_ushort), /* of local memory, of an element of a tile beside its key */
    MERGE_BYTES = 256,                     /* what they take besides tile and sums, where tiles are merged */
    LEAST_LONG_BYTES = 6 * 1024,           /* what kernels for long segments take with the smallest of groups */
    MOST_MERGED = 15,                      /* elements of a work-item that sorts them in registers, to be merged */
    LARGEST_TILE = 1 << 15,                /* elements: indices of 16 bits */
    WHOLE_WINDOW = 1024,                   /* elements of a window where there are no tiles */
    LEAST_WARP_ROW = 2049, /* elements of a segment in a group that sorts by digits if bins do not fit */
    ROW_ITEMS = 16         /* elements of a work-item of that group: BLOCK */
};

/* What a variant has for one budget of local memory. */
typedef struct tile_shape {
    size_t group_size;
    size_t items;
    unsigned rank_by; /* RANK_BY_ITEM, ... */
    unsigned digit_bits;
    unsigned bin_bits; /* of rows.cl */
} tile_shape;

static bool has_warps(const clprim__segmented_sort_plan *self)
{
    return self->base.runtime->info.sub_group_means == CLPRIM_SUB_GROUP_PTX;
}

static bool has_tiles(const clprim__segmented_sort_plan *self)
{
    return self->row->sort != NULL && !self->row->in_chunks;
}

/* Segments that begin in a window mostly end soon behind it, so that a tile takes them all. */
static size_t window_of(size_t tile)
{
    return tile - tile / 4;
}

static void choose_ranking(tile_shape *shape, const clprim__segmented_sort_plan *self)
{
    const bool is_large = has_tiles(self) && shape->group_size % WARP == 0 && shape->group_size >> WARP_DIGIT_BITS > 0;
    shape->rank_by = !is_large ? RANK_BY_ITEM : has_warps(self) ? RANK_BY_BALLOTS : RANK_BY_MASKS;
    shape->digit_bits = is_large || !has_tiles(self) ? WARP_DIGIT_BITS : ITEM_DIGIT_BITS;
}

/* Of local memory, in bytes, but for the tile. */
static size_t table_bytes(const tile_shape *shape)
{
    const size_t owners = shape->rank_by == RANK_BY_ITEM ? shape->group_size : shape->group_size / WARP;
    const size_t counter = sizeof(cl_uint) + (shape->rank_by == RANK_BY_MASKS ? sizeof(cl_ushort) : 0);
    return (owners << shape->digit_bits) * counter + OTHER_LOCAL_BYTES;
}

static unsigned passes_of(const tile_shape *shape, const clprim__segmented_sort_plan *self)
{
    const clprim__radix_sort_setting *keys = &self->setting.keys;
    const unsigned passes = (keys->end_bit - keys->begin_bit + shape->digit_bits - 1) / shape->digit_bits;
    return passes == 0 ? 1 : passes;
}

/* Counters per segment, which is sorted in an even number of passes. */
static size_t counters_of(const tile_shape *shape, const clprim__segmented_sort_plan *self)
{
    const unsigned passes = passes_of(shape, self);
    return (size_t)(passes + passes % 2) << shape->digit_bits;
}

static clprim__long_shape long_shape_of(const tile_shape *shape, const clprim__segmented_sort_plan *self)
{
    const size_t radix = (size_t)1 << shape->digit_bits;
    const size_t tile = shape->group_size * shape->items;
    return (clprim__long_shape){.tile = tile, .counters = counters_of(shape, self), .statuses = radix};
}

/* Whether there may be segments for which a tile has no room. */
static bool may_be_long(const clprim__segmented_sort_plan *self, size_t tile)
{
    const size_t longest = self->setting.max_segment_size;
    return self->row->by_codes && (longest == 0 || longest > tile);
}

/* Whether whole.cl sorts them. */
static bool sorts_long(const clprim__segmented_sort_plan *self, size_t tile)
{
    return may_be_long(self, tile) && !self->by_sweeps;
}

/* What whole.cl sorts long segments by comes in the place of the keys. */
static size_t whole_bytes(const tile_shape *shape, const clprim__segmented_sort_plan *self, size_t element_bytes)
{
    const clprim__radix_sort_setting *keys = &self->setting.keys;
    const size_t tile = shape->group_size * shape->items;
    const size_t counted = sorts_long(self, tile) ? counters_of(shape, self) * sizeof(cl_uint) : 0;
    size_t staged = tile * keys->key_size;
    if (sorts_long(self, tile) && keys->value_size > keys->key_size)
        staged = tile * keys->value_size;
    return (staged > counted ? staged : counted) + tile * element_bytes + table_bytes(shape);
}

/* Of the kernels that sort tiles: by digits, or by merges, which take no table but for long segments. */
static size_t local_bytes(const tile_shape *shape, const clprim__segmented_sort_plan *self)
{
    const clprim__radix_sort_setting *keys = &self->setting.keys;
    const size_t places = keys->value_size > 0 ? sizeof(cl_ushort) : 0;
    const size_t tile = shape->group_size * shape->items;
    const size_t sums = clprim__device_scan_values(&self->base.runtime->info, shape->group_size) * sizeof(cl_uint);
    const size_t merged = tile * (keys->key_size + 2 * sizeof(cl_ushort) + places) + sums + MERGE_BYTES;
    if (has_warps(self))
        return whole_bytes(shape, self, ELEMENT_BYTES);
    if (sorts_long(self, tile))
        return clprim__larger(merged, whole_bytes(shape, self, places));
    return may_be_long(self, tile) ? clprim__larger(merged, LEAST_LONG_BYTES) : merged;
}

static bool fits(tile_shape *shape, const clprim__segmented_sort_plan *self, size_t local)
{
    choose_ranking(shape, self);
    return shape->group_size <= self->base.runtime->info.max_work_group_size &&
           shape->group_size * shape->items <= LARGEST_TILE && local_bytes(shape, self) <= local;
}

/* How many windows a group of short.cl has: in no more local memory than a tile that is sorted by digits, which has room
 * for one; where tiles are merged, in no more than a group should have. Values are all in registers at once: one window. */
static size_t windows_each(const tile_shape *shape, const clprim__segmented_sort_plan *self,
                           const clprim__segmented_sort_tuning *tuning)
{
    const size_t window = window_of(shape->group_size * shape->items);
    const size_t room = has_warps(self) ? local_bytes(shape, self) : self->base.local_room;
    size_t each = self->setting.keys.value_size > 0 ? 1 : shape->group_size * tuning->short_items / window;
    while (each > 1 && (each * window + tuning->network) * self->setting.keys.key_size + OTHER_LOCAL_BYTES > room)
        each--;
    return each > 0 ? each : 1;
}

/* The group that is wanted, and all its items; a larger one where segments are longer, or a smaller one, and before
 * that fewer items, for which there is room. Work-items that merge have an odd number of them: their elements are then in
 * other banks of local memory than those of their neighbours. */
static clprim_status fit_tile(tile_shape *shape, const clprim__segmented_sort_plan *self, size_t local)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t longest = self->setting.max_segment_size;
    const size_t step = has_warps(self) ? 1 : 2;
    const size_t wanted =
        has_warps(self) ? shape->items : clprim__smaller(shape->items - 1 + shape->items % 2, MOST_MERGED);
    if (!has_tiles(self)) {
        choose_ranking(shape, self);
        while (shape->group_size > info->max_work_group_size)
            shape->group_size /= 2;
        return CLPRIM_SUCCESS;
    }
    tile_shape larger = {.group_size = shape->group_size, .items = wanted};
    while (larger.group_size * larger.items < longest && larger.group_size < info->max_work_group_size)
        larger.group_size *= 2;
    if (larger.group_size * larger.items >= longest && fits(&larger, self, local)) {
        *shape = larger;
        return CLPRIM_SUCCESS;
    }
    for (; shape->group_size > 0; shape->group_size /= 2)
        for (shape->items = wanted; shape->items > 0; shape->items -= clprim__smaller(shape->items, step))
            if (fits(shape, self, local))
                return self->row->by_codes || shape->group_size * shape->items >= longest
                           ? CLPRIM_SUCCESS
                           : clprim__fail(CLPRIM_UNSUPPORTED,
                                          "%s cannot sort segments of up to %zu elements in a work-group of %s",
                                          self->row->info.name, longest, info->name);
    return clprim__fail(CLPRIM_UNSUPPORTED, "%s needs more local memory than %s has (%zu bytes)", self->row->info.name,
                        info->name, info->local_memory_size);
}

static unsigned bits_of(size_t number)
{
    unsigned bits = 1;
    while (number >> bits > 0 && bits < 63)
        bits++;
    return bits;
}

/* Whether there are long segments, and how their codes are made. */
static void choose_codes(clprim__segmented_sort_plan *self, size_t tile)
{
    const clprim__segmented_sort_setting *setting = &self->setting;
    const size_t fitting = self->row->in_chunks ? CLPRIM__SEGMENTED_SORT_LEAST_SHARE : tile;
    size_t numbers = setting->max_segments + 1; /* with those before and behind all segments */
    self->by_codes = self->row->by_codes && (self->row->sort == NULL || may_be_long(self, fitting));
    self->by_passes = self->by_codes && has_tiles(self);
    if (self->row->sort != NULL) /* of long segments the number of the piece in which they begin */
        numbers = setting->keys.max_count / fitting;
    if (self->row->in_chunks && numbers > self->max_groups)
        numbers = self->max_groups;
    const unsigned key_bits = (unsigned)setting->keys.key_size * 8;
    self->number_bits = bits_of(numbers);
    self->is_wide = key_bits == 64;
    self->code_size = key_bits + self->number_bits <= 32 ? sizeof(cl_uint) : sizeof(cl_ulong);
}

/* Up to how many elements the parts of long segments are merged: by MOST_MERGES launches, of whole groups. */
static void choose_merges(clprim__segmented_sort_plan *self, const tile_shape *shape,
                          const clprim__segmented_sort_tuning *tuning)
{
    const size_t ways = clprim__segmented_sort_ways(shape->group_size);
    size_t reach = window_of(shape->group_size * shape->items);
    for (unsigned k = 0; k < CLPRIM__SEGMENTED_SORT_MOST_MERGES && reach < tuning->most_merged; k++)
        reach *= ways;
    self->most_merged = self->by_passes && self->by_sweeps && shape->group_size >= WARP
                            ? clprim__smaller(tuning->most_merged, reach)
                            : 0;
}

static clprim_status describe_program(clprim__prelude *prelude, clprim__text *options,
                                      const clprim__segmented_sort_plan *self, const tile_shape *shape,
                                      const clprim__segmented_sort_tuning *tuning, bool sorts_long_tiles)
{
    const clprim_status status = clprim__radix_sort_prelude(prelude, &self->setting.keys, &self->base.runtime->info);
    if (status != CLPRIM_SUCCESS)
        return status;
    clprim__text_format(&prelude->own, "#define HAS_OFFSETS %d\n#define PARTIAL_KEYS %d\n",
                        self->setting.segment_length == 0, self->setting.is_partial);
    clprim__text_format(&prelude->own, "#define OFFSET %s\n#define HAS_LONG %d\n#define WIDE %d\n#define MERGES %d\n",
                        self->setting.offset_size == sizeof(cl_uint) ? "uint" : "ulong",
                        self->by_passes                             ? LONG_IN_TILES
                        : self->by_codes && self->row->sort != NULL ? LONG_TOGETHER
                                                                    : LONG_NONE,
                        self->is_wide, self->most_merged > 0);
    if (!self->is_wide)
        clprim__text_format(&prelude->own, "#define CODE %s\n", self->code_size == sizeof(cl_uint) ? "uint" : "ulong");
    if (self->by_passes && sorts_long_tiles) /* in a smaller group if the device runs the kernel only so */
        clprim__text_format(&prelude->own, "#define LONG_TILE (GROUP_SIZE * %zu)\n", shape->items);
    else if (self->by_passes)
        clprim__text_format(&prelude->own, "#define LONG_TILE %zu\n", self->shape.tile);
    if (self->by_passes)
        clprim__text_format(&prelude->own,
                            "#define LONG_COUNTERS %zu\n#define LONG_APART %d\n#define BOUNDED\n"
                            "#define STATUS ulong\n#define STATUS_SIZE 8\n",
                            self->shape.counters, self->by_sweeps);
    if (shape->bin_bits > 0)
        clprim__text_format(options, "-DBIN_BITS=%u ", shape->bin_bits);
    clprim__text_format(options,
                        "-DITEMS=%zu -DRANK_BY=%u -DDIGIT_BITS=%u -DSHORT_WINDOW=%zu -DNETWORK=%zu "
                        "-DENUMERATED=%zu -DWHOLE_ENUMERATED=%zu" CLPRIM__SEGMENTED_SORT_SHARED(CLPRIM__SHARED_OPTION),
                        shape->items, shape->rank_by, shape->digit_bits,
                        self->windows_each * window_of(shape->group_size * shape->items), tuning->network,
                        tuning->enumerated, tuning->whole_enumerated);
    return CLPRIM_SUCCESS;
}

/* Kernels in a program of their own, by what they are for. A compute unit has registers for groups_at_once groups; 0: as the
 * compiler decides. The group is as large as the device allows. */
static clprim_status create_alone(clprim__segmented_sort_plan *self, const char *const *names,
                                  const clprim__source *source, size_t groups_at_once, tile_shape *shape,
                                  const clprim__segmented_sort_tuning *tuning)
{
    enum { REGISTERS = 1 << 16, STEP = 8, MOST = 255 }; /* of a compute unit of NVIDIA's; and of a work-item */
    const size_t registers = groups_at_once == 0 ? 0 : REGISTERS / (groups_at_once * shape->group_size) / STEP * STEP;
    clprim__prelude prelude = {.has_fp64 = false};
    clprim__text options = {0};
    const clprim__build what = {.source = source,
                                .names = names,
                                .count = CLPRIM__SEGMENTED_SORT_KERNELS,
                                .prelude = &prelude,
                                .options = &options,
                                .max_registers = has_warps(self) && registers <= MOST ? (unsigned)registers : 0};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(describe_program(&prelude, &options, self, shape, tuning, names[CLPRIM__SEGMENTED_SORT_LONG] != NULL));
    status = clprim__build_kernels(self->kernels, &shape->group_size, self->base.runtime, &what);
done:
    clprim__prelude_free(&prelude);
    clprim__text_free(&options);
    return status;
}

/* The most elements per work-item in a tile of a long segment. With one launch per pass, plans for few elements have
 * smaller tiles, so that each group that runs at once has one; but a work-item has LEAST_SWEPT elements or more. */
static size_t most_long_items(const tile_shape *shape, const clprim__segmented_sort_plan *self,
                              const clprim__segmented_sort_tuning *tuning)
{
    const clprim__radix_sort_setting *keys = &self->setting.keys;
    const size_t size = clprim__larger(keys->value_size, keys->key_size);
    const size_t at_once = (size_t)LONG_AT_ONCE * self->base.runtime->info.compute_units * shape->group_size;
    const size_t each = clprim__larger(clprim__divide_up(keys->max_count, at_once), LEAST_SWEPT);
    if (!self->by_sweeps)
        return clprim__smaller(tuning->long_bytes / size, MOST_LONG_ITEMS);
    return clprim__smaller(clprim__larger(tuning->swept_bytes / size, 1), clprim__smaller(each, MOST_LONG_ITEMS));
}

/* A group for tiles of long segments, as large as wanted, with as many items, or smaller ones for which there is room. */
static bool fit_long(tile_shape *shape, const clprim__segmented_sort_plan *self,
                     const clprim__segmented_sort_tuning *tuning, size_t local)
{
    const clprim__radix_sort_setting *keys = &self->setting.keys;
    const size_t size = clprim__larger(keys->value_size, keys->key_size);
    for (; shape->group_size > 0; shape->group_size /= 2) {
        if (shape->group_size > self->base.runtime->info.max_work_group_size)
            continue;
        choose_ranking(shape, self);
        if (self->by_sweeps && shape->rank_by == RANK_BY_MASKS && shape->group_size > MASKS_GROUP)
            continue;
        if (self->by_sweeps && shape->rank_by == RANK_BY_BALLOTS)
            shape->rank_by = RANK_BY_CHECKED;
        const size_t sources = shape->rank_by == RANK_BY_CHECKED ? sizeof(cl_ushort) : 0;
        const size_t table = table_bytes(shape);
        if (table + counters_of(shape, self) * sizeof(cl_uint) > local)
            continue;
        for (shape->items = most_long_items(shape, self, tuning); shape->items > 0; shape->items--)
            if (table + shape->group_size * shape->items * (size + sources) <= local)
                return true;
    }
    return false;
}

/* The kernels for long segments, whose tiles are larger than the others. */
static clprim_status create_long(clprim__segmented_sort_plan *self, const clprim__segmented_sort_tuning *tuning,
                                 size_t local)
{
    const char *const names[CLPRIM__SEGMENTED_SORT_KERNELS] = {
        [CLPRIM__SEGMENTED_SORT_LONG] = self->by_sweeps ? "segmented_sort_sweep" : "segmented_sort_long",
        [CLPRIM__SEGMENTED_SORT_COUNT] = self->by_sweeps ? "segmented_sort_count_tiles" : NULL};
    tile_shape shape = {.group_size = tuning->long_group_size};
    size_t group_size = 0;
    clprim_status status = CLPRIM_SUCCESS;
    do { /* once more where the device allows only a smaller group than it seemed */
        if (!fit_long(&shape, self, tuning, local))
            return clprim__fail(CLPRIM_BUILD_FAILED, "%s needs more local memory than %s has (%zu bytes)",
                                self->row->info.name, self->base.runtime->info.name,
                                self->base.runtime->info.local_memory_size);
        group_size = shape.group_size;
        self->shape = long_shape_of(&shape, self);
        self->passes = (unsigned)(self->shape.counters >> shape.digit_bits);
        clprim__kernel_clear(&self->kernels[CLPRIM__SEGMENTED_SORT_LONG]);
        clprim__kernel_clear(&self->kernels[CLPRIM__SEGMENTED_SORT_COUNT]);
        status = create_alone(
            self, names, self->by_sweeps ? &clprim__source_segmented_sort_sweep : &clprim__source_segmented_sort_long,
            LONG_AT_ONCE, &shape, tuning);
    } while (status == CLPRIM_SUCCESS && shape.group_size < group_size);
    return status;
}

/* By all the local memory that NVIDIA's compiler takes, if it does. */
static clprim_status try_long(clprim__segmented_sort_plan *self, const clprim__segmented_sort_tuning *tuning)
{
    clprim_status status = CLPRIM_BUILD_FAILED;
    if (has_warps(self))
        status = create_long(self, tuning, CLPRIM__NVIDIA_LOCAL_BYTES);
    return status == CLPRIM_BUILD_FAILED ? create_long(self, tuning, self->base.local_room - GOALS_BYTES) : status;
}

/* By sweeps, too, if elements are too large for the tiles of a single launch. */
static clprim_status create_long_if_any(clprim__segmented_sort_plan *self, const clprim__segmented_sort_tuning *tuning)
{
    clprim_status status = CLPRIM_SUCCESS;
    if (!self->by_passes || self->kernels[CLPRIM__SEGMENTED_SORT_LONG].kernel != NULL)
        return CLPRIM_SUCCESS;
    status = try_long(self, tuning);
    if (status != CLPRIM_BUILD_FAILED || self->by_sweeps)
        return status;
    self->by_sweeps = true;
    return try_long(self, tuning);
}

/* The group is as large as the device allows. */
static clprim_status create_kernels(clprim__segmented_sort_plan *self, tile_shape *shape,
                                    const clprim__segmented_sort_tuning *tuning)
{
    const bool has_codes = self->by_codes && !self->by_passes;
    const char *const alone[CLPRIM__SEGMENTED_SORT_KERNELS] = {[CLPRIM__SEGMENTED_SORT_SORT] = self->row->sort};
    const char *const merge[CLPRIM__SEGMENTED_SORT_KERNELS] = {[CLPRIM__SEGMENTED_SORT_MERGE] = "segmented_sort_merge"};
    const char *const names[CLPRIM__SEGMENTED_SORT_KERNELS] = {
        [CLPRIM__SEGMENTED_SORT_WINDOWS] = "segmented_sort_windows",
        [CLPRIM__SEGMENTED_SORT_SHORT] = has_tiles(self) ? "segmented_sort_short" : NULL,
        [CLPRIM__SEGMENTED_SORT_SORT] = has_tiles(self) ? NULL : self->row->sort,
        [CLPRIM__SEGMENTED_SORT_ENCODE] = has_codes ? "segmented_sort_encode" : NULL,
        [CLPRIM__SEGMENTED_SORT_NUMBERS] = has_codes && self->is_wide ? "segmented_sort_numbers" : NULL,
        [CLPRIM__SEGMENTED_SORT_DECODE] = has_codes ? "segmented_sort_decode" : NULL};
    clprim__prelude prelude = {.has_fp64 = false};
    clprim__text options = {0};
    const clprim__build what = {.source = self->row->source,
                                .names = names,
                                .count = CLPRIM__SEGMENTED_SORT_KERNELS,
                                .prelude = &prelude,
                                .options = &options};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(describe_program(&prelude, &options, self, shape, tuning, false));
    CLPRIM__TRY(clprim__build_kernels(self->kernels, &shape->group_size, self->base.runtime, &what));
    if (has_tiles(self))
        CLPRIM__TRY(
            create_alone(self, alone, &clprim__source_segmented_sort_local, tuning->groups_at_once, shape, tuning));
    if (self->most_merged > 0 && shape->group_size >= WARP) /* else once more, with a smaller tile and no merges */
        CLPRIM__TRY(
            create_alone(self, merge, &clprim__source_segmented_sort_merge, tuning->whole_groups, shape, tuning));
    self->tile = shape->group_size * shape->items;
    if (!self->by_codes && has_tiles(self) && self->tile < self->setting.max_segment_size)
        status = clprim__fail(CLPRIM_UNSUPPORTED, "%s allows no work-group in which a segment of %zu elements fits",
                              self->base.runtime->info.name, self->setting.max_segment_size);
done:
    clprim__prelude_free(&prelude);
    clprim__text_free(&options);
    return status;
}

/* A group for each segment of up to `longest` elements: with two bins for three elements, or more. Elements that must
 * keep their order take more room than an integer has if their keys have 64 bits. */
static bool fit_row(tile_shape *shape, const clprim__segmented_sort_plan *self, size_t longest)
{
    const clprim__radix_sort_setting *keys = &self->setting.keys;
    const bool has_origins = keys->value_size > 0 || self->setting.is_partial;
    const bool by_warps = has_warps(self) && longest >= LEAST_WARP_ROW;
    size_t bins = 1;
    if (!has_tiles(self) || self->base.work_group_size != 0 || longest < CLPRIM__LEAST_ROW || keys->end_bit == 0 ||
        (keys->key_size == sizeof(cl_ulong) && has_origins))
        return false;
    for (; bins * 3 < longest * 2; bins *= 2)
        shape->bin_bits++;
    shape->group_size = clprim__larger(clprim__divide_up(longest, ROW_ITEMS), bins / ROW_ITEMS);
    shape->group_size = clprim__divide_up(shape->group_size, WARP) * WARP;
    if (by_warps)
        shape->group_size = clprim__larger(shape->group_size, (size_t)1 << WARP_DIGIT_BITS);
    choose_ranking(shape, self);
    shape->items = by_warps ? ROW_ITEMS : ROW_ITEMS + 1; /* odd, as in fit_tile */
    const size_t tile = shape->group_size * shape->items;
    const size_t card = keys->key_size == sizeof(cl_ulong) || (keys->key_size == sizeof(cl_uint) && has_origins)
                            ? sizeof(cl_ulong)
                            : sizeof(cl_uint);
    const size_t counters = clprim__larger(bins * sizeof(cl_uint), by_warps ? table_bytes(shape) : 0);
    const size_t places = by_warps || keys->value_size == 0 ? 0 : tile * sizeof(cl_ushort);
    const size_t local = has_warps(self) ? CLPRIM__NVIDIA_LOCAL_BYTES : self->base.local_room;
    return shape->group_size <= self->base.runtime->info.max_work_group_size && tile <= LARGEST_TILE &&
           counters + places + tile * card / 16 * 17 + OTHER_LOCAL_BYTES <= local;
}

/* The kernel that has a group for each segment; CLPRIM_BUILD_FAILED if there is none. */
static clprim_status create_row(clprim__segmented_sort_plan *self, const clprim__segmented_sort_tuning *tuning,
                                size_t longest)
{
    static const char *const names[CLPRIM__SEGMENTED_SORT_KERNELS] = {[CLPRIM__SEGMENTED_SORT_ROWS] =
                                                                          "segmented_sort_rows"};
    tile_shape shape = {.group_size = 0};
    if (!fit_row(&shape, self, longest))
        return CLPRIM_BUILD_FAILED;
    const size_t group_size = shape.group_size;
    const size_t at_once = clprim__larger(tuning->rows_at_once / group_size, 1);
    const clprim_status status =
        create_alone(self, names, &clprim__source_segmented_sort_rows, at_once, &shape, tuning);
    if (status != CLPRIM_SUCCESS || shape.group_size == group_size)
        return status;
    clprim__kernel_clear(&self->kernels[CLPRIM__SEGMENTED_SORT_ROWS]);
    return CLPRIM_BUILD_FAILED;
}

/* Whether calls may have segments of some hundred elements on average, which are not known to be long. */
static bool may_be_rows(const clprim__segmented_sort_plan *self)
{
    const size_t most = self->setting.max_segment_size;
    return self->setting.segment_length == 0 && (most == 0 || most >= CLPRIM__LEAST_ROW) &&
           self->by_codes == self->by_passes;
}

/* Which segments are long depends on the group that the device allows: once more if it is smaller than it seemed. */
static clprim_status create_all_kernels(clprim__segmented_sort_plan *self, tile_shape *shape,
                                        const clprim__segmented_sort_tuning *tuning)
{
    static const char *const names[CLPRIM__SEGMENTED_SORT_KERNELS] = {[CLPRIM__SEGMENTED_SORT_WHOLE] =
                                                                          "segmented_sort_whole"};
    size_t group_size = 0;
    clprim_status status = CLPRIM_SUCCESS;
    do {
        group_size = shape->group_size;
        for (size_t i = 0; i < CLPRIM__SEGMENTED_SORT_KERNELS; i++)
            if (i != CLPRIM__SEGMENTED_SORT_LONG && i != CLPRIM__SEGMENTED_SORT_COUNT)
                clprim__kernel_clear(&self->kernels[i]);
        choose_codes(self, shape->group_size * shape->items);
        choose_merges(self, shape, tuning);
        CLPRIM__TRY(create_long_if_any(self, tuning));
        choose_merges(self, shape, tuning);
        self->windows_each = has_tiles(self) ? windows_each(shape, self, tuning) : 0;
        status = create_kernels(self, shape, tuning);
    } while (status == CLPRIM_SUCCESS && shape->group_size < group_size);
    if (status == CLPRIM_SUCCESS && may_be_rows(self)) {
        status = create_row(self, tuning, self->tile);
        status = status == CLPRIM_BUILD_FAILED ? CLPRIM_SUCCESS : status;
    }
    if (status != CLPRIM_SUCCESS || !has_tiles(self) || self->max_whole == 0)
        return status;
    tile_shape whole = *shape;
    self->few = self->by_sweeps ? self->shape : long_shape_of(&whole, self);
    status = create_alone(self, names, &clprim__source_segmented_sort_whole, tuning->whole_groups, &whole, tuning);
    if (status == CLPRIM_SUCCESS && whole.group_size < shape->group_size) /* its tiles would be others */
        clprim__kernel_clear(&self->kernels[CLPRIM__SEGMENTED_SORT_WHOLE]);
done:
    return status;
}

static clprim_status create_sorts(clprim__segmented_sort_plan *self)
{
    const clprim__radix_sort_setting *keys = &self->setting.keys;
    const unsigned key_bits = (unsigned)keys->key_size * 8;
    const size_t index_size = keys->max_count > UINT32_MAX ? sizeof(cl_ulong) : sizeof(cl_uint);
    const clprim_type counted =
        self->row->sort != NULL ? CLPRIM_U32 : CLPRIM_TYPE_DEFAULT; /* the long segments' elements */
    const clprim_radix_sort_desc by_code = {.key_type = self->code_size == sizeof(cl_uint) ? CLPRIM_U32 : CLPRIM_U64,
                                            .value_size = keys->value_size,
                                            .bit_range = true,
                                            .begin_bit = keys->end_bit > 0 ? keys->begin_bit : key_bits,
                                            .end_bit = key_bits + self->number_bits,
                                            .count_at_type = counted,
                                            .max_count = keys->max_count};
    const clprim_radix_sort_desc by_key = {.key_type = keys->key_type,
                                           .argsort = true,
                                           .index_type = index_size == sizeof(cl_uint) ? CLPRIM_U32 : CLPRIM_U64,
                                           .descending = keys->descending,
                                           .nan_order = keys->nan_order,
                                           .bit_range = true,
                                           .begin_bit = keys->begin_bit - keys->rotation,
                                           .end_bit = keys->end_bit - keys->rotation,
                                           .count_at_type = counted,
                                           .max_count = keys->max_count};
    const clprim_radix_sort_desc by_number = {.key_type = CLPRIM_U32,
                                              .value_size = index_size,
                                              .bit_range = true,
                                              .end_bit = self->number_bits,
                                              .count_at_type = counted,
                                              .max_count = keys->max_count};
    const clprim_status status =
        clprim_radix_sort_create(&self->by_code, self->base.runtime, self->is_wide ? &by_key : &by_code);
    return status == CLPRIM_SUCCESS && self->is_wide
               ? clprim_radix_sort_create(&self->by_number, self->base.runtime, &by_number)
               : status;
}

clprim_status clprim__segmented_sort_build(clprim__segmented_sort_plan *self)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const clprim__radix_sort_setting *keys = &self->setting.keys;
    clprim_segmented_sort_variant variant = (clprim_segmented_sort_variant)self->row->info.id;
    if (variant == CLPRIM_SEGMENTED_SORT_MIXED) /* its tiles are the same */
        variant = CLPRIM_SEGMENTED_SORT_LOCAL;
    const clprim__segmented_sort_tuning tuning = clprim__segmented_sort_tuning_of(
        variant, self->base.runtime,
        (clprim__tuned_for){.size = keys->key_size, .value_size = keys->value_size, .max_count = keys->max_count});
    const size_t given = self->base.work_group_size;
    const size_t wanted = self->row->in_chunks ? 1 : given != 0 ? given : tuning.group_size;
    tile_shape shape = {.group_size = wanted, .items = tuning.items};
    clprim_status status = CLPRIM_BUILD_FAILED;
    self->max_groups = tuning.groups_per_unit * info->compute_units;
    self->max_whole = tuning.whole_per_unit * info->compute_units;
    self->by_sweeps =
        has_tiles(self) && !(clprim__device_can_wait(info) && (has_warps(self) || info->has_int64_atomics));
    if (self->setting.segment_length != 0) /* then there is no other kernel */
        status = create_row(self, &tuning, self->setting.segment_length);
    if (status == CLPRIM_SUCCESS)
        self->tile = self->kernels[CLPRIM__SEGMENTED_SORT_ROWS].group_size * ROW_ITEMS;
    else if (status == CLPRIM_BUILD_FAILED && has_tiles(self) && has_warps(self) &&
             fit_tile(&shape, self, CLPRIM__NVIDIA_LOCAL_BYTES) == CLPRIM_SUCCESS)
        status = create_all_kernels(self, &shape, &tuning);
    if (status == CLPRIM_BUILD_FAILED) {
        shape = (tile_shape){.group_size = wanted, .items = tuning.items};
        CLPRIM__TRY(fit_tile(&shape, self, self->base.local_room));
        status = create_all_kernels(self, &shape, &tuning);
    }
    CLPRIM__TRY(status);
    self->window = self->row->in_chunks ? CLPRIM__SEGMENTED_SORT_LEAST_SHARE / 16
                   : has_tiles(self)    ? window_of(self->tile)
                                        : WHOLE_WINDOW;
    if (self->by_codes && !self->by_passes)
        status = create_sorts(self);
    else if (self->by_codes && !self->by_sweeps && self->kernels[CLPRIM__SEGMENTED_SORT_WHOLE].kernel != NULL)
        status = clprim__state_create(&self->base.state, self->base.runtime, CLPRIM__FEW_STATE, CLPRIM__LAST_EPOCH);
done:
    return status;
}
