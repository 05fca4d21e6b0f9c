// SPDX-License-Identifier: MIT
/* tile.cl: sort a work-group's tile of keys by one digit, within local memory.
 *
 *     tile_clear(table)
 *     tile_load(images, keys, first, valid, are_keys)
 *     tile_turn(images, are_keys)                  the two load the tile's keys, from `first` on, as images
 *     tile_count(table, images, shift)             count how many keys of each digit each owner has; tile_count_one
 *                                                  adds one key
 *     count = tile_own_count(table)                the count of the digit with the work-item's number (by sub-groups)
 *     tile_begins(table, begins, sums, count)      where each digit begins in the tile, and in begins[RADIX] the tile's
 *                                                  size; in the table, where each owner's keys of each digit begin
 *     place = tile_place(table, image, shift)      the place of one of the work-item's keys, which must be passed in
 *                                                  order, because the table counts them
 *
 * There must be a barrier between any two of these. An owner has consecutive keys of the tile. With RANK_BY_...
 *   ITEM     each work-item is an owner: no atomics and no sub-groups; this requires small digits
 *   BALLOTS  each sub-group is an owner: lanes with the same digit find each other by ballots
 *   CHECKED  the same, but atomics return the places. This is stable if local atomics serve the lanes of a sub-group in
 *            order. No specification guarantees this, so checked.cl checks the result, and if it is wrong, the tile is
 *            sorted again by ballots.
 *   MASKS    every 32 work-items are an owner, without sub-groups (tile_by_masks.cl): tile_place has barriers. Keys
 *            without values that are sorted by all bits are first ranked as with CHECKED
 *
 * Parameters: GROUP_SIZE, ITEMS keys per work-item; with sub-groups, subgroup.cl by PTX, and GROUP_SIZE a multiple of
 * 32 and at least RADIX.
 * Source: Satish, Harris, Garland 2009; Merrill and Grimshaw 2011; Adinets and Merrill 2022. */
#include "common/kernel.h"
#include "radix_sort/modes.h"
#include "common/subgroup.cl"
#include "clprim/device/work_group_scan.h"
#include "radix_sort/parts/keys.cl"

#if !defined(RANK_BY) || !defined(ITEMS) || !defined(GROUP_SIZE)
#error "RANK_BY, ITEMS and GROUP_SIZE must be given"
#endif
#if RANK_BY > RANK_BY_ITEM && (GROUP_SIZE % 32 != 0 || GROUP_SIZE >> DIGIT_BITS == 0)
#error "a group must consist of whole owners and have a work-item for each digit"
#endif

#define TILE (GROUP_SIZE * ITEMS)

/* The index in the tile of a work-item's j-th key; where its owner counts digit 0, and the distance between digits. */
#if RANK_BY == RANK_BY_ITEM
#define OWNERS           GROUP_SIZE
#define TILE_FIRST       ((uint)get_local_id(0) * ITEMS)
#define TILE_STEP        1
#define OWN_TABLE(table) ((table) + get_local_id(0))
#define OWN_STRIDE       GROUP_SIZE
#else
#define OWNERS           (GROUP_SIZE / 32)
#define TILE_FIRST       ((uint)get_local_id(0) / 32 * (32 * ITEMS) + (uint)get_local_id(0) % 32)
#define TILE_STEP        32
#define OWN_TABLE(table) ((table) + get_local_id(0) / 32 * RADIX)
#define OWN_STRIDE       1
#endif
#if RANK_BY == RANK_BY_MASKS
#define TILE_SUMS (RADIX + RADIX / 16)
#else
CLPRIM_WORK_GROUP_SCAN(clprim__digits, uint, a + b, 0, GROUP_SIZE)
#define TILE_SUMS (sizeof(clprim__digits_memory) / sizeof(uint))
/* The sum of the values of all earlier work-items. */
ALWAYS_INLINE uint sum_before(uint value, __local uint *sums)
{
    uint all;
    return clprim__digits_exclusive(value, &all, (__local clprim__digits_memory *)sums);
}
#endif
#define TILE_INDEX(j)      (TILE_FIRST + (j)*TILE_STEP)
#define COUNTERS_OF_OWNERS (OWNERS * RADIX)
#if RANK_BY == RANK_BY_MASKS /* the counters become masks; places of 16 bits follow them */
#define TABLE            (COUNTERS_OF_OWNERS / 2 * 3)
#define PLACES_IN(table) ((__local ushort *)((table) + COUNTERS_OF_OWNERS))
#else
#define TABLE COUNTERS_OF_OWNERS
#endif

ALWAYS_INLINE void tile_clear(__local uint *table)
{
    for (uint i = (uint)get_local_id(0); i < COUNTERS_OF_OWNERS; i += GROUP_SIZE)
        table[i] = 0;
}

/* The image of the tile's key number i; LAST_IMAGE after the last key. are_keys: the keys are the call's, not converted
 * to images yet. */
static inline KEY image_at(const __global KEY *keys, ulong first, uint i, uint valid, bool are_keys)
{
    const KEY key = i < valid ? key_at(keys, first, i, are_keys) : LAST_IMAGE;
    return HAS_IMAGES && are_keys && i < valid ? image_of(key) : key;
}

/* Load the keys as they are in memory. tile_turn converts them to images, after a barrier that need not wait for
 * them. */
ALWAYS_INLINE void tile_load(KEY *images, const __global KEY *keys, ulong first, uint valid, bool are_keys)
{
    if (valid == TILE) {
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) /* the offsets are constant, and cost no registers */
            images[j] = key_at(keys, first + TILE_FIRST, j * TILE_STEP, are_keys);
    } else {
        const KEY last = HAS_IMAGES && are_keys ? key_of(LAST_IMAGE) : LAST_IMAGE;
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            images[j] = TILE_INDEX(j) < valid ? key_at(keys, first, TILE_INDEX(j), are_keys) : last;
    }
}

ALWAYS_INLINE void tile_turn(KEY *images, bool are_keys)
{
    if (HAS_IMAGES && are_keys) {
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            images[j] = image_of(images[j]);
    }
}

ALWAYS_INLINE void tile_count_one(__local uint *table, KEY image, uint shift)
{
#if RANK_BY == RANK_BY_ITEM
    OWN_TABLE(table)[digit_of(image, shift) * OWN_STRIDE]++;
#else
    (void)atomic_inc(OWN_TABLE(table) + digit_of(image, shift));
#endif
}

ALWAYS_INLINE void tile_count(__local uint *table, const KEY *images, uint shift)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        tile_count_one(table, images[j], shift);
}

#if RANK_BY == RANK_BY_ITEM
/* Each digit's count is known only when the table is scanned. */
ALWAYS_INLINE uint tile_own_count(const __local uint *table)
{
    return 0;
}

/* The table is in the order of places: by digit, then by owner. Each work-item scans RADIX of its entries. */
ALWAYS_INLINE void tile_begins(__local uint *table, __local uint *begins, __local uint *sums, uint count)
{
    const uint lid = (uint)get_local_id(0);
    __local uint *own = table + lid * RADIX;
    uint sum = 0;
    for (uint k = 0; k < RADIX; k++)
        sum += own[k];
    uint place = sum_before(sum, sums);
    for (uint k = 0; k < RADIX; k++) {
        const uint owners = own[k];
        own[k] = place;
        place += owners;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the table */
    for (uint digit = lid; digit <= RADIX; digit += GROUP_SIZE)
        begins[digit] = digit < RADIX ? table[digit * GROUP_SIZE] : TILE;
}

ALWAYS_INLINE uint tile_place(__local uint *table, KEY image, uint shift)
{
    return OWN_TABLE(table)[digit_of(image, shift) * OWN_STRIDE]++;
}
#else
#if RANK_BY == RANK_BY_MASKS
ALWAYS_INLINE uint digits_before(uint value, __local uint *sums); /* tile_by_masks.cl */
#else
/* The sum of the values of all smaller digits. The first RADIX work-items have one value each. */
ALWAYS_INLINE uint digits_before(uint value, __local uint *sums)
{
    return sum_before(get_local_id(0) < RADIX ? value : 0, sums);
}
#endif

/* How many keys of the tile have the digit with the work-item's number, including images that fill up the tile. */
ALWAYS_INLINE uint tile_own_count(const __local uint *table)
{
    const uint digit = (uint)get_local_id(0);
    uint count = 0;
    if (digit < RADIX) {
#pragma unroll
        for (uint owner = 0; owner < OWNERS; owner++)
            count += table[owner * RADIX + digit];
    }
    return count;
}

/* Where the work-item's digit begins in the tile, which is stored as well. */
ALWAYS_INLINE uint digit_begins(__local uint *begins, __local uint *sums, uint count)
{
    const uint digit = (uint)get_local_id(0);
    const uint place = digits_before(count, sums);
    if (digit < RADIX) {
        begins[digit] = place;
        if (digit == RADIX - 1)
            begins[RADIX] = place + count;
    }
    return place;
}

/* The work-item's digit begins at `place`: where each owner's keys of it begin replaces their count. */
ALWAYS_INLINE void owners_begin(__local uint *table, uint place)
{
    const uint digit = (uint)get_local_id(0);
    if (digit < RADIX) {
#pragma unroll
        for (uint owner = 0; owner < OWNERS; owner++) {
            const uint own = table[owner * RADIX + digit];
            table[owner * RADIX + digit] = place;
            place += own;
        }
    }
}

#if RANK_BY != RANK_BY_MASKS
ALWAYS_INLINE void tile_begins(__local uint *table, __local uint *begins, __local uint *sums, uint count)
{
    owners_begin(table, digit_begins(begins, sums, count));
}

/* The lanes with the same digit: for each bit, those that vote as this lane does. */
ALWAYS_INLINE uint same_digit(uint digit)
{
    uint same = 0xffffffffu;
#pragma unroll
    for (uint bit = 0; bit < DIGIT_BITS; bit++)
        asm volatile("{ .reg .pred p; .reg .b32 votes; and.b32 votes, %1, %2; setp.ne.u32 p, votes, 0;"
                     " vote.sync.ballot.b32 votes, p, 0xffffffff; @!p not.b32 votes, votes; and.b32 %0, %0, votes; }"
                     : "+r"(same)
                     : "r"(digit), "r"(1u << bit));
    return same;
}

ALWAYS_INLINE uint tile_place_by_ballots(__local uint *table, KEY image, uint shift)
{
    const uint digit = digit_of(image, shift);
    const uint same = same_digit(digit);
    const uint lane = (uint)get_local_id(0) % 32;
    const uint before = popcount(same & ((1u << lane) - 1));
    __local uint *next = OWN_TABLE(table) + digit;
    const uint place = *next + before;
    clprim_sub_group_sync(); /* all have read */
    if (same >> lane == 1)   /* the last lane with the digit */
        *next = place + 1;
    clprim_sub_group_sync(); /* all have written */
    return place;
}

ALWAYS_INLINE uint tile_place(__local uint *table, KEY image, uint shift)
{
#if RANK_BY == RANK_BY_BALLOTS
    return tile_place_by_ballots(table, image, shift);
#else
    return atomic_inc(OWN_TABLE(table) + digit_of(image, shift));
#endif
}
#endif
#endif
