// SPDX-License-Identifier: MIT
/* test_distributed.calls.c: calls of all distributed operations, made from their tables and samples, divided at random
 * among 1 to 7 ranks. Together, the ranks must get what the whole call gives. */
#include <stdio.h>

#include "cases_frame.h"
#include "cases_operations.h"
#include "contract.h"
#include "random.h"
#include "ranks.h"

enum { COUNT = 700, MOST_COUNTS = 2, MOST_RANKS = 7 };

/* A distributed operation. One that does not share its output leaves *part as it is. */
typedef struct row {
    const clprim_operation *table;
    clprim_status (*run)(const cases_rank *self, const void *desc, const void *call, const size_t *room,
                         clprim_distributed_part *part);
    size_t succeeded; /* calls */
} row;

#define ALONE
#define SHARED , room, part
#define DEFINE_RUN(op, more)                                                                                           \
    static clprim_status run_##op(const cases_rank *self, const void *desc, const void *call, const size_t *room,      \
                                  clprim_distributed_part *part)                                                       \
    {                                                                                                                  \
        (void)room;                                                                                                    \
        (void)part;                                                                                                    \
        return clprim_distributed_##op(self->comm, self->runtime, desc, call more);                                    \
    }
CASES_OPERATIONS(DEFINE_RUN)
#define ROW(op, more) {&clprim_##op##_operation, run_##op, 0},
static row rows[] = {CASES_OPERATIONS(ROW)};

static row *row_of(const clprim_operation *table)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].table == table)
            return &rows[i];
    return NULL;
}

/* How a call is divided. */
typedef struct division {
    const test_call *of;
    row *row;
    test_struct whole;
    size_t num_counts, places[MOST_COUNTS]; /* the call's numbers of elements, and where they are in the struct */
    size_t parts[MOST_COUNTS][CASES_RANKS], rooms[CASES_RANKS];
    bool has_rooms;
    /* What each rank returns and writes. */
    clprim_status statuses[CASES_RANKS];
    clprim_distributed_part shares[CASES_RANKS];
    unsigned char *outputs[CASES_RANKS][CLPRIM__MAX_ARRAYS];
} division;

/* The length of array i of a call that has the elements of the ranks before `rank`, so many times. */
static size_t length_before(const division *self, size_t i, unsigned rank, size_t times)
{
    const clprim__slot *slot = &self->of->arrays[i].slot;
    test_struct call = self->whole;
    for (size_t k = 0; k < self->num_counts; k++) {
        const size_t count = cases_before(self->parts[k], rank) * times;
        memcpy(call.bytes + self->places[k], &count, sizeof count);
    }
    return slot->member->length(self->of->desc.bytes, call.bytes);
}

/* Whether an output has a result for each element, so that it is longer in longer calls. */
static bool is_divided(const division *self, size_t i, unsigned size)
{
    enum { MANY = 100 };
    return self->of->arrays[i].slot.counted_by >= 0 ||
           length_before(self, i, size, MANY) > MANY / 2 * length_before(self, i, size, 1);
}

static size_t begin_of(const division *self, size_t i, unsigned rank)
{
    return length_before(self, i, rank, 1) - length_before(self, i, 0, 1);
}

static void run_rank(cases_rank *rank, void *user)
{
    division *self = user;
    const unsigned r = rank->comm->rank;
    test_struct call = self->whole;
    for (size_t i = 0; i < self->of->num_arrays; i++) {
        clprim_array *array = test_array_of(self->of, &call, i);
        if (self->outputs[r][i] != NULL)
            *array = (clprim_array){.host = self->outputs[r][i]};
        else if (self->of->arrays[i].is_there && self->of->arrays[i].slot.member->is_value == NULL)
            array->offset += begin_of(self, i, r);
    }
    for (size_t k = 0; k < self->num_counts; k++)
        memcpy(call.bytes + self->places[k], &self->parts[k][r], sizeof(size_t));
    self->shares[r].total = UINT64_MAX;
    self->statuses[r] = self->row->run(rank, self->of->desc.bytes, call.bytes, self->has_rooms ? &self->rooms[r] : NULL,
                                       &self->shares[r]);
    if (self->statuses[r] != CLPRIM_SUCCESS && (self->statuses[r] != CLPRIM_UNSUPPORTED ||
                                                (strstr(clprim_last_error(), "not supported by distributed") == NULL &&
                                                 strstr(clprim_last_error(), "cannot be divided") == NULL)))
        (void)snprintf(rank->message, CASES_MESSAGE, "%s, rank %u of %u: %s", self->of->name, r, rank->comm->size,
                       clprim_last_error());
}

/* Divide the elements, and give each rank a copy of all outputs. */
static void begin(division *self, unsigned size, uint64_t *random)
{
    const test_call *of = self->of;
    size_t total = 0;
    self->num_counts = 0;
    for (const clprim_member *m = of->face->call_members; m->name != NULL; m++)
        if (strcmp(m->name, "count") == 0 || strcmp(m->name, "a_count") == 0 || strcmp(m->name, "b_count") == 0) {
            size_t count = 0;
            memcpy(&count, self->whole.bytes + m->place, sizeof count);
            cases_parts(self->parts[self->num_counts], size, count,
                        (unsigned)test_random_below(random, CASES_PARTS_END), test_random(random));
            self->places[self->num_counts++] = m->place;
            total += count;
        }
    self->has_rooms = test_random_below(random, 2) != 0;
    cases_parts(self->rooms, size, total, (unsigned)test_random_below(random, CASES_PARTS_END), test_random(random));
    for (unsigned r = 0; r < size; r++)
        for (size_t i = 0; i < of->num_arrays; i++) {
            const test_array *array = &of->arrays[i];
            const size_t bytes = array->length * array->size;
            self->outputs[r][i] = NULL;
            if (!array->is_there || !array->is_output)
                continue;
            self->outputs[r][i] = test_allocate(bytes + 1);
            memcpy(self->outputs[r][i],
                   (char *)test_array_of(of, &self->whole, i)->host +
                       test_array_of(of, &self->whole, i)->offset * array->size,
                   bytes);
        }
}

/* Whether ranks can pass parts of an array that is as a whole one: it has the same number of array elements for each
 * element of the call, unlike rows with gaps between them. */
static bool is_dense(const division *self, unsigned size)
{
    for (size_t i = 0; i < self->of->num_arrays; i++) {
        const test_array *array = &self->of->arrays[i];
        size_t elements = 0;
        for (size_t k = 0; k < self->num_counts; k++)
            elements += cases_before(self->parts[k], size);
        const size_t length = begin_of(self, i, size);
        if (array->is_there && !array->is_output && self->num_counts == 1 && elements > 0 && length % elements != 0)
            return false;
    }
    return true;
}

/* Put what a rank wrote to an output into the whole one, and check that it wrote nothing else. */
static void collect(division *self, size_t i, unsigned rank, unsigned size)
{
    const test_array *array = &self->of->arrays[i];
    const clprim_array *to = test_array_of(self->of, &self->whole, i);
    unsigned char *whole = (unsigned char *)to->host + to->offset * array->size;
    const unsigned char *mine = self->outputs[rank][i];
    const bool has_part = is_divided(self, i, size);
    const clprim_distributed_part *share = &self->shares[rank];
    if (share->total != UINT64_MAX && has_part) {
        cr_assert_leq(share->first + share->count, array->length, "%s", self->of->name);
        memcpy(whole + share->first * array->size, mine, share->count * array->size);
    } else if (share->total != UINT64_MAX) { /* numbers of elements in the share */
        uint64_t sum = 0, number = 0;
        memcpy(&number, mine, array->size);
        memcpy(&sum, whole, array->size);
        sum = number + (rank > 0 ? sum : 0);
        memcpy(whole, &sum, array->size);
    } else if (has_part) {
        const size_t first = begin_of(self, i, rank);
        memcpy(whole + first * array->size, mine, (begin_of(self, i, rank + 1) - first) * array->size);
    } else if (rank == 0) {
        memcpy(whole, mine, array->length * array->size);
    } else {
        cr_assert(memcmp(mine, self->outputs[0][i], array->length * array->size) == 0, "%s: ranks 0 and %u differ",
                  self->of->name, rank);
    }
}

static void check_ranks(division *self, unsigned size)
{
    const test_call *of = self->of;
    cases_rank results[CASES_RANKS];
    ranks_run(results, size, &of->runtime, true, run_rank, self);
    ranks_expect_ok(results, size);
    for (unsigned r = 0; r < size; r++) {
        cr_assert_eq(self->statuses[r], self->statuses[0], "%s: ranks 0 and %u disagree", of->name, r);
        for (size_t i = 0; i < of->num_arrays; i++)
            if (self->outputs[r][i] != NULL && self->statuses[r] == CLPRIM_SUCCESS)
                collect(self, i, r, size);
    }
    self->row->succeeded += self->statuses[0] == CLPRIM_SUCCESS;
    test_call_expect_on_host(of, "by ranks", self->statuses[0] == CLPRIM_SUCCESS);
}

static void check(test_call *of)
{
    static uint64_t random = 3;
    division self = {.of = of, .row = row_of(of->face)};
    if (self.row == NULL)
        return;
    for (unsigned size = 1; size <= MOST_RANKS; size += size < 3 ? 1 : 2) {
        self.whole = test_call_on_host(of);
        begin(&self, size, &random);
        if (is_dense(&self, size))
            check_ranks(&self, size);
        for (unsigned r = 0; r < size; r++)
            for (size_t i = 0; i < of->num_arrays; i++)
                free(self.outputs[r][i]);
    }
}

Test(distributed, random_calls_give_what_the_whole_call_gives, .timeout = 900)
{
    contract_for(CONTRACT_SAMPLES, COUNT, 95, check);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && test_is_full(); i++)
        cr_assert(rows[i].succeeded > 0, "%s: no call was made", rows[i].table->name);
}
