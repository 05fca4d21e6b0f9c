// SPDX-License-Identifier: MIT
/* tile_by_steps.cl: tile.cl with RANK_BY_STEPS: sorts a tile within local memory, without sub-groups and without
 * atomics.
 *
 *     tile_sort(staged, table, images, shift, sums)    sorts the keys by the digit into `staged`. The table must be
 *                                                      cleared before; it then has where each existing digit begins
 *                                                      and ends
 *
 * It has barriers, and needs one after it. The digit has two halves of 4 bits, one for each of two stable steps, the
 * lower one first. In a step, each work-item has consecutive keys, and its own counters for the 16 values of the half;
 * there is room for these. A scan of the counters, value by value, gives the places of the keys. So no two work-items
 * access the same word, for any keys; only where a key goes depends on it.
 *
 * Two counters of 16 bits share a word: one of a work-item in the first half of the group and one of a work-item in the
 * second, so that neighbours use different words. One scan of words adds up both.
 * Parameters: empty except with RANK_BY_STEPS; keys without values; an odd number of ITEMS, so that neighbours that
 * read their keys use different banks.
 * Source: the packed counters of Merrill and Grimshaw 2011. */
#include "common/kernel.h"
#include "radix_sort/modes.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/tile_by_masks.cl"

#if RANK_BY == RANK_BY_STEPS
#if VALUE_SIZE || DIGIT_BITS != 8 || GROUP_SIZE != 256 || ITEMS % 2 == 0
#error "keys without values, a work-item for each digit, and an odd number of keys"
#endif
#define STEP_BITS            4
#define STEP_VALUES          (1u << STEP_BITS)
#define STEP_COUNTERS(table) ((table) + COUNTERS_OF_OWNERS)

/* The work-item's counter of the step's value 0. The other values follow, each with a row of all work-items'
 * counters. */
ALWAYS_INLINE __local ushort *step_counters(__local uint *table)
{
    const uint lid = (uint)get_local_id(0);
    return (__local ushort *)STEP_COUNTERS(table) + lid % STEP_WORDS * 2 + lid / STEP_WORDS;
}

/* Where the counter of a key's value is, in the step that begins at `bit` of the digit. */
static inline uint step_counter(KEY image, uint shift, uint bit)
{
    return (digit_of(image, shift) >> bit) % STEP_VALUES * GROUP_SIZE;
}

/* Replace each counter by the place of the first key that it counted. A work-item has 8 words. A value has the words of
 * 16 work-items, which are a row of values_before. */
ALWAYS_INLINE void step_places(__local uint *table, __local uint *sums)
{
    const uint lid = (uint)get_local_id(0);
    __local uint4 *own = (__local uint4 *)STEP_COUNTERS(table) + lid * 2;
    const uint turned = lid / 4 % 2; /* of eight neighbours, four begin with the second half: no bank conflicts */
    const uint4 x = own[turned];
    const uint4 y = own[1 - turned];
    const uint4 a = turned ? y : x;
    const uint4 b = turned ? x : y;
    const uint4 both = a + b;
    const uint place = values_before(both.x + both.y + both.z + both.w, true, sums); /* with barriers */
    uint4 c, d;
    c.x = place;
    c.y = c.x + a.x;
    c.z = c.y + a.y;
    c.w = c.z + a.z;
    d.x = c.w + a.w;
    d.y = d.x + b.x;
    d.z = d.y + b.y;
    d.w = d.z + b.z;
    own[turned] = turned ? d : c;
    own[1 - turned] = turned ? c : d;
}

ALWAYS_INLINE void tile_sort(__local KEY *staged, __local uint *table, KEY *images, const __local uint *shift,
                             __local uint *sums)
{
    const uint lid = (uint)get_local_id(0);
    __local KEY *own = staged + lid * ITEMS;
    __local ushort *counters = step_counters(table);
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        staged[TILE_INDEX(j)] = images[j];
#pragma unroll
    for (uint bit = 0; bit < DIGIT_BITS; bit += STEP_BITS) {
#pragma unroll
        for (uint value = 0; value < STEP_VALUES; value++)
            counters[value * GROUP_SIZE] = 0;
        barrier(CLK_LOCAL_MEM_FENCE); /* wait until the keys are in the order of the previous step */
        const uint to_count = *shift; /* read again, as in pass.cl */
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            images[j] = own[j];
            counters[step_counter(images[j], to_count, bit)] += 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* wait until all is counted */
        step_places(table, sums);     /* with barriers */
        barrier(CLK_LOCAL_MEM_FENCE); /* wait for the places */
        const uint to_place = *shift;
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            const uint at = step_counter(images[j], to_place, bit);
            const ushort place = counters[at];
            counters[at] = place + 1;
            staged[place] = images[j];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until the keys are in the order of the digit */
    const uint to_compare = *shift;
    const uint known = digit_of(staged[lid > 0 ? lid * ITEMS - 1 : 0], to_compare);
    uint before = lid > 0 ? known : RADIX; /* none: its end goes to a counter that is no longer used */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        const uint digit = digit_of(own[j], to_compare);
        if (digit != before) {
            table[digit] = lid * ITEMS + j;
            table[RADIX + before] = lid * ITEMS + j;
        }
        before = digit;
    }
    if (lid == GROUP_SIZE - 1)
        table[RADIX + before] = TILE;
}
#endif
