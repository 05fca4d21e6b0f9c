// SPDX-License-Identifier: MIT
/* fixed_packets.cl: shared by the scans that follow the order of scan_fixed_tree and have packets in registers.
 *
 * The prefix of place p in a block of values is IDENTITY, combined with the folds of aligned subtrees from left to
 * right: one for each set bit of p, the largest first. After an up-sweep in place, the fold of the subtree of d values
 * (a power of two) that begins at a multiple of 2 d is at the subtree's last place.
 *
 * Parameters: the operator's prelude; BLOCK; those of tile.cl. */
#include "common/kernel.h"
#include "scan/parts/elements.cl"
#include "common/packet.cl"
#include "common/tile_load.cl"
#include "scan/parts/tile.cl"

#if !defined(BLOCK) || BLOCK < 32 || (BLOCK & (BLOCK - 1))
#error "BLOCK must be a power of two, 32 at least"
#endif

/* The last place of the subtree of d values that the prefix of place p needs. */
#define SUBTREE_END(p, d) (((p) & ~(2 * (d)-1)) + (d)-1)

/* The same in registers: once loops are unrolled, n (a power of two) and p are constants. */
ALWAYS_INLINE void registers_up_sweep(VALUE *x, const uint n)
{
#pragma unroll
    for (uint d = 1; d < n; d *= 2)
#pragma unroll
        for (uint k = 2 * d - 1; k < n; k += 2 * d)
            x[k] = COMBINE(x[k - d], x[k]);
}

ALWAYS_INLINE VALUE registers_prefix(VALUE before, const VALUE *swept, const uint n, const uint p)
{
#pragma unroll
    for (uint d = n / 2; d > 0; d /= 2)
        if (p & d)
            before = COMBINE(before, swept[SUBTREE_END(p, d)]);
    return before;
}

/* The fold of the elements before a tile, in two parts. */
typedef struct {
    VALUE block; /* the prefix of the tile in its block of level 1 */
    VALUE above; /* the prefix of that block */
} fixed_before;

/* The prefix of an element. `own` is its prefix in its block, `within` that block's prefix in its block of level 1, and
 * `above` the prefix of the latter. */
static inline VALUE fixed_prefix(VALUE own, VALUE within, VALUE above, plain_value initial, ulong most)
{
    if (most > (ulong)BLOCK * BLOCK)
        within = COMBINE(above, within);
    if (most > BLOCK)
        own = COMBINE(within, own);
    return COMBINE(scan_begin(initial), own);
}

/* Up-sweep the values of the work-item's j-th packet: the last one becomes the packet's fold. */
ALWAYS_INLINE void packet_up_sweep(VALUE *x, const tile_elements *e, tile_range t, uint j, bool is_whole, ulong n)
{
#pragma unroll
    for (uint k = 0; k < PACK; k++)
        x[k] = tile_value(e, t, j, k, is_whole, n);
    registers_up_sweep(x, PACK);
}

/* Store the results of the j-th packet. `prefix` is the packet's prefix in its block. */
ALWAYS_INLINE void packet_store(__global OUTPUT *out, const tile_elements *e, tile_range t, uint j, VALUE prefix,
                                fixed_before before, plain_value initial, bool is_whole, ulong n, ulong most)
{
    const bool in_packets = OUTPUTS_IN_PACKETS && is_whole && (uintptr_t)(out + t.first) % 16 == 0;
    __global OUTPUT *to = out + tile_place(t, j);
    ulong2 words = 0;
    VALUE x[PACK];
    packet_up_sweep(x, e, t, j, is_whole, n);
#pragma unroll
    for (uint k = 0; k < PACK; k++) {
        const ulong i = (ulong)(tile_place(t, j) + k);
        const VALUE own = tile_value(e, t, j, k, is_whole, n);
        const VALUE left =
            fixed_prefix(registers_prefix(prefix, x, PACK, k), before.block, before.above, initial, most);
        put_output(to, &words, k, scan_result(left, COMBINE(left, own), own, initial), i, in_packets,
                   is_whole || i < n);
    }
}
