// SPDX-License-Identifier: MIT
/* segmented_top_k_short: the first k of short segments, one work-item per segment, and a list of all other segments.
 *
 * A work-item reads its segment in order and keeps the first elements so far in registers, sorted, with their places. A
 * new element is inserted after those that are not greater, which keeps equal ones in the order of their places. All
 * slots change at once, without a loop that depends on the data: each keeps its element, or takes its left neighbour's
 * or the new one.
 *
 * Segments of more than `longest` elements are left to select.cl (with HAS_OFFSETS; otherwise there are none). A
 * segment of more than part_length elements is divided into parts. Each part is a unit with a slot for its first k.
 * Parameters: LISTED: slots of the list, as many as k, or as a short segment has elements; UNSORTED; GROUP_SIZE.
 * Source: Johnson, Douze and Jegou 2017, Billion-scale Similarity Search with GPUs (lists in registers). */
#include "radix_sort/parts/keys.cl"
#include "common/packet.cl"
#include "segmented_top_k/args.h"
#include "segmented_top_k/parts/segments.cl"
#include "top_k/parts/target.cl"
#include "segmented_top_k/parts/packets.cl"
#include "segmented_top_k/parts/units.cl"

#if !defined(LISTED) || !defined(UNSORTED)
#error "LISTED and UNSORTED must be given"
#endif

/* The first elements so far, and how many slots are used. */
typedef struct {
    KEY images[LISTED];
    uint places[LISTED];
    uint length;
} sorted_list;

ALWAYS_INLINE void list_insert(sorted_list *list, KEY image, uint place)
{
    if (list->length == LISTED && image >= list->images[LISTED - 1])
        return;
#pragma unroll
    for (uint i = LISTED; i-- > 0;) {
        const uint left = i > 0 ? i - 1 : 0;
        const bool changes = i >= list->length || image < list->images[i];
        const bool moves = i > 0 && (left >= list->length || image < list->images[left]);
        list->images[i] = !changes ? list->images[i] : moves ? list->images[left] : image;
        list->places[i] = !changes ? list->places[i] : moves ? list->places[left] : place;
    }
    list->length = min(list->length + 1, (uint)LISTED);
}

ALWAYS_INLINE void list_run(sorted_list *list, key_run r)
{
    const uint packets = run_packets(r);
    list->length = 0;
    packet_words next = run_load(r, 0);
    for (uint p = 0; p < packets; p++) {
        const packet_words x = next;
        next = run_load(r, p + 1); /* loaded while the current packet is processed */
        for (uint e = 0; e < PACK; e++) {
            const uint place = run_place(r, p, e);
            if (place < r.length)
                list_insert(list, image_of(packet_element(x, e)), place);
        }
    }
}

/* Write the first m elements in the order of the input: the list's element m - 1, and all elements before it. */
static inline void put_in_order(const sorted_list *list, uint m, ulong at, key_run r, segment own, target to)
{
    KEY last = 0;
    uint last_place = 0;
#pragma unroll
    for (uint i = 0; i < LISTED; i++) { /* constant indices keep the list in registers */
        last = i + 1 == m ? list->images[i] : last;
        last_place = i + 1 == m ? list->places[i] : last_place;
    }
    uint found = 0;
    for (uint i = 0; i < r.length && found < m; i++) {
        const KEY key = r.keys[i];
        const KEY image = image_of(key);
        if (image < last || (image == last && i <= last_place))
            put(at + found++, key, own, i, to);
    }
}

__kernel GROUP_OF(GROUP_SIZE) void segmented_top_k_short(ARGS_OF(SEGMENTED_TOP_K_SHORT))
{
    const segmented_top_k_args args = ARGS(SEGMENTED_TOP_K_NUMBERS);
    for (ulong s = get_global_id(0); s < args.segments; s += get_global_size(0)) {
        const segment own = SEGMENT_AT(s);
#if HAS_OFFSETS
        if (own.length > args.longest) {
            enter_segment(scratch, args, (uint)s, own);
            continue;
        }
#endif
        sorted_list list;
        const key_run r = run_of(keys_in + args.keys_in_offset + own.begin, (uint)own.length);
        const uint m = (uint)min(args.k, own.length);
        list_run(&list, r);
#if UNSORTED
        if (m > 0)
            put_in_order(&list, m, s * args.k, r, own, TARGET);
#else
#pragma unroll
        for (uint i = 0; i < LISTED; i++)
            if (i < m)
                put(s * args.k + i, key_of(list.images[i]), own, list.places[i], TARGET);
#endif
    }
}
