// SPDX-License-Identifier: MIT
/* move_range.cl: a group moves consecutive keys by a digit, tile after tile.
 *
 *     add_smaller(offsets, totals, sums)             offsets[digit] += the number of keys with smaller digits
 *     move_range(&m, &r, first, end, shift)          moves the keys from `first` to before `end`; m.offsets[digit] is
 *     where
 *                                                    the first key with the digit goes
 *
 * add_smaller uses m.sums. If totals are in m.staged, there must be a barrier before m.staged is used again. */
#include "common/kernel.h"
#include "radix_sort/modes.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/tile_by_masks.cl"
#include "radix_sort/parts/scatter.cl"
#include "radix_sort/parts/pass.cl"

/* offsets[digit] += the totals of smaller digits. `totals` has the total of each digit of a work-item's own. */
ALWAYS_INLINE void add_smaller(__local COUNT *offsets, const __local COUNT *totals, __local uint *sums)
{
    const uint lid = (uint)get_local_id(0);
#if RANK_BY > RANK_BY_ITEM
    if (sizeof(COUNT) == sizeof(uint)) {
        const uint smaller = digits_before(lid < RADIX ? (uint)totals[lid] : 0, sums);
        if (lid < RADIX)
            offsets[lid] += smaller;
        return;
    }
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the totals */
    for (uint digit = lid; digit < RADIX; digit += GROUP_SIZE) {
        COUNT sum = offsets[digit];
        for (uint smaller = 0; smaller < digit; smaller++)
            sum += totals[smaller];
        offsets[digit] = sum;
    }
}

ALWAYS_INLINE void move_range(const pass_memory *m, const route *r, ulong begin, ulong end, uint shift)
{
    pass_digits(m, shift, 0, 0);
    for (ulong first = begin; first < end; first += TILE) {
        const uint valid = end - first < TILE ? (uint)(end - first) : TILE;
        KEY images[ITEMS];
        places_of_items places;
        pass_load(m, images, r, first, valid); /* with a barrier */
        pass_reset(m);
        for (uint digit = (uint)get_local_id(0); digit < RADIX && first > begin; digit += GROUP_SIZE)
            m->offsets[digit] += m->begins[digit + 1];
        pass_begins(m, r, pass_count(m, images, r, shift)); /* has barriers; the first comes before begins change */
        barrier(CLK_LOCAL_MEM_FENCE);                       /* wait for where digits begin, and for the table */
        for (uint digit = (uint)get_local_id(0); digit < RADIX; digit += GROUP_SIZE)
            m->offsets[digit] -= m->begins[digit];
        pass_stage(m, images, &places, r, first, valid);
        pass_move(m, r, first, valid, shift, &places); /* with a barrier */
    }
}
