// SPDX-License-Identifier: MIT
/* cases_elements.c: distributed operations whose result for an element depends on that element, its index, and its
 * neighbours, compared with a loop over the whole array. */
#include <stdlib.h>
#include <string.h>

#include "cases_frame.h"
#include "random.h"

typedef struct elements {
    const cases_shape *at;
    uint32_t *whole, *mine, *out; /* out is `mine`, in place, or other memory */
    size_t first, count;
} elements;

static elements begin(const cases_rank *self, const cases_shape *at)
{
    elements it = {.at = at,
                   .first = cases_before(at->parts, self->comm->rank),
                   .count = at->parts[self->comm->rank],
                   .whole = cases_memory(at->total * sizeof(uint32_t))};
    cases_fill(it.whole, CLPRIM_U32, at->total, at->data == CASES_SPECIALS ? CASES_FEW : at->data, at->seed);
    it.mine = cases_memory(it.count * sizeof *it.mine);
    memcpy(it.mine, it.whole + it.first, it.count * sizeof *it.mine);
    it.out = at->in_place ? it.mine : cases_memory(it.count * sizeof *it.out);
    return it;
}

static void end(elements *it)
{
    if (it->out != it->mine)
        free(it->out);
    free(it->mine);
    free(it->whole);
}

static void check_difference(cases_rank *self, const cases_shape *at, bool is_right, bool pairs_only)
{
    elements it = begin(self, at);
    const bool has_input = at->total % 3 == 1; /* elements from an expression, of which neighbours have theirs, too */
    const clprim_adjacent_difference_desc desc = {
        .type = CLPRIM_U32,
        .right_neighbour = is_right,
        .pairs_only = pairs_only,
        .input = has_input ? "x[i]" : NULL,
        .text.parameters = {{has_input ? "x" : NULL, has_input ? CLPRIM_U32 : 0, .is_array = has_input}}};
    const size_t skipped = pairs_only && it.first == 0 && it.count > 0 ? 1 : 0;
    uint32_t *expected = cases_memory(it.count * sizeof *expected);
    for (size_t i = it.first; i < it.first + it.count; i++) {
        const bool is_alone = is_right && !pairs_only ? i + 1 == at->total : i == 0;
        const uint32_t other = is_alone ? 0 : it.whole[is_right && !pairs_only ? i + 1 : i - 1];
        const uint32_t difference = is_right && pairs_only ? other - it.whole[i] : it.whole[i] - other;
        if (i >= it.first + skipped)
            expected[i - it.first - skipped] = difference;
    }
    cases_expect_ok(self,
                    clprim_distributed_adjacent_difference(
                        self->comm, self->runtime, &desc,
                        &(clprim_adjacent_difference_call){.in = {.host = has_input ? NULL : it.mine},
                                                           .arguments = {{.host = has_input ? it.mine : NULL}},
                                                           .count = it.count,
                                                           .out = {.host = it.out}}),
                    at->name);
    if (memcmp(expected, it.out, (it.count - skipped) * sizeof *expected) != 0)
        cases_wrong(self, "%s: the differences are wrong", at->name);
    free(expected);
    end(&it);
}

/* x is divided among the ranks, and the table is the same on all of them. */
static void check_transform(cases_rank *self, const cases_shape *at)
{
    elements it = begin(self, at);
    static const uint32_t table[4] = {5, 7, 11, 13};
    const clprim_transform_desc desc = {
        .types = {CLPRIM_U32},
        .expressions = {"x[i] * 3 + table[i % 4] + (uint)i"},
        .text.parameters = {{"x", CLPRIM_U32, .is_array = true}, {"table", CLPRIM_U32, .is_array = true}}};
    for (size_t i = 0; i < at->total; i++)
        it.whole[i] = it.whole[i] * 3 + table[i % 4] + (uint32_t)i;
    cases_expect_ok(
        self,
        clprim_distributed_transform(
            self->comm, self->runtime, &desc,
            &(clprim_transform_call){.arguments = {{.host = it.mine}, {.host = (void *)(uintptr_t)table, .length = 4}},
                                     .count = it.count,
                                     .out = {{.host = it.out}}}),
        at->name);
    cases_expect_bytes(self, it.whole + it.first, it.out, sizeof *it.out, it.count, at->name, "the values");
    end(&it);
}

static void expect_index(cases_rank *self, const cases_shape *at, const char *what, size_t expected, size_t got)
{
    if (expected != got)
        cases_wrong(self, "%s: %s: %zu, not %zu", at->name, what, got, expected);
}

static void check_searches(cases_rank *self, const cases_shape *at)
{
    elements it = begin(self, at);
    uint64_t seed = at->seed;
    const uint32_t bound = (uint32_t)test_random_below(&seed, at->total + 2);
    uint32_t narrow = 77;
    uint64_t wide = 77;
    size_t found = 0;
    size_t sorted = at->total > 0 ? 1 : 0;
    const clprim_find_desc find = {
        .type = CLPRIM_U32, .predicate = "x % 5 == 1 && i >= bound", .text.parameters = {{"bound", CLPRIM_U32}}};
    while (found < at->total && !(it.whole[found] % 5 == 1 && found >= bound))
        found++;
    while (sorted < at->total && it.whole[sorted - 1] <= it.whole[sorted])
        sorted++;
    cases_expect_ok(self,
                    clprim_distributed_find(self->comm, self->runtime, &find,
                                            &(clprim_find_call){.in = {.host = it.mine},
                                                                .arguments = {{.host = (void *)(uintptr_t)&bound}},
                                                                .count = it.count,
                                                                .out = {.host = &narrow}}),
                    at->name);
    cases_expect_ok(self,
                    clprim_distributed_is_sorted(
                        self->comm, self->runtime,
                        &(clprim_is_sorted_desc){.type = CLPRIM_U32, .index_type = CLPRIM_U64},
                        &(clprim_is_sorted_call){.in = {.host = it.mine}, .count = it.count, .out = {.host = &wide}}),
                    at->name);
    expect_index(self, at, "find", found, narrow);
    expect_index(self, at, "is_sorted", sorted, (size_t)wide);
    end(&it);
}

/* A predicate over the index in the whole array, and over another array, of which each rank has its piece. */
static void check_select(cases_rank *self, const cases_shape *at)
{
    elements it = begin(self, at);
    const clprim_select_desc desc = {.type = CLPRIM_U32,
                                     .predicate = "i % 3 == 1 || other[i] % 2 == 0",
                                     .text.parameters = {{"other", CLPRIM_U32, .is_array = true}}};
    uint32_t *other = cases_copy(it.mine, it.count * sizeof *other);
    uint32_t count = 77;
    size_t number = 0;
    clprim_distributed_part part = {0};
    for (size_t i = 0; i < at->total; i++)
        if (i % 3 == 1 || it.whole[i] % 2 == 0)
            it.whole[number++] = it.whole[i];
    cases_expect_ok(self,
                    clprim_distributed_select(self->comm, self->runtime, &desc,
                                              &(clprim_select_call){.in = {.host = it.mine},
                                                                    .arguments = {{.host = other}},
                                                                    .count = it.count,
                                                                    .out = {.host = it.out},
                                                                    .out_count = {.host = &count}},
                                              NULL, &part),
                    at->name);
    if (part.total != number || part.count != count)
        cases_wrong(self, "%s: %zu of %zu are selected", at->name, (size_t)part.total, number);
    else if (count > 0 && memcmp(it.out, it.whole + part.first, count * sizeof *it.out) != 0)
        cases_wrong(self, "%s: other elements are selected", at->name);
    free(other);
    end(&it);
}

/* Two parts and the rest, by the index in the whole array. */
static void check_partition(cases_rank *self, const cases_shape *at)
{
    elements it = begin(self, at);
    const clprim_partition_desc desc = {
        .type = CLPRIM_U32, .predicate = "x % 5 == 1", .second_predicate = "i % 3 == 1", .index_type = CLPRIM_U64};
    const size_t room = at->rooms[self->comm->rank];
    uint32_t *expected = cases_memory(at->total * sizeof *expected), *out = cases_memory(room * sizeof *out);
    uint64_t counts[2] = {77, 77}, wanted[2] = {0};
    size_t groups[3] = {0};
    clprim_distributed_part part = {0};
    for (size_t g = 0, number = 0; g < 3; g++)
        for (size_t i = 0; i < at->total; i++)
            if ((it.whole[i] % 5 == 1 ? 0U : i % 3 == 1 ? 1U : 2U) == g) {
                expected[number++] = it.whole[i];
                groups[g]++;
            }
    cases_expect_ok(self,
                    clprim_distributed_partition(self->comm, self->runtime, &desc,
                                                 &(clprim_partition_call){.in = {.host = it.mine},
                                                                          .count = it.count,
                                                                          .out = {.host = out},
                                                                          .out_count = {.host = &counts[0]},
                                                                          .second_count = {.host = &counts[1]}},
                                                 &room, &part),
                    at->name);
    for (size_t i = (size_t)part.first; i < part.first + part.count; i++)
        for (size_t g = 0; g < 2; g++)
            wanted[g] += g == 0 ? i < groups[0] : i >= groups[0] && i < groups[0] + groups[1];
    cases_expect_part(self, at, &part);
    cases_expect_bytes(self, expected + part.first, out, sizeof *out, part.count, at->name, "the parts");
    for (size_t g = 0; g < 2; g++)
        if (counts[g] != wanted[g])
            cases_wrong(self, "%s: %zu in part %zu, not %zu", at->name, (size_t)counts[g], g, (size_t)wanted[g]);
    free(expected);
    free(out);
    end(&it);
}

void cases_run_elements(cases_rank *self)
{
    for (size_t number = 0; number < 28; number++) {
        const cases_shape at = cases_shape_of(self, number, "elements");
        check_difference(self, &at, number % 2 != 0, number % 3 == 0);
        check_transform(self, &at);
        check_searches(self, &at);
        check_select(self, &at);
        check_partition(self, &at);
    }
}
