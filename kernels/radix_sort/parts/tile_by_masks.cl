/* tile_by_masks.cl: what tile.cl has with RANK_BY_MASKS instead of shuffles and ballots, through local memory alone.
 *
 *     before = digits_before(value, sums)          the sum of the values of all digits before one's own, one a
 *                                                  work-item; with RANK_BY_STEPS, too
 *     place = tile_place(table, image, shift)      as tile.cl says; with barriers
 *
 * Each digit of each owner has a mask, in which all work-items whose key has the digit set their bits. Then each counts
 * those before it that have the digit, too. Then the last of them moves the place on and clears the mask.
 *
 * Parameters: empty but for RANK_BY_MASKS and RANK_BY_STEPS. */
#include "common/kernel.h"
#include "radix_sort/modes.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"

#if RANK_BY >= RANK_BY_MASKS
#if TILE > 65535
#error "places have 16 bits"
#endif
#define SUMS_ROW  16 /* values that one work-item sums up; those of the same place in all rows lie together */
#define SUMS_ROWS (RADIX / SUMS_ROW)

/* The sum of the values of work-items before one's own, of which RADIX have one. are_halves: they are pairs of 16 bits,
 * and the sum is in the order of tile_by_steps.cl: in each row all lower halves come before all upper ones. */
ALWAYS_INLINE uint values_before(uint value, bool are_halves, __local uint *sums)
{
    const uint lid = (uint)get_local_id(0);
    __local uint *rows = sums + RADIX;
    __local uint *own = sums + (lid % SUMS_ROW * SUMS_ROWS + lid / SUMS_ROW) % RADIX;
    if (lid < RADIX)
        *own = value;
    barrier(CLK_LOCAL_MEM_FENCE); /* the values */
    uint row = 0;
    if (lid < SUMS_ROWS) {
#pragma unroll
        for (uint k = 0; k < SUMS_ROW; k++) {
            const uint x = sums[k * SUMS_ROWS + lid];
            sums[k * SUMS_ROWS + lid] = row; /* of the first one 0, in whose place is soon what is before the row */
            row += x;
        }
        rows[lid] = row;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the rows' sums, and those of the values before each in its row */
    if (lid < SUMS_ROWS) {
        uint before = 0;
#pragma unroll
        for (uint r = 0; r < SUMS_ROWS; r++)
            before += r < lid ? rows[r] : 0;
        sums[lid] = are_halves ? before + (before >> 16) + ((before + row) << 16) : before;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the sums of the rows before each */
    return (lid % SUMS_ROW > 0 ? *own : 0) + sums[lid / SUMS_ROW % SUMS_ROWS];
}

ALWAYS_INLINE uint digits_before(uint value, __local uint *sums)
{
    return values_before(value, false, sums);
}
#endif

#if RANK_BY == RANK_BY_MASKS
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
