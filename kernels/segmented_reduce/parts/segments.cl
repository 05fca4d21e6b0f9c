// SPDX-License-Identifier: MIT
/* segments.cl: which elements belong to which segment, and how both are divided into equal shares.
 *
 * Segment s has the elements from offset s up to offset s + 1. Offsets beyond n count as n. Even with invalid offsets,
 * nothing is read or written out of bounds.
 *
 * The path is a list of all elements and all ends of segments: the end of a segment directly follows its last element.
 * Work-groups take equal, consecutive shares of the path, so no group has too many elements or too many (empty)
 * segments. The end of segment s is item path_end(s) of the path, which increases with s. The number of ends before
 * item d is the number of segments s with path_end(s) < d.
 *
 * Parameters: the operator's prelude; OFFSET, an unsigned integer type; GROUP_SIZE; PATH_ITEMS per work-item in a tile.
 * Shares are whole tiles.
 * Source: merge path (Green, McColl, Bader 2012), as in merge-based sparse products (Merrill and Garland 2016). */
#include "segmented_reduce/args.h"

#if !defined(OFFSET) || !defined(GROUP_SIZE) || !defined(PATH_ITEMS)
#error "OFFSET, GROUP_SIZE and PATH_ITEMS must be given"
#endif
#if !defined(OUTPUT) || !defined(FROM_INITIAL)
#error "the operator's prelude must come before"
#endif

#define PATH_TILE ((uint)GROUP_SIZE * PATH_ITEMS)

/* `all`: the segments of a kernel's arguments. */
#define SEGMENTS_HERE                                                                                                  \
    const segments_of all = {offsets + args.offsets_offset, (uint)args.segments, args.n,                               \
                             min((ulong)offsets[args.offsets_offset], args.n), out + args.out_offset};

typedef struct {
    const __global OFFSET *offsets;
    uint count;
    ulong n;
    ulong base; /* the beginning of the first segment */
    __global OUTPUT *out;
} segments_of;

/* A place on the path. The element there is base + item - segment. */
typedef struct {
    ulong item;
    ulong element; /* the next element */
    uint segment;  /* the segment that has this element, or ends here */
} path_place;

/* The beginning of segment s, which is the end of segment s - 1. s is at most the number of segments. */
static inline ulong segment_begin(const segments_of *all, uint s)
{
    return min((ulong)all->offsets[s], all->n);
}

static inline ulong path_end(const segments_of *all, uint s)
{
    return segment_begin(all, s + 1) - all->base + s;
}

static inline ulong path_length(const segments_of *all)
{
    const ulong end = segment_begin(all, all->count);
    return (end > all->base ? end - all->base : 0) + all->count;
}

/* The items of a group, from *begin up to but not including *end. Groups without items come last. */
static inline void path_share(const segments_of *all, uint group, ulong *begin, ulong *end)
{
    const ulong length = path_length(all);
    const ulong tiles = (length + PATH_TILE - 1) / PATH_TILE;
    const ulong groups = get_num_groups(0);
    const ulong share = (tiles + groups - 1) / groups * PATH_TILE;
    *begin = min(length, group * share);
    *end = min(length, *begin + share);
}

static inline path_place path_place_at(const segments_of *all, ulong item, uint segment)
{
    const path_place p = {item, all->base + item - segment, segment};
    return p;
}

/* The output of segment s, whose fold is x. is_empty: the segment has no elements. */
static inline OUTPUT segment_output_of(const segments_of *all, uint s, VALUE x, bool is_empty)
{
#ifdef INDEXED /* without elements the index stays 2^64 - 1 */
    x.index -= x.index != ~0ul ? segment_begin(all, s) : 0;
#endif
    return OUTPUT_OF(RESULT_OF(FROM_INITIAL(x, is_empty)), s);
}

/* The same, if it is not known whether there are elements; this matters only if a sum of floats is 0. */
static inline OUTPUT segment_output(const segments_of *all, uint s, VALUE x)
{
#if FLOAT_SUM
    const bool is_empty = x == 0 && segment_begin(all, s + 1) <= segment_begin(all, s);
#else
    const bool is_empty = false;
#endif
    return segment_output_of(all, s, x, is_empty);
}

/* The outputs if all segments are empty. No operator is called: arrays that its text reads may be empty, too. */
__kernel GROUP_OF(GROUP_SIZE) void segmented_reduce_nothing(ARGS_OF(SEGMENTED_REDUCE_ENDS))
{
    const segmented_reduce_args args = ARGS(SEGMENTED_REDUCE_NUMBERS);
    const ulong s = get_global_id(0);
    if (s < args.segments)
        out[args.out_offset + s] = OUTPUT_OF(RESULT_OF(INITIAL_OR_NOTHING), s);
}
