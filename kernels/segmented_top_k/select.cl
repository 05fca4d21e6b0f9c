// SPDX-License-Identifier: MIT
/* segmented_top_k_select: the first k of each unit, with one work-group per unit.
 *
 * Each work-item finds the minima of MINIMA strided parts of the unit. At least k elements are up to the k-th of all
 * these minima, and not many more. A radix select among the minima, in local memory, finds this bound. A second pass
 * over the unit collects the elements up to the bound, with their places. A bitonic sort by key and place orders them.
 *
 * If more elements are up to the bound than there is room for, for example many equal ones, the threshold is found
 * digit by digit among all elements: first the digits of the key, then those of the place. Another pass collects.
 *
 * args.joins: the units are the candidates of segments with several parts, in a launch after that of the parts.
 * Parameters: CAPACITY, a power of two, at least 2 k; UNSORTED.
 * Source: Batcher 1968, Sorting Networks and Their Applications (the sort). */
#include "radix_sort/parts/keys.cl"
#include "common/packet.cl"
#include "segmented_top_k/args.h"
#include "segmented_top_k/parts/segments.cl"
#include "top_k/parts/target.cl"
#include "common/tile_scan.cl"
#include "segmented_top_k/parts/packets.cl"
#include "segmented_top_k/parts/threshold.cl"
#include "segmented_top_k/parts/units.cl"

#ifndef UNSORTED
#error "UNSORTED must be given"
#endif

/* Collect the elements up to an image; of the elements equal to it, those up to a place. Returns how many there are. */
ALWAYS_INLINE uint collect(group_memory m, key_run r, digit_bits image, uint last_place)
{
    const uint packets = run_packets(r);
    barrier(CLK_LOCAL_MEM_FENCE); /* all are done with the images, and with the previous number */
    if (get_local_id(0) == 0)
        *m.found = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until the number is 0 */
    for (uint p = (uint)get_local_id(0); p < packets; p += 4 * GROUP_SIZE) {
        packet_words x[4];
#pragma unroll
        for (uint j = 0; j < 4; j++)
            x[j] = p + j * GROUP_SIZE < packets ? run_load(r, p + j * GROUP_SIZE) : (packet_words)0;
#pragma unroll
        for (uint j = 0; j < 4; j++)
#pragma unroll
            for (uint e = 0; e < PACK; e++) {
                const uint place = run_place(r, p + j * GROUP_SIZE, e);
                const digit_bits own = image_of(packet_element(x[j], e));
                if (own > image || place >= r.length || (own == image && place > last_place))
                    continue;
                const uint at = atomic_inc(m.found);
                if (at < CAPACITY) {
                    m.images[at] = (KEY)own;
                    m.places[at] = place;
                }
            }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until all are collected */
    return *m.found;
}

static inline bool is_before(group_memory m, uint a, uint b, bool by_place)
{
    return (!by_place && m.images[a] < m.images[b]) ||
           ((by_place || m.images[a] == m.images[b]) && m.places[a] < m.places[b]);
}

/* Sort the collected elements by image and place, or by place alone. */
ALWAYS_INLINE void sort_found(group_memory m, uint count, bool by_place)
{
    const uint lid = (uint)get_local_id(0);
    uint size = 1;
    for (; size < count; size *= 2)
        ;
    for (uint i = count + lid; i < size; i += GROUP_SIZE) {
        m.images[i] = LAST_IMAGE;
        m.places[i] = LAST_PLACE;
    }
    for (uint block = 2; block <= size; block *= 2)
        for (uint stride = block / 2; stride > 0; stride /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE); /* wait for the previous step */
            for (uint i = lid; i < size / 2; i += GROUP_SIZE) {
                const uint low = 2 * i - (i & (stride - 1));
                const uint high = stride == block / 2 ? (low | (block - 1)) - (i & (stride - 1)) : low + stride;
                if (!is_before(m, high, low, by_place))
                    continue;
                const KEY image = m.images[low];
                const uint place = m.places[low];
                m.images[low] = m.images[high];
                m.places[low] = m.places[high];
                m.images[high] = image;
                m.places[high] = place;
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until all are sorted */
}

/* Collect at least the first min(k, length) elements, and at most as many as there is room for. All searches share one
 * loop over digits, because compilers for CPUs take long over each barrier. */
ALWAYS_INLINE uint find(group_memory m, key_run r, uint k)
{
    const bool by_minima = k <= GROUP_SIZE * MINIMA / 2; /* otherwise the minima would be too few to help */
    const bool are_few = r.length <= (by_minima ? 2 * k : CAPACITY);
    uint of = by_minima && !are_few ? OF_MINIMA : OF_IMAGES;
    digit_bits image = 0;
    search s = {0, KEY_BITS, k, of == OF_MINIMA ? GROUP_SIZE * MINIMA : r.length};
    if (of == OF_MINIMA)
        find_minima(m, r);
    for (;;) {
        if (!are_few && !is_near(s, of, k)) {
            clear_bins(m);
            count_digits(m, r, s, of, image);
            s = choose_digit(m, s);
            continue;
        }
        if (!are_few && of == OF_IMAGES && search_taken(s, k) > CAPACITY) { /* too many are equal: the first of them */
            of = OF_PLACES;
            image = s.prefix;
            s = (search){0, 32 - clz(r.length), s.needed, s.equal};
            continue;
        }
        const digit_bits last = are_few ? ~(digit_bits)0 : of == OF_PLACES ? image : search_end(s);
        const uint found = collect(m, r, last, of == OF_PLACES ? (uint)search_end(s) : LAST_PLACE);
        if (found <= CAPACITY || of != OF_MINIMA)
            return min(found, (uint)CAPACITY); /* there are no more, unless keys change meanwhile */
        of = OF_IMAGES;                        /* the bound is too loose: find the threshold itself, as exactly as
                                                * necessary */
        s = (search){0, KEY_BITS, k, r.length};
    }
}

/* The elements of a unit. Those of a joined segment are in its slots. */
static inline key_run unit_run(unit_entry unit, segment own, const __global KEY *keys, __global uchar *scratch,
                               const segmented_top_k_args args)
{
    const ulong k = args.k;
    const uint part_length = args.part_length;
    const uint slots_most = args.slots_most;
    const ulong first = (ulong)unit.part * part_length;
    const uint whole = own.length == 0 ? 0 : (uint)((own.length - 1) / part_length); /* parts before the last one */
    if (args.joins) {
        const ulong candidates = whole * k + min(k, own.length - (ulong)whole * part_length);
        const uint slot = min(unit.slot, slots_most);
        return run_of((const __global KEY *)(scratch + args.keys_at) + slot * k,
                      (uint)min(candidates, (slots_most - slot) * k));
    }
    const ulong left = own.length - min(first, own.length);
    return run_of(keys + own.begin + first, (uint)(unit.slot == NONE ? own.length : min((ulong)part_length, left)));
}

__kernel GROUP_OF(GROUP_SIZE) void segmented_top_k_select(ARGS_OF(SEGMENTED_TOP_K_ALL))
{
    const segmented_top_k_args args = ARGS(SEGMENTED_TOP_K_NUMBERS);
    __local KEY images[CAPACITY];
    __local uint places[CAPACITY], bins[BINS], found_there;
    __local clprim__tile_memory shared;
    const group_memory m = {images, places, bins, &shared, &found_there};
    const ulong k = args.k;
    const bool joins = args.joins != 0;
    const uint units = units_there(scratch, args);
    __global KEY *keys_between = (__global KEY *)(scratch + args.keys_at);
    __global uint *indices_between = (__global uint *)(scratch + args.indices_at);
    for (uint u = (uint)get_group_id(0); u < units; u += (uint)get_num_groups(0)) {
        const unit_entry unit = unit_number(u, scratch, args);
        const segment own = SEGMENT_AT(unit.segment);
        const key_run r = unit_run(unit, own, keys_in + args.keys_in_offset, scratch, args);
        const uint count = (uint)min(k, (ulong)r.length);
        const bool leaves = !joins && unit.slot != NONE; /* in a slot, in the order of the keys */
        const uint found = find(m, r, (uint)k);
        for (uint by_place = 0; by_place <= (UNSORTED && !leaves); by_place++) {
            sort_found(m, by_place ? count : found, by_place);
            for (uint i = (uint)get_local_id(0); joins && !by_place && i < count; i += GROUP_SIZE)
                places[i] = indices_between[unit.slot * k + places[i]];
            barrier(CLK_LOCAL_MEM_FENCE); /* wait for the indices */
        }
        for (uint i = (uint)get_local_id(0); i < count; i += GROUP_SIZE) {
            const ulong at = ((ulong)unit.slot + unit.part) * k + i;
            if (leaves && at < args.slots_most * k) {
                keys_between[at] = key_of(images[i]);
                indices_between[at] = unit.part * args.part_length + places[i];
            } else if (!leaves && places[i] < own.length) { /* always true if offsets are sorted */
                put(unit.segment * k + i, key_of(images[i]), own, places[i], TARGET);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* all are done with what was found */
    }
}
