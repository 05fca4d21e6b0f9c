// SPDX-License-Identifier: MIT
/* splitters.h: cut each rank's sorted part so that every rank gets exactly its share of the whole. */
#ifndef CLPRIM_LIB_SPLITTERS_H
#define CLPRIM_LIB_SPLITTERS_H

#include "key_image.h"
#include "team.h"

enum { CLPRIM__SPLITTER_BINS = 256 /* bins per step of the selection */ };

/* A place in the sorted whole, and what is known about the key there. */
typedef struct clprim__splitter {
    uint64_t place; /* how many elements come before it */
    uint64_t below; /* how many elements of all ranks have lower images than `image` */
    uint64_t image; /* the digits of the key that are known, followed by zeros */
    size_t begin;   /* this rank's elements with these digits */
    size_t end;
} clprim__splitter;

/* The memory that clprim__split needs for each rank, in bytes. */
enum { CLPRIM__SPLIT_SIZE = sizeof(clprim__splitter) + CLPRIM__SPLITTER_BINS * sizeof(uint64_t) };

/* Compute cuts[0 .. size] of this rank: rank r gets keys[cuts[r]] up to keys[cuts[r + 1]], in the order by key, then
 * rank, then position. The keys are sorted, and the ranks' room adds up to the number of elements. This is a radix
 * selection for all places at once, from the highest digit of the images: histograms of the digits are summed over all
 * ranks. Among equal keys, those of lower ranks come first. Ranks agree before the call, so it fails only if
 * communication fails. memory: CLPRIM__SPLIT_SIZE bytes per rank. */
clprim_status clprim__split(clprim__team *team, uint64_t *cuts, const clprim__key_image *image, const void *keys,
                            size_t count, void *memory);

#endif
