// SPDX-License-Identifier: MIT
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

/* The purposes of kernels. */
enum {
    CLPRIM__SAMPLE_SORT_SAMPLE,
    CLPRIM__SAMPLE_SORT_CLASSIFY,
    CLPRIM__SAMPLE_SORT_PLACE,
    CLPRIM__SAMPLE_SORT_SCATTER,
    CLPRIM__SAMPLE_SORT_SMALL,  /* sorts buckets with a small tile; left out if small tiles would be no smaller than
                                 * large ones */
    CLPRIM__SAMPLE_SORT_LARGE,  /* sorts buckets with a large tile; lists larger buckets */
    CLPRIM__SAMPLE_SORT_PIECES, /* sorts pieces of the listed buckets */
    CLPRIM__SAMPLE_SORT_JOIN,   /* merges these pieces */
    CLPRIM__SAMPLE_SORT_KERNELS
};

/* A work-group size, and the bytes of elements that each work-item holds in registers. */
typedef struct clprim__comparison_sort_group {
    size_t group_size, bytes;
} clprim__comparison_sort_group;

/* The parameters of the sample sort on a device. */
typedef struct clprim__sample_sort_tuning {
    clprim__comparison_sort_group large, small, samples, moves;
    size_t sort_registers, move_registers; /* registers per work-item on NVIDIA's devices; 0: the compiler decides */
    size_t buckets_log;                    /* maximum per segment; at most 16 */
    size_t piece_log;                      /* log2 of the number of large tiles that a single group merges */
    size_t filled;                         /* sixteenths of a small tile that a bucket should have on average; at most
                                            * 16 */
    size_t filled_at_most;                 /* sixteenths of a large tile: with a larger average, another level is
                                            * added */
} clprim__sample_sort_tuning;

/* The calls for which AUTO chooses the sample sort. */
typedef struct clprim__sample_sort_range {
    size_t from;        /* smallest number of elements */
    size_t stable_from; /* the same for a stable sort */
    size_t size;        /* largest size of an element with its value, in bytes */
} clprim__sample_sort_range;

typedef struct clprim__comparison_sort_plan clprim__comparison_sort_plan;

typedef struct clprim__sample_sort {
    clprim__kernel kernels[CLPRIM__SAMPLE_SORT_KERNELS];
    unsigned large_log;   /* a large tile has 2^large_log elements */
    unsigned buckets_log; /* maximum per segment */
    size_t moved_tile;    /* elements of a tile of CLASSIFY and SCATTER */
    size_t wanted;        /* desired number of elements per bucket after the last level */
    size_t most;          /* largest average; with more, there is another level */
    size_t piece;
    bool is_stable; /* equal elements keep their order */
} clprim__sample_sort;

clprim_status clprim__sample_sort_build(clprim__comparison_sort_plan *self, const clprim__prelude *prelude,
                                        const clprim__sample_sort_tuning *tuning);
void clprim__sample_sort_clear(clprim__sample_sort *self);

/* The size in bytes of a bucket number, of which a segment has 2^buckets_log. */
size_t clprim__sample_sort_id_size(unsigned buckets_log);

/* The size of scratch memory for n elements, in bytes. */
size_t clprim__sample_sort_scratch(const clprim__comparison_sort_plan *self, size_t n);

typedef struct clprim__comparison_sort_call clprim__comparison_sort_call;

/* scratch: memory of that size. */
clprim_status clprim__sample_sort_launch(clprim__comparison_sort_plan *self, clprim__chain *chain,
                                         const clprim__comparison_sort_call *call, cl_mem scratch);

#endif
