// SPDX-License-Identifier: MIT
/* plan_sort_phase.h: what the two phases of a sort in pieces have in common: arrays, piece sizes, plan and buffers. */
#ifndef CLPRIM_LIB_PLAN_SORT_PHASE_H
#define CLPRIM_LIB_PLAN_SORT_PHASE_H

#include "plan_sort.h"
#include "ring.h"

/* At any time, one piece is uploaded, one is sorted, and one is copied back. */
enum { CLPRIM__SORT_LANES = 3, CLPRIM__SORT_MAX_COLUMNS = CLPRIM_SORT_BY_KEY_MAX_ARRAYS + 1 };

/* An array that is sorted: the keys, or an array that moves along with them. */
typedef struct clprim__sort_column {
    const clprim__slot *in, *out;
    size_t element_size;
    const char *from; /* NULL for indices */
    char *to;         /* NULL: not wanted */
    char *runs;       /* host memory with the runs, one after another */
    cl_mem lanes[CLPRIM__SORT_LANES];
    cl_mem kept; /* copies of some runs on the device; NULL: none */
} clprim__sort_column;

typedef struct clprim__sort {
    clprim_plan *plan; /* the plan of the whole call */
    clprim_runtime *runtime;
    const void *desc, *call;
    clprim_key_order order;
    clprim__sort_column columns[CLPRIM__SORT_MAX_COLUMNS]; /* the first one has the keys */
    size_t num_columns;
    const clprim__slot *count_at; /* NULL: none */
    size_t total;
    size_t count_place; /* offset of the number of elements in the call struct */
    bool is_first;      /* the first phase makes runs; the second sorts slices of them */
    /* Members of the current phase: */
    clprim_plan *phase_plan;
    cl_mem scratch;
    cl_command_queue up, down;
    size_t piece_size, num_pieces;
    clprim__kernel shift; /* compiled when first needed */
    clprim__queue shift_queue;
    /* The runs. `begins` says where each run begins in each column (num_columns entries per run). cuts[i] says how many
     * elements of run i were uploaded already, or belong before the piece of the result that this sort makes. */
    size_t num_runs;
    clprim_sorted_run *runs;
    const char **begins;
    size_t *cuts, *next_cuts;
    clprim__span *slices;        /* the slices of all runs for one range */
    size_t first_kept, num_kept; /* the runs that have copies on the device, one after another */
    size_t kept_bytes;           /* total size of the copies in all columns */
    size_t first;                /* index, among the sorted elements of all runs, of the first element of the output */
    uint64_t first_index;        /* index of the call's first element */
} clprim__sort;

/* Find the arrays of the call. Errors: CLPRIM_UNSUPPORTED (an array is not on the host), and those of
 * clprim__host_check. */
clprim_status clprim__sort_find_columns(clprim__sort *self);

/* Begin a phase: check the call, choose the piece size, create the plan and buffers. End a phase: release them, also if
 * begin failed. */
clprim_status clprim__sort_begin(clprim__sort *self, bool is_first);
void clprim__sort_end(clprim__sort *self);

/* The number of elements of a piece. */
size_t clprim__sort_count(const clprim__sort *self, size_t piece);

/* A call with `count` elements in a lane's buffers, for the phase's plan. Errors in the caller's call remain, so that
 * enqueue reports them. */
const void *clprim__sort_call(clprim__given *out, const clprim__sort *self, size_t lane, size_t count);

/* Convert indices within the piece that begins at `begin` into indices within the whole array, once *done is complete.
 * *done is then the event of that conversion. After a failure, *done is unchanged. */
clprim_status clprim__sort_shift(clprim__sort *self, cl_mem indices, bool is_wide, uint64_t begin, size_t count,
                                 cl_event *done);

/* Copies of the runs on the device: create buffers for all runs, if they take at most half of the memory that a run may
 * use; copy a sorted piece to them after *done, which becomes the event of that copy; enqueue copies of those runs'
 * slices to byte `there` of a lane. */
void clprim__sort_make_kept(clprim__sort_kept *out, clprim__sort *self);
clprim_status clprim__sort_keep(const clprim__sort *self, size_t piece, size_t count, cl_event *done);
clprim_status clprim__sort_copy_kept(const clprim__sort *self, const clprim__sort_column *c, cl_mem lane, size_t there);

#endif
