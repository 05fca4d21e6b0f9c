// SPDX-License-Identifier: MIT
/* run_length_encode_operation.c: the description and call of the encoding, its reference, and samples. */
#include <clprim/reference.h>
#include <stdlib.h>

#include "error.h"
#include "plan_table.h"
#include "run_length_encode_internal.h"

#define DESC(...) CLPRIM__DESC(run_length_encode, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(run_length_encode, __VA_ARGS__)

CLPRIM__ELEMENT(element, run_length_encode, clprim__element_of(d->type, CLPRIM_I32, d->type_name, d->type_size))
CLPRIM__ELEMENT(number, run_length_encode, clprim__type_or(d->index_type, CLPRIM_U32))
CLPRIM__ELEMENT(offset, run_length_encode, d->offsets ? number(d, 0) : clprim__no_element())
CLPRIM__LENGTH(length, run_length_encode, c->count)
CLPRIM__COUNT(run_length_encode, c->count)
CLPRIM__DEFINE_ARGUMENTS(run_length_encode)
CLPRIM__DEFINE_COUNT_AT(run_length_encode)

static const clprim_member desc_members[] = {
    DESC(type, TYPE, "type of the elements; default i32"),
    DESC(equal, TEXT, "whether b, right after a, is in a's run: an expression in OpenCL C; default: by all bits"),
    CLPRIM__SOURCE_MEMBERS(run_length_encode),
    DESC(min_length, SIZE, "elements of the shortest run that is written; default 1: all runs are"),
    DESC(offsets, BOOL, "write where runs begin"),
    CLPRIM__INDEX_MEMBER(run_length_encode),
    CLPRIM__COUNT_AT_MEMBER(run_length_encode),
    DESC(max_count, SIZE, "elements of any call; default: fewer than 2^32"),
    DESC(variant, ENUM, "how to do it; default auto"),
    {0},
};

/* For outputs with a place for each run. */
#define RUNS .length = length, .counted_by = "out_count", .may_be_short = true

static const clprim_member call_members[] = {
    CALL(in, INPUT, "the elements", .element = element, .length = length),
    CLPRIM__ARGUMENTS_MEMBER(run_length_encode, length),
    CLPRIM__CALL_COUNT_AT(run_length_encode, count_at),
    CALL(count, SIZE, "how many there are"),
    CALL(out, OUTPUT, "the element of each run", .element = element, RUNS),
    CALL(lengths_out, OUTPUT, "the length of each run", .element = number, RUNS),
    CALL(offsets_out, OUTPUT, "the index of the first element of each run", .element = offset, RUNS),
    CALL(out_count, OUTPUT, "how many runs there are", .element = number, .length = clprim__one),
    {0},
};

static void sample(clprim__trial *trial, const void *desc, void *call, size_t wanted)
{
    clprim_run_length_encode_call *c = call;
    c->count = wanted;
    c->in.host = clprim__trial_runs(trial, element(desc, 0).size, wanted);
}

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_run_length_encode_desc *d = desc;
    const clprim_run_length_encode_call *c = call;
    size_t runs = 0;
    uint64_t *numbers = malloc((2 * c->count + 1) * sizeof *numbers);
    if (numbers == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a reference");
    const clprim_reference_runs_how how = {.min_length = d->min_length, .offsets = numbers + c->count};
    const clprim_status status =
        clprim_reference_runs(c->out.host, numbers, &runs, element(desc, 0).size, &how, c->in.host, c->count);
    clprim__put_numbers(&c->lengths_out, number(desc, 0), numbers, runs);
    if (d->offsets)
        clprim__put_numbers(&c->offsets_out, number(desc, 0), numbers + c->count, runs);
    clprim__put_number(&c->out_count, number(desc, 0), runs);
    free(numbers);
    return status;
}

static const clprim_run_length_encode_desc samples[] = {
    {.type = CLPRIM_I32},
    {.type = CLPRIM_U8, .index_type = CLPRIM_U64},
    {.type = CLPRIM_I32, .offsets = true},
    {.type = CLPRIM_U8, .min_length = 3, .offsets = true},
};
static const int order[] = {CLPRIM_SCAN_LOOK_BACK, CLPRIM_SCAN_REDUCE_THEN_SCAN, CLPRIM_SCAN_CPU_CHUNK,
                            CLPRIM_SCAN_AUTO};

static const clprim__operation operation = {
    .face = &clprim_run_length_encode_operation,
    .plan_size = sizeof(clprim__scan_plan),
    .make = clprim__run_length_encode_make,
    .clear = clprim__scan_clear,
    .count = count,
    .launches_for_none = true,
    .scratch = clprim__scan_scratch,
    .launch = clprim__run_length_encode_launch,
    .pieces = &clprim__run_length_encode_pieces,
    .sample = sample,
    .reference = reference,
};

CLPRIM__DEFINE_OPERATION(run_length_encode, "runs of equal elements as pairs of element and length",
                         clprim__scan_run_variants, "i32", "u8, lengths of u64", "with offsets",
                         "runs of u8 of 3 elements or more")
