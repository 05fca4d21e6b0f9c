// SPDX-License-Identifier: MIT
/* splitters.h: cut each rank's sorted arrays so that every rank gets exactly its share of the whole. */
#ifndef CLPRIM_LIB_SPLITTERS_H
#define CLPRIM_LIB_SPLITTERS_H

#include "key_image.h"
#include "team.h"

enum {
    CLPRIM__SPLITTER_BINS = 256 /* bins per step of the selection */,
    CLPRIM__SPLIT_ARRAYS = 2 /* sorted arrays of a rank, at most */
};

/* A place in the sorted whole, and what is known about the key there. */
typedef struct clprim__splitter {
    uint64_t place;                     /* how many elements come before it */
    uint64_t below;                     /* how many elements of all ranks have lower images than `image` */
    uint64_t image;                     /* the digits of the key that are known, followed by zeros */
    size_t begin[CLPRIM__SPLIT_ARRAYS]; /* this rank's elements with these digits */
    size_t end[CLPRIM__SPLIT_ARRAYS];
} clprim__splitter;

/* The memory that clprim__split needs for each rank, in bytes. */
enum { CLPRIM__SPLIT_SIZE = sizeof(clprim__splitter) + CLPRIM__SPLITTER_BINS * sizeof(uint64_t) };

/* The sorted arrays of this rank: one, or this rank's pieces of two sorted arrays. */
typedef struct clprim__sorted {
    clprim__key_image image;
    size_t num_arrays;
    const void *keys[CLPRIM__SPLIT_ARRAYS];
    size_t counts[CLPRIM__SPLIT_ARRAYS];
    /* Each equal key of one array has a partner in the other one, as long as there are any: a cut leaves no pair apart.
     * For that, a rank may get one element more or less than it passed. Otherwise it gets as many as it has room for. */
    bool keeps_pairs;
} clprim__sorted;

/* Compute cuts[k][0 .. size] of this rank: rank r gets keys[k][cuts[k][r]] up to keys[k][cuts[k][r + 1]], in the order
 * by key, then array, then rank, then position. The ranks' room adds up to the number of elements. This is a radix
 * selection for all places at once, from the highest digit of the images: histograms of the digits are summed over all
 * ranks. Keys that are not sorted, or not in the order of the ranks, are cut somewhere. Ranks agree before the call, so it
 * fails only if communication fails. memory: CLPRIM__SPLIT_SIZE bytes per rank. */
clprim_status clprim__split(clprim__team *team, uint64_t *const *cuts, const clprim__sorted *sorted, void *memory);

/* The lengths of the slices that this rank sends to each rank by these cuts, and of those that it receives. */
clprim_status clprim__split_lengths(clprim__team *team, uint64_t *out, uint64_t *in, const uint64_t *cuts);

/* Send each rank its slice of an array with elements of this size. */
clprim_status clprim__split_exchange(clprim__team *team, const void *mine, void *received, size_t size_of,
                                     const uint64_t *out, const uint64_t *in);

#endif
