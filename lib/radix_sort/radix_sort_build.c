// SPDX-License-Identifier: MIT
/* radix_sort_build.c: compile kernels that fit the device. */
#include "device.h"
#include "error.h"
#include "expression.h"
#include "kernels_radix_sort.h"
#include "operator.h"
#include "order.h"
#include "radix_sort/modes.h"
#include "radix_sort_internal.h"
#include "runtime_internal.h"
#include "sizes.h"

enum {
    WARP = 32,
    HALF_BITS = 16,
    GROUP_DIGIT_BITS = 8,    /* in groups with a work-item for each digit */
    ITEM_DIGIT_BITS = 4,     /* if each work-item ranks its own keys */
    MASKS_GROUP = 256,       /* larger groups have larger tables */
    SINGLE_GROUP_ITEMS = 16, /* more only if groups cannot be larger */
    SINGLE_GROUP_MAX_ITEMS = 32,
    NVIDIA_COUNTERS_BYTES = 128 * 1024,
    OTHER_LOCAL_BYTES = 4 * 1024 + 256, /* an upper bound of what kernels need besides tile and table */
    MAX_COPIES = 32,                    /* one per bank */
    LOADED_BYTES = 64,                  /* that a work-item loads at once to count digits */
    LOADED_BYTES_OF_FEW = 32,           /* so that all compute units have work */
    FEW = 1 << 24,                      /* elements */
    MAX_COUNT_ITEMS = 16,
    MAX_REGISTERS = 64,                 /* per work-item; with more, only half as many groups would fit */
    NARROW_STATUS_UP_TO = (1 << 30) - 1 /* elements: counts of 32 bits, two of which say what the count is */
};

/* The shape of a variant for one budget of local memory. */
typedef struct sort_shape {
    size_t group_size;
    size_t items;
    unsigned rank_by; /* RANK_BY_ITEM, ... */
    unsigned digit_bits;
    size_t looks;
    size_t count_group_size, count_items, copies; /* of the kernel that counts for ONESWEEP and for RANGES */
} sort_shape;

static bool has_warps(const clprim__radix_sort_plan *self)
{
    return self->base.runtime->info.sub_group_means == CLPRIM_SUB_GROUP_PTX;
}

/* Whether groups take tiles through a pass by kernels/radix_sort/parts/pass.cl. */
static bool has_passes(const clprim__radix_sort_plan *self)
{
    return self->row->shape == CLPRIM__RADIX_SORT_ONESWEEP || self->row->shape == CLPRIM__RADIX_SORT_RANGES;
}

static bool sorts_all_bits(const clprim__radix_sort_setting *setting)
{
    return setting->begin_bit == 0 && setting->end_bit == setting->key_size * 8;
}

/* HAS_SOURCES of kernels/radix_sort/parts/checked.cl: the former place of each key is kept, to check the order. */
static bool has_sources(const clprim__radix_sort_setting *setting)
{
    return setting->value_size > 0 || !sorts_all_bits(setting) || setting->key_type == CLPRIM_U128;
}

/* The kernels of a shape for keys that are written from their counts, indexed by purpose. */
static const struct runs {
    const char *names[CLPRIM__RADIX_SORT_KERNELS];
    const clprim__source *source;
} runs_of[] = {
    [CLPRIM__RADIX_SORT_ONESWEEP] = {{"radix_sort_runs", "radix_sort_count"}, &clprim__source_radix_sort_runs},
    [CLPRIM__RADIX_SORT_BUCKETS] = {{"radix_sort_cpu_runs", "radix_sort_count_keys"},
                                    &clprim__source_radix_sort_cpu_runs}};

/* Whether the keys are whole digits, and equal ones cannot be distinguished. */
static bool writes_runs(const clprim__radix_sort_plan *self, unsigned digit_bits)
{
    const clprim__radix_sort_setting *setting = &self->setting;
    return runs_of[self->row->shape].source != NULL && setting->value_size == 0 && sorts_all_bits(setting) &&
           setting->key_size * 8 == digit_bits;
}

static size_t tile_bytes(const clprim__radix_sort_plan *self, const sort_shape *shape)
{
    const clprim__radix_sort_setting *setting = &self->setting;
    const bool is_one = self->row->shape == CLPRIM__RADIX_SORT_ONE;
    const size_t tile = shape->group_size * shape->items;
    const size_t larger = setting->key_size > setting->value_size ? setting->key_size : setting->value_size;
    const size_t staged = is_one ? setting->key_size + (setting->value_size > 0 ? sizeof(cl_ushort) : 0) : larger;
    const size_t owners = shape->rank_by == RANK_BY_ITEM ? shape->group_size : shape->group_size / WARP;
    const size_t counter = sizeof(cl_uint) + (shape->rank_by == RANK_BY_MASKS ? sizeof(cl_ushort) : 0);
    const size_t counters = (owners << shape->digit_bits) * counter;
    const size_t sources = shape->rank_by == RANK_BY_CHECKED && !is_one && has_sources(setting) ? sizeof(cl_ushort) : 0;
    return tile * (staged + sources) + counters + OTHER_LOCAL_BYTES;
}

/* Digits are large if the group has a work-item for each. Sub-groups rank them if their width is known. */
static void choose_ranking(sort_shape *shape, const clprim__radix_sort_plan *self)
{
    const bool is_large = self->row->digit_bits == 0 && shape->group_size >> GROUP_DIGIT_BITS > 0;
    const bool by_warps = is_large && has_warps(self);
    const bool by_masks = is_large && !by_warps && has_passes(self);
    const bool checks = /* kernels/radix_sort/parts/checked.cl, group_passes.cl */
        has_passes(self) || (self->row->shape == CLPRIM__RADIX_SORT_ONE &&
                             (self->setting.value_size > 0 || sorts_all_bits(&self->setting)));
    shape->rank_by = by_masks ? RANK_BY_MASKS : !by_warps ? RANK_BY_ITEM : checks ? RANK_BY_CHECKED : RANK_BY_BALLOTS;
    shape->digit_bits = self->row->digit_bits != 0 ? self->row->digit_bits
                        : by_warps || by_masks     ? GROUP_DIGIT_BITS
                                                   : ITEM_DIGIT_BITS;
}

/* The largest group for which there is room, halving the wanted size, with at least the fewest items; a single group,
 * which must hold the whole array, gets as many items as it needs. */
static clprim_status fit_tile(sort_shape *shape, const clprim__radix_sort_plan *self, size_t local,
                              size_t largest_group)
{
    const size_t wanted = shape->items;
    const size_t count = self->setting.max_count;
    if (self->row->shape == CLPRIM__RADIX_SORT_ONE) {
        while (shape->group_size > 1 && shape->group_size > largest_group)
            shape->group_size /= 2;
        while (shape->group_size * SINGLE_GROUP_ITEMS < count && shape->group_size * 2 <= largest_group)
            shape->group_size *= 2;
        for (; shape->group_size * SINGLE_GROUP_MAX_ITEMS >= count && shape->group_size > 0; shape->group_size /= 2) {
            shape->items = (count + shape->group_size - 1) / shape->group_size;
            choose_ranking(shape, self);
            if (tile_bytes(self, shape) <= local)
                return CLPRIM_SUCCESS;
        }
        return clprim__fail(CLPRIM_UNSUPPORTED,
                            "%s cannot sort up to %zu elements in a work-group of %s; give a smaller max_count",
                            self->row->info.name, count, self->base.runtime->info.name);
    }
    for (; shape->group_size > 0; shape->group_size /= 2) {
        choose_ranking(shape, self);
        for (shape->items = wanted; shape->items > 0; shape->items--)
            if (shape->group_size <= largest_group && tile_bytes(self, shape) <= local)
                return CLPRIM_SUCCESS;
    }
    return clprim__fail(CLPRIM_UNSUPPORTED, "%s needs more local memory than %s has (%zu bytes)", self->row->info.name,
                        self->base.runtime->info.name, self->base.runtime->info.local_memory_size);
}

/* At least one pass, which moves the elements. */
static unsigned passes_for(const clprim__radix_sort_setting *setting, unsigned digit_bits)
{
    unsigned passes = 1;
    for (unsigned bit = setting->begin_bit + digit_bits; bit < setting->end_bit; bit += digit_bits)
        passes++;
    return passes;
}

static void fit_counters(sort_shape *shape, const clprim__radix_sort_plan *self, size_t local)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const bool counts_all = self->row->shape == CLPRIM__RADIX_SORT_ONESWEEP; /* of all passes at once */
    const size_t counters = (size_t)(counts_all ? passes_for(&self->setting, shape->digit_bits) : 1)
                            << shape->digit_bits;
    const size_t room = counts_all ? local : local / 4; /* several groups on a unit load more at once */
    const bool is_large = has_warps(self) && local >= NVIDIA_COUNTERS_BYTES;
    shape->count_group_size = is_large ? 1024 : shape->group_size;
    if (shape->count_group_size > info->max_work_group_size)
        shape->count_group_size = info->max_work_group_size;
    const size_t loaded = self->setting.max_count <= FEW ? LOADED_BYTES_OF_FEW : LOADED_BYTES;
    shape->copies = info->kind == CLPRIM_DEVICE_CPU ? 1 : MAX_COPIES;
    while (shape->copies > 1 && counters * shape->copies * sizeof(cl_uint) > room)
        shape->copies /= 2;
    shape->count_items = info->kind == CLPRIM_DEVICE_CPU ? 1 : loaded / self->setting.key_size;
    if (shape->count_items > MAX_COUNT_ITEMS)
        shape->count_items = MAX_COUNT_ITEMS;
}

/* Write the caller's text before an expression. One kernel counts the keys and another one moves them, so a key must be
 * the same in both. It is, because the prelude turns contraction off; compilers would otherwise contract in one kernel
 * and not in the other. */
static clprim_status begin_text(clprim__prelude *prelude, const clprim__radix_sort_setting *setting,
                                const clprim_device_info *info)
{
    clprim_status status = CLPRIM_SUCCESS;
    if (setting->input == NULL)
        return setting->text != NULL && clprim__has_text(setting->text)
                   ? clprim__fail(CLPRIM_INVALID_ARGUMENT, "text without an expression that uses it")
                   : CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__radix_sort_check_keys(setting, info));
    clprim__prelude_begin(prelude, info);
    status = clprim__text_write(prelude, setting->text, info);
done:
    return status;
}

clprim_status clprim__radix_sort_prelude(clprim__prelude *prelude, const clprim__radix_sort_setting *setting,
                                         const clprim_device_info *info)
{
    static const char *const values[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong", [16] = "uint4"};
    const clprim_type type = setting->key_type;
    clprim__text *text = &prelude->own;
    const clprim_status status = begin_text(prelude, setting, info);
    if (status != CLPRIM_SUCCESS)
        return status;
    clprim__text_format(text, "#define KEY %s\n#define KEY_BITS %zu\n#define KEY_KIND %d\n#define DESCENDING %d\n",
                        clprim__type_bits(type), setting->key_size * 8, clprim__key_kind(type, setting->nan_order),
                        setting->descending);
    clprim__text_format(text, "#define MOVED_NANS 0x%llxul\n#define ROTATION %u\n",
                        (unsigned long long)clprim__moved_nans(type, setting->nan_order), setting->rotation);
    clprim__text_format(text, "#define BEGIN_BIT %u\n#define END_BIT %u\n#define VALUE_SIZE %zu\n#define INDICES %d\n",
                        setting->begin_bit, setting->end_bit, setting->value_size, setting->indices);
    if (setting->value_size > 0)
        clprim__text_format(text, "#define VALUE %s\n", values[setting->value_size]);
    clprim__text_format(text,
                        "#define COUNT %s\n#define COUNTED %d\n" CLPRIM__RADIX_SORT_FLAGS(CLPRIM__SHARED_DEFINITION),
                        setting->max_count > UINT32_MAX ? "ulong" : "uint", setting->is_counted);
    clprim__text_format(text, "#define ELEMENT_OF_BITS(b) ((KEY)(b))\n");
    if (setting->num_keys > 1 && setting->input != NULL)
        clprim__radix_sort_write_keys(prelude, setting);
    else
        clprim__input_write(prelude, setting->input, type, NULL);
    return CLPRIM_SUCCESS;
}

/* How many upper bits may tell buckets apart: those of two digits. 0: the plan's calls are not sorted in buckets. Keys of
 * which only some bits are sorted, or that have few, are sorted by all digits. */
static unsigned bucket_bits_of(const clprim__radix_sort_plan *self, const sort_shape *shape)
{
    const clprim__radix_sort_setting *setting = &self->setting;
    const unsigned bits = 2 * shape->digit_bits;
    if (!self->base.runtime->info.has_int64_atomics || self->row->shape != CLPRIM__RADIX_SORT_ONESWEEP ||
        self->bucketed_from == 0 || setting->max_count < self->bucketed_from || self->base.work_group_size != 0 ||
        !sorts_all_bits(setting) || setting->rotation != 0 ||
        (setting->key_size != sizeof(cl_uint) && setting->key_size != sizeof(cl_ulong)))
        return 0;
    return bits >= self->origin_bits ? bits : 0;
}

static clprim_status create_kernels(clprim__radix_sort_plan *self, const sort_shape *shape)
{
    const bool is_onesweep = self->row->shape == CLPRIM__RADIX_SORT_ONESWEEP;
    const bool counts = has_passes(self);
    const bool has_own_group = shape->count_group_size != shape->group_size;
    size_t group_size = shape->group_size;
    size_t vector_size = 0;
    clprim__prelude prelude = {.has_fp64 = false};
    clprim__text options = {0};
    const bool has_runs = writes_runs(self, shape->digit_bits);
    const struct runs *runs = &runs_of[self->row->shape];
    const clprim__build what = {.source = has_runs ? runs->source : self->row->source,
                                .names = has_runs ? runs->names : self->row->kernels,
                                .count = CLPRIM__RADIX_SORT_KERNELS,
                                .prelude = &prelude,
                                .options = &options,
                                .counts = self->base.counts,
                                .max_registers = counts && shape->rank_by != RANK_BY_ITEM ? MAX_REGISTERS : 0};
    clprim_status status = CLPRIM_SUCCESS;
    self->bucket_bits = bucket_bits_of(self, shape);
    self->by_halves = self->takes_halves && self->bucket_bits == HALF_BITS && self->setting.value_size == 0 &&
                      self->setting.key_size * 8 == self->bucket_bits + HALF_BITS;
    self->status_size = self->setting.max_count <= NARROW_STATUS_UP_TO ? sizeof(cl_uint) : sizeof(cl_ulong);
    CLPRIM__TRY(clprim__radix_sort_prelude(&prelude, &self->setting, &self->base.runtime->info));
    clprim__text_format(
        &options,
        "-DITEMS=%zu -DRANK_BY=%u -DDIGIT_BITS=%u -DKNOWS_SAME=%d" CLPRIM__RADIX_SORT_SHARED(CLPRIM__SHARED_OPTION),
        shape->items, shape->rank_by, shape->digit_bits, counts);
    if (self->row->shape == CLPRIM__RADIX_SORT_BUCKETS) {
        CLPRIM__TRY(clprim__device_vector_size(&vector_size, &self->base.runtime->info));
        clprim__text_format(&options, " -DVECTOR=%zu", vector_size);
    }
    if (counts)
        clprim__text_format(&options,
                            " -DCOUNTED_PASSES=%s -DCOUNT_ITEMS=%zu -DCOPIES=%zu -DSTATUS=%s -DSTATUS_SIZE=%zu"
                            " -DCLPRIM_LOOK_BACK_LOOKS=%zu",
                            is_onesweep ? "PASSES" : "1", shape->count_items, shape->copies,
                            self->status_size == sizeof(cl_uint) ? "uint" : "ulong", self->status_size, shape->looks);
    if (self->bucket_bits > 0)
        clprim__text_format(&options, " -DMOST_BUCKET_BITS=%u -DEVEN_DIGITS=%s", self->bucket_bits,
                            self->by_halves ? "PASSES" : "2");
    if (counts && has_own_group)
        clprim__text_format(&options, " -DCOUNT_GROUP_SIZE=%zu", shape->count_group_size);
    else if (counts) /* smaller if the device can run the kernels only in smaller groups */
        clprim__text_format(&options, " -DCOUNT_GROUP_SIZE=GROUP_SIZE");
    CLPRIM__TRY(clprim__build_kernels(self->kernels, &group_size, self->base.runtime, &what));
    if (counts && has_own_group)
        self->kernels[CLPRIM__RADIX_SORT_COUNT].group_size = shape->count_group_size;
    self->digit_bits = shape->digit_bits;
    self->passes = passes_for(&self->setting, shape->digit_bits);
    self->writes_runs = has_runs;
    self->tile = group_size * shape->items;
    self->count_tile = (has_own_group ? shape->count_group_size : group_size) * shape->count_items;
done:
    clprim__prelude_free(&prelude);
    clprim__text_free(&options);
    return status;
}

/* Create kernels for the tile that fits. If the device can run them only in smaller groups, a single group cannot hold
 * all elements: then with another tile. */
static clprim_status fit_and_create(clprim__radix_sort_plan *self, const sort_shape *wanted, size_t local,
                                    size_t local_of_counters)
{
    size_t largest_group = self->base.runtime->info.max_work_group_size;
    clprim_status status = CLPRIM_SUCCESS;
    for (;;) {
        sort_shape shape = *wanted;
        CLPRIM__TRY(fit_tile(&shape, self, local, largest_group));
        fit_counters(&shape, self, local_of_counters);
        CLPRIM__TRY(create_kernels(self, &shape));
        if (self->row->shape != CLPRIM__RADIX_SORT_ONE || self->tile >= self->setting.max_count)
            break;
        largest_group = self->kernels[CLPRIM__RADIX_SORT_MOVE].group_size;
        for (size_t i = 0; i < CLPRIM__RADIX_SORT_KERNELS; i++)
            clprim__kernel_clear(&self->kernels[i]);
    }
done:
    return status;
}

/* The group that sorts a bucket, as for rows of segmented_sort; of halves of keys, a work-item has two blocks. */
static sort_shape bucket_shape_of(const clprim__radix_sort_plan *self, unsigned *bin_bits)
{
    enum { BLOCK = 16, LEAST_BY_WARPS = 2049 };
    const bool by_warps = has_warps(self) && self->bucket >= LEAST_BY_WARPS && !self->by_halves;
    const size_t own = self->by_halves ? 2 * BLOCK : BLOCK;                          /* keys of a work-item */
    const size_t wanted = self->by_halves ? self->bucket / 3 : self->bucket * 2 / 3; /* bins, at least; by halves, a
                                                                                     * long bin costs less */
    sort_shape shape = {.rank_by = by_warps ? RANK_BY_BALLOTS : RANK_BY_ITEM,
                        .digit_bits = by_warps ? GROUP_DIGIT_BITS : ITEM_DIGIT_BITS,
                        .items = by_warps ? BLOCK : BLOCK + 1};
    size_t bins = 1;
    for (*bin_bits = 0; bins < BLOCK || bins < wanted; bins *= 2)
        ++*bin_bits;
    shape.group_size = clprim__larger(clprim__divide_up(self->bucket, own), bins / BLOCK);
    shape.group_size = clprim__divide_up(shape.group_size, WARP) * WARP;
    if (by_warps)
        shape.group_size = clprim__larger(shape.group_size, (size_t)1 << GROUP_DIGIT_BITS);
    return shape;
}

/* Bytes of local memory for a bucket: bins, the places of values, and staged keys with holes between them; for one that
 * is too large, a tile of it and counters. */
static size_t bucket_bytes(const clprim__radix_sort_plan *self, const sort_shape *shape, unsigned bin_bits)
{
    enum { OTHERS = 1024 };
    const clprim__radix_sort_setting *setting = &self->setting;
    const size_t tile = shape->group_size * shape->items;
    return clprim__larger((sizeof(cl_uint) << bin_bits) + (setting->value_size > 0 ? tile * sizeof(cl_ushort) : 0) +
                              tile * setting->key_size / 16 * 17 + OTHERS,
                          tile_bytes(self, shape));
}

/* The program that sorts buckets. Their keys are in the output, whatever the input was. */
static clprim_status create_bucket_sort(clprim__radix_sort_plan *self, size_t items_at_once)
{
    static const char *const names[CLPRIM__RADIX_SORT_KERNELS] = {
        [CLPRIM__RADIX_SORT_IN_BUCKETS] = "radix_sort_buckets",
        [CLPRIM__RADIX_SORT_LARGE] = "radix_sort_large_buckets"};
    enum { REGISTERS = 1 << 16, STEP = 8, MOST = 255 }; /* of a compute unit of NVIDIA's; and of a work-item */
    clprim__radix_sort_setting setting = self->setting;
    clprim__prelude prelude = {.has_fp64 = false};
    clprim__text options = {0};
    unsigned bin_bits = 0;
    const sort_shape shape = bucket_shape_of(self, &bin_bits);
    size_t group_size = shape.group_size;
    if (!has_warps(self) && bucket_bytes(self, &shape, bin_bits) > self->base.local_room)
        return CLPRIM_UNSUPPORTED; /* NVIDIA's compiler says itself what is too much */
    const size_t groups = clprim__larger(items_at_once / group_size, 1);
    const size_t registers = items_at_once == 0 ? MOST + 1 : REGISTERS / (groups * group_size) / STEP * STEP;
    const clprim__build what = {.source = &clprim__source_radix_sort_buckets,
                                .names = names,
                                .count = CLPRIM__RADIX_SORT_KERNELS,
                                .prelude = &prelude,
                                .options = &options,
                                .max_registers = has_warps(self) && registers <= MOST ? (unsigned)registers : 0};
    clprim_status status = CLPRIM_SUCCESS;
    setting.input = NULL;
    setting.text = NULL;
    setting.has_input = setting.indices = setting.is_counted = false;
    CLPRIM__TRY(clprim__radix_sort_prelude(&prelude, &setting, &self->base.runtime->info));
    clprim__text_format(&prelude.own, "#define PARTIAL_KEYS 0\n");
    if (setting.value_size > 0)
        clprim__text_format(&prelude.own, "#define ORIGIN_BITS %u\n", self->origin_bits);
    clprim__text_format(
        &options,
        "-DITEMS=%zu -DRANK_BY=%u -DDIGIT_BITS=%u -DBIN_BITS=%u "
        "-DMOST_BUCKET_BITS=%u -DBUCKET=%zu -DBY_HALVES=%d" CLPRIM__RADIX_SORT_SHARED(CLPRIM__SHARED_OPTION),
        shape.items, shape.rank_by, shape.digit_bits, bin_bits, self->bucket_bits, self->bucket, self->by_halves);
    CLPRIM__TRY(clprim__build_kernels(self->kernels, &group_size, self->base.runtime, &what));
    if (group_size < shape.group_size) {
        clprim__kernel_clear(&self->kernels[CLPRIM__RADIX_SORT_IN_BUCKETS]);
        clprim__kernel_clear(&self->kernels[CLPRIM__RADIX_SORT_LARGE]);
        status = CLPRIM_BUILD_FAILED;
    }
done:
    clprim__prelude_free(&prelude);
    clprim__text_free(&options);
    return status;
}

/* The program that finds where buckets begin. */
static clprim_status create_starts(clprim__radix_sort_plan *self)
{
    static const char *const names[CLPRIM__RADIX_SORT_KERNELS] = {[CLPRIM__RADIX_SORT_PLACE] = "radix_sort_starts"};
    clprim__radix_sort_setting setting = self->setting;
    clprim__prelude prelude = {.has_fp64 = false};
    clprim__text options = {0};
    size_t group_size = self->base.runtime->info.max_work_group_size;
    const clprim__build what = {.source = &clprim__source_radix_sort_starts,
                                .names = names,
                                .count = CLPRIM__RADIX_SORT_KERNELS,
                                .prelude = &prelude,
                                .options = &options,
                                .counts = self->base.counts};
    clprim_status status = CLPRIM_SUCCESS;
    group_size = clprim__smaller(group_size, (size_t)1 << (self->bucket_bits - self->digit_bits));
    setting.input = NULL;
    setting.text = NULL;
    setting.has_input = false;
    CLPRIM__TRY(clprim__radix_sort_prelude(&prelude, &setting, &self->base.runtime->info));
    clprim__text_format(&options,
                        "-DDIGIT_BITS=%u -DMOST_BUCKET_BITS=%u "
                        "-DBUCKET=%zu" CLPRIM__RADIX_SORT_SHARED(CLPRIM__SHARED_OPTION),
                        self->digit_bits, self->bucket_bits, self->bucket);
    status = clprim__build_kernels(self->kernels, &group_size, self->base.runtime, &what);
done:
    clprim__prelude_free(&prelude);
    clprim__text_free(&options);
    return status;
}

/* Where the kernels for buckets cannot be built, calls are sorted by all digits. */
static clprim_status create_buckets(clprim__radix_sort_plan *self, const clprim__radix_sort_tuning *tuning)
{
    clprim_status status = CLPRIM_SUCCESS;
    if (self->bucket_bits == 0) {
        self->bucketed_from = 0;
        return CLPRIM_SUCCESS;
    }
    self->bucket_groups = tuning->bucket_groups * self->base.runtime->info.compute_units;
    CLPRIM__TRY(create_bucket_sort(self, tuning->bucket_items));
    status = create_starts(self);
done:
    if (status != CLPRIM_BUILD_FAILED && status != CLPRIM_UNSUPPORTED)
        return status;
    self->bucketed_from = 0;
    return CLPRIM_SUCCESS;
}

clprim_status clprim__radix_sort_build(clprim__radix_sort_plan *self)
{
    enum { WORTH_A_CHUNK = 4096 };
    const clprim_device_info *info = &self->base.runtime->info;
    const clprim_radix_sort_variant variant = (clprim_radix_sort_variant)self->row->info.id;
    const clprim__radix_sort_tuning tuning =
        clprim__radix_sort_tuning_of(variant, self->base.runtime,
                                     (clprim__tuned_for){.size = self->setting.key_size,
                                                         .value_size = self->setting.value_size,
                                                         .max_count = self->setting.max_count});
    const size_t given = self->base.work_group_size;
    const size_t tuned =
        has_passes(self) && !has_warps(self) ? clprim__smaller(tuning.group_size, MASKS_GROUP) : tuning.group_size;
    const size_t wanted = self->row->in_chunks ? 1 : given != 0 ? given : tuned;
    const sort_shape shape = {.group_size = wanted, .items = tuning.items, .looks = tuning.looks};
    clprim_status status = CLPRIM_BUILD_FAILED;
    self->bucketed_from = tuning.bucketed_from;
    self->bucket = tuning.bucket;
    self->takes_halves = tuning.halves != 0;
    self->origin_bits = 0;
    while (self->setting.value_size > 0 && (size_t)1 << self->origin_bits < self->bucket)
        self->origin_bits++;
    if (has_passes(self) && has_warps(self)) {
        status = fit_and_create(self, &shape, CLPRIM__NVIDIA_LOCAL_BYTES, NVIDIA_COUNTERS_BYTES);
        self->count_groups = info->compute_units;
    }
    if (status == CLPRIM_BUILD_FAILED || status == CLPRIM_UNSUPPORTED) {
        const bool is_one_group = self->row->shape == CLPRIM__RADIX_SORT_ONE;
        const size_t local = is_one_group ? clprim__device_local_whole(info) : self->base.local_room;
        CLPRIM__TRY(fit_and_create(self, &shape, local, local));
        self->count_groups = tuning.groups_per_unit * info->compute_units;
    }
    CLPRIM__TRY(create_buckets(self, &tuning));
    self->max_groups = tuning.groups_per_unit * info->compute_units;
    if (self->row->in_chunks)
        self->tile = WORTH_A_CHUNK;
done:
    return status;
}
