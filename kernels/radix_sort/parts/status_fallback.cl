// SPDX-License-Identifier: MIT
/* status_fallback.cl: look back without waiting, where groups may not wait for one another. A group that
 * finds that a tile has published nothing in CLPRIM_LOOK_BACK_LOOKS + 1 looks in a row counts the tile's digits itself
 * and publishes them. A pass does not write where it reads, so the tile's keys are still there, and its own group
 * counts the same: words may come from both.
 *
 *     find_before(m, &look, &r, shift)         m->offsets[digit] = what the tiles before have, and all that comes
 *                                              before these; of tile 0 they are there. All work-items call it; m.table
 *                                              is used
 *
 * If CLPRIM_LOOK_BACK_LOOKS is 0, a group begins with the tile before its own without a look.
 * Parameters: CLPRIM_FORWARD_PROGRESS, with which it is empty.
 * Source: Smith, Levien and Owens 2025, Decoupled Fallback: A Portable Single-Pass GPU Scan. */
#include "common/kernel.h"
#include "common/device_scope.cl"
#include "clprim/device/look_back.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/tile_by_masks.cl"
#include "radix_sort/parts/scatter.cl"
#include "radix_sort/parts/pass.cl"
#include "radix_sort/parts/status.cl"

#if !CLPRIM_FORWARD_PROGRESS
/* PoCL 3.1 leaves out loops that only some work-items enter, if they are in a loop with barriers: all enter each loop
 * here, and take as many turns. */
#define FOR_OWN_DIGITS(digit)                                                                                          \
    for (uint digit = (uint)get_local_id(0), turns = 0; turns < (RADIX + GROUP_SIZE - 1) / GROUP_SIZE;                 \
         turns++, digit += GROUP_SIZE)                                                                                 \
        if (digit < RADIX)

typedef struct {
    __global STATUS *status;
    volatile __global uint *totals;
    uint tile, turn;
    COUNT begin;           /* where tile 0 begins in the array */
    __local uint *ends;    /* of each digit, the tiles from there on are in its offset; 0: all that is before */
    __local uint *missing; /* the largest of these, for three looks in turn, so that each takes one barrier */
} status_look;

/* Look on from where digits end, of which the largest is `end`, until all is found or nothing was found in
 * CLPRIM_LOOK_BACK_LOOKS + 1 looks in a row, of which so many are made. Returns where they end then. looked counts all
 * looks of the group. */
ALWAYS_INLINE uint look_for_digits(const pass_memory *m, const status_look *look, uint end, uint looks, uint *looked)
{
    while (end > 0 && looks <= CLPRIM_LOOK_BACK_LOOKS) {
        FOR_OWN_DIGITS(digit)
        {
            STATUS before = 0;
            const uint then = look_at_status(look->status + digit, look->ends[digit], look->turn, &before);
            m->offsets[digit] += (COUNT)before;
            look->ends[digit] = then;
            if (then > 0)
                (void)atomic_max(look->missing + *looked % 3, then);
        }
        if (get_local_id(0) == 0)
            look->missing[(*looked + 1) % 3] = 0;
        barrier(CLK_LOCAL_MEM_FENCE); /* what is missing */
        const uint then = look->missing[*looked % 3];
        looks = then < end ? 0 : looks + 1;
        end = then;
        *looked += 1;
    }
    return end;
}

/* Tile `at` has `count` keys of the digit. That of tile 0 begins with all that have smaller digits. */
ALWAYS_INLINE void bring_digit(const pass_memory *m, const status_look *look, uint digit, uint at, uint count)
{
    COUNT before = count;
    uint smaller = 0;
    do
        before += at == 0 && smaller < digit ? look->totals[smaller] : 0;
    while (++smaller < (at == 0 ? RADIX : 1));
    STATUS_OFFER(look->status + (size_t)at * RADIX + digit, look->turn, STATUS_OF(look->turn, at == 0 ? 1 : 0, before));
    if (look->ends[digit] == at + 1) {
        m->offsets[digit] += before;
        look->ends[digit] = at;
    }
}

ALWAYS_INLINE void find_before(const pass_memory *m, const status_look *look, const route *r, uint shift)
{
    const uint lid = (uint)get_local_id(0);
    uint looked = 0;
    if (lid < 3)
        look->missing[lid] = 0;
    FOR_OWN_DIGITS(digit)
    {
        if (look->tile > 0)
            m->offsets[digit] = 0;
        look->ends[digit] = look->tile;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* nothing is missing yet; the table is free */
    uint end = look_for_digits(m, look, look->tile, CLPRIM_LOOK_BACK_LOOKS == 0 ? 1 : 0, &looked);
    while (end > 0) {
        const uint at = end - 1;
        const ulong first = (ulong)look->begin + (ulong)at * TILE;
        FOR_OWN_DIGITS(digit)
        {
            m->table[digit] = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);                 /* the counters are 0 */
        for (uint i = lid; i < TILE; i += GROUP_SIZE) /* others come behind it: it is whole */
            (void)atomic_inc(m->table + digit_of(image_at(r->keys_from, first, i, TILE, r->is_first), shift));
        barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
        FOR_OWN_DIGITS(digit)
        {
            bring_digit(m, look, digit, at, m->table[digit]);
        }
        end = look_for_digits(m, look, at, 0, &looked);
    }
}
#endif
