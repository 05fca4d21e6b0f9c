// SPDX-License-Identifier: MIT
/* sample_args.h: the arguments of the sample-sort kernels. Offsets are in elements; positions in scratch memory,
 * ..._at, are in bytes. */
#ifndef SAMPLE_ARGS_H
#define SAMPLE_ARGS_H

#include "common/items.h"

/* The number of buckets whose ranges a group sums up, if it has so many work-items: that of the counts in 32 bytes. */
#define SAMPLE_SORT_COLUMNS 8

/* Bytes of the header, which the table of ranges follows (parts/sample_tables.cl). */
#define SAMPLE_SORT_HEADER 256

#define SAMPLE_SORT_NUMBERS(LONG, INT)                                                                                 \
    ITEM_OFFSETS(LONG, s0, s1, in)                                                                                     \
    ITEM_OFFSETS(LONG, s2, s3, out)                                                                                    \
    ITEM_OFFSETS(LONG, s4, s5, between)                                                                                \
    LONG(s6, n)                                                                                                        \
    LONG(s7, header_at)                                                                                                \
    LONG(s8, tables_at) /* of the level */                                                                             \
    LONG(s9, splitters_at)                                                                                             \
    LONG(sa, parents_at) /* tables of the level before */                                                              \
    LONG(sb, parents_splitters_at)                                                                                     \
    LONG(sc, tiles_at)                                                                                                 \
    LONG(sd, ids_at)                                                                                                   \
    LONG(se, large_at) /* list of the buckets that are too large for a small tile */                                   \
    LONG(sf, pieces_at)                                                                                                \
    INT(s0, level)    /* counted from 1; for launches after the levels, the last level, or 0 if there is none */       \
    INT(s1, segments) /* of the level; each has 2^buckets_log buckets */                                               \
    INT(s2, buckets_log)                                                                                               \
    INT(s3, parents) /* number of buckets of the level before */                                                       \
    INT(s4, pass)    /* counted from 1, for launches that merge pieces */                                              \
    INT(s5, range)   /* number of tiles that a group moves */

#define SAMPLE_SORT_SCRATCH(BUFFER) BUFFER(__global uchar, scratch)

/* comparison_sort_sample, comparison_sort_classify */
#define SAMPLE_SORT_LOOK(BUFFER)                                                                                       \
    ITEM_BUFFERS(BUFFER, in)                                                                                           \
    SAMPLE_SORT_SCRATCH(BUFFER)

/* comparison_sort_scatter, comparison_sort_bucket */
#define SAMPLE_SORT_MOVE(BUFFER)                                                                                       \
    ITEM_BUFFERS(BUFFER, in)                                                                                           \
    ITEM_BUFFERS(BUFFER, out)                                                                                          \
    SAMPLE_SORT_SCRATCH(BUFFER)

/* comparison_sort_join */
#define SAMPLE_SORT_JOIN(BUFFER)                                                                                       \
    ITEM_BUFFERS(BUFFER, out)                                                                                          \
    ITEM_BUFFERS(BUFFER, between)                                                                                      \
    SAMPLE_SORT_SCRATCH(BUFFER)

/* comparison_sort_pieces */
#define SAMPLE_SORT_PIECES(BUFFER)                                                                                     \
    ITEM_BUFFERS(BUFFER, in)                                                                                           \
    SAMPLE_SORT_JOIN(BUFFER)

KERNEL_ARGS(sample_sort_args, SAMPLE_SORT_NUMBERS, SAMPLE_SORT_PIECES)
KERNEL_LAUNCH(sample_sort_args, clprim__launch_sample_sort_look, SAMPLE_SORT_LOOK)
KERNEL_LAUNCH(sample_sort_args, clprim__launch_sample_sort_place, SAMPLE_SORT_SCRATCH)
KERNEL_LAUNCH(sample_sort_args, clprim__launch_sample_sort_move, SAMPLE_SORT_MOVE)
KERNEL_LAUNCH(sample_sort_args, clprim__launch_sample_sort_pieces, SAMPLE_SORT_PIECES)
KERNEL_LAUNCH(sample_sort_args, clprim__launch_sample_sort_join, SAMPLE_SORT_JOIN)

#endif
