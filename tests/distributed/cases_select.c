// SPDX-License-Identifier: MIT
/* cases_select.c: distributed selections and runs, compared with the reference; and errors that all ranks must
 * return. */
#include <clprim/reference.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases_frame.h"
#include "random.h"

/* Check the output of a selection, of `number` elements in all. The first `selected` of them are the selected ones. */
static void check_share(cases_rank *self, const cases_shape *at, const uint32_t *expected, size_t number,
                        size_t selected, const uint32_t *out, uint64_t count, const clprim_distributed_part *part)
{
    const size_t begin = cases_share(at, self->comm->rank, number);
    const size_t end = cases_share(at, self->comm->rank + 1, number);
    const size_t mine = selected <= begin ? 0 : selected < end ? selected - begin : end - begin;
    if (part->first != begin || part->count != end - begin || part->total != number || count != mine)
        cases_wrong(self, "%s: %llu from %llu on, %zu of %llu", at->name, (unsigned long long)count,
                    (unsigned long long)part->first, part->count, (unsigned long long)part->total);
    else
        cases_expect_bytes(self, expected + begin, out, sizeof *out, end - begin, at->name, "the selection");
}

static void check_select(cases_rank *self, bool is_partition, const cases_shape *at)
{
    const unsigned rank = self->comm->rank;
    uint32_t *whole = cases_memory(at->total * sizeof *whole);
    uint32_t *expected = cases_memory(at->total * sizeof *whole);
    uint8_t *part_of = cases_memory(at->total);
    uint64_t count = 77;
    size_t counts[2] = {0, 0};
    cases_fill(whole, CLPRIM_U32, at->total, at->data == CASES_SPECIALS ? CASES_FEW : at->data, at->seed);
    for (size_t i = 0; i < at->total; i++)
        part_of[i] = whole[i] % 3 != 1;
    cases_expect_ok(self, clprim_reference_partition(expected, counts, 2, sizeof *whole, part_of, whole, at->total),
                    "the reference");
    const size_t number = is_partition ? at->total : counts[0];
    const size_t mine = cases_share(at, rank + 1, number) - cases_share(at, rank, number);
    uint32_t *out = cases_memory(mine * sizeof *out);
    clprim_distributed_part part = {0};
    const size_t *room = at->has_rooms ? &at->rooms[rank] : NULL;
#define RUN(op)                                                                                                        \
    cases_expect_ok(                                                                                                   \
        self,                                                                                                          \
        clprim_distributed_##op(                                                                                       \
            self->comm, self->runtime,                                                                                 \
            &(clprim_##op##_desc){.type = CLPRIM_U32, .predicate = "x % 3 == 1", .index_type = CLPRIM_U64},            \
            &(clprim_##op##_call){.in = {.host = whole, .offset = cases_before(at->parts, rank)},                      \
                                  .count = at->parts[rank],                                                            \
                                  .out = {.host = out},                                                                \
                                  .out_count = {.host = &count}},                                                      \
            room, &part),                                                                                              \
        at->name)
    if (is_partition)
        RUN(partition);
    else
        RUN(select);
#undef RUN
    check_share(self, at, expected, number, counts[0], out, count, &part);
    free(whole);
    free(expected);
    free(part_of);
    free(out);
}

static void check_unique(cases_rank *self, const cases_shape *at)
{
    const unsigned rank = self->comm->rank;
    const clprim_unique_desc desc = {.type = CLPRIM_U32};
    uint32_t *whole = cases_memory(at->total * sizeof *whole);
    uint32_t *expected = cases_memory(at->total * sizeof *whole);
    uint32_t count = 77;
    size_t number = 0;
    for (size_t i = 0; i < at->total; i++) /* runs that are longer than some parts */
        whole[i] = (uint32_t)(at->data == CASES_EQUAL ? 5 : i / (at->data * 40 + 1));
    cases_expect_ok(self, clprim_reference_unique(expected, &number, sizeof *whole, NULL, whole, at->total),
                    "the reference");
    const size_t mine = cases_share(at, rank + 1, number) - cases_share(at, rank, number);
    uint32_t *out = cases_memory(mine * sizeof *out);
    clprim_distributed_part part = {0};
    const clprim_unique_call call = {.in = {.host = whole, .offset = cases_before(at->parts, rank)},
                                     .count = at->parts[rank],
                                     .out = {.host = out},
                                     .out_count = {.host = &count}};
    cases_expect_ok(self,
                    clprim_distributed_unique(self->comm, self->runtime, &desc, &call,
                                              at->has_rooms ? &at->rooms[rank] : NULL, &part),
                    at->name);
    check_share(self, at, expected, number, number, out, count, &part);
    free(whole);
    free(expected);
    free(out);
}

void cases_run_selections(cases_rank *self)
{
    for (size_t number = 0; number < 28; number++) {
        const cases_shape at = cases_shape_of(self, number, "select, partition or unique");
        check_select(self, number % 2 != 0, &at);
        check_unique(self, &at);
    }
}

/* Runs that are shorter than the parts, and longer ones. With op SUM, the elements are ones, so that results equal the
 * lengths. */
static void check_runs(cases_rank *self, clprim_op op, const cases_shape *at)
{
    const unsigned rank = self->comm->rank;
    const bool indexed = op == CLPRIM_ARGMIN;
    const size_t size = indexed ? sizeof(clprim_indexed) : sizeof(uint32_t);
    const size_t first = cases_before(at->parts, rank);
    const clprim_reference_operator by = {.type = CLPRIM_U32, .op = op};
    uint32_t *keys = cases_memory(at->total * sizeof *keys), *values = cases_memory(at->total * sizeof *values);
    uint32_t *expected_keys = cases_memory(at->total * sizeof *keys);
    char *expected = cases_memory(at->total * size);
    size_t number = 0;
    uint32_t counts[2] = {77, 77};
    for (size_t i = 0; i < at->total; i++) {
        keys[i] = (uint32_t)(at->data == CASES_EQUAL ? 5 : i / (at->data * 40 + 1) % 3);
        values[i] = op == CLPRIM_SUM ? 1 : (uint32_t)(i * 7 % 50);
    }
    cases_expect_ok(
        self,
        clprim_reference_reduce_by_key(expected_keys, expected, &number, sizeof *keys, &by, keys, values, at->total),
        "the reference");
    const size_t begin = cases_share(at, rank, number);
    const size_t mine = cases_share(at, rank + 1, number) - begin;
    uint32_t *keys_out = cases_memory(mine * sizeof *keys_out);
    char *out = cases_memory(mine * size);
    const size_t *room = at->has_rooms ? &at->rooms[rank] : NULL;
    clprim_distributed_part parts[2] = {{0}, {0}};
    const clprim_array in = {.host = keys, .offset = first};
    cases_expect_ok(self,
                    clprim_distributed_reduce_by_key(
                        self->comm, self->runtime,
                        &(clprim_reduce_by_key_desc){.key_type = CLPRIM_U32, .type = CLPRIM_U32, .op = op},
                        &(clprim_reduce_by_key_call){.keys_in = in,
                                                     .values_in = {.host = values, .offset = first},
                                                     .count = at->parts[rank],
                                                     .keys_out = {.host = keys_out},
                                                     .values_out = {.host = out},
                                                     .out_count = {.host = &counts[0]}},
                        room, &parts[0]),
                    at->name);
    check_share(self, at, expected_keys, number, number, keys_out, counts[0], &parts[0]);
    cases_expect_bytes(self, expected + begin * size, out, size, mine, at->name, "values of runs");
    if (op == CLPRIM_SUM) {
        memset(out, CASES_POISON, mine * size);
        cases_expect_ok(self,
                        clprim_distributed_run_length_encode(
                            self->comm, self->runtime, &(clprim_run_length_encode_desc){.type = CLPRIM_U32},
                            &(clprim_run_length_encode_call){.in = in,
                                                             .count = at->parts[rank],
                                                             .out = {.host = keys_out},
                                                             .lengths_out = {.host = out},
                                                             .out_count = {.host = &counts[1]}},
                            room, &parts[1]),
                        at->name);
        check_share(self, at, expected_keys, number, number, keys_out, counts[1], &parts[1]);
        cases_expect_bytes(self, expected + begin * size, out, size, mine, at->name, "lengths of runs");
    }
    free(keys);
    free(values);
    free(expected_keys);
    free(expected);
    free(keys_out);
    free(out);
}

void cases_run_runs(cases_rank *self)
{
    for (size_t number = 0; number < 28; number++) {
        const cases_shape at = cases_shape_of(self, number, "runs");
        check_runs(self, number % 2 != 0 ? CLPRIM_ARGMIN : CLPRIM_SUM, &at);
        check_runs(self, CLPRIM_SUM, &at);
    }
}

/* One rank's call is missing: all ranks report it, and can go on. */
void cases_run_errors(cases_rank *self)
{
    const clprim_comm *comm = self->comm;
    clprim_runtime *runtime = self->runtime;
    const unsigned culprit = comm->size - 1;
    uint64_t room[256]; /* for outputs that are given although they have no elements, too */
    char sentence[32];
    (void)snprintf(sentence, sizeof sentence, comm->size > 1 ? "rank %u: " : "call is NULL", culprit);
#define SHARES , NULL, NULL
#define EXPECT_REFUSAL(op, desc, output, shares)                                                                       \
    do {                                                                                                               \
        const clprim_##op##_call call = {.output = {.host = room}};                                                    \
        const clprim_status status =                                                                                   \
            clprim_distributed_##op(comm, runtime, desc, comm->rank == culprit ? NULL : &call shares);                 \
        if (status != CLPRIM_INVALID_ARGUMENT || strstr(clprim_last_error(), sentence) == NULL ||                      \
            strstr(clprim_last_error(), "call is NULL") == NULL)                                                       \
            cases_wrong(self, #op " without a call: %s (%s)", clprim_status_string(status), clprim_last_error());      \
    } while (0)
    EXPECT_REFUSAL(reduce, NULL, out, );
    EXPECT_REFUSAL(scan, NULL, out, );
    EXPECT_REFUSAL(histogram, NULL, out, );
    EXPECT_REFUSAL(top_k, &(clprim_top_k_desc){.k = 1}, keys_out, );
    EXPECT_REFUSAL(nth_element, NULL, keys_out, );
    EXPECT_REFUSAL(adjacent_difference, NULL, out, );
    EXPECT_REFUSAL(transform, NULL, out[0], );
    EXPECT_REFUSAL(find, NULL, out, );
    EXPECT_REFUSAL(is_sorted, NULL, out, );
    EXPECT_REFUSAL(select, &(clprim_select_desc){.predicate = "x"}, out_count, SHARES);
    EXPECT_REFUSAL(partition, &(clprim_partition_desc){.predicate = "x"}, out_count, SHARES);
    EXPECT_REFUSAL(unique, NULL, out_count, SHARES);
    EXPECT_REFUSAL(run_length_encode, NULL, out_count, SHARES);
    EXPECT_REFUSAL(reduce_by_key, NULL, out_count, SHARES);
    EXPECT_REFUSAL(radix_sort, NULL, keys_out, SHARES);
    EXPECT_REFUSAL(sort_by_key, NULL, keys_out, SHARES);
    EXPECT_REFUSAL(merge, NULL, keys_out, SHARES);
    EXPECT_REFUSAL(set_operation, NULL, out_count, SHARES);
    EXPECT_REFUSAL(shuffle, NULL, out, SHARES);
#undef EXPECT_REFUSAL
#undef SHARES
}
