/* plan_sort_phase.h: what the two phases of a sort in parts have in common: the arrays, sizes of parts, plan and
 * buffers. */
#ifndef CLPRIM_LIB_PLAN_SORT_PHASE_H
#define CLPRIM_LIB_PLAN_SORT_PHASE_H

#include "plan_sort.h"
#include "ring.h"

/* One part goes up, one is sorted, and one comes down. */
enum { CLPRIM__SORT_LANES = 3, CLPRIM__SORT_MAX_COLUMNS = CLPRIM_SORT_BY_KEY_MAX_ARRAYS + 1 };

/* An array that is sorted: of keys, or one that moves along. */
typedef struct clprim__sort_column {
    const clprim__slot *in, *out;
    size_t element_size;
    const char *from; /* NULL: indices */
    char *to;         /* NULL: not wanted */
    char *runs;       /* on the host: one run behind the other */
    cl_mem lanes[CLPRIM__SORT_LANES];
    cl_mem kept; /* runs that are on the device, too; NULL: none */
} clprim__sort_column;

typedef struct clprim__sort {
    clprim_plan *plan; /* of the whole call */
    clprim_runtime *runtime;
    const void *desc, *call;
    clprim_key_order order;
    clprim__sort_column columns[CLPRIM__SORT_MAX_COLUMNS]; /* the first one has the keys */
    size_t num_columns;
    const clprim__slot *count_at; /* NULL: none */
    size_t total;
    size_t count_place; /* of the number of elements in the call struct */
    bool is_first;      /* runs are made; else pieces of them are sorted */
    /* Of the phase. */
    clprim_plan *phase_plan;
    cl_mem scratch;
    cl_command_queue up, down;
    size_t part_size, num_parts;
    clprim__kernel shift; /* made when it is needed first */
    clprim__queue shift_queue;
    /* The runs, where each begins in each column (num_columns of a run, then those of the next), and where they are
     * cut: cuts[i] elements of run i have gone up, or come before what this sort is to make. */
    size_t num_runs;
    clprim_sorted_run *runs;
    const char **begins;
    size_t *cuts, *next_cuts;
    clprim__span *pieces;        /* of the runs, for one range */
    size_t first_kept, num_kept; /* runs of which the device has copies, one behind the other */
    size_t kept_bytes;           /* in all columns */
    size_t first;                /* of the elements of all runs, in their order, where the output begins */
    uint64_t first_index;        /* of the first element of the call */
} clprim__sort;

/* Find the arrays of the call. Errors: CLPRIM_UNSUPPORTED (one is not on the host), and those of clprim__host_check. */
clprim_status clprim__sort_find_columns(clprim__sort *self);

/* Sizes, plan and buffers of a phase, and what is wrong with the call; give them up, also if that failed. */
clprim_status clprim__sort_begin(clprim__sort *self, bool is_first);
void clprim__sort_end(clprim__sort *self);

/* Elements of a part. */
size_t clprim__sort_count(const clprim__sort *self, size_t part);

/* A call of so many elements in a lane's buffers, for the phase's plan. What is wrong with the caller's stays wrong. */
const void *clprim__sort_call(clprim__given *out, const clprim__sort *self, size_t lane, size_t count);

/* Indices of a part that begins there, sorted when *done is complete, become those of the whole array; *done is then
 * the event of that. After a failure it is as it was. */
clprim_status clprim__sort_shift(clprim__sort *self, cl_mem indices, bool is_wide, uint64_t begin, size_t count,
                                 cl_event *done);

/* Buffers for copies of all runs, if they take at most half of the memory that a run may use; copy a sorted part there,
 * after *done, which becomes the event of that; and enqueue copies of the pieces of those runs to byte `there` of a
 * lane. */
void clprim__sort_make_kept(clprim__sort_kept *out, clprim__sort *self);
clprim_status clprim__sort_keep(const clprim__sort *self, size_t part, size_t count, cl_event *done);
clprim_status clprim__sort_copy_kept(const clprim__sort *self, const clprim__sort_column *c, cl_mem lane, size_t there);

#endif
