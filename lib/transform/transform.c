// SPDX-License-Identifier: MIT
/* transform.c: the whole operation: variants, kernels, launch, table, reference. */
#include <clprim/transform.h>

#include "build.h"
#include "error.h"
#include "fold.h"
#include "kernels_transform.h"
#include "kinds.h"
#include "plan_pieces.h"
#include "plan_table.h"
#include "runtime_internal.h"
#include "transform_internal.h"
#include "tuning.h"
#include "variants.h"

typedef clprim_transform_desc description;

enum { MAX_OUTPUTS = CLPRIM_TRANSFORM_MAX_OUTPUTS };

/* The parameters of a variant on a device. */
typedef struct clprim__transform_tuning {
    size_t group_size;      /* 1 for CPUs, where it stays 1 */
    size_t items;           /* items per work-item, each of 4 bytes or more; for CPUs, elements that are worth another
                        * group */
    size_t packets;         /* packets per work-item, if several elements are processed together */
    size_t groups_per_unit; /* maximum; 0: one group for each tile */
} clprim__transform_tuning;

typedef struct clprim__transform_row {
    clprim_variant_info info;
    const char *kernel;
    const clprim__source *source;
} clprim__transform_row;

typedef struct transform_plan {
    clprim_plan base;
    const clprim__transform_row *row;
    size_t tile;       /* elements of a group; for CPUs, how many are worth another group */
    size_t max_groups; /* 0: no limit */
    size_t num_outputs;
    bool is_scattered; /* by .out_index */
    clprim__kernel kernel;
} transform_plan;

/* id, name, summary, needs, origin, keeps order | kernel | source */
static const clprim__transform_row rows[] = {
    {{CLPRIM_TRANSFORM_TILES, "tiles", "a few elements per work-item, one work-group apart", "",
      "CUB's DeviceTransform", true},
     "transform_tiles",
     &clprim__source_transform_tiles},
    {{CLPRIM_TRANSFORM_CPU_CHUNK, "cpu_chunk", "one chunk per core", "", "for CPU devices", true},
     "transform_cpu_chunk",
     &clprim__source_transform_cpu_chunk},
};

#define FOR(name) .variant = CLPRIM_TRANSFORM_##name

/* The parameters of the variants, for all devices. */
CLPRIM__TUNINGS(transform) = {
    {{FOR(TILES)}, {.group_size = 128, .items = 4, .packets = 1}},
    {{FOR(CPU_CHUNK)}, {.group_size = 1, .items = 2048, .groups_per_unit = 4}},
};

#define TUNABLE(...) CLPRIM__TUNABLE(transform, __VA_ARGS__)

/* The parameters that a tuning file may set (docs/tuning.md): minimum, maximum, whether only powers of two. */
static const clprim__tunable tunables[] = {
    TUNABLE("tiles", group_size, 32, 1024, true),
    TUNABLE("tiles", items, 1, 32, false),
    TUNABLE("tiles", packets, 1, 16, false),
    TUNABLE("cpu_chunk", items, 64, 1 << 20, true),
    TUNABLE("cpu_chunk", groups_per_unit, 1, 64, false),
};

CLPRIM__DEFINE_TUNABLES(transform)
CLPRIM__DEFINE_ROWS(transform)
CLPRIM__DEFINE_TUNING(transform)

/* The operation's table. */

#define DESC(...) CLPRIM__DESC(transform, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(transform, __VA_ARGS__)

CLPRIM__ELEMENT(output, transform, clprim__transform_output(d, index))
CLPRIM__LENGTH(length, transform, c->count)
CLPRIM__LENGTH(out_length, transform, c->out_length != 0 ? c->out_length : c->count)
CLPRIM__COUNT(transform, c->count)
CLPRIM__DEFINE_ARGUMENTS(transform)
CLPRIM__DEFINE_COUNT_AT(transform)

static bool is_scattered(const void *desc)
{
    return ((const description *)desc)->out_index != NULL;
}

static const clprim_member desc_members[] = {
    DESC(expressions, TEXT, "what each output holds at place i: OpenCL C over i and the parameters; default: i"),
    DESC(types, TYPE, "types of the outputs; default i32"),
    DESC(type_names, TEXT, "names of types declared in source, instead; default: built-in types"),
    DESC(type_sizes, SIZE, "sizes of these types on the host, in bytes"),
    DESC(out_index, TEXT, "where the values of place i go: OpenCL C over i and the parameters; default: to i"),
    CLPRIM__TEXT_MEMBERS(transform),
    CLPRIM__COUNT_AT_MEMBER(transform),
    CLPRIM__PLAN_MEMBERS(transform),
    {0},
};

static const clprim_member call_members[] = {
    CLPRIM__ARGUMENTS_MEMBER(transform, length),
    CLPRIM__CALL_COUNT_AT(transform, count_at),
    CALL(count, SIZE, "how many elements are computed for each output"),
    CALL(out_length, SIZE, "how many elements each output has, with out_index; default: count"),
    CALL(out, OUTPUT, "the outputs", .repeat = MAX_OUTPUTS, .element = output, .length = out_length,
         .is_read = is_scattered),
    {0},
};

/* Compiling a kernel for a description. */

static clprim_status check_desc(size_t *num_outputs, const description *desc, const clprim_device_info *info)
{
    clprim_status status = CLPRIM_SUCCESS;
    size_t count = 1;
    while (count < MAX_OUTPUTS && desc->expressions[count] != NULL)
        count++;
    for (size_t k = 0; k < MAX_OUTPUTS; k++) {
        const clprim_type type = desc->types[k] == CLPRIM_TYPE_DEFAULT ? CLPRIM_I32 : desc->types[k];
        if (desc->type_names[k] == NULL && !clprim__is_type(type))
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "types[%zu] is unknown: %d", k, (int)type);
        CLPRIM__TRY(clprim__element_check(type, desc->type_names[k], desc->type_sizes[k], true, info));
        if (desc->type_names[k] != NULL && strcmp(desc->type_names[k], "bool") == 0 && desc->type_sizes[k] != 1)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "type_sizes[%zu] must be 1 for bool, not %zu", k,
                                desc->type_sizes[k]);
        if (k < count
                ? desc->type_names[k] != NULL && desc->expressions[k] == NULL
                : desc->expressions[k] != NULL || desc->types[k] != CLPRIM_TYPE_DEFAULT || desc->type_sizes[k] != 0)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "expressions[%zu] is missing", k < count ? k : count);
    }
    *num_outputs = count;
done:
    return status;
}

static clprim_status build(transform_plan *self, const description *desc)
{
    const clprim_device_info *info = &self->base.runtime->info;
    clprim__transform_tuning tuning =
        clprim__transform_tuning_of((clprim_transform_variant)self->row->info.id, self->base.runtime,
                                    (clprim__tuned_for){.size = 4, .max_count = SIZE_MAX});
    size_t pack = 1;
    size_t group_size = clprim__group_size(&self->base, tuning.group_size);
    clprim__text options = {0};
    clprim__prelude prelude = {0};
    const clprim__build what = {.source = self->row->source,
                                .names = &self->row->kernel,
                                .count = 1,
                                .prelude = &prelude,
                                .options = &options,
                                .counts = self->base.counts};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__transform_write_prelude(&prelude, desc, self->num_outputs, info));
    if (tuning.packets > 0 && !self->is_scattered)
        pack = clprim__transform_write_packets(&prelude, desc, self->num_outputs);
    if (pack > 1)
        tuning.items = tuning.packets;
    clprim__text_format(&options, "-DITEMS=%zu -DPACK=%zu", tuning.items, pack);
    CLPRIM__TRY(clprim__build_kernels(&self->kernel, &group_size, self->base.runtime, &what));
    self->tile = group_size * tuning.items * pack;
    self->max_groups = tuning.groups_per_unit * info->compute_units;
done:
    clprim__prelude_free(&prelude);
    clprim__text_free(&options);
    return status;
}

static clprim_status make(clprim_plan *plan, const void *given)
{
    transform_plan *self = (void *)plan;
    const description *desc = given;
    const clprim_device_info *info = &plan->runtime->info;
    clprim_status status = CLPRIM_SUCCESS;
    plan->kernels = &self->kernel;
    plan->num_kernels = 1;
    plan->keeps_arguments = self->is_scattered = is_scattered(desc);
    CLPRIM__TRY(check_desc(&self->num_outputs, desc, info));
    CLPRIM__TRY(CLPRIM__CHOOSE(self, transform, desc->variant,
                               info->kind == CLPRIM_DEVICE_CPU ? CLPRIM_TRANSFORM_CPU_CHUNK : CLPRIM_TRANSFORM_TILES));
    CLPRIM__TRY(build(self, desc));
done:
    return status;
}

/* Launching a call. */

static clprim_status check(const clprim_plan *plan, const void *given)
{
    const transform_plan *self = (const void *)plan;
    const clprim_transform_call *call = given;
    return self->is_scattered || call->out_length == 0
               ? CLPRIM_SUCCESS
               : clprim__fail(CLPRIM_INVALID_ARGUMENT, "out_length is given, but the plan was made without out_index");
}

/* Put output k. */
#define PUT(k) CLPRIM__PUT_IF((k) < self->num_outputs, &args, clprim__out_##k, call->out[k])
_Static_assert(MAX_OUTPUTS == 8, "a list has as many outputs as a call");

static clprim_status launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    transform_plan *self = (void *)plan;
    const clprim_transform_call *call = c->given;
    const size_t tiles = clprim__divide_up(call->count, self->tile);
    transform_args args = {.numbers = {.n = call->count, .out_length = out_length(NULL, call)}};
    PUT(0);
    PUT(1);
    PUT(2);
    PUT(3);
    PUT(4);
    PUT(5);
    PUT(6);
    PUT(7);
    return clprim__launch_transform(chain, &self->kernel, &args,
                                    self->max_groups == 0 || tiles < self->max_groups ? tiles : self->max_groups, true);
}

/* The reference, for descriptions without texts, and samples. */

static clprim_status reference(const void *given, const void *call)
{
    const description *desc = given;
    const clprim_transform_call *c = call;
    const clprim_element out = output(desc, 0);
    for (uint64_t i = 0; i < c->count; i++) {
        const clprim_reference_operator by = {.type = CLPRIM_U64,
                                              .accumulator_type = out.type == CLPRIM_F16 ? CLPRIM_F32 : out.type};
        clprim__fold value;
        clprim__fold_begin(&value, &by, NULL);
        clprim__fold_add(&value, &i);
        value.accumulator_type = out.type;
        clprim__fold_store(&value, (char *)c->out[0].host + i * out.size);
    }
    return CLPRIM_SUCCESS;
}

static void sample(clprim__trial *trial, const void *given, void *call, size_t wanted)
{
    (void)trial;
    (void)given;
    ((clprim_transform_call *)call)->count = wanted;
}

static const clprim_transform_desc samples[] = {
    {.types = {CLPRIM_I32}}, {.types = {CLPRIM_U8}}, {.types = {CLPRIM_F32}}};
static const int order[] = {CLPRIM_TRANSFORM_TILES, CLPRIM_TRANSFORM_CPU_CHUNK, CLPRIM_TRANSFORM_AUTO};

/* In pieces: the default expression also uses i. */
static void describe(void *desc, const clprim_plan *plan, bool is_first)
{
    description *d = desc;
    (void)plan;
    (void)is_first;
    if (d->expressions[0] == NULL)
        d->expressions[0] = "i";
}

static const char *obstacle(const clprim_plan *plan, const void *desc)
{
    (void)plan;
    return is_scattered(desc) ? "out_index may send values to any place" : NULL;
}

static const char *const texts[] = {"expressions", NULL};
static const clprim__pieces pieces = {
    .obstacle = obstacle, .count_place = offsetof(clprim_transform_call, count), .texts = texts, .describe = describe};

static const clprim__operation operation = {
    .face = &clprim_transform_operation,
    .plan_size = sizeof(transform_plan),
    .make = make,
    .count = count,
    .replaces_arguments = texts,
    .check = check,
    .launch = launch,
    .pieces = &pieces,
    .sample = sample,
    .reference = reference,
    .tunables = &clprim__transform_tunables,
};

CLPRIM__DEFINE_OPERATION(transform, "one or several arrays, each from an expression", clprim__transform_variants, "i32",
                         "u8", "f32")
