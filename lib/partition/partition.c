// SPDX-License-Identifier: MIT
/* partition.c: a selection that also keeps the other elements: see kernels/select/parts/places.cl. */
#include <clprim/partition.h>
#include <clprim/reference.h>
#include <stdlib.h>

#include "error.h"
#include "flags.h"
#include "plan_pieces.h"
#include "plan_table.h"
#include "select_internal.h"

#define DESC(...) CLPRIM__DESC(partition, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(partition, __VA_ARGS__)

CLPRIM__ELEMENT(element, partition, clprim__element_of(d->type, CLPRIM_I32, d->type_name, d->type_size))
CLPRIM__ELEMENT(flag, partition,
                d->predicate != NULL ? clprim__no_element() : clprim__type_or(d->flags_type, CLPRIM_U8))
CLPRIM__ELEMENT(in_element, partition, d->input != NULL ? clprim__no_element() : element(d, 0))
CLPRIM__DEFINE_OUTPUT(partition, element)
CLPRIM__ELEMENT(second_output, partition,
                d->separate && d->second_predicate != NULL ? output(d, 0) : clprim__no_element())
CLPRIM__ELEMENT(rest_output, partition, d->separate ? output(d, 0) : clprim__no_element())
CLPRIM__ELEMENT(number, partition, clprim__type_or(d->index_type, CLPRIM_U32))
CLPRIM__ELEMENT(second_number, partition, d->second_predicate != NULL ? number(d, 0) : clprim__no_element())
CLPRIM__ELEMENT(rest_number, partition, d->separate ? number(d, 0) : clprim__no_element())
CLPRIM__LENGTH(length, partition, c->count)
CLPRIM__COUNT(partition, c->count)

CLPRIM__DEFINE_ARGUMENTS(partition)
CLPRIM__DEFINE_COUNT_AT(partition)

static bool has_all_parts(const void *desc)
{
    return !((const clprim_partition_desc *)desc)->separate;
}

static const clprim_member desc_members[] = {
    DESC(type, TYPE, "type of the elements; default i32"),
    DESC(predicate, TEXT, "which elements x, of index i, are in the first part: OpenCL C; default: by flags"),
    DESC(second_predicate, TEXT, "which of the other elements are in the second part; default: there is none"),
    CLPRIM__INPUT_MEMBER(partition),
    CLPRIM__OUTPUT_MEMBERS(
        partition,
        "what is stored: OpenCL C over the element r, its place i in the input and the parameters; default: r",
        "the elements'"),
    CLPRIM__SOURCE_MEMBERS(partition),
    DESC(flags_type, TYPE, "type of the flags; default u8"),
    DESC(reversed_rest, BOOL, "the rest is written from the end backwards, which takes one pass"),
    DESC(separate, BOOL, "each part has an array of its own; default: they follow one another"),
    CLPRIM__INDEX_MEMBER(partition),
    CLPRIM__COUNT_AT_MEMBER(partition),
    CLPRIM__PLAN_MEMBERS(partition),
    DESC(items_per_work_item, SIZE, "elements per work-item; default: tuned"),
    {0},
};

static const clprim_member call_members[] = {
    CALL(in, INPUT, "the elements", .element = in_element, .length = length),
    CALL(flags, INPUT, "a flag for each element, without a predicate", .element = flag, .length = length),
    CLPRIM__ARGUMENTS_MEMBER(partition, length),
    CLPRIM__CALL_COUNT_AT(partition, count_at),
    CALL(count, SIZE, "how many there are"),
    CALL(out, OUTPUT, "all parts, or the first one", .element = output, .length = length, .counted_by = "out_count",
         .is_whole = has_all_parts, .may_be_short = true),
    CALL(second_out, OUTPUT, "the second part", .element = second_output, .length = length,
         .counted_by = "second_count", .may_be_short = true),
    CALL(rest_out, OUTPUT, "the elements of no part", .element = rest_output, .length = length,
         .counted_by = "rest_count", .may_be_short = true),
    CALL(out_count, OUTPUT, "how many are in the first part", .element = number, .length = clprim__one),
    CALL(second_count, OUTPUT, "how many are in the second part", .element = second_number, .length = clprim__one),
    CALL(rest_count, OUTPUT, "how many are in no part", .element = rest_number, .length = clprim__one),
    {0},
};

static clprim__select_rest rest_of(const clprim_partition_desc *desc)
{
    return desc->separate ? CLPRIM__REST_SEPARATE : desc->reversed_rest ? CLPRIM__REST_REVERSED : CLPRIM__REST_FOLLOWS;
}

static clprim_status make(clprim_plan *plan, const void *description)
{
    const clprim_partition_desc *desc = description;
    if (desc->reversed_rest && (desc->separate || desc->second_predicate != NULL))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "reversed_rest cannot be combined with %s",
                            desc->separate ? "separate" : "second_predicate");
    const clprim_select_desc selection = {.type = desc->type,
                                          .predicate = desc->predicate,
                                          .input = desc->input,
                                          .output = desc->output,
                                          .output_type = desc->output_type,
                                          .output_type_name = desc->output_type_name,
                                          .output_type_size = desc->output_type_size,
                                          .text = desc->text,
                                          .type_name = desc->type_name,
                                          .type_size = desc->type_size,
                                          .flags_type = desc->flags_type,
                                          .index_type = desc->index_type,
                                          .variant = desc->variant,
                                          .items_per_work_item = desc->items_per_work_item};
    const clprim__select_how how = {
        .desc = selection, .rest = rest_of(desc), .second_predicate = desc->second_predicate};
    return clprim__select_make_by((void *)plan, &how);
}

static clprim_status launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    const clprim_partition_call *call = c->given;
    const clprim__select_arrays arrays = {.in = call->in,
                                          .flags = call->flags,
                                          .out = call->out,
                                          .second_out = call->second_out,
                                          .rest_out = call->rest_out,
                                          .out_count = call->out_count,
                                          .second_count = call->second_count,
                                          .rest_count = call->rest_count,
                                          .count = call->count,
                                          .room = CLPRIM__RANGE(plan, c, partition, out)->count,
                                          .second_room = CLPRIM__RANGE(plan, c, partition, second_out)->count,
                                          .rest_room = CLPRIM__RANGE(plan, c, partition, rest_out)->count};
    return clprim__select_launch_on((void *)plan, chain, &arrays, c->scratch);
}

static void sample(clprim__trial *trial, const void *desc, void *call, size_t wanted)
{
    clprim_partition_call *c = call;
    c->count = wanted;
    c->in.host = clprim__trial_elements(trial, element(desc, 0).type, wanted);
    c->flags.host = clprim__trial_runs(trial, flag(desc, 0).size, wanted);
}

/* Write the reference's results. There is no second part: that needs a text, which references do not support. Tests
 * that give a text for it expect an empty one. `parts` has the selected elements, followed by the rest. */
static void write_parts(const clprim_partition_desc *desc, const clprim_partition_call *c, const char *parts,
                        const size_t *counts)
{
    const size_t size = element(desc, 0).size;
    const char *rest = parts + counts[0] * size;
    char *rest_out = desc->separate ? c->rest_out.host : (char *)c->out.host + counts[0] * size;
    if (counts[0] > 0)
        memcpy(c->out.host, parts, counts[0] * size);
    for (size_t i = 0; i < counts[1]; i++)
        memcpy(rest_out + (desc->reversed_rest ? counts[1] - 1 - i : i) * size, rest + i * size, size);
    clprim__put_number(&c->out_count, number(desc, 0), counts[0]);
    clprim__put_number(&c->second_count, number(desc, 0), 0);
    clprim__put_number(&c->rest_count, number(desc, 0), counts[1]);
}

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_partition_call *c = call;
    const size_t size = element(desc, 0).size;
    size_t counts[2];
    clprim_status status = CLPRIM_SUCCESS;
    uint8_t *part = malloc(c->count + 1);
    char *parts = malloc((c->count + 1) * size);
    if (part == NULL || parts == NULL) {
        status = clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a reference");
        goto done;
    }
    for (size_t i = 0; i < c->count; i++)
        part[i] = !clprim__is_set((const char *)c->flags.host + i * flag(desc, 0).size, flag(desc, 0).type);
    CLPRIM__TRY(clprim_reference_partition(parts, counts, 2, size, part, c->in.host, c->count));
    write_parts(desc, c, parts, counts);
done:
    free(part);
    free(parts);
    return status;
}

static const clprim_partition_desc samples[] = {
    {.type = CLPRIM_I32, .separate = true},
    {.type = CLPRIM_F64},
    {.type = CLPRIM_I32, .reversed_rest = true},
    {.type = CLPRIM_U8, .flags_type = CLPRIM_I32, .separate = true, .index_type = CLPRIM_U64},
};
static const int order[] = {CLPRIM_SELECT_LOOK_BACK, CLPRIM_SELECT_COUNT_THEN_MOVE, CLPRIM_SELECT_CPU_CHUNK,
                            CLPRIM_SELECT_AUTO};

/* In pieces, if all groups of elements (those of the first predicate, of the second one, and the rest) have one output:
 * where a group begins is known when all elements have been counted; but the rest, reversed, grows from the end. */
enum { GROUPS = 3 };
typedef struct notes {
    size_t all[GROUPS];    /* elements of all pieces */
    size_t before[GROUPS]; /* of the pieces before this one */
} notes;
_Static_assert(sizeof(notes) <= CLPRIM__PIECE_NOTES && (int)GROUPS <= (int)CLPRIM__PIECE_COUNTERS,
               "there is no room for the notes");

static bool counts_first(const void *desc)
{
    const clprim_partition_desc *d = desc;
    return !d->separate && !d->reversed_rest;
}

static const char *needs_all(const void *desc)
{
    return ((const clprim_partition_desc *)desc)->separate
               ? NULL
               : "where the rest begins, or the second part, depends on all batches";
}

static clprim_status begin(clprim__cutting *self)
{
    self->is_spread = !((const clprim_partition_desc *)(const void *)self->desc.bytes)->separate;
    return CLPRIM_SUCCESS;
}

/* The sizes of a piece's groups. */
static clprim_status groups_of(size_t *out, const clprim__cutting *self, const clprim_partition_call *call)
{
    const clprim_partition_desc *d = (const void *)self->desc.bytes;
    const size_t size = number(d, 0).size;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__cutting_get_number(&out[0], self, call->out_count.buffer, call->out_count.offset, size));
    out[1] = 0;
    if (d->second_predicate != NULL)
        CLPRIM__TRY(
            clprim__cutting_get_number(&out[1], self, call->second_count.buffer, call->second_count.offset, size));
    out[2] = self->count - out[0] - out[1];
done:
    return status;
}

static clprim_status launched(clprim__cutting *self, const void *call, clprim__landing *landing)
{
    const clprim_partition_desc *d = (const void *)self->desc.bytes;
    notes *n = (void *)self->notes.bytes;
    size_t groups[GROUPS], first = 0, skipped = 0;
    if (d->separate)
        return CLPRIM_SUCCESS;
    const clprim_status status = groups_of(groups, self, call);
    if (status != CLPRIM_SUCCESS)
        return status;
    for (size_t g = 0; g < GROUPS; g++)
        n->all[g] += self->pass == 0 ? groups[g] : 0;
    for (size_t g = 0; g < GROUPS && self->pass + 1 == self->num_passes; g++) {
        const bool is_reversed = d->reversed_rest && g + 1 == GROUPS;
        const size_t at = is_reversed ? self->total - n->before[g] - groups[g] : first + n->before[g];
        landing[g] = (clprim__landing){.skip = skipped, .at = at, .count = groups[g]};
        n->before[g] += groups[g];
        first += n->all[g];
        skipped += groups[g];
    }
    return CLPRIM_SUCCESS;
}

static clprim_status finish(clprim__cutting *self, const void *desc)
{
    const clprim_partition_desc *d = desc;
    const notes *n = (const void *)self->notes.bytes;
    clprim_status status = CLPRIM_SUCCESS;
    if (!d->separate)
        CLPRIM__TRY(clprim__cutting_put_number(self, "out_count", n->before[0]));
    if (!d->separate && d->second_predicate != NULL)
        status = clprim__cutting_put_number(self, "second_count", n->before[1]);
done:
    return status;
}

static const char *const texts[] = {"predicate", "second_predicate", "input", "output", NULL};
static const clprim__pieces pieces = {.needs_all = needs_all,
                                      .counts_first = counts_first,
                                      .count_place = offsetof(clprim_partition_call, count),
                                      .texts = texts,
                                      .begin = begin,
                                      .launched = launched,
                                      .finish = finish};

static const clprim__operation operation = {
    .face = &clprim_partition_operation,
    .plan_size = sizeof(clprim__select_plan),
    .make = make,
    .count = count,
    .launches_for_none = true,
    .scratch = clprim__select_scratch,
    .launch = launch,
    .pieces = &pieces,
    .sample = sample,
    .reference = reference,
};

CLPRIM__DEFINE_OPERATION(partition, "divide an array into two or three parts by predicates",
                         clprim__select_kernel_variants, "separate i32", "f64", "the rest reversed",
                         "separate u8 by flags of i32")
