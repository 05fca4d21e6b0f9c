// SPDX-License-Identifier: MIT
/* long_digits.cl: the digits of long segments. All passes' are counted at once, for each segment; the number of passes
 * is even, so that what the first one reads may be where the last one writes.
 *
 *     count_tile(totals, status, counters, keys, first, valid)    add the tile's digits to the segment's OWN_COUNTERS,
 *                                                                 and clear the tile's RADIX status words; counters is
 *                                                                 room for as many; with barriers
 * Parameters: keys.cl with COUNTED 0; segments.cl with HAS_LONG 2. */
#include "segmented_sort/modes.h"
#include "common/device_scope.cl"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/status.cl"

#if HAS_LONG == LONG_IN_TILES
#define EVEN_PASSES  (PASSES + PASSES % 2)
#define OWN_COUNTERS (EVEN_PASSES * RADIX) /* of each segment */
/* Of the pass that makes their number even: the highest bit once more, for no shift may be as large as the key. */
#define LONG_SHIFT(pass) min(shift_of(pass), (uint)(KEY_BITS - 1))
#define COUNTER_WORDS    ((OWN_COUNTERS + 3) / 4) /* of 16 bytes */

/* Add the tile's digits to the segment's counters, and clear what its tiles look back over. */
ALWAYS_INLINE void count_tile(volatile __global uint *totals, __global STATUS *status, __local uint *counters,
                              const __global KEY *keys, ulong first, uint valid)
{
    const uint lid = (uint)get_local_id(0);
    for (uint i = lid; i < OWN_COUNTERS; i += GROUP_SIZE)
        counters[i] = 0;
    for (uint digit = lid; digit < RADIX; digit += GROUP_SIZE)
        STATUS_STORE(status + digit, (STATUS)0);
    barrier(CLK_LOCAL_MEM_FENCE); /* the counters are 0 */
    KEY images[ITEMS];
    tile_load(images, keys, first, valid, true);
    tile_turn(images, true);
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (TILE_INDEX(j) < valid) {
#pragma unroll
            for (uint pass = 0; pass < EVEN_PASSES; pass++)
                (void)atomic_inc(counters + pass * RADIX + digit_of(images[j], LONG_SHIFT(pass)));
        }
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    for (uint i = lid; i < OWN_COUNTERS; i += GROUP_SIZE)
        if (counters[i] != 0)
            (void)atomic_add(totals + i, counters[i]);
}
#endif
