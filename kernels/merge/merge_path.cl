// SPDX-License-Identifier: MIT
/* merge_path: each work-group merges its own share of the output. The diagonal at which the share begins determines
 * which elements of a and b these are: of all pairs of places whose sum is the beginning of the share, the merge's path
 * crosses one. The group searches it together. The end of the share follows from the merge itself.
 *
 * A tile of each range is in a ring in local memory. The group merges one tile of the output at a time: each work-item
 * finds its own diagonal, and merges ITEMS elements into registers. That frees exactly one tile of places in the rings.
 * The output is arranged there, so that adjacent work-items store adjacent elements; then the next elements of a and b
 * are loaded there. So every element is read once.
 *
 * Even if the ranges are not sorted, nothing is read or written out of bounds. Source: Green, McColl, Bader
 * 2012 (merge path); Odeh, Green, Mwassi, Shmueli, Birk 2012 (rings).
 * Parameters: ITEMS per work-item. */
#include "common/items.cl"
#include "merge/args.h"
#include "merge/parts/merged.cl"

#ifndef ITEMS
#error "ITEMS must be given"
#endif

#define TILE (GROUP_SIZE * ITEMS)

/* The state of the group: for each range, the position of the first element in its ring, and the number of elements in
 * local memory. */
typedef struct {
    uint a_first, a_held;
    uint b_first, b_held;
} rings;

ALWAYS_INLINE uint around(uint i)
{
    return i >= TILE ? i - TILE : i;
}

ALWAYS_INLINE uint a_slot(rings r, uint i)
{
    return around(r.a_first + i);
}

ALWAYS_INLINE uint b_slot(rings r, uint i)
{
    return TILE + around(r.b_first + i);
}

/* The position of element i of the tile's output, if a_taken of the tile's elements came from a. */
ALWAYS_INLINE uint out_slot(rings r, uint i, uint a_taken)
{
    return i < a_taken ? a_slot(r, i) : b_slot(r, i - a_taken);
}

/* How many of the first `place` elements of the output come from a: as many as possible, because among equal elements
 * those of a come first. In each round, every work-item tests one place. */
ALWAYS_INLINE INDEX group_split(array a, INDEX a_count, array b, INDEX b_count, INDEX place, __local uint *shared)
{
    const uint lid = (uint)get_local_id(0);
    INDEX begin = place > b_count ? place - b_count : 0;
    INDEX end = min(place, a_count);
    while (begin < end) {
        const INDEX stride = max((end - begin) / (GROUP_SIZE + 1), (INDEX)1);
        const uint probes = (uint)min((end - begin) / stride, (INDEX)GROUP_SIZE);
        if (lid == 0)
            *shared = 0;
        barrier(CLK_LOCAL_MEM_FENCE); /* `shared` is reset */
        if (lid < probes) {
            const INDEX i = begin + (lid + 1) * stride - 1;
            if (!before(load(b, place - 1 - i), load(a, i)))
                (void)atomic_max(shared, lid + 1);
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* it is known how many of the places are before the diagonal */
        const uint found = *shared;
        barrier(CLK_LOCAL_MEM_FENCE); /* all work-items have read it */
        end = found < probes ? begin + (found + 1) * stride - 1 : end;
        begin += found * stride;
    }
    return begin;
}

/* The same among the elements in local memory. */
ALWAYS_INLINE uint item_split(local_array tile, rings r, uint place)
{
    uint begin = place > r.b_held ? place - r.b_held : 0;
    uint end = min(place, r.a_held);
    while (begin < end) {
        const uint middle = (begin + end) / 2;
        if (before(local_load(tile, b_slot(r, place - 1 - middle)), local_load(tile, a_slot(r, middle))))
            end = middle;
        else
            begin = middle + 1;
    }
    return begin;
}

/* Merge elements place .. place + ITEMS - 1 of the output, as far as there are `valid` ones. Returns how many elements
 * up to there come from a. */
ALWAYS_INLINE uint item_merge(item *x, local_array tile, rings r, uint place, uint valid)
{
    uint i = item_split(tile, r, place);
    uint k = place - i;
    item next_a = local_load(tile, a_slot(r, i));
    item next_b = local_load(tile, b_slot(r, k));
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        /* elements that do not exist must not be compared: the caller's order may not support them */
        const bool from_b = i >= r.a_held || (k < r.b_held && before(next_b, next_a));
        x[j] = pick(from_b, next_b, next_a);
        if (place + j < valid) {
            i += from_b ? 0 : 1;
            k += from_b ? 1 : 0;
        }
        const item next = local_load(tile, from_b ? b_slot(r, k) : a_slot(r, i));
        next_a = pick(from_b, next_a, next);
        next_b = pick(from_b, next, next_b);
    }
    return i;
}

__kernel GROUP_OF(GROUP_SIZE) void merge_path(ARGS_OF(MERGE_ARRAYS))
{
    const merge_args args = ARGS(MERGE_NUMBERS);
    LOCAL_ARRAY(tile, 2 * TILE);
    __local uint shared;
    HEED_COUNTS
    const ulong share = args.share;
    const uint lid = (uint)get_local_id(0);
    const array from_a = ARRAY_OF(a);
    const array from_b = ARRAY_OF(b);
    const array to = ARRAY_OF(out);
    const INDEX begin = (INDEX)(get_group_id(0) * share);
    const INDEX end = (INDEX)min(begin + share, a_count + b_count);
    INDEX a_next = group_split(from_a, (INDEX)a_count, from_b, (INDEX)b_count, begin, &shared);
    INDEX b_next = begin - a_next;
    rings r = {0, 0, 0, 0};
    for (INDEX done = begin; done < end;) {
        const uint valid = (uint)min((INDEX)TILE, end - done);
        const uint a_more = (uint)min((INDEX)(max(valid, r.a_held) - r.a_held), (INDEX)a_count - a_next);
        const uint b_more = (uint)min((INDEX)(max(valid, r.b_held) - r.b_held), (INDEX)b_count - b_next);
        for (uint i = lid; i < a_more; i += GROUP_SIZE)
            local_store(tile, a_slot(r, r.a_held + i), load(from_a, a_next + i));
        for (uint i = lid; i < b_more; i += GROUP_SIZE)
            local_store(tile, b_slot(r, r.b_held + i), load(from_b, b_next + i));
        a_next += a_more;
        b_next += b_more;
        r.a_held += a_more;
        r.b_held += b_more;
        barrier(CLK_LOCAL_MEM_FENCE); /* the rings are loaded */
        item x[ITEMS];
        const uint place = min(lid * ITEMS, valid);
        const uint taken = item_merge(x, tile, r, place, valid);
        if (lid == GROUP_SIZE - 1)
            shared = taken;
        barrier(CLK_LOCAL_MEM_FENCE); /* all elements are merged, and a's among them counted */
        const uint a_taken = shared;
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            if (place + j < valid)
                local_store(tile, out_slot(r, place + j, a_taken), x[j]);
        barrier(CLK_LOCAL_MEM_FENCE); /* the output is in its order */
        for (uint i = lid; i < valid; i += GROUP_SIZE)
            store(to, done + i, local_load(tile, out_slot(r, i, a_taken)));
        r = (rings){around(r.a_first + a_taken), r.a_held - a_taken, around(r.b_first + valid - a_taken),
                    r.b_held - (valid - a_taken)};
        done += valid;
        barrier(CLK_LOCAL_MEM_FENCE); /* all is stored, so the places are free */
    }
}
