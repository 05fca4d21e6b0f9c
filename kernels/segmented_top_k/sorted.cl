// SPDX-License-Identifier: MIT
/* sorted.cl: the first k of segments that have been sorted, as keys and their indices in the array.
 *
 * segmented_top_k_offsets: makes offsets of segments of equal length, for the sort.
 * segmented_top_k_copy: copies the first elements of each segment, in the order of the keys.
 * segmented_top_k_gather: copies them in the order of the input. The key and the index of the k-th element are known,
 * so a work-group reads the segment again and takes the elements up to it.
 * Parameters: tile_scan.cl with ITEMS 1; INDEX, the type of the sort's indices; HAS_ORDER: the sort has made indices;
 * GROUP_SIZE. */
#include "radix_sort/parts/keys.cl"
#include "segmented_top_k/args.h"
#include "segmented_top_k/parts/segments.cl"
#include "top_k/parts/target.cl"
#include "common/tile_scan.cl"

#if !defined(INDEX) || !defined(HAS_ORDER)
#error "INDEX and HAS_ORDER must be given"
#endif

#define SORTED_KEYS  ((const __global KEY *)(scratch + args.sorted_at))
#define SORTED_ORDER ((const __global INDEX *)(scratch + args.order_at))

__kernel GROUP_OF(GROUP_SIZE) void segmented_top_k_offsets(ARGS_OF(SEGMENTED_TOP_K_SCRATCH))
{
    const segmented_top_k_args args = ARGS(SEGMENTED_TOP_K_NUMBERS);
    __global OFFSET *ends = (__global OFFSET *)(scratch + args.offsets_at);
    for (ulong s = get_global_id(0); s <= args.segments; s += get_global_size(0))
        ends[s] = (OFFSET)(s * args.segment_length);
}

__kernel GROUP_OF(GROUP_SIZE) void segmented_top_k_copy(ARGS_OF(SEGMENTED_TOP_K_ALL))
{
    const segmented_top_k_args args = ARGS(SEGMENTED_TOP_K_NUMBERS);
    const ulong most = min(args.k, MOST_LENGTH); /* results of a segment */
    for (ulong i = get_global_id(0); i < args.segments * most; i += get_global_size(0)) {
        const ulong s = i / most;
        const ulong rank = i % most;
        const segment own = SEGMENT_AT(s);
        if (rank >= own.length)
            continue;
#if HAS_ORDER
        const ulong index = SORTED_ORDER[own.begin + rank] - own.begin;
        if (index < own.length) /* always true if offsets are sorted */
#else
        const ulong index = 0;
#endif
            put(s * args.k + rank, SORTED_KEYS[own.begin + rank], own, index, TARGET);
    }
}

#if HAS_ORDER
__kernel GROUP_OF(GROUP_SIZE) void segmented_top_k_gather(ARGS_OF(SEGMENTED_TOP_K_ALL))
{
    const segmented_top_k_args args = ARGS(SEGMENTED_TOP_K_NUMBERS);
    __local clprim__tile_memory shared;
    for (ulong s = get_group_id(0); s < args.segments; s += get_num_groups(0)) {
        const segment own = SEGMENT_AT(s);
        const ulong wanted = min(args.k, own.length);
        if (wanted == 0)
            continue;
        const KEY last = image_of(SORTED_KEYS[own.begin + wanted - 1]);
        const ulong last_index = SORTED_ORDER[own.begin + wanted - 1] - own.begin;
        ulong found = 0;
        for (ulong first = 0; first < own.length && found < wanted; first += GROUP_SIZE) {
            const ulong i = first + tile_packet(0);
            const KEY key = i < own.length ? keys_in[args.keys_in_offset + own.begin + i] : 0;
            const KEY image = image_of(key);
            const bool is_taken = i < own.length && (image < last || (image == last && i <= last_index));
            VALUE counts[1];
            VALUE before;
            counts[0] = is_taken;
            const VALUE total = clprim__tile_fold(counts, &before, &shared);
            clprim__tile_prefixes(counts, before, &shared);
            if (is_taken && found + counts[0] < wanted)
                put(s * args.k + found + counts[0], key, own, i, TARGET);
            found += total;
            barrier(CLK_LOCAL_MEM_FENCE); /* all are done with `shared` */
        }
    }
}
#endif
