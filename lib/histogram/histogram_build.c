// SPDX-License-Identifier: MIT
/* histogram_build.c: compile kernels for a plan's setting, fitted to the device. */
#include "device.h"
#include "error.h"
#include "expression.h"
#include "histogram_internal.h"
#include "runtime_internal.h"
#include "text.h"

enum {
    MAX_ITEM_COUNTS = 255, /* maximum of a byte counter, before the group must sum the counters */
    MAX_COPIES = 32,       /* for REPLICATED: one per bank */
    CPU_COPIES = 4,        /* for CPU_CHUNK, whose tables stay in the cache */
    CPU_COPIES_UP_TO = 4096,
    NVIDIA_LOCAL_BYTES =
        200 * 1024, /* for LARGE: on chips that have more local memory than the driver reports, the compiler accepts
                     * this much */
    LAST_EPOCH = (1 << 30) - 1
};

/* The resources that a variant uses with one group size. */
typedef struct histogram_shape {
    size_t group_size;
    size_t items;
    size_t copies; /* for REPLICATED and CPU_CHUNK */
    size_t parts;  /* for LARGE */
    size_t tables; /* for SUB_GROUP_TAGGED */
} histogram_shape;

/* Whether each group computes running sums of its counters. */
static bool sums_up(const clprim__histogram_plan *self)
{
    return self->cumulative && !clprim__histogram_cumulates_last(self);
}

static size_t local_bytes(const clprim__histogram_plan *self, const histogram_shape *shape)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t table = self->setting.table;
    switch ((clprim_histogram_variant)self->row->info.id) {
    case CLPRIM_HISTOGRAM_LOCAL_ATOMIC: return table * self->setting.word_size;
    case CLPRIM_HISTOGRAM_PER_ITEM:
    case CLPRIM_HISTOGRAM_PER_ITEM_SHUFFLED: return table * (shape->group_size + sizeof(cl_uint));
    case CLPRIM_HISTOGRAM_SUB_GROUP_TAGGED: return table * (shape->tables + 1) * sizeof(cl_uint);
    case CLPRIM_HISTOGRAM_REPLICATED:
        return (table * shape->copies +
                (sums_up(self) ? table + clprim__device_scan_values(info, shape->group_size) : 0)) *
               sizeof(cl_uint);
    default: return 0;
    }
}

/* Reduce what the variant uses until it fits the device: first the number of copies of the table, then the group
 * size. */
static clprim_status fit(histogram_shape *shape, const clprim__histogram_plan *self, size_t local)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const clprim_histogram_variant variant = (clprim_histogram_variant)self->row->info.id;
    const bool is_tagged = variant == CLPRIM_HISTOGRAM_SUB_GROUP_TAGGED;
    const size_t least = is_tagged && info->sub_group_means == CLPRIM_SUB_GROUP_PTX ? info->sub_group_size : 1;
    shape->copies = 1;
    if (variant == CLPRIM_HISTOGRAM_REPLICATED)
        shape->copies = MAX_COPIES;
    if (variant == CLPRIM_HISTOGRAM_CPU_CHUNK)
        shape->copies = self->setting.table <= CPU_COPIES_UP_TO ? CPU_COPIES : 1;
    if (variant == CLPRIM_HISTOGRAM_CPU_CHUNK)
        shape->group_size = 1;
    while (shape->items * self->setting.pack > MAX_ITEM_COUNTS)
        shape->items /= 2;
    if (shape->group_size < least)
        shape->group_size = least;
    for (;;) {
        shape->tables = shape->group_size / least; /* maximum number of sub-groups */
        if (shape->group_size <= info->max_work_group_size && local_bytes(self, shape) <= local)
            break;
        if (shape->copies > 1 && shape->group_size <= info->max_work_group_size)
            shape->copies /= 2;
        else
            shape->group_size /= 2;
        if (shape->group_size < least || shape->group_size == 0)
            return clprim__fail(CLPRIM_UNSUPPORTED,
                                "%s with %zu counters needs more local memory than %s has (%zu bytes)",
                                self->row->info.name, self->setting.table, info->name, info->local_memory_size);
    }
    shape->parts = 1;
    if (variant == CLPRIM_HISTOGRAM_LARGE)
        shape->parts = clprim__divide_up(self->setting.table * sizeof(cl_ushort), local);
    return CLPRIM_SUCCESS;
}

static clprim_status create_sort(clprim__histogram_plan *self)
{
    const size_t channels = self->setting.channels;
    const size_t most = clprim__histogram_portion(self);
    clprim_radix_sort_desc desc = {.key_type = CLPRIM_U32,
                                   .bit_range = true,
                                   .max_count =
                                       self->base.max_count < most / channels ? self->base.max_count * channels : most};
    for (size_t last = self->setting.table; last > 0; last /= 2)
        desc.end_bit++;
    return clprim_radix_sort_create(&self->sort, self->base.runtime, &desc);
}

static clprim_status create_kernels(clprim__histogram_plan *self, const clprim__prelude *prelude,
                                    const histogram_shape *shape)
{
    const bool has_range = self->row->info.id == CLPRIM_HISTOGRAM_LARGE;
    const size_t range = has_range ? (clprim__divide_up(self->setting.table, shape->parts) + 1) / 2 * 2 : 0;
    const clprim__histogram_shape launches = self->row->shape;
    const char *const names[CLPRIM__HISTOGRAM_KERNELS] = {
        self->row->kernel, launches != CLPRIM__HISTOGRAM_ONE_LAUNCH ? "histogram_merge" : NULL,
        launches == CLPRIM__HISTOGRAM_SORTED ? "histogram_edges" : NULL,
        clprim__histogram_cumulates_last(self) ? "histogram_cumulate" : NULL};
    size_t group_size = shape->group_size;
    clprim__text options = {0};
    const clprim__build what = {.source = self->row->source,
                                .names = names,
                                .count = CLPRIM__HISTOGRAM_KERNELS,
                                .prelude = prelude,
                                .options = &options,
                                .counts = self->base.counts};
    clprim_status status = CLPRIM_SUCCESS;
    clprim__text_format(&options,
                        "-DITEMS=%zu -DCOPIES=%zu -DPARTS=%zu -DRANGE=%zu -DTABLES=%zu -DPACKET_BYTES=%d "
                        "-DCUMULATIVE=%d" CLPRIM__HISTOGRAM_SHARED(CLPRIM__SHARED_OPTION),
                        shape->items, shape->copies, shape->parts, range, shape->tables, CLPRIM__PACKET_BYTES,
                        sums_up(self));
    CLPRIM__TRY(clprim__build_kernels(self->kernels, &group_size, self->base.runtime, &what));
    self->copies = shape->copies;
    self->parts = shape->parts;
    self->row_elements = group_size * self->setting.pack;
done:
    clprim__text_free(&options);
    return status;
}

static size_t items_of(const clprim__histogram_plan *self, size_t packets)
{
    const size_t pack = CLPRIM__PACKET_BYTES / clprim_type_size(self->setting.type);
    return self->setting.pack < pack ? clprim__items_alone(packets, pack) : packets;
}

clprim_status clprim__histogram_build(clprim__histogram_plan *self, const clprim__prelude *prelude)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const clprim_histogram_variant variant = (clprim_histogram_variant)self->row->info.id;
    const clprim__histogram_tuning tuning = clprim__histogram_tuning_of(
        variant, self->base.runtime,
        (clprim__tuned_for){.size = clprim_type_size(self->setting.type), .max_count = SIZE_MAX});
    const size_t wanted = self->base.work_group_size != 0 ? self->base.work_group_size : tuning.group_size;
    const bool has_parts = variant == CLPRIM_HISTOGRAM_LARGE; /* each part of the table reads all elements */
    const size_t local = has_parts ? clprim__device_local_whole(info) : self->base.local_room;
    const bool tries_more = has_parts && info->vendor == CLPRIM_VENDOR_NVIDIA;
    const size_t items = items_of(self, tuning.items);
    histogram_shape shape = {.group_size = wanted, .items = items};
    clprim_status status = CLPRIM_BUILD_FAILED;
    if (tries_more && fit(&shape, self, NVIDIA_LOCAL_BYTES) == CLPRIM_SUCCESS)
        status = create_kernels(self, prelude, &shape);
    if (status == CLPRIM_BUILD_FAILED) {
        shape = (histogram_shape){.group_size = wanted, .items = items};
        status = fit(&shape, self, local);
        if (status == CLPRIM_SUCCESS)
            status = create_kernels(self, prelude, &shape);
    }
    if (status == CLPRIM_SUCCESS && self->row->shape == CLPRIM__HISTOGRAM_SORTED)
        status = create_sort(self);
    self->max_groups = tuning.groups_per_unit * info->compute_units;
    self->max_groups = self->max_groups < self->parts ? 1 : self->max_groups / (self->parts > 0 ? self->parts : 1);
    return status;
}
