// SPDX-License-Identifier: MIT
/* tile_load.cl: loads a work-group's tile into registers, in packets of 16 bytes.
 *
 * Tiles begin at addresses aligned for packets, up to a packet before in[0]. So tile t has the elements from t * TILE -
 * PACKET_SHIFT(in) on; elements before 0 or from n on do not exist. A tile is whole if all its elements exist.
 *
 * If elements come from an expression (INPUT_AT), there is no `in`: tiles begin at multiples of TILE, and a packet is
 * one element.
 *
 * Parameters: ITEMS packets per work-item; tile_packet(j), which says which packets of a tile a work-item has, in
 * tile_scan.cl or in the primitive's own file. */
#include "common/kernel.h"
#include "common/packet.cl"

#ifndef ITEMS
#error "ITEMS must be given"
#endif

#define TILE ((uint)GROUP_SIZE * ITEMS * PACK) /* elements */

/* Where a tile is. */
typedef struct {
    long first; /* index of the tile's first element; negative if the first tile begins before in[0] */
    bool is_whole;
} tile_range;

static inline tile_range tile_range_of(const __global ELEMENT *in, ulong n, uint tile)
{
    tile_range t;
    t.first = (long)tile * TILE - PACKET_SHIFT(in);
    t.is_whole = t.first >= 0 && (ulong)t.first + TILE <= n;
    return t;
}

static inline uint tiles_of(const __global ELEMENT *in, ulong n)
{
    return (uint)((n + PACKET_SHIFT(in) + TILE - 1) / TILE);
}

/* Each of the launch's groups has a tile, from first_tile on. Returns how many of the groups have elements, but at
 * least 1. Other groups are launched only if the host does not know the number of elements: they must return
 * immediately. */
static inline uint groups_with_tiles(const __global ELEMENT *in, ulong n, uint first_tile)
{
#ifdef CALL_COUNTED
    const uint tiles = tiles_of(in, n);
    return clamp(tiles - min(tiles, first_tile), 1u, (uint)get_num_groups(0));
#else
    return (uint)get_num_groups(0);
#endif
}

static inline bool is_without_tile(uint groups)
{
#ifdef CALL_COUNTED
    return get_group_id(0) >= groups;
#else
    return false;
#endif
}

/* If each group has a chunk of consecutive tiles: this group's tiles, from *tile to before *end. */
static inline void own_tiles(uint *tile, uint *end, const __global ELEMENT *in, ulong n)
{
    const uint tiles = tiles_of(in, n);
    const uint groups = (uint)get_num_groups(0);
    const uint chunk = (tiles + groups - 1) / groups;
    *tile = min(tiles, (uint)get_group_id(0) * chunk);
    *end = min(tiles, *tile + chunk);
}

/* The index of the first element of the work-item's j-th packet. */
static inline long tile_place(tile_range t, uint j)
{
    return t.first + (long)tile_packet(j) * PACK;
}

/* The work-item's j-th packet. */
#define TILE_PACKET(in, t, j) PACKET_AT((const __global packet_words *)((in) + (t).first), (t).first, tile_packet(j))

/* Load the work-item's packets. */
ALWAYS_INLINE void tile_load(packet_words *x, tile_range t, const __global ELEMENT *in, ulong n)
{
    if (t.is_whole) {
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            x[j] = TILE_PACKET(in, t, j);
    } else {
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) { /* elements outside the array are never used */
            const ulong first = (ulong)tile_place(t, j);
#if PACK == 1
            if (first < n)
                x[j] = TILE_PACKET(in, t, j);
#else
            packet p;
            p.words = 0; /* elements are extracted by shifts: no bit may be undefined */
#pragma unroll
            for (uint k = 0; k < PACK; k++)
                if (first + k < n)
                    p.elements[k] = in[first + k];
            x[j] = p.words;
#endif
        }
    }
}
