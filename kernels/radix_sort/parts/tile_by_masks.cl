// SPDX-License-Identifier: MIT
/* tile_by_masks.cl: replaces shuffles and ballots of tile.cl by local memory alone, with RANK_BY_MASKS.
 *
 *     before = digits_before(value, sums)          the sum of the values of all smaller digits, one value per
 *                                                  work-item
 *     place = tile_place(table, image, shift)      as in tile.cl; has barriers
 *     masks_begin(table, place)                    as owners_begin of tile.cl, for tile_place
 *
 * Each digit of each owner has a mask, in which all work-items whose key has the digit set their bits. Then each of
 * them counts the earlier ones. Then the last of them advances the place and clears the mask.
 *
 * Parameters: empty except with RANK_BY_MASKS. */
#include "common/kernel.h"
#include "radix_sort/modes.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"

#if RANK_BY == RANK_BY_MASKS
#if TILE > 65535
#error "places have 16 bits"
#endif
#define SUMS_ROW  16 /* values that one work-item sums up; those at the same place of all rows are contiguous */
#define SUMS_ROWS (RADIX / SUMS_ROW)

/* The first RADIX work-items have one value each. */
ALWAYS_INLINE uint digits_before(uint value, __local uint *sums)
{
    const uint lid = (uint)get_local_id(0);
    __local uint *rows = sums + RADIX;
    __local uint *own = sums + (lid % SUMS_ROW * SUMS_ROWS + lid / SUMS_ROW) % RADIX;
    if (lid < RADIX)
        *own = value;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the values */
    uint row = 0;
    if (lid < SUMS_ROWS) {
#pragma unroll
        for (uint k = 0; k < SUMS_ROW; k++) {
            const uint x = sums[k * SUMS_ROWS + lid];
            sums[k * SUMS_ROWS + lid] = row; /* 0 for the first value, which is soon replaced by the sum before the
                                              * row */
            row += x;
        }
        rows[lid] = row;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the rows' sums, and for the sums before each value in its row */
    if (lid < SUMS_ROWS) {
        uint before = 0;
#pragma unroll
        for (uint r = 0; r < SUMS_ROWS; r++)
            before += r < lid ? rows[r] : 0;
        sums[lid] = before;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the sums before each row */
    return (lid % SUMS_ROW > 0 ? *own : 0) + sums[lid / SUMS_ROW % SUMS_ROWS];
}

ALWAYS_INLINE void masks_begin(__local uint *table, uint place)
{
    const uint digit = (uint)get_local_id(0);
    if (digit < RADIX) {
#pragma unroll
        for (uint owner = 0; owner < OWNERS; owner++) {
            const uint own = table[owner * RADIX + digit];
            PLACES_IN(table)[owner * RADIX + digit] = (ushort)place;
            table[owner * RADIX + digit] = 0;
            place += own;
        }
    }
}

ALWAYS_INLINE void tile_begins(__local uint *table, __local uint *begins, __local uint *sums, uint count)
{
    masks_begin(table, digit_begins(begins, sums, count));
}

ALWAYS_INLINE uint tile_place(__local uint *table, KEY image, uint shift)
{
    const uint lane = (uint)get_local_id(0) % 32;
    const uint digit = digit_of(image, shift);
    __local uint *word = OWN_TABLE(table) + digit;
    __local ushort *next = PLACES_IN(table) + get_local_id(0) / 32 * RADIX + digit;
    (void)atomic_or(word, 1u << lane);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the masks */
    const uint mask = *word;
    const uint place = *next + popcount(mask & ((1u << lane) - 1));
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
    if (mask >> lane == 1) {      /* the last of them */
        *word = 0;
        *next = (ushort)(place + 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the next places; masks are cleared */
    return place;
}
#endif
