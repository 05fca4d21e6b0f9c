// SPDX-License-Identifier: MIT
/* scale_ops.h: the operations that `scale` times, and how it knows that a result is right. */
#ifndef CLPRIM_BENCHMARKS_SCALE_OPS_H
#define CLPRIM_BENCHMARKS_SCALE_OPS_H

#include <clprim/comm.h>
#include <clprim/runtime.h>
#include <stdbool.h>

enum {
    SCALE_BINS = 256,
    SCALE_K = 1000,      /* of top_k */
    SCALE_LEAST = 1024,  /* so many elements every output has room for, however few a rank has */
    SCALE_OPERATIONS = 6 /* in scale_operations */
};

/* One rank's piece of the arrays. The input holds key number first, first + 1 and so on of one sequence; a value is the
 * number of its key, modulo 2^32. */
typedef struct scale_piece {
    const clprim_comm *comm;
    uint64_t first, total; /* total: of all ranks */
    size_t count;
    uint32_t *keys, *values; /* values: NULL unless the operation takes some, as keys_out and values_out */
    uint32_t *keys_out, *values_out;
    uint64_t *every; /* room for five numbers of each rank */
} scale_piece;

typedef struct scale_operation {
    const char *name;
    bool is_sort;    /* with the steps of a sort */
    bool has_values; /* takes and writes them */
    clprim_status (*run)(const clprim_comm *comm, clprim_runtime *runtime, const scale_piece *piece);
    /* Whether this rank's part of the result is right, by plain loops. Collective; false also if communication
     * failed. */
    bool (*check)(const scale_piece *piece);
} scale_operation;

extern const scale_operation scale_operations[SCALE_OPERATIONS];

#endif
