// SPDX-License-Identifier: MIT
/* cases_operations.c: a call of each distributed operation, made from its table. */
#include "cases_operations.h"

#include <stdlib.h>
#include <string.h>

#include "cases_frame.h"

#define ALONE
#define SHARED , room, NULL
#define DEFINE_RUN(op, more)                                                                                           \
    static clprim_status run_##op(const cases_rank *self, const void *desc, const void *call, const size_t *room)      \
    {                                                                                                                  \
        (void)room;                                                                                                    \
        return clprim_distributed_##op(self->comm, self->runtime, desc, call more);                                    \
    }
CASES_OPERATIONS(DEFINE_RUN)

#define ROW(op, ...)                                                                                                   \
    {                                                                                                                  \
        &clprim_##op##_operation, run_##op, &(const clprim_##op##_desc)                                                \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
const cases_row cases_rows[] = {
    ROW(reduce, .type = CLPRIM_U32),
    ROW(scan, .type = CLPRIM_U32),
    ROW(histogram, .type = CLPRIM_U8),
    ROW(histogram, .type = CLPRIM_U8, .channels = 2, .active_channels = 1),
    ROW(histogram, .type = CLPRIM_U8, .weights_type = CLPRIM_F32, .accumulate = true),
    ROW(top_k, .k = 3),
    ROW(top_k, .k = 3, .value_size = 4),
    ROW(top_k, .k = 3, .indices = true),
    ROW(nth_element, .key_type = CLPRIM_U32),
    ROW(adjacent_difference, .type = CLPRIM_U32),
    ROW(transform, .types = {CLPRIM_U32, CLPRIM_U8}, .expressions = {"i", "2 * i"}),
    ROW(find, .type = CLPRIM_U32),
    ROW(is_sorted, .type = CLPRIM_U32),
    ROW(select, .predicate = "x > 1", .text = {.parameters = {{.name = "bound"}}}),
    ROW(partition, .predicate = "x > 1"),
    ROW(partition, .predicate = "x > 1", .second_predicate = "i > 1"),
    ROW(unique, .type = CLPRIM_U32),
    ROW(run_length_encode, .type = CLPRIM_U32),
    ROW(reduce_by_key, .type = CLPRIM_U32),
    ROW(radix_sort, .key_type = CLPRIM_U32),
    ROW(radix_sort, .value_size = 8),
    ROW(radix_sort, .argsort = true),
    ROW(sort_by_key, .num_arrays = 2),
    ROW(sort_by_key, .num_arrays = 1, .values_only = true),
    ROW(merge, .value_size = 4),
    ROW(set_operation, .op = CLPRIM_SET_INTERSECTION),
    ROW(set_operation, .value_size = 8),
    ROW(shuffle, .element_size = 12),
    ROW(shuffle, .indices = true),
};
const size_t cases_num_rows = sizeof cases_rows / sizeof cases_rows[0];

clprim_array *cases_given_array(cases_given *it, const clprim_member *member, size_t index)
{
    return (clprim_array *)(void *)(it->call.bytes + member->place) + index;
}

size_t cases_repeat_of(const clprim_member *member)
{
    return member->element == NULL ? 0 : member->repeat != 0 ? member->repeat : 1;
}

void cases_given_fill(cases_given *it, const clprim_operation *table)
{
    size_t number = 0;
    memset(&it->call, 0, sizeof it->call);
    for (const clprim_member *m = table->call_members; m->name != NULL; m++) {
        const size_t count = CASES_ROW_COUNT;
        if (strcmp(m->name, "count") == 0 || strcmp(m->name, "rank_count") == 0 || strcmp(m->name, "a_count") == 0 ||
            strcmp(m->name, "b_count") == 0)
            memcpy(it->call.bytes + m->place, &count, sizeof count);
        if (strcmp(m->name, "ranks") == 0) /* which exist */
            memset(it->memory[number], 0, CASES_ARRAY_BYTES);
        for (size_t i = 0; i < cases_repeat_of(m); i++, number++)
            if (m->element(it->desc.bytes, i).size > 0)
                cases_given_array(it, m, i)->host = it->memory[number];
    }
}

void cases_given_begin(cases_given *it, const cases_row *of)
{
    memset(it, 0, sizeof *it);
    memcpy(it->desc.bytes, of->desc, of->table->desc_size);
    for (size_t i = 0; i < CASES_MOST_ARRAYS; i++) {
        it->memory[i] = cases_memory(CASES_ARRAY_BYTES);
        memset(it->memory[i], 1, CASES_ARRAY_BYTES);
    }
    cases_given_fill(it, of->table);
}

void cases_given_end(cases_rank *self, cases_given *it)
{
    for (size_t i = 0; i < CASES_MOST_ARRAYS; i++) {
        for (size_t b = 0; b < CASES_GUARD; b++)
            if ((unsigned char)it->memory[i][CASES_ARRAY_BYTES + b] != CASES_POISON)
                cases_wrong(self, "byte %zu behind an array was written", b);
        free(it->memory[i]);
    }
}

/* Check that the status and the error sentence are the same on all ranks. */
void cases_expect_agreement(cases_rank *self, clprim_status status, cases_outcome expected, const char *name,
                            const char *what)
{
    uint64_t mine = UINT64_C(0xcbf29ce484222325) + (uint64_t)(unsigned)status; /* FNV-1a */
    uint64_t all[CASES_RANKS] = {0};
    for (const char *c = status == CLPRIM_SUCCESS ? "" : clprim_last_error(); *c != '\0'; c++)
        mine = (mine ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    if (self->comm->all_gather(self->comm->user, &mine, sizeof mine, all) != 0)
        cases_wrong(self, "%s, %s: the ranks cannot talk any more", name, what);
    if (expected != CASES_AGREES && (status == CLPRIM_SUCCESS) != (expected == CASES_SUCCEEDS))
        cases_wrong(self, "%s, %s: %s (%s)", name, what, clprim_status_string(status), clprim_last_error());
    for (unsigned r = 0; r < self->comm->size; r++)
        if (all[r] != mine)
            cases_wrong(self, "%s, %s: not what rank %u says: %s (%s)", name, what, r, clprim_status_string(status),
                        clprim_last_error());
}
