/* splitters.h: where each rank cuts its sorted part, so that every rank gets exactly its share of the whole. */
#ifndef CLPRIM_LIB_SPLITTERS_H
#define CLPRIM_LIB_SPLITTERS_H

#include "key_image.h"
#include "team.h"

enum { CLPRIM__SPLITTER_BINS = 256 /* the bins of one step of the selection */ };

/* A position in the whole order, and what is known about the key there. */
typedef struct clprim__splitter {
    uint64_t place; /* how many elements come before it */
    uint64_t below; /* how many of all elements have lesser images than `image` */
    uint64_t image; /* the digits of the key that have been found, then zeros */
    size_t begin;   /* the elements of this rank with these digits */
    size_t end;
} clprim__splitter;

/* Bytes of memory that clprim__split takes for each rank. */
enum { CLPRIM__SPLIT_SIZE = sizeof(clprim__splitter) + CLPRIM__SPLITTER_BINS * sizeof(uint64_t) };

/* cuts[0 .. size], of this rank: from keys[cuts[r]] up to keys[cuts[r + 1]] is what rank r gets, in an order by key,
 * then rank, then place. The keys are sorted; the room of all ranks is as many elements as there are. A selection on
 * the digits of the images, from the highest on, of all places at once: histograms of the digits are added up over
 * all ranks. Of equal keys the lower ranks' come first. Ranks agree before it: it fails only where communication
 * does. memory: CLPRIM__SPLIT_SIZE bytes per rank. */
clprim_status clprim__split(clprim__team *team, uint64_t *cuts, const clprim__key_image *image, const void *keys,
                            size_t count, void *memory);

#endif
