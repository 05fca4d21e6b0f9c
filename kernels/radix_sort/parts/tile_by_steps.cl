/* tile_by_steps.cl: what tile.cl has with RANK_BY_STEPS: a tile is sorted within local memory, without sub-groups and
 * without atomics.
 *
 *     tile_sort(staged, table, images, shift, sums)    the keys, in the order of the digit, in `staged`; in the table,
 *                                                      cleared before, where each digit that is there begins and ends
 *
 * with barriers, and one behind it. The digit has two halves of 4 bits, one for each of two stable steps, the lower one
 * first. In a step each work-item has consecutive keys, and counters of its own for the 16 values of the half: so many
 * fit. What the counters become by a scan, digit by digit, are the places of the keys. So no two work-items meet in a
 * word, whatever the keys are; only where a key goes depends on it.
 *
 * Two counters of 16 bits share a word: those of a work-item of the first half of the group and of one of the second,
 * so that neighbours have different words. One scan of words adds up both.
 * Parameters: empty but for RANK_BY_STEPS; keys without values; an odd number of ITEMS, so that neighbours that read
 * their keys meet in no bank. Source: the packed counters of Merrill and Grimshaw 2011. */
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

/* The work-item's counter of the step's value 0; those of the other values follow, a row of all work-items' each. */
ALWAYS_INLINE __local ushort *step_counters(__local uint *table)
{
    const uint lid = (uint)get_local_id(0);
    return (__local ushort *)STEP_COUNTERS(table) + lid % STEP_WORDS * 2 + lid / STEP_WORDS;
}

/* Where in these the counter of a key's value is, in the step that begins at `bit` of the digit. */
static inline uint step_counter(KEY image, uint shift, uint bit)
{
    return (digit_of(image, shift) >> bit) % STEP_VALUES * GROUP_SIZE;
}

/* Each counter becomes the place of the first key that it counted. A work-item has 8 words, and a value those of 16
 * work-items, which are a row of values_before. */
ALWAYS_INLINE void step_places(__local uint *table, __local uint *sums)
{
    const uint lid = (uint)get_local_id(0);
    __local uint4 *own = (__local uint4 *)STEP_COUNTERS(table) + lid * 2;
    const uint turned = lid / 4 % 2; /* of eight neighbours four begin with the second half: no bank conflicts */
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
        barrier(CLK_LOCAL_MEM_FENCE); /* the keys in the order of the step before */
        const uint to_count = *shift; /* read anew, as in pass.cl */
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            images[j] = own[j];
            counters[step_counter(images[j], to_count, bit)] += 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
        step_places(table, sums);     /* with barriers */
        barrier(CLK_LOCAL_MEM_FENCE); /* the places */
        const uint to_place = *shift;
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            const uint at = step_counter(images[j], to_place, bit);
            const ushort place = counters[at];
            counters[at] = place + 1;
            staged[place] = images[j];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the keys in the order of the digit */
    const uint to_compare = *shift;
    const uint known = digit_of(staged[lid > 0 ? lid * ITEMS - 1 : 0], to_compare);
    uint before = lid > 0 ? known : RADIX; /* none: what is written for it is a counter, which nobody reads */
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
