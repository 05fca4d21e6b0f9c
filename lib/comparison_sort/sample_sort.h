/* sample_sort.h: the sort's variant that divides the array by splitters taken from samples.
 *
 * A level divides each of its segments into buckets, from one array into the other. The first level has one segment,
 * the array. Buckets are the next level's segments. After the last level, one work-group sorts each bucket. Buckets
 * that are too large for that are listed, and further launches merge them; usually the list is empty. */
#ifndef CLPRIM_LIB_SAMPLE_SORT_H
#define CLPRIM_LIB_SAMPLE_SORT_H

#include <clprim/comparison_sort.h>

#include "launch.h"
#include "prelude.h"

/* What a kernel is for. */
enum {
    CLPRIM__SAMPLE_SORT_SAMPLE,
    CLPRIM__SAMPLE_SORT_CLASSIFY,
    CLPRIM__SAMPLE_SORT_PLACE,
    CLPRIM__SAMPLE_SORT_SCATTER,
    CLPRIM__SAMPLE_SORT_SMALL,  /* sorts buckets of one tile, which is small; not where small tiles would be no smaller
                                 */
    CLPRIM__SAMPLE_SORT_LARGE,  /* sorts buckets of a large tile; lists larger ones */
    CLPRIM__SAMPLE_SORT_PIECES, /* of the rest */
    CLPRIM__SAMPLE_SORT_JOIN,   /* these */
    CLPRIM__SAMPLE_SORT_KERNELS
};

/* A work-group, and the bytes of elements that each of its work-items has in registers. */
typedef struct clprim__comparison_sort_group {
    size_t group_size, bytes;
} clprim__comparison_sort_group;

/* The parameters with which it runs on a device. */
typedef struct clprim__sample_sort_tuning {
    clprim__comparison_sort_group large, small, samples, moves;
    size_t sort_registers, move_registers; /* registers of a work-item on NVIDIA's devices; 0: the compiler chooses */
    size_t buckets_log;                    /* of a segment, at most 16 */
    size_t piece_log;                      /* large tiles that a group merges by itself */
    size_t filled;                         /* 16ths of a small tile that a bucket should have; at most 16 */
    size_t filled_at_most;                 /* 16ths of a large tile that they have on average without another level */
} clprim__sample_sort_tuning;

/* What AUTO takes it for. */
typedef struct clprim__sample_sort_range {
    size_t from; /* elements */
    size_t size; /* bytes of an element with its value, at most */
} clprim__sample_sort_range;

typedef struct clprim__comparison_sort_plan clprim__comparison_sort_plan;

typedef struct clprim__sample_sort {
    clprim__kernel kernels[CLPRIM__SAMPLE_SORT_KERNELS];
    unsigned large_log;   /* 2^large_log elements are a large tile */
    unsigned buckets_log; /* of a segment, at most */
    size_t moved_tile;    /* elements of CLASSIFY's and SCATTER's groups */
    size_t wanted;        /* elements of a bucket after the last level */
    size_t most;          /* on average; else there is another level */
    size_t piece;
} clprim__sample_sort;

clprim_status clprim__sample_sort_build(clprim__comparison_sort_plan *self, const clprim__prelude *prelude,
                                        const clprim__sample_sort_tuning *tuning);
void clprim__sample_sort_clear(clprim__sample_sort *self);

/* Bytes in which the number of a bucket, of a segment's 2^buckets_log, is remembered. */
size_t clprim__sample_sort_id_size(unsigned buckets_log);

/* Bytes of scratch memory for n elements. */
size_t clprim__sample_sort_scratch(const clprim__comparison_sort_plan *self, size_t n);

typedef struct clprim__comparison_sort_call clprim__comparison_sort_call;

/* scratch: as much memory. */
clprim_status clprim__sample_sort_launch(clprim__comparison_sort_plan *self, clprim__chain *chain,
                                         const clprim__comparison_sort_call *call, cl_mem scratch);

#endif
