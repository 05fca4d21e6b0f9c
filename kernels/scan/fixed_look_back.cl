// SPDX-License-Identifier: MIT
/* scan_fixed_look_back: computes the same bits as scan_fixed_tree, in one launch that reads each element once.
 *
 * A tile has one block of BLOCK elements for each sub-group of 32; without shuffles, a tile is one block. Each group
 * publishes the fold of its tile. It computes the prefix of the tile within a block of level 1 from the folds of the
 * earlier tiles in that block. The group with the last tile of a block of level 1 also publishes the fold of the
 * largest subtree that ends with that block, and the prefix of the next block. It combines both from values that were
 * published earlier. Every fold and prefix is combined in the order of the tree, so the bits depend only on n. Levels 1
 * to 3 suffice for 2^36 elements.
 * Why: it is one pass like look_back, but folds are combined only in the order of a tree, which takes more steps and
 * gives the same bits on every device.
 * Parameters: the operator's prelude; GROUP_SIZE; BLOCK 512; ITEMS packets per work-item, so that 32 work-items share a
 * block.
 * Source: the tree of Blelloch 1990; publishing after Merrill and Garland 2016. */
#include "scan/args.h"
#include "scan/modes.h"
#include "scan/parts/elements.cl"
#include "common/subgroup.cl"
#include "common/subgroup_values.cl"
#include "common/packet.cl"
#include "common/tile_scan.cl"
#include "common/tile_load.cl"
#include "scan/parts/marks.cl"
#include "scan/parts/tile.cl"
#include "clprim/device/look_back.h"
#include "scan/parts/block.cl"
#include "scan/parts/fixed_packets.cl"
#include "scan/parts/fixed.cl"

#if FIXED_BY_SHUFFLES && ITEMS * PACK * 32 != BLOCK
#error "ITEMS packets of each of 32 work-items must be a block"
#endif
#define FIXED_TILE (TILE_BLOCKS * BLOCK)

static inline fixed_slots slots_of(ulong n)
{
    fixed_slots s;
    s.tiles = (uint)((n + FIXED_TILE - 1) / FIXED_TILE);
    s.blocks1 = (s.tiles + BLOCK_TILES - 1) / BLOCK_TILES;
    s.blocks2 = (s.blocks1 + BLOCK - 1) / BLOCK;
    return s;
}

static inline void publish_one(__global ulong *state, uint epoch, uint slot, VALUE x)
{
    if (get_local_id(0) == 0)
        clprim__slots_store(state, epoch, slot, x, CLPRIM__TOTAL);
}

/* Publish what is known once the block before block b of level 1 is complete and has this fold. The first sub-group
 * calls it; without shuffles, work-item 0. */
ALWAYS_INLINE void publish_block(__global ulong *state, uint epoch, fixed_slots s, uint b, VALUE fold)
{
    fold = subtree_fold(state, epoch, SUBTREE1(s, b), b, fold);
    publish_one(state, epoch, SUBTREE1(s, b), fold);
    const uint before = b - subtree_size(b);
    if (b % BLOCK != 0) {
        const VALUE prefix = published(state, epoch, PREFIX1(s, before), before % BLOCK != 0);
        publish_one(state, epoch, PREFIX1(s, b), COMBINE(prefix, fold));
    } else { /* this also completes a block of level 2; there are at most BLOCK of those */
        const uint above = b / BLOCK;
        fold = subtree_fold(state, epoch, SUBTREE2(s, above), above, fold);
        publish_one(state, epoch, SUBTREE2(s, above), fold);
        const uint before_above = above - subtree_size(above);
        const VALUE prefix = published(state, epoch, PREFIX2(s, before_above), before_above != 0);
        publish_one(state, epoch, PREFIX2(s, above), COMBINE(prefix, fold));
    }
}

/* Whether the tile is the last one of its block of level 1, but not the last one of all. */
static inline bool ends_block(uint tile, ulong n)
{
    return tile % BLOCK_TILES == BLOCK_TILES - 1 && ((ulong)tile + 1) * FIXED_TILE < n;
}

static inline fixed_before before_tile(__global ulong *state, uint epoch, fixed_slots s, uint tile, ulong most)
{
    const uint place = tile % BLOCK_TILES;
    const uint b = tile / BLOCK_TILES;
    const bool is_below = b % BLOCK != 0;
    fixed_before before;
    VALUE prefix = IDENTITY; /* often published before the folds of the tiles: ask for it first */
    const bool is_known = !is_below || clprim__slots_load(state, epoch, PREFIX1(s, b), &prefix) != 0;
    before.block = tiles_prefix(state, epoch, tile - place, place);
    if (!is_known)
        prefix = published(state, epoch, PREFIX1(s, b), true);
    before.above = is_below ? prefix : IDENTITY;
    if (most > (ulong)BLOCK * BLOCK * BLOCK)
        before.above = COMBINE(published(state, epoch, PREFIX2(s, b / BLOCK), b >= BLOCK), before.above);
    return before;
}

#if FIXED_BY_SHUFFLES
/* The packets of a work-item, in registers. */
typedef struct {
    tile_elements e;
    VALUE rows[ITEMS];  /* the folds of the lanes' packets, one row per packet, up-swept over the lanes */
    VALUE folds[ITEMS]; /* the folds of the rows, up-swept */
} fixed_rows;

ALWAYS_INLINE void fold_rows(fixed_rows *r, tile_range t, bool is_whole, ulong n)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        VALUE x[PACK];
        packet_up_sweep(x, &r->e, t, j, is_whole, n);
        r->rows[j] = lanes_up_sweep(x[PACK - 1]);
        r->folds[j] = clprim__value_shuffle(r->rows[j], 31);
    }
    registers_up_sweep(r->folds, ITEMS);
}

ALWAYS_INLINE void store_rows(__global OUTPUT *out, const fixed_rows *r, tile_range t, fixed_before before,
                              plain_value initial, bool is_whole, ulong n, ulong most)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        const VALUE prefix =
            lanes_prefix(registers_prefix(IDENTITY, r->folds, ITEMS, j), r->rows[j], clprim_sub_group_lane());
        packet_store(out, &r->e, t, j, prefix, before, initial, is_whole, n, most);
    }
}
#elif SEGMENTS == SEGMENTS_BY_OFFSETS /* BLOCK_VALUE: the k-th value of a tile */
#define BLOCK_VALUE(in, first, k)                                                                                      \
    segment_of(plain_value_at(ELEMENT_AT(in, (first) + (k)), (first) + (k)), marks_at(marks, k, 1))
#else
#define BLOCK_VALUE(in, first, k) SCAN_VALUE(ELEMENT_AT(in, (first) + (k)), (first) + (k))
#endif

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void scan_fixed_look_back(ARGS_OF(SCAN_LOOK_BACK))
{
    const scan_args args = ARGS(SCAN_NUMBERS);
    __local uint shared_tile;
    __local fixed_before shared_before;
    MARKS_HERE(FIXED_TILE)
    SEGMENTS_HERE
    const plain_value initial = initial_value();
    const ulong most = args.n; /* as far as the host knows */
    const ulong n = CALL_COUNT_0(most);
    const uint epoch = args.epoch;
    const fixed_slots slots = slots_of(most);
    const uint groups = max(slots_of(n).tiles, 1u);
    if (get_group_id(0) >= groups)
        return;
    const uint tile = clprim__draw_ticket((volatile __global uint *)state, groups, &shared_tile);
    in += args.in_offset;
    out += args.out_offset;
#if FIXED_BY_SHUFFLES
    __local VALUE shared[TILE_BLOCKS];
    const uint mine = clprim_sub_group_index();
    fixed_rows r;
    tile_range t;
    t.first = (long)tile * FIXED_TILE;
    t.is_whole = (ulong)t.first + FIXED_TILE <= n && PACKET_SHIFT(in) == 0;
    tile_read(&r.e, t, in, n, segments MARKS_ARGUMENT);
    if (t.is_whole)
        fold_rows(&r, t, true, n);
    else
        fold_rows(&r, t, false, n);
    if (clprim_sub_group_lane() == 0)
        shared[mine] = r.folds[ITEMS - 1];
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the folds of all blocks */
    const VALUE swept =
        lanes_up_sweep(clprim_sub_group_lane() < TILE_BLOCKS ? shared[clprim_sub_group_lane()] : IDENTITY);
    publish_one(state, epoch, tile, clprim__value_shuffle(swept, TILE_BLOCKS - 1));
    if (mine == 0) {
        if (ends_block(tile, n)) {
            const uint first = tile / BLOCK_TILES * BLOCK_TILES;
            publish_block(state, epoch, slots, tile / BLOCK_TILES + 1, tiles_prefix(state, epoch, first, BLOCK_TILES));
        }
        const fixed_before before = before_tile(state, epoch, slots, tile, most);
        if (clprim_sub_group_lane() == 0)
            shared_before = before;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for shared_before */
    fixed_before before = shared_before;
    before.block = lanes_prefix(before.block, swept, mine);
    if (t.is_whole)
        store_rows(out, &r, t, before, initial, true, n, most);
    else
        store_rows(out, &r, t, before, initial, false, n, most);
#else
    __local VALUE data[BLOCK];
    const ulong first = (ulong)tile * BLOCK;
#if SEGMENTS == SEGMENTS_BY_OFFSETS
    mark_tile(marks, (long)first, BLOCK, n, segments);
#endif
    for (uint k = (uint)get_local_id(0); k < BLOCK; k += GROUP_SIZE)
        data[k] = first + k < n ? BLOCK_VALUE(in, first, k) : IDENTITY;
    const VALUE total = scan_block(data);
    if (get_local_id(0) == 0) {
        publish_one(state, epoch, tile, total);
        if (ends_block(tile, n))
            publish_block(state, epoch, slots, tile / BLOCK + 1,
                          tiles_prefix(state, epoch, tile / BLOCK * BLOCK, BLOCK));
        shared_before = before_tile(state, epoch, slots, tile, most);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for shared_before, and for data */
    for (uint k = (uint)get_local_id(0); k < BLOCK && first + k < n; k += GROUP_SIZE) {
        const ulong i = first + k;
        const VALUE own = BLOCK_VALUE(in, first, k);
        const VALUE before = fixed_prefix(data[k], shared_before.block, shared_before.above, initial, most);
        out[i] = OUTPUT_OF(scan_result(before, COMBINE(before, own), own, initial), i);
    }
#endif
}
