// SPDX-License-Identifier: MIT
/* segmented_top_k_build.c: create a plan's sort, and compile kernels that fit the device. */
#include "device.h"
#include "error.h"
#include "kernels_segmented_top_k.h"
#include "runtime_internal.h"
#include "segmented_sort_internal.h"
#include "segmented_top_k_internal.h"
#include "text.h"
#include "top_k_internal.h"

enum {
    MAX_MINIMA = 16, /* per work-item, in registers */
    LEAST_GROUP = 32,
    MAX_BINS = 256,
    OTHER_LOCAL_BYTES = 256,
    MOST_TEAM_BITS = 5, /* a warp */
    MOST_TEAM_GROUP = 256,
    MOST_RANKED = 8,     /* elements of k per lane */
    LEAST_KEYS_BITS = 3, /* per lane */
    MOST_KEYS = 32,      /* bits of a word */
    TEAM_REGISTERS = 64  /* per work-item; NVIDIA's compiler would take up to 96, but does not need them */
};

typedef clprim__segmented_top_k_tuning tuning_type;

/* The shape for which a kernel is compiled. */
typedef struct kernel_shape {
    size_t group_size;
    size_t listed;           /* slots of the list of results, except in select.cl */
    size_t minima, capacity; /* for a group of select.cl */
    unsigned team_bits;      /* for teams.cl: 2^team_bits lanes */
    unsigned keys_bits;      /* with 2^keys_bits keys each */
    size_t packet_bytes;
    unsigned max_registers; /* per work-item; 0: the compiler decides */
} kernel_shape;

static size_t local_bytes(const clprim__segmented_top_k_plan *self, const kernel_shape *shape)
{
    const size_t scan = clprim__device_tile_scan_values(&self->base.runtime->info, shape->group_size, 1);
    return shape->capacity * (self->setting.keys.key_size + sizeof(cl_uint)) + (MAX_BINS + scan) * sizeof(cl_uint) +
           OTHER_LOCAL_BYTES;
}

/* Choose as many minima as there is room for, up to four times k: the more there are, the fewer elements are up to the
 * k-th one. */
static clprim_status fit(kernel_shape *shape, const clprim__segmented_top_k_plan *self)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t room = self->base.local_room;
    const size_t wanted = clprim__segmented_top_k_capacity(4 * self->setting.k);
    const size_t least = wanted / MAX_MINIMA > LEAST_GROUP ? wanted / MAX_MINIMA : LEAST_GROUP;
    shape->group_size = clprim__larger(shape->group_size, least);
    for (; shape->group_size > 1; shape->group_size /= 2) {
        if (shape->group_size > info->max_work_group_size)
            continue;
        const size_t most = clprim__larger(wanted / shape->group_size, 1);
        for (shape->minima = clprim__smaller(most, MAX_MINIMA); shape->minima > 0; shape->minima /= 2)
            for (size_t share = 2; share > 0; share--) {
                const size_t minima = shape->group_size * shape->minima;
                shape->capacity = clprim__segmented_top_k_capacity(clprim__larger(share * minima, 2 * self->setting.k));
                if (minima <= shape->capacity && local_bytes(self, shape) <= room)
                    return CLPRIM_SUCCESS;
            }
    }
    return clprim__fail(CLPRIM_UNSUPPORTED, "%s with k = %zu needs more local memory than %s has", self->row->info.name,
                        self->setting.k, info->name);
}

/* As for a sort of keys alone; what is carried along is added below. */
static clprim_status write_prelude(clprim__prelude *prelude, const clprim__segmented_top_k_plan *self,
                                   const kernel_shape *shape)
{
    static const char *const values[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong", [16] = "uint4"};
    const clprim__segmented_top_k_setting *setting = &self->setting;
    const bool has_offsets = setting->segment_length == 0;
    const bool is_wide = setting->keys.max_count > UINT32_MAX;
    const bool is_wide_offset = has_offsets ? setting->offset_size == sizeof(cl_ulong) : is_wide;
    clprim__radix_sort_setting keys = setting->keys;
    clprim__text *text = &prelude->own;
    keys.value_size = 0;
    keys.indices = false;
    const clprim_status status = clprim__radix_sort_prelude(prelude, &keys, &self->base.runtime->info);
    if (status != CLPRIM_SUCCESS)
        return status;
    clprim__text_format(text, "#define ELEMENT KEY\n#define ELEMENT_SIZE %zu\n", setting->keys.key_size);
    clprim__text_format(text, "#define CARRIED_SIZE %zu\n#define CARRIES_INDICES %d\n", setting->keys.value_size,
                        setting->keys.indices);
    if (setting->keys.value_size > 0)
        clprim__text_format(text, "#define CARRIED %s\n", values[setting->keys.value_size]);
    clprim__text_format(text, "#define HAS_OFFSETS %d\n#define OFFSET %s\n#define UNSORTED %d\n#define LISTED %zu\n",
                        has_offsets, is_wide_offset ? "ulong" : "uint", setting->unsorted, shape->listed);
    clprim__text_format(text, "#define INDEX %s\n#define HAS_ORDER %d\n", is_wide ? "ulong" : "uint",
                        self->sorts_indices);
    return CLPRIM_SUCCESS;
}

static clprim_status create(clprim__segmented_top_k_plan *self, const char *const *names, const clprim__source *source,
                            kernel_shape *shape)
{
    clprim__prelude prelude = {.has_fp64 = false};
    clprim__text options = {0};
    const clprim__build what = {.source = source,
                                .names = names,
                                .count = CLPRIM__SEGMENTED_TOP_K_KERNELS,
                                .prelude = &prelude,
                                .options = &options,
                                .max_registers = shape->max_registers};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(write_prelude(&prelude, self, shape));
    clprim__text_format(&options,
                        "-DDIGIT_BITS=8 -DITEMS=1 -DPACKET_BYTES=%zu -DMINIMA=%zu -DCAPACITY=%zu -DTEAM_BITS=%u "
                        "-DKEYS_EACH_BITS=%u" CLPRIM__SEGMENTED_TOP_K_SHARED(CLPRIM__SHARED_OPTION)
                            CLPRIM__TOP_K_SHARED(CLPRIM__SHARED_OPTION),
                        shape->packet_bytes, shape->minima, shape->capacity, shape->team_bits, shape->keys_bits);
    status = clprim__build_kernels(self->kernels, &shape->group_size, self->base.runtime, &what);
done:
    clprim__prelude_free(&prelude);
    clprim__text_free(&options);
    return status;
}

/* A sort of all elements: keys, and their indices if values or the order of the input are wanted. */
static clprim_status create_sort(clprim__segmented_top_k_plan *self)
{
    const clprim__segmented_top_k_setting *setting = &self->setting;
    const clprim__radix_sort_setting *keys = &setting->keys;
    const bool has_offsets = setting->segment_length == 0;
    const bool is_wide = keys->max_count > UINT32_MAX;
    const clprim_segmented_sort_desc desc = {
        .key_type = keys->key_type,
        .argsort = self->sorts_indices,
        .index_type = is_wide ? CLPRIM_U64 : CLPRIM_U32,
        .descending = keys->descending,
        .nan_order = keys->nan_order,
        .offsets_type = (has_offsets ? setting->offset_size == sizeof(cl_ulong) : is_wide) ? CLPRIM_U64 : CLPRIM_U32,
        .max_count = keys->max_count,
        .max_segments = setting->max_segments,
        .max_segment_size = setting->segment_length};
    return clprim_segmented_sort_create(&self->sort, self->base.runtime, &desc);
}

static clprim_status build_sort(clprim__segmented_top_k_plan *self, kernel_shape *shape)
{
    const bool gathers = self->setting.unsorted;
    const bool has_offsets = self->setting.segment_length == 0;
    const char *const names[CLPRIM__SEGMENTED_TOP_K_KERNELS] = {
        [CLPRIM__SEGMENTED_TOP_K_OFFSETS] = has_offsets ? NULL : "segmented_top_k_offsets",
        [CLPRIM__SEGMENTED_TOP_K_COPY] = gathers ? "segmented_top_k_gather" : "segmented_top_k_copy"};
    const clprim_status status = create(self, names, self->row->source, shape);
    return status == CLPRIM_SUCCESS ? create_sort(self) : status;
}

static kernel_shape plain_shape(size_t group_size, size_t listed)
{
    return (kernel_shape){.group_size = group_size,
                          .listed = listed,
                          .minima = 1,
                          .capacity = 1,
                          .keys_bits = LEAST_KEYS_BITS,
                          .packet_bytes = CLPRIM__PACKET_BYTES};
}

/* Local memory of a group of teams without shuffles (parts/bound.cl). With shuffles, a group needs far less. */
static size_t team_bytes(const clprim__segmented_top_k_plan *self, const kernel_shape *shape)
{
    const size_t pair_size = self->setting.keys.key_size + (self->setting.unsorted ? 2 : 1) * sizeof(cl_uint);
    size_t room = 2 * (size_t)MOST_RANKED;
    while (room < 4 * self->setting.k || room < (size_t)1 << shape->team_bits)
        room *= 2;
    return (shape->group_size >> shape->team_bits) * (room + 2) * pair_size + shape->group_size * sizeof(cl_uint) +
           OTHER_LOCAL_BYTES;
}

/* A team has as many lanes as the segment needs if each lane has about `keys` keys, and as many as ranking k keys
 * needs. */
static kernel_shape shape_of_teams(const clprim__segmented_top_k_plan *self, const tuning_type *tuning, size_t keys)
{
    const size_t length = self->setting.segment_length != 0 ? self->setting.segment_length : self->team_longest;
    kernel_shape shape = plain_shape(clprim__smaller(tuning->short_group_size, MOST_TEAM_GROUP), self->setting.k);
    while (keys >> shape.keys_bits > 1)
        shape.keys_bits++;
    while ((size_t)MOST_RANKED << shape.team_bits < self->setting.k)
        shape.team_bits++;
    while (shape.keys_bits > LEAST_KEYS_BITS && (size_t)1 << (shape.team_bits + shape.keys_bits - 1) >= length)
        shape.keys_bits--;
    while ((size_t)1 << (shape.team_bits + shape.keys_bits) < length)
        if (shape.team_bits < MOST_TEAM_BITS)
            shape.team_bits++;
        else
            shape.keys_bits++;
    while (shape.packet_bytes > self->setting.keys.key_size << shape.keys_bits)
        shape.packet_bytes /= 2;
    if (self->base.runtime->info.sub_group_means != CLPRIM_SUB_GROUP_PTX)
        while (shape.group_size >> shape.team_bits > 1 && team_bytes(self, &shape) > self->base.local_room)
            shape.group_size /= 2;
    if (self->setting.keys.key_size << shape.keys_bits <= MOST_KEYS * sizeof(cl_uint))
        shape.max_registers = TEAM_REGISTERS;
    return shape;
}

/* Teams are fast with warps. Without sub-groups, lanes communicate through local memory, which pays off if k is small.
 * Teams were not measured on GPUs with sub-groups of another kind. For CPUs it does not matter: AUTO takes another
 * variant. */
static bool are_lanes_fast(const clprim__segmented_top_k_plan *self)
{
    enum { MOST_K = 16 };
    const clprim_device_info *info = &self->base.runtime->info;
    if (info->sub_group_means == CLPRIM_SUB_GROUP_PTX || info->kind == CLPRIM_DEVICE_CPU)
        return true;
    return info->sub_group_means == CLPRIM_SUB_GROUP_NONE && self->setting.k <= MOST_K;
}

/* Whether the plan uses teams. Otherwise a work-item or a group takes each segment. */
static bool has_teams(const clprim__segmented_top_k_plan *self)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t length = self->setting.segment_length;
    return are_lanes_fast(self) && info->max_work_group_size >= (size_t)1 << MOST_TEAM_BITS &&
           self->setting.k <= CLPRIM__SEGMENTED_TOP_K_TEAM_MOST && length <= self->team_longest &&
           self->team_longest > CLPRIM__SEGMENTED_TOP_K_TEAM_FROM &&
           (length == 0 || length > CLPRIM__SEGMENTED_TOP_K_TEAM_FROM);
}

/* More lanes per segment finish it sooner; with fewer lanes, each instruction works on more segments. */
static clprim_status build_teams(clprim__segmented_top_k_plan *self, const tuning_type *tuning)
{
    const char *const names[CLPRIM__SEGMENTED_TOP_K_KERNELS] = {[CLPRIM__SEGMENTED_TOP_K_TEAMS] =
                                                                    "segmented_top_k_teams"};
    const char *const smalls[CLPRIM__SEGMENTED_TOP_K_KERNELS] = {[CLPRIM__SEGMENTED_TOP_K_SMALL_TEAMS] =
                                                                     "segmented_top_k_teams"};
    kernel_shape shape = shape_of_teams(self, tuning, tuning->team_keys);
    kernel_shape small = shape_of_teams(self, tuning, MOST_KEYS);
    clprim_status status = CLPRIM_SUCCESS;
    self->team = (size_t)1 << shape.team_bits;
    CLPRIM__TRY(create(self, names, &clprim__source_segmented_top_k_teams, &shape));
    if (small.team_bits == shape.team_bits)
        goto done;
    self->small_team = (size_t)1 << small.team_bits;
    self->small_from = tuning->small_from * self->base.runtime->info.compute_units;
    status = create(self, smalls, &clprim__source_segmented_top_k_teams, &small);
done:
    return status;
}

/* The kernels that a call may need: rows are all short or all long; offsets may give segments of any length. */
static clprim_status build_select(clprim__segmented_top_k_plan *self, kernel_shape *shape, const tuning_type *tuning)
{
    enum { LEAST_SHARE = 16 }; /* a part has at least LEAST_SHARE * k elements */
    const char *const shorts[CLPRIM__SEGMENTED_TOP_K_KERNELS] = {[CLPRIM__SEGMENTED_TOP_K_SHORT] =
                                                                     "segmented_top_k_short"};
    const char *const selects[CLPRIM__SEGMENTED_TOP_K_KERNELS] = {[CLPRIM__SEGMENTED_TOP_K_SELECT] =
                                                                      "segmented_top_k_select"};
    const size_t length = self->setting.segment_length;
    const size_t most = self->base.runtime->info.max_work_group_size;
    kernel_shape short_shape = plain_shape(clprim__smaller(tuning->short_group_size, most), shape->listed);
    clprim_status status = CLPRIM_SUCCESS;
    if (self->setting.k > CLPRIM__SEGMENTED_TOP_K_LISTED)
        self->longest = CLPRIM__SEGMENTED_TOP_K_LISTED;
    self->part = clprim__larger(self->part, LEAST_SHARE * self->setting.k);
    if (has_teams(self))
        CLPRIM__TRY(build_teams(self, tuning));
    if (self->team > 0 && length > 0)
        goto done;
    CLPRIM__TRY(fit(shape, self));
    if (length <= self->longest)
        CLPRIM__TRY(create(self, shorts, &clprim__source_segmented_top_k_short, &short_shape));
    if (length == 0 || length > CLPRIM__SEGMENTED_TOP_K_LISTED)
        status = create(self, selects, self->row->source, shape);
done:
    return status;
}

clprim_status clprim__segmented_top_k_build(clprim__segmented_top_k_plan *self)
{
    const clprim__radix_sort_setting *keys = &self->setting.keys;
    const char *const chunks[CLPRIM__SEGMENTED_TOP_K_KERNELS] = {[CLPRIM__SEGMENTED_TOP_K_CHUNK] =
                                                                     "segmented_top_k_cpu_chunk"};
    const tuning_type tuning = clprim__segmented_top_k_tuning_of(
        (clprim_segmented_top_k_variant)self->row->info.id, self->base.runtime,
        (clprim__tuned_for){.size = keys->key_size, .value_size = keys->value_size, .max_count = keys->max_count});
    const bool is_listed = self->setting.k <= CLPRIM__SEGMENTED_TOP_K_LISTED;
    kernel_shape shape = plain_shape(clprim__group_size(&self->base, tuning.group_size),
                                     is_listed ? self->setting.k : CLPRIM__SEGMENTED_TOP_K_LISTED);
    self->max_groups = tuning.groups_per_unit * self->base.runtime->info.compute_units;
    self->longest = tuning.longest;
    self->team_longest = tuning.team_longest;
    self->part = tuning.part;
    switch (self->row->how) {
    case CLPRIM__SEGMENTED_TOP_K_SORTS:
        self->sorts_indices = keys->value_size > 0 || self->setting.unsorted;
        return build_sort(self, &shape);
    case CLPRIM__SEGMENTED_TOP_K_SELECTS: return build_select(self, &shape, &tuning);
    default:
        self->keeps_list = is_listed;
        shape.listed = is_listed ? self->setting.k : 0;
        shape.group_size = 1;
        return create(self, chunks, self->row->source, &shape);
    }
}
