/* comparison_sort_build.c: from a description to kernels that fit the device, or to the sort that does it. */
#include <string.h>

#include "comparison_sort_internal.h"
#include "device.h"
#include "error.h"
#include "operator.h"
#include "runtime_internal.h"

enum {
    MIN_ITEMS_LOG = 1,
    MAX_ITEMS_LOG = 5,
    NEIGHBOURS_LOG = 5, /* of what tiles are read in, in one piece */
    BANKS = 32,
    OTHER_LOCAL_BYTES = 64, /* beside the tile, and 4 a work-item */
    GROUPS_PER_UNIT = 4,
    /* Of CHUNKS: the runs that are sorted without merging, and how many at once; of what is no number fewer. */
    RUN_LOG = 4,
    LANES = 16,
    FEW_RUN_LOG = 3,
    FEW_LANES = 8
};

static unsigned log2_below(size_t n)
{
    unsigned log = 0;
    while (n >> log > 1)
        log++;
    return log;
}

static size_t item_size(const clprim__comparison_sort_plan *self)
{
    return self->setting.key_size + self->setting.value_size;
}

unsigned clprim__comparison_sort_tile_log(const clprim__comparison_sort_tile *shape)
{
    return log2_below(shape->group_size) + shape->items_log;
}

static bool fits(const clprim__comparison_sort_plan *self, const clprim__comparison_sort_tile *shape)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t tile = shape->group_size << shape->items_log;
    const size_t room = info->local_memory_size / 8 * 7;                     /* some drivers need of it themselves */
    return shape->group_size <= info->max_work_group_size && tile <= room && /* no overflow below */
           (tile + tile / BANKS + 1) * item_size(self) + shape->group_size * sizeof(cl_uint) + OTHER_LOCAL_BYTES <=
               room;
}

clprim_status clprim__comparison_sort_fit_tile(clprim__comparison_sort_tile *out,
                                               const clprim__comparison_sort_plan *self,
                                               const clprim__comparison_sort_group *tuned, size_t work_group_size,
                                               unsigned most_log)
{
    const unsigned items_log = log2_below(tuned->bytes / item_size(self));
    clprim__comparison_sort_tile shape = {.group_size = work_group_size != 0 ? work_group_size : tuned->group_size,
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
        return clprim__fail(CLPRIM_UNSUPPORTED, "elements of %zu bytes take more local memory than %s has (%zu bytes)",
                            item_size(self), self->base.runtime->info.name, self->base.runtime->info.local_memory_size);
    *out = shape;
    return CLPRIM_SUCCESS;
}

clprim_status clprim__comparison_sort_create_kernels(clprim__kernel *out, const clprim__comparison_sort_plan *self,
                                                     const clprim__source *const *sources,
                                                     const clprim__prelude *prelude, const clprim__text *options,
                                                     unsigned max_registers, size_t *group_size,
                                                     const char *const *names, const int *kept, size_t count)
{
    cl_kernel kernels[CLPRIM__COMPARISON_SORT_KERNELS] = {NULL};
    clprim__program_request request = {.callers = prelude->callers.data,
                                       .prelude = prelude->own.data,
                                       .options = options->data,
                                       .max_registers = max_registers};
    const char *path = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__text_status(options));
    for (int s = 0; s < CLPRIM__MAX_SOURCES && sources[s] != NULL; s++) {
        request.sources[s] = sources[s];
        path = sources[s]->path;
    }
    CLPRIM__TRY(clprim__kernels_create(kernels, group_size, self->base.runtime->programs, &request, names, count));
    for (size_t i = 0; i < count; i++)
        out[kept[i]] =
            (clprim__kernel){.kernel = kernels[i], .name = names[i], .program = path, .group_size = *group_size};
done:
    return status;
}

void clprim__comparison_sort_write_tile(clprim__text *text, const clprim__comparison_sort_plan *self,
                                        const clprim__comparison_sort_tile *shape)
{
    const bool is_cpu = self->base.runtime->info.kind == CLPRIM_DEVICE_CPU;
    clprim__text_format(text, "-DITEMS_LOG=%u -DNEIGHBOURS_LOG=%d -DUNROLL=%d -DTWO_PATHS=%d -DBY_LANES=%d",
                        shape->items_log, NEIGHBOURS_LOG, !is_cpu, !is_cpu, !is_cpu);
}

static clprim_status build_block(clprim__comparison_sort_plan *self, const clprim__prelude *prelude,
                                 const clprim__comparison_sort_group *tuned, size_t work_group_size)
{
    static const char *const names[] = {"comparison_sort_block"};
    static const int kept[] = {CLPRIM__COMPARISON_SORT_BLOCK};
    const clprim__source *sources[CLPRIM__MAX_SOURCES] = {NULL};
    clprim__comparison_sort_tile shape = {0};
    clprim__text options = {0};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__comparison_sort_fit_tile(&shape, self, tuned, work_group_size,
                                                 clprim__bitonic_sort_log2(self->setting.max_count)));
    clprim__comparison_sort_sources(sources, self, CLPRIM__COMPARISON_SORT_BLOCK);
    clprim__comparison_sort_write_tile(&options, self, &shape);
    clprim__text_format(&options, " -DHAS_FLAGS=%d", clprim__comparison_sort_has_flags(self));
    CLPRIM__TRY(clprim__comparison_sort_create_kernels(self->kernels, self, sources, prelude, &options, 0,
                                                       &shape.group_size, names, kept, 1));
    self->block_log = clprim__comparison_sort_tile_log(&shape);
done:
    clprim__text_free(&options);
    return status;
}

/* Its tiles must not be larger than the first runs it makes. `kernel`: MERGE, with what goes with it, or
 * MERGES_AT_ONCE. */
static clprim_status build_merge(clprim__comparison_sort_plan *self, int kernel, const clprim__prelude *prelude,
                                 const clprim__comparison_sort_tile *shape)
{
    const bool at_once = kernel == CLPRIM__COMPARISON_SORT_MERGES_AT_ONCE;
    const bool has_splits = !at_once && self->setting.max_count >= self->splits_from;
    const char *names[3] = {at_once ? "comparison_sort_merges" : "comparison_sort_merge"};
    int kept[3] = {kernel};
    size_t count = 1;
    size_t group_size = shape->group_size;
    const clprim__source *sources[CLPRIM__MAX_SOURCES] = {NULL};
    clprim__text options = {0};
    clprim_status status = CLPRIM_SUCCESS;
    clprim__comparison_sort_sources(sources, self, kernel);
    clprim__comparison_sort_write_tile(&options, self, shape);
    clprim__text_format(&options, " -DWITH_SPLITS=%d -DHAS_FLAGS=%d", has_splits, at_once || self->setting.is_custom);
    if (!at_once && self->setting.is_custom) {
        names[count] = "comparison_sort_mend";
        kept[count++] = CLPRIM__COMPARISON_SORT_MEND;
    }
    if (has_splits) {
        names[count] = "comparison_sort_split";
        kept[count++] = CLPRIM__COMPARISON_SORT_SPLIT;
    }
    status = clprim__comparison_sort_create_kernels(self->kernels, self, sources, prelude, &options, 0, &group_size,
                                                    names, kept, count);
    clprim__text_free(&options);
    return status;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The kernel for a pass only where it takes one for some n. */
static clprim_status build_tiles(clprim__comparison_sort_plan *self, const clprim__prelude *prelude,
                                 const clprim__comparison_sort_tuning *tuning, size_t work_group_size)
{
    const size_t most = self->setting.max_count;
    clprim__comparison_sort_tile shape = {0};
    clprim_status status = CLPRIM_SUCCESS;
    if (clprim__device_can_wait(&self->base.runtime->info))
        self->at_once_up_to = smaller(tuning->at_once_bytes / item_size(self), most);
    CLPRIM__TRY(build_block(self, prelude, &tuning->block, work_group_size));
    CLPRIM__TRY(clprim__comparison_sort_fit_tile(&shape, self, &tuning->merge, work_group_size, self->block_log + 1));
    self->merge_items_log = shape.items_log;
    if (self->at_once_up_to > 0)
        CLPRIM__TRY(build_merge(self, CLPRIM__COMPARISON_SORT_MERGES_AT_ONCE, prelude, &shape));
    if (self->at_once_up_to < most)
        status = build_merge(self, CLPRIM__COMPARISON_SORT_MERGE, prelude, &shape);
done:
    return status;
}

static clprim_status build_chunks(clprim__comparison_sort_plan *self, const clprim__prelude *prelude, size_t bytes)
{
    static const char *const names[] = {"comparison_sort_chunk", "comparison_sort_merge"};
    static const int kept[] = {CLPRIM__COMPARISON_SORT_BLOCK, CLPRIM__COMPARISON_SORT_MERGE};
    const bool is_wide = item_size(self) > sizeof(cl_ulong) * 2;
    const unsigned run_log = is_wide ? FEW_RUN_LOG : RUN_LOG;
    const unsigned chunk_log = log2_below(bytes / item_size(self));
    const clprim__source *sources[CLPRIM__MAX_SOURCES] = {NULL};
    size_t group_size = 1;
    clprim__text options = {0};
    clprim_status status = CLPRIM_SUCCESS;
    clprim__comparison_sort_sources(sources, self, CLPRIM__COMPARISON_SORT_BLOCK);
    self->block_log = chunk_log > run_log ? chunk_log : run_log;
    clprim__text_format(&options, "-DRUN_LOG=%u -DLANES=%d -DCHUNK_LOG=%u", run_log, is_wide ? FEW_LANES : LANES,
                        self->block_log);
    CLPRIM__TRY(clprim__comparison_sort_create_kernels(self->kernels, self, sources, prelude, &options, 0, &group_size,
                                                       names, kept, 2));
done:
    clprim__text_free(&options);
    return status;
}

static clprim_status build_kernels(clprim__comparison_sort_plan *self, const clprim__order *order,
                                   size_t work_group_size)
{
    const clprim__comparison_sort_tuning tuning = clprim__comparison_sort_tuning_of(
        (clprim_comparison_sort_variant)self->row->info.id, &self->setting, self->base.runtime);
    clprim__prelude prelude = {.has_fp64 = false};
    clprim_status status = CLPRIM_SUCCESS;
    self->splits_from = tuning.splits_from;
    self->max_groups = GROUPS_PER_UNIT * (size_t)self->base.runtime->info.compute_units;
    clprim__order_write(&prelude, order, self->setting.max_count, &self->base.runtime->info);
    CLPRIM__TRY(clprim__prelude_status(&prelude));
    if (self->row->shape == CLPRIM__COMPARISON_SORT_SAMPLES) {
        CLPRIM__TRY(clprim__sample_sort_build(self, &prelude, &tuning.samples, work_group_size));
    } else if (self->row->shape == CLPRIM__COMPARISON_SORT_CHUNKS) {
        CLPRIM__TRY(build_chunks(self, &prelude, tuning.block.bytes));
    } else {
        CLPRIM__TRY(build_tiles(self, &prelude, &tuning, work_group_size));
    }
done:
    clprim__prelude_free(&prelude);
    return status;
}

clprim_status clprim__comparison_sort_build(clprim__comparison_sort_plan *self, const clprim_comparison_sort_desc *desc,
                                            const clprim__order *order)
{
    const clprim_bitonic_sort_desc bitonic = {.key_type = desc->key_type,
                                              .less = desc->less,
                                              .source = desc->source,
                                              .type_name = desc->type_name,
                                              .type_size = desc->type_size,
                                              .descending = desc->descending,
                                              .nan_order = desc->nan_order,
                                              .value_size = desc->value_size,
                                              .max_count = desc->max_count,
                                              .work_group_size = desc->work_group_size};
    const clprim_radix_sort_desc radix = {.key_type = desc->key_type,
                                          .value_size = desc->value_size,
                                          .descending = desc->descending,
                                          .nan_order = desc->nan_order,
                                          .max_count = desc->max_count,
                                          .work_group_size = desc->work_group_size};
    switch (self->row->shape) {
    case CLPRIM__COMPARISON_SORT_BY_BITONIC:
        return clprim__plan_create(&self->bitonic, self->base.runtime, &clprim__bitonic_sort_trial, &bitonic);
    case CLPRIM__COMPARISON_SORT_BY_RADIX: return clprim_radix_sort_create(&self->radix, self->base.runtime, &radix);
    default: return build_kernels(self, order, desc->work_group_size);
    }
}
