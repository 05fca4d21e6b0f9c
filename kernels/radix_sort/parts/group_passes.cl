// SPDX-License-Identifier: MIT
/* group_passes.cl: sorts all keys that a work-group holds, within local memory. In each pass, keys go from registers to
 * local memory, in the order of one digit, and back.
 *
 *     sort_by_passes(images, origins, &memory, items, end, by_ballots)
 *                                                                     all passes, but those by bits from `end` on, in
 *                                                                     which no keys differ; the result is in registers
 *                                                                     and in local memory
 *     is_sorted_by_passes(images, origins, &memory, items)            whether it is sorted; the same for the whole
 *                                                                     group; with RETURNS_RANKS
 *
 * Each work-item has `items` keys, at most ITEMS, at SPREAD_INDEX(j, items); after the last key come LAST_IMAGEs.
 * `origins` are the keys' places before the first pass. They are moved only if there are values.
 *
 * With RETURNS_RANKS, atomics return the ranks of a pass when they count its digits. This is stable if
 * local atomics serve the lanes of a sub-group in their order, which no specification promises. Nothing has left the
 * group before the last pass, so one check at the end is enough: keys are in order, and keys with the same sorted bits
 * are in the order in which they came (without values such keys are identical, so their order does not matter). If not,
 * the caller sorts again by ballots. */
#include "common/kernel.h"
#include "radix_sort/modes.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"

/* The index of a work-item's j-th key. */
#if RANK_BY == RANK_BY_ITEM
#define SPREAD_FIRST(items) ((uint)get_local_id(0) * (items))
#else
#define SPREAD_FIRST(items) ((uint)get_local_id(0) / 32 * (32 * (items)) + (uint)get_local_id(0) % 32)
#endif
#define SPREAD_INDEX(j, items) (SPREAD_FIRST(items) + (j)*TILE_STEP)

#define RETURNS_RANKS                                                                                                  \
    ((RANK_BY == RANK_BY_BALLOTS || RANK_BY == RANK_BY_CHECKED) &&                                                     \
     (VALUE_SIZE > 0 || (BEGIN_BIT == 0 && END_BIT == KEY_BITS)))

/* Local memory: a tile of keys, and with values one of origins; the rest is for tile.cl. */
typedef struct {
    __local KEY *keys;
    __local ushort *origins;
    __local uint *table;
    __local uint *begins;
    __local uint *sums;
} passes_memory;

#if RETURNS_RANKS
/* A key's rank among its owner's keys of the digit, from the count. */
ALWAYS_INLINE uint count_and_rank(__local uint *table, KEY image, uint shift)
{
    return atomic_inc(OWN_TABLE(table) + digit_of(image, shift));
}
#endif

ALWAYS_INLINE void sort_by_passes(KEY *images, ushort *origins, const passes_memory *m, uint items, uint end,
                                  bool by_ballots)
{
    for (uint pass = 0; pass < PASSES && (pass == 0 || shift_of(pass) < end); pass++) {
        const uint shift = shift_of(pass);
        tile_clear(m->table);
        barrier(CLK_LOCAL_MEM_FENCE); /* wait until the table is empty */
#if RETURNS_RANKS
        uint ranks[ITEMS];
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            if (j < items)
                ranks[j] = count_and_rank(m->table, images[j], shift);
#else
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            if (j < items)
                tile_count_one(m->table, images[j], shift);
#endif
        barrier(CLK_LOCAL_MEM_FENCE); /* wait until all is counted */
        tile_begins(m->table, m->begins, m->sums, tile_own_count(m->table));
        barrier(CLK_LOCAL_MEM_FENCE); /* wait for the table; all have read what was staged before */
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            if (j < items) {
#if RETURNS_RANKS
                const uint place = by_ballots ? tile_place_by_ballots(m->table, images[j], shift)
                                              : OWN_TABLE(m->table)[digit_of(images[j], shift)] + ranks[j];
#else
                const uint place = tile_place(m->table, images[j], shift);
#endif
                m->keys[place] = images[j];
                if (VALUE_SIZE > 0)
                    m->origins[place] = origins[j];
            }
        barrier(CLK_LOCAL_MEM_FENCE); /* wait until the keys are in order */
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            if (j < items) {
                images[j] = m->keys[SPREAD_INDEX(j, items)];
                if (VALUE_SIZE > 0)
                    origins[j] = m->origins[SPREAD_INDEX(j, items)];
            }
    }
}

#if RETURNS_RANKS
/* How many of the work-item's keys are in the wrong order with the next key. */
ALWAYS_INLINE uint passes_errors(const KEY *images, const ushort *origins, const passes_memory *m, uint items)
{
    uint errors = 0;
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (j < items) {
            const uint next = min(SPREAD_INDEX(j, items) + 1, GROUP_SIZE * items - 1);
            const KEY own_bits = (KEY)((images[j] & SORTED_BITS) >> BEGIN_BIT);
            const KEY next_bits = (KEY)((m->keys[next] & SORTED_BITS) >> BEGIN_BIT);
            errors +=
                own_bits > next_bits || (VALUE_SIZE > 0 && own_bits == next_bits && origins[j] > m->origins[next]);
        }
    return errors;
}

ALWAYS_INLINE bool is_sorted_by_passes(const KEY *images, const ushort *origins, const passes_memory *m, uint items)
{
    if (get_local_id(0) == 0)
        m->sums[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until the number of errors is 0 */
    const uint errors = passes_errors(images, origins, m, items);
    if (errors != 0)
        (void)atomic_add(m->sums, errors);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for all errors */
    return m->sums[0] == 0;
}
#endif
