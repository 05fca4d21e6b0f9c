// SPDX-License-Identifier: MIT
/* comparison_sort_build.c: compile kernels for a description, fitted to the device, or make the plan of the sort that
 * does the work. */
#include "build.h"
#include "comparison_sort_internal.h"
#include "device.h"
#include "error.h"
#include "kernels_comparison_sort.h"
#include "runtime_internal.h"

enum {
    GROUPS_PER_UNIT = 4,
    INPUT_GROUP_SIZE = 256,
    RANKS_GROUP_SIZE = 512,
    RANKS_LOCAL_BYTES = 256 /* for RANK, in addition to elements */
};

static clprim_status build_block(clprim__comparison_sort_plan *self, const clprim__prelude *prelude,
                                 const clprim__comparison_sort_group *tuned)
{
    static const char *const names[] = {[CLPRIM__COMPARISON_SORT_BLOCK] = "comparison_sort_block"};
    clprim__comparison_sort_tile shape = {0};
    clprim__text options = {0};
    const clprim__build what = {.source = &clprim__source_comparison_sort_block,
                                .names = names,
                                .count = 1,
                                .prelude = prelude,
                                .options = &options,
                                .counts = self->base.counts};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__comparison_sort_fit_tile(&shape, self, tuned, self->base.work_group_size,
                                                 clprim__bitonic_sort_log2(self->setting.max_count)));
    clprim__comparison_sort_write_tile(&options, self, &shape);
    clprim__text_format(&options, " -DHAS_FLAGS=%d -DRUNS_HAVE_PLACES=1 -DSTABLE=%d", self->has_flags,
                        self->setting.stable && self->setting.shows_order);
    CLPRIM__TRY(clprim__build_kernels(self->kernels, &shape.group_size, self->base.runtime, &what));
    self->block_log = clprim__comparison_sort_tile_log(&shape);
done:
    clprim__text_free(&options);
    return status;
}

/* Compile the kernels that merge: MERGES_AT_ONCE if at_once, otherwise MERGE and the kernels that belong to it. The
 * merges' tiles must not be larger than the first runs that they make. */
static clprim_status build_merge(clprim__comparison_sort_plan *self, bool at_once, const clprim__prelude *prelude,
                                 const clprim__comparison_sort_tile *shape)
{
    const bool has_splits = !at_once && self->setting.max_count >= self->splits_from;
    const bool mends = !at_once && self->setting.is_custom;
    const char *const names[CLPRIM__COMPARISON_SORT_KERNELS] = {
        [CLPRIM__COMPARISON_SORT_MERGE] = at_once ? NULL : "comparison_sort_merge",
        [CLPRIM__COMPARISON_SORT_MEND] = mends ? "comparison_sort_mend" : NULL,
        [CLPRIM__COMPARISON_SORT_SPLIT] = has_splits ? "comparison_sort_split" : NULL,
        [CLPRIM__COMPARISON_SORT_MERGES_AT_ONCE] = at_once ? "comparison_sort_merges" : NULL};
    size_t group_size = shape->group_size;
    clprim__text options = {0};
    const clprim__build what = {.source = at_once ? &clprim__source_comparison_sort_merges
                                                  : &clprim__source_comparison_sort_merge,
                                .names = names,
                                .count = CLPRIM__COMPARISON_SORT_KERNELS,
                                .prelude = prelude,
                                .options = &options,
                                .counts = self->base.counts};
    clprim__comparison_sort_write_tile(&options, self, shape);
    clprim__text_format(&options, " -DWITH_SPLITS=%d -DHAS_FLAGS=%d -DBY_NETWORK=%d", has_splits,
                        at_once || self->setting.is_custom, self->row->by_network);
    const clprim_status status = clprim__build_kernels(self->kernels, &group_size, self->base.runtime, &what);
    clprim__text_free(&options);
    return status;
}

/* Compile the kernels for up to ranked_up_to elements. */
static clprim_status build_ranks(clprim__comparison_sort_plan *self, const clprim__prelude *prelude)
{
    static const char *const names[] = {[CLPRIM__COMPARISON_SORT_RANK] = "comparison_sort_rank",
                                        [CLPRIM__COMPARISON_SORT_PLACE] = "comparison_sort_place"};
    const size_t room = self->base.local_room - RANKS_LOCAL_BYTES;
    const size_t chunk = (size_t)1 << clprim__comparison_sort_log2_below(room / self->setting.key_size);
    size_t group_size = clprim__group_size(&self->base, RANKS_GROUP_SIZE);
    clprim__text options = {0};
    const clprim__build what = {.source = &clprim__source_comparison_sort_ranks,
                                .names = names,
                                .count = sizeof names / sizeof *names,
                                .prelude = prelude,
                                .options = &options,
                                .counts = self->base.counts};
    clprim__text_format(&options, "-DMOST=%zu -DCHUNK=%zu" CLPRIM__RANKS_SHARED(CLPRIM__SHARED_OPTION),
                        self->ranked_up_to, clprim__smaller(chunk, self->ranked_up_to));
    clprim__comparison_sort_write_memory(&options, self);
    const clprim_status status = clprim__build_kernels(self->kernels, &group_size, self->base.runtime, &what);
    clprim__text_free(&options);
    return status;
}

/* Compile the kernels that are needed for some number of elements up to the maximum. */
static clprim_status build_tiles(clprim__comparison_sort_plan *self, const clprim__prelude *prelude,
                                 const clprim__comparison_sort_tuning *tuning)
{
    const size_t most = self->setting.max_count;
    clprim__comparison_sort_tile shape = {0};
    clprim_status status = CLPRIM_SUCCESS;
    self->ranked_up_to =
        clprim__comparison_sort_ranked_up_to(&self->base.runtime->info, &self->setting, tuning->pairs_a_unit);
    if (self->ranked_up_to > 0)
        CLPRIM__TRY(build_ranks(self, prelude));
    if (self->ranked_up_to >= most)
        goto done;
    if (clprim__device_can_wait(&self->base.runtime->info))
        self->at_once_up_to = clprim__smaller(tuning->at_once_bytes / clprim__comparison_sort_item_size(self), most);
    self->has_flags = self->setting.is_custom || self->at_once_up_to > 0;
    CLPRIM__TRY(build_block(self, prelude, &tuning->block));
    if (most <= (size_t)1 << self->block_log)
        goto done;
    CLPRIM__TRY(clprim__comparison_sort_fit_tile(&shape, self, &tuning->merge, self->base.work_group_size,
                                                 self->block_log + 1));
    self->merge_items_log = shape.items_log;
    if (self->at_once_up_to > 0)
        CLPRIM__TRY(build_merge(self, true, prelude, &shape));
    if (self->at_once_up_to < most)
        status = build_merge(self, false, prelude, &shape);
done:
    return status;
}

static clprim_status build_kernels(clprim__comparison_sort_plan *self, const clprim__order *order)
{
    const clprim__comparison_sort_setting *setting = &self->setting;
    const clprim__comparison_sort_tuning tuning =
        clprim__comparison_sort_tuning_of((clprim_comparison_sort_variant)self->row->info.id, self->base.runtime,
                                          (clprim__tuned_for){.size = setting->key_size,
                                                              .value_size = setting->value_size,
                                                              .max_count = setting->max_count,
                                                              .of = setting->stable && setting->shows_order});
    clprim__prelude prelude = {.has_fp64 = false};
    clprim_status status = CLPRIM_SUCCESS;
    self->splits_from = tuning.splits_from;
    self->max_groups = GROUPS_PER_UNIT * (size_t)self->base.runtime->info.compute_units;
    CLPRIM__TRY(clprim__order_write(&prelude, order, setting->max_count, &self->base.runtime->info));
    if (self->row->shape == CLPRIM__COMPARISON_SORT_SAMPLES)
        status = clprim__sample_sort_build(self, &prelude, &tuning.samples);
    else if (self->row->shape == CLPRIM__COMPARISON_SORT_CHUNKS)
        status = clprim__chunk_sort_build(self, &prelude, tuning.block.bytes);
    else
        status = build_tiles(self, &prelude, &tuning);
done:
    clprim__prelude_free(&prelude);
    return status;
}

clprim_status clprim__comparison_sort_build_input(clprim__comparison_sort_plan *self, const clprim__order *order)
{
    static const char *const name = "comparison_sort_input";
    size_t group_size = clprim__group_size(&self->base, INPUT_GROUP_SIZE);
    clprim__prelude prelude = {.has_fp64 = false};
    clprim__text options = {0};
    const clprim__build what = {.source = &clprim__source_comparison_sort_input,
                                .names = &name,
                                .count = 1,
                                .prelude = &prelude,
                                .options = &options,
                                .counts = self->base.counts};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__order_write(&prelude, order, self->setting.max_count, &self->base.runtime->info));
    clprim__text_format(&options, " ");
    status =
        clprim__build_kernels(&self->kernels[CLPRIM__COMPARISON_SORT_INPUT], &group_size, self->base.runtime, &what);
done:
    clprim__prelude_free(&prelude);
    clprim__text_free(&options);
    return status;
}

clprim_status clprim__comparison_sort_build_indices(clprim__comparison_sort_plan *self)
{
    static const char *const name = "comparison_sort_indices";
    size_t group_size = clprim__group_size(&self->base, INPUT_GROUP_SIZE);
    clprim__text options = {0};
    const clprim__build what = {.source = &clprim__source_comparison_sort_indices,
                                .names = &name,
                                .count = 1,
                                .options = &options,
                                .counts = self->base.counts};
    clprim__text_format(&options, "-DINDEX=%s", self->setting.value_size == sizeof(cl_uint) ? "uint" : "ulong");
    const clprim_status status =
        clprim__build_kernels(&self->kernels[CLPRIM__COMPARISON_SORT_INDICES], &group_size, self->base.runtime, &what);
    clprim__text_free(&options);
    return status;
}

clprim_status clprim__comparison_sort_build(clprim__comparison_sort_plan *self, const clprim_comparison_sort_desc *desc,
                                            const clprim__order *order)
{
    const clprim_bitonic_sort_desc bitonic = {.key_type = desc->key_type,
                                              .less = desc->less,
                                              .text = *order->text,
                                              .type_name = desc->type_name,
                                              .type_size = desc->type_size,
                                              .descending = desc->descending,
                                              .nan_order = desc->nan_order,
                                              .value_size = self->setting.value_size,
                                              .max_count = desc->max_count,
                                              .work_group_size = desc->work_group_size};
    const clprim_radix_sort_desc radix = {.key_type = desc->key_type,
                                          .value_size = self->setting.value_size,
                                          .descending = desc->descending,
                                          .nan_order = desc->nan_order,
                                          .count_at_type = desc->count_at_type,
                                          .max_count = desc->max_count,
                                          .work_group_size = desc->work_group_size};
    switch (self->row->shape) {
    case CLPRIM__COMPARISON_SORT_BY_BITONIC:
        return clprim__plan_create(&self->bitonic, self->base.runtime, &clprim__bitonic_sort_trial, &bitonic);
    case CLPRIM__COMPARISON_SORT_BY_RADIX: return clprim_radix_sort_create(&self->radix, self->base.runtime, &radix);
    default: return build_kernels(self, order);
    }
}
