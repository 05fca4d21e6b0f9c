// SPDX-License-Identifier: MIT
/* fixed.cl: the tree of scan_fixed_tree over what the tiles of scan_fixed_look_back have published, and over the lanes
 * of a sub-group.
 *
 * Parameters: the operator's prelude; BLOCK. */
#include "common/kernel.h"
#include "scan/parts/elements.cl"
#include "scan/parts/fixed_packets.cl"
#include "common/subgroup.cl"
#include "common/subgroup_values.cl"
#include "common/tile_scan.cl"
#include "clprim/device/look_back.h"

CLPRIM__DEFINE_TILE_WORDS(clprim__slots, clprim__slots, VALUE)

/* The shuffles require sub-groups of 32. */
#if CLPRIM_SUB_GROUP_MEANS == 1 && defined(SUBGROUP_SHUFFLE)
#define FIXED_BY_SHUFFLES 1
#else
#define FIXED_BY_SHUFFLES 0
#endif

#if FIXED_BY_SHUFFLES
#define TILE_BLOCKS (GROUP_SIZE / 32) /* each sub-group has a block */
#else
#define TILE_BLOCKS 1
#endif
#define BLOCK_TILES (BLOCK / TILE_BLOCKS) /* tiles whose folds are the values of a block of level 1 */

#if FIXED_BY_SHUFFLES
#define LANE_TILES (BLOCK_TILES / 32)

/* The up-sweep over the values of the 32 lanes. */
static inline VALUE lanes_up_sweep(VALUE x)
{
#pragma unroll
    for (uint d = 1; d < 32; d *= 2) {
        const VALUE left = clprim__value_shuffle_up(x, d);
        if ((clprim_sub_group_lane() + 1) % (2 * d) == 0)
            x = COMBINE(left, x);
    }
    return x;
}

/* Combines `before` with the prefix of place p, where each lane passes its own p, or all lanes the same. */
static inline VALUE lanes_prefix(VALUE before, VALUE swept, uint p)
{
#pragma unroll
    for (uint d = 16; d > 0; d /= 2) {
        const VALUE x = clprim__value_shuffle(swept, SUBTREE_END(p, d));
        if (p & d)
            before = COMBINE(before, x);
    }
    return before;
}

/* The tiles of a block of level 1 are published from slot `first` on. Returns the prefix of place p, or the fold of all
 * if p == BLOCK_TILES. It waits only for the tiles before p. All lanes of the first sub-group call it. */
ALWAYS_INLINE VALUE tiles_prefix(__global ulong *state, uint epoch, uint first, uint p)
{
    const uint begin = clprim_sub_group_lane() * LANE_TILES;
    VALUE x[LANE_TILES];
    if (p == 0)
        return IDENTITY;
    for (bool is_ready = false; !is_ready;) {
        is_ready = true;
#pragma unroll
        for (uint k = 0; k < LANE_TILES; k++) { /* issue all loads before looking at any value */
            VALUE one;
            const uint kind =
                clprim__slots_load(state, epoch, first + begin + k, &one); /* also loads slots after p, or after the
                                                                            * last tile */
            is_ready &= kind != 0 || begin + k >= p;
            x[k] = one;
        }
    }
#pragma unroll
    for (uint k = 0; k < LANE_TILES; k++)
        if (begin + k >= p)
            x[k] = IDENTITY;
    registers_up_sweep(x, LANE_TILES);
    const VALUE swept = lanes_up_sweep(x[LANE_TILES - 1]);
    if (p == BLOCK_TILES)
        return clprim__value_shuffle(swept, 31);
    const uint lane = p / LANE_TILES;
    VALUE prefix = lanes_prefix(IDENTITY, swept, lane);
#pragma unroll
    for (uint d = LANE_TILES / 2; d > 0; d /= 2) {
        VALUE subtree = x[0];
#pragma unroll
        for (uint k = 1; k < LANE_TILES; k++) /* a variable index would put x into memory */
            if (k == SUBTREE_END(p % LANE_TILES, d))
                subtree = x[k];
        subtree = clprim__value_shuffle(subtree, lane);
        if (p & d)
            prefix = COMBINE(prefix, subtree);
    }
    return prefix;
}

#else
#define FIXED_LEVELS 33 /* of places: any 32-bit number */

/* The same by one work-item, which is the only one to call it: subtrees[l] is the last subtree of 2^l values. Here a
 * tile is a block. */
static inline VALUE tiles_prefix(__global ulong *state, uint epoch, uint first, uint p)
{
    VALUE subtrees[FIXED_LEVELS];
    VALUE prefix = IDENTITY;
    for (uint i = 0; i < p; i++) {
        VALUE x = IDENTITY;
        while (clprim__slots_load(state, epoch, first + i, &x) == 0)
            ;
        uint level = 0;
        for (; i >> level & 1; level++)
            x = COMBINE(subtrees[level], x);
        subtrees[level] = x;
    }
    for (uint level = 32; level > 0; level--)
        if (p >> (level - 1) & 1)
            prefix = p == BLOCK ? subtrees[level - 1] : COMBINE(prefix, subtrees[level - 1]);
    return prefix;
}

#endif

/* Where published values are. The values of a block of level 1 are the folds of BLOCK_TILES tiles. The values of a
 * block of level 2 are the folds of BLOCK blocks of level 1, and those of a block of level 3 the folds of BLOCK blocks
 * of level 2.
 *
 * For each block b of a level, one fold is published of the blocks before it: that of the largest subtree that ends
 * before b and begins at a multiple of its size. All other folds that prefixes need can be combined from these. */
typedef struct {
    uint tiles; /* of all elements: their folds are in the first slots */
    /* blocks of level 1: the folds of subtrees that end before blocks 1, 2, ...; then the prefixes of blocks 0, 1, ...
     * within their block of level 2 */
    uint blocks1;
    uint blocks2; /* blocks of level 2, in the same way */
} fixed_slots;

#define SUBTREE1(s, b) ((s).tiles + (b)-1)
#define PREFIX1(s, b)  ((s).tiles + (s).blocks1 + (b))
#define SUBTREE2(s, b) ((s).tiles + 2 * (s).blocks1 + (b)-1)
#define PREFIX2(s, b)  ((s).tiles + 2 * (s).blocks1 + (s).blocks2 + (b))

/* Wait until a value is published. If there is none (before block 0), the identity. */
static inline VALUE published(__global ulong *state, uint epoch, uint slot, bool is_there)
{
    VALUE x = IDENTITY;
    while (is_there && clprim__slots_load(state, epoch, slot, &x) == 0)
        ;
    return x;
}

/* How many blocks the largest subtree has that ends before block b: the lowest set bit of b's place within the block
 * above, counting places from 1 to BLOCK. */
static inline uint subtree_size(uint b)
{
    const uint place = b % BLOCK == 0 ? BLOCK : b % BLOCK;
    return place & (0 - place);
}

/* The fold of the largest subtree that ends before block b, given the fold of its last block. subtree: the slot for
 * block b (SUBTREE1 or SUBTREE2). */
static inline VALUE subtree_fold(__global ulong *state, uint epoch, uint subtree, uint b, VALUE fold)
{
    const uint size = subtree_size(b);
#if FIXED_BY_SHUFFLES /* each lane reads one of the left halves */
    const uint lane = clprim_sub_group_lane();
    const VALUE left = published(state, epoch, subtree - (1u << lane), size >> lane > 1);
#endif
    for (uint d = 1; d < size; d *= 2)
#if FIXED_BY_SHUFFLES
        fold = COMBINE(clprim__value_shuffle(left, popcount(d - 1)), fold);
#else
        fold = COMBINE(published(state, epoch, subtree - d, true), fold);
#endif
    return fold;
}
