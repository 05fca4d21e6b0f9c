/* tile_by_items.cl: what RANK_BY 0 has to sort a tile, through local memory alone.
 *
 *     before = sum_before(value, sums, &total)     the sum of the values of the work-items before one's own; sums has
 *                                                  ITEM_SUMS words, total is the sum of all
 *     scan_counts(table, sums)                     the counts in the table become places
 *
 * A work-item has consecutive elements of the tile. It counts their digits in registers, four bits for each digit, and so
 * knows which of its elements of a digit comes first, second, ... Then the counts of all work-items are scanned: in the
 * order of digits, and for each digit in that of the work-items. No step but the scan waits for others.
 *
 * Parameters: empty but for RANK_BY 0.
 * Source: Satish, Harris, Garland 2009; Merrill and Grimshaw 2011 for counters that share words. */
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"

#if RANK_BY == 0
#if DIGIT_BITS != 4 || ITEMS > 15
#error "counts of 16 digits must fit 64 bits"
#endif

/* In the table two counters of 16 bits share a word: digit d is in word d % 8 of its work-item, from bit d / 8 * 16 on. */
#define ITEM_WORDS 8
#define ITEM_TABLE (ITEM_WORDS * GROUP_SIZE) /* words */

#define SUMS_ROW  32 /* values that one work-item sums up; a word apart from those of the next row */
#define SUMS_ROWS ((GROUP_SIZE + SUMS_ROW - 1) / SUMS_ROW)
#define ITEM_SUMS (SUMS_ROWS * (SUMS_ROW + 2))

TILE_INLINE uint sum_before(uint value, __local uint *sums, uint *total)
{
    const uint lid = (uint)get_local_id(0);
    __local uint *own = sums + lid + lid / SUMS_ROW;
    __local uint *rows = sums + SUMS_ROWS * (SUMS_ROW + 1);
    *own = value;
    barrier(CLK_LOCAL_MEM_FENCE); /* the values */
    if (lid < SUMS_ROWS) {
        __local uint *row = sums + lid * (SUMS_ROW + 1);
        uint sum = 0;
#pragma unroll
        for (uint k = 0; k < SUMS_ROW; k++) {
            const uint before = sum;
            sum += lid * SUMS_ROW + k < GROUP_SIZE ? row[k] : 0;
            row[k] = before;
        }
        rows[lid] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the sums within rows, and of rows */
    uint before = *own;
    uint all = 0;
#pragma unroll
    for (uint r = 0; r < SUMS_ROWS; r++) {
        before += r < lid / SUMS_ROW ? rows[r] : 0;
        all += rows[r];
    }
    *total = all;
    return before;
}

/* The counts in the table become places: where the work-item's elements of each digit go. */
TILE_INLINE void scan_counts(__local uint *table, __local uint *sums)
{
    __local uint4 *own = (__local uint4 *)(table + get_local_id(0) * ITEM_WORDS); /* some of them, in their order */
    const uint4 a = own[0];
    const uint4 b = own[1];
    const uint sum = a.x + a.y + a.z + a.w;
    uint total;
    uint place = sum_before(sum + b.x + b.y + b.z + b.w, sums, &total);
    place += total << 16; /* digits from 8 on come behind the others */
    own[0] = place + (uint4)(0, a.x, a.x + a.y, a.x + a.y + a.z);
    place += sum;
    own[1] = place + (uint4)(0, b.x, b.x + b.y, b.x + b.y + b.z);
}
#endif
