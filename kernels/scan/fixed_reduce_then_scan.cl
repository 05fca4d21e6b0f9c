// SPDX-License-Identifier: MIT
/* scan_fixed_reduce_then_scan: computes the same bits as scan_fixed_tree, in one or two launches. No group waits for
 * another one.
 *
 * A group has a chunk of 2^args.level tiles, at least one block. The chunk is a subtree of a block of level 1, or the
 * whole block. scan_fixed_folds folds each chunk except the last one. A group of scan_fixed_tiles finds the prefix of
 * its chunk from the folds of all earlier chunks, and scans the chunk tile by tile. The folds of a tile's packets are
 * up-swept in local memory. The folds of consecutive tiles are combined as a binary counter carries.
 *
 * If there are at most LEAVES tiles, of at least one block each, a second launch would take longer than what it saves.
 * Then scan_fixed_once does both: a group folds its tile, publishes the fold, and looks for those of all earlier tiles. It
 * computes itself what is still missing after a number of looks. It must not be in place: it reads tiles whose groups may
 * have stored results.
 *
 * Why: it makes the additions of fixed_tree without waiting for other groups, and so reads the array twice.
 * Parameters: the operator's prelude; GROUP_SIZE and ITEMS packets per work-item, powers of two; BLOCK 512;
 * CLPRIM_LOOK_BACK_LOOKS. `work` holds one VALUE per chunk, its fold.
 * Source: the tree of Blelloch 1990; two passes after Merrill and Grimshaw 2009; one after Smith, Levien and Owens
 * 2025. */
#include "scan/args.h"
#include "scan/modes.h"
#include "scan/parts/elements.cl"
#include "common/packet.cl"
#include "common/subgroup.cl"
#include "common/tile_scan.cl"
#include "common/tile_load.cl"
#include "scan/parts/marks.cl"
#include "scan/parts/tile.cl"
#include "scan/parts/fixed_packets.cl"
#include "clprim/device/look_back.h"

#if (GROUP_SIZE & (GROUP_SIZE - 1)) || (ITEMS & (ITEMS - 1))
#error "GROUP_SIZE and ITEMS must be powers of two"
#endif
#if GROUP_SIZE * ITEMS * PACK > BLOCK * BLOCK
#error "a tile must not be larger than a block of level 1"
#endif

#define LEAVES        (GROUP_SIZE * ITEMS) /* packets of a tile */
#define BLOCK_LEAVES  (BLOCK / PACK)
#define COUNTER_BITS  32
#define LEAF_PLACE(i) ((i) + (i) / 32) /* skips a place after every 32: no bank conflicts at any distance */

/* Tiles of a block, which may be smaller than a tile, and tiles of a block of level 1. */
#define BLOCK_TILES  (LEAVES < BLOCK_LEAVES ? BLOCK_LEAVES / LEAVES : 1)
#define SQUARE_TILES (BLOCK * BLOCK_LEAVES / LEAVES)

/* From one packet of a work-item to its next one. */
#define PACKET_STEP (tile_packet(1) - tile_packet(0))

/* Local memory of a group. */
typedef struct {
    VALUE leaves[LEAF_PLACE(LEAVES - 1) + 1];
    VALUE counter[COUNTER_BITS]; /* [b]: the fold of the last 2^b values that began at a multiple of 2^(b + 1) */
} fixed_memory;

/* Up-sweep the leaves, two levels at a time. All work-items have written their leaves. */
ALWAYS_INLINE void leaves_up_sweep(__local fixed_memory *m)
{
    for (uint d = 1; d < LEAVES; d *= 4) {
        barrier(CLK_LOCAL_MEM_FENCE); /* wait for the levels below */
        for (uint p = (uint)get_local_id(0); 4 * d * p < LEAVES; p += GROUP_SIZE) {
            const uint end = 4 * d * p + d - 1; /* of the first of four subtrees */
            const VALUE left = COMBINE(m->leaves[LEAF_PLACE(end)], m->leaves[LEAF_PLACE(end + d)]);
            m->leaves[LEAF_PLACE(end + d)] = left;
            if (2 * d < LEAVES)
                m->leaves[LEAF_PLACE(end + 3 * d)] =
                    COMBINE(left, COMBINE(m->leaves[LEAF_PLACE(end + 2 * d)], m->leaves[LEAF_PLACE(end + 3 * d)]));
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for all levels */
}

/* Combines `before` with the subtrees of d leaves that the prefix of the work-item's j-th packet needs, for d from
 * `most` down to `least`. The packets of a work-item are PACKET_STEP apart: j * PACKET_STEP has no bit in common with
 * the first one. */
ALWAYS_INLINE VALUE leaves_prefix(VALUE before, const __local fixed_memory *m, uint j, const uint most,
                                  const uint least)
{
    const uint first = tile_packet(0);
    const uint more = j * PACKET_STEP;
#pragma unroll
    for (uint d = most; d >= least; d /= 2) {
        /* a sum, so that the first term is computed once for all packets */
        const VALUE x = m->leaves[LEAF_PLACE(SUBTREE_END(first, d)) + LEAF_PLACE(more & ~(2 * d - 1))];
        if ((first | more) & d)
            before = COMBINE(before, x);
    }
    return before;
}

/* Count the up-swept leaves as value number i: add their fold to the counter. Called by one work-item. */
static inline void counter_add(__local fixed_memory *m, uint i)
{
    VALUE x = m->leaves[LEAF_PLACE(LEAVES - 1)];
    uint b = 0;
    for (; i >> b & 1; b++)
        x = COMBINE(m->counter[b], x);
    m->counter[b] = x;
}

/* The same as leaves_prefix, for value number i of the counter. */
static inline VALUE counter_prefix(VALUE before, const __local fixed_memory *m, uint i, uint most, uint least)
{
    for (uint d = most; d >= least; d /= 2)
        if (i & d)
            before = COMBINE(before, m->counter[popcount(d - 1)]);
    return before;
}

/* The tiles of a chunk that have elements, from *tile up to but not including *end. */
static inline void fixed_tiles(uint *tile, uint *end, uint chunk, uint level, ulong n)
{
    const uint tiles = (uint)((n + TILE - 1) / TILE);
    *tile = min(tiles, chunk << level);
    *end = min(tiles, (chunk + 1) << level);
}

/* Tiles begin at multiples of TILE elements, as blocks do, and not at the array's alignment. */
static inline tile_range fixed_range(const __global ELEMENT *in, ulong n, uint tile)
{
    tile_range t;
    t.first = (long)tile * TILE;
    t.is_whole = (ulong)t.first + TILE <= n && PACKET_SHIFT(in) == 0;
    return t;
}

ALWAYS_INLINE void packet_folds(__local fixed_memory *m, const tile_elements *e, tile_range t, bool is_whole, ulong n)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        VALUE x[PACK];
        packet_up_sweep(x, e, t, j, is_whole, n);
        m->leaves[LEAF_PLACE(tile_packet(j))] = x[PACK - 1];
    }
}

ALWAYS_INLINE void tile_up_sweep(__local fixed_memory *m, const tile_elements *e, tile_range t, ulong n)
{
    if (t.is_whole)
        packet_folds(m, e, t, true, n);
    else
        packet_folds(m, e, t, false, n);
    leaves_up_sweep(m);
}

/* Groups take the chunks in descending order, because scan_fixed_tiles begins with the first ones: what was read last
 * may still be cached. */
__kernel LIMITED_GROUP_OF(GROUP_SIZE) void scan_fixed_folds(ARGS_OF(SCAN_READ))
{
    const scan_args args = ARGS(SCAN_NUMBERS);
    __local fixed_memory memory;
    MARKS_HERE(TILE)
    SEGMENTS_HERE
    const ulong n = CALL_COUNT_0(args.n);
    const uint chunk = (uint)(get_num_groups(0) - 1 - get_group_id(0));
    uint tile;
    uint end;
    in += args.in_offset;
    fixed_tiles(&tile, &end, chunk, args.level, n);
    const bool is_whole = end - tile == 1u << args.level; /* otherwise it is the last chunk, whose fold is not needed */
    for (uint i = 0; tile + i < end; i++) {
        tile_elements e;
        const tile_range t = fixed_range(in, n, tile + i);
        tile_read(&e, t, in, n, segments MARKS_ARGUMENT);
        barrier(CLK_LOCAL_MEM_FENCE); /* all are done with local memory */
        tile_up_sweep(&memory, &e, t, n);
        if (get_local_id(0) == 0)
            counter_add(&memory, i);
    }
    if (get_local_id(0) == 0)
        work[chunk] = is_whole ? memory.counter[args.level] : IDENTITY;
}

/* The prefix of a chunk in a block of `block` chunks, whose values are the folds of `one` chunk each. */
static inline VALUE chunk_prefix(const __local fixed_memory *m, uint chunk, ulong block, ulong one)
{
    VALUE x = IDENTITY;
    for (ulong d = block / 2; d >= one; d /= 2) {
        if ((chunk & d) && d < LEAVES)
            x = COMBINE(x, m->leaves[LEAF_PLACE(SUBTREE_END(chunk % LEAVES, (uint)d))]);
        else if (chunk & d)
            x = COMBINE(x, m->counter[popcount((uint)(d / LEAVES) - 1)]);
    }
    return x;
}

/* The prefix of a chunk, once the last LEAVES folds are up-swept and the others are in the counter. */
ALWAYS_INLINE fixed_before before_chunk(const __local fixed_memory *m, uint chunk, uint level, ulong most)
{
    const uint block = SQUARE_TILES >> level; /* of level 1 */
    ulong one = block;
    fixed_before before;
    before.block = chunk_prefix(m, chunk, block, 1);
    for (ulong reach = (ulong)BLOCK * BLOCK * BLOCK; reach < most; reach *= BLOCK)
        one *= BLOCK;
    before.above = chunk_prefix(m, chunk, one * BLOCK, one);
    for (; one > block; one /= BLOCK)
        before.above = COMBINE(before.above, chunk_prefix(m, chunk, one, one / BLOCK));
    return before;
}

/* The leaf that is the work-item's j-th one of the folds of chunks. */
static inline uint fold_leaf(uint j)
{
    return j * GROUP_SIZE + (uint)get_local_id(0);
}

/* Up-sweep the folds of chunks before a chunk. LEAVES folds at a time are up-swept, and their fold goes to the
 * counter. */
ALWAYS_INLINE void sweep_chunks(const __global VALUE *work, __local fixed_memory *m, uint chunk)
{
    for (uint i = 0; i * LEAVES < chunk; i++) {
        barrier(CLK_LOCAL_MEM_FENCE); /* all are done with local memory */
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            m->leaves[LEAF_PLACE(fold_leaf(j))] =
                i * LEAVES + fold_leaf(j) < chunk ? work[i * LEAVES + fold_leaf(j)] : IDENTITY;
        leaves_up_sweep(m);
        if (get_local_id(0) == 0)
            counter_add(m, i);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the counter */
}

/* Compute and store the tile's results. `first` is the prefix of the tile in its block, if tiles are smaller than
 * blocks; `before` is everything before that. */
ALWAYS_INLINE void store_results(__global OUTPUT *out, const __local fixed_memory *m, const tile_elements *e,
                                 tile_range t, VALUE first, fixed_before before, plain_value initial, bool is_whole,
                                 ulong n, ulong most)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        fixed_before here = before;
        here.block = leaves_prefix(here.block, m, j, LEAVES / 2, BLOCK_LEAVES);
        const VALUE prefix = leaves_prefix(first, m, j, min(LEAVES, BLOCK_LEAVES) / 2, 1);
        packet_store(out, e, t, j, prefix, here, initial, is_whole, n, most);
    }
}

ALWAYS_INLINE void tile_results(__global OUTPUT *out, const __local fixed_memory *m, const tile_elements *e,
                                tile_range t, VALUE first, fixed_before before, plain_value initial, ulong n,
                                ulong most)
{
    if (t.is_whole)
        store_results(out, m, e, t, first, before, initial, true, n, most);
    else
        store_results(out, m, e, t, first, before, initial, false, n, most);
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void scan_fixed_tiles(ARGS_OF(SCAN_WRITE))
{
    const scan_args args = ARGS(SCAN_NUMBERS);
    __local fixed_memory memory;
    MARKS_HERE(TILE)
    SEGMENTS_HERE
    const plain_value initial = initial_value();
    const ulong most = args.n; /* as far as the host knows */
    const ulong n = CALL_COUNT_0(most);
    const uint chunk = (uint)get_group_id(0);
    uint tile;
    uint end;
    in += args.in_offset;
    out += args.out_offset;
    fixed_tiles(&tile, &end, chunk, args.level, n);
    sweep_chunks(work, &memory, tile < end ? chunk : 0);
    const fixed_before before = before_chunk(&memory, tile < end ? chunk : 0, args.level, most);
    for (uint i = 0; tile + i < end; i++) {
        tile_elements e;
        const tile_range t = fixed_range(in, n, tile + i);
        fixed_before here = before;
        tile_read(&e, t, in, n, segments MARKS_ARGUMENT);
        barrier(CLK_LOCAL_MEM_FENCE); /* all are done with local memory, except for the counter */
        const VALUE first = counter_prefix(IDENTITY, &memory, i, BLOCK_TILES / 2, 1);
        here.block = counter_prefix(here.block, &memory, i, (1u << args.level) / 2, BLOCK_TILES);
        tile_up_sweep(&memory, &e, t, n);
        if (get_local_id(0) == 0)
            counter_add(&memory, i);
        tile_results(out, &memory, &e, t, first, here, initial, n, most);
    }
}

CLPRIM__DEFINE_TILE_WORDS(clprim__slots, clprim__slots, VALUE)

#define NOTHING_MISSING 0xffffffffu

/* What a work-item knows of the folds of the tiles before the group's own one. */
typedef struct {
    VALUE folds[ITEMS]; /* of tiles fold_leaf(j) */
    uint known;         /* bit j: folds[j] is known, or not needed */
    uint looks;         /* of the group, so far */
} fixed_found;

/* Look once for all folds that are not known. Returns the first tile whose fold nobody in the group knows. Of the three
 * `missing` one is in use, and the next one is made ready, so that each look needs one barrier. */
ALWAYS_INLINE uint look_at_folds(fixed_found *found, __global ulong *state, uint epoch, __local uint *missing)
{
    const uint now = found->looks % 3;
    VALUE seen[ITEMS];
    uint kinds[ITEMS];
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) { /* issue all loads before looking at any value */
        kinds[j] = 0;
        if (!(found->known >> j & 1))
            kinds[j] = clprim__slots_load(state, epoch, fold_leaf(j), &seen[j]);
    }
    uint first = NOTHING_MISSING;
#pragma unroll
    for (uint j = ITEMS; j-- > 0;) {
        if (kinds[j] != 0) {
            found->folds[j] = seen[j];
            found->known |= 1u << j;
        }
        if (!(found->known >> j & 1))
            first = fold_leaf(j);
    }
    if (first != NOTHING_MISSING)
        (void)atomic_min((volatile __local uint *)missing + now, first);
    if (get_local_id(0) == 0)
        missing[(now + 1) % 3] = NOTHING_MISSING;
    found->looks++;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for what all have found */
    return missing[now];
}

/* The same, until a tile stays missing for a number of looks. */
ALWAYS_INLINE uint first_missing(fixed_found *found, __global ulong *state, uint epoch, __local uint *missing)
{
    uint first = look_at_folds(found, state, epoch, missing);
    for (uint looks = 0; first != NOTHING_MISSING && looks < CLPRIM_LOOK_BACK_LOOKS; looks++)
        first = look_at_folds(found, state, epoch, missing);
    return first;
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void scan_fixed_once(ARGS_OF(SCAN_LOOK_BACK))
{
    const scan_args args = ARGS(SCAN_NUMBERS);
    __local fixed_memory memory;
    __local uint shared_tile;
    __local uint missing[3];
    MARKS_HERE(TILE)
    SEGMENTS_HERE
    const plain_value initial = initial_value();
    const ulong most = args.n; /* as far as the host knows */
    const ulong n = CALL_COUNT_0(most);
    const uint groups = groups_with_tiles(in, n, 0);
    if (is_without_tile(groups))
        return;
    in += args.in_offset;
    out += args.out_offset;
    const uint own = clprim__draw_ticket((volatile __global uint *)state, groups, &shared_tile);
    if (get_local_id(0) == 0)
        missing[0] = NOTHING_MISSING;
    tile_elements e;
    const tile_range t = fixed_range(in, n, own);
    tile_read(&e, t, in, n, segments MARKS_ARGUMENT);
    tile_up_sweep(&memory, &e, t, n);
    if (get_local_id(0) == 0)
        clprim__slots_store(state, args.epoch, own, memory.leaves[LEAF_PLACE(LEAVES - 1)], CLPRIM__TOTAL);

    fixed_found found;
    found.known = 0;
    found.looks = 0;
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        found.folds[j] = IDENTITY;
        found.known |= fold_leaf(j) < own ? 0 : 1u << j;
    }
    uint tile = first_missing(&found, state, args.epoch, missing);
    while (tile != NOTHING_MISSING) {
        tile_elements theirs;
        const tile_range there = fixed_range(in, n, tile);
        tile_read(&theirs, there, in, n, segments MARKS_ARGUMENT);
        tile_up_sweep(&memory, &theirs, there, n);
        if (get_local_id(0) == 0) /* its own group stores the same bits */
            clprim__slots_store(state, args.epoch, tile, memory.leaves[LEAF_PLACE(LEAVES - 1)], CLPRIM__TOTAL);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            if (fold_leaf(j) == tile) {
                found.folds[j] = memory.leaves[LEAF_PLACE(LEAVES - 1)];
                found.known |= 1u << j;
            }
        tile = first_missing(&found, state, args.epoch, missing);
    }

#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        memory.leaves[LEAF_PLACE(fold_leaf(j))] = found.folds[j];
    leaves_up_sweep(&memory);
    const fixed_before before = before_chunk(&memory, own, 0, most);
    barrier(CLK_LOCAL_MEM_FENCE); /* all are done with the folds */
    tile_up_sweep(&memory, &e, t, n);
    tile_results(out, &memory, &e, t, IDENTITY, before, initial, n, most);
}
