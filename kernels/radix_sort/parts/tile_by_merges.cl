// SPDX-License-Identifier: MIT
/* tile_by_merges.cl: sort the segments in a work-group's tile where work-items have no shuffles, by merges.
 *
 *     TILE_MEMORY_HERE(segments, staged)              the local memory m, in which `staged` has the keys
 *     load_tile(m, keys, first, valid)                the keys' images to m->keys
 *     sort_by_merges(m, valid)                        sort them, when m->numbers and m->firsts are known
 *     write_tile(ARRAYS_HERE, m, first, valid)
 * with a barrier between each two.
 *
 * The tile has `valid` elements. All work-items have equally many of them, side by side, and sort them in registers.
 * Then runs of twice as many work-items are merged, and so on. Segments lie one behind the other, so of two
 * neighbouring runs only the segment across the boundary between them is merged: all other elements are where they
 * belong. So no comparison asks for an element's segment. Barriers and comparisons do not depend on the keys' bits:
 * ranks of digits take a pass for each digit, and without shuffles barriers or counters in each.
 *
 * Parameters: keys.cl with COUNTED 0; ranked.cl; GROUP_SIZE, ITEMS; ONE_SEGMENT: the tile is one segment, and there
 * are neither numbers nor firsts.
 * Source: Odeh, Green, Mwassi, Shmueli and Birk 2012 (merge path); Baxter 2013, moderngpu (segmented sort). */
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/ranked.cl"
#include "clprim/device/work_group_merge.h"

#ifndef ONE_SEGMENT
#error "ONE_SEGMENT must be given"
#endif
#if ITEMS > 32
#error "a word must have a bit for each element of a work-item"
#endif

CLPRIM_MERGE(clprim__keys, KEY, RANKED(a) < RANKED(b))
/* The same without a comparison for each read: up to ITEMS elements behind both ranges are read, and not used. */
CLPRIM__DEFINE_MERGE_SERIAL(clprim__keys, clprim__keys_merge_on, KEY, true, 1)

typedef struct {
    __local KEY *keys;
    __local ushort *numbers; /* of each element's segment in the tile */
    __local ushort *places;  /* where in the tile each element was: that is where its value is */
    __local ushort *firsts;  /* of each segment, and behind the last one */
} tile_memory;

/* In a kernel: tile_memory m, for a tile of at most so many segments. `staged` are at least KEY_WORDS words of 16
 * bytes, with room for what is read behind the last element. */
#define KEY_WORDS   (((TILE + ITEMS + 1) * (KEY_BITS / 8) + 15) / 16)
#define TILE_PLACES (VALUE_SIZE > 0 ? TILE : 1)
#if ONE_SEGMENT
#define TILE_MEMORY_HERE(segments, staged)                                                                             \
    __local ushort places[TILE_PLACES];                                                                                \
    const tile_memory m = {(__local KEY *)(staged), 0, places, 0};
#else
#define TILE_MEMORY_HERE(segments, staged)                                                                             \
    __local ushort numbers[TILE];                                                                                      \
    __local ushort places[TILE_PLACES];                                                                                \
    __local ushort firsts[(segments) + 1];                                                                             \
    const tile_memory m = {(__local KEY *)(staged), numbers, places, firsts};
#endif

/* Neighbouring work-items read and write neighbouring elements. */
#define STRIPED_INDEX(j) ((j)*GROUP_SIZE + (uint)get_local_id(0))

ALWAYS_INLINE void load_tile(const tile_memory *m, const __global KEY *keys, ulong first, uint valid)
{
    KEY images[ITEMS];
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (STRIPED_INDEX(j) < valid)
            images[j] = key_at(keys, first, STRIPED_INDEX(j), true);
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (STRIPED_INDEX(j) < valid)
            m->keys[STRIPED_INDEX(j)] = image_of(images[j]);
}

/* Odd-even transposition, which is stable. Bit k of `joined`: elements k and k + 1 are of the same segment. */
ALWAYS_INLINE void sort_own(KEY *own, uint *origins, uint joined)
{
#pragma unroll
    for (uint round = 0; round < ITEMS; round++)
#pragma unroll
        for (uint k = round % 2; k + 1 < ITEMS; k += 2) {
            const bool turns = (joined >> k & 1) != 0 && clprim__keys_less(own[k + 1], own[k]);
            const KEY key = own[k];
            const uint origin = origins[k];
            own[k] = turns ? own[k + 1] : key;
            own[k + 1] = turns ? key : own[k + 1];
            origins[k] = turns ? origins[k + 1] : origin;
            origins[k + 1] = turns ? origin : origins[k + 1];
        }
}

/* The elements from `first` to before `end`, which are the work-item's. */
ALWAYS_INLINE void sort_runs_of_one(const tile_memory *m, uint first, uint end)
{
    KEY own[ITEMS];
    uint origins[ITEMS];
    uint joined = 0;
    uint number_before = 0;
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        origins[j] = first + j;
        own[j] = LAST_IMAGE;
        if (first + j < end) {
            const uint number = ONE_SEGMENT ? 0 : m->numbers[first + j];
            own[j] = m->keys[first + j];
            joined |= j > 0 && number == number_before ? 1u << j >> 1 : 0;
            number_before = number;
        }
    }
    sort_own(own, origins, joined);
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (first + j < end) {
            m->keys[first + j] = own[j];
            if (VALUE_SIZE > 0)
                m->places[first + j] = (ushort)origins[j];
        }
}

/* Merge what a segment has of the runs on both sides of `middle`: elements from `low` to before `high`. Of the result
 * the work-item takes what is from `first` to before `end`. */
ALWAYS_INLINE void merge_across(const tile_memory *m, uint low, uint middle, uint high, uint first, uint end)
{
    const uint begin = max(first, low);
    const uint count = min(end, high) > begin ? min(end, high) - begin : 0;
    KEY own[ITEMS];
    uint places[ITEMS];
    if (count > 0) {
        const uint rank = begin - low;
        const uint taken = clprim__keys_merge_path(m->keys + low, middle - low, m->keys + middle, high - middle, rank);
        clprim__keys_merge_on(own, places, ITEMS, ITEMS, m->keys, low + taken, middle, middle + (rank - taken), high);
        if (VALUE_SIZE > 0) {
#pragma unroll
            for (uint j = 0; j < ITEMS; j++)
                if (j < count)
                    places[j] = m->places[places[j]];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (j < count) {
            m->keys[begin + j] = own[j];
            if (VALUE_SIZE > 0)
                m->places[begin + j] = (ushort)places[j];
        }
    barrier(CLK_LOCAL_MEM_FENCE); /* the longer runs */
}

ALWAYS_INLINE void sort_by_merges(const tile_memory *m, uint valid)
{
    const uint lid = (uint)get_local_id(0);
    const uint fewest = (valid + GROUP_SIZE - 1) / GROUP_SIZE;
    const uint items = fewest % 2 == 0 && fewest < ITEMS ? fewest + 1 : fewest; /* odd: no bank conflicts */
    const uint first = min(lid * items, valid);
    const uint end = min(first + items, valid);
    sort_runs_of_one(m, first, end);
    barrier(CLK_LOCAL_MEM_FENCE); /* the runs */
    for (uint run = 1; run * items < valid; run *= 2) {
        const uint left = (lid & ~(run * 2 - 1)) * items;
        const uint middle = min(left + run * items, valid);
        const uint right = min(middle + run * items, valid);
#if ONE_SEGMENT
        merge_across(m, min(left, valid), middle, right, first, end);
#else
        const uint number = m->numbers[min(middle, valid - 1)];
        const bool is_across = middle < right && m->numbers[middle - 1] == number;
        const uint low = is_across ? max(left, (uint)m->firsts[number]) : middle;
        const uint high = is_across ? min(right, (uint)m->firsts[number + 1]) : middle;
        merge_across(m, low, middle, high, first, end);
#endif
    }
}

/* Write the sorted tile, which was read from `first` on, to the same place of the outputs. */
ALWAYS_INLINE void write_tile(sorted_arrays a, const tile_memory *m, ulong first, uint valid)
{
#if VALUE_SIZE
    VALUE values[ITEMS];
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (STRIPED_INDEX(j) < valid) {
#if INDICES
            values[j] = (VALUE)(first + m->places[STRIPED_INDEX(j)]);
#else
            values[j] = a.values_in[first + m->places[STRIPED_INDEX(j)]];
#endif
        }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* all values are read: they may be where they go */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (STRIPED_INDEX(j) < valid)
            a.values_out[first + STRIPED_INDEX(j)] = values[j];
#endif
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (STRIPED_INDEX(j) < valid)
            a.keys_out[first + STRIPED_INDEX(j)] = key_of(m->keys[STRIPED_INDEX(j)]);
}
