// SPDX-License-Identifier: MIT
/* cases_fold.c: distributed reductions, scans, histograms and the first k, compared with the reference. */
#include <clprim/reference.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases_frame.h"
#include "random.h"

/* Reduce the whole array with the reference, and each part with the ranks. */
static void check_reduce(cases_rank *self, const clprim_reduce_desc *desc, const cases_shape *at)
{
    const clprim_type type = desc->type != 0 ? desc->type : CLPRIM_I32;
    const size_t size = clprim_type_size(type);
    const clprim_reference_operator by = {.type = type,
                                          .op = desc->op,
                                          .accumulator_type = desc->accumulator_type,
                                          .nan_order = desc->nan_order,
                                          .initial = desc->initial};
    char *whole = cases_memory(at->total * size);
    const bool is_float = type >= CLPRIM_F16;
    clprim_indexed expected, got;
    memset(&expected, CASES_POISON, sizeof expected);
    memset(&got, CASES_POISON, sizeof got);
    cases_fill(whole, type, at->total, at->data == CASES_SPECIALS && !is_float ? CASES_RANDOM : at->data, at->seed);
    const clprim_reduce_call call = {.in = {.host = whole, .offset = cases_before(at->parts, self->comm->rank)},
                                     .count = at->parts[self->comm->rank],
                                     .out = {.host = &got}};
    cases_expect_ok(self, clprim_distributed_reduce(self->comm, self->runtime, desc, &call), at->name);
    cases_expect_ok(self, clprim_reference_reduce(&expected, &by, whole, at->total), "the reference");
    if (memcmp(&expected, &got, sizeof got) != 0)
        cases_wrong(self, "%s: operator %s of %s: a wrong result", at->name, clprim_op_name(desc->op),
                    clprim_type_name(type));
    free(whole);
}

/* An operator that does not commute and has no identity: it keeps the first and the last element of a sequence. */
static void check_ends(cases_rank *self, const cases_shape *at)
{
    typedef struct ends {
        uint32_t first, last;
    } ends;
    static const clprim_custom_op op = {.type_name = "ends",
                                        .type_size = sizeof(ends),
                                        .source = "typedef struct { uint first, last; } ends;",
                                        .combine = "(ends){a.first, b.last}",
                                        .non_commutative = true};
    static const ends initial = {7, 9};
    const bool has_initial = at->seed % 2 != 0;
    const clprim_reduce_desc desc = {.custom = &op,
                                     .initial = has_initial ? &initial : NULL,
                                     .output = "(r.first << 16) + r.last + i",
                                     .output_type = CLPRIM_U32};
    ends *whole = cases_memory(at->total * sizeof *whole);
    uint32_t got = 0;
    for (size_t i = 0; i < at->total; i++)
        whole[i] = (ends){(uint32_t)i + 20, (uint32_t)i + 30};
    const uint32_t first = has_initial ? initial.first : at->total > 0 ? 20 : 0;
    const uint32_t last = at->total > 0 ? (uint32_t)at->total + 29 : has_initial ? initial.last : 0;
    const clprim_reduce_call call = {.in = {.host = whole, .offset = cases_before(at->parts, self->comm->rank)},
                                     .count = at->parts[self->comm->rank],
                                     .out = {.host = &got}};
    cases_expect_ok(self, clprim_distributed_reduce(self->comm, self->runtime, &desc, &call), at->name);
    if (got != (first << 16) + last)
        cases_wrong(self, "%s: the ends are %u and %u, not %u and %u", at->name, got >> 16, got & 65535, first, last);
    free(whole);
}

void cases_run_reductions(cases_rank *self)
{
    static const int64_t five = 5;
    static const clprim_reduce_desc descs[] = {
        {.type = CLPRIM_I32},
        {.type = CLPRIM_U8, .accumulator_type = CLPRIM_I64, .initial = &five},
        {.type = CLPRIM_F32, .op = CLPRIM_MIN, .nan_order = CLPRIM_NAN_LAST},
        {.type = CLPRIM_F32, .op = CLPRIM_ARGMAX},
        {.type = CLPRIM_U16, .op = CLPRIM_ARGMIN},
    };
    for (size_t number = 0; number < 14; number++) {
        const cases_shape at = cases_shape_of(self, number, "reduce");
        for (size_t d = 0; d < sizeof descs / sizeof descs[0]; d++)
            check_reduce(self, &descs[d], &at);
        check_ends(self, &at);
    }
}

/* Each rank's prefixes of the whole array. */
static void check_scan(cases_rank *self, const clprim_scan_desc *desc, const cases_shape *given)
{
    cases_shape at = *given;
    const clprim_reference_operator by = {
        .type = desc->type, .op = desc->op, .accumulator_type = desc->accumulator_type, .nan_order = desc->nan_order};
    const clprim_reference_scan_how how = {.exclusive = desc->exclusive, .initial = desc->initial};
    const size_t in_size = clprim_type_size(desc->type);
    const size_t size =
        clprim_type_size(desc->accumulator_type != CLPRIM_TYPE_DEFAULT ? desc->accumulator_type : desc->type);
    memcpy(at.rooms, at.parts, sizeof at.rooms);
    at.in_place = false;
    void *whole = cases_memory(at.total * in_size);
    void *expected = cases_memory(at.total * size);
    cases_fill(whole, desc->type, at.total, at.data == CASES_SPECIALS && desc->type < CLPRIM_F16 ? CASES_FEW : at.data,
               at.seed);
    cases_column in = cases_column_of(self, &at, in_size, cases_copy(whole, at.total * in_size));
    void *out = given->in_place && size == in_size ? in.in : cases_memory(in.in_bytes / in_size * size);
    const clprim_scan_call call = {.in = {.host = in.in}, .count = at.parts[self->comm->rank], .out = {.host = out}};
    cases_expect_ok(self, clprim_distributed_scan(self->comm, self->runtime, desc, &call), at.name);
    cases_expect_ok(self, clprim_reference_scan(expected, &by, &how, whole, at.total), "the reference");
    cases_expect_bytes(self, (char *)expected + cases_before(at.parts, self->comm->rank) * size, out, size, call.count,
                       at.name, "prefixes");
    if (out != in.in) {
        cases_expect_bytes(self, in.kept, in.in, in_size, call.count, at.name, "an input");
        free(out);
    }
    free(in.in);
    free(in.out);
    free(in.kept);
    free(in.whole);
    free(whole);
    free(expected);
}

void cases_run_scans(cases_rank *self)
{
    static const int64_t five = 5;
    static const clprim_scan_desc descs[] = {
        {.type = CLPRIM_I32, .exclusive = true},
        {.type = CLPRIM_U8, .accumulator_type = CLPRIM_I64, .initial = &five},
        {.type = CLPRIM_F32, .op = CLPRIM_MAX, .nan_order = CLPRIM_NAN_LAST},
    };
    for (size_t number = 0; number < 14; number++) {
        const cases_shape at = cases_shape_of(self, number, "scan");
        for (size_t d = 0; d < sizeof descs / sizeof descs[0]; d++)
            check_scan(self, &descs[d], &at);
    }
}

/* A sum whose terms are all -0.0 is -0.0, wherever the ranks' pieces meet. A sum without terms is +0.0, with which an
 * exclusive scan begins. */
void cases_run_zeros(cases_rank *self)
{
    static const clprim_scan_desc descs[] = {{.type = CLPRIM_F32, .exclusive = true}, {.type = CLPRIM_F32}};
    for (size_t number = 0; number < 14; number++) {
        const cases_shape at = cases_shape_of(self, number, "zeros");
        const size_t count = at.parts[self->comm->rank];
        float *zeros = cases_memory((count + 1) * sizeof *zeros);
        float *out = cases_memory((count + 1) * sizeof *out);
        for (size_t i = 0; i < count; i++)
            zeros[i] = -0.0F;
        const clprim_scan_call scan = {.in = {.host = zeros}, .count = count, .out = {.host = out}};
        const clprim_reduce_call reduce = {.in = {.host = zeros}, .count = count, .out = {.host = out}};
        for (size_t d = 0; d < 2; d++) {
            cases_expect_ok(self, clprim_distributed_scan(self->comm, self->runtime, &descs[d], &scan), at.name);
            for (size_t i = 0; i < count; i++)
                if (out[i] != 0 || (signbit(out[i]) != 0) == descs[d].exclusive)
                    cases_wrong(self, "%s: prefix %zu is %g", at.name, i, (double)out[i]);
        }
        cases_expect_ok(
            self,
            clprim_distributed_reduce(self->comm, self->runtime, &(clprim_reduce_desc){.type = CLPRIM_F32}, &reduce),
            at.name);
        if (out[0] != 0 || (signbit(out[0]) != 0) != (at.total > 0))
            cases_wrong(self, "%s: the sum is %g", at.name, (double)out[0]);
        free(zeros);
        free(out);
    }
}

enum { BINS = 100 };

static void check_histogram(cases_rank *self, const clprim_histogram_desc *desc, const cases_shape *at)
{
    const clprim_reference_histogram_how how = {.type = desc->type,
                                                .mapping = desc->mapping,
                                                .bins = BINS,
                                                .low = desc->low,
                                                .high = desc->high,
                                                .weights_type = desc->weights_type,
                                                .counter_type = desc->counter_type,
                                                .accumulate = desc->accumulate};
    const size_t size = clprim_type_size(desc->type);
    const size_t first = cases_before(at->parts, self->comm->rank);
    unsigned char *whole = cases_memory(at->total * size);
    double *weights = cases_memory(at->total * sizeof *weights);
    uint64_t seed = at->seed;
    uint64_t expected[BINS], got[BINS], expected_outside = 3, got_outside = 3;
    for (size_t i = 0; i < BINS; i++)
        expected[i] = got[i] = desc->weights_type != CLPRIM_TYPE_DEFAULT ? 0 : i;
    cases_fill(whole, desc->type, at->total, CASES_RANDOM, at->seed);
    for (size_t i = 0; i < at->total; i++) /* whose sums are exact */
        weights[i] = (double)test_random_below(&seed, 1000);
    clprim_histogram_call call = {.in = {.host = whole, .offset = first},
                                  .count = at->parts[self->comm->rank],
                                  .out = {.host = got},
                                  .outside_out = {.host = &got_outside}};
    if (desc->weights_type != CLPRIM_TYPE_DEFAULT)
        call.weights = (clprim_array){.host = weights, .offset = first};
    cases_expect_ok(self, clprim_distributed_histogram(self->comm, self->runtime, desc, &call), at->name);
    cases_expect_ok(self,
                    clprim_reference_histogram(expected, &expected_outside, &how, whole,
                                               call.weights.host != NULL ? weights : NULL, at->total),
                    "the reference");
    if (memcmp(expected, got, sizeof got) != 0 || expected_outside != got_outside)
        cases_wrong(self, "%s: a wrong histogram", at->name);
    free(whole);
    free(weights);
}

void cases_run_histograms(cases_rank *self)
{
    static const clprim_histogram_desc descs[] = {
        {.type = CLPRIM_U8, .bins = BINS, .accumulate = true},
        {.type = CLPRIM_U8, .bins = BINS, .counter_type = CLPRIM_U64},
        {.type = CLPRIM_I16,
         .bins = BINS,
         .mapping = CLPRIM_HISTOGRAM_EVEN,
         .low = -20000,
         .high = 30000,
         .weights_type = CLPRIM_F64},
    };
    for (size_t number = 0; number < 10; number++) {
        const cases_shape at = cases_shape_of(self, number, "histogram");
        for (size_t d = 0; d < sizeof descs / sizeof descs[0]; d++)
            check_histogram(self, &descs[d], &at);
    }
}

static void check_top_k(cases_rank *self, const clprim_top_k_desc *desc, const cases_shape *at)
{
    const size_t value_size = desc->indices ? (desc->index_type == CLPRIM_U64 ? 8 : 4) : desc->value_size;
    const clprim_reference_top_k_how how = {.key_type = desc->key_type,
                                            .k = desc->k,
                                            .smallest = desc->smallest,
                                            .value_size = value_size,
                                            .indices = desc->indices,
                                            .unsorted = desc->unsorted,
                                            .nan_order = desc->nan_order};
    const size_t size = clprim_type_size(desc->key_type);
    const size_t first = cases_before(at->parts, self->comm->rank);
    const size_t found = at->total < desc->k ? at->total : desc->k;
    void *keys = cases_memory(at->total * size);
    uint32_t *values = cases_memory(at->total * sizeof *values);
    void *expected[2] = {cases_memory(desc->k * size), cases_memory(desc->k * 8)};
    void *got[2] = {cases_memory(found * size), cases_memory(found * value_size)};
    cases_fill(keys, desc->key_type, at->total, at->data == CASES_SPECIALS ? CASES_FEW : at->data, at->seed);
    for (size_t i = 0; i < at->total; i++)
        values[i] = (uint32_t)i * 7;
    clprim_top_k_call call = {
        .keys_in = {.host = keys, .offset = first}, .count = at->parts[self->comm->rank], .keys_out = {.host = got[0]}};
    if (desc->value_size > 0)
        call.values_in = (clprim_array){.host = values, .offset = first};
    if (value_size > 0)
        call.values_out.host = got[1];
    cases_expect_ok(self, clprim_distributed_top_k(self->comm, self->runtime, desc, &call), at->name);
    cases_expect_ok(self,
                    clprim_reference_top_k(expected[0], value_size > 0 ? expected[1] : NULL, &how, keys,
                                           desc->value_size > 0 ? values : NULL, at->total),
                    "the reference");
    cases_expect_bytes(self, expected[0], got[0], size, found, at->name, "keys");
    if (value_size > 0)
        cases_expect_bytes(self, expected[1], got[1], value_size, found, at->name, "values");
    free(keys);
    free(values);
    for (int i = 0; i < 2; i++) {
        free(expected[i]);
        free(got[i]);
    }
}

void cases_run_top_ks(cases_rank *self)
{
    static const clprim_top_k_desc descs[] = {
        {.key_type = CLPRIM_F32, .k = 10, .indices = true, .index_type = CLPRIM_U64, .nan_order = CLPRIM_NAN_LAST},
        {.key_type = CLPRIM_U32, .k = 60, .smallest = true, .value_size = 4},
        {.key_type = CLPRIM_U32, .k = 25, .indices = true, .unsorted = true},
        {.key_type = CLPRIM_U32, .k = 1},
    };
    for (size_t number = 0; number < 12; number++) {
        const cases_shape at = cases_shape_of(self, number, "top_k");
        for (size_t d = 0; d < sizeof descs / sizeof descs[0]; d++)
            check_top_k(self, &descs[d], &at);
    }
}

/* The first and the last key, and others, some of them twice. All ranks get them, also those without elements. */
static void check_nth_element(cases_rank *self, const clprim_nth_element_desc *desc, const cases_shape *at)
{
    enum { RANKS = 60 };
    const clprim_reference_nth_element_how how = {
        .key_type = desc->key_type, .descending = desc->descending, .nan_order = desc->nan_order};
    const size_t size = clprim_type_size(desc->key_type);
    const size_t count = at->total > 0 ? 1 + at->seed % RANKS : 0;
    void *keys = cases_memory(at->total * size);
    void *expected = cases_memory(RANKS * size);
    void *got = cases_memory(count * size);
    uint64_t wide[RANKS], seed = at->seed;
    uint32_t narrow[RANKS];
    cases_fill(keys, desc->key_type, at->total, at->data, at->seed);
    for (size_t i = 0; i < count; i++) {
        wide[i] = i == 0 ? at->total - 1 : i == 1 ? 0 : test_random_below(&seed, at->total);
        narrow[i] = (uint32_t)wide[i];
    }
    const clprim_nth_element_call call = {
        .keys_in = {.host = keys, .offset = cases_before(at->parts, self->comm->rank)},
        .count = at->parts[self->comm->rank],
        .ranks = {.host = desc->index_type == CLPRIM_U64 ? (void *)wide : narrow},
        .rank_count = count,
        .keys_out = {.host = got}};
    cases_expect_ok(self, clprim_distributed_nth_element(self->comm, self->runtime, desc, &call), at->name);
    cases_expect_ok(self, clprim_reference_nth_element(expected, &how, keys, at->total, wide, count), "the reference");
    cases_expect_bytes(self, expected, got, size, count, at->name, "keys");
    free(keys);
    free(expected);
    free(got);
}

/* All ranks look for the same keys, which exist. */
static void refuse_ranks(cases_rank *self)
{
    const uint32_t keys[2] = {5, 3};
    uint32_t out[2] = {0};
    const uint32_t ranks[2] = {0, self->comm->rank == 0 ? 1 : 0}, beyond[2] = {0, 2 * self->comm->size};
    clprim_nth_element_call call = {.keys_in = {.host = (void *)(uintptr_t)keys},
                                    .count = 2,
                                    .ranks = {.host = (void *)(uintptr_t)ranks},
                                    .rank_count = 2,
                                    .keys_out = {.host = out}};
    clprim_status status = clprim_distributed_nth_element(self->comm, self->runtime, NULL, &call);
    if (self->comm->size > 1 &&
        (status != CLPRIM_INVALID_ARGUMENT || strstr(clprim_last_error(), "ranks 0 and 1 differ") == NULL))
        cases_wrong(self, "other ranks: %s (%s)", clprim_status_string(status), clprim_last_error());
    call.ranks.host = (void *)(uintptr_t)beyond;
    status = clprim_distributed_nth_element(self->comm, self->runtime, NULL, &call);
    if (status != CLPRIM_INVALID_ARGUMENT || strstr(clprim_last_error(), "ranks[1]") == NULL)
        cases_wrong(self, "a rank beyond the end: %s (%s)", clprim_status_string(status), clprim_last_error());
}

void cases_run_nth_elements(cases_rank *self)
{
    static const clprim_nth_element_desc descs[] = {
        {.key_type = CLPRIM_F32, .nan_order = CLPRIM_NAN_LAST, .index_type = CLPRIM_U64},
        {.key_type = CLPRIM_U32, .descending = true},
        {.key_type = CLPRIM_F64},
        {.key_type = CLPRIM_I16},
    };
    for (size_t number = 0; number < 24; number++) {
        const cases_shape at = cases_shape_of(self, number, "nth_element");
        check_nth_element(self, &descs[(number / CASES_TOTALS + number) % (sizeof descs / sizeof descs[0])], &at);
    }
    refuse_ranks(self);
}
