// SPDX-License-Identifier: MIT
/* segmented_reduce_tiles: each work-group folds a share of the path (segments.cl), tile by tile. In a tile, each
 * work-item has PATH_ITEMS consecutive items, however many ends of segments are among them. If no segment ends within a
 * tile, the group folds all elements up to the next end straight from memory.
 *
 * At the end of its share, a group publishes its carry: the fold of the elements after its last end. If a segment began
 * in an earlier group, the carries of the groups before it are added. With LOOKS_BACK, the group that has the segment's
 * end does this by looking back over them; otherwise the group that ends last does (join.cl).
 *
 * Parameters: the operator's prelude; GROUP_SIZE, a power of two; PATH_ITEMS; LOADS, packets that a work-item has in
 * flight; LOOKS_BACK, which requires forward progress; STAGED, whether outputs are collected in local memory, so that
 * neighbouring work-items write neighbouring outputs. */
#include "common/lanes.cl"
#include "common/kernel.h"
#include "common/device_scope.cl"
#include "clprim/device/look_back.h"
#include "segmented_reduce/args.h"
#include "segmented_reduce/parts/segments.cl"
#include "segmented_reduce/parts/carry.cl"
#include "segmented_reduce/parts/join.cl"
#include "segmented_reduce/parts/run.cl"

#if !defined(LOADS) || !defined(LOOKS_BACK) || !defined(STAGED)
#error "LOADS, LOOKS_BACK and STAGED must be given"
#endif

/* An item of the tile. The elements come first, then the ends. Outputs replace the ends. */
typedef union {
    ELEMENT element;
    uint end; /* the number of the tile's elements before it */
#if STAGED
    OUTPUT output;
#endif
} tile_slot;

typedef struct {
    tile_slot slots[PATH_TILE];
    clprim__carry_memory places;
    VALUE first;   /* as in group_record */
    uint found[2]; /* ends before the beginning of the next tile, and before its end */
    uint number;   /* the group's ticket; or whether it ends last */
} local_parts;

/* What a group knows about its share. All work-items have the same values. */
typedef struct {
    path_place at; /* the next item */
    ulong end;     /* the item after the share */
    uint ahead;    /* the segment at the end of the next tile */
    VALUE carry; /* of the elements after the last end: if the operator is commutative, those of a tile's rest and a run
                  * at most */
    bool began_before;  /* an earlier group has elements of the segment at.segment */
    uint first_segment; /* the segment to which local_parts.first belongs; NOT_DIVIDED; or NO_END */
} share_state;

static inline ulong tile_end(const share_state *share)
{
    return min(share->end, share->at.item + PATH_TILE);
}

/* The first segment in low .. high whose end is item `item` or a later one. All lanes of the sub-group take part. */
static inline uint path_search(const segments_of *all, ulong item, ulong low, ulong high)
{
    uint begin = (uint)min(low, (ulong)all->count);
    uint end = (uint)min(high, (ulong)all->count);
    LANES_NARROW(uint, begin, end, tried, path_end(all, tried) < item)
    return begin;
}

/* The segment at the end of the next tile. Even with invalid offsets, a tile has at most as many ends as items. */
static inline uint path_ahead(const segments_of *all, const share_state *share)
{
    const ulong stop = tile_end(share);
    return path_search(all, stop, share->at.segment, share->at.segment + (stop - share->at.item));
}

/* Segment s has ended, and x is the fold of its elements in this group. Called by one work-item. */
static inline void store_end(const segments_of *all, const share_state *share, __local local_parts *local_of, uint s,
                             VALUE x)
{
    if (share->began_before)
        local_of->first = x;
    else
        all->out[s] = segment_output(all, s, x);
}

static inline void note_ends(share_state *share, uint s)
{
    if (share->first_segment == NO_END)
        share->first_segment = share->began_before ? s : NOT_DIVIDED;
    share->began_before = false;
}

#if COMMUTATIVE
/* Take all elements up to the next end, and this end, as far as they are in the share. */
ALWAYS_INLINE void take_run(share_state *share, const segments_of *all, const __global ELEMENT *in,
                            __local local_parts *local_of)
{
    const uint s = share->at.segment;
    const ulong begin = share->at.element;
    const ulong last = segment_begin(all, s + 1);
    const ulong stop = max(begin, min(last, begin + (share->end - share->at.item)));
    const ulong next_end = s + 1 < all->count ? path_end(all, s + 1) : ~0ul; /* loaded while the elements are */
    const carried mine = {fold_run(in, begin, stop), 0};
    carried total;
    (void)clprim__carry_exclusive(mine, &total, &local_of->places);
    share->carry = COMBINE(share->carry, total.x);
    const ulong item = share->at.item + (stop - begin);
    const bool ends = item < share->end;
    if (ends) {
        if (get_local_id(0) == 0)
            store_end(all, share, local_of, s, share->carry);
        note_ends(share, s);
        share->carry = IDENTITY;
    }
    share->at = path_place_at(all, item + ends, s + ends);
    const bool is_next_long = !ends || next_end >= tile_end(share); /* then no search is needed */
    if (!is_next_long && SEARCHER == 0) {
        const uint found = path_ahead(all, share);
        if (LANE == 0)
            local_of->found[0] = found; /* take_tile has the other one: it writes there before its first barrier */
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for what was found; all are done with `places` */
    share->ahead = is_next_long ? share->at.segment : local_of->found[0];
}
#endif

#define ENDS_AT_ONCE 4 /* loads of ends that a work-item has in flight */

/* How many of the tile's elements, the first of which is element `first`, are before an offset. */
static inline uint tile_place(const segments_of *all, ulong first, uint elements, ulong offset)
{
    return (uint)(clamp(min(offset, all->n), first, first + elements) - first);
}

/* How many of the tile's first `items` items are ends. */
static inline uint ends_before(const __local tile_slot *slots, uint elements, uint ends, uint items)
{
    uint low = items > elements ? items - elements : 0;
    uint high = min(items, ends);
    while (low < high) {
        const uint tried = (low + high) / 2;
        if (slots[elements + tried].end + tried < items)
            low = tried + 1;
        else
            high = tried;
    }
    return low;
}

/* Take the next tile. While its elements are being loaded, the first sub-group searches for the end of the tile after
 * it. */
ALWAYS_INLINE void take_tile(share_state *share, const segments_of *all, const __global ELEMENT *in,
                             __local local_parts *local_of)
{
    __local tile_slot *slots = local_of->slots;
    const uint lid = (uint)get_local_id(0);
    const path_place at = share->at;
    const ulong stop = tile_end(share);
    const uint ends = share->ahead - at.segment;
    /* Limited by n, because invalid offsets may lead beyond the array. */
    const uint elements = (uint)min(stop - at.item - ends, all->n - min(all->n, at.element));
    /* Loads are at constant distances from these, which saves registers for further addresses. */
    const ulong first_element = at.element + lid;
    const __global OFFSET *first_offset = all->offsets + at.segment + lid + 1;
    __local tile_slot *own = slots + lid;
    __local tile_slot *own_ends = own + elements;
    ELEMENT loaded[PATH_ITEMS];
#pragma unroll
    for (uint j = 0; j < PATH_ITEMS; j++)
        if (j * GROUP_SIZE + lid < elements)
            loaded[j] = ELEMENT_AT(in, first_element + j * GROUP_SIZE);
    for (uint k = 0; k * GROUP_SIZE < ends; k += ENDS_AT_ONCE) {
        OFFSET offsets[ENDS_AT_ONCE];
#pragma unroll
        for (uint j = 0; j < ENDS_AT_ONCE; j++)
            if ((k + j) * GROUP_SIZE + lid < ends)
                offsets[j] = first_offset[k * GROUP_SIZE + j * GROUP_SIZE];
#pragma unroll
        for (uint j = 0; j < ENDS_AT_ONCE; j++)
            if ((k + j) * GROUP_SIZE + lid < ends)
                own_ends[k * GROUP_SIZE + j * GROUP_SIZE].end = tile_place(all, at.element, elements, offsets[j]);
    }
    share->at = path_place_at(all, stop, share->ahead);
    if (SEARCHER == 0) {
        const uint found = path_ahead(all, share);
        if (LANE == 0)
            local_of->found[1] = found;
    }
#pragma unroll
    for (uint j = 0; j < PATH_ITEMS; j++)
        if (j * GROUP_SIZE + lid < elements)
            own[j * GROUP_SIZE].element = loaded[j];
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the items and for what was found */
    share->ahead = local_of->found[1];

    const uint items = elements + ends;
    const uint begin = min(lid * PATH_ITEMS, items);
    const uint first_end = ends_before(slots, elements, ends, begin);
    uint e = begin - first_end;
    uint r = first_end;
    /* A work-item reads its own ends and at most one more: the first end of a later work-item, which replaces it by its
     * output only after the next barrier. */
    uint next = r < ends ? slots[elements + r].end : ~0u;
    /* Where the current segment begins: it is empty if it ends there, too. The tile's first segment may begin in
     * another tile. */
    uint start = r > 0 ? slots[elements + r - 1].end : ~0u;
    carried mine = carried_nothing();
    VALUE first = IDENTITY;
    bool is_first_empty = false;
#if STAGED
    barrier(CLK_LOCAL_MEM_FENCE); /* all have found their first ends, before outputs replace ends */
#endif
    for (uint k = 0; k < PATH_ITEMS; k++) {
        if (begin + k >= items)
            break;
        if (e < next) {
            mine.x = COMBINE(mine.x, VALUE_AT(slots[e].element, at.element + e));
            e++;
        } else {
            const bool is_empty = e == start;
            if (mine.ended) {
                const OUTPUT output = segment_output_of(all, at.segment + r, mine.x, is_empty);
#if STAGED
                slots[elements + r].output = output;
#else
                all->out[at.segment + r] = output;
#endif
            } else {
                first = mine.x;
                is_first_empty = is_empty;
            }
            start = e;
            mine.ended = 1;
            r++;
            next = r < ends ? slots[elements + r].end : ~0u;
            mine.x = IDENTITY;
        }
    }
    carried total;
    carried before = {share->carry, 0};
    before = carried_then(before, clprim__carry_exclusive(mine, &total, &local_of->places));
    if (mine.ended) {
        first = COMBINE(before.x, first);
#if STAGED
        if (first_end > 0)
            slots[elements + first_end].output = segment_output_of(all, at.segment + first_end, first, is_first_empty);
        else if (!share->began_before)
            slots[elements].output = segment_output(all, at.segment, first);
        else
            local_of->first = first;
#else
        if (first_end > 0)
            all->out[at.segment + first_end] = segment_output_of(all, at.segment + first_end, first, is_first_empty);
        else
            store_end(all, share, local_of, at.segment, first);
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the outputs; all are done with `places` and `found` */
#if STAGED
    for (uint i = lid + (lid == 0 && share->began_before ? GROUP_SIZE : 0); i < ends; i += GROUP_SIZE)
        all->out[at.segment + i] = slots[elements + i].output;
    barrier(CLK_LOCAL_MEM_FENCE); /* the slots may be filled again */
#endif
    share->carry = COMBINE(share->carry, total.x);
    if (total.ended)
        share->carry = total.x;
    if (ends > 0)
        note_ends(share, at.segment);
}

#if LOOKS_BACK
CLPRIM__DEFINE_TILE_WORDS(clprim__carries, clprim__carries, VALUE)

/* The fold of the carries of earlier groups, back to the last group that has an end. Usually this is the previous
 * group, which is read first; then as many at a time as there are work-items. */
ALWAYS_INLINE VALUE fold_before(__global ulong *state, uint epoch, uint group, __local local_parts *local_of)
{
    carried sum = carried_nothing();
    uint end = group;
    for (uint window = 1; end > 0 && !sum.ended; window = GROUP_SIZE) {
        const uint begin = end - min(end, window);
        const uint g = begin + (uint)get_local_id(0);
        carried theirs = carried_nothing();
        carried total;
        if (g < end) {
            uint kind = 0;
            while (kind == 0)
                kind = clprim__carries_load(state, epoch, g, &theirs.x);
            theirs.ended = kind == CLPRIM__PREFIX;
        }
        (void)clprim__carry_exclusive(theirs, &total, &local_of->places);
        sum = carried_then(total, sum);
        end = begin;
        barrier(CLK_LOCAL_MEM_FENCE); /* all are done with `places` */
    }
    return sum.x;
}
#endif

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void segmented_reduce_tiles(ARGS_OF(SEGMENTED_REDUCE_FOLD))
{
    const segmented_reduce_args args = ARGS(SEGMENTED_REDUCE_NUMBERS);
    __local local_parts local_of;
    SEGMENTS_HERE
#if LOOKS_BACK
    __global ulong *const state = (__global ulong *)memory;
    const uint epoch = args.epoch;
    const uint group = clprim__draw_ticket((volatile __global uint *)state, (uint)get_num_groups(0), &local_of.number);
#else
    const uint group = (uint)get_group_id(0);
#endif
    share_state share;
    ulong item;
    path_share(&all, group, &item, &share.end);
    for (uint k = SEARCHER; k < 2; k += SEARCHERS) { /* the beginning and the end of the first tile */
        const ulong d = k == 0 ? item : min(share.end, item + PATH_TILE);
        const uint found = path_search(&all, d, 0, d);
        if (LANE == 0)
            local_of.found[k] = found;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for what was found */
    share.at = path_place_at(&all, item, local_of.found[0]);
    share.ahead = clamp(local_of.found[1], share.at.segment,
                        (uint)min((ulong)all.count, share.at.segment + (tile_end(&share) - item)));
    share.carry = IDENTITY;
    share.began_before =
        item < share.end && share.at.segment < all.count && share.at.element > segment_begin(&all, share.at.segment);
    share.first_segment = NO_END;
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read it */

    while (share.at.item < share.end && share.at.segment < all.count) {
#if COMMUTATIVE
        if (share.ahead == share.at.segment)
            take_run(&share, &all, in + args.in_offset, &local_of);
        else
#endif
            take_tile(&share, &all, in + args.in_offset, &local_of);
    }

#if LOOKS_BACK
    const uint lid = (uint)get_local_id(0);
    const bool has_ended = share.first_segment != NO_END;
    if (lid == 0)
        clprim__carries_store(state, epoch, group, share.carry, has_ended ? CLPRIM__PREFIX : CLPRIM__TOTAL);
    if (share.first_segment < NOT_DIVIDED) {
        const VALUE before = fold_before(state, epoch, group, &local_of);
        if (lid == 0)
            all.out[share.first_segment] = segment_output(&all, share.first_segment, COMBINE(before, local_of.first));
    }
#else
    if (get_num_groups(0) > 1) {
        const group_record own = {share.first_segment, share.first_segment < NOT_DIVIDED ? local_of.first : IDENTITY,
                                  share.carry};
        join(&all, memory, own, args.range_log >> 31, &local_of.places, &local_of.number);
    }
#endif
}

#include "segmented_reduce/whole.cl"
