// SPDX-License-Identifier: MIT
/* checked.cl: ranks the keys of a tile by the results of local atomics, checks the order before anything leaves the
 * group, and moves one digit at a time.
 *
 *     tile_stage(staged, sources, &places, table, images, shift)     keys to local memory, in the order of the atomics
 *     tile_stage_skewed(..., frequent, second)                       the same, if many keys have the same digit
 *     wrong = tile_errors(staged, sources, begins, shift, lowest)    a work-item's part of a sum, which is 0 if the
 *                                                                    order is right by all bits from `lowest` to those
 *                                                                    of the digit
 *     tile_stage_by_ballots(staged, sources, table, route, first, valid, shift)
 *                                                                    keys to local memory, in the right order whatever
 *                                                                    atomics do
 *     tile_move_rows(route, first, staged, &places, begins, offsets) whole tiles of tile_stage to the output, with ROWS
 *
 *     tile_stage_by_atomics(staged, table, images, valid, shift)     as tile_stage, without sub-groups
 *     tile_stage_by_masks                                            as tile_stage_by_ballots, likewise
 *
 * There must be a barrier between any two of these; `staged` holds keys in units of 16 bytes.
 *
 * Keys with the same digit must stay in order. If keys have no values and all their bits are sorted, their lower bits
 * show this: these were sorted before. Keys with equal lower bits are either ordered by later passes, or identical.
 * Otherwise, and for keys of 128 bits, `sources` has each key's former place in the tile.
 *
 * With ROWS, each sub-group moves one digit after the other, in rows that begin at cache lines, so that each store
 * writes to one line. This requires digits with more keys than a line has.
 *
 * Parameters: empty except with RANK_BY_CHECKED, and with RANK_BY_MASKS for keys that need no sources. */
#include "common/kernel.h"
#include "radix_sort/modes.h"
#include "common/subgroup.cl"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/tile_by_masks.cl"
#include "radix_sort/parts/scatter.cl"

#define LOADED_AT_ONCE 8 /* keys, before the barriers of ranking them again */

#if RANK_BY == RANK_BY_CHECKED
#if HAS_SOURCES && TILE > 65535
#error "places in a tile are kept in 16 bits"
#endif

#define LINE       128 /* bytes of a cache line */
#define ROWS       (TILE / RADIX * (KEY_BITS / 8) > LINE * 5 / 4)
#define USUAL_ROWS ((TILE / RADIX * 5 / 4 + 16 + 31) / 32)

ALWAYS_INLINE void tile_stage(__local KEY *staged, __local ushort *sources, places_of_items *places,
                              __local uint *table, const KEY *images, uint shift)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        const uint place = tile_place(table, images[j], shift);
        staged[place] = images[j];
#if HAS_SOURCES
        sources[place] = (ushort)TILE_INDEX(j);
#endif
#if VALUE_SIZE
        places->pairs[j / 2] = j % 2 == 0 ? place : places->pairs[j / 2] | place << 16;
#endif
    }
}

/* For a tile in which one or two digits are frequent. Atomics on the same word wait for each other, so the lanes that
 * have these digits find each other by one ballot per digit. frequent: each digit, with its count in the higher bits,
 * or 0. */
ALWAYS_INLINE void tile_stage_skewed(__local KEY *staged, __local ushort *sources, places_of_items *places,
                                     __local uint *table, const KEY *images, uint shift, uint frequent, uint second)
{
    const uint below = (1u << (uint)get_local_id(0) % 32) - 1;
    const uint digit_a = frequent % RADIX;
    const uint digit_b = second != 0 ? second % RADIX : RADIX; /* no digit */
    uint next_a = OWN_TABLE(table)[digit_a];
    uint next_b = OWN_TABLE(table)[digit_b % RADIX];
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        const uint digit = digit_of(images[j], shift);
        const uint with_a = clprim_sub_group_ballot(digit == digit_a).x;
        const uint with_b = clprim_sub_group_ballot(digit == digit_b).x;
        uint place = digit == digit_a ? next_a + popcount(with_a & below) : next_b + popcount(with_b & below);
        if (digit != digit_a && digit != digit_b)
            place = tile_place(table, images[j], shift);
        next_a += popcount(with_a);
        next_b += popcount(with_b);
        staged[place] = images[j];
#if HAS_SOURCES
        sources[place] = (ushort)TILE_INDEX(j);
#endif
#if VALUE_SIZE
        places->pairs[j / 2] = j % 2 == 0 ? place : places->pairs[j / 2] | place << 16;
#endif
    }
}

/* It is rarely needed, so it should not cost registers elsewhere: it reads the keys from global memory. */
ALWAYS_INLINE void tile_stage_by_ballots(__local KEY *staged, __local ushort *sources, __local uint *table,
                                         const route *r, ulong first, uint valid, uint shift)
{
    for (uint from = 0; from < ITEMS; from += LOADED_AT_ONCE) {
        KEY images[LOADED_AT_ONCE];
#pragma unroll
        for (uint k = 0; k < LOADED_AT_ONCE; k++)
            images[k] =
                from + k < ITEMS ? image_at(r->keys_from, first, TILE_INDEX(from + k), valid, r->is_first) : LAST_IMAGE;
#pragma unroll
        for (uint k = 0; k < LOADED_AT_ONCE; k++) {
            if (from + k >= ITEMS)
                continue;
            const uint place = tile_place_by_ballots(table, images[k], shift);
            staged[place] = images[k];
#if HAS_SOURCES
            sources[place] = (ushort)TILE_INDEX(from + k);
#endif
        }
    }
}

/* Stage the tile again after a wrong order. */
ALWAYS_INLINE void tile_stage_again(__local KEY *staged, __local ushort *sources, __local uint *table,
                                    __local uint *begins, __local uint *sums, const route *r, ulong first, uint valid,
                                    uint shift)
{
    tile_clear(table);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until the table is empty */
#pragma unroll 8
    for (uint j = 0; j < ITEMS; j++) {
        const KEY image = image_at(r->keys_from, first, TILE_INDEX(j), valid, r->is_first);
        (void)atomic_inc(OWN_TABLE(table) + digit_of(image, shift));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until all is counted */
    tile_begins(table, begins, sums, tile_own_count(table));
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the table */
    tile_stage_by_ballots(staged, sources, table, r, first, valid, shift);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the staged keys */
}
#endif

#if TRIES_ATOMICS
#if HAS_SOURCES
#define SEEN 8 /* at once */
/* Sources ascend, except at the beginning of a digit: count the descents, and subtract the allowed ones. */
ALWAYS_INLINE uint tile_errors(const __local KEY *staged, const __local ushort *sources, const __local uint *begins,
                               uint shift, uint lowest)
{
    const uint lid = (uint)get_local_id(0);
    uint errors = 0;
#pragma unroll
    for (uint j = 0; j < (ITEMS + SEEN - 1) / SEEN; j++) {
        const uint i = j * GROUP_SIZE + lid;
        if (i < TILE / SEEN) {
            const uint4 seen = ((const __local uint4 *)sources)[i];
            const uint next = sources[min(i * SEEN + SEEN, TILE - 1u)];
            errors += ((seen.x & 0xffff) > seen.x >> 16) + (seen.x >> 16 > (seen.y & 0xffff));
            errors += ((seen.y & 0xffff) > seen.y >> 16) + (seen.y >> 16 > (seen.z & 0xffff));
            errors += ((seen.z & 0xffff) > seen.z >> 16) + (seen.z >> 16 > (seen.w & 0xffff));
            errors += ((seen.w & 0xffff) > seen.w >> 16) + (seen.w >> 16 > next);
        }
    }
    const uint begin = lid < RADIX ? begins[lid] : 0;
    if (begin > 0 && begin < begins[lid + 1])
        errors -= sources[begin - 1] > sources[begin];
    return errors;
}
#else
#if KEY_BITS == 32
#define SEEN      4
#define SEEN_TYPE uint4
#elif KEY_BITS == 64
#define SEEN      2
#define SEEN_TYPE ulong2
#else
#define SEEN      1
#define SEEN_TYPE KEY
#endif
/* Check that keys with the same digit, and all others, are in the order of the digit and the bits below it. */
ALWAYS_INLINE uint tile_errors(const __local KEY *staged, const __local ushort *sources, const __local uint *begins,
                               uint shift, uint lowest)
{
    const uint above = KEY_BITS - DIGIT_BITS - shift;
    const KEY compared = LAST_IMAGE << (above + lowest);
    uint errors = 0;
#define IS_AFTER(image, next) ((KEY)((image) << above & compared) > (KEY)((next) << above & compared))
#if RANK_BY == RANK_BY_MASKS && KEY_BITS <= 32 && ITEMS % 2 == 1 /* consecutive keys are in different banks */
    const uint begin = (uint)get_local_id(0) * ITEMS;
    KEY image = staged[begin];
#pragma unroll
    for (uint j = 1; j <= ITEMS; j++) {
        const KEY next = staged[j < ITEMS ? begin + j : min(begin + ITEMS, TILE - 1u)];
        errors += IS_AFTER(image, next);
        image = next;
    }
#else
#pragma unroll
    for (uint j = 0; j < (ITEMS + SEEN - 1) / SEEN; j++) {
        const uint i = j * GROUP_SIZE + (uint)get_local_id(0);
        if (i < TILE / SEEN) {
            const SEEN_TYPE seen = ((const __local SEEN_TYPE *)staged)[i];
            const KEY next = staged[min(i * SEEN + SEEN, TILE - 1u)];
#if SEEN == 4
            errors +=
                IS_AFTER(seen.x, seen.y) | IS_AFTER(seen.y, seen.z) | IS_AFTER(seen.z, seen.w) | IS_AFTER(seen.w, next);
#elif SEEN == 2
            errors += IS_AFTER(seen.x, seen.y) | IS_AFTER(seen.y, next);
#else
            errors += IS_AFTER(seen, next);
#endif
        }
    }
#endif
    return errors;
}
#endif
#endif

#if MASKS_AFTER_ATOMICS
/* All keys have the same digit. */
ALWAYS_INLINE void tile_stage_as_it_is(__local KEY *staged, const KEY *images)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        staged[TILE_INDEX(j)] = images[j];
}

/* Images that fill up the tile have no atomics, so they come last in any order: they stay where they are, at the end of
 * the tile. is_whole: there are none, and this is known at compile time. */
ALWAYS_INLINE void stage_by_atomics(__local KEY *staged, __local uint *table, const KEY *images, bool is_whole,
                                    uint valid, uint shift)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        uint place = TILE_INDEX(j);
        if (is_whole || place < valid)
            place = atomic_inc(OWN_TABLE(table) + digit_of(images[j], shift));
        staged[place] = images[j];
    }
}

ALWAYS_INLINE void tile_stage_by_atomics(__local KEY *staged, __local uint *table, const KEY *images, uint valid,
                                         uint shift)
{
    if (valid == TILE)
        stage_by_atomics(staged, table, images, true, TILE, shift);
    else
        stage_by_atomics(staged, table, images, false, valid, shift);
}

/* Like tile_stage_by_ballots. counts: the table must be counted again. */
ALWAYS_INLINE void tile_stage_by_masks(__local KEY *staged, __local uint *table, const __local uint *begins,
                                       const route *r, ulong first, uint valid, uint shift, bool counts)
{
    if (counts)
        tile_clear(table);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until the table is empty */
    for (uint j = 0; j < ITEMS && counts; j++)
        tile_count_one(table, image_at(r->keys_from, first, TILE_INDEX(j), valid, r->is_first), shift);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until all is counted */
    if (counts)
        masks_begin(table, begins[get_local_id(0) % RADIX]);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the table */
    for (uint j = 0; j < ITEMS; j++) {
        const KEY image = image_at(r->keys_from, first, TILE_INDEX(j), valid, r->is_first);
        staged[tile_place(table, image, shift)] = image;
    }
}
#endif

#if RANK_BY == RANK_BY_CHECKED
/* MOVE_ROWS(TYPE, to, from, LEAVING): moves each element of local memory, from `from` on, to to[offsets[digit] + its
 * place], as LEAVING(element). A digit rarely has more than USUAL_ROWS rows. */
#define ROW_BEGINS(size) (LINE / (size) < 32 ? LINE / (size) : 32) /* in elements */
#define MOVE_ROWS(TYPE, to, from, LEAVING)                                                                             \
    _Pragma("unroll 2") for (uint digit = (uint)get_local_id(0) / 32; digit < RADIX; digit += OWNERS)                  \
    {                                                                                                                  \
        const uint begin = begins[digit];                                                                              \
        const uint count = begins[digit + 1] - begin;                                                                  \
        __global TYPE *const first_to = (to) + (COUNT)(offsets[digit] + begin);                                        \
        const uint ahead = (uint)((ulong)first_to / sizeof(TYPE)) % ROW_BEGINS(sizeof(TYPE));                          \
        const int own = (int)((uint)get_local_id(0) % 32) - (int)ahead; /* negative: before the digit's first */       \
        __global TYPE *const own_to = first_to + own;                                                                  \
        const __local TYPE *const own_from = (from) + (int)begin + own;                                                \
        _Pragma("unroll") for (uint row = 0; row < USUAL_ROWS; row++) if ((uint)own + row * 32 < count)                \
            own_to[row * 32] = LEAVING(own_from[row * 32]);                                                            \
        for (uint row = USUAL_ROWS; own + (int)(row * 32) < (int)count; row++)                                         \
            own_to[row * 32] = LEAVING(own_from[row * 32]);                                                            \
    }
#define AS_IT_IS(it) (it)
#define AS_KEY(it)   key_of(it)

ALWAYS_INLINE void tile_move_rows(const route *r, ulong first, __local uint4 *words, const places_of_items *places,
                                  const __local uint *begins, const __local COUNT *offsets)
{
    const __local KEY *staged = (const __local KEY *)words;
    if (HAS_IMAGES && r->is_last) {
        MOVE_ROWS(KEY, r->keys_to, staged, AS_KEY)
    } else {
        MOVE_ROWS(KEY, r->keys_to, staged, AS_IT_IS)
    }
#if VALUE_SIZE
    __local VALUE *values = (__local VALUE *)words;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until the keys are gone: room for the values */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        values[places->pairs[j / 2] >> j % 2 * 16 & 0xffff] = value_from(r, first + TILE_FIRST, j * TILE_STEP);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until the values are in order */
    MOVE_ROWS(VALUE, r->values_to, values, AS_IT_IS)
#endif
}
#endif
