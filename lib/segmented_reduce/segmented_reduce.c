// SPDX-License-Identifier: MIT
/* segmented_reduce.c: the operation's variants, kernels, launches and table. */
#include <clprim/reference.h>
#include <clprim/segmented_reduce.h>

#include "device.h"
#include "error.h"
#include "kernels_segmented_reduce.h"
#include "operator.h"
#include "plan_table.h"
#include "runtime_internal.h"
#include "segmented_reduce_internal.h"
#include "segments.h"
#include "sizes.h"
#include "tuning.h"
#include "variants.h"

typedef clprim_segmented_reduce_desc description;

enum {
    PLACE = 4,         /* least bytes of a place in a tile */
    STAGED = 8,        /* outputs of at most so many bytes are collected in local memory */
    MOST_ALIGNED = 16, /* bytes; the alignment of ulong2 */
    WORDS = 16,        /* words of local memory for a tile besides places and values, with alignment */
    /* Registers per work-item, for sums of floats. They allow three groups of 256 on a compute unit of NVIDIA, as for
     * other types. */
    FLOAT_REGISTERS = 80,
    FLOAT_GROUP = 256,
};

#define OWN(name) &clprim__source_segmented_reduce_##name

#define NOTHING   "segmented_reduce_nothing"

/* id, name, summary, needs, origin, keeps order | looks back | kernels | source */
static const clprim__segmented_reduce_row rows[] = {
    {{CLPRIM_SEGMENTED_REDUCE_ONE_LAUNCH, "one_launch",
      "equal shares of elements and segments; a group looks back for the beginning of its first segment",
      "forward progress between work-groups", "merge path; Merrill, Garland 2016", true},
     true,
     {"segmented_reduce_tiles", NOTHING, "segmented_reduce_whole", "segmented_reduce_undivided"},
     OWN(tiles)},
    {{CLPRIM_SEGMENTED_REDUCE_LAST_GROUP, "last_group",
      "the same; the group that ends last joins the parts of segments", "", "Merrill, Garland 2016", true},
     false,
     {"segmented_reduce_tiles", NOTHING, "segmented_reduce_whole", "segmented_reduce_undivided"},
     OWN(tiles)},
    {{CLPRIM_SEGMENTED_REDUCE_CPU_CHUNK, "cpu_chunk",
      "equal shares of elements and segments for the cores; the one that ends last joins the parts", "",
      "for CPU devices", true},
     false,
     {"segmented_reduce_cpu_chunk", NOTHING},
     OWN(cpu_chunk)},
};

#define FOR(name) .variant = CLPRIM_SEGMENTED_REDUCE_##name

/* The variants' parameters, the same on all devices. */
CLPRIM__TUNINGS(segmented_reduce) = {
    {{FOR(ONE_LAUNCH)}, {.group_size = 256, .bytes = 44, .loads = 4, .groups_per_unit = 16}},
    {{FOR(LAST_GROUP)}, {.group_size = 256, .bytes = 44, .loads = 4, .groups_per_unit = 16}},
    {{FOR(CPU_CHUNK)}, {.group_size = 1, .share = 8192, .groups_per_unit = 4}},
};

#define TUNABLE(...) CLPRIM__TUNABLE(segmented_reduce, __VA_ARGS__)
#define TILE_TUNABLES(variant)                                                                                         \
    TUNABLE(variant, group_size, 32, 1024, true), TUNABLE(variant, bytes, 4, 256, false),                              \
        TUNABLE(variant, loads, 1, 16, false), TUNABLE(variant, groups_per_unit, 1, 256, false)

/* The parameters that a tuning file may set (docs/tuning.md): minimum, maximum, whether only powers of two. */
static const clprim__tunable tunables[] = {
    TILE_TUNABLES("one_launch"),
    TILE_TUNABLES("last_group"),
    TUNABLE("cpu_chunk", share, 64, 1 << 20, true),
    TUNABLE("cpu_chunk", groups_per_unit, 1, 64, false),
};

CLPRIM__DEFINE_TUNABLES(segmented_reduce)
CLPRIM__DEFINE_ROWS(segmented_reduce)
CLPRIM__DEFINE_TUNING(segmented_reduce)

/* The table. */

#define DESC(...) CLPRIM__DESC(segmented_reduce, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(segmented_reduce, __VA_ARGS__)

CLPRIM__ELEMENT(element, segmented_reduce,
                d->input != NULL ? clprim__no_element() : clprim__operand(d->type, d->custom))
CLPRIM__ELEMENT(result, segmented_reduce, clprim__result(d->type, d->op, d->accumulator_type, d->custom))
CLPRIM__ELEMENT(offset, segmented_reduce, clprim__type_or(d->offsets_type, CLPRIM_U32))
CLPRIM__DEFINE_OUTPUT(segmented_reduce, result)
CLPRIM__LENGTH(length, segmented_reduce, c->count)
CLPRIM__LENGTH(offsets_length, segmented_reduce, c->segment_count == 0 ? 0 : clprim__plus(c->segment_count, 1))
CLPRIM__LENGTH(out_length, segmented_reduce, c->segment_count)
CLPRIM__COUNT(segmented_reduce, c->count)
CLPRIM__DEFINE_ARGUMENTS(segmented_reduce)
CLPRIM__DEFINE_INITIAL_AT(segmented_reduce)

static const clprim_member desc_members[] = {
    DESC(type, TYPE, "type of the elements; default i32"),
    CLPRIM__OPERATOR_MEMBERS(segmented_reduce, CLPRIM__INPUT_MEMBER(segmented_reduce), ),
    CLPRIM__OUTPUT_MEMBERS(segmented_reduce,
                           "what is written: OpenCL C over a result r, its segment's number i and the parameters; "
                           "default: r",
                           "the results'"),
    CLPRIM__INITIAL_MEMBERS(segmented_reduce, "a value in front of each segment; default: none"),
    DESC(offsets_type, TYPE, "type of the segments' offsets: u32 (default) or u64"),
    DESC(max_count, SIZE, "elements of any call; default: fewer than 2^32"),
    DESC(max_segments, SIZE, "segments of any call; default: fewer than 2^32 - 1"),
    DESC(variant, ENUM, "how to do it; default auto"),
    DESC(work_group_size, SIZE, "work-items per work-group, a power of two; default: tuned"),
    {0},
};

static const clprim_member call_members[] = {
    CALL(in, INPUT, "the elements", .element = element, .length = length),
    CLPRIM__ARGUMENTS_MEMBER(segmented_reduce, length),
    CALL(offsets, INPUT, "where segments begin and end", .element = offset, .length = offsets_length),
    CALL(count, SIZE, "how many elements there are"),
    CALL(segment_count, SIZE, "how many segments there are"),
    CLPRIM__CALL_INITIAL_AT(segmented_reduce),
    CALL(out, OUTPUT, "the segments' results, or what is made of them", .element = output, .length = out_length),
    {0},
};

/* The shape of a kernel. */

typedef struct shape {
    size_t group_size;
    size_t items; /* per work-item in a tile */
} shape;

static bool is_staged(const clprim__segmented_reduce_plan *self)
{
    return self->output_size <= STAGED;
}

/* Bytes of a tile_slot of kernels/segmented_reduce/tiles.cl. */
static size_t place_size(const clprim__segmented_reduce_plan *self)
{
    const size_t size = is_staged(self) ? clprim__larger(self->element_size, self->output_size) : self->element_size;
    return clprim__larger(size, PLACE);
}

/* Bytes of a `carried` of kernels/segmented_reduce/parts/carry.cl. Its end is as large as a value's alignment, or half
 * of it. */
static size_t carried_size(const clprim__segmented_reduce_plan *self)
{
    size_t alignment = 1;
    while (alignment < MOST_ALIGNED && self->value_size % (2 * alignment) == 0)
        alignment *= 2;
    return self->value_size + alignment;
}

static size_t local_bytes(const clprim__segmented_reduce_plan *self, const shape *of)
{
    const size_t carries = clprim__device_scan_values(&self->base.runtime->info, of->group_size);
    return of->group_size * of->items * place_size(self) + carries * carried_size(self) + 2 * self->value_size +
           WORDS * sizeof(cl_uint);
}

/* The largest group for which the device has room, halving the wanted size, and then the most items. The number of
 * items is odd, so that neighbours read different banks of local memory. group_size 0: there is no room. */
static shape fit(const clprim__segmented_reduce_plan *self, const clprim__segmented_reduce_tuning *tuning)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t room = self->base.local_room;
    const size_t items = tuning->bytes / place_size(self);
    shape of = {clprim__group_size(&self->base, tuning->group_size), 1};
    if (tuning->group_size == 1)
        of.group_size = 1;
    for (; of.group_size > 0; of.group_size /= 2)
        for (of.items = items < 1 ? 1 : items - (items % 2 == 0); of.items > 0; of.items -= of.items > 1 ? 2 : 1)
            if (of.group_size <= info->max_work_group_size && local_bytes(self, &of) <= room)
                return of;
    return of;
}

static clprim_status build(clprim__segmented_reduce_plan *self, const description *desc, clprim__operator *op)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const bool packs = desc->input == NULL && CLPRIM__PACKET_BYTES % self->element_size == 0;
    const bool adds_floats = op->is_float_sum && self->value_size <= sizeof(cl_float) && desc->input == NULL;
    clprim__segmented_reduce_tuning tuning =
        clprim__segmented_reduce_tuning_of((clprim_segmented_reduce_variant)self->row->info.id, self->base.runtime,
                                           (clprim__tuned_for){.size = self->element_size, .max_count = SIZE_MAX});
    shape of = fit(self, &tuning);
    if (of.group_size == 0)
        return clprim__device_lacks_local(info, self->element_size);
    const bool has_tiles = tuning.group_size > 1 && of.group_size <= FLOAT_GROUP;
    clprim__text options = {0};
    const char *names[CLPRIM__SEGMENTED_REDUCE_KERNELS];
    memcpy(names, self->row->kernels, sizeof names);
    if (!op->is_commutative)
        for (int i = CLPRIM__SEGMENTED_REDUCE_WHOLE; i < CLPRIM__SEGMENTED_REDUCE_KERNELS; i++)
            names[i] = NULL;
    const clprim__build what = {.source = self->row->source,
                                .names = names,
                                .count = CLPRIM__SEGMENTED_REDUCE_KERNELS,
                                .prelude = &op->prelude,
                                .options = &options,
                                .initial = self->base.initial,
                                .max_registers = has_tiles && adds_floats ? FLOAT_REGISTERS : 0};
    clprim_status status = CLPRIM_SUCCESS;
    clprim__text_format(&options, "-DOFFSET=%s -DPATH_ITEMS=%zu -DLOADS=%zu -DPACKET_BYTES=%d",
                        self->offset_size == sizeof(cl_ulong) ? "ulong" : "uint", of.items,
                        packs ? tuning.loads
                              : clprim__items_alone(tuning.loads, CLPRIM__PACKET_BYTES / sizeof(cl_uint)),
                        CLPRIM__PACKET_BYTES);
    clprim__text_format(&options, " -DLOOKS_BACK=%d -DSTAGED=%d" CLPRIM__SEGMENTED_REDUCE_SHARED(CLPRIM__SHARED_OPTION),
                        self->row->looks_back, is_staged(self));
    CLPRIM__TRY(clprim__build_kernels(self->kernels, &of.group_size, self->base.runtime, &what));
    self->share = tuning.share != 0 ? tuning.share : of.group_size * of.items;
    self->max_groups = tuning.groups_per_unit * info->compute_units;
    self->base.scratch_is_state = true;
    status = clprim__state_create(&self->base.state, self->base.runtime, clprim__segmented_reduce_shares_bytes(self, 1),
                                  clprim__look_back_last_epoch(info));
done:
    clprim__text_free(&options);
    return status;
}

static clprim_status check_desc(clprim__segmented_reduce_plan *self, const description *desc)
{
    const size_t most = CLPRIM__MOST_SEGMENTS;
    if (desc->max_segments > most)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "max_segments %zu: there cannot be more than %zu",
                            desc->max_segments, most);
    self->max_segments = desc->max_segments != 0 ? desc->max_segments : most;
    return clprim__offsets_type_check(&self->offset_size, desc->offsets_type);
}

static clprim_segmented_reduce_variant best_for(const clprim_device_info *info)
{
    return info->kind == CLPRIM_DEVICE_CPU ? CLPRIM_SEGMENTED_REDUCE_CPU_CHUNK
           : info->has_forward_progress    ? CLPRIM_SEGMENTED_REDUCE_ONE_LAUNCH
                                           : CLPRIM_SEGMENTED_REDUCE_LAST_GROUP;
}

static clprim_status make(clprim_plan *plan, const void *given)
{
    clprim__segmented_reduce_plan *self = (void *)plan;
    const description *desc = given;
    const clprim_device_info *info = &plan->runtime->info;
    clprim__operator op = {0};
    clprim_status status = CLPRIM_SUCCESS;
    plan->kernels = self->kernels;
    plan->num_kernels = CLPRIM__SEGMENTED_REDUCE_KERNELS;
    CLPRIM__TRY(check_desc(self, desc));
    CLPRIM__TRY(clprim__operator_create(
        &op, &(clprim__operands){CLPRIM__OPERANDS_OF(desc), .input = desc->input, .output = CLPRIM__OUTPUT_OF(desc)},
        info));
    self->element_size = op.element_size;
    self->value_size = op.value_size;
    self->output_size = op.output_size;
    CLPRIM__TRY(CLPRIM__CHOOSE(self, segmented_reduce, desc->variant, best_for(info)));
    CLPRIM__TRY(clprim__variant_check(&self->row->info, !self->row->looks_back || info->has_forward_progress, info));
    CLPRIM__TRY(clprim__plan_keep_initial(plan, op.result_type, op.result_size, desc->initial, desc->has_initial_at));
    CLPRIM__TRY(build(self, desc, &op));
done:
    clprim__operator_clear(&op);
    return status;
}

/* A call. */

static clprim_status check(const clprim_plan *plan, const void *call)
{
    const clprim__segmented_reduce_plan *self = (const void *)plan;
    const clprim_segmented_reduce_call *given = call;
    return clprim__segments_check(&given->offsets, self->offset_size, given->segment_count, self->max_segments,
                                  given->count);
}

/* The reference, for descriptions without texts, and samples. */

static bool has_reference(const void *desc)
{
    const description *d = desc;
    return clprim__initial_is_exact(d->initial, result(desc, 0), d->op);
}

static clprim_status reference(const void *given, const void *call)
{
    const description *desc = given;
    const clprim_segmented_reduce_call *c = call;
    clprim_reference_operator by = CLPRIM__REFERENCE_OPERATOR_OF(desc, clprim__operand(desc->type, desc->custom).type);
    by.initial = desc->has_initial_at ? c->initial_at.host : desc->initial;
    return clprim_reference_segmented_reduce(c->out.host, &by, c->in.host, c->count, desc->offsets_type,
                                             c->offsets.host, c->segment_count);
}

static void sample(clprim__trial *trial, const void *given, void *call, size_t wanted)
{
    const description *desc = given;
    clprim_segmented_reduce_call *c = call;
    const size_t offset_size = offset(desc, 0).size;
    const clprim_type type = clprim__operand(desc->type, desc->custom).type;
    c->in.host = clprim__trial_numbers(trial, type, desc->op, desc->accumulator_type, wanted);
    c->offsets.host = clprim__trial_offsets(trial, &c->segment_count, offset_size, wanted, SIZE_MAX,
                                            clprim__trial_count(SIZE_MAX, desc->max_segments));
    c->count = wanted;
    if (desc->has_initial_at)
        c->initial_at.host = clprim__trial_numbers(trial, result(desc, 0).type, desc->op, desc->accumulator_type, 1);
}

static const clprim_segmented_reduce_desc samples[] = {
    {.type = CLPRIM_F32, .offsets_type = CLPRIM_U64},
    {.type = CLPRIM_I32},
    {.type = CLPRIM_I8, .op = CLPRIM_MAX, .has_initial_at = true},
    {.type = CLPRIM_F64, .op = CLPRIM_ARGMIN},
};
static const int order[] = {CLPRIM_SEGMENTED_REDUCE_ONE_LAUNCH, CLPRIM_SEGMENTED_REDUCE_LAST_GROUP,
                            CLPRIM_SEGMENTED_REDUCE_CPU_CHUNK, CLPRIM_SEGMENTED_REDUCE_AUTO};

static const clprim__operation operation = {
    .face = &clprim_segmented_reduce_operation,
    .plan_size = sizeof(clprim__segmented_reduce_plan),
    .tunables = &clprim__segmented_reduce_tunables,
    .make = make,
    .count = count,
    .launches_for_none = true,
    .check = check,
    .scratch = clprim__segmented_reduce_scratch,
    .launch = clprim__segmented_reduce_launch,
    .pieces = &clprim__segmented_reduce_pieces,
    .has_reference = has_reference,
    .sample = sample,
    .reference = reference,
};

CLPRIM__DEFINE_OPERATION(segmented_reduce, "fold each segment of an array to one value",
                         clprim__segmented_reduce_variants, "sums of f32", "sums of i32",
                         "maxima of i8 and a number on the device", "argmin of f64")
