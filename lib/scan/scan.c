// SPDX-License-Identifier: MIT
/* scan.c: check a description, choose the variant, build it. */
#include "device.h"
#include "equality.h"
#include "error.h"
#include "flags.h"
#include "kernels_scan.h"
#include "operator.h"
#include "plan_texts.h"
#include "runtime_internal.h"
#include "scan_internal.h"
#include "segments.h"

#define OWN_KEY "clprim__key_type" /* a caller's type of keys, in kernels */

enum {
    REGISTERS_FOR_VALUES = 32, /* of a work-item */
    MAX_ITEMS = 8,             /* each is unrolled into its own registers */
    LOOK_BACK_VALUES = 64,     /* values of local memory that the window of look_back.cl takes, including their kinds */
    LARGEST_TILE = 1 << 16,    /* with spans, whose places have 16 bits */
    SPAN_WORD = 32,            /* elements: WORD of kernels/scan/parts/spans_tile.cl */
    MARK_GROUP = 256,
    FIXED_REGISTERS = 40, /* of a work-item of FIXED_LOOK_BACK; enough if values have at most 4 bytes */
    TILE_REGISTERS = 48,  /* of FIXED_REDUCE_THEN_SCAN, in the same case */
    COUNTER_BITS = 32,    /* of kernels/scan/fixed_reduce_then_scan.cl */
    LAST_EPOCH = (1 << 30) - 1
};

/* FIXED_LOOK_BACK: its tiles are whole blocks. */
static bool is_fixed(const clprim__scan_plan *self)
{
    return self->row->info.id == CLPRIM_SCAN_FIXED_LOOK_BACK;
}

/* FIXED_REDUCE_THEN_SCAN: its tiles have a power of two of elements. */
static bool has_fixed_tiles(const clprim__scan_plan *self)
{
    return self->row->shape == CLPRIM__SCAN_FIXED_TILES;
}

static bool is_plain(const clprim_scan_desc *desc)
{
    return desc->custom == NULL && desc->segments == CLPRIM_SEGMENTS_NONE;
}

/* How many registers a work-item of LOOK_BACK may have if it can fall back; 0: any number. The code of the fallback
 * hardly ever runs, but would take more registers than everything else. These numbers suffice for the rest. */
static unsigned fallback_registers(const clprim__scan_plan *self, size_t group_size)
{
    const bool has_spans = self->runs == CLPRIM__SCAN_RUN_SPANS;
    const bool has_pairs = !has_spans && self->segments != CLPRIM_SEGMENTS_NONE;
    const bool has_warps = clprim__device_has_warps(&self->base.runtime->info, group_size);
    const size_t words = self->value_size / sizeof(cl_uint);
    if (self->base.runtime->info.has_forward_progress || (!has_spans && words > 2))
        return 0;
    if (has_warps || !has_pairs)
        return 64;
    return self->runs == CLPRIM__SCAN_RUN_FOLDS ? 128 : self->runs == CLPRIM__SCAN_RUN_LENGTHS ? 96 : 80;
}

/* How many registers a work-item may have; 0: any number. If it keeps few words, fewer registers leave room for more
 * work-groups. */
static unsigned registers_of(const clprim__scan_plan *self, size_t group_size)
{
    if (self->row->info.id == CLPRIM_SCAN_LOOK_BACK)
        return fallback_registers(self, group_size);
    if (self->value_size > sizeof(cl_uint))
        return 0;
    if (has_fixed_tiles(self))
        return TILE_REGISTERS;
    return is_fixed(self) && clprim__device_has_warps(&self->base.runtime->info, group_size) ? FIXED_REGISTERS : 0;
}

/* Whether calls may replace data that groups of LOOK_BACK read again when they fall back: the elements, or an array
 * that `input` reads. */
static bool replaces_what_is_read(const clprim__scan_plan *self, const clprim_scan_desc *desc)
{
    const clprim__operation *operation = self->base.operation;
    if (self->row->info.id != CLPRIM_SCAN_LOOK_BACK || self->runs != CLPRIM__SCAN_NO_RUNS ||
        self->base.runtime->info.has_forward_progress)
        return false;
    if (desc->input == NULL)
        return self->output_size == self->element_size;
    const clprim__reading found = clprim__texts_read(operation->face, desc, operation->replaces_arguments);
    return found.failed || found.at_index != 0;
}

/* Whether scan_look_back itself avoids replaced data. It can do so by a device_fence, if the elements are an array. */
static bool has_order_in_place(const clprim__scan_plan *self, const clprim_scan_desc *desc)
{
    return self->base.runtime->info.has_device_fence && desc->input == NULL;
}

/* Whether the bits would depend on the shape of the computation, but must not. */
static bool must_be_fixed(const clprim_scan_desc *desc, const clprim__operator *op)
{
    return desc->reproducible && (op->is_rounding || desc->custom != NULL);
}

static clprim_status check_variant(const clprim__scan_plan *self, const clprim_scan_desc *desc)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const clprim_variant_info *variant = &self->row->info;
    if (self->runs != CLPRIM__SCAN_NO_RUNS && (self->row->block != 0 || !self->row->in_tiles) &&
        self->row->shape != CLPRIM__SCAN_CHUNKS)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "%s cannot write runs: use cpu_chunk, reduce_then_scan, look_back or AUTO", variant->name);
    if (is_fixed(self) && !clprim__scan_fixed_takes(self->base.max_count))
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s scans at most 2^36 elements: use fixed_tree or AUTO",
                            variant->name);
    if (has_fixed_tiles(self) && !is_plain(desc))
        return clprim__fail(CLPRIM_UNSUPPORTED,
                            "%s takes operators that are built in, without segments: use fixed_tree or AUTO",
                            variant->name);
    return clprim__variant_check(variant, !is_fixed(self) || info->has_forward_progress, info);
}

/* Check that the variant gives the same bits everywhere, if that is asked for. */
static clprim_status check_reproducible(const clprim_scan_desc *desc, const clprim__operator *op,
                                        const clprim_device_info *info)
{
    const bool is_auto = desc->variant == CLPRIM_SCAN_AUTO;
    const clprim__scan_row *row = clprim__scan_row_of(is_auto ? CLPRIM_SCAN_FIXED_TREE : desc->variant);
    if (!must_be_fixed(desc, op) || row == NULL)
        return CLPRIM_SUCCESS;
    return clprim__operator_reproducible(&row->info, row->block != 0, info);
}

clprim_type clprim__scan_head_type(const clprim_scan_desc *desc)
{
    return desc->segments_type != CLPRIM_TYPE_DEFAULT ? desc->segments_type
           : desc->segments == CLPRIM_SEGMENTS_BY_KEY ? CLPRIM_I32
                                                      : CLPRIM_U8;
}

static clprim_status check_segments(clprim__scan_plan *self, const clprim_scan_desc *desc)
{
    const clprim_type type = clprim__scan_head_type(desc);
    size_t offset_size = 0;
    if ((int)desc->segments < CLPRIM_SEGMENTS_NONE || (int)desc->segments > CLPRIM_SEGMENTS_BY_OFFSETS)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown segments %d", (int)desc->segments);
    if (clprim__type_check(type, "segments_type") != CLPRIM_SUCCESS)
        return CLPRIM_INVALID_ARGUMENT;
    if (desc->sees_segments && (desc->custom == NULL || desc->segments == CLPRIM_SEGMENTS_NONE))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "sees_segments requires %s",
                            desc->custom == NULL ? "a custom operator, whose text uses across_segment: built-in ones "
                                                   "restart at each segment without it"
                                                 : "segments");
    self->segments = desc->segments;
    self->segments_type = type;
    self->head_size = clprim_type_size(type);
    const clprim_status status = clprim__offsets_type_check(&offset_size, desc->offsets_type);
    if (desc->segments == CLPRIM_SEGMENTS_BY_OFFSETS)
        self->head_size = self->offset_size = offset_size;
    return status;
}

static clprim_status keep_initial(clprim_plan *plan, const clprim_scan_desc *desc, const clprim__operator *op)
{
    if (desc->exclusive && desc->initial == NULL && !desc->has_initial_at && !op->has_identity)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "an exclusive scan by an operator without identity needs an initial value");
    return clprim__plan_keep_initial(plan, op->result_type, op->result_size, desc->initial, desc->has_initial_at);
}

/* The shape of a variant in blocks or tiles. */
typedef struct scan_shape {
    size_t group_size;
    size_t items;
    size_t looks;
} scan_shape;

/* Bytes of the elements in a packet. Outputs are stored 16 bytes at a time; if they are larger than the elements, a
 * packet has fewer of these. Elements from an expression come one by one. */
static size_t packet_bytes_of(const clprim__scan_plan *self, const clprim_scan_desc *desc)
{
    const bool grows = self->output_size > self->element_size && CLPRIM__PACKET_BYTES % self->output_size == 0 &&
                       self->runs == CLPRIM__SCAN_NO_RUNS;
    if (desc->input != NULL)
        return self->element_size;
    return grows ? CLPRIM__PACKET_BYTES / self->output_size * self->element_size : CLPRIM__PACKET_BYTES;
}

static size_t pack_of(const clprim__scan_plan *self)
{
    return CLPRIM__PACKET_BYTES % self->element_size == 0 ? self->packet_bytes / self->element_size : 1;
}

/* SCAN_TOTALS of kernels/common/tile_scan.cl per work-item: its packets, or for spans its words of 32 elements. */
static size_t totals_of(const clprim__scan_plan *self, size_t items)
{
    return self->runs == CLPRIM__SCAN_RUN_SPANS ? clprim__divide_up(items * pack_of(self), SPAN_WORD) : items;
}

/* How many values a work-group keeps in local memory. */
static size_t local_values(const clprim__scan_plan *self, size_t group_size, size_t items, size_t banks)
{
    const size_t totals = totals_of(self, items);
    if (self->row->shape == CLPRIM__SCAN_BLOCKS) {
        const size_t block = self->row->block != 0 ? self->row->block : 2 * group_size;
        return banks != 0 ? block + block / banks : block;
    }
    if (!self->row->in_tiles)
        return 0;
    const bool by_shuffles = clprim__device_has_warps(&self->base.runtime->info, group_size);
    if (has_fixed_tiles(self))
        return group_size * items + group_size * items / 32 + COUNTER_BITS;
    if (is_fixed(self))
        return (by_shuffles ? group_size / 32 : self->row->block) + 2;
    return clprim__device_tile_scan_values(&self->base.runtime->info, group_size, totals) +
           clprim__divide_up(LOOK_BACK_VALUES * self->prefix_size, self->value_size);
}

/* Bytes of local memory. Besides values, tiles collect runs there (kernels/scan/parts/tile.cl), and tiles with segments
 * by offsets have one bit per element (marks.cl). */
static size_t local_bytes(const clprim__scan_plan *self, const scan_shape *shape, size_t banks)
{
    const size_t bytes = local_values(self, shape->group_size, shape->items, banks) * self->value_size;
    const size_t packets = shape->group_size * shape->items;
    const size_t tile =
        has_fixed_tiles(self) ? packets * pack_of(self) : clprim__larger(packets * pack_of(self), self->row->block);
    if (self->row->in_tiles && self->offset_size > 0)
        return bytes + clprim__divide_up(tile, 32) * sizeof(cl_uint);
    if (!self->row->in_tiles || self->runs == CLPRIM__SCAN_NO_RUNS)
        return bytes;
    if (self->runs == CLPRIM__SCAN_RUN_SPANS)
        return bytes + (tile / self->min_length + 1) / 32 * 33 * 2 * sizeof(cl_ushort) + packets * sizeof(cl_ushort);
    return bytes + tile / 32 * 33 * (self->value_size - 4 * self->run_words + self->head_size);
}

/* The largest group for which the device has room, halving the wanted size, and then the most packets per work-item.
 * The group's size is 0 if nothing fits. */
static scan_shape fit(const clprim__scan_plan *self, const clprim__scan_tuning *tuning, size_t banks)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const bool has_spans = self->runs == CLPRIM__SCAN_RUN_SPANS; /* then values belong to packets, not to elements */
    const size_t folded_words = has_spans ? 2 * self->run_words : (self->value_size + 3) / 4;
    const size_t key_words = self->has_own_keys ? (self->head_size + 3) / 4 : 1;
    const size_t value_words = clprim__larger(folded_words, key_words);
    const size_t largest_tile = has_spans ? LARGEST_TILE : SIZE_MAX;
    const size_t room = self->base.local_room;
    scan_shape shape = {.group_size = tuning->group_size, .looks = tuning->looks};
    size_t items = tuning->items != 0 ? tuning->items : REGISTERS_FOR_VALUES / (pack_of(self) * value_words);
    items = items < 1 ? 1 : items > MAX_ITEMS ? MAX_ITEMS : items;
    while (has_fixed_tiles(self) && (items & (items - 1)) != 0)
        items--;
    if (is_fixed(self)) { /* a sub-group has a block; each lane reads the fold of at least one tile */
        items = self->row->block / 32 / pack_of(self);
        shape.group_size = clprim__smaller(shape.group_size, self->row->block);
    }
    if (self->row->largest_group != 0 && shape.group_size > self->row->largest_group)
        shape.group_size = self->row->largest_group;
    for (; shape.group_size > 0; shape.group_size /= 2)
        for (shape.items = items; shape.items > (is_fixed(self) ? items - 1 : 0);
             shape.items = has_fixed_tiles(self) ? shape.items / 2 : shape.items - 1)
            if (shape.group_size <= info->max_work_group_size &&
                shape.group_size * shape.items * pack_of(self) <= largest_tile &&
                local_bytes(self, &shape, banks) <= room)
                return shape;
    return shape;
}

static void describe_program(clprim__scan_plan *self, const clprim_scan_desc *desc, const scan_shape *shape,
                             size_t banks, size_t group_size, clprim__text *options)
{
    const size_t items = shape->items;
    static const char *const head_types[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong"};
    clprim__text_format(options, "-DEXCLUSIVE=%d -DSEGMENTS=%d -DRUNS=%d", desc->exclusive,
                        self->has_marks ? SEGMENTS_BY_MARKS : (int)self->segments, (int)self->runs);
    if (self->runs != CLPRIM__SCAN_NO_RUNS)
        clprim__text_format(options, " -DRUN_WORDS=%zu -DCOUNT_TYPE=%s", self->run_words,
                            self->base.index_size == sizeof(cl_ulong) ? "ulong" : "uint");
    if (self->runs == CLPRIM__SCAN_RUN_SPANS)
        clprim__text_format(options, " -DMIN_LENGTH=%zu%s -DRUN_OFFSETS=%d -DSCAN_TOTALS=%zu", self->min_length,
                            self->min_length > UINT32_MAX ? "ul" : "u", self->has_offsets, totals_of(self, items));
    if (self->segments != CLPRIM_SEGMENTS_NONE)
        clprim__text_format(options, " -DHEAD=%s -DHEAD_SIZE=%zu",
                            self->has_own_keys ? OWN_KEY : head_types[self->head_size], self->head_size);
    if (self->has_own_equals)
        clprim__text_format(options, " -DOWN_EQUALS=1%s", self->has_own_keys ? " -DOWN_KEYS=1" : "");
    if (self->segments == CLPRIM_SEGMENTS_BY_FLAG)
        clprim__flags_option(options, self->segments_type);
    if (self->row->in_tiles)
        clprim__text_format(options, " -DITEMS=%zu -DPACKET_BYTES=%zu", items, self->packet_bytes);
    if (self->row->info.id == CLPRIM_SCAN_LOOK_BACK)
        clprim__text_format(options, " -DMAY_REPLACE=%d",
                            replaces_what_is_read(self, desc) && has_order_in_place(self, desc));
    if (self->row->info.id == CLPRIM_SCAN_LOOK_BACK || has_fixed_tiles(self))
        clprim__text_format(options, " -DCLPRIM_LOOK_BACK_LOOKS=%zu", shape->looks);
    if (self->row->shape == CLPRIM__SCAN_BLOCKS || self->row->block != 0)
        clprim__text_format(options, " -DBLOCK=%zu" CLPRIM__SCAN_SHARED(CLPRIM__SHARED_OPTION),
                            self->row->block != 0 ? self->row->block : 2 * group_size);
    if (banks != 0)
        clprim__text_format(options, " -DBANKS=%zu", banks);
}

static clprim_status create_kernels(clprim__scan_plan *self, const clprim_scan_desc *desc,
                                    const clprim__prelude *prelude, const scan_shape *shape, size_t banks)
{
    size_t group_size = shape->group_size;
    clprim__text options = {0};
    const clprim__build what = {.source = self->row->source,
                                .names = self->row->kernels,
                                .count = CLPRIM__MAX_KERNELS,
                                .prelude = prelude,
                                .options = &options,
                                .counts = self->base.counts,
                                .initial = self->base.initial,
                                .max_registers = registers_of(self, group_size)};
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t wanted = 0; wanted != group_size;) { /* a block has two values per work-item: if the group shrinks,
                                                      * build again */
        clprim__text_free(&options);
        for (size_t i = 0; i < CLPRIM__MAX_KERNELS; i++)
            clprim__kernel_clear(&self->kernels[i]);
        wanted = group_size;
        describe_program(self, desc, shape, banks, group_size, &options);
        CLPRIM__TRY(clprim__build_kernels(self->kernels, &group_size, self->base.runtime, &what));
        if (self->row->shape != CLPRIM__SCAN_BLOCKS)
            break;
    }
done:
    clprim__text_free(&options);
    return status;
}

/* The kernel that makes bits of offsets. */
static clprim_status create_mark(clprim__scan_plan *self, bool sees_segments)
{
    static const char *const names[] = {"scan_mark_heads"};
    clprim__text options = {0};
    const clprim__build what = {
        .source = &clprim__source_scan_mark_heads, .names = names, .count = 1, .options = &options};
    size_t group_size = clprim__smaller(MARK_GROUP, self->base.runtime->info.max_work_group_size);
    clprim__text_format(&options, "-DOFFSET=%s -DMARKS=%d -DFIRST_BEGINS=%d",
                        self->offset_size == sizeof(cl_ulong) ? "ulong" : "uint", CLPRIM__SCAN_MARKS, !sees_segments);
    const clprim_status status = clprim__build_kernels(&self->mark, &group_size, self->base.runtime, &what);
    clprim__text_free(&options);
    return status;
}

static clprim_status create_in_place(clprim__scan_plan *self, const clprim_scan_desc *desc)
{
    clprim_scan_desc two_passes = *desc;
    two_passes.variant = CLPRIM_SCAN_REDUCE_THEN_SCAN;
    return clprim__plan_create(&self->in_place, self->base.runtime, self->base.subject, &two_passes);
}

static clprim_status build(clprim__scan_plan *self, const clprim_scan_desc *desc, const clprim__prelude *prelude)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const clprim_scan_variant variant = (clprim_scan_variant)self->row->info.id;
    const size_t pack = pack_of(self);
    const size_t banks = variant != CLPRIM_SCAN_BLELLOCH_PADDED ? 0 : desc->banks != 0 ? desc->banks : 32;
    clprim__scan_tuning tuning = clprim__scan_tuning_of(
        variant, self->base.runtime,
        (clprim__tuned_for){.size = self->element_size, .max_count = SIZE_MAX, .of = clprim__scan_kind_of(self)});
    if (self->base.work_group_size != 0)
        tuning.group_size = self->base.work_group_size;
    if (desc->items_per_work_item != 0)
        tuning.items = (desc->items_per_work_item + pack - 1) / pack;
    const scan_shape shape = fit(self, &tuning, banks);
    if (shape.group_size == 0)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s with values of %zu bytes needs more local memory than %s has (%zu)",
                            self->row->info.name, self->value_size, info->name, info->local_memory_size);
    const clprim_status status = create_kernels(self, desc, prelude, &shape, banks);
    if (status != CLPRIM_SUCCESS)
        return status;
    const size_t group_size = self->kernels[0].group_size;
    self->block = self->row->block != 0 ? self->row->block : 2 * group_size;
    self->tile = self->row->in_tiles ? group_size * shape.items * pack : 1024; /* for chunks: enough elements to be
                                                                                * worth another thread */
    if (is_fixed(self) && !clprim__device_has_warps(info, group_size))
        self->tile = self->block;
    self->max_groups = tuning.groups_per_unit * info->compute_units;
    if (has_fixed_tiles(self) &&
        self->tile >= self->block) /* each work-item looks for as many folds as it has packets */
        self->most_at_once = self->tile / pack;
    if (self->row->shape == CLPRIM__SCAN_CHUNKS && self->row->in_tiles) /* scan_chunks folds the sums of all chunks as
                                                                         * one tile */
        self->max_groups = clprim__smaller(self->max_groups, group_size * totals_of(self, shape.items));
    return CLPRIM_SUCCESS;
}

/* The types and texts of keys that are not plain integers. */
static void write_keys(clprim__scan_plan *self, clprim__prelude *prelude, const clprim__scan_keys *keys)
{
    if (self->has_own_keys)
        clprim__prelude_type_as(prelude, OWN_KEY, "key_type_name", keys->type_name, keys->type_size);
    if (self->has_own_equals)
        clprim__equality_write(prelude, &(clprim__equality){.text = keys->equal,
                                                            .type = self->segments_type,
                                                            .own_type = self->has_own_keys ? OWN_KEY : NULL,
                                                            .size = self->head_size});
}

static clprim_status check_keys(clprim__scan_plan *self, const clprim__scan_keys *keys)
{
    const clprim_status status = clprim__element_check(self->segments_type, keys->type_name, keys->type_size,
                                                       keys->equal != NULL, &self->base.runtime->info);
    self->has_own_keys = keys->type_name != NULL;
    self->has_own_equals = keys->type_name != NULL || keys->equal != NULL;
    if (self->has_own_keys)
        self->head_size = keys->type_size;
    return status;
}

clprim_status clprim__scan_make_for(clprim_plan *plan, const clprim_scan_desc *desc, const clprim__scan_keys *keys,
                                    clprim__scan_runs runs)
{
    clprim__scan_plan *self = (void *)plan;
    const clprim_device_info *info = &plan->runtime->info;
    clprim__operator op = {0};
    clprim_status status = CLPRIM_SUCCESS;
    plan->kernels = self->kernels;
    plan->num_kernels = CLPRIM__MAX_KERNELS;
    self->runs = runs;
    self->run_words = runs != CLPRIM__SCAN_NO_RUNS && plan->max_count > UINT32_MAX ? 2 : 1;
    if ((desc->banks & (desc->banks - 1)) != 0 || desc->banks > 1024)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "banks %zu is not a power of two up to 1024", desc->banks);
    CLPRIM__TRY(check_segments(self, desc));
    if (keys != NULL)
        CLPRIM__TRY(check_keys(self, keys));
    CLPRIM__TRY(clprim__operator_create(
        &op,
        &(clprim__operands){CLPRIM__OPERANDS_OF(desc), .input = desc->input, .sees_segments = desc->sees_segments,
                            .output = CLPRIM__OUTPUT_OF(desc), .uses_text = self->has_own_equals},
        &plan->runtime->info));
    if (keys != NULL)
        write_keys(self, &op.prelude, keys);
    CLPRIM__TRY(clprim__prelude_status(&op.prelude));
    self->element_size = runs >= CLPRIM__SCAN_RUN_LENGTHS ? self->head_size : op.element_size;
    self->value_size = op.value_size;
    if (self->segments != CLPRIM_SEGMENTS_NONE)
        self->value_size = (op.value_size + 3) / 4 * 4 + 4 * self->run_words; /* the value in words, and where segments
                                                                               * begin */
    if (runs == CLPRIM__SCAN_RUN_SPANS)
        self->value_size = self->run_words * 3 * sizeof(cl_uint); /* kernels/scan/parts/spans.cl */
    self->output_size = op.output_size;
    self->packet_bytes = packet_bytes_of(self, desc);
    CLPRIM__TRY(check_reproducible(desc, &op, info));
    CLPRIM__TRY(CLPRIM__CHOOSE(self, scan, desc->variant,
                               clprim__scan_auto(info, must_be_fixed(desc, &op), is_plain(desc), plan->max_count)));
    CLPRIM__TRY(check_variant(self, desc));
    self->prefix_size = self->value_size;
    if (op.is_float_sum && self->row->info.id == CLPRIM_SCAN_LOOK_BACK)
        self->prefix_size += (op.value_size + 3) / 4 * 4; /* kernels/scan/parts/long_prefix.cl */
    self->has_marks = self->offset_size > 0 && !self->row->in_tiles &&
                      (self->row->info.id != CLPRIM_SCAN_CPU_CHUNK || desc->sees_segments);
    if (self->has_marks)
        self->head_size = sizeof(cl_uint); /* the bits of 32 elements */
    CLPRIM__TRY(keep_initial(plan, desc, &op));
    CLPRIM__TRY(build(self, desc, &op.prelude));
    if (self->has_marks)
        CLPRIM__TRY(create_mark(self, desc->sees_segments));
    plan->scratch_is_state = self->row->shape == CLPRIM__SCAN_ONE_LAUNCH || has_fixed_tiles(self);
    if (plan->scratch_is_state)
        CLPRIM__TRY(clprim__state_create(&plan->state, plan->runtime, clprim__scan_bytes(self, 1),
                                         clprim__look_back_last_epoch(info)));
    if (replaces_what_is_read(self, desc) && !has_order_in_place(self, desc))
        CLPRIM__TRY(create_in_place(self, desc));
done:
    clprim__operator_clear(&op);
    return status;
}

clprim_status clprim__scan_make(clprim_plan *plan, const void *desc)
{
    return clprim__scan_make_for(plan, desc, NULL, CLPRIM__SCAN_NO_RUNS);
}

void clprim__scan_clear(clprim_plan *plan)
{
    clprim__scan_plan *self = (void *)plan;
    clprim__kernel_clear(&self->mark);
    clprim_plan_destroy(self->in_place);
}
