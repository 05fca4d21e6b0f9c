/* tile_by_masks.cl: what tile.cl has with RANK_BY_MASKS instead of shuffles and ballots, through local memory alone.
 *
 *     before = digits_before(value, sums)          the sum of the values of all digits before one's own, one a
 *                                                  work-item
 *     place = tile_place(table, image, shift)      as tile.cl says; with barriers
 *
 * Each digit of each owner has a mask, in which all work-items whose key has the digit set their bits. Then each counts
 * those before it that have the digit, too. Then the last of them moves the place on and clears the mask.
 *
 * Parameters: empty but for RANK_BY_MASKS. */
#include "common/kernel.h"
#include "radix_sort/modes.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"

#if RANK_BY == RANK_BY_MASKS
#if TILE > 65535
#error "places have 16 bits"
#endif
#define SUMS_ROW  16 /* values that one work-item sums up; those of the same place in all rows lie together */
#define SUMS_ROWS (RADIX / SUMS_ROW)

ALWAYS_INLINE uint digits_before(uint value, __local uint *sums)
{
    const uint lid = (uint)get_local_id(0);
    __local uint *rows = sums + RADIX;
    if (lid < RADIX)
        sums[lid % SUMS_ROW * SUMS_ROWS + lid / SUMS_ROW] = value;
    barrier(CLK_LOCAL_MEM_FENCE); /* the values */
    if (lid < SUMS_ROWS) {
        uint row = 0;
#pragma unroll
        for (uint k = 0; k < SUMS_ROW; k++)
            row += sums[k * SUMS_ROWS + lid];
        rows[lid] = row;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the rows' sums */
    uint sum = 0;
    if (lid < RADIX) {
#pragma unroll
        for (uint r = 0; r < SUMS_ROWS; r++)
            sum += r < lid / SUMS_ROW ? rows[r] : 0;
#pragma unroll
        for (uint k = 0; k < SUMS_ROW - 1; k++)
            sum += k < lid % SUMS_ROW ? sums[k * SUMS_ROWS + lid / SUMS_ROW] : 0;
    }
    return sum;
}

ALWAYS_INLINE uint tile_place(__local uint *table, KEY image, uint shift)
{
    const uint lane = (uint)get_local_id(0) % 32;
    const uint digit = digit_of(image, shift);
    __local uint *word = OWN_TABLE(table) + digit;
    __local ushort *next = PLACES_IN(table) + get_local_id(0) / 32 * RADIX + digit;
    (void)atomic_or(word, 1u << lane);
    barrier(CLK_LOCAL_MEM_FENCE); /* the masks */
    const uint mask = *word;
    const uint place = *next + popcount(mask & ((1u << lane) - 1));
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
    if (mask >> lane == 1) {      /* the last of them */
        *word = 0;
        *next = (ushort)(place + 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the next places; no masks */
    return place;
}
#endif
