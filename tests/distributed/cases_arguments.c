// SPDX-License-Identifier: MIT
/* cases_arguments.c: arguments that are arrays without a .length. They have as many elements as the rank's own piece,
 * even if a rank evaluates expressions for fewer elements, or for more. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases_frame.h"

enum { COUNT = 20, AT = 15 /* the element that expressions read */, MODULUS = 1009 };

#define TABLE .text = {.parameters = {{.name = "table", .type = CLPRIM_U32, .is_array = true}}}
static const clprim_custom_op plus = {.combine = "(a + b) % table[15]", .identity = "0"};

/* A rank's arrays, exactly as long as they must be. */
typedef struct own {
    size_t count, before;
    uint32_t *in, *table, *out, *more;
    uint64_t number; /* of elements in an output */
    size_t room;
    clprim_distributed_part part;
    const char *name;
} own;

static own own_of(const cases_rank *self, unsigned empty, const char *name)
{
    const unsigned rank = self->comm->rank;
    own it = {.count = rank == empty ? 0 : COUNT, .name = name, .number = 77};
    it.before = COUNT * (size_t)(rank - (rank > empty));
    it.room = self->comm->size > 1 && empty < self->comm->size ? it.count : COUNT;
    it.in = cases_memory(it.count * sizeof *it.in);
    it.table = cases_memory(it.count * sizeof *it.table);
    it.out = cases_memory((size_t)COUNT * CASES_RANKS * sizeof *it.out);
    it.more = cases_memory((size_t)COUNT * CASES_RANKS * sizeof *it.more);
    for (size_t i = 0; i < it.count; i++) {
        it.in[i] = (uint32_t)(it.before + i);
        it.table[i] = i == AT ? MODULUS : 0; /* an expression that reads another element divides by zero */
    }
    return it;
}

static void release(own *it)
{
    free(it->in);
    free(it->table);
    free(it->out);
    free(it->more);
}

static uint32_t sum_up_to(size_t end)
{
    return (uint32_t)(end * (end - 1) / 2 % MODULUS);
}

static void expect_number(cases_rank *self, const own *it, const char *what, uint64_t expected, uint64_t got)
{
    if (expected != got)
        cases_wrong(self, "%s, %s: %llu instead of %llu", it->name, what, (unsigned long long)got,
                    (unsigned long long)expected);
}

/* The number of all elements. If there is a rank `empty`, it has none. */
static size_t total_of(const cases_rank *self, unsigned empty)
{
    return COUNT * (size_t)(self->comm->size - (empty < self->comm->size));
}

static void check_folds(cases_rank *self, own *it, size_t total)
{
    const clprim_reduce_desc reduce = {.type = CLPRIM_U32, .custom = &plus, TABLE};
    const clprim_scan_desc scan = {.type = CLPRIM_U32, .custom = &plus, TABLE};
    cases_expect_ok(self,
                    clprim_distributed_reduce(self->comm, self->runtime, &reduce,
                                              &(clprim_reduce_call){.in = {.host = it->in},
                                                                    .arguments = {{.host = it->table}},
                                                                    .count = it->count,
                                                                    .out = {.host = it->out}}),
                    it->name);
    expect_number(self, it, "reduce", total > 0 ? sum_up_to(total) : 0, it->out[0]);
    cases_expect_ok(self,
                    clprim_distributed_scan(self->comm, self->runtime, &scan,
                                            &(clprim_scan_call){.in = {.host = it->in},
                                                                .arguments = {{.host = it->table}},
                                                                .count = it->count,
                                                                .out = {.host = it->out}}),
                    it->name);
    for (size_t i = 0; i < it->count; i++)
        expect_number(self, it, "scan", sum_up_to(it->before + i + 1), it->out[i]);
}

/* Check operations on runs, with arguments that the text for equality or the operator may read. */
static void check_runs(cases_rank *self, own *it, size_t total)
{
    const clprim_unique_desc unique = {
        .type = CLPRIM_U32, .equal = "a / 1000 % table[15] == b / 1000 % table[15]", .index_type = CLPRIM_U64, TABLE};
    const clprim_reduce_by_key_desc by_key = {
        .key_type = CLPRIM_U32, .type = CLPRIM_U32, .custom = &plus, .index_type = CLPRIM_U64, TABLE};
    cases_expect_ok(self,
                    clprim_distributed_unique(self->comm, self->runtime, &unique,
                                              &(clprim_unique_call){.in = {.host = it->in},
                                                                    .arguments = {{.host = it->table}},
                                                                    .count = it->count,
                                                                    .out = {.host = it->out},
                                                                    .out_count = {.host = &it->number}},
                                              &it->room, &it->part),
                    it->name);
    expect_number(self, it, "unique", total > 0, it->part.total);
    if (it->number > 0)
        expect_number(self, it, "unique", 0, it->out[0]);
    uint32_t *keys = cases_memory(it->count * sizeof *keys);
    for (size_t i = 0; i < it->count; i++)
        keys[i] = 7;
    cases_expect_ok(self,
                    clprim_distributed_reduce_by_key(self->comm, self->runtime, &by_key,
                                                     &(clprim_reduce_by_key_call){.keys_in = {.host = keys},
                                                                                  .values_in = {.host = it->in},
                                                                                  .arguments = {{.host = it->table}},
                                                                                  .count = it->count,
                                                                                  .keys_out = {.host = it->out},
                                                                                  .values_out = {.host = it->more},
                                                                                  .out_count = {.host = &it->number}},
                                                     &it->room, &it->part),
                    it->name);
    expect_number(self, it, "reduce_by_key", total > 0, it->part.total);
    if (it->number > 0)
        expect_number(self, it, "reduce_by_key", sum_up_to(total), it->more[0]);
    free(keys);
}

static void check_selections(cases_rank *self, own *it, size_t total)
{
#define SELECT(op)                                                                                                     \
    cases_expect_ok(self,                                                                                              \
                    clprim_distributed_##op(                                                                           \
                        self->comm, self->runtime,                                                                     \
                        &(clprim_##op##_desc){                                                                         \
                            .type = CLPRIM_U32, .predicate = "x % table[15] < 9", .index_type = CLPRIM_U64, TABLE},    \
                        &(clprim_##op##_call){.in = {.host = it->in},                                                  \
                                              .arguments = {{.host = it->table}},                                      \
                                              .count = it->count,                                                      \
                                              .out = {.host = it->out},                                                \
                                              .out_count = {.host = &it->number}},                                     \
                        &it->room, &it->part),                                                                         \
                    it->name)
    SELECT(select);
    expect_number(self, it, "select", total > 0 ? 9 : 0, it->part.total);
    SELECT(partition);
    expect_number(self, it, "partition", total, it->part.total);
#undef SELECT
}

/* Distributed sorts and top-k do not support expressions, and so take no arguments: all ranks return this error. */
static void check_orders(cases_rank *self, const own *it)
{
#define REFUSE(op, shares, ...)                                                                                        \
    do {                                                                                                               \
        const clprim_status status = clprim_distributed_##op(                                                          \
            self->comm, self->runtime, &(clprim_##op##_desc){__VA_ARGS__, TABLE}, &(clprim_##op##_call) {              \
                .keys_in = {.host = it->in}, .arguments = {{.host = it->table}}, .count = it->count, .keys_out = {     \
                    .host = it->out                                                                                    \
                }                                                                                                      \
            } shares);                                                                                                 \
        if (status != CLPRIM_INVALID_ARGUMENT)                                                                         \
            cases_wrong(self, #op " with a parameter: %s (%s)", clprim_status_string(status), clprim_last_error());    \
    } while (0)
#define SHARES , NULL, NULL
    REFUSE(radix_sort, SHARES, .key_type = CLPRIM_U32);
    REFUSE(sort_by_key, SHARES, .key_type = CLPRIM_U32);
    REFUSE(top_k, , .k = 30);
    REFUSE(nth_element, , .key_type = CLPRIM_U32);
#undef SHARES
#undef REFUSE
}

static void check_histogram(cases_rank *self, own *it, size_t total)
{
    const clprim_histogram_desc desc = {
        .type = CLPRIM_U32, .bins = 4, .mapping = CLPRIM_HISTOGRAM_CUSTOM, .bin_of = "x % table[15] / 5", TABLE};
    cases_expect_ok(self,
                    clprim_distributed_histogram(self->comm, self->runtime, &desc,
                                                 &(clprim_histogram_call){.in = {.host = it->in},
                                                                          .arguments = {{.host = it->table}},
                                                                          .count = it->count,
                                                                          .out = {.host = it->out}}),
                    it->name);
    for (size_t i = 0; i < 4; i++)
        expect_number(self, it, "histogram", total > 0 ? 5 : 0, it->out[i]);
}

void cases_run_arguments(cases_rank *self)
{
    const unsigned empties[] = {0, self->comm->size - 1, self->comm->size /* none */};
    for (size_t i = 0; i < sizeof empties / sizeof empties[0]; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "a table, rank %u has no elements", empties[i]);
        const size_t total = total_of(self, empties[i]);
        own it = own_of(self, empties[i], name);
        check_folds(self, &it, total);
        check_runs(self, &it, total);
        check_selections(self, &it, total);
        check_histogram(self, &it, total);
        check_orders(self, &it);
        release(&it);
    }
}
