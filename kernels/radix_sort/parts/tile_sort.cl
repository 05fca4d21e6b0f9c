// SPDX-License-Identifier: MIT
/* tile_sort.cl: sort the segments in a work-group's tile, within local memory.
 *
 *     TILE_MEMORY_HERE(segments, staged)                       the local memory m, in which `staged` has the keys
 *     load_segment(images, origins, keys, first, valid, items)
 *     sort_by_enumeration(images, origins, m, valid, items)    each key counts those before it in its segment
 *     sort_by_digit(images, origins, m, valid, pass)           one pass by a digit, with shuffles; all calls together
 *                                                              sort the tile
 *     write_tile(ARRAYS_HERE, images, origins, first, valid, items)
 *
 * The tile has `valid` elements. Each work-item has up to `items` of them in registers: ITEMS, or fewer if the tile is
 * not full, so that all work-items have some. LAST_IMAGE fills up the last ones. `origins` says where in the tile each
 * element was: that is where its value is, and its segment's number.
 * Parameters: keys.cl with COUNTED 0. */
#include "radix_sort/modes.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/tile_by_masks.cl"
#include "radix_sort/parts/ranked.cl"
#include "radix_sort/parts/group_passes.cl"

/* Whether a work-item has a j-th element, at SPREAD_INDEX(j, items). */
#define HAS_ITEM(j, items, valid) ((j) < (items) && SPREAD_INDEX(j, items) < (valid))

/* Has this work-item's sub-group any element of the tile? Those without need not count and place what fills it up. */
#define HAS_ITEMS(valid) ((uint)get_local_id(0) / 32 * (32 * ITEMS) < (valid))

/* What a tile needs in local memory beside its keys. */
typedef struct {
    __local KEY *keys;
    __local ushort *numbers; /* of each element's segment in the tile; once that is known, where the element was */
    __local ushort *places;  /* where an element goes, or which one was staged there */
    __local ushort *firsts;  /* of each segment, and behind the last one */
    __local uint *table;
    __local uint *begins;
    __local uint *sums;
} tile_memory;

/* In a kernel: tile_memory m, for a tile of at most so many segments. `staged` are at least KEY_WORDS words of 16
 * bytes. */
#define KEY_WORDS ((TILE * (KEY_BITS / 8) + 15) / 16)
#define TILE_MEMORY_HERE(segments, staged)                                                                             \
    __local uint table[TABLE];                                                                                         \
    __local uint begins[RADIX + 1];                                                                                    \
    __local uint sums[TILE_SUMS];                                                                                      \
    __local KEY *const keys = (__local KEY *)(staged);                                                                 \
    __local ushort numbers[TILE];                                                                                      \
    __local ushort places[TILE];                                                                                       \
    __local ushort firsts[(segments) + 1];                                                                             \
    const tile_memory m = {keys, numbers, places, firsts, table, begins, sums};

/* The tile is one segment, from `first` on. */
ALWAYS_INLINE void load_segment(KEY *images, ushort *origins, const __global KEY *from, ulong first, uint valid,
                                uint items)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        origins[j] = (ushort)SPREAD_INDEX(j, items);
        images[j] = key_of(LAST_IMAGE);
        if (HAS_ITEM(j, items, valid))
            images[j] = key_at(from, first, SPREAD_INDEX(j, items), true);
    }
    tile_turn(images, true);
}

/* Sort the only segment, which load_segment has loaded, by bits before `end`. If atomics turn out to have no order, it is
 * loaded again and sorted by ballots. */
ALWAYS_INLINE void sort_segment_by_passes(KEY *images, ushort *origins, const passes_memory *m,
                                          const __global KEY *from, ulong first, uint valid, uint items, uint end)
{
    sort_by_passes(images, origins, m, items, end, !RETURNS_RANKS);
#if RETURNS_RANKS
    if (!is_sorted_by_passes(images, origins, m, items)) {
        load_segment(images, origins, from, first, valid, items);
        sort_by_passes(images, origins, m, items, end, true);
    }
#endif
}

/* Each key counts the keys before it in its segment. The keys are in m->keys, and come out there; origins too. */
ALWAYS_INLINE void sort_by_enumeration(KEY *images, ushort *origins, const tile_memory *m, uint valid, uint items)
{
    const uint lid = (uint)get_local_id(0);
    for (uint i = lid; i < valid; i += GROUP_SIZE) {
        const KEY own = RANKED(m->keys[i]);
        const uint number = m->numbers[i];
        const uint end = m->firsts[number + 1];
        uint place = m->firsts[number];
        for (uint k = place; k < end; k++) {
            const KEY other = RANKED(m->keys[k]);
            place += (uint)(other < own) | ((uint)(other == own) & (uint)(k < i));
        }
        m->places[i] = (ushort)place;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all places are known: keys and numbers may be written over */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (HAS_ITEM(j, items, valid)) {
            const uint place = m->places[SPREAD_INDEX(j, items)];
            m->keys[place] = images[j];
            m->numbers[place] = (ushort)SPREAD_INDEX(j, items);
        }
    barrier(CLK_LOCAL_MEM_FENCE); /* the keys in their order */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (HAS_ITEM(j, items, valid)) {
            images[j] = m->keys[SPREAD_INDEX(j, items)];
            origins[j] = m->numbers[SPREAD_INDEX(j, items)];
        }
}

/* One pass over the tile: by a digit of the keys, or behind these of the segments' numbers. What fills up the tile
 * stays behind everything, since it came last and has the greatest digits. */
ALWAYS_INLINE void sort_by_digit(KEY *images, ushort *origins, const tile_memory *m, uint valid, uint pass)
{
    const bool by_number = pass >= PASSES;
    const uint shift = by_number ? 0 : shift_of(pass);
    KEY digits[ITEMS]; /* what has the digit at its shift */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        digits[j] = by_number ? (KEY)(m->numbers[origins[j]] >> (pass - PASSES) * DIGIT_BITS) : images[j];
    tile_clear(m->table);
    barrier(CLK_LOCAL_MEM_FENCE); /* the table is empty */
    if (HAS_ITEMS(valid)) {
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            tile_count_one(m->table, digits[j], shift);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    tile_begins(m->table, m->begins, m->sums, tile_own_count(m->table));
    barrier(CLK_LOCAL_MEM_FENCE); /* the table; all have read what was staged before */
    if (HAS_ITEMS(valid)) {
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            const uint place = tile_place(m->table, digits[j], shift);
            m->keys[place] = images[j];
            m->places[place] = origins[j];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the keys in their order */
    if (HAS_ITEMS(valid)) {
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            images[j] = m->keys[TILE_INDEX(j)];
            origins[j] = m->places[TILE_INDEX(j)];
        }
    }
}

/* Write the sorted tile, which was read from `first` on, to the same place of the outputs. */
ALWAYS_INLINE void write_tile(sorted_arrays a, const KEY *images, const ushort *origins, ulong first, uint valid,
                              uint items)
{
#if VALUE_SIZE
    VALUE values[ITEMS];
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (HAS_ITEM(j, items, valid)) {
#if INDICES
            values[j] = (VALUE)(first + origins[j]);
#else
            values[j] = a.values_in[first + origins[j]];
#endif
        }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* all values are read: they may be where they go */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (HAS_ITEM(j, items, valid))
            a.values_out[first + SPREAD_INDEX(j, items)] = values[j];
#endif
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (HAS_ITEM(j, items, valid))
            a.keys_out[first + SPREAD_INDEX(j, items)] = key_of(images[j]);
}
