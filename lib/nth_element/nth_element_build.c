// SPDX-License-Identifier: MIT
/* nth_element_build.c: make the sort of a plan, or compile kernels for its setting, fitted to the device. */
#include "device.h"
#include "error.h"
#include "expression.h"
#include "nth_element_internal.h"
#include "operator.h"
#include "runtime_internal.h"

enum {
    MAX_COPIES_LOG = 5, /* log2 of the copies of the counters: one per bank */
    LEAST_BITS = 2,     /* bits of a digit, if each rank has its own slot */
    LEAST_WORDS = 512,  /* so that large keys do not have too many digits */
    OTHER_LOCAL_BYTES = 512,
    LEAST_GROUPS = 64 /* with wide counts: so that the elements of a chunk can be counted in 32 bits */
};

/* The device's resources that a variant uses. */
typedef struct select_shape {
    size_t group_size, items, words;
} select_shape;

static unsigned log2_up(size_t n)
{
    unsigned log = 0;
    while ((size_t)1 << log < n)
        log++;
    return log;
}

static unsigned key_bits(const clprim__nth_element_plan *self)
{
    return (unsigned)self->setting.keys.key_size * 8;
}

/* The number of elements in a packet. Elements that come from an expression are computed one by one. */
static size_t pack_of(const clprim__nth_element_plan *self)
{
    return self->setting.keys.has_input ? 1 : CLPRIM__PACKET_BYTES / self->setting.keys.key_size;
}

/* The local memory of the kernel that needs most. Usually that is the kernel of a level: it needs counters, memory to
 * compact the candidates of a tile, and memory to choose digits. With wide counts, it is the kernel that chooses
 * digits. */
static size_t local_bytes(const clprim__nth_element_plan *self, const select_shape *shape)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t count_size = self->is_wide ? sizeof(cl_ulong) : sizeof(cl_uint);
    const size_t scanned = clprim__device_tile_scan_values(info, shape->group_size, shape->items);
    const size_t slots = self->setting.max_ranks * 2 * sizeof(cl_ulong) + ((size_t)1 << self->digit_bits);
    const size_t choosing = self->setting.max_ranks * 2 * sizeof(cl_uint) +
                            clprim__device_scan_values(info, shape->group_size) * count_size;
    const size_t level =
        shape->words * sizeof(cl_uint) + scanned * sizeof(cl_uint) + slots + (self->folds ? choosing : 0);
    return clprim__larger(level, shape->words * count_size + choosing) + OTHER_LOCAL_BYTES;
}

/* Choose the largest group, halved from the wanted size, then the most packets per work-item, then the most counters,
 * that fit. */
static clprim_status fit(select_shape *shape, clprim__nth_element_plan *self, size_t digit_bits)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const select_shape wanted = *shape;
    const size_t least = clprim__larger(LEAST_WORDS, (size_t)1 << (log2_up(self->setting.max_ranks) + LEAST_BITS));
    const size_t room = self->base.local_room;
    for (; shape->group_size > 0; shape->group_size /= 2)
        for (shape->items = wanted.items; shape->items > 0; shape->items--)
            for (shape->words = clprim__larger(wanted.words, least); shape->words >= least; shape->words /= 2) {
                self->words_log = log2_up(shape->words);
                self->digit_bits =
                    (unsigned)clprim__smaller(digit_bits, clprim__smaller(self->words_log, key_bits(self)));
                if (shape->group_size <= info->max_work_group_size && local_bytes(self, shape) <= room)
                    return CLPRIM_SUCCESS;
            }
    return clprim__fail(CLPRIM_UNSUPPORTED, "%s needs more local memory than %s has (%zu bytes)", self->row->info.name,
                        info->name, info->local_memory_size);
}

unsigned clprim__nth_element_levels(const clprim__nth_element_plan *self, size_t rank_count)
{
    const unsigned left = key_bits(self) - self->digit_bits;
    const unsigned of_slots = self->words_log - log2_up(rank_count);
    const unsigned bits = of_slots < self->digit_bits ? of_slots : self->digit_bits;
    return 1 + (left + bits - 1) / bits;
}

size_t clprim__nth_element_state(const clprim__nth_element_plan *self)
{
    const size_t words = (size_t)1 << self->words_log;
    return (CLPRIM__TOTALS + (self->is_wide ? 2 * words : words)) * sizeof(cl_uint);
}

/* If the plan selects, its kernels read the caller's keys. Otherwise its sort does. */
static clprim_status write_prelude(clprim__prelude *prelude, const clprim__nth_element_plan *self)
{
    clprim__radix_sort_setting keys = self->setting.keys;
    clprim__text *text = &prelude->own;
    if (!self->row->selects) {
        keys.input = NULL;
        keys.text = NULL;
    }
    const clprim_status status = clprim__radix_sort_prelude(prelude, &keys, &self->base.runtime->info);
    if (status != CLPRIM_SUCCESS)
        return status;
    clprim__text_format(text, "#define ELEMENT KEY\n#define ELEMENT_SIZE %zu\n#define RANK %s\n", keys.key_size,
                        self->base.index_size == sizeof(cl_ulong) ? "ulong" : "uint");
    return CLPRIM_SUCCESS;
}

static clprim_status create_kernels(clprim__nth_element_plan *self, const select_shape *shape)
{
    const char *const names[CLPRIM__NTH_ELEMENT_KERNELS] = {
        [CLPRIM__NTH_ELEMENT_LEVEL] = self->row->selects ? "nth_element_level" : NULL,
        [CLPRIM__NTH_ELEMENT_CHOOSE] = self->row->selects && !self->folds ? "nth_element_choose" : NULL,
        [CLPRIM__NTH_ELEMENT_GATHER] = self->row->selects ? NULL : "nth_element_gather"};
    size_t group_size = shape->group_size;
    clprim__prelude prelude = {.has_fp64 = false};
    clprim__text options = {0};
    const clprim__build what = {.source = self->row->source,
                                .names = names,
                                .count = CLPRIM__NTH_ELEMENT_KERNELS,
                                .prelude = &prelude,
                                .options = &options,
                                .counts = self->base.counts};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(write_prelude(&prelude, self));
    clprim__text_format(
        &options,
        "-DDIGIT_BITS=%u -DITEMS=%zu -DWORDS_LOG=%u -DCOPIES_LOG=%d -DLISTS=%d -DRANKS=%zu "
        "-DFOLDS=%d -DCOUNTS_ARE_WIDE=%d -DPACKET_BYTES=%d" CLPRIM__NTH_ELEMENT_SHARED(CLPRIM__SHARED_OPTION),
        self->digit_bits, shape->items, self->words_log, self->row->in_chunks ? 0 : MAX_COPIES_LOG, self->has_lists,
        self->setting.max_ranks, self->folds, self->is_wide, CLPRIM__PACKET_BYTES);
    CLPRIM__TRY(clprim__build_kernels(self->kernels, &group_size, self->base.runtime, &what));
    self->tile = group_size * shape->items * pack_of(self);
done:
    clprim__prelude_free(&prelude);
    clprim__text_free(&options);
    return status;
}

/* Make the sort of all elements. */
static clprim_status create_sort(clprim__nth_element_plan *self)
{
    const clprim__radix_sort_setting *setting = &self->setting.keys;
    return clprim_radix_sort_create(&self->sort, self->base.runtime,
                                    &(clprim_radix_sort_desc){.key_type = setting->key_type,
                                                              .input = setting->input,
                                                              .text = *setting->text,
                                                              .descending = setting->descending,
                                                              .nan_order = setting->nan_order,
                                                              .count_at_type = self->setting.count_at_type,
                                                              .max_count = setting->max_count});
}

static clprim_status build_select(clprim__nth_element_plan *self, const clprim__nth_element_tuning *tuning)
{
    select_shape shape = {.group_size = clprim__group_size(&self->base, tuning->group_size),
                          .items = tuning->items,
                          .words = tuning->words};
    clprim_status status = CLPRIM_SUCCESS;
    if (self->setting.keys.has_input && !self->row->in_chunks)
        shape.items = clprim__items_alone(tuning->items, CLPRIM__PACKET_BYTES / self->setting.keys.key_size);
    CLPRIM__TRY(fit(&shape, self, tuning->digit_bits));
    self->has_lists = clprim__nth_element_levels(self, self->setting.max_ranks) > 2;
    CLPRIM__TRY(create_kernels(self, &shape));
    status = clprim__state_create(&self->base.state, self->base.runtime, clprim__nth_element_state(self),
                                  CLPRIM__LAST_EPOCH);
done:
    return status;
}

clprim_status clprim__nth_element_build(clprim__nth_element_plan *self)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const clprim__nth_element_tuning tuning = clprim__nth_element_tuning_of(
        (clprim_nth_element_variant)self->row->info.id, self->base.runtime,
        (clprim__tuned_for){.size = self->setting.keys.key_size, .max_count = self->setting.keys.max_count});
    const select_shape alone = {.group_size = clprim__group_size(&self->base, tuning.group_size), .items = 1};
    clprim_status status = CLPRIM_SUCCESS;
    self->is_wide = self->setting.keys.max_count > UINT32_MAX;
    self->folds = self->row->selects && !self->is_wide;
    self->max_groups = clprim__larger(tuning.max_per_unit * info->compute_units, self->is_wide ? LEAST_GROUPS : 1);
    if (self->row->selects) {
        CLPRIM__TRY(build_select(self, &tuning));
    } else {
        CLPRIM__TRY(create_kernels(self, &alone));
        CLPRIM__TRY(create_sort(self));
    }
    if (tuning.chunk != 0)
        self->tile = tuning.chunk;
done:
    return status;
}
