// SPDX-License-Identifier: MIT
/* top_k_build.c: create a plan's sort, and compile kernels that fit the device. */
#include "device.h"
#include "error.h"
#include "expression.h"
#include "operator.h"
#include "runtime_internal.h"
#include "top_k_internal.h"

enum {
    MAX_COPIES = 32,    /* of the counters: one per bank */
    MAX_TILE = 1 << 15, /* elements: a tile's elements are counted in 16 bits */
    OTHER_LOCAL_BYTES = 512,
    LEAST_GROUPS = 64 /* so that a chunk's elements can be counted in 32 bits on any device */
};

/* The shape of a variant, on which its local memory depends. */
typedef struct select_shape {
    size_t group_size, items, copies;
} select_shape;

/* Elements of a packet. Elements from an expression come one by one. */
static size_t pack_of(const clprim__top_k_plan *self)
{
    return self->setting.keys.has_input ? 1 : CLPRIM__PACKET_BYTES / self->setting.keys.key_size;
}

static size_t tile_of(const clprim__top_k_plan *self, const select_shape *shape)
{
    return shape->group_size * shape->items * pack_of(self);
}

static size_t count_size_of(const clprim__top_k_plan *self)
{
    return self->setting.keys.max_count > UINT32_MAX ? sizeof(cl_ulong) : sizeof(cl_uint);
}

/* Local memory of the kernel that needs the most: counters and their sums, or what ranks the elements of a tile. */
static size_t local_bytes(const clprim__top_k_plan *self, const select_shape *shape)
{
    const size_t radix = (size_t)1 << self->digit_bits;
    const size_t count_size = count_size_of(self);
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t summing = clprim__device_scan_values(info, shape->group_size) * count_size;
    const size_t counting = radix * shape->copies * sizeof(cl_uint) + radix * count_size;
    const size_t scanned = clprim__device_tile_scan_values(info, shape->group_size, shape->items);
    const size_t ranking = (scanned + CLPRIM__TAKEN) * sizeof(cl_uint) + 2 * summing;
    return (counting > ranking ? counting : ranking) + summing + OTHER_LOCAL_BYTES;
}

/* The largest group for which there is room, halving the wanted size; then the most packets per work-item; then the
 * most copies. In chunks, the most bits of a digit, because one work-group adds up the counters of all chunks. Part of
 * local memory stays free, because some drivers reserve part of it. */
static clprim_status fit(select_shape *shape, clprim__top_k_plan *self)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t wanted = shape->items;
    const size_t most = info->kind == CLPRIM_DEVICE_CPU ? 1 : MAX_COPIES;
    const size_t room = self->base.local_room;
    if (self->row->in_chunks || !self->row->selects) {
        while (shape->group_size > info->max_work_group_size)
            shape->group_size /= 2;
        while (self->digit_bits > 1 && (count_size_of(self) << self->digit_bits) + OTHER_LOCAL_BYTES > room)
            self->digit_bits--;
        shape->copies = 1;
        return CLPRIM_SUCCESS;
    }
    for (; shape->group_size > 0; shape->group_size /= 2)
        for (shape->items = wanted; shape->items > 0; shape->items--)
            for (shape->copies = most; shape->copies > 0; shape->copies /= 2)
                if (shape->group_size <= info->max_work_group_size && tile_of(self, shape) <= MAX_TILE &&
                    local_bytes(self, shape) <= room)
                    return CLPRIM_SUCCESS;
    return clprim__fail(CLPRIM_UNSUPPORTED, "%s needs more local memory than %s has (%zu bytes)", self->row->info.name,
                        info->name, info->local_memory_size);
}

/* The most elements among which top_k_finish can find the result with this much local memory; 0: too few to be
 * useful. */
static size_t few_most(const clprim__top_k_plan *self, const select_shape *shape, size_t local)
{
    enum { MOST = 8192, LEAST = 2048 };
    const size_t others =
        (CLPRIM__TAKEN + ((size_t)1 << CLPRIM__TAKEN_BUCKET_BITS) + ((size_t)1 << self->digit_bits) +
         shape->group_size + clprim__device_scan_values(&self->base.runtime->info, shape->group_size)) *
            sizeof(cl_uint) +
        OTHER_LOCAL_BYTES;
    const size_t tile_sums = /* they share the memory of the few */
        clprim__device_tile_scan_values(&self->base.runtime->info, shape->group_size, shape->items);
    const bool is_wide = self->setting.keys.key_size > sizeof(cl_uint);
    const size_t element = sizeof(cl_uint) + (is_wide ? sizeof(cl_ulong) : sizeof(cl_uint)); /* its place and its
                                                                                              * image */
    size_t few = MOST;
    while (few >= LEAST && few * element + others > local)
        few /= 2;
    return few >= LEAST && few >= tile_sums ? few : 0;
}

/* Whether to list elements first. This requires groups that sample together, and pays off if otherwise more than one
 * pass would read all elements. */
static void choose_filter(clprim__top_k_plan *self, const select_shape *shape, size_t wanted, size_t local)
{
    enum { LEAST_GROUP_SIZE = 64, TEAM = 32 };
    const bool is_large = shape->group_size >= LEAST_GROUP_SIZE && shape->group_size % TEAM == 0;
    self->few_most = few_most(self, shape, local);
    const bool is_wide = self->setting.keys.max_count > UINT32_MAX;
    const bool helps = self->row->selects && !is_wide && self->few_most > 0 && self->passes > 1 && is_large &&
                       self->setting.k <= self->setting.keys.max_count / CLPRIM__FILTER_SHARE;
    self->filtered_from = helps && wanted > 0 ? wanted : SIZE_MAX;
}

/* Whether few elements can be ordered without a sort. With sub-groups of 32, the sort is as fast. */
static bool choose_order(const clprim__top_k_plan *self, const select_shape *shape)
{
    enum { MOST_ITEMS = 8 }; /* per work-item, in registers */
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t element = self->setting.keys.key_size + sizeof(cl_uint);    /* and its place */
    const size_t room = CLPRIM__TAKEN * 5 / 4 * element + OTHER_LOCAL_BYTES; /* merges leave holes */
    return self->row->selects && !self->row->in_chunks && !self->setting.unsorted && self->setting.k <= CLPRIM__TAKEN &&
           info->sub_group_means != CLPRIM_SUB_GROUP_PTX && shape->group_size * MOST_ITEMS >= CLPRIM__TAKEN &&
           room <= self->base.local_room;
}

/* If a plan selects, its kernels read the caller's keys; otherwise its sort does. */
static clprim_status write_prelude(clprim__prelude *prelude, const clprim__top_k_plan *self)
{
    static const char *const values[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong", [16] = "uint4"};
    const clprim__radix_sort_setting *setting = &self->setting.keys;
    clprim__radix_sort_setting keys = *setting;
    clprim__text *text = &prelude->own;
    clprim_status status = CLPRIM_SUCCESS;
    keys.value_size = 0; /* the search does not move what is carried along */
    keys.indices = false;
    if (!self->row->selects) {
        keys.input = NULL;
        keys.text = NULL;
    }
    status = clprim__radix_sort_prelude(prelude, &keys, &self->base.runtime->info);
    if (status != CLPRIM_SUCCESS)
        return status;
    clprim__text_format(text, "#define ELEMENT KEY\n#define ELEMENT_SIZE %zu\n", setting->key_size);
    clprim__text_format(text, "#define CARRIED_SIZE %zu\n#define CARRIES_INDICES %d\n", setting->value_size,
                        setting->indices);
    if (setting->value_size > 0)
        clprim__text_format(text, "#define CARRIED %s\n", values[setting->value_size]);
    return CLPRIM_SUCCESS;
}

static clprim_status create_kernels(clprim__top_k_plan *self, const select_shape *shape)
{
    const bool filters = self->filtered_from < SIZE_MAX;
    const char *const names[CLPRIM__TOP_K_KERNELS] = {
        [CLPRIM__TOP_K_COPY] = "top_k_copy",
        [CLPRIM__TOP_K_COUNT] = self->row->selects ? "top_k_count" : NULL,
        [CLPRIM__TOP_K_GATHER] = self->row->selects ? "top_k_gather" : NULL,
        [CLPRIM__TOP_K_CHOOSE] = self->row->selects && !self->folds ? "top_k_choose" : NULL,
        [CLPRIM__TOP_K_KEEP] = self->row->in_chunks ? "top_k_keep" : NULL,
        [CLPRIM__TOP_K_SAMPLE] = filters ? "top_k_sample" : NULL,
        [CLPRIM__TOP_K_FILTER] = filters ? "top_k_filter" : NULL,
        [CLPRIM__TOP_K_FINISH] = filters ? "top_k_finish" : NULL,
        [CLPRIM__TOP_K_ORDER] = self->orders ? "top_k_order" : NULL};
    size_t group_size = shape->group_size;
    clprim__prelude prelude = {.has_fp64 = false};
    clprim__text options = {0};
    const clprim__build what = {.source = self->row->source,
                                .names = names,
                                .count = CLPRIM__TOP_K_KERNELS,
                                .prelude = &prelude,
                                .options = &options,
                                .counts = self->base.counts};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(write_prelude(&prelude, self));
    clprim__text_format(&options,
                        "-DDIGIT_BITS=%u -DITEMS=%zu -DCOPIES=%zu -DFOLDS=%d -DFILTERS=%d -DORDERS=%d "
                        "-DFEW_MOST=%zu -DPACKET_BYTES=%d" CLPRIM__TOP_K_SHARED(CLPRIM__SHARED_OPTION),
                        self->digit_bits, shape->items, shape->copies, self->folds, filters, self->orders,
                        self->few_most, CLPRIM__PACKET_BYTES);
    CLPRIM__TRY(clprim__build_kernels(self->kernels, &group_size, self->base.runtime, &what));
    self->tile = tile_of(self, &(select_shape){.group_size = group_size, .items = shape->items});
done:
    clprim__prelude_free(&prelude);
    clprim__text_free(&options);
    return status;
}

/* The sort of all elements, which makes the indices if they are wanted; or of the k, whose indices are known by
 * then. */
static clprim_status create_sort(clprim__top_k_plan *self)
{
    const clprim__radix_sort_setting *setting = &self->setting.keys;
    const bool is_joined = setting->num_keys > 1;
    clprim_radix_sort_desc desc = {.key_type = setting->key_type,
                                   .value_size = setting->value_size,
                                   .descending = setting->descending,
                                   .nan_order = setting->nan_order,
                                   .bit_range = is_joined,
                                   .begin_bit = is_joined ? setting->begin_bit : 0,
                                   .end_bit = is_joined ? setting->end_bit : 0,
                                   .count_at_type = self->setting.count_at_type,
                                   .max_count = setting->max_count};
    if (self->setting.unsorted || self->orders)
        return CLPRIM_SUCCESS;
    if (!self->row->selects)
        desc = (clprim_radix_sort_desc){.key_type = setting->first_type,
                                        .input = setting->input,
                                        .then = *setting->then,
                                        .text = *setting->text,
                                        .value_size = setting->indices ? 0 : setting->value_size,
                                        .argsort = setting->indices,
                                        .index_type = setting->value_size == sizeof(cl_ulong) ? CLPRIM_U64 : CLPRIM_U32,
                                        .descending = setting->first_descends,
                                        .nan_order = setting->nan_order,
                                        .count_at_type = self->setting.count_at_type,
                                        .max_count = setting->max_count};
    else if (self->setting.k < setting->max_count)
        desc.max_count = self->setting.k;
    return clprim_radix_sort_create(&self->sort, self->base.runtime, &desc);
}

clprim_status clprim__top_k_build(clprim__top_k_plan *self)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const clprim_top_k_variant variant = (clprim_top_k_variant)self->row->info.id;
    const clprim__top_k_tuning tuning =
        clprim__top_k_tuning_of(variant, self->base.runtime,
                                (clprim__tuned_for){.size = self->setting.keys.key_size,
                                                    .value_size = self->setting.keys.value_size,
                                                    .max_count = self->setting.keys.max_count});
    const unsigned key_bits = self->setting.keys.end_bit - self->setting.keys.begin_bit;
    const bool is_tuned = self->base.work_group_size == 0 || self->row->in_chunks;
    select_shape shape = {.group_size = is_tuned ? tuning.group_size : self->base.work_group_size,
                          .items = tuning.items};
    if (self->setting.keys.has_input && !self->row->in_chunks)
        shape.items = clprim__items_alone(tuning.items, CLPRIM__PACKET_BYTES / self->setting.keys.key_size);
    const size_t room = clprim__device_local_whole(info); /* for the single group of top_k_finish */
    clprim_status status = CLPRIM_SUCCESS;
    self->digit_bits = tuning.digit_bits < key_bits ? (unsigned)tuning.digit_bits : key_bits;
    self->folds = self->row->selects && !self->row->in_chunks && self->setting.keys.max_count <= UINT32_MAX;
    self->max_groups = tuning.max_per_unit * info->compute_units;
    if (self->max_groups < LEAST_GROUPS)
        self->max_groups = LEAST_GROUPS;
    CLPRIM__TRY(fit(&shape, self));
    self->orders = choose_order(self, &shape);
    self->passes = (key_bits + self->digit_bits - 1) / self->digit_bits;
    choose_filter(self, &shape, tuning.filtered_from,
                  info->vendor == CLPRIM_VENDOR_NVIDIA ? CLPRIM__NVIDIA_LOCAL_BYTES : room);
    status = create_kernels(self, &shape);
    if (status == CLPRIM_BUILD_FAILED && self->few_most > few_most(self, &shape, room)) {
        choose_filter(self, &shape, tuning.filtered_from, room);
        status = create_kernels(self, &shape);
    }
    CLPRIM__TRY(status);
    CLPRIM__TRY(create_sort(self));
    if (tuning.chunk != 0)
        self->tile = tuning.chunk;
done:
    return status;
}
