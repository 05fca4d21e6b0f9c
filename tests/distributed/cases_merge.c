// SPDX-License-Identifier: MIT
/* cases_merge.c: distributed merges, set operations and shuffles, compared with the reference. */
#include <clprim/reference.h>
#include <stdlib.h>
#include <string.h>

#include "cases_frame.h"
#include "cases_operations.h"
#include "random.h"

/* One of the two sorted arrays, with values that tell its elements apart. */
typedef struct sorted {
    size_t total, first, count; /* the rank's piece */
    void *keys;
    uint32_t *values;
} sorted;

static sorted make_sorted(cases_rank *self, const clprim_reference_sort_how *how, size_t total, unsigned kind,
                          unsigned data, uint64_t seed)
{
    size_t parts[CASES_RANKS];
    sorted it = {.total = total,
                 .keys = cases_memory(total * clprim_type_size(how->key_type)),
                 .values = cases_memory(total * sizeof(uint32_t))};
    cases_parts(parts, self->comm->size, total, kind, seed);
    it.first = cases_before(parts, self->comm->rank);
    it.count = parts[self->comm->rank];
    cases_fill(it.keys, how->key_type, total, data == CASES_SPECIALS && how->key_type != CLPRIM_F32 ? CASES_FEW : data,
               seed);
    cases_expect_ok(self, clprim_reference_sort(it.keys, NULL, how, total), "the reference");
    for (size_t i = 0; i < total; i++)
        it.values[i] = (uint32_t)(seed + i);
    return it;
}

static void free_sorted(sorted *it)
{
    free(it->keys);
    free(it->values);
}

/* Both arrays are divided among the ranks in different ways. */
static void check(cases_rank *self, clprim_type type, int op, size_t number, const cases_shape *at)
{
    const bool is_merge = op < 0;
    const bool has_b = op < 0 || op == CLPRIM_SET_UNION || op == CLPRIM_SET_SYMMETRIC_DIFFERENCE;
    const size_t size = clprim_type_size(type);
    const unsigned rank = self->comm->rank;
    const clprim_reference_sort_how how = {.key_type = type, .descending = number % 4 == 3};
    const clprim_reference_order order = {.type = type, .descending = how.descending};
    sorted a = make_sorted(self, &how, at->total - at->total * (number % 4) / 4, (unsigned)(number % CASES_PARTS_END),
                           at->data, at->seed);
    sorted b = make_sorted(self, &how, at->total * (number % 4) / 4, (unsigned)(number / 2 % CASES_PARTS_END), at->data,
                           at->seed + 1);
    void *keys = cases_memory(at->total * size);
    uint32_t *values = cases_memory(at->total * sizeof *values);
    size_t total = at->total;
    cases_expect_ok(self,
                    is_merge ? clprim_reference_merge(keys, values, &order, sizeof *values, a.keys, a.values, a.total,
                                                      b.keys, b.values, b.total)
                             : clprim_reference_set_operation(keys, values, &total, (clprim_set_op)op, &order,
                                                              sizeof *values, a.keys, a.values, a.total, b.keys,
                                                              has_b ? b.values : NULL, b.total),
                    "the reference");
    const size_t room = at->rooms[rank];
    const size_t begin = cases_share(at, rank, total);
    const size_t mine = cases_share(at, rank + 1, total) - begin;
    void *keys_out = cases_memory(mine * size);
    uint32_t *values_out = cases_memory(mine * sizeof *values_out), count = 77;
    clprim_distributed_part part = {0};
#define INPUTS                                                                                                         \
    .a_keys = {.host = a.keys, .offset = a.first}, .a_values = {.host = a.values, .offset = a.first},                  \
    .a_count = a.count, .b_keys = {.host = b.keys, .offset = b.first},                                                 \
    .b_values = {.host = has_b ? b.values : NULL, .offset = has_b ? b.first : 0}, .b_count = b.count,                  \
    .keys_out = {.host = keys_out}, .values_out = {.host = values_out}
    cases_expect_ok(self,
                    is_merge ? clprim_distributed_merge(self->comm, self->runtime,
                                                        &(clprim_merge_desc){.key_type = type,
                                                                             .descending = order.descending,
                                                                             .value_size = sizeof *values},
                                                        &(clprim_merge_call){INPUTS}, &room, &part)
                             : clprim_distributed_set_operation(
                                   self->comm, self->runtime,
                                   &(clprim_set_operation_desc){.key_type = type,
                                                                .op = (clprim_set_op)op,
                                                                .descending = order.descending,
                                                                .value_size = sizeof *values},
                                   &(clprim_set_operation_call){INPUTS, .out_count = {.host = &count}}, &room, &part),
                    at->name);
#undef INPUTS
    if (part.first != begin || part.count != mine || part.total != total || (!is_merge && count != mine))
        cases_wrong(self, "%s, %d: %u from %llu on, %zu of %llu, not %zu of %zu", at->name, op, count,
                    (unsigned long long)part.first, part.count, (unsigned long long)part.total, mine, total);
    cases_expect_bytes(self, (char *)keys + begin * size, keys_out, size, mine, at->name, "keys");
    cases_expect_bytes(self, values + begin, values_out, sizeof *values, mine, at->name, "values");
    free(keys);
    free(values);
    free(keys_out);
    free(values_out);
    free_sorted(&a);
    free_sorted(&b);
}

void cases_run_merges(cases_rank *self)
{
    static const clprim_type types[] = {CLPRIM_U8, CLPRIM_F32, CLPRIM_I64};
    for (size_t number = 0; number < 28; number++) {
        const cases_shape at = cases_shape_of(self, number, "two sorted arrays");
        check(self, types[number % 3], (int)(number % 5) - 1, number, &at);
    }
}

static void check_shuffle(cases_rank *self, size_t element_size, const cases_shape *at)
{
    const unsigned rank = self->comm->rank;
    const bool is_index = element_size == sizeof(uint64_t);
    unsigned char *whole = cases_memory(at->total * element_size);
    unsigned char *expected = cases_memory(at->total * element_size);
    uint64_t seed = at->seed;
    clprim_distributed_part part = {0};
    for (size_t i = 0; i < at->total * element_size; i++)
        whole[i] = (unsigned char)test_random(&seed);
    cases_expect_ok(self,
                    clprim_reference_shuffle(expected, is_index ? NULL : whole, element_size, at->total, at->seed),
                    "reference");
    unsigned char *out = cases_memory(at->rooms[rank] * element_size);
    const clprim_shuffle_desc desc = {.element_size = is_index ? 0 : element_size,
                                      .indices = is_index,
                                      .index_type = is_index ? CLPRIM_U64 : CLPRIM_TYPE_DEFAULT};
    cases_expect_ok(self,
                    clprim_distributed_shuffle(
                        self->comm, self->runtime, &desc,
                        &(clprim_shuffle_call){.in = {.host = is_index ? NULL : whole,
                                                      .offset = is_index ? 0 : cases_before(at->parts, rank)},
                                               .count = at->parts[rank],
                                               .seed = at->seed,
                                               .out = {.host = out}},
                        at->has_rooms ? &at->rooms[rank] : NULL, &part),
                    at->name);
    cases_expect_part(self, at, &part);
    cases_expect_bytes(self, expected + cases_before(at->rooms, rank) * element_size, out, element_size,
                       at->rooms[rank], at->name, "shuffled elements");
    free(whole);
    free(expected);
    free(out);
}

void cases_run_shuffles(cases_rank *self)
{
    static const size_t sizes[] = {4, 8, 12, 1, 40}; /* of 8 bytes: indices */
    for (size_t number = 2; number < 14; number++) {
        const cases_shape at = cases_shape_of(self, number, "shuffle");
        check_shuffle(self, sizes[number % 5], &at);
    }
    if (self->comm->size > 1) { /* the ranks must shuffle alike */
        uint32_t x = 0;
        cases_expect_agreement(self,
                               clprim_distributed_shuffle(self->comm, self->runtime, NULL,
                                                          &(clprim_shuffle_call){.in = {.host = &x},
                                                                                 .count = 1,
                                                                                 .seed = self->comm->rank == 1,
                                                                                 .out = {.host = &x}},
                                                          NULL, NULL),
                               CASES_FAILS, "shuffle", "another seed on rank 1");
        if (strstr(clprim_last_error(), "the .seed of ranks 0 and 1 differ") == NULL)
            cases_wrong(self, "another seed: %s", clprim_last_error());
    }
}
