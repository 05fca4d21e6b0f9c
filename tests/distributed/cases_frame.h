// SPDX-License-Identifier: MIT
/* cases_frame.h: what the checks of distributed operations share. */
#ifndef CLPRIM_TEST_DISTRIBUTED_CASES_FRAME_H
#define CLPRIM_TEST_DISTRIBUTED_CASES_FRAME_H

#include <stdbool.h>

#include "cases.h"

enum { CASES_GUARD = 64, CASES_POISON = 0xa5, CASES_TOTALS = 7 };

/* Report an error. Only the first sentence is kept. */
void cases_wrong(cases_rank *self, const char *format, ...);
void cases_expect_ok(cases_rank *self, clprim_status status, const char *what);

/* Memory with a guard after it, all poisoned. It is always large enough for the tests. */
void *cases_memory(size_t bytes);
void *cases_copy(const void *from, size_t bytes);
/* Check that the elements are as expected, and that the guard after them is intact. */
void cases_expect_bytes(cases_rank *self, const void *expected, const void *got, size_t size, size_t count,
                        const char *what, const char *array);

/* The number of elements of the ranks before this one. */
size_t cases_before(const size_t *parts, unsigned rank);

/* The parameters of one case. They differ from case to case and are the same on all ranks. */
typedef struct cases_shape {
    size_t total;
    unsigned data;
    bool in_place, has_rooms;
    uint64_t seed;
    size_t parts[CASES_RANKS], rooms[CASES_RANKS];
    char name[128];
} cases_shape;

cases_shape cases_shape_of(const cases_rank *self, size_t number, const char *name);
void cases_expect_part(cases_rank *self, const cases_shape *at, const clprim_distributed_part *part);

/* The place where a rank's share of `number` elements begins, by the formula in clprim/distributed.h. */
size_t cases_share(const cases_shape *at, unsigned rank, size_t number);

/* One array of a rank: its input, with room for the output if that is in place. */
typedef struct cases_column {
    size_t size;
    void *whole; /* the elements of all ranks: first the input, later the expected result */
    void *in, *out;
    void *kept; /* a copy of the input; NULL: in place */
    size_t in_bytes, out_bytes;
} cases_column;

cases_column cases_column_of(const cases_rank *self, const cases_shape *at, size_t size, void *whole);
/* Compare the rank's piece with `whole`, which must hold the expected result by now, and free everything. */
void cases_column_check(cases_rank *self, const cases_shape *at, cases_column *it, const char *name);
void cases_column_free(cases_column *it);

/* The groups. */
void cases_run_reductions(cases_rank *self);
void cases_run_sorts(cases_rank *self);
void cases_run_sorts_by_key(cases_rank *self);
void cases_run_scans(cases_rank *self);
void cases_run_zeros(cases_rank *self);
void cases_run_histograms(cases_rank *self);
void cases_run_top_ks(cases_rank *self);
void cases_run_nth_elements(cases_rank *self);
void cases_run_selections(cases_rank *self);
void cases_run_runs(cases_rank *self);
void cases_run_errors(cases_rank *self);
void cases_run_members(cases_rank *self);
void cases_run_sizes(cases_rank *self);
void cases_run_arguments(cases_rank *self);
void cases_run_elements(cases_rank *self);
void cases_run_merges(cases_rank *self);
void cases_run_shuffles(cases_rank *self);

#endif
