// SPDX-License-Identifier: MIT
/* places.cl: where elements go: the selected ones, which are the first part of a partition; with THREE_WAY, the second
 * part; and the rest.
 *
 *   PARTS_HERE                           the outputs, which a kernel passes on from its arguments
 *   PREFIX_OF(v)                         for look_back.cl: the PREFIX that a VALUE counts
 *   FIRSTS_BEFORE(p), SECONDS_BEFORE(p)  how many elements of each part a PREFIX counts
 *
 * Parameters: OUTPUT; COUNT_TYPE, the type of the numbers that are written; PARTITION: where the rest goes (modes.h).
 * With REST_NOWHERE there is no second part, either. Only then can elements have values (PAYLOAD_SIZE). */
#include "select/modes.h"
#include "select/args.h"
#include "select/parts/keep.cl"

#if !defined(COUNT_TYPE) || !defined(PARTITION)
#error "COUNT_TYPE and PARTITION must be given"
#endif
#if THREE_WAY && PARTITION != REST_FOLLOWS && PARTITION != REST_SEPARATE
#error "the second part must follow the first one, or have an array of its own"
#endif
#if PAYLOAD_SIZE && PARTITION
#error "only where there is one part can its elements have values"
#endif

/* The outputs in a kernel's arguments. PARTS_HERE defines `parts`. */
typedef struct {
    __global OUTPUT *out;
    __global COUNT_TYPE *out_count;
    ulong room;
#if THREE_WAY
    __global COUNT_TYPE *second_count;
#endif
#if THREE_WAY && PARTITION == REST_SEPARATE
    __global OUTPUT *second;
    ulong second_room;
#endif
#if PARTITION == REST_SEPARATE
    __global OUTPUT *rest;
    __global COUNT_TYPE *rest_count;
    ulong rest_room;
#endif
} part_arrays;

#if THREE_WAY
#define SECOND_COUNT_HERE parts.second_count = second_count + args.second_count_offset;
#else
#define SECOND_COUNT_HERE
#endif
#if THREE_WAY && PARTITION == REST_SEPARATE
#define SECOND_HERE                                                                                                    \
    parts.second = second + args.second_offset;                                                                        \
    parts.second_room = args.second_room;
#else
#define SECOND_HERE
#endif
#if PARTITION == REST_SEPARATE
#define REST_HERE                                                                                                      \
    parts.rest = rest + args.rest_offset;                                                                              \
    parts.rest_count = rest_count + args.rest_count_offset;                                                            \
    parts.rest_room = args.rest_room;
#else
#define REST_HERE
#endif
#define PARTS_HERE                                                                                                     \
    part_arrays parts;                                                                                                 \
    parts.out = out + args.out_offset;                                                                                 \
    parts.out_count = out_count + args.out_count_offset;                                                               \
    parts.room = args.room;                                                                                            \
    SECOND_COUNT_HERE SECOND_HERE REST_HERE

/* Tiles count in 16 bits; look_back.cl sums in 32 bits, with a PREFIX. */
#if THREE_WAY
#define PREFIX                       uint2
#define PREFIX_NONE                  ((uint2)(0u, 0u))
#define PREFIX_THEN(a, b)            ((a) + (b))
#define PREFIX_REDUCE_REVERSED(pair) ((uint2)(subgroup_reduce_reversed((pair).x), subgroup_reduce_reversed((pair).y)))
#define PREFIX_OF(counted)           ((uint2)(FIRSTS(counted), SECONDS(counted)))
#define FIRSTS_BEFORE(prefix)        ((prefix).x)
#define SECONDS_BEFORE(prefix)       ((prefix).y)
#else
#define PREFIX_OF(counted)     (counted)
#define FIRSTS_BEFORE(prefix)  (prefix)
#define SECONDS_BEFORE(prefix) 0u
#endif

/* Whether each output has room for all elements. */
#define ALL_FIT   (PARTITION == REST_FOLLOWS || PARTITION == REST_REVERSED)
#define REST_STEP (PARTITION == REST_REVERSED ? -1l : 1l) /* distance from one element of the rest to the next */

/* How many elements the parts have, without the rest. */
typedef struct {
    ulong first, second;
} part_counts;

/* Where the next element of each part goes, and for how many elements of the part there is still room. Elements without
 * room are counted, but not written. */
typedef struct {
    __global OUTPUT *first, *second, *rest;
    ulong first_room, second_room, rest_room;
} part_places;

static inline void counts_add(part_counts *sum, VALUE counted)
{
    sum->first += FIRSTS(counted);
    sum->second += SECONDS(counted);
}

/* The beginnings of the parts. With ALL_FIT, `out` has room for n elements. all: the counts of n elements; only used
 * with REST_FOLLOWS. */
static inline part_places places_of(part_arrays parts, part_counts all, ulong n)
{
    part_places p;
    p.first_room = p.second_room = p.rest_room = parts.room;
    p.first = parts.out;
    p.second = parts.out + all.first;
    p.rest = p.second + all.second;
#if PARTITION == REST_REVERSED
    p.rest = parts.out + n - 1;
#elif PARTITION == REST_SEPARATE
    p.rest = parts.rest;
    p.rest_room = parts.rest_room;
#endif
#if THREE_WAY && PARTITION == REST_SEPARATE
    p.second = parts.second;
    p.second_room = parts.second_room;
#endif
    return p;
}

/* Advance past `elements` elements; `counts` of them are in the parts. */
static inline void places_advance(part_places *p, part_counts counts, ulong elements)
{
    const ulong rest = elements - counts.first - counts.second;
    p->first += counts.first;
    p->second += counts.second;
    p->rest += REST_STEP * (long)rest;
    p->first_room -= min(p->first_room, counts.first);
    p->second_room -= min(p->second_room, counts.second);
    p->rest_room -= min(p->rest_room, rest);
}

/* Write how many of all n elements are in each part. */
static inline void store_numbers(part_arrays parts, part_counts all, ulong n)
{
    *parts.out_count = (COUNT_TYPE)all.first;
#if THREE_WAY
    *parts.second_count = (COUNT_TYPE)all.second;
#endif
#if PARTITION == REST_SEPARATE
    *parts.rest_count = (COUNT_TYPE)(n - all.first - all.second);
#endif
}
