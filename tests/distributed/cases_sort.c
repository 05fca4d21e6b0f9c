// SPDX-License-Identifier: MIT
/* cases_sort.c: distributed sorts, compared with the reference. */
#include <clprim/reference.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases_frame.h"
#include "random.h"

static clprim_reference_sort_how how_of(const clprim_radix_sort_desc *desc)
{
    return (clprim_reference_sort_how){.key_type = desc->key_type,
                                       .value_size =
                                           desc->argsort ? (desc->index_type == CLPRIM_U64 ? 8 : 4) : desc->value_size,
                                       .argsort = desc->argsort,
                                       .descending = desc->descending,
                                       .nan_order = desc->nan_order,
                                       .bit_range = desc->bit_range,
                                       .begin_bit = desc->begin_bit,
                                       .end_bit = desc->end_bit};
}

static void check_sort(cases_rank *self, const clprim_radix_sort_desc *desc, const cases_shape *at)
{
    const unsigned rank = self->comm->rank;
    const clprim_type type = desc->key_type != 0 ? desc->key_type : CLPRIM_U32;
    const clprim_reference_sort_how how = how_of(desc);
    const size_t size = clprim_type_size(type);
    void *whole = cases_memory(at->total * size);
    const size_t value_size = how.value_size != 0 ? how.value_size : 1; /* there are some in any case */
    void *values = cases_memory(at->total * value_size);
    uint64_t seed = at->seed;
    const bool is_float = type >= CLPRIM_F16;
    cases_fill(whole, type, at->total, at->data == CASES_SPECIALS && !is_float ? CASES_RANDOM : at->data, seed);
    for (size_t i = 0; i < at->total * value_size; i++)
        ((unsigned char *)values)[i] = (unsigned char)test_random(&seed);
    cases_column keys = cases_column_of(self, at, size, whole);
    cases_column rest = cases_column_of(self, at, value_size, values);
    clprim_radix_sort_call call = {
        .keys_in = {.host = keys.in}, .count = at->parts[rank], .keys_out = {.host = keys.out}};
    if (how.value_size > 0)
        call.values_out.host = rest.out;
    if (desc->value_size > 0)
        call.values_in.host = rest.in;
    clprim_distributed_part part = {0};
    cases_expect_ok(self,
                    clprim_distributed_radix_sort(self->comm, self->runtime, desc, &call,
                                                  at->has_rooms ? &at->rooms[rank] : NULL, &part),
                    at->name);
    cases_expect_part(self, at, &part);
    cases_expect_ok(self, clprim_reference_sort(whole, how.value_size > 0 ? values : NULL, &how, at->total),
                    "the reference");
    if (how.value_size > 0)
        cases_column_check(self, at, &rest, "values");
    else
        cases_column_free(&rest);
    cases_column_check(self, at, &keys, "keys");
}

void cases_run_sorts(cases_rank *self)
{
    static const clprim_radix_sort_desc descs[] = {
        {.key_type = CLPRIM_U32},
        {.key_type = CLPRIM_F32, .value_size = 4, .descending = true, .nan_order = CLPRIM_NAN_LAST},
        {.key_type = CLPRIM_U8, .argsort = true},
        {.key_type = CLPRIM_I64, .argsort = true, .index_type = CLPRIM_U64, .descending = true},
        {.key_type = CLPRIM_U16, .value_size = 16, .bit_range = true, .begin_bit = 2, .end_bit = 7},
        {.key_type = CLPRIM_F16, .nan_order = CLPRIM_NAN_LAST},
        {.key_type = CLPRIM_F64, .value_size = 1},
        {.key_type = CLPRIM_I8, .value_size = 8, .bit_range = true},
    };
    for (size_t d = 0; d < sizeof descs / sizeof descs[0]; d++)
        for (size_t number = 0; number < 2 * CASES_TOTALS + 4; number++) {
            const cases_shape at = cases_shape_of(self, number + d * 5, "sort");
            check_sort(self, &descs[d], &at);
        }
}

static void check_sort_by_key(cases_rank *self, bool values_only, const cases_shape *at)
{
    const unsigned rank = self->comm->rank;
    const clprim_sort_by_key_desc desc = {.key_type = CLPRIM_I32,
                                          .descending = at->seed % 2 != 0,
                                          .values_only = values_only,
                                          .num_arrays = 2,
                                          .element_sizes = {12, 3}};
    const clprim_reference_sort_by_key_how how = {.key_type = CLPRIM_I32,
                                                  .descending = desc.descending,
                                                  .values_only = values_only,
                                                  .num_arrays = 2,
                                                  .element_sizes = {12, 3}};
    uint32_t *keys = cases_memory(at->total * sizeof *keys);
    unsigned char *arrays[2] = {cases_memory(at->total * 12), cases_memory(at->total * 3)};
    uint64_t seed = at->seed;
    cases_fill(keys, CLPRIM_I32, at->total, at->data == CASES_SPECIALS ? CASES_FEW : at->data, seed);
    for (size_t i = 0; i < at->total * 12; i++)
        arrays[0][i] = (unsigned char)test_random(&seed);
    for (size_t i = 0; i < at->total * 3; i++)
        arrays[1][i] = (unsigned char)test_random(&seed);
    cases_column by = cases_column_of(self, at, sizeof *keys, keys);
    cases_column twelve = cases_column_of(self, at, 12, arrays[0]);
    cases_column three = cases_column_of(self, at, 3, arrays[1]);
    clprim_sort_by_key_call call = {.keys_in = {.host = by.in},
                                    .arrays_in = {{.host = twelve.in}, {.host = three.in}},
                                    .count = at->parts[rank],
                                    .arrays_out = {{.host = twelve.out}, {.host = three.out}}};
    call.keys_out.host = values_only ? NULL : by.out;
    clprim_distributed_part part = {0};
    cases_expect_ok(self,
                    clprim_distributed_sort_by_key(self->comm, self->runtime, &desc, &call,
                                                   at->has_rooms ? &at->rooms[rank] : NULL, &part),
                    at->name);
    cases_expect_part(self, at, &part);
    cases_expect_ok(self, clprim_reference_sort_by_key(keys, (void *const *)arrays, &how, at->total), "the reference");
    cases_column_check(self, at, &twelve, "the first array");
    cases_column_check(self, at, &three, "the second array");
    if (values_only) /* the keys stay, and nothing is written for them */
        memcpy(by.out, (char *)keys + cases_before(at->rooms, rank) * sizeof *keys, by.out_bytes);
    cases_column_check(self, at, &by, "keys");
}

void cases_run_sorts_by_key(cases_rank *self)
{
    for (size_t number = 0; number < 12; number++) {
        const cases_shape at = cases_shape_of(self, number, "sort_by_key");
        check_sort_by_key(self, number % 3 == 2, &at);
    }
}
