// SPDX-License-Identifier: MIT
/* adjacent_difference.c: the whole operation: variants, kernels, launches, table, reference. */
#include <clprim/adjacent_difference.h>

#include "build.h"
#include "error.h"
#include "expression.h"
#include "fold.h"
#include "kernels_adjacent_difference.h"
#include "kinds.h"
#include "operator.h"
#include "order.h"
#include "plan_pieces.h"
#include "plan_table.h"
#include "runtime_internal.h"
#include "tuning.h"
#include "variants.h"

#include "adjacent_difference/args.h"

typedef clprim_adjacent_difference_desc description;

enum { MAIN = 0, BORDERS, IN_PLACE, NUM_KERNELS };

/* The parameters of a variant on a device. */
typedef struct clprim__adjacent_difference_tuning {
    size_t group_size;      /* 1 for CPUs, where it stays 1 */
    size_t items;           /* packets of 16 bytes per work-item; for CPUs, how many are worth another group */
    size_t groups_per_unit; /* maximum; 0: one group for each tile */
} clprim__adjacent_difference_tuning;

typedef struct clprim__adjacent_difference_row {
    clprim_variant_info info;
    const char *kernels[NUM_KERNELS];
    const clprim__source *source;
} clprim__adjacent_difference_row;

typedef struct difference_plan {
    clprim_plan base;
    const clprim__adjacent_difference_row *row;
    size_t element_size, result_size;
    bool has_array;    /* elements come from an array, which results may overwrite in place */
    size_t tile;       /* elements of a group; for CPUs, how many are worth another group */
    size_t max_groups; /* 0: no limit */
    clprim__kernel kernels[NUM_KERNELS];
} difference_plan;

/* id, name, summary, needs, origin, keeps order | kernels | source */
static const clprim__adjacent_difference_row rows[] = {
    {{CLPRIM_ADJACENT_DIFFERENCE_TILES, "tiles",
      "tiles in registers; in place, a first launch saves the tiles' neighbours", "", "CUB's DeviceAdjacentDifference",
      true},
     {"adjacent_difference_tiles", "adjacent_difference_borders", "adjacent_difference_in_place"},
     &clprim__source_adjacent_difference_tiles},
    {{CLPRIM_ADJACENT_DIFFERENCE_CPU_CHUNK, "cpu_chunk", "one chunk per core", "", "for CPU devices", true},
     {"adjacent_difference_cpu_chunk", "adjacent_difference_borders", "adjacent_difference_in_place"},
     &clprim__source_adjacent_difference_cpu_chunk},
};

#define FOR(name) .variant = CLPRIM_ADJACENT_DIFFERENCE_##name

/* The parameters of the variants, for all devices. */
CLPRIM__TUNINGS(adjacent_difference) = {
    {{FOR(TILES)}, {.group_size = 128, .items = 2}},
    {{FOR(CPU_CHUNK)}, {.group_size = 1, .items = 2048, .groups_per_unit = 4}},
};

#define TUNABLE(...) CLPRIM__TUNABLE(adjacent_difference, __VA_ARGS__)

/* The parameters that a tuning file may set (docs/tuning.md): minimum, maximum, whether only powers of two. */
static const clprim__tunable tunables[] = {
    TUNABLE("tiles", group_size, 32, 1024, true),
    TUNABLE("tiles", items, 1, 16, false),
    TUNABLE("cpu_chunk", items, 64, 1 << 20, true),
    TUNABLE("cpu_chunk", groups_per_unit, 1, 64, false),
};

CLPRIM__DEFINE_TUNABLES(adjacent_difference)
CLPRIM__DEFINE_ROWS(adjacent_difference)
CLPRIM__DEFINE_TUNING(adjacent_difference)

/* The operation's table. */

#define DESC(...) CLPRIM__DESC(adjacent_difference, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(adjacent_difference, __VA_ARGS__)

CLPRIM__ELEMENT(element, adjacent_difference, clprim__element_of(d->type, CLPRIM_I32, d->type_name, d->type_size))
CLPRIM__ELEMENT(in_element, adjacent_difference, d->input != NULL ? clprim__no_element() : element(d, 0))
CLPRIM__ELEMENT(result, adjacent_difference,
                d->out_type != CLPRIM_TYPE_DEFAULT ? clprim__built_in(d->out_type) : element(d, 0))
CLPRIM__LENGTH(in_length, adjacent_difference, c->count)
CLPRIM__LENGTH(out_length, adjacent_difference, c->count - (d->pairs_only && c->count > 0))
CLPRIM__COUNT(adjacent_difference, c->count)

CLPRIM__DEFINE_ARGUMENTS(adjacent_difference)
CLPRIM__DEFINE_COUNT_AT(adjacent_difference)

static const clprim_member desc_members[] = {
    DESC(type, TYPE, "type of the elements; default i32"),
    DESC(out_type, TYPE, "type of the results; default: the elements'"),
    DESC(combine, TEXT, "the result of element a and its neighbour b: an expression in OpenCL C; default: a - b"),
    CLPRIM__INPUT_MEMBER(adjacent_difference),
    CLPRIM__SOURCE_MEMBERS(adjacent_difference),
    DESC(right_neighbour, BOOL, "the neighbour is the element behind, not the one before"),
    DESC(pairs_only, BOOL, "leave out the element without a neighbour: count - 1 results"),
    CLPRIM__COUNT_AT_MEMBER(adjacent_difference),
    CLPRIM__PLAN_MEMBERS(adjacent_difference),
    {0},
};

static const clprim_member call_members[] = {
    CALL(in, INPUT, "the elements", .element = in_element, .length = in_length),
    CLPRIM__ARGUMENTS_MEMBER(adjacent_difference, in_length),
    CLPRIM__CALL_COUNT_AT(adjacent_difference, count_at),
    CALL(count, SIZE, "how many there are"),
    CALL(out, OUTPUT, "the differences", .element = result, .length = out_length, .in_place_of = "in"),
    {0},
};

/* Compiling kernels for a description. */

static clprim_status check_desc(const description *desc, const clprim_device_info *info)
{
    const char *name = desc->type_name;
    const clprim_type type = desc->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_I32 : desc->type;
    clprim_type out_type = desc->out_type;
    const clprim_status status = clprim__element_check(type, name, desc->type_size, true, info);
    if (status != CLPRIM_SUCCESS)
        return status;
    if (desc->combine == NULL && (name != NULL || (desc->input == NULL && clprim__has_text(&desc->text))))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is given without combine",
                            name != NULL                ? "type_name"
                            : desc->text.source != NULL ? "source"
                                                        : "text");
    if (out_type != CLPRIM_TYPE_DEFAULT && !clprim__is_type(out_type))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown out_type %d", (int)out_type);
    if (out_type == CLPRIM_TYPE_DEFAULT || (desc->combine != NULL && desc->pairs_only)) /* no element is converted */
        return CLPRIM_SUCCESS;
    if (name != NULL || clprim__operator_check(type, CLPRIM_SUM, &out_type) != CLPRIM_SUCCESS)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "out_type %s does not hold every value of %s",
                            clprim_type_name(out_type), name != NULL ? name : clprim_type_name(type));
    return CLPRIM_SUCCESS;
}

/* Write of_pair(x, beside) and of_one(x), which compute the result of an element. VALUE, which is converted to RESULT,
 * is the same as for a sum. */
static clprim_status write_prelude(clprim__operator *out, const description *desc, const clprim_device_info *info)
{
    const clprim_element in = element(desc, 0);
    const clprim_type out_type = result(desc, 0).type;
    const bool is_built_in = clprim__is_type(in.type);                 /* otherwise a struct */
    const bool has_operator = clprim__is_type(out_type);               /* false if results are structs, too */
    const bool is_turned = desc->pairs_only && !desc->right_neighbour; /* then `beside` is the next element */
    clprim__prelude *prelude = &out->prelude;
    clprim__text *text = &prelude->own;
    clprim_status status = CLPRIM_SUCCESS;
    if (has_operator)
        CLPRIM__TRY(
            clprim__operator_create(out, &(clprim__operands){.type = out_type, .accumulator_type = out_type}, info));
    else
        clprim__prelude_begin(prelude, info);
    CLPRIM__TRY(clprim__text_write(prelude, &desc->text, info));
    const char *name =
        is_built_in ? clprim__type_storage(in.type) : clprim__prelude_type(prelude, desc->type_name, desc->type_size);
    const char *seen = in.type == CLPRIM_F16 ? "float" : name; /* the type in the caller's text */
    const char *value = !has_operator ? name : out_type == CLPRIM_F16 ? "float" : clprim__type_storage(out_type);
    clprim__text_format(text,
                        "#undef ELEMENT\n#undef ELEMENT_SIZE\n#undef ELEMENT_OF_BITS\n#define ELEMENT %s\n"
                        "#define ELEMENT_SIZE %zu\n#define SEEN(x) %s(x)\n#define PASTED(T) convert_##T##_rte\n"
                        "#define CONVERT_TO(T) PASTED(T)\n#define VALUE_OF(x) %s(x)\n",
                        name, in.size, in.type == CLPRIM_F16 ? "half_to_float" : "",
                        is_built_in ? "CONVERT_TO(VALUE)" : "");
    if (is_built_in)
        clprim__text_format(text, "#define ELEMENT_OF_BITS(b) as_%s((%s)(b))\n", name, clprim__type_bits(in.type));
    if (!has_operator)
        clprim__text_format(text, "#define VALUE ELEMENT\n#define RESULT ELEMENT\n#define RESULT_OF(v) (v)\n"
                                  "#define RESULT_SIZE ELEMENT_SIZE\n");
    if (desc->combine != NULL)
        clprim__prelude_expression(prelude, &(clprim__expression){.name = "combine",
                                                                  .type = value,
                                                                  .operands = {{seen, "a"}, {seen, "b"}},
                                                                  .text = desc->combine});
    clprim__text_format(text,
                        "static inline RESULT of_pair(ELEMENT %s, ELEMENT %s)\n{\n    const VALUE v = %s;\n"
                        "    return RESULT_OF(v);\n}\nstatic inline RESULT of_one(ELEMENT x)\n{\n%s}\n"
                        "#define tile_packet(j) ((j) * GROUP_SIZE + (uint)get_local_id(0))\n",
                        is_turned ? "y" : "x", is_turned ? "x" : "y",
                        desc->combine != NULL ? "clprim__callers_combine(SEEN(x), SEEN(y))"
                                              : "VALUE_OF(SEEN(x)) - VALUE_OF(SEEN(y))",
                        desc->pairs_only ? "    return of_pair(x, x); /* not used */\n"
                                         : "    const VALUE v = VALUE_OF(SEEN(x));\n    return RESULT_OF(v);\n");
    clprim__input_write(prelude, desc->input, in.type, is_built_in ? NULL : name);
    CLPRIM__TRY(clprim__prelude_status(prelude));
done:
    return status;
}

static clprim_status build(difference_plan *self, const description *desc, const clprim__prelude *prelude)
{
    const clprim_device_info *info = &self->base.runtime->info;
    clprim__adjacent_difference_tuning tuning = clprim__adjacent_difference_tuning_of(
        (clprim_adjacent_difference_variant)self->row->info.id, self->base.runtime,
        (clprim__tuned_for){.size = self->element_size, .max_count = SIZE_MAX});
    /* If results are larger than elements, a work-item writes 16 bytes at a time, and so reads fewer bytes. */
    const size_t ratio = self->result_size / self->element_size;
    const bool is_narrow = ratio > 1 && ratio <= 8 && desc->type_name == NULL;
    const size_t packet = is_narrow ? CLPRIM__PACKET_BYTES / ratio : CLPRIM__PACKET_BYTES;
    size_t pack = packet % self->element_size == 0 ? packet / self->element_size : 1;
    size_t group_size = clprim__group_size(&self->base, tuning.group_size);
    clprim__text options = {0};
    const clprim__build what = {.source = self->row->source,
                                .names = self->row->kernels,
                                .count = NUM_KERNELS,
                                .prelude = prelude,
                                .options = &options,
                                .counts = self->base.counts};
    clprim_status status = CLPRIM_SUCCESS;
    if (!self->has_array && tuning.group_size != 1) {
        tuning.items = clprim__items_alone(tuning.items, pack);
        pack = 1;
    }
    clprim__text_format(&options, "-DITEMS=%zu -DPACKET_BYTES=%zu -DPAIRS_ONLY=%d -DLEFT=%d", tuning.items, packet,
                        desc->pairs_only, !desc->pairs_only && !desc->right_neighbour);
    CLPRIM__TRY(clprim__build_kernels(self->kernels, &group_size, self->base.runtime, &what));
    self->tile = group_size * tuning.items * pack;
    self->max_groups = tuning.groups_per_unit * info->compute_units;
done:
    clprim__text_free(&options);
    return status;
}

static clprim_status make(clprim_plan *plan, const void *given)
{
    difference_plan *self = (void *)plan;
    const description *desc = given;
    const clprim_device_info *info = &plan->runtime->info;
    clprim__operator made = {.is_commutative = false};
    clprim_status status = CLPRIM_SUCCESS;
    plan->kernels = self->kernels;
    plan->num_kernels = NUM_KERNELS;
    CLPRIM__TRY(check_desc(desc, info));
    self->has_array = desc->input == NULL;
    self->element_size = element(desc, 0).size;
    self->result_size = result(desc, 0).size;
    CLPRIM__TRY(CLPRIM__CHOOSE(self, adjacent_difference, desc->variant,
                               info->kind == CLPRIM_DEVICE_CPU ? CLPRIM_ADJACENT_DIFFERENCE_CPU_CHUNK
                                                               : CLPRIM_ADJACENT_DIFFERENCE_TILES));
    CLPRIM__TRY(write_prelude(&made, desc, info));
    CLPRIM__TRY(build(self, desc, &made.prelude));
done:
    clprim__operator_clear(&made);
    return status;
}

/* Launching a call. */

/* Tiles are aligned, so the first one may begin up to a packet before the first element. The last one may then be
 * empty. */
static size_t groups_for(const difference_plan *self, size_t n)
{
    const size_t groups =
        clprim__divide_up(clprim__plus(n, self->max_groups == 0 ? CLPRIM__PACKET_BYTES : 0), self->tile);
    return self->max_groups == 0 || groups < self->max_groups ? groups : self->max_groups;
}

/* The neighbour of each group's first or last element. If results are as large as elements, another group may overwrite
 * it. */
static size_t scratch(const clprim_plan *plan, const void *call)
{
    const difference_plan *self = (const void *)plan;
    return !self->has_array || self->element_size != self->result_size
               ? 0
               : clprim__times(groups_for(self, count(call)), self->element_size);
}

static size_t pooled(const clprim_plan *plan, const clprim__call *c)
{
    return CLPRIM__IS_IN_PLACE(plan, c, adjacent_difference, out) ? scratch(plan, c->given) : 0;
}

static clprim_status launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    difference_plan *self = (void *)plan;
    const clprim_adjacent_difference_call *call = c->given;
    const bool is_in_place = CLPRIM__IS_IN_PLACE(plan, c, adjacent_difference, out);
    const size_t groups = groups_for(self, call->count);
    difference_args args = {.buffers = {.borders = c->scratch}, .numbers = {.n = call->count}};
    if (out_length(&plan->desc, call) == 0)
        return clprim__chain_marker(chain);
    CLPRIM__PUT(&args, in, call->in);
    CLPRIM__PUT(&args, out, call->out);
    if (!is_in_place)
        return clprim__launch_difference(chain, &self->kernels[MAIN], &args, groups, true);
    const clprim_status status = clprim__launch_difference_borders(
        chain, &self->kernels[BORDERS], &args, clprim__divide_up(groups, self->kernels[BORDERS].group_size), false);
    return status == CLPRIM_SUCCESS
               ? clprim__launch_difference_in_place(chain, &self->kernels[IN_PLACE], &args, groups, true)
               : status;
}

/* The reference, and samples. */

/* The value of an element: the product of this one element, so that -0.0 stays -0.0. */
static clprim__fold value_of(const description *desc, const clprim_array *in, size_t i)
{
    const clprim_element x = element(desc, 0);
    const clprim_reference_operator by = {.type = x.type, .op = CLPRIM_PROD, .accumulator_type = result(desc, 0).type};
    clprim__fold value;
    clprim__fold_begin(&value, &by, NULL);
    clprim__fold_add(&value, (const char *)in->host + i * x.size);
    return value;
}

static clprim_status reference(const void *given, const void *call)
{
    const description *desc = given;
    const clprim_adjacent_difference_call *c = call;
    const size_t length = out_length(desc, call);
    const size_t shift = desc->pairs_only && !desc->right_neighbour; /* distance from a result to its element */
    for (size_t k = 0; k < length; k++) {
        const size_t i = k + shift;
        clprim__fold value = value_of(desc, &c->in, i);
        if (desc->right_neighbour ? i + 1 < c->count : i > 0) {
            const clprim__fold other = value_of(desc, &c->in, desc->right_neighbour ? i + 1 : i - 1);
            value.integer -= other.integer;
            value.f32 -= other.f32;
            value.f64 -= other.f64;
        }
        clprim__fold_store(&value, (char *)c->out.host + k * result(desc, 0).size);
    }
    return CLPRIM_SUCCESS;
}

static void sample(clprim__trial *trial, const void *given, void *call, size_t wanted)
{
    const description *desc = given;
    clprim_adjacent_difference_call *c = call;
    c->count = wanted;
    c->in.host = clprim__trial_numbers(trial, element(desc, 0).type, CLPRIM_SUM, result(desc, 0).type, wanted);
}

static const clprim_adjacent_difference_desc samples[] = {
    {.type = CLPRIM_I32},
    {.type = CLPRIM_U8, .out_type = CLPRIM_I32, .right_neighbour = true},
    {.type = CLPRIM_F32, .pairs_only = true},
};
static const int order[] = {CLPRIM_ADJACENT_DIFFERENCE_TILES, CLPRIM_ADJACENT_DIFFERENCE_CPU_CHUNK,
                            CLPRIM_ADJACENT_DIFFERENCE_AUTO};

/* In pieces: each part also gets the neighbour of its first or last element. */
static clprim__halo halo(const void *desc)
{
    const description *d = desc;
    const bool is_right = d->right_neighbour && !d->pairs_only;
    return (clprim__halo){.left = !is_right, .right = is_right, .is_of_pairs = d->pairs_only};
}

static const char *const texts[] = {"input", NULL};
static const clprim__pieces pieces = {
    .count_place = offsetof(clprim_adjacent_difference_call, count), .halo = halo, .texts = texts};

static const clprim__operation operation = {
    .face = &clprim_adjacent_difference_operation,
    .plan_size = sizeof(difference_plan),
    .make = make,
    .count = count,
    .scratch = scratch,
    .pooled = pooled,
    .launch = launch,
    .pieces = &pieces,
    .sample = sample,
    .reference = reference,
    .tunables = &clprim__adjacent_difference_tunables,
};

CLPRIM__DEFINE_OPERATION(adjacent_difference, "the difference of each element and its neighbour",
                         clprim__adjacent_difference_variants, "i32", "u8 to i32, right neighbour", "f32, pairs only")
