// SPDX-License-Identifier: MIT
/* scatter.cl: moves a tile that tile.cl has ranked, through local memory to the output.
 *
 *     tile_stage_keys(staged, &places, table, images, shift)           the keys to local memory, in order
 *     tile_scatter(route, first, valid, shift, staged, &places, offsets)   from there to the output, with their values
 *     tile_copy(route, first, valid)                                   the same where all keys have the same digit
 *     tile_move(route, first, valid, shift, staged, sources, offsets)      the same by the keys' places in the tile */
#include "common/kernel.h"
#include "radix_sort/modes.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/tile_by_masks.cl"

/* Local memory in which the tile is ordered, first its keys, then its values; in units of 16 bytes. */
#define LARGER_SIZE  (VALUE_SIZE > KEY_BITS / 8 ? VALUE_SIZE : KEY_BITS / 8)
#define STAGED_WORDS ((TILE * LARGER_SIZE + 15) / 16)

/* Whether the order of atomics is checked by sources: keys' former places in the tile (checked.cl). */
#define HAS_SOURCES (VALUE_SIZE > 0 || BEGIN_BIT != 0 || END_BIT != KEY_BITS || KEY_BITS == 128)
/* Whether keys are first ranked by what atomics return; without sub-groups, before they are ranked by masks. */
#define MASKS_AFTER_ATOMICS (RANK_BY == RANK_BY_MASKS && !HAS_SOURCES)
#define TRIES_ATOMICS       (RANK_BY == RANK_BY_CHECKED || MASKS_AFTER_ATOMICS)

/* The places of a work-item's keys, two per word, kept until their values follow. */
#if VALUE_SIZE
typedef struct {
    uint pairs[(ITEMS + 1) / 2];
} places_of_items;
#else
typedef uint places_of_items; /* not needed */
#endif

/* Write the keys to local memory, in order. */
ALWAYS_INLINE void tile_stage_keys(__local KEY *staged, places_of_items *places, __local uint *table, const KEY *images,
                                   uint shift)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        const uint place = tile_place(table, images[j], shift);
        staged[place] = images[j];
#if VALUE_SIZE
        places->pairs[j / 2] = j % 2 == 0 ? place : places->pairs[j / 2] | place << 16;
#endif
    }
}

/* How many keys of the tile have a digit, without the images that fill up the tile. */
static inline uint without_fillers(uint count, uint digit, uint valid, uint shift)
{
    return count - (digit == digit_of(LAST_IMAGE, shift) ? TILE - valid : 0);
}

static inline uint digit_count(const __local uint *begins, uint digit, uint valid, uint shift)
{
    return without_fillers(begins[digit + 1] - begins[digit], digit, valid, shift);
}

/* The key that is written: an image for the next pass, or a key after the last pass. */
static inline KEY leaving(const route *r, KEY image)
{
    return HAS_IMAGES && r->is_last ? key_of(image) : image;
}

/* BOUNDED: if offsets do not ascend, segments overlap, and elements may differ from those that were counted. Nothing is
 * written after r->last. */
#ifdef BOUNDED
#define GOAL(r, goal) min((COUNT)(goal), (r)->last)
#else
#define GOAL(r, goal) ((COUNT)(goal))
#endif

/* Write the staged elements to offsets[digit] + their places. is_whole: valid is TILE, and this is known at compile
 * time. */
ALWAYS_INLINE void scatter_keys(uint *digits, const route *r, bool is_whole, uint valid, uint shift,
                                const __local KEY *keys, const __local COUNT *offsets)
{
    const uint lid = (uint)get_local_id(0);
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        const uint place = j * GROUP_SIZE + lid;
        const KEY image = keys[place];
        const uint digit = digit_of(image, shift);
        if (is_whole || place < valid)
            r->keys_to[GOAL(r, offsets[digit] + place)] = leaving(r, image);
#if VALUE_SIZE
        digits[j / 4] = j % 4 == 0 ? digit : digits[j / 4] | digit << j % 4 * 8;
#endif
    }
}

#if VALUE_SIZE
/* first: the tile's place in the array. */
ALWAYS_INLINE void scatter_values(const route *r, ulong first, bool is_whole, uint valid, __local VALUE *values,
                                  const uint *digits, const places_of_items *places, const __local COUNT *offsets)
{
    const uint lid = (uint)get_local_id(0);
    const __local VALUE *own = values + lid;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until the keys are gone: room for the values */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (is_whole || TILE_INDEX(j) < valid)
            values[places->pairs[j / 2] >> j % 2 * 16 & 0xffff] = value_from(r, first + TILE_FIRST, j * TILE_STEP);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until the values are in order */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        const uint place = j * GROUP_SIZE + lid;
        if (is_whole || place < valid)
            r->values_to[GOAL(r, offsets[digits[j / 4] >> j % 4 * 8 & 0xff] + place)] = own[j * GROUP_SIZE];
    }
}
#endif

/* Write the staged keys, and after them their values, to the output. */
ALWAYS_INLINE void tile_scatter(const route *r, ulong first, uint valid, uint shift, __local uint4 *words,
                                const places_of_items *places, const __local COUNT *offsets)
{
    uint digits[(ITEMS + 3) / 4]; /* of the elements at the work-item's places, four per word */
    if (valid == TILE) {
        scatter_keys(digits, r, true, TILE, shift, (const __local KEY *)words, offsets);
#if VALUE_SIZE
        scatter_values(r, first, true, TILE, (__local VALUE *)words, digits, places, offsets);
#endif
    } else {
        scatter_keys(digits, r, false, valid, shift, (const __local KEY *)words, offsets);
#if VALUE_SIZE
        scatter_values(r, first, false, valid, (__local VALUE *)words, digits, places, offsets);
#endif
    }
}

/* All keys have the pass's digit, so they keep their order. */
ALWAYS_INLINE void tile_copy(const route *r, ulong first, uint valid)
{
    KEY images[ITEMS];
    tile_load(images, r->keys_from, first, valid, r->is_first);
    tile_turn(images, r->is_first);
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (TILE_INDEX(j) < valid)
            r->keys_to[first + TILE_INDEX(j)] = leaving(r, images[j]);
#if VALUE_SIZE
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (TILE_INDEX(j) < valid)
            r->values_to[first + TILE_INDEX(j)] = value_from(r, first + TILE_FIRST, j * TILE_STEP);
#endif
}

ALWAYS_INLINE void tile_move(const route *r, ulong first, uint valid, uint shift, const __local KEY *staged,
                             const __local ushort *sources, const __local COUNT *offsets)
{
    const __local KEY *own = staged + get_local_id(0); /* the offsets are constant, and cost no instructions */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        const uint place = j * GROUP_SIZE + (uint)get_local_id(0);
        if (place < valid) {
            const KEY image = own[j * GROUP_SIZE];
            const COUNT to = (COUNT)(offsets[digit_of(image, shift)] + place);
            r->keys_to[to] = leaving(r, image);
#if VALUE_SIZE
            r->values_to[to] = value_from(r, first + sources[place], 0);
#endif
        }
    }
}
