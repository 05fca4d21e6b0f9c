// SPDX-License-Identifier: MIT
/* scan_operation.c: the description and call of a scan, its reference, and samples. */
#include <clprim/reference.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "kinds.h"
#include "native.h"
#include "plan_table.h"
#include "scan_internal.h"
#include "segments.h"

#define DESC(...) CLPRIM__DESC(scan, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(scan, __VA_ARGS__)

CLPRIM__ELEMENT(element, scan, d->input != NULL ? clprim__no_element() : clprim__operand(d->type, d->custom))
CLPRIM__ELEMENT(result, scan, clprim__result(d->type, d->op, d->accumulator_type, d->custom))
CLPRIM__DEFINE_OUTPUT(scan, result)
CLPRIM__ELEMENT(head, scan,
                d->segments == CLPRIM_SEGMENTS_BY_FLAG || d->segments == CLPRIM_SEGMENTS_BY_KEY
                    ? clprim__built_in(clprim__scan_head_type(d))
                    : clprim__no_element())
CLPRIM__ELEMENT(offset, scan,
                d->segments == CLPRIM_SEGMENTS_BY_OFFSETS ? clprim__type_or(d->offsets_type, CLPRIM_U32)
                                                          : clprim__no_element())
CLPRIM__LENGTH(length, scan, c->count)
CLPRIM__LENGTH(offsets_length, scan, c->segment_count == 0 ? 0 : clprim__plus(c->segment_count, 1))
CLPRIM__COUNT(scan, c->count)

static const clprim_enumerator segments[] = {{"none", CLPRIM_SEGMENTS_NONE},
                                             {"by_flag", CLPRIM_SEGMENTS_BY_FLAG},
                                             {"by_key", CLPRIM_SEGMENTS_BY_KEY},
                                             {"by_offsets", CLPRIM_SEGMENTS_BY_OFFSETS},
                                             {0}};

CLPRIM__DEFINE_ARGUMENTS(scan)
CLPRIM__DEFINE_COUNT_AT(scan)
CLPRIM__DEFINE_INITIAL_AT(scan)

static const clprim_member desc_members[] = {
    DESC(type, TYPE, "type of the elements; default i32"),
    CLPRIM__OPERATOR_MEMBERS(scan, CLPRIM__INPUT_MEMBER(scan), ),
    CLPRIM__OUTPUT_MEMBERS(scan,
                           "what is written: OpenCL C over the prefix r, its place i and the parameters; default: r",
                           "the prefixes'"),
    DESC(exclusive, BOOL, "each prefix ends before its element"),
    CLPRIM__INITIAL_MEMBERS(
        scan, "where each segment begins: one value of the prefixes' type; default: the operator's identity"),
    DESC(segments, ENUM, "where segments begin; default: the array is one", .enumerators = segments),
    DESC(segments_type, TYPE, "type of the flags (default u8) or keys (default i32)"),
    DESC(offsets_type, TYPE, "type of the segments' offsets: u32 (default) or u64"),
    DESC(sees_segments, BOOL, "the caller's operator decides what happens at segments, by across_segment"),
    DESC(reproducible, BOOL, "the same bits on every device"),
    CLPRIM__COUNT_AT_MEMBER(scan),
    CLPRIM__PLAN_MEMBERS(scan),
    DESC(items_per_work_item, SIZE, "elements per work-item; default: tuned"),
    DESC(banks, SIZE, "banks of local memory, for blelloch_padded; default 32"),
    {0},
};

static const clprim_member call_members[] = {
    CALL(in, INPUT, "the elements", .element = element, .length = length),
    CALL(heads, INPUT, "a flag or key for each element", .element = head, .length = length),
    CALL(offsets, INPUT, "where segments begin and end", .element = offset, .length = offsets_length),
    CLPRIM__ARGUMENTS_MEMBER(scan, length),
    CLPRIM__CALL_COUNT_AT(scan, count_at),
    CALL(count, SIZE, "how many there are"),
    CALL(segment_count, SIZE, "how many segments by offsets there are"),
    CLPRIM__CALL_INITIAL_AT(scan),
    CALL(out, OUTPUT, "the prefixes, or what is made of them", .element = output, .length = length,
         .in_place_of = "in"),
    {0},
};

static bool has_reference(const void *desc)
{
    const clprim_scan_desc *d = desc;
    return clprim__initial_is_exact(d->initial, result(desc, 0), d->op);
}

static void sample(clprim__trial *trial, const void *desc, void *call, size_t wanted)
{
    const clprim_scan_desc *d = desc;
    clprim_scan_call *c = call;
    c->count = wanted;
    c->in.host = clprim__trial_numbers(trial, element(desc, 0).type, d->op, d->accumulator_type, wanted);
    if (head(desc, 0).size > 0)
        c->heads.host = clprim__trial_runs(trial, head(desc, 0).size, wanted);
    if (offset(desc, 0).size > 0)
        c->offsets.host = clprim__trial_offsets(trial, &c->segment_count, offset(desc, 0).size, wanted - wanted / 8,
                                                SIZE_MAX, CLPRIM__MOST_SEGMENTS);
    if (d->has_initial_at)
        c->initial_at.host = clprim__trial_numbers(trial, result(desc, 0).type, d->op, d->accumulator_type, 1);
}

/* Which elements begin a segment. Offsets may be beyond the elements if the device has their number. A flag is set if
 * its first byte is not 0: clprim__trial_runs (trial.h) makes no flags that have only a sign. */
static uint8_t *find_begins(const clprim_scan_desc *d, const clprim_scan_call *c)
{
    const size_t size = clprim_type_size(clprim__scan_head_type(d));
    const unsigned char *heads = c->heads.host;
    uint8_t *begins = calloc(1, c->count + 1);
    for (size_t s = 0; begins != NULL && c->segment_count > 0 && s <= c->segment_count; s++) {
        const size_t at = clprim__offset_at(c->offsets.host, offset(d, 0).size, s);
        if (at < c->count)
            begins[at] = 1;
    }
    for (size_t i = 0; begins != NULL && heads != NULL && i < c->count; i++)
        begins[i] = d->segments == CLPRIM_SEGMENTS_BY_KEY
                        ? i == 0 || memcmp(heads + i * size, heads + (i - 1) * size, size) != 0
                        : heads[i * size];
    return begins;
}

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_scan_desc *d = desc;
    const clprim_scan_call *c = call;
    const bool has_segments = d->segments != CLPRIM_SEGMENTS_NONE;
    uint8_t *begins = has_segments ? find_begins(d, c) : NULL;
    const clprim_reference_scan_how how = {
        .exclusive = d->exclusive, .initial = d->has_initial_at ? c->initial_at.host : d->initial, .begins = begins};
    const clprim_status status =
        has_segments && begins == NULL
            ? clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a reference")
            : clprim_reference_scan(c->out.host, &CLPRIM__REFERENCE_OPERATOR_OF(d, element(desc, 0).type), &how,
                                    c->in.host, c->count);
    free(begins);
    return status;
}

static const clprim_scan_desc samples[] = {
    {.type = CLPRIM_I32},
    {.type = CLPRIM_F32, .exclusive = true},
    {.type = CLPRIM_I64, .op = CLPRIM_MAX, .has_initial_at = true},
    {.type = CLPRIM_U8, .accumulator_type = CLPRIM_U32, .segments = CLPRIM_SEGMENTS_BY_KEY},
    {.type = CLPRIM_U32, .exclusive = true, .segments = CLPRIM_SEGMENTS_BY_OFFSETS},
};
static const int order[] = {
    CLPRIM_SCAN_LOOK_BACK,  CLPRIM_SCAN_REDUCE_THEN_SCAN, CLPRIM_SCAN_CPU_CHUNK, CLPRIM_SCAN_FIXED_REDUCE_THEN_SCAN,
    CLPRIM_SCAN_FIXED_TREE, CLPRIM_SCAN_WORK_EFFICIENT,   CLPRIM_SCAN_NAIVE,     CLPRIM_SCAN_AUTO};

static const char *const texts[] = {"input", "output", NULL}; /* over an element's index */
static const clprim__operation operation = {
    .face = &clprim_scan_operation,
    .plan_size = sizeof(clprim__scan_plan),
    .tunables = &clprim__scan_tunables,
    .make = clprim__scan_make,
    .clear = clprim__scan_clear,
    .count = count,
    .replaces_arguments = texts,
    .check = clprim__scan_check,
    .scratch = clprim__scan_scratch,
    .launch = clprim__scan_launch_call,
    .native = &clprim__scan_native,
    .pieces = &clprim__scan_pieces,
    .has_reference = has_reference,
    .sample = sample,
    .reference = reference,
};

CLPRIM__DEFINE_OPERATION(scan, "all prefixes of an array, folded; by segments if wanted", clprim__scan_variants,
                         "sums of i32", "exclusive sums of f32", "maxima of i64 from a number on the device",
                         "sums of u8 by key", "exclusive sums of u32 by offsets")
